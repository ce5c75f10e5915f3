use proptest::prelude::*;

use super::*;

fn edit(path: Option<&str>, start: u32, end: u32, new: &str) -> Block {
    Block::Edit { path: path.map(str::to_owned), base: None, lines: LineRange { start, end }, new: new.to_owned() }
}

#[track_caller]
fn check(text: &str, blocks: &[Block]) {
    let reading = read(text);
    assert_eq!(reading.problems, []);
    assert_eq!(reading.blocks, blocks);
}

#[track_caller]
fn check_problem(text: &str, line: usize, words: &str) {
    let reading = read(text);
    assert_eq!(reading.blocks, [], "{text}");
    assert_eq!(reading.problems.len(), 1, "{reading:?}");
    assert_eq!(reading.problems[0].line, line);
    assert!(reading.problems[0].text.contains(words), "{}", reading.problems[0].text);
}

#[test]
fn an_edit_replaces_a_range() {
    check("I change it.\n<<<EDIT lines 2-3\na\n\nb\n<<<END\nDone.", &[edit(None, 2, 3, "a\n\nb\n")]);
}

#[test]
fn spellings_with_a_plain_meaning_are_accepted() {
    for header in [
        "<<<EDIT line 2",
        "<<<EDIT lines 2",
        "<<<edit lines 2-2",
        "<<<EDIT lines 2 - 2",
        "<<<EDIT lines 2–2",
        "<<<EDIT line 2-2  ",
        "<<<EDIT lines 2-2>>>",
        "<<<EDIT: lines 2-2",
        "<<< EDIT lines 2—2",
        "  <<<EDIT lines 2-2",
        "<<<EDIT lines 2 to 2",
        "<<<EDIT 2-2",
        "<<<EDIT Lines: 2..2",
        "<<<EDIT lines L2-L2",
    ] {
        check(&format!("{header}\nnew\n<<<END"), &[edit(None, 2, 2, "new\n")]);
        check(&format!("{header}\r\nnew\r\n<<<end >>> \r\n"), &[edit(None, 2, 2, "new\n")]);
    }
}

#[test]
fn a_path_and_a_base_can_be_named() {
    let block = |path: &str| Block::Edit {
        path: Some(path.to_owned()),
        base: Some("0123456789ab".to_owned()),
        lines: LineRange { start: 4, end: 6 },
        new: "x\n".to_owned(),
    };
    check("<<<EDIT src/a b.py lines 4-6 @0123456789AB\nx\n<<<END", &[block("src/a b.py")]);
    check("<<<EDIT \"src/lines.py\" @0123456789ab lines 4-6\nx\n<<<END", &[block("src/lines.py")]);
    check("<<<EDIT src/a.py 4-6 @0123456789ab\nx\n<<<END", &[block("src/a.py")]);
}

#[test]
fn no_lines_delete_and_a_blank_line_stays_one() {
    check("<<<EDIT lines 2-3\n<<<END", &[edit(None, 2, 3, "")]);
    check("<<<EDIT lines 2-3\n\n<<<END", &[edit(None, 2, 3, "\n")]);
    check("<<<DELETE lines 2-3 <<<END", &[edit(None, 2, 3, "")]);
    check("<<<DELETE a.py lines 2-3\n<<<END", &[edit(Some("a.py"), 2, 3, "")]);
}

#[test]
fn the_end_may_follow_the_last_line() {
    check("<<<EDIT lines 2-3\na\n    b<<<END", &[edit(None, 2, 3, "a\n    b\n")]);
}

#[test]
fn longer_markers_carry_shorter_ones() {
    let text = "<<<<EDIT lines 1-1\n<<<EDIT lines 5-6\nx\n<<<END\n<<<<END";
    check(text, &[edit(None, 1, 1, "<<<EDIT lines 5-6\nx\n<<<END\n")]);
}

#[test]
fn a_missing_end_stops_the_block_and_not_the_next_one() {
    let reading = read("<<<EDIT lines 1-1\nx\n<<<EDIT lines 5-6\ny\n<<<END");
    assert_eq!(reading.blocks, [edit(None, 5, 6, "y\n")]);
    assert_eq!(reading.problems[0].line, 1);
    assert!(reading.problems[0].text.contains("missing before the next block"));
    check_problem("<<<EDIT lines 1-1\nx\n", 1, "`<<<END` is missing");
    check_problem("<<<DELETE lines 1-1\nprose", 1, "missing");
}

