//! The faults of the corpus are found: enough of them, and little else.

#[path = "../../examples/corpus/score.rs"]
mod score;

#[test]
fn the_first_problem_is_the_known_fault_and_with_the_source_the_line_is_the_true_one() {
    let score = score::score();
    let score::Score { logs, faulty, recall, precision, with_source, on_the_line } = score;
    println!("{logs} logs, {faulty} with a fault: recall {recall:.1} %, precision {precision:.1} %");
    assert!(faulty >= 60 && recall >= 95.0 && precision >= 95.0, "recall {recall:.1} %, precision {precision:.1} %");
    println!("{with_source} faults with their source: {on_the_line:.1} % on the very line");
    assert!(with_source > 60 && on_the_line >= 95.0, "{on_the_line:.1} %");
}
