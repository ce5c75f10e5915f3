//! A whole task is taken back, the last action first; what was typed since stays.

use aside_agent::Partly;
use aside_core::{TaskSource, TaskState};
use serde_json::json;

use crate::tasks::bench::{Bench, person, stands, yes};

fn three(bench: &Bench) -> aside_agent::TaskDetail {
    let shown = bench.plan(&[
        ("doc.edit", json!({"path": "a.txt", "edits": [{"old": "one", "new": "1"}]})),
        ("file.move", json!({"from": "a.txt", "to": "b.txt"})),
        ("doc.create", json!({"path": "c.txt", "text": "new\n"})),
    ]);
    bench.approve(&shown)
}

#[test]
fn it_is_taken_back_and_brought_back() {
    let bench = Bench::new(&[("a.txt", "one\ntwo\n")]);
    let before = bench.files();
    let done = three(&bench);
    assert!(done.task.can_undo);
    let after = bench.files();
    let shown = bench.wait(bench.tasks().undo(&done.task.id, person(), Partly::No, None)).unwrap();
    assert_eq!(shown.task.state, TaskState::AwaitingConfirmation);
    assert_eq!(bench.files(), after);
    let back = bench.approve(&shown);
    assert_eq!(stands(&back), (TaskState::Completed, "Completed all 3 steps."));
    assert_eq!(bench.files(), before);
    let original = bench.tasks().detail(&done.task.id).unwrap().task;
    assert_eq!((original.undone_by.as_ref(), original.can_undo), (Some(&back.task.id), false));
    let again = bench.wait(bench.tasks().undo(&back.task.id, person(), Partly::No, None)).unwrap();
    assert_eq!(again.task.source, TaskSource::Undo { task: back.task.id.clone() });
    assert_eq!(bench.approve(&again).task.state, TaskState::Completed);
    assert_eq!(bench.files(), after);
    assert_eq!(bench.tasks().detail(&done.task.id).unwrap().task.undone_by, None);
}

#[test]
fn a_command_that_changed_nothing_is_no_reason_to_leave_the_rest() {
    let bench = Bench::new(&[("a.txt", "one\ntwo\n")]);
    let before = bench.files();
    let edit = ("doc.edit", json!({"path": "a.txt", "edits": [{"old": "one", "new": "1"}]}));
    let done = bench.approve(&bench.plan(&[edit.clone(), ("shell.run", json!({"command": "cat a.txt"}))]));
    let shown = bench.wait(bench.tasks().undo(&done.task.id, person(), Partly::No, None)).unwrap();
    assert_eq!(stands(&bench.approve(&shown)), (TaskState::Completed, "Completed the one step."));
    assert_eq!(bench.files(), before);
    let writes = ("shell.run", json!({"command": "cat a.txt", "network": true}));
    let done = bench.approve(&bench.plan(&[edit, writes]));
    let refused = bench.wait(bench.tasks().undo(&done.task.id, person(), Partly::No, None)).unwrap_err();
    assert_eq!(refused.failure().code, "not_undoable", "what went out over a network can't be taken back");
}

#[test]
fn what_was_typed_since_stays() {
    let bench = Bench::new(&[("a.txt", "one\ntwo\n")]);
    let done = three(&bench);
    bench.type_in("b.txt", "two", "two and a half");
    let shown = bench.wait(bench.tasks().undo(&done.task.id, person(), Partly::No, None)).unwrap();
    bench.approve(&shown);
    assert_eq!(bench.files(), [("a.txt".to_owned(), "one\ntwo and a half\n".to_owned())]);
}

#[test]
fn typing_between_the_showing_and_the_yes_shows_it_anew() {
    let bench = Bench::new(&[("a.txt", "one\ntwo\n")]);
    let done = three(&bench);
    let shown = bench.wait(bench.tasks().undo(&done.task.id, person(), Partly::No, None)).unwrap();
    bench.type_in("b.txt", "two", "two and a half");
    let asks = bench.approve(&shown);
    assert_eq!(asks.task.state, TaskState::AwaitingConfirmation);
    assert!(asks.task.summary.as_ref().unwrap().contains("no longer matches its preview"), "{asks:?}");
    assert_eq!(bench.approve(&asks).task.state, TaskState::Completed);
    assert_eq!(bench.files(), [("a.txt".to_owned(), "one\ntwo and a half\n".to_owned())]);
}

#[test]
fn what_can_not_be_taken_back_is_said_before_anything_happens() {
    let bench = Bench::new(&[("a.txt", "one\ntwo\n")]);
    let done = three(&bench);
    bench.type_in("b.txt", "1\n", "uno\n");
    let after = bench.files();
    let refused = bench.wait(bench.tasks().undo(&done.task.id, person(), Partly::No, None)).unwrap_err().failure();
    assert_eq!(refused.code, "not_undoable");
    assert!(refused.message.starts_with("nothing was undone because some of it can't be undone"), "{refused:?}");
    assert_eq!(refused.data.as_array().unwrap().len(), 1, "{refused:?}");
    assert_eq!(bench.files(), after);
    let part = bench.wait(bench.tasks().undo(&done.task.id, person(), Partly::Yes, None)).unwrap();
    let back = bench.approve(&part);
    assert_eq!(back.task.state, TaskState::Completed);
    assert!(back.task.summary.as_ref().unwrap().starts_with("Completed 2 of 3 steps."), "{back:?}");
    assert_eq!(bench.files(), [("a.txt".to_owned(), "uno\ntwo\n".to_owned())]);
    assert_eq!(bench.tasks().detail(&done.task.id).unwrap().task.undone_by, None);
}

#[test]
fn a_dry_run_of_it_keeps_nothing() {
    let bench = Bench::new(&[("a.txt", "one\ntwo\n")]);
    let done = three(&bench);
    let shown = bench.wait(bench.tasks().undo_dry_run(&done.task.id, person(), Partly::No)).unwrap();
    assert_eq!(shown.plan.as_ref().unwrap().steps.len(), 3);
    assert!(bench.tasks().detail(&shown.task.id).is_err());
    assert!(bench.decide(&shown, yes(&shown)).is_err());
    let shown = bench.wait(bench.tasks().undo_dry_run(&done.task.id, person(), Partly::Yes)).unwrap();
    let made = bench.wait(bench.tasks().undo(&done.task.id, person(), Partly::Yes, None)).unwrap();
    assert_eq!(shown.plan.unwrap().hash, made.plan.unwrap().hash, "a yes to what was shown is one to what is made");
}

#[test]
fn task_undo_keeps_later_work_after_restart() {
    let bench = Bench::new(&[("a.txt", "one\n"), ("old.txt", "old\n")]);
    let shown = bench.plan(&[
        ("doc.create", json!({"path": "new.txt", "text": "new\n"})),
        ("file.copy", json!({"from": "a.txt", "to": "copy.txt"})),
        ("file.delete", json!({"path": "old.txt"})),
    ]);
    let done = bench.approve(&shown);
    for (path, text) in [("new.txt", "new\nmine\n"), ("copy.txt", "one\nmine\n"), ("old.txt", "mine\n")] {
        bench.write(path, text);
    }
    let bench = bench.restarted();
    let after = bench.files();
    let refused = bench.wait(bench.tasks().undo(&done.task.id, person(), Partly::No, None)).unwrap_err().failure();
    assert_eq!((refused.code.as_str(), refused.data.as_array().unwrap().len()), ("not_undoable", 3), "{refused:?}");
    assert_eq!(bench.files(), after);
}