#[test]
fn headers_that_cannot_be_used_are_named_and_their_body_is_left_out() {
    check_problem("text\n<<<EDIT\nx\n<<<END\n", 2, "names no lines");
    check_problem("<<<EDIT lines 9-3\nx\n<<<END\n", 1, "`9-3` is not a range");
    check_problem("<<<EDIT lines 0\nx\n<<<END\n", 1, "not a range");
    check_problem("<<<EDIT lines 1-2, 5-6\nx\n<<<END\n", 1, "one block per range");
    check_problem("<<<EDIT lines 99999999999\nx\n<<<END\n", 1, "not a range");
    check_problem("<<<DELETE lines 1-2\nx\n<<<END\n", 1, "must be empty");
}

#[test]
fn search_and_replace() {
    let text = "<<<SEARCH a.py\nold\n  line\n>>>REPLACE\nnew\n<<<END";
    let block = Block::Search { path: Some("a.py".into()), old: "old\n  line\n".into(), new: "new\n".into() };
    check(text, std::slice::from_ref(&block));
    check(&text.replace("\n", "\r\n").replace("REPLACE", "replace "), &[block]);
    check("<<<SEARCH\nold\n>>>REPLACE\n<<<END", &[Block::Search { path: None, old: "old\n".into(), new: "".into() }]);
    check_problem("<<<SEARCH\n \n>>>REPLACE\nx\n<<<END", 1, "not blank");
    check_problem("<<<SEARCH\nx\n<<<END", 1, ">>>REPLACE");
    check_problem("<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n", 1, "`<<<<<<<END` is missing");
}

#[test]
fn show_needs_no_end() {
    let show = |path: Option<&str>, ranges: &[(u32, u32)]| Block::Show {
        path: path.map(str::to_owned),
        base: None,
        lines: ranges.iter().map(|(start, end)| LineRange { start: *start, end: *end }).collect(),
    };
    check("<<<SHOW lines 3-9\n<<<END", &[show(None, &[(3, 9)])]);
    check("<<<SHOW a.py lines 3-9, 20–30 <<<END", &[show(Some("a.py"), &[(3, 9), (20, 30)])]);
    check("<<<SHOW lines 3-9\n\n<<<END\n<<<SHOW lines 1", &[show(None, &[(3, 9)]), show(None, &[(1, 1)])]);
    check("<<<SHOW lines 3-9\nand more prose", &[show(None, &[(3, 9)])]);
}

#[test]
fn commands_are_read_and_empty_ones_are_not() {
    check("Run:\n```exec\nls -l\nwc\n```\n", &[Block::Exec { command: "ls -l\nwc".into() }]);
    check("````exec \r\ncat <<X\n```\nX\n````", &[Block::Exec { command: "cat <<X\n```\nX".into() }]);
    check("```exec\n\n```", &[]);
    check("```bash\nls\n```", &[]);
    check_problem("```exec\nls", 1, "no closing");
}

#[test]
fn a_command_may_be_fenced_in_other_ways_and_none_is_passed_over() {
    let exec = |command: &str| [Block::Exec { command: command.into() }];
    check("1. Run:\n   ```exec\n   ls\n     wc\n   ```\n", &exec("ls\n  wc"));
    check("~~~exec\nls\n```\n~~~", &exec("ls\n```"));
    check("```exec bash\nls\n```", &exec("ls"));
    check("``` Exec\nls\n```", &exec("ls"));
    check_problem("text\n```exec python\nprint(1)\n```", 2, "`exec python` is not a known");
    check_problem("    ```exec\n    ls\n    ```", 1, "indented");
}

#[test]
fn a_command_is_never_cut_inside_of_a_here_document() {
    let command = "cat > a.md <<'EOF'\n```\nx\n```\nEOF\nwc a.md";
    check(&format!("```exec\n{command}\n```\nDone."), &[Block::Exec { command: command.into() }]);
    check_problem("```exec\ncat > a.md <<EOF\n```\nx\n", 1, "no line `EOF`");
    check_problem("```exec\ncat > a.md <<EOF\nx\nEOF\n", 1, "no closing");
}

#[test]
fn prose_and_fences_never_edit() {
    check("Use `<<<EDIT lines 1-2` to change lines, and <<<END to close.", &[]);
    check("```python\nprint(1)\n```\nThe whole file is above.", &[]);
    check("<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> main", &[]);
    check("cat <<<\"$text\"", &[]);
    check("> <<<EDIT lines 1-2\n> x\n> <<<END", &[]);
    let reading = read("Like this:\n```\n<<<EDIT lines 1-2\nx\n<<<END\n```\n");
    assert_eq!(reading.blocks, []);
    assert!(reading.problems[0].fenced && reading.problems[0].line == 3);
}

