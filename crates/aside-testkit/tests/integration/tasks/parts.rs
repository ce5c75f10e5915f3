//! Parts of a step are accepted and rejected one by one; what is carried out is what is left, and was shown.

use aside_agent::TaskDetail;
use aside_core::{Choice, FileDiff, PlanStep, StepState, TaskDecision, TaskState};
use serde_json::{Value, json};

use crate::tasks::bench::{Bench, no, stands, steps, yes};

const A: &str = "one\ntwo\nthree\n";
const B: &str = "four\nfive\n";

fn edit(path: &str, pairs: &[(&str, &str)]) -> (&'static str, Value) {
    let edits: Vec<_> = pairs.iter().map(|(old, new)| json!({"old": old, "new": new})).collect();
    ("doc.edit", json!({"path": path, "edits": edits}))
}

/// A plan over two files, with two changes in each.
fn two_files() -> (Bench, TaskDetail) {
    let bench = Bench::new(&[("a.txt", A), ("b.txt", B)]);
    let shown =
        bench.plan(&[edit("a.txt", &[("one", "1"), ("three", "3")]), edit("b.txt", &[("four", "4"), ("five", "5")])]);
    (bench, shown)
}

fn answer(bench: &Bench, shown: &TaskDetail, choice: Choice, (step, parts): (u32, &[u32])) -> TaskDetail {
    bench.decide(shown, of(shown, choice, (step, parts))).unwrap()
}

fn of(shown: &TaskDetail, decision: Choice, (step, parts): (u32, &[u32])) -> TaskDecision {
    TaskDecision { decision, steps: Some(vec![step]), parts: Some(parts.to_vec()), ..yes(shown) }
}

fn step(detail: &TaskDetail, number: usize) -> &PlanStep {
    &detail.plan.as_ref().unwrap().steps[number - 1]
}

/// The lines that come, change by change.
fn new_lines(files: &[FileDiff]) -> Vec<&str> {
    files.iter().flat_map(|file| &file.hunks).flat_map(|hunk| &hunk.new).map(String::as_str).collect()
}

fn code(error: Result<impl Sized, aside_agent::TaskError>) -> String {
    error.err().expect("it is refused").failure().code
}

#[test]
fn what_is_rejected_is_taken_out_stays_readable_and_the_rest_is_done() {
    let (bench, shown) = two_files();
    let without = answer(&bench, &shown, Choice::Reject, (1, &[0]));
    assert_eq!((without.task.state, steps(&without)), (TaskState::AwaitingConfirmation, vec![StepState::Waiting; 2]));
    let trimmed = step(&without, 1);
    assert_eq!(trimmed.preview.as_ref().unwrap().parts(), [0]);
    assert_eq!((new_lines(&trimmed.rejected), trimmed.rejected[0].path.as_str()), (vec!["1"], "a.txt"));
    assert_eq!(bench.text("a.txt"), A, "nothing is done before a yes");
    assert_eq!(code(bench.decide(&shown, yes(&shown))), "stale", "that was for another plan");
    let done = bench.approve(&without);
    assert_eq!(stands(&done), (TaskState::Completed, "Completed all 2 steps."));
    assert_eq!((bench.text("a.txt"), bench.text("b.txt")), ("one\ntwo\n3\n".into(), "4\n5\n".into()));
    assert_eq!(new_lines(&step(&done, 1).rejected), ["1"]);
    let told = done.timeline.iter().map(|entry| entry.text.as_str()).nth(1);
    assert_eq!(told, Some("ada rejected 1 change of step 1: line 1 of a.txt, `1`."));
}

#[test]
fn what_was_done_is_taken_back_and_nothing_else() {
    let (bench, shown) = two_files();
    let without = answer(&bench, &shown, Choice::Reject, (2, &[1]));
    let done = bench.approve(&without);
    assert_eq!((bench.text("a.txt"), bench.text("b.txt")), ("1\ntwo\n3\n".into(), "4\nfive\n".into()));
    bench.type_in("b.txt", "five", "FIVE");
    let undo = bench.tasks().undo(&done.task.id, crate::tasks::bench::person(), aside_agent::Partly::No, None);
    let undo = bench.wait(undo).unwrap();
    bench.approve(&undo);
    assert_eq!((bench.text("a.txt"), bench.text("b.txt")), (A.into(), "four\nFIVE\n".into()));
}

#[test]
fn the_yes_to_the_last_part_starts_it() {
    let (bench, shown) = two_files();
    let without = answer(&bench, &shown, Choice::Reject, (1, &[1]));
    let one = answer(&bench, &without, Choice::Approve, (1, &[0]));
    assert_eq!(step(&one, 1).approved_by.as_deref(), Some("ada"), "it is all that is left of the step");
    let one = answer(&bench, &one, Choice::Approve, (2, &[1]));
    assert_eq!((one.task.state, &step(&one, 2).accepted), (TaskState::AwaitingConfirmation, &vec![1]));
    assert_eq!((bench.text("a.txt"), bench.text("b.txt")), (A.into(), B.into()));
    answer(&bench, &one, Choice::Approve, (2, &[0]));
    assert_eq!(stands(&bench.settled(&one.task.id)), (TaskState::Completed, "Completed all 2 steps."));
    assert_eq!((bench.text("a.txt"), bench.text("b.txt")), ("1\ntwo\nthree\n".into(), "4\n5\n".into()));
}

