//! Whole conversations, from a person's words to the files: each test plays one and pins all that a person, a model
//! and an auditor would see of it.
//!
//! The path is the real one, with a rehearsal in place of the model: agent, Gate, actions, workspace, store.
#![allow(clippy::disallowed_methods, reason = "the tests prepare and read the workspace as another program would")]

pub mod model;
pub mod person;
mod render;
mod runner;
mod scripts;

use aside_core::ReviewMode::{self, AutoApply, ReviewAtEnd, ReviewEach};
use serde_json::json;

use model::{Answer, calls, endless, fails, garbled, says, too_long};
use runner::{Act::*, Scene, play};

const MODEL_PY: &str = "def ht(hours):\n    return hours * 2\n\n\ndef total(hours):\n    return ht(hours) + ht(0)\n";

/// Plays a scene and compares all of it with what is pinned.
fn check(name: &str, scene: Scene<'_>) {
    insta::assert_snapshot!(name, with_marks_numbered(&play(scene)));
}

/// The marks around data follow from ids, which nobody can guess; each is told by when it came first.
fn with_marks_numbered(text: &str) -> String {
    let mut marks: Vec<&str> = Vec::new();
    for mark in text.split("=== data ").skip(1).filter_map(|rest| rest.get(..20)) {
        if mark.bytes().all(|byte| byte.is_ascii_hexdigit()) && !marks.contains(&mark) {
            marks.push(mark);
        }
    }
    let number = |text: String, (at, mark): (usize, &&str)| text.replace(*mark, &format!("MARK {}", at + 1));
    marks.iter().enumerate().fold(text.to_owned(), number)
}

