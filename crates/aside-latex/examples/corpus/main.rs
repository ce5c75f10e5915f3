//! Prints how well the faults of the corpus are found, one figure a line; read by `cargo xtask bench assistant`.

mod score;

fn main() {
    let score = score::score();
    println!("LaTeX faults told first, of {} (%)\t{:.1}\t>=95\t\t", score.faulty, score.recall);
    println!("of what is told first, faults, {} logs (%)\t{:.1}\t>=95\t\t", score.logs, score.precision);
    println!("with the source on the very line, of {} (%)\t{:.1}\t>=95\t\t", score.with_source, score.on_the_line);
}
