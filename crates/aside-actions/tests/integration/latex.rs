//! Documents are really built: what is wrong is found at its line, and a hostile document harms nothing. Where TeX is not
//! installed these tests say so and end.
#![expect(clippy::disallowed_methods, reason = "sets the scene, and looks at the files")]

use std::time::Duration;

use aside_core::{ActionRecord, ActionState, LatexEnd, Outcome, Problem, ProblemSeverity, Risk};
use aside_workspace::{
    LatexBuilt, LatexFaults, LatexSaid, LatexWishes,
    process::{Limits, Stop, find_program},
};
use serde_json::json;

use crate::common::{Bench, failure, path, words};

const MAIN: &str = "\\documentclass{article}\n\\begin{document}\n\\include{parts/one}\nText.\n\\end{document}\n";
const PART: &str = "\\section{One}\nGood text.\n";

/// Says aloud that a test was not made.
fn has_tex() -> bool {
    let there = find_program("latexmk").is_some() && find_program("pdflatex").is_some();
    if !there {
        assert!(!aside_testkit::is_promised("tex"), "latexmk or pdflatex is not found");
        eprintln!("skipped: latexmk and pdflatex are not installed (apt install texlive-latex-recommended latexmk)");
    }
    there
}

async fn build(bench: &Bench, file: &str) -> ActionRecord {
    let record = bench.ask("latex.build", json!({"path": file})).await;
    match record.state {
        ActionState::AwaitingConfirmation => bench.approve(&record).await,
        _ => record,
    }
}

fn problems(bench: &Bench, severity: ProblemSeverity) -> Vec<Problem> {
    let found = bench.workspace.problems(None).unwrap();
    found.into_iter().filter(|problem| problem.severity == severity).collect()
}

fn errors(bench: &Bench) -> Vec<(String, Option<u32>)> {
    let place = |problem: Problem| (problem.path.unwrap().to_string(), problem.line);
    problems(bench, ProblemSeverity::Error).into_iter().map(place).collect()
}

#[tokio::test]
async fn a_fault_is_found_at_its_line_through_an_include_and_is_gone_when_it_is_mended() {
    if !has_tex() {
        return;
    }
    let bench = Bench::new(&[("paper/main.tex", MAIN), ("paper/parts/one.tex", PART)]);
    let record = build(&bench, "paper/parts/one.tex").await;
    assert!(words(&record).starts_with("Built paper/main.pdf in "), "{}", words(&record));
    let good = std::fs::read(bench.folder.path().join("paper/main.pdf")).unwrap();
    assert!(errors(&bench).is_empty());
    let beside: Vec<_> = std::fs::read_dir(bench.folder.path().join("paper")).unwrap().flatten().collect();
    assert_eq!(beside.len(), 3, "nothing but the PDF came beside the sources: {beside:?}");

    bench.type_in("paper/parts/one.tex", |text| text.replace("Good", "\\ref{later}\\undefinedthing"));
    let record = build(&bench, "paper/main.tex").await;
    assert_eq!(record.state, ActionState::Failed);
    let said = &failure(&record).message;
    assert!(
        said.contains("paper/parts/one.tex:2: error: ") && said.contains("last successful build is kept"),
        "{said}"
    );
    assert_eq!(errors(&bench), [("paper/parts/one.tex".to_owned(), Some(2))]);
    assert!(problems(&bench, ProblemSeverity::Warning).is_empty(), "what another run would settle is not told");
    assert_eq!(std::fs::read(bench.folder.path().join("paper/main.pdf")).unwrap(), good);
    let last = bench.workspace.latex_build(&path("paper/main.tex")).unwrap().unwrap();
    assert_eq!((last.end, last.errors, last.pdf), (LatexEnd::Failed, 1, Some(path("paper/main.pdf"))));

    let output = bench.workspace.latex_faults_about(&path("paper/parts/one.tex")).unwrap().stages;
    assert_eq!(output.len(), 1);
    assert!(output[0].name.starts_with("latexmk (latex)") && output[0].text.len() <= 1_500, "{output:?}");
    assert!(output[0].text.contains("Latexmk: Errors"), "{output:?}");
    assert_eq!(bench.workspace.latex_faults_about(&path("paper/other.tex")).unwrap(), LatexFaults::default());

    // The log tells what the part lacks before what the main file does; the list of problems begins with the main file.
    bench.type_in("paper/main.tex", |text| text.replace("Text.", "\\alsoundefined"));
    build(&bench, "paper/main.tex").await;
    assert_eq!(errors(&bench)[0].0, "paper/main.tex");
    let first = bench.workspace.latex_faults_about(&path("paper/main.tex")).unwrap().first.unwrap();
    assert_eq!((first.path.clone(), first.line), (Some(path("paper/parts/one.tex")), Some(2)));
    assert!(first.detail.as_deref().is_some_and(|detail| detail.contains("undefinedthing")), "{first:?}");
    assert_eq!(bench.workspace.first_latex_errors().unwrap(), [first]);
    bench.type_in("paper/main.tex", |text| text.replace("\\alsoundefined", "Text."));

    bench.type_in("paper/parts/one.tex", |text| text.replace("\\ref{later}\\undefinedthing", "Better"));
    build(&bench, "paper/main.tex").await;
    assert!(errors(&bench).is_empty());
    let record = build(&bench, "paper/main.tex").await;
    let Some(Outcome::Done { .. }) = &record.outcome else { panic!("{record:?}") };
}

