//! What makes a person look twice.

use aside_core::{Guard, Version};
use aside_doc::{AnchoredEdit, BaseText, guards, plan, text_guards};

/// The guards that speak when the named lines become others.
fn spoken(extension: &str, before: &str, lines: (u32, u32), new: &str) -> Vec<Guard> {
    let edit = AnchoredEdit { start: Some(lines.0), end: Some(lines.1), old: None, new: new.to_owned() };
    warned(extension, before, edit)
}

fn warned(extension: &str, before: &str, edit: AnchoredEdit) -> Vec<Guard> {
    let version = Version::of(before);
    let base = BaseText { version: version.clone(), text: before };
    let plan = plan(before, &version, Some(&base), &[edit]).unwrap();
    guards(Some(&format!("a.{extension}")), before, &plan).into_iter().map(|warning| warning.guard).collect()
}

fn numbered(count: usize) -> String {
    (0..count).map(|line| format!("line {line}\n")).collect()
}

#[test]
fn a_small_change_passes_unremarked() {
    assert_eq!(spoken("py", &numbered(20), (3, 4), "x = 1\n"), []);
    assert_eq!(spoken("py", "a = 1\n", (1, 1), "a = 2\n"), [], "one line is not a whole file");
}

#[test]
fn a_large_deletion_is_remarked() {
    assert_eq!(spoken("py", &numbered(10), (1, 3), ""), [], "30 % are not more than 30 %");
    assert_eq!(spoken("py", &numbered(10), (1, 4), ""), [Guard::LargeDeletion]);
    assert_eq!(spoken("py", &numbered(5000), (1, 200), ""), []);
    assert_eq!(spoken("py", &numbered(5000), (1, 201), ""), [Guard::LargeDeletion]);
    assert_eq!(
        spoken("py", &numbered(300), (1, 250), &numbered(250).replace("line", "LINE")),
        [],
        "replaced, not deleted"
    );
}

#[test]
fn emptying_and_replacing_a_whole_file_are_remarked() {
    assert_eq!(spoken("py", "a\nb\n", (1, 2), ""), [Guard::LargeDeletion, Guard::Emptying]);
    assert_eq!(spoken("py", &numbered(12), (1, 12), &"other\n".repeat(12)), [Guard::WholeFile]);
}

#[test]
fn text_that_stands_for_left_out_text_is_remarked() {
    for elision in [
        "# ... rest of the code ...",
        "// existing code",
        "/* ... */",
        "<!-- unchanged -->",
        "% ... omitted",
        "    # …",
    ] {
        assert_eq!(spoken("md", &numbered(20), (3, 3), elision), [Guard::Elision], "{elision:?}");
    }
    for innocent in
        ["# wait for the rest of the queue to be drained before we go on with it", "x = [...]", "...", "# see ..."]
    {
        assert_eq!(spoken("md", &numbered(20), (3, 3), innocent), [], "{innocent:?}");
    }
    assert_eq!(spoken("md", &numbered(20), (3, 5), "..."), [Guard::Elision], "three lines became dots");
    assert_eq!(text_guards(None, "def f():\n    # ... existing code ...\n")[0].guard, Guard::Elision);
}

#[test]
fn an_elision_that_was_there_is_not_remarked() {
    let before = format!("# ... rest of the code\n{}", numbered(20));
    assert_eq!(spoken("py", &before, (1, 2), "# ... rest of the code\nx\n"), []);
}

#[test]
fn hidden_characters_and_lost_brackets_are_remarked() {
    assert_eq!(spoken("md", &numbered(20), (3, 3), "ad\u{202e}min"), [Guard::HiddenCharacters]);
    assert_eq!(spoken("py", &numbered(20), (3, 3), "f(("), [Guard::Unbalanced]);
    assert_eq!(spoken("tex", &numbered(20), (3, 3), "\\begin{figure}"), [Guard::Unbalanced]);
    assert_eq!(text_guards(None, "a\u{200b}b")[0].guard, Guard::HiddenCharacters);
}

#[test]
fn whatever_is_built_with_latex_is_looked_through() {
    for extension in ["tex", "TEX", "ltx", "sty", "cls", "Rnw", "Rtex", "Snw", "dtx", "tikz", "pgf"] {
        assert_eq!(spoken(extension, &numbered(20), (3, 3), "\\begin{figure}"), [Guard::Unbalanced], "{extension}");
        let guards = |text: &str| text_guards(Some(&format!("new.{extension}")), text);
        assert_eq!(guards("\\begin{a}\nx\n")[0].guard, Guard::Unbalanced, "{extension}");
        assert_eq!(guards("\\begin{a}\nx\n\\end{a}\n"), [], "{extension}");
    }
    assert_eq!(spoken("md", &numbered(20), (3, 3), "\\begin{figure}"), []);
    assert_eq!(text_guards(Some("new.py"), "f(("), [], "code is only counted against what it was");
}

#[test]
fn code_in_a_text_for_knitr_is_no_latex() {
    let before = "a\n<<fit>>=\nm <- lm(y ~ x)\n@\nb\n";
    assert_eq!(spoken("Rnw", before, (3, 3), "m <- d$y[{\n"), []);
    assert_eq!(spoken("Rnw", before, (5, 5), "costs $3\n"), [Guard::Unbalanced], "after the code it is again");
}

#[test]
fn a_loose_match_is_remarked() {
    let edit = AnchoredEdit { start: None, end: None, old: Some("line 3".into()), new: "x".into() };
    assert_eq!(warned("md", &numbered(20).replace("line 3\n", "line 3 \n"), edit), [Guard::LooseMatch]);
}

#[test]
fn what_is_there_already_is_not_remarked() {
    let before = "x\n";
    let version = Version::of(before);
    let edit = AnchoredEdit { start: None, end: None, old: Some("gone".into()), new: "x".into() };
    let plan = plan(before, &version, None, &[edit]).unwrap();
    assert_eq!(guards(Some("a.py"), before, &plan), []);
}