#[test]
fn a_no_to_the_last_part_starts_nothing_because_what_is_left_was_not_shown_yet() {
    let (bench, shown) = two_files();
    let one = answer(&bench, &shown, Choice::Approve, (1, &[0]));
    let two = answer(&bench, &one, Choice::Approve, (2, &[0, 1]));
    let without = answer(&bench, &two, Choice::Reject, (1, &[1]));
    assert_eq!(without.task.state, TaskState::AwaitingConfirmation);
    assert_eq!((&step(&without, 1).accepted, &step(&without, 2).accepted), (&vec![0], &vec![0, 1]));
    assert_eq!((bench.text("a.txt"), bench.text("b.txt")), (A.into(), B.into()));
    assert_eq!(bench.approve(&without).task.state, TaskState::Completed);
    assert_eq!((bench.text("a.txt"), bench.text("b.txt")), ("1\ntwo\nthree\n".into(), "4\n5\n".into()));
}

#[test]
fn a_yes_to_a_part_does_not_hold_for_another_text() {
    let (bench, shown) = two_files();
    let one = answer(&bench, &shown, Choice::Approve, (1, &[0]));
    let one = answer(&bench, &one, Choice::Approve, (2, &[0]));
    bench.type_in("a.txt", "two", "two and more");
    let without = answer(&bench, &one, Choice::Reject, (2, &[1]));
    assert_eq!((&step(&without, 1).accepted, &step(&without, 2).accepted), (&vec![], &vec![0]));
    // What is typed between the answer and the yes stops it as before.
    bench.type_in("b.txt", "five", "FIVE");
    let stopped = bench.approve(&without);
    let reason = "Stopped after 1 of 2: step 2 no longer matches its preview: file `b.txt` has changed meanwhile.";
    assert_eq!(stands(&stopped), (TaskState::AwaitingConfirmation, reason));
    assert_eq!((&step(&stopped, 2).accepted, new_lines(&step(&stopped, 2).rejected)), (&vec![], vec!["5"]));
    bench.approve(&stopped);
    assert_eq!((bench.text("a.txt"), bench.text("b.txt")), ("1\ntwo and more\n3\n".into(), "4\nFIVE\n".into()));
}

#[test]
fn a_step_all_of_whose_parts_are_rejected_is_left_out() {
    let (bench, shown) = two_files();
    let without = answer(&bench, &shown, Choice::Reject, (1, &[1]));
    let without = answer(&bench, &without, Choice::Reject, (1, &[0]));
    assert_eq!(steps(&without), [StepState::LeftOut, StepState::Waiting]);
    assert_eq!(new_lines(&step(&without, 1).rejected), ["3"], "the last one is still its preview");
    let done = bench.approve(&without);
    assert_eq!(stands(&done), (TaskState::Completed, "Completed 1 of 2 steps. Not done: 1 (ada rejected it)."));
    assert_eq!((bench.text("a.txt"), bench.text("b.txt")), (A.into(), "4\n5\n".into()));
}

#[test]
fn later_steps_are_shown_over_what_is_left_of_earlier_ones() {
    let bench = Bench::new(&[("a.txt", A)]);
    let shown = bench.plan(&[
        edit("a.txt", &[("one", "1"), ("three", "3")]),
        ("file.copy", json!({"from": "a.txt", "to": "b.txt"})),
    ]);
    let without = answer(&bench, &shown, Choice::Reject, (1, &[0]));
    assert_ne!(step(&without, 2).leaves, step(&shown, 2).leaves);
    bench.approve(&without);
    assert_eq!(bench.text("b.txt"), "one\ntwo\n3\n");
}

#[test]
fn answers_to_parts_that_make_no_sense_are_refused() {
    let (bench, shown) = two_files();
    let refused = |decision: TaskDecision| code(bench.decide(&shown, decision));
    assert_eq!(refused(of(&shown, Choice::Reject, (1, &[7]))), "invalid_task");
    assert_eq!(refused(of(&shown, Choice::Approve, (1, &[]))), "invalid_task");
    assert_eq!(refused(TaskDecision { steps: None, ..of(&shown, Choice::Reject, (1, &[0])) }), "invalid_task");
    assert_eq!(refused(TaskDecision { hash: None, ..of(&shown, Choice::Reject, (1, &[0])) }), "stale");
    let copy = bench.plan(&[("file.move", json!({"from": "a.txt", "to": "c.txt"}))]);
    assert_eq!(code(bench.decide(&copy, of(&copy, Choice::Reject, (1, &[0])))), "invalid_task");
    let done = bench.approve(&shown);
    let undo = bench.tasks().undo(&done.task.id, crate::tasks::bench::person(), aside_agent::Partly::No, None);
    let undo = bench.wait(undo).unwrap();
    assert_eq!(code(bench.decide(&undo, of(&undo, Choice::Reject, (1, &[0])))), "invalid_task");
    bench.decide(&undo, no(&undo)).unwrap();
}

#[test]
fn marks_and_what_was_taken_out_survive_a_restart() {
    let (bench, shown) = two_files();
    let without = answer(&bench, &shown, Choice::Reject, (1, &[0]));
    answer(&bench, &without, Choice::Approve, (2, &[1]));
    let bench = bench.restarted();
    let again = bench.tasks().detail(&without.task.id).unwrap();
    assert_eq!((new_lines(&step(&again, 1).rejected), &step(&again, 2).accepted), (vec!["1"], &vec![1]));
    bench.approve(&again);
    assert_eq!((bench.text("a.txt"), bench.text("b.txt")), ("one\ntwo\n3\n".into(), "4\n5\n".into()));
}