/// What is made beside LaTeX, where its programs are there: `cargo xtask test` installs all but Sage, which is very large.
fn has(program: &str) -> bool {
    let there = find_program(program).is_some();
    if !there {
        assert!(!aside_testkit::is_promised(program), "{program} is not found");
        eprintln!("skipped: {program} is not installed");
    }
    there
}

#[tokio::test]
async fn a_glossary_is_in_the_pages() {
    if !has_tex() || !has("makeglossaries") {
        return;
    }
    let text = "\\documentclass{article}\\usepackage{glossaries}\\makeglossaries\n\
        \\newglossaryentry{gate}{name=gate,description={what decides}}\n\
        \\begin{document}The \\gls{gate}. \\printglossaries\\end{document}\n";
    let bench = Bench::new(&[("paper/main.tex", text)]);
    let record = build(&bench, "paper/main.tex").await;
    assert!(words(&record).starts_with("Built paper/main.pdf in "), "{record:?}");
    assert!(problems(&bench, ProblemSeverity::Warning).is_empty());
}

#[tokio::test]
async fn code_that_fails_fails_the_build_at_its_line() {
    if !has_tex() || !has("Rscript") {
        return;
    }
    let text = "\\documentclass{article}\n\\begin{document}\n<<load>>=\nx <- 1\ny <- lost(x)\n@\n\\end{document}\n";
    let bench = Bench::new(&[("a.Rnw", text)]);
    let record = build(&bench, "a.Rnw").await;
    assert_eq!(record.state, ActionState::Failed);
    assert!(failure(&record).message.contains("could not find function \"lost\""), "{record:?}");
    // knitr names the lines of the chunk's code.
    assert_eq!(errors(&bench), [("a.Rnw".to_owned(), Some(4))]);
    bench.type_in("a.Rnw", |text| text.replace("lost(x)", "x"));
    assert_eq!(build(&bench, "a.Rnw").await.state, ActionState::Done);
    assert!(errors(&bench).is_empty());
}

#[tokio::test]
async fn code_of_python_that_fails_fails_the_build_at_its_line() {
    if !has_tex() || !has("pythontex") {
        return;
    }
    let text = "\\documentclass{article}\\usepackage{pythontex}\n\\begin{document}Text.\n\\begin{pycode}\n\
        x = 1 / 0\n\\end{pycode}\n\\end{document}\n";
    let bench = Bench::new(&[("a.tex", text)]);
    assert_eq!(build(&bench, "a.tex").await.state, ActionState::Failed);
    let found = problems(&bench, ProblemSeverity::Error);
    assert_eq!(
        found.iter().map(|one| (one.message.as_str(), one.line)).collect::<Vec<_>>(),
        [("ZeroDivisionError: division by zero", Some(4))]
    );
    // Nothing but what the code prints comes to lie on a page.
    bench.type_in("a.tex", |text| text.replace("1 / 0", "1\nprint(x)").replace("Text.", ""));
    assert_eq!(build(&bench, "a.tex").await.state, ActionState::Done);
    assert!(errors(&bench).is_empty());
}

#[tokio::test]
async fn a_document_that_has_become_empty_does_not_keep_the_pages_it_had() {
    if !has_tex() {
        return;
    }
    let bench = Bench::new(&[("a.tex", MAIN.replace("\\include{parts/one}", "").as_str())]);
    assert_eq!(build(&bench, "a.tex").await.state, ActionState::Done);
    bench.type_in("a.tex", |text| text.replace("Text.", ""));
    assert_eq!(build(&bench, "a.tex").await.state, ActionState::Failed);
}

