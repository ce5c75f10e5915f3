//! Projects of LaTeX: which file is built, with which settings, and how often a person is asked. Where TeX is not installed
//! these tests say so and end.

use aside_core::ActionState;
use serde_json::json;

use crate::{
    common::{Bench, failure, words},
    latex::{MAIN, build, has_tex},
};

#[tokio::test]
async fn person_is_asked_once_per_document() {
    if !has_tex() {
        return;
    }
    let whole = MAIN.replace("\\include{parts/one}", "");
    let bench = Bench::new(&[("a.tex", &whole), ("b.tex", &whole)]);
    for shell_escape in [false, true] {
        let args = json!({"path": "a.tex", "main": "a.tex", "shell_escape": shell_escape});
        let first = bench.act_any("latex.build", args.clone()).await;
        assert_eq!(first.state, ActionState::Done, "{:?}", first.outcome);
        bench.type_in("a.tex", |text| format!("{text}% more\n"));
        let second = bench.ask("latex.build", args.clone()).await;
        assert_eq!(second.state, ActionState::Done, "{:?}", second.verdict);
        assert_eq!(bench.propose("latex.build", args).await.state, ActionState::AwaitingConfirmation);
    }
    let other = bench.ask("latex.build", json!({"path": "b.tex", "shell_escape": true})).await;
    assert_eq!(other.state, ActionState::AwaitingConfirmation, "another document");
}

#[tokio::test]
async fn search_paths_of_latexmkrc_are_used() {
    if !has_tex() {
        return;
    }
    let main = "\\documentclass{article}\n\\usepackage{reef}\n\\begin{document}\n\\reef\n\\end{document}\n";
    let style = "\\ProvidesPackage{reef}\n\\newcommand{\\reef}{Reef}\n";
    let settings =
        "$ENV{'TEXINPUTS'} = './styles//:' . ($ENV{'TEXINPUTS'} // '');\n$pdf_mode = 1;\nsystem('touch ran');\n";
    let bench = Bench::new(&[("p/main.tex", main), ("p/styles/deep/reef.sty", style), ("p/.latexmkrc", settings)]);
    let record = build(&bench, "p/main.tex").await;
    assert!(words(&record).starts_with("Built p/main.pdf"), "{:?}", record.outcome);
    assert!(!bench.exists("p/ran"));
    let preview = format!("{:?}", record.preview.unwrap().body);
    assert!(preview.contains("Left out: line 3 `system('touch ran')`"), "{preview}");
}

#[tokio::test]
async fn hints_about_the_main_file_work() {
    if !has_tex() {
        return;
    }
    let part = "Some text.\n";
    let bench = Bench::new(&[("one.tex", part), ("x/main.tex", &MAIN.replace("\\include{parts/one}", ""))]);
    let lost = bench.act_any("latex.build", json!({"path": "one.tex"})).await;
    assert_eq!(failure(&lost).code, "no_main_file");
    bench.act("latex.build", json!({"path": "one.tex", "main": "x/main.tex"})).await;
    bench.type_in("one.tex", |_| format!("% !TEX root = x/gone.tex\n{part}"));
    let gone = bench.act_any("latex.build", json!({"path": "one.tex"})).await;
    assert!(failure(&gone).message.contains("x/gone.tex"), "{}", failure(&gone));
    bench.type_in("one.tex", |_| format!("% !TEX root = x/main.tex\n{part}"));
    bench.act("latex.build", json!({"path": "one.tex"})).await;
    assert!(bench.exists("x/main.pdf"));
}

#[tokio::test]
async fn advice_on_packages_elsewhere_works() {
    if !has_tex() {
        return;
    }
    let main = |name: &str| {
        format!("\\documentclass{{article}}\n\\usepackage{{{name}}}\n\\begin{{document}}\n\\reef\n\\end{{document}}\n")
    };
    let style = "\\ProvidesPackage{reef}\n\\newcommand{\\reef}{Reef}\n";
    let bench = Bench::new(&[("p/main.tex", &main("reef")), ("p/styles/reef.sty", style)]);
    let failed = build(&bench, "p/main.tex").await;
    let hint = failure(&failed).hint.clone().unwrap_or_default();
    assert!(hint.contains("`p/styles/reef.sty`") && hint.contains("write `styles/reef`"), "{hint}");
    bench.type_in("p/main.tex", |_| main("styles/reef"));
    assert_eq!(build(&bench, "p/main.tex").await.state, ActionState::Done);
}