fn scene<'a>(mode: ReviewMode, answers: Vec<Answer>, acts: &'a [runner::Act<'a>]) -> Scene<'a> {
    Scene {
        files: &[("model.py", MODEL_PY)],
        mode,
        cell: None,
        hint: false,
        navigator: false,
        tools: true,
        answers,
        acts,
    }
}

fn edit(edits: &[(u32, &str, &str)]) -> Answer {
    let edit = |(line, old, new): &(u32, &str, &str)| json!({"start": line, "end": line, "old": old, "new": new});
    let edits: Vec<_> = edits.iter().map(edit).collect();
    calls("doc_edit", json!({"path": "model.py", "base": "6acd1ab472af", "edits": edits}))
}

fn rename() -> Answer {
    edit(&[
        (1, "def ht(hours):", "def height(hours):"),
        (6, "    return ht(hours) + ht(0)", "    return height(hours) + height(0)"),
    ])
}

#[test]
fn a_rename_is_accepted_as_a_whole() {
    let answers = vec![rename(), says("Renamed in two places.")];
    check("rename", scene(ReviewEach, answers, &[Say("rename ht to height"), Approve]));
}

#[test]
fn one_part_is_accepted_and_one_is_rejected_with_a_reason() {
    let answers = vec![rename(), says("Only the definition, then.")];
    let acts = [Say("rename ht to height"), Accept(0), Refuse(1, "total stays as it is")];
    check("parts", scene(ReviewEach, answers, &acts));
}

#[test]
fn a_rejection_reaches_the_model_with_its_reason() {
    let answers = vec![rename(), says("Then I leave it.")];
    check("rejection", scene(ReviewEach, answers, &[Say("rename ht to height"), Reject("call it level")]));
}

const THREE_FILES: &[(&str, &str)] =
    &[("model.py", MODEL_PY), ("plot.py", "from model import ht\n\nprint(ht(3))\n"), ("notes.md", "See `ht`.\n")];

/// The rename of all that belongs together, as one plan.
fn rename_plan() -> Answer {
    let step = |path: &str, edits: &[(&str, &str)]| {
        let edits: Vec<_> = edits.iter().map(|(old, new)| json!({"old": old, "new": new})).collect();
        json!({"action_type": "doc.edit", "args": {"path": path, "edits": edits}})
    };
    let steps = json!([
        step(
            "model.py",
            &[
                ("def ht(hours):", "def height(hours):"),
                ("    return ht(hours) + ht(0)", "    return height(hours) + height(0)"),
            ]
        ),
        step("plot.py", &[("from model import ht", "from model import height"), ("print(ht(3))", "print(height(3))")]),
        step("notes.md", &[("See `ht`.", "See `height`.")]),
    ]);
    calls("task_plan", json!({"goal": "Rename ht", "steps": steps}))
}

#[test]
fn edits_of_several_files_are_one_plan_with_one_yes_and_one_undo() {
    let answers = vec![rename_plan(), says("The plan waits for you."), says("You took all of it back.")];
    let acts = [Say("rename ht everywhere"), Confirm, UndoPlan, Say("what became of it?")];
    check("plan", Scene { files: THREE_FILES, ..scene(ReviewEach, answers, &acts) });
}

#[test]
fn a_step_is_left_out_of_a_plan_and_the_rest_is_done() {
    let answers = vec![rename_plan(), says("The plan waits for you."), says("The notes stay as they are.")];
    let acts = [Say("rename ht everywhere"), LeaveOut(3), Confirm, Say("and the notes?")];
    check("plan_left_out", Scene { files: THREE_FILES, ..scene(ReviewEach, answers, &acts) });
}

#[test]
fn where_changes_are_made_at_once_those_of_several_files_are_and_have_one_undo() {
    let blocks = "<<<EDIT lines 1-1\ndef height(hours):\n<<<END\n<<<SEARCH notes.md\nSee `ht`.\n>>>REPLACE\nSee `height`.\n<<<END";
    let answers = vec![says(blocks), says("Both are done."), says("You took it back.")];
    let acts = [Say("rename ht everywhere"), UndoPlan, Say("what became of it?")];
    check("plan_at_once", Scene { files: THREE_FILES, tools: false, ..scene(AutoApply, answers, &acts) });
}

#[test]
fn a_plan_of_which_one_step_is_asked_about_waits_as_a_whole_where_changes_are_made_at_once() {
    let blocks = "<<<EDIT lines 1-1\n# ... rest of code unchanged\n<<<END\n<<<SEARCH notes.md\nSee `ht`.\n>>>REPLACE\nSee `height`.\n<<<END";
    let answers = vec![says(blocks), says("The plan waits for you.")];
    let acts = [Say("rename ht everywhere"), LeaveOut(1), Confirm];
    check("plan_guarded", Scene { files: THREE_FILES, tools: false, ..scene(AutoApply, answers, &acts) });
}

#[test]
fn of_a_step_of_a_plan_one_change_is_made_and_the_model_hears_of_the_other() {
    let answers = vec![rename_plan(), says("The plan waits for you."), says("I leave the sum as it is.")];
    let acts = [
        Say("rename ht everywhere"),
        AcceptOf(1, 0),
        RefuseOf(1, 1, "total stays as it is"),
        Confirm,
        Say("why not all?"),
    ];
    check("plan_parts", Scene { files: THREE_FILES, ..scene(ReviewEach, answers, &acts) });
}

const TIDES: &str = r##"{
 "cells": [
  {"cell_type": "markdown", "id": "title", "metadata": {}, "source": ["# Tides"]},
  {"cell_type": "code", "execution_count": 3, "id": "load", "metadata": {}, "outputs": [], "source": ["heights = [1, 2]"]},
  {"cell_type": "code", "execution_count": 4, "id": "plot", "metadata": {}, "outputs": [
    {"ename": "NameError", "evalue": "name 'height' is not defined", "output_type": "error", "traceback": []}
   ], "source": ["import matplotlib\n", "plot(height)"]},
  {"cell_type": "code", "execution_count": null, "id": "grade", "metadata": {"editable": false}, "outputs": [], "source": ["assert heights"]}
 ],
 "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
 "nbformat": 4,
 "nbformat_minor": 5
}
"##;

