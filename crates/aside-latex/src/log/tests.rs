//! Messages in the forms of all programs, and what must hold for any bytes. Real logs are in `tests/corpus.rs`.

use proptest::prelude::*;

use super::*;

/// Severity, kind, file, line and message of each problem, as a person would see them.
fn check(log: &str, expect: &[&str]) {
    let shown: Vec<_> = problems(log).iter().map(shown).collect();
    assert_eq!(shown, expect, "in\n{log}");
}

fn shown(problem: &Problem) -> String {
    let Problem { severity, kind, message, .. } = problem;
    let file = problem.file.as_deref().unwrap_or("-");
    let line = problem.line.map_or("-".to_owned(), |line| line.to_string());
    format!("{severity:?} {kind:?} {file}:{line} {message}")
}

#[test]
fn the_same_error_in_each_form() {
    let expect =
        &["Error UndefinedCommand a.tex:3 Unknown command \\x: it is misspelled, or its package is not loaded."];
    check("(./a.tex\n! Undefined control sequence.\nl.3 \\x\n    y\nhelp\n\n", expect);
    check("(./a.tex\n./a.tex:3: Undefined control sequence.\nl.3 \\x\n    y\n", expect);
    check("a.tex:3: Undefined control sequence.\nl.3 \\x\n", expect);
}

#[test]
fn tectonic_says_where() {
    check("error: sub/a.tex:7: Missing number\n", &["Error Number sub/a.tex:7 A number or a length is missing."]);
    check("warning: a.tex:7: odd\n", &["Warning Other a.tex:7 odd"]);
}

#[test]
fn code_of_r_that_fails_is_at_its_lines_in_the_words_of_every_version() {
    let said = "Error in lost(3) : could not find function \"lost\"";
    let expect = [format!("Error Code a.Rnw:4 {said}")];
    let expect: Vec<_> = expect.iter().map(String::as_str).collect();
    let rest = format!("{said}\nCalls: <Anonymous> ... eval\nExecution halted\n");
    check(&format!("processing file: a.Rnw\nQuitting from lines 4-5 (a.Rnw) \n{rest}"), &expect);
    check(&format!("Quitting from lines 4-5 [load] (a.Rnw)\n{rest}"), &expect);
    let newer = "Error in `lost()`:\n! could not find function \"lost\"\nBacktrace:\n 1. base::eval()\n";
    let expect = "Error Code sub/a.Rnw:4 Error in `lost()`: ! could not find function \"lost\"";
    check(&format!("Quitting from sub/a.Rnw:4-5 [load]\n{newer}"), &[expect]);
    check("Quitting from nowhere", &["Error Code -:- R ended with an error."]);
}

#[test]
fn code_of_python_that_fails_is_at_its_line() {
    let log = "This is PythonTeX 0.18\n\n----  Messages for py:default:default  ----\n  Traceback (most recent call last):\n\
        * PythonTeX stderr - error on line 5:\n    File \"<outputdir>/py_default_default.py\", line 50, in <module>\n\
        \u{20}     x = lost\n          ^^^^\n  NameError: name 'lost' is not defined\n\n-----\nPythonTeX:  a - 1 error(s)\n";
    check(log, &["Error Code -:5 NameError: name 'lost' is not defined"]);
}

#[test]
fn code_of_sage_that_fails_is_at_its_line() {
    let traceback = "Traceback (most recent call last):\n  File \"/tmp/x/a.sagetex.sage.py\", line 12, in <module>\n    \
        _st_.inline(_sage_const_0 , latex(lost))\n              ^^^^\nNameError: name 'lost' is not defined\n";
    let processing = "Processing Sage code for a.tex...\nInline formula 0 (line 3)\n";
    let error = "\n**** Error in Sage code on line 4 of a.tex! Traceback follows.\n";
    let (begin, end) =
        ("$ sage …/a.sagetex.sage\n", "\n**** Running Sage on a.sage failed! Fix a.tex and try again.\n");
    let expect = ["Error Code a.tex:4 NameError: name 'lost' is not defined"];
    check(&format!("{begin}{traceback}{processing}{error}{end}"), &expect);
    check(&format!("{begin}{processing}{error}{traceback}{end}"), &expect);
    check(&format!("{begin}{error}"), &["Error Code a.tex:4 Sage ended with an error."]);
    check(&format!("{begin}{traceback}"), &[]);
}

#[test]
fn an_error_ends_where_the_next_begins() {
    let log = "(./a.tex (./b.tex\n! Too many }'s.\nl.2 x}\n      y\nhelp (open\nmore\n\n)\n! Double subscript.\nl.4 $a_b_\n   c$\n";
    check(
        log,
        &[
            "Error ExtraBrace b.tex:2 A closing brace has no opening one.",
            "Error DoubleScript a.tex:4 Two subscripts on one thing: use braces, as in a_{b_c}.",
        ],
    );
    let found = problems(log);
    assert_eq!(&log[found[0].raw.clone()], "! Too many }'s.\nl.2 x}\n      y\nhelp (open\nmore");
    assert_eq!(found[1].near.as_deref(), Some("$a_b_"));
}

