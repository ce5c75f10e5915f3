use crate::{grammar, tools::tests::tools_of};

use super::*;

const OLD: &str = "0123456789ab";
const NEW: &str = "ba9876543210";

fn excerpts(of: &[(&str, u32, u32)]) -> Excerpts {
    let mut excerpts = Excerpts::default();
    of.iter().for_each(|(version, start, end)| excerpts.add(version, LineRange { start: *start, end: *end }));
    excerpts
}

/// The person looks at `a.py`, and these lines of it were shown.
fn shown_of(of: &[(&str, u32, u32)]) -> Shown {
    let path: WorkspacePath = "a.py".parse().unwrap();
    let files = [(path.clone(), excerpts(of))].into();
    Shown { focus: Some(path), files, ..Shown::default() }
}

fn shown() -> Shown {
    shown_of(&[(OLD, 1, 100)])
}

fn read(text: &str, shown: &Shown) -> TextCalls {
    text_calls(grammar::read(text), shown, &tools_of(&[]))
}

fn convert(text: &str) -> TextCalls {
    read(text, &shown())
}

#[test]
fn all_edits_of_one_file_are_one_call_in_the_version_that_was_shown() {
    let text = "<<<EDIT lines 1-2\nx\n<<<END\n<<<SHOW b.py lines 1-9\n<<<END\n<<<SEARCH a.py\no\n>>>REPLACE\nn\n<<<END";
    let converted = convert(text);
    assert!(converted.problems.is_empty());
    let calls: Vec<_> = converted.calls.iter().map(|call| (call.name.as_str(), call.args.clone())).collect();
    let edits = json!([{"start": 1, "end": 2, "new": "x\n"}, {"old": "o\n", "new": "n\n"}]);
    assert_eq!(
        calls,
        [
            ("doc.edit", json!({"path": "a.py", "base": "0123456789ab", "edits": edits})),
            ("doc.read", json!({"path": "b.py", "start": 1, "end": 9})),
        ]
    );
}

#[test]
fn one_bad_block_holds_back_every_change_and_no_question() {
    let converted = convert("<<<EDIT lines 1-2\nx\n<<<END\n<<<SHOW lines 1-9\n<<<END\n<<<EDIT lines 5-3\ny\n<<<END");
    assert_eq!(converted.calls.len(), 1);
    assert_eq!(converted.calls[0].name, "doc.read");
    assert_eq!(converted.problems.len(), 2);
    assert!(converted.problems[0].contains("line 6"), "{}", converted.problems[0]);
    assert!(converted.problems[1].contains("None of the changes"));
}

#[test]
fn lines_of_a_file_that_was_not_shown_are_refused() {
    let converted = convert("<<<EDIT b.py lines 1-2\nx\n<<<END");
    assert!(converted.calls.is_empty());
    assert!(converted.problems[0].contains("have not seen all"), "{:?}", converted.problems);
    let named = convert("<<<EDIT b.py lines 1-2 @ba9876543210\nx\n<<<END");
    assert_eq!(named.calls[0].args["base"], NEW);
}

#[test]
fn each_number_is_of_the_version_in_which_its_lines_were_shown() {
    let shown = shown_of(&[(OLD, 1, 100), (NEW, 300, 320)]);
    let base = |text: &str| {
        let converted = read(text, &shown);
        converted.calls.first().map(|call| call.args["base"].as_str().unwrap().to_owned()).ok_or(converted.problems)
    };
    assert_eq!(base("<<<EDIT lines 40-41\nx\n<<<END").unwrap(), OLD);
    assert_eq!(base("<<<EDIT lines 310-311\nx\n<<<END").unwrap(), NEW);
    for unseen in ["lines 900-910", "lines 99-101", &format!("lines 40-41 @{NEW}"), &format!("lines 310-311 @{OLD}")] {
        let problems = base(&format!("<<<EDIT {unseen}\nx\n<<<END")).unwrap_err();
        assert!(problems[0].contains("not seen all of them in one version"), "{unseen}: {problems:?}");
    }
    let both = base("<<<EDIT lines 40-41\nx\n<<<END\n<<<EDIT lines 310-311\ny\n<<<END").unwrap_err();
    assert!(both[0].contains("different versions"), "{both:?}");
}

#[test]
fn a_question_for_lines_says_which_version_was_shown() {
    let asked = |text: &str| convert(text).calls[0].args["base"].clone();
    assert_eq!(asked("<<<SHOW lines 300-320\n<<<END"), OLD);
    assert_eq!(asked(&format!("<<<SHOW lines 300-320 @{NEW}\n<<<END")), NEW);
    assert_eq!(asked("<<<SHOW b.py lines 300-320\n<<<END"), json!(null));
}