#[tokio::test]
async fn code_of_sage_is_computed_beside_what_is_written_and_fails_at_its_line() {
    if !has_tex() || !has("sage") {
        return;
    }
    let text = "\\documentclass{article}\\usepackage{sagetex}\n\\begin{document}\n$\\sage{lost}$\n\
        \\sageplot{plot(x, 0, 1)}\n\\end{document}\n";
    let bench = Bench::new(&[("paper/a.tex", text)]);
    assert_eq!(build(&bench, "paper/a.tex").await.state, ActionState::Failed);
    assert_eq!(errors(&bench), [("paper/a.tex".to_owned(), Some(3))]);
    bench.type_in("paper/a.tex", |text| text.replace("lost", "factor(20)"));
    let record = build(&bench, "paper/a.tex").await;
    assert!(words(&record).starts_with("Built paper/a.pdf in "), "{record:?}");
    assert!(errors(&bench).is_empty());
    let beside: Vec<_> = std::fs::read_dir(bench.folder.path().join("paper")).unwrap().flatten().collect();
    assert_eq!(beside.len(), 2, "nothing but the PDF came beside the source: {beside:?}");
}

#[tokio::test]
async fn one_save_that_several_windows_hear_of_is_built_once() {
    if !has_tex() {
        return;
    }
    let bench = Bench::new(&[("main.tex", MAIN), ("parts/one.tex", PART)]);
    let last = || bench.workspace.latex_build(&path("main.tex")).unwrap().unwrap().action;
    // An open text, as that of a window is.
    let _open = bench.document("parts/one.tex");
    let saved = async |bench: &Bench| {
        let args = json!({"path": "main.tex", "saved": "parts/one.tex"});
        let record = bench.ask("latex.build", args).await;
        let record = match record.state {
            ActionState::AwaitingConfirmation => bench.approve(&record).await,
            _ => record,
        };
        (words(&record), record.envelope.id)
    };
    let (said, first) = saved(&bench).await;
    assert!(said.starts_with("Built main.pdf"), "{said}");
    let (said, _) = saved(&bench).await;
    assert_eq!(said, "The last build of main.tex already includes parts/one.tex.");
    assert_eq!(last(), first);
    let asked = build(&bench, "main.tex").await;
    assert_eq!(last(), asked.envelope.id, "who presses the button means it");
    bench.type_in("parts/one.tex", |text| text.replace("Good", "Better"));
    let (_, next) = saved(&bench).await;
    assert_eq!(last(), next);
}

#[tokio::test]
async fn a_build_is_asked_about_as_the_programs_that_it_runs_and_can_be_taken_back() {
    if !has_tex() {
        return;
    }
    let bench = Bench::new(&[("a.tex", &MAIN.replace("\\include{parts/one}", ""))]);
    let asked = bench.ask("latex.build", json!({"path": "a.tex"})).await;
    assert_eq!((asked.state, asked.verdict.rule.as_str()), (ActionState::AwaitingConfirmation, "default/shell"));
    let line = asked.assessment.command.as_deref().unwrap();
    assert!(
        line.starts_with("latexmk -norc -pdf ") && line.contains(" -shell-restricted ") && line.ends_with(" a.tex")
    );
    let shell = bench.ask("latex.build", json!({"path": "a.tex", "shell_escape": true})).await;
    assert!(shell.envelope.risk_level.contains(Risk::Install));
    assert!(shell.assessment.command.as_deref().unwrap().contains(" -shell-escape "));
    let record = bench.approve(&asked).await;
    assert!(bench.exists("a.pdf"));
    bench.undo(&record).await;
    assert!(!bench.exists("a.pdf"));
    let not_latex = bench.ask("latex.build", json!({"path": "a.pdf"})).await;
    assert_eq!(failure(&not_latex).code, "not_latex");
}

#[tokio::test]
async fn a_build_is_stopped_at_once_and_what_was_known_stays() {
    if !has_tex() {
        return;
    }
    let endless =
        "\\documentclass{article}\n\\begin{document}\n\\typeout{begun}\\loop\\iftrue\\repeat\n\\end{document}\n";
    let bench = Bench::new(&[("a.tex", endless)]);
    let known = Problem {
        path: Some(path("a.tex")),
        line: Some(1),
        end_line: None,
        column: None,
        end_column: None,
        severity: ProblemSeverity::Error,
        message: "known".to_owned(),
        source: aside_core::ProblemSource::Latex,
        program: None,
        detail: None,
        version: None,
        found_line: None,
    };
    bench.workspace.keep_problems(&path("a.tex"), vec![known.clone()]).unwrap();
    let asked = bench.ask("latex.build", json!({"path": "a.tex"})).await;
    let mut output = bench.gate.output();
    let stopping = async {
        while !output.recv().await.unwrap().piece.text.contains("a.tex") {}
        assert!(bench.workspace.latex_running(&path("a.tex")).is_some());
        bench.gate.stop(&asked.envelope.id, "ada").await.unwrap()
    };
    let (record, _) = tokio::join!(bench.approve(&asked), stopping);
    assert_eq!(failure(&record).code, "stopped");
    assert!(failure(&record).message.contains("stopped by ada"), "{}", failure(&record).message);
    assert_eq!(problems(&bench, ProblemSeverity::Error), [known]);
    assert_eq!(bench.workspace.latex_running(&path("a.tex")), None);
}