/// The person looks at the cell that has failed.
fn notebook<'a>(mode: ReviewMode, answers: Vec<Answer>, acts: &'a [runner::Act<'a>]) -> Scene<'a> {
    Scene { files: &[("tides.ipynb", TIDES)], cell: Some("plot"), ..scene(mode, answers, acts) }
}

fn mend() -> Answer {
    let edits = json!([{"old": "plot(height)", "new": "plot(heights)"}]);
    calls("cell_edit", json!({"path": "tides.ipynb", "cell": "plot", "edits": edits}))
}

#[test]
fn a_cell_is_mended_by_one_yes_and_the_model_is_told_to_sum_up() {
    let answers = vec![mend(), says("The name is `heights`; run the cell again.")];
    check("notebook", notebook(ReviewEach, answers, &[Say("fix it"), Approve]));
}

#[test]
fn new_cells_are_taken_one_by_one_and_a_rejection_is_told() {
    let cells = json!([{"kind": "markdown", "source": "## Mean"}, {"source": "sum(heights) / 2"}]);
    let answers = vec![
        calls("cell_insert", json!({"path": "tides.ipynb", "after": "load", "cells": cells})),
        says("Only the heading, then."),
    ];
    let acts = [Say("add the mean"), Accept(0), Refuse(1, "by len, please"), Undo];
    check("notebook_parts", notebook(ReviewEach, answers, &acts));
}

#[test]
fn what_goes_wrong_with_cells_is_told_and_nothing_is_changed() {
    let answers = vec![
        calls("cell_set", json!({"path": "tides.ipynb", "cell": "load", "version": "0123456789ab"})),
        calls("cell_set", json!({"path": "tides.ipynb", "cell": "load", "version": "0123456789ab", "source": "x"})),
        calls(
            "cell_edit",
            json!({"path": "tides.ipynb", "cell": "grade", "edits": [{"old": "assert heights", "new": ""}]}),
        ),
        calls(
            "cell_edit",
            json!({"path": "tides.ipynb", "cell": "4", "edits": [{"old": "assert heights", "new": ""}]}),
        ),
        calls("set_cell", json!({"index": 4, "content": "pass"})),
        calls("doc_edit", json!({"path": "tides.ipynb", "edits": [{"old": "assert heights", "new": "pass"}]})),
        says("I give up."),
    ];
    check("notebook_faults", notebook(AutoApply, answers, &[Say("make it pass")]));
}

#[test]
fn a_model_without_tools_changes_cells_by_blocks() {
    let blocks = "<<<EDIT cell plot lines 2-2\nplot(heights)\n<<<END\n\n<<<CREATE markdown cell after plot\n```\nA fence.\n```\n<<<END";
    let answers = vec![says("<<<SHOW cell load lines 1-200\n<<<END"), says(blocks), says("Both are done.")];
    check("notebook_blocks", Scene { tools: false, ..notebook(AutoApply, answers, &[Say("fix it")]) });
}

#[test]
fn a_model_without_tools_asks_for_actions_by_their_names() {
    let acts = "<<<ACTION cell.move {\"cell\": \"title\", \"after\": \"load\"}\n\n<<<ACTION cell_kind\n{\n  \"cell\": \"load\",\n  \
                \"version\": \"ec71a30d5985\",\n  \"kind\": \"markdown\"\n}\n<<<END";
    let wrong = "<<<ACTION cell.move {\"cell\": \"plot\", \"after\": \"title\"}\n<<<END\n<<<ACTION cell.delete {\"cells\": [}\n\
                 <<<END\n<<<ACTION grant.create {}\n<<<END";
    let answers = vec![says(acts), says(wrong), says("Two things were done.")];
    check("notebook_actions", Scene { tools: false, ..notebook(AutoApply, answers, &[Say("tidy it")]) });
}

#[test]
fn a_thread_of_hints_reads_cells_and_changes_none() {
    let answers = vec![
        calls("notebook_read", json!({"path": "tides.ipynb", "cells": ["load"]})),
        mend(),
        says("Look at the name."),
    ];
    check("notebook_hint", Scene { hint: true, ..notebook(AutoApply, answers, &[Say("fix it")]) });
}

/// The smallest image, which happens to be text as well.
const IMAGES: &[(&str, &str)] =
    &[("model.py", MODEL_PY), ("plot.gif", "GIF89a\u{1}\0\u{1}\0\0\0\0;"), ("photo.png", "not an image")];

#[test]
fn an_image_is_shown_to_a_model_that_sees_where_it_is_named_and_where_it_is_read() {
    let answers = vec![calls("file_read", json!({"path": "plot.gif"})), says("A single dot."), says("Nothing.")];
    let acts = [Say("what is in @plot.gif?"), Say("and in @photo.png?")];
    check("images", Scene { files: IMAGES, ..scene(ReviewEach, answers, &acts) });
}

#[test]
fn an_image_is_refused_in_words_where_the_model_sees_none() {
    let answers = vec![says("A single dot.")];
    let acts = [Say("what is in @plot.gif?"), Say("then just say hello")];
    check("blind", Scene { files: IMAGES, tools: false, ..scene(ReviewEach, answers, &acts) });
}

#[test]
fn a_model_without_tools_edits_by_blocks() {
    let blocks = "I rename it.\n\n<<<EDIT lines 1–1\ndef height(hours):\n<<<END\n<<<edit lines 6-6  \n    return \
                  height(hours) + height(0)\n<<<END\n\nThat is all.";
    let answers = vec![says(blocks), says("Both places are renamed.")];
    check("blocks", Scene { tools: false, ..scene(AutoApply, answers, &[Say("rename ht to height")]) });
}

/// A file of which a message shows the first lines only.
fn long_py() -> String {
    (1..=500).map(|number| format!("x{number} = {number}\n")).collect()
}

#[test]
fn line_numbers_are_of_the_version_they_were_shown_in_also_after_a_later_look_elsewhere() {
    let text = long_py();
    let files = [("model.py", text.as_str())];
    let answers = vec![
        says("<<<CREATE notes.md\nx40 is wrong.\n<<<END"),
        says("<<<SHOW lines 300-301\n<<<END"),
        says("<<<EDIT lines 40-41\nx40 = 0\n<<<END"),
        says("Done."),
    ];
    let acts = [Say("mend x40"), Type("model.py", "x1 = 1\n", "# Tides\nx1 = 1\n"), Approve, Approve];
    check("moved_meanwhile", Scene { files: &files, tools: false, ..scene(ReviewEach, answers, &acts) });
}

#[test]
fn lines_that_were_never_shown_are_not_edited() {
    let text = long_py();
    let files = [("model.py", text.as_str())];
    let answers = vec![
        says("<<<EDIT lines 400-401\nx400 = 0\n<<<END"),
        says("<<<SHOW lines 400-401\n<<<END\n<<<SHOW lines 501-502\n<<<END"),
        says("<<<EDIT lines 400-401\nx400 = 0\n<<<END"),
        says("Done."),
    ];
    let acts = [Say("mend x400")];
    check("not_shown", Scene { files: &files, tools: false, ..scene(AutoApply, answers, &acts) });
}

#[test]
fn blocks_for_several_files_are_one_plan() {
    let blocks = "<<<EDIT lines 1-1\ndef height(hours):\n<<<END\n<<<SEARCH notes.md\nSee `ht`.\n>>>REPLACE\nSee `height`.\n<<<END";
    let answers = vec![says(blocks), says("The plan waits for you.")];
    let acts = [Say("rename ht everywhere"), LeaveOut(2), Confirm];
    check("plan_blocks", Scene { files: THREE_FILES, tools: false, ..scene(ReviewEach, answers, &acts) });
}

#[test]
fn a_block_beside_a_call_is_not_passed_over_in_silence() {
    let text = "<<<EDIT lines 1-1\ndef height(hours):\n<<<END";
    let beside =
        Answer { text: text.to_owned(), ..calls("doc_read", json!({"path": "model.py", "start": 6, "end": 6})) };
    check("beside_calls", scene(AutoApply, vec![beside, says("I leave it.")], &[Say("rename ht to height")]));
}

#[test]
fn commands_that_might_be_meant_are_answered() {
    let answers =
        vec![says("```exec python\nprint(1)\n```"), says("```exec\ncat > a.md <<EOF\n```\nx\n"), says("I give up.")];
    check("unclear_commands", Scene { tools: false, ..scene(AutoApply, answers, &[Say("run it")]) });
}

#[test]
fn blocks_that_cannot_be_used_change_nothing_and_are_answered() {
    let answers = vec![
        says("<<<EDIT lines 1-1\ndef height(hours):\n<<<END\n<<<EDIT lines 9-3\nx\n<<<END"),
        says("```\n<<<EDIT lines 1-1\ndef height(hours):\n<<<END\n```"),
        says("<<<SHOW gone.py lines 1-200"),
        says("I give up."),
    ];
    check("bad_blocks", Scene { tools: false, ..scene(AutoApply, answers, &[Say("rename ht to height")]) });
}

#[test]
fn nonsense_changes_nothing() {
    let answers = vec![
        garbled("doc_edit", "{\"path\": \"model.py\", \"edits\": [{\"old"),
        calls("make_coffee", json!({"sugar": 2})),
        calls("doc_edit", json!({"file": 7})),
        says("def ht(hours): ...\n\nJust replace the file with this."),
    ];
    check("nonsense", scene(AutoApply, answers, &[Say("rename ht to height")]));
}

#[test]
fn a_printed_call_is_recovered_and_always_asks() {
    let printed = r#"{"name": "doc_edit", "arguments": {"path": "model.py", "edits": [{"old": "def ht(hours):", "new": "def height(hours):"}]}}"#;
    let answers = vec![says(printed), says("As you like.")];
    check("recovered", scene(AutoApply, answers, &[Say("rename ht to height"), Reject("no")]));
}

#[test]
fn a_wrong_range_is_refused_three_times_and_then_the_turn_ends() {
    let wrong = || edit(&[(40, "def gone():", "def here():")]);
    check("wrong_range", scene(AutoApply, vec![wrong(), wrong(), wrong()], &[Say("rename gone")]));
}

#[test]
fn stop_in_the_middle_of_an_answer() {
    let answers = vec![endless("and so on "), says("Hello again.")];
    check("stop", scene(ReviewEach, answers, &[SayAndHear("tell me a story"), Stop, Say("hello")]));
}

#[test]
fn stop_while_something_waits_takes_the_proposal_back() {
    check("stop_waiting", scene(ReviewEach, vec![rename()], &[Say("rename ht to height"), Stop]));
}

#[test]
fn an_error_after_some_words_ends_the_turn_and_keeps_the_words() {
    let answers = vec![fails("I will now ren", "the plug was pulled")];
    check("error", scene(AutoApply, answers, &[Say("rename ht to height")]));
}

#[test]
fn an_answer_at_its_limit_is_said_to_be_incomplete() {
    let answers = vec![too_long("The first of many reasons is")];
    check("too_long", scene(AutoApply, answers, &[Say("why?")]));
}

#[test]
fn review_at_the_end_goes_on_and_says_later_what_became_of_it() {
    let answers = vec![
        edit(&[(1, "def ht(hours):", "def height(hours):")]),
        edit(&[(6, "    return ht(hours) + ht(0)", "    return height(hours) + height(0)")]),
        says("Two changes for you to look at."),
        says("I see."),
    ];
    let acts = [Say("rename ht to height"), Approve, Reject("not this one"), Say("what did I decide?")];
    check("review_at_end", scene(ReviewAtEnd, answers, &acts));
}

#[test]
fn changes_made_at_once_are_taken_back_and_brought_back() {
    let answers = vec![rename(), says("Done."), says("You took it back, and back again.")];
    let acts = [Say("rename ht to height"), Undo, UndoTheUndo, Say("what happened?")];
    check("undo", scene(AutoApply, answers, &acts));
}

#[test]
fn a_guard_asks_also_where_edits_are_made_at_once() {
    let answers = vec![
        edit(&[(1, "def ht(hours):", "# ... rest of code unchanged")]),
        calls(
            "doc_edit",
            json!({"path": "model.py", "base": "6acd1ab472af", "edits": [
                {"start": 1, "end": 6, "old": MODEL_PY, "new": ""},
            ]}),
        ),
        says("As you like."),
    ];
    check("guards", scene(AutoApply, answers, &[Say("tidy up"), Reject("no"), Reject("not that either")]));
}

#[test]
fn how_a_thread_reviews_is_changed_in_the_middle_of_a_turn() {
    let answers = vec![
        edit(&[(1, "def ht(hours):", "# ... rest of code unchanged")]),
        edit(&[(1, "def ht(hours):", "def height(hours):")]),
        edit(&[(6, "    return ht(hours) + ht(0)", "    return height(hours) + height(0)")]),
        says("Renamed in two places."),
    ];
    let acts = [Say("rename ht to height"), Review(ReviewEach), Reject("no"), Review(AutoApply), Approve];
    check("review_changed", scene(AutoApply, answers, &acts));
}

#[test]
fn what_a_command_puts_out_is_heard_also_where_changes_are_reviewed_at_the_end() {
    let answers = vec![
        edit(&[(1, "def ht(hours):", "def height(hours):")]),
        calls("shell_run", json!({"command": "echo tides"})),
        says("It says tides."),
    ];
    let acts = [Say("rename ht to height, and say tides"), ApproveLast];
    let played = play(scene(ReviewAtEnd, answers, &acts));
    let heard = played.split("told shell_run: ").nth(1).expect("the model is told of the command");
    assert!(heard.split("says:").next().unwrap().contains("tides"), "{played}");
    assert_eq!(played.matches("told doc_edit: Proposed").count(), 1, "the edit waits for the end: {played}");
}

#[test]
fn lines_by_number_that_were_not_shown_are_not_edited_by_a_call_either() {
    let text = long_py();
    let files = [("model.py", text.as_str())];
    let by_number = |base: &str| {
        let edits = json!([{"start": 400, "end": 401, "new": "x400 = 0"}]);
        calls("doc_edit", json!({"path": "model.py", "base": base, "edits": edits}))
    };
    let version = aside_core::Sha256::of(&text);
    let read = calls("doc_read", json!({"path": "model.py", "start": 400, "end": 401}));
    let answers = vec![by_number(version.short()), read, by_number(version.short()), says("Done.")];
    check("call_not_shown", Scene { files: &files, ..scene(AutoApply, answers, &[Say("mend x400")]) });
}

#[test]
fn a_proposal_whose_lines_were_typed_in_meanwhile_is_never_forced_and_the_model_is_told() {
    let answers = vec![edit(&[(1, "def ht(hours):", "def height(hours):")]), says("I look again.")];
    let acts = [
        Say("rename ht to height"),
        Type("model.py", "def ht(hours)", "def ht(days)"),
        Reject("The lines have changed since this was proposed."),
    ];
    check("stale", scene(ReviewEach, answers, &acts));
}

#[test]
fn typing_meanwhile_survives_the_edit_and_its_undo() {
    let answers = vec![rename(), says("Done.")];
    let acts = [
        Say("rename ht to height"),
        Type("model.py", "hours * 2", "hours * 3  # tuned"),
        Type("model.py", "def ht", "# tides\ndef ht"),
        Approve,
        Type("model.py", "def total", "def sum_of"),
        Undo,
    ];
    check("typing", scene(ReviewEach, answers, &acts));
}

#[test]
fn a_proposal_outlives_the_server() {
    let answers = vec![rename(), says("Renamed in two places.")];
    check("restart_waiting", scene(ReviewEach, answers, &[Say("rename ht to height"), Restart, Approve]));
}

#[test]
fn what_was_decided_change_by_change_outlives_the_server() {
    let answers = vec![rename(), says("Only the definition, then.")];
    let acts = [
        Say("rename ht to height"),
        Accept(0),
        Restart,
        Refuse(1, "total stays as it is"),
        Type("model.py", "def total", "# here\ndef total"),
    ];
    check("parts_restart", scene(ReviewEach, answers, &acts));
}

#[test]
fn an_answer_that_the_server_did_not_outlive_is_said_to_be_interrupted() {
    let answers = vec![endless("and so on "), says("Hello again.")];
    let acts = [SayAndHear("tell me a story"), KeepWords, Restart, Say("hello")];
    check("restart_answering", scene(ReviewEach, answers, &acts));
}

#[test]
fn a_turn_searches_and_then_reads_another_file() {
    let answers = vec![
        calls("file_search", json!({"text": "ht("})),
        calls("doc_read", json!({"path": "plot.py"})),
        says("It is called in plot.py, too."),
    ];
    check("search", Scene { files: THREE_FILES, ..scene(ReviewEach, answers, &[Say("who calls ht?")]) });
}

#[test]
fn reading_listing_creating_and_deleting() {
    let answers = vec![
        calls("file_list", json!({})),
        calls("doc_read", json!({"path": "model.py", "start": 5, "end": 6})),
        calls("doc_create", json!({"path": "notes.md", "text": "# Notes\n"})),
        calls("file_delete", json!({"path": "model.py"})),
        says("All done."),
    ];
    check("files", scene(AutoApply, answers, &[Say("tidy up"), Approve]));
}

#[test]
fn the_step_limit_is_said() {
    let answers = vec![calls("doc_read", json!({"path": "model.py", "start": 1, "end": 1})); 11];
    check("step_limit", scene(AutoApply, answers, &[Say("read it again and again")]));
}