#[test]
fn verb_in_an_argument_is_the_cause_of_missing_math() {
    let log = |near: &str| format!("(./a.tex\n! Missing $ inserted.\n<inserted text> \n   $\nl.3 {near}\n   y\n");
    let kind = |near: &str| problems(log(near))[0].kind;
    assert_eq!(kind("\\section{With \\verb|x_y|}"), ProblemKind::Verb);
    assert_eq!(kind("\\textbf{x} \\verb|a| and b_"), ProblemKind::MissingMath);
}

#[test]
fn a_runaway_argument_keeps_its_text() {
    let log = "(./a.tex\nRunaway argument?\n{bold \\par \n! Paragraph ended before \\textbf  was complete.\n<to be read again> \n                   \\par \nl.4 \n    \n";
    check(
        log,
        &[
            "Error Runaway a.tex:4 The argument of \\textbf is not closed before the paragraph ends: a closing brace is missing.",
        ],
    );
    let found = &problems(log)[0];
    assert_eq!((found.near.as_deref(), found.raw.start), (Some("{bold \\par"), 9));
}

#[test]
fn the_last_run_of_each_program_counts() {
    let tex = "This is pdfTeX, Version 3 (preloaded format=pdflatex)\n(./a.tex\n";
    let warning = "LaTeX Warning: Citation `x' on page 1 undefined on input line 3.\n\n";
    let bibtex = "This is BibTeX, Version 0.99d\nWarning--empty year in x\n";
    check(&format!("{tex}{warning}{bibtex}{tex}"), &["Warning Bibliography -:- empty year in x"]);
}

#[test]
fn a_problem_told_twice_is_one_and_the_graver() {
    let log = "(./a.tex\nLaTeX Warning: File `x.png' not found on input line 6.\n\n! Package pdftex.def Error: File `x.png' not found: using draft setting.\n\nl.6 \\i\n   \n";
    check(log, &["Error MissingFile a.tex:6 The file x.png was not found."]);
}

#[test]
fn package_warnings_go_on_over_lines() {
    let log = "(./a.tex\nPackage hyperref Warning: Token not allowed in a PDF string (Unicode):\n(hyperref)                removing `math shift' on input line 4.\n\n[1]";
    check(log, &["Warning Package a.tex:4 Token not allowed in a PDF string (Unicode): removing `math shift'"]);
}

#[test]
fn files_that_programs_wrote_are_nobodys_place() {
    let log = "(./a.tex (./a.aux\nLaTeX Warning: Label `x' multiply defined.\n\n)";
    check(log, &["Warning DuplicateLabel a.tex:- The label x is defined more than once."]);
}

#[test]
fn megabytes_of_junk_are_read_once() {
    for junk in
        ["(/", "! ", "((((./a b ", ")", "\n! x\nl.", "a.b:1: ", "./a.tex ", "Overfull \\hbox (", "LaTeX Warning: "]
    {
        let log = junk.repeat(200_000 / junk.len());
        assert!(problems(&log).len() <= MOST_PROBLEMS);
        let lines = format!("{junk}\n").repeat(200_000 / junk.len());
        assert!(problems(lines).len() <= MOST_PROBLEMS);
    }
}

fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just("(./a.tex ".to_owned()),
        Just("\n! Undefined control sequence.\n".to_owned()),
        Just("l.12 \\x\n     y\n".to_owned()),
        Just("LaTeX Warning: Citation `x' undefined on input line 5.\n".to_owned()),
        Just("Overfull \\hbox (3pt too wide) in paragraph at lines 5--\n".to_owned()),
        Just("x---line 3 of file y\n".to_owned()),
        Just("This is BibTeX, Version\n".to_owned()),
        Just("[3] a.pm:3> ERROR - BibTeX subsystem: a, line 9é\n".to_owned()),
        Just("!! Input index error (file = é, line = 1\n".to_owned()),
        Just("x".repeat(79)),
        "[\\x00-\\xff]{0,12}",
        "[()\\[\\]{}.:/\\n!`' ]{0,12}",
    ];
    prop::collection::vec(piece, 0..40).prop_map(|parts| parts.concat().into_bytes())
}

proptest! {
    #[test]
    fn any_bytes_are_a_log(log in prop::collection::vec(any::<u8>(), 0..2000)) {
        holds(&log);
    }

    #[test]
    fn pieces_of_logs_are_a_log(log in pieces()) {
        holds(&log);
    }
}

/// Places of problems lie within the log; texts are bounded; lines count from 1.
fn holds(log: &[u8]) {
    for problem in problems(log) {
        assert!(problem.raw.start <= problem.raw.end && problem.raw.end <= log.len());
        assert!(problem.said.len() <= LONGEST_SAID && problem.message.len() <= LONGEST_SAID);
        assert_ne!(problem.line, Some(0));
        assert!(excerpt(log, &problem, 100).len() <= 100);
    }
}