#[test]
fn what_teaches_to_write_is_left_out_and_the_rest_stays() {
    let left_out = "[omitted: a request was here]";
    for (text, without) in [
        ("Prose.\n<<<SHOW lines 1-2\n<<<END\n```py\nx\n```", "Prose.\n<<<SHOW lines 1-2\n<<<END\n```py\nx\n```"),
        ("One.\n<<<EDIT lines 1-2\nx\n<<<END\nTwo.", &format!("One.\n{left_out}\nTwo.")),
        (
            "<<<SEARCH a.py\no\n>>>REPLACE\nn\n<<<END\n```exec\nls\n```\nEnd.\n",
            &format!("{left_out}\n{left_out}\nEnd."),
        ),
        ("<<<EDIT lines 9-3\nx\n<<<END\n", left_out),
        ("```\n<<<EDIT lines 1-2\nx\n<<<END\n```\n", left_out),
        ("```exec\nls", &format!("{left_out}\nls")),
    ] {
        assert_eq!(without_changes(text), without);
    }
}

#[test]
fn in_markdown_a_block_is_code_and_an_example_stays_one() {
    let block = "<<<SEARCH a.py\no\n>>>REPLACE\n```\nn\n<<<END";
    let text = format!("One.\n{block}\nTwo.\n```\n<<<SHOW lines 1-2\n```");
    assert_eq!(fenced(&text), format!("One.\n````\n{block}\n````\nTwo.\n```\n<<<SHOW lines 1-2\n```"));
    assert_eq!(fenced("<<<SHOW lines 1-2 <<<END"), "```\n<<<SHOW lines 1-2 <<<END\n```");
    assert_eq!(fenced("No block."), "No block.");
}

#[test]
fn a_file_can_be_created() {
    check(
        "<<<CREATE notes/a b.md\n# A\n<<<END",
        &[Block::Create { path: "notes/a b.md".into(), text: "# A\n".into() }],
    );
    check_problem("<<<CREATE\n# A\n<<<END", 1, "needs a path");
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(text in "(?s).{0,300}") {
        read(&text);
    }

    #[test]
    fn any_salad_of_markers_is_read_without_panic(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "<<<", "<", "EDIT", "SEARCH", "SHOW", "DELETE", "CREATE", "END", ">>>REPLACE", " lines 1-2", " line ",
                "\n", "\r\n", "```", "exec", "é", "–", "@0123456789", " a.py", "   ", "~~~", "to", ",",
            ]),
            0..60,
        ),
    ) {
        let text = pieces.concat();
        let reading = read(&text);
        prop_assert!(reading.problems.iter().all(|problem| problem.line <= text.split('\n').count()));
        prop_assert_eq!(read(&fenced(&text)).blocks.iter().filter(|block| !matches!(block, Block::Exec { .. })).count(), 0);
        let left = read(&without_changes(&text));
        prop_assert!(left.blocks.iter().all(|block| matches!(block, Block::Show { .. })), "{left:?}");
    }

    #[test]
    fn what_is_written_is_what_is_read(
        payload in prop::collection::vec("[ -;=-~é]{0,20}", 0..6),
        start in 1u32..5000,
        length in 0u32..50,
        crlf: bool,
    ) {
        let new: String = payload.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
        let end = start + length;
        let mut text = format!("Some words.\n<<<EDIT a.py lines {start}-{end}\n{new}<<<END\nMore words.\n");
        if crlf {
            text = text.replace('\n', "\r\n");
        }
        let reading = read(&text);
        prop_assert_eq!(reading.problems, vec![]);
        prop_assert_eq!(reading.blocks, vec![edit(Some("a.py"), start, end, &new)]);
    }
}

#[test]
fn an_action_has_its_arguments_beside_its_name_or_below() {
    let action = |name: &str, args: serde_json::Value| Block::Action {
        name: name.to_owned(),
        args: args.as_object().unwrap().clone(),
    };
    let run = || action("cell.run", serde_json::json!({"cells": ["@0123456789"], "a": "x  <<<END"}));
    let args = r#"{"cells": ["@0123456789"], "a": "x  <<<END"}"#;
    check(&format!("<<<ACTION cell.run {args}\n<<<END"), &[run()]);
    check(&format!("<<<ACTION `cell.run`: {args}"), &[run()]);
    check(&format!("<<<action cell.run\n{args}\n<<<END\nThat is all."), &[run()]);
    check("<<<ACTION kernel.restart <<<END", &[action("kernel.restart", serde_json::json!({}))]);
    check("<<<ACTION kernel.restart\n<<<END", &[action("kernel.restart", serde_json::json!({}))]);
}

#[test]
fn an_action_without_a_name_an_object_or_an_end_is_a_problem() {
    check_problem("<<<ACTION\n<<<END", 1, "needs the name of an action");
    check_problem(
        "\n<<<ACTION cell.run [1]\n<<<END",
        2,
        "arguments of cell.run are not one JSON object (another kind of value)",
    );
    check_problem("<<<ACTION cell.run {\"cells\": [}\n<<<END", 1, "expected value");
    check_problem("<<<ACTION cell.run", 1, "`<<<END` is missing");
}