#[test]
fn blocks_that_name_a_cell_are_of_the_notebook_that_is_looked_at() {
    let path: WorkspacePath = "a.ipynb".parse().unwrap();
    let cells = [((path.clone(), "5f2c01aa".to_owned()), excerpts(&[(OLD, 1, 9)]))].into();
    let shown = Shown { focus: Some(path), cells, ..Shown::default() };
    let text = "<<<EDIT cell 5f2c lines 2-3\nx\n<<<END\n<<<SEARCH cell 5f2c\no\n>>>REPLACE\nn\n<<<END\n\
                <<<CREATE markdown cell after 5f2c01aa\n# T\n<<<END\n<<<SHOW cell `5f2c` lines 1-200\n<<<END";
    let converted = read(text, &shown);
    assert_eq!(converted.problems, [""; 0]);
    let calls: Vec<_> = converted.calls.iter().map(|call| (call.name.as_str(), call.args.clone())).collect();
    let edits = json!([{"start": 2, "end": 3, "new": "x\n"}, {"old": "o\n", "new": "n\n"}]);
    let edit = json!({"path": "a.ipynb", "cell": "5f2c", "version": "0123456789ab", "edits": edits});
    let cells = json!([{"kind": "markdown", "source": "# T"}]);
    assert_eq!(
        calls,
        [
            ("cell.edit", edit),
            ("cell.insert", json!({"path": "a.ipynb", "cells": cells, "after": "5f2c01aa"})),
            ("notebook.read", json!({"path": "a.ipynb", "cells": ["5f2c"], "base": OLD})),
        ]
    );
    let unseen = read("<<<EDIT cell 77 lines 1-1\nx\n<<<END", &shown);
    assert!(unseen.calls.is_empty() && unseen.problems[0].contains("SHOW cell 77 lines 1-1"));
}

#[test]
fn lines_that_are_asked_for_twice_are_shown_once_and_endless_questions_are_refused() {
    let converted = convert(&format!("<<<SHOW lines 9-12, 1-4{}, 5-6", ", 2".repeat(1000)));
    let asked: Vec<_> = converted.calls.iter().map(|call| (&call.args["start"], &call.args["end"])).collect();
    assert_eq!(asked, [(&json!(1), &json!(6)), (&json!(9), &json!(12))]);
    let apart: Vec<String> = (0..=MOST_CALLS).map(|line| (3 * line + 1).to_string()).collect();
    let converted = convert(&format!("<<<SHOW lines {}\n<<<END\n<<<EDIT lines 1-1\nx\n<<<END", apart.join(",")));
    assert!(converted.calls.is_empty() && converted.problems.len() == 1);
    assert!(
        converted.problems[0].contains("makes 66 requests, more than the maximum of 64"),
        "{:?}",
        converted.problems
    );
}

#[test]
fn changes_of_several_files_are_one_plan_where_there_are_plans() {
    let text =
        "<<<SHOW lines 1-9\n<<<END\n<<<EDIT lines 1-2\nx\n<<<END\n<<<CREATE b.py\ny\n<<<END\n<<<SHOW c.py lines 1-9";
    let names = |text: &str, tools: &[&str]| {
        let converted = text_calls(grammar::read(text), &shown(), &tools_of(tools));
        converted.calls.into_iter().map(|call| call.name).collect::<Vec<_>>()
    };
    assert_eq!(names(text, &[]), ["doc.read", "doc.edit", "doc.create", "doc.read"]);
    assert_eq!(names(text, &[PLAN]), ["doc.read", PLAN, "doc.read"]);
    let planned = text_calls(grammar::read(text), &shown(), &tools_of(&[PLAN]));
    let edits = json!([{"start": 1, "end": 2, "new": "x\n"}]);
    let steps = json!([
        {"action_type": "doc.edit", "args": {"path": "a.py", "base": OLD, "edits": edits}},
        {"action_type": "doc.create", "args": {"path": "b.py", "text": "y\n"}},
    ]);
    assert_eq!(planned.calls[1].args, json!({"goal": "Change a.py, b.py", "steps": steps}));
    let one = "<<<EDIT lines 1-2\nx\n<<<END\n<<<SEARCH\no\n>>>REPLACE\nn\n<<<END";
    assert_eq!(names(one, &[PLAN]), ["doc.edit"]);
    assert_eq!(names(&format!("{text}\n```exec\nmake\n```"), &[PLAN]).len(), 5, "a command is not kept waiting");
}

#[test]
fn an_action_is_of_what_the_person_looks_at_and_one_that_is_not_offered_holds_back_the_others() {
    let read = |text: &str| text_calls(grammar::read(text), &shown(), &tools_of(&["file.delete", "doc.read"]));
    let calls = read("<<<ACTION file_delete {}\n<<<END\n<<<ACTION doc.read {\"path\": \"b.py\"}").calls;
    let calls: Vec<_> = calls.into_iter().map(|call| (call.name, call.args)).collect();
    assert_eq!(
        calls,
        [("file.delete".to_owned(), json!({"path": "a.py"})), ("doc.read".to_owned(), json!({"path": "b.py"}))]
    );
    let refused = read("<<<EDIT lines 1-2\nx\n<<<END\n<<<ACTION cell.run {}");
    assert!(refused.calls.is_empty());
    assert_eq!(refused.problems[0], "You have no action `cell.run`. Your actions are: file.delete, doc.read.");
    assert!(refused.problems[1].contains("None of the changes"), "{:?}", refused.problems);
}