/// Builds a hostile document within narrow limits.
fn suffer(bench: &Bench, text: &str, limits: Limits) -> LatexBuilt {
    std::fs::write(bench.folder.path().join("a.tex"), text).unwrap();
    let document = bench.workspace.latex_document(&path("a.tex"), LatexWishes::default()).unwrap();
    let id = "act_00000000000000000000000001".parse().unwrap();
    let mut say = |_: LatexSaid| ();
    bench.workspace.build_latex_within(limits, &document, &id, &Stop::default(), &mut say).unwrap()
}

fn narrow() -> Limits {
    let time = Duration::from_secs(20);
    Limits { time, memory: 1 << 30, processes: 64, file: 8 << 20, disk: 16 << 20, ..Limits::COMMAND }
}

#[test]
fn a_hostile_document_gets_no_shell_and_reaches_nothing() {
    if !has_tex() {
        return;
    }
    let bench = Bench::new(&[]);
    let outside = bench.folder.path().join("../aside-was-here");
    let text = format!(
        "\\documentclass{{article}}\\begin{{document}}\\immediate\\write18{{touch {} pwned}}\n\
         \\newwrite\\w\\immediate\\openout\\w={}\\immediate\\write\\w{{x}}\n\
         \\newread\\r\\openin\\r=/etc/shadow \\ifeof\\r closed\\else\\read\\r to\\x\\typeout{{LEAK \\meaning\\x}}\\fi\n\
         \\openin\\r={} \\ifeof\\r\\else\\typeout{{LEAK OWN}}\\fi\n\
         \\typeout{{(/etc/passwd}}\\typeout{{! Forged error.}}\\typeout{{l.7 forged}}\\typeout{{}}\n\
         \\typeout{{/etc/passwd:1: Forged in another file.}}\\typeout{{l.1 x}}\n\
         text\\end{{document}}\n",
        outside.display(),
        outside.display(),
        bench.folder.path().join(".aside/aside.db").display(),
    );
    let built = suffer(&bench, &text, narrow());
    let output = String::from_utf8_lossy(&built.output).into_owned();
    assert!(!output.contains("LEAK"), "{output}");
    assert!(!outside.exists() && !bench.exists("pwned"));
    let elsewhere = |problem: &&Problem| problem.path.as_ref() != Some(&path("a.tex"));
    assert_eq!(built.problems.iter().find(elsewhere), None);
}

#[test]
fn a_document_without_end_is_ended() {
    if !has_tex() {
        return;
    }
    let bench = Bench::new(&[]);
    let endless = "\\documentclass{article}\\begin{document}\\loop\\iftrue\\repeat\\end{document}";
    let built = suffer(&bench, endless, Limits { time: Duration::from_secs(2), ..narrow() });
    assert_eq!(built.build.end, LatexEnd::Failed);
    assert_eq!(built.problems[0].message, "The build timed out.");
}

#[test]
fn a_flood_of_words_is_ended_and_read_in_part() {
    if !has_tex() {
        return;
    }
    let bench = Bench::new(&[]);
    let flood = "\\documentclass{article}\\begin{document}\\loop\\typeout{! Too much of this. (./x.tex}\\iftrue\\repeat\\end{document}";
    // The log reaches this limit with fifty times as many problems as are read.
    let built = suffer(&bench, flood, Limits { file: 2 << 20, ..narrow() });
    assert_eq!(built.build.end, LatexEnd::Failed);
    assert!(built.output.len() < 5 << 20 && built.problems.len() <= 1_000);
}

#[tokio::test]
async fn a_line_and_its_place_on_the_page_find_each_other_through_an_include() {
    if !has_tex() {
        return;
    }
    let bench = Bench::new(&[("paper/main.tex", MAIN), ("paper/parts/one.tex", PART)]);
    let unbuilt = bench.workspace.latex_areas(&path("paper/parts/one.tex"), 2).unwrap_err();
    assert_eq!(unbuilt.failure().code, "not_built");
    build(&bench, "paper/main.tex").await;
    let (pdf, areas) = bench.workspace.latex_areas(&path("paper/parts/one.tex"), 2).unwrap();
    assert_eq!((pdf.as_str(), areas[0].page), ("paper/main.pdf", 1));
    let (x, y) = (areas[0].x + 20.0, areas[0].y + areas[0].height / 2.0);
    let found = bench.workspace.latex_source(&pdf, 1, x, y).unwrap();
    assert_eq!(found, Some((path("paper/parts/one.tex"), 2)));
}
