//! Plans as a person would see them, and which file is the main one.

use std::collections::BTreeMap;

use super::*;

fn programs(names: &str) -> Programs {
    names.split_whitespace().map(str::to_owned).collect()
}

const OUT: Wishes = Wishes { output: Some("out"), engine: None, shell_escape: false, usual: None };

/// Each step as a line, and what is missing.
fn check(name: &str, text: &str, there: &str, expect: &[&str]) {
    let plan = plan(name, text, &programs(there), &OUT).unwrap();
    let again = |step: &Step| if step.when == When::IfAsked { "? " } else { "" };
    let steps = plan.steps.iter().map(|step| format!("{}{} {}", again(step), step.program, step.arguments.join(" ")));
    let missing = plan.missing.iter().map(|one| format!("no {} for {:?}: {}", one.program, one.stage, one.debian));
    assert_eq!(steps.chain(missing).collect::<Vec<_>>(), expect);
}

const LATEXMK: &str =
    "latexmk -norc -pdf -interaction=nonstopmode -file-line-error -synctex=1 -shell-restricted -outdir=out a.tex";
const OWN: &str =
    "pdflatex -interaction=nonstopmode -file-line-error -synctex=1 -shell-restricted -output-directory=out a.tex";

#[test]
fn latexmk_is_taken_if_it_is_there() {
    check("a.tex", "\\documentclass{article}", "latexmk pdflatex tectonic", &[LATEXMK]);
    check("-a.tex", "", "latexmk pdflatex", &[&LATEXMK.replace(" a.tex", " ./-a.tex")]);
    let biblatex = "\\usepackage{biblatex}";
    check("a.tex", biblatex, "latexmk pdflatex", &[LATEXMK, "no biber for Bibliography: apt install biber"]);
}

#[test]
fn the_document_says_which_engine() {
    let lua = "latexmk -norc -pdflua -interaction=nonstopmode -file-line-error -synctex=1 -shell-restricted -outdir=out a.tex";
    check("a.tex", "% !TEX program = lualatex\n", "latexmk lualatex", &[lua]);
    check("a.tex", "%!TeX TS-program=LuaLaTeX\n", "latexmk lualatex", &[lua]);
    check("a.tex", "\\usepackage{amsmath,luacode}", "latexmk lualatex", &[lua]);
    check("a.tex", "% \\usepackage{luacode}\n50\\% \\foo", "latexmk pdflatex", &[LATEXMK]);
    let engine = |text: &str| plan("a.tex", text, &programs(""), &Wishes::default()).unwrap().engine;
    assert_eq!(engine("\\usepackage[x]{fontspec}"), Engine::Xelatex);
    assert_eq!(engine("% !TEX program = nonsense"), Engine::Pdflatex);
}

#[test]
fn without_latexmk_the_engine_is_run_as_often_as_it_asks() {
    let again = format!("? {OWN}");
    check("a.tex", "x", "pdflatex", &[OWN, &again, &again]);
    let text = "\\bibliography{refs}\\makeindex";
    check(
        "a.tex",
        text,
        "pdflatex bibtex makeindex",
        &[OWN, "bibtex out/a", "makeindex out/a.idx", OWN, &again, &again],
    );
}

#[test]
fn tectonic_is_taken_where_no_latexmk_is() {
    let tectonic = "tectonic --untrusted --only-cached --synctex --keep-logs --keep-intermediates --outdir out a.tex";
    check("a.tex", "x", "tectonic", &[tectonic]);
    check("a.tex", "\\usepackage{fontspec}", "tectonic xelatex", &[tectonic]);
}

#[test]
fn a_glossary_is_made_beside_latexmk_and_said_to_be_missing_where_nothing_makes_it() {
    let text = "\\usepackage{glossaries}\\makeglossaries\\makeindex";
    let steps = [LATEXMK, "makeglossaries -d out a", LATEXMK];
    check("a.tex", text, "latexmk pdflatex makeindex makeglossaries", &steps);
    let missing = "no makeglossaries for Glossary: apt install texlive-latex-extra";
    check("a.tex", text, "latexmk pdflatex makeindex", &[LATEXMK, missing]);
    let notes = |text: &str| plan("a.tex", text, &programs("tectonic"), &OUT).unwrap().notes;
    assert!(notes(text).iter().any(|note| note.contains("no index or glossary")));
    assert!(!notes("x").iter().any(|note| note.contains("no glossary")));
    let found = plan("a.tex", "\\usepackage{biblatex}", &programs("tectonic"), &OUT).unwrap();
    assert_eq!(found.missing[0].program, "biber");
}

#[test]
fn without_tex_it_says_what_to_install() {
    check("a.tex", "x", "", &["no pdflatex for Latex: apt install texlive-latex-recommended latexmk"]);
    check("a.tex", "% !TEX program = xelatex", "latexmk", &["no xelatex for Latex: apt install texlive-xetex latexmk"]);
    check("a.Rnw", "x", "latexmk pdflatex", &["no Rscript for Knitr: apt install r-base-core r-cran-knitr"]);
}

#[test]
fn code_in_a_document_is_a_stage() {
    let text = "\\usepackage{sagetex}\\usepackage{pythontex}";
    let steps = [LATEXMK, "sage out/a.sagetex.sage", "pythontex out/a", LATEXMK];
    check("a.tex", text, "latexmk pdflatex sage pythontex", &steps);
    check(
        "a.tex",
        "\\usepackage{sagetex}",
        "latexmk pdflatex",
        &[LATEXMK, "no sage for Sagetex: apt install sagemath"],
    );
    let knit = "Rscript -e names <- commandArgs(TRUE); knitr::opts_knit$set(concordance = TRUE, progress = FALSE); \
        knitr::opts_chunk$set(error = FALSE); knitr::knit(names[1], output = names[2]) a.Rnw a.tex";
    check("a.Rnw", "x", "latexmk pdflatex Rscript", &[knit, LATEXMK]);
}

#[test]
fn no_document_gets_a_shell() {
    let found = plan("a.tex", "\\usepackage{minted}", &programs("latexmk pdflatex"), &Wishes::default()).unwrap();
    assert!(found.notes.iter().any(|note| note.contains("not allowed")));
    for step in &found.steps {
        assert!(
            step.arguments.iter().all(|argument| !argument.contains("shell-escape") && !argument.contains("write18"))
        );
    }
}

#[test]
fn names_that_tex_reads_as_commands_are_refused() {
    for name in ["a\\write18{x}.tex", "a%b.tex", "a~b.tex", "&a.tex", "a#.tex", "|x.tex", "a\n.tex"] {
        assert!(matches!(plan(name, "", &programs(""), &Wishes::default()), Err(PlanError::Name(..))), "{name}");
    }
    assert_eq!(plan("a.md", "", &programs(""), &Wishes::default()), Err(PlanError::NotLatex("a.md".to_owned())));
    assert_eq!(plan(".tex", "", &programs(""), &Wishes::default()), Err(PlanError::NotLatex(".tex".to_owned())));
    assert!(plan("my paper (2).tex", "", &programs(""), &Wishes::default()).is_ok());
}

#[test]
fn chapters_in_folders_need_folders() {
    let text = "\\include{one}\\include{chapters/two}\n\\include{../x/y}\\include{/etc/z}";
    assert_eq!(plan("a.tex", text, &programs(""), &OUT).unwrap().folders, ["chapters"]);
}

fn main_of(path: &str, files: &[(&str, &str)]) -> Option<String> {
    let files: BTreeMap<_, _> = files.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect();
    main_file(path, &files).map(str::to_owned)
}

#[test]
fn the_main_file_is_found_from_each_part() {
    const CLASS: &str = "\\documentclass{article}";
    let found = |path: &str, files: &[(&str, &str)]| main_of(path, files).unwrap_or_default();
    assert_eq!(found("a.tex", &[("a.tex", CLASS), ("main.tex", CLASS)]), "a.tex");
    assert_eq!(
        found("p/b.tex", &[("a.tex", CLASS), ("c.tex", CLASS), ("p/b.tex", "% !TEX root = ../c.tex\n")]),
        "c.tex"
    );
    assert_eq!(found("p/b.tex", &[("a.tex", CLASS), ("p/b.tex", "\\documentclass[../a]{subfiles}")]), "a.tex");
    let deep = [
        ("z.tex", "\\documentclass{book}\\include{p/b}"),
        ("a.tex", CLASS),
        ("p/b.tex", "\\input{c}"),
        ("p/c.tex", "x"),
    ];
    assert_eq!(found("p/c.tex", &deep), "z.tex");
    assert_eq!(found("p/x.tex", &[("a.tex", CLASS), ("main.tex", CLASS), ("p/x.tex", "x")]), "main.tex");
    assert_eq!(main_of("b.tex", &[("b.tex", "x")]), None);
    assert_eq!(main_of("b.tex", &[("a.tex", CLASS)]), None);
}

#[test]
fn class_may_stand_in_a_part() {
    const CLASS: &str = "\\documentclass{article}\n\\usepackage{amsmath}\n";
    for (head, body) in [
        ("\\input{./parts/preamble.tex}", "\\input{parts/chap}"),
        ("\\input{parts/preamble}", "\\include{parts/chap}"),
        ("\\input parts/preamble", "\\input parts/chap"),
        ("\\import{parts/}{preamble}", "\\subimport{./parts}{chap}"),
        ("% !TEX root = main.tex\n\\input{parts/setup}", "\\input{parts/chap}"),
    ] {
        let main = format!("{head}\n\\begin{{document}}\n{body}\n\\end{{document}}\n");
        let files = [
            ("main.tex", &*main),
            ("other.tex", "\\documentclass{article}\\begin{document}x\\end{document}"),
            ("parts/chap.tex", "text"),
            ("parts/preamble.tex", CLASS),
            ("parts/setup.tex", "\\input{preamble}"),
        ];
        for part in ["main.tex", "parts/chap.tex", "parts/preamble.tex"] {
            assert_eq!(main_of(part, &files).as_deref(), Some("main.tex"), "{part}: {head}");
        }
    }
}

#[test]
fn named_root_is_built_as_it_is() {
    let itself = "% !TEX root = main.tex\n\\input{../shared/head}\n\\begin{document}x\\end{document}";
    assert_eq!(main_of("p/main.tex", &[("p/main.tex", itself)]).as_deref(), Some("p/main.tex"));
    let files = [("main.tex", "\\input{/usr/share/head}\\begin{document}"), ("a.tex", "%!TeX root=./main\nx")];
    assert_eq!(main_of("a.tex", &files).as_deref(), Some("main.tex"));
    let missing = BTreeMap::from([("a.tex".to_owned(), "% !TEX root = gone.tex\n".to_owned())]);
    assert_eq!(missing_root("a.tex", &missing).as_deref(), Some("gone.tex"));
}

#[test]
fn project_names_the_engine_unless_the_document_does() {
    let wishes = Wishes { usual: Some(Engine::Xelatex), ..OUT };
    let engine = |text| plan("a.tex", text, &programs("latexmk xelatex lualatex"), &wishes).unwrap().engine;
    assert_eq!(engine("\\documentclass{article}"), Engine::Xelatex);
    assert_eq!(engine("% !TEX program = lualatex\n\\documentclass{article}"), Engine::Lualatex);
}

#[test]
fn what_a_document_reads_beside_its_chapters_belongs_to_it() {
    let main = "\\documentclass[a4paper]{styles/thesis}\n\\usepackage{amsmath, own}\n\\bibliographystyle{plain}\n\
                \\bibliography{refs,lib/more}";
    let biblatex = "\\documentclass{article}\\addbibresource{b.bib}";
    let files = [
        ("main.tex", main),
        ("z.tex", biblatex),
        ("refs.bib", "% \\documentclass{x}"),
        ("lib/more.bib", ""),
        ("b.bib", ""),
        ("own.sty", "\\RequirePackage{deep}\n\\documentclass{odd}"),
        ("deep.sty", ""),
        ("styles/thesis.cls", "\\LoadClass{book}"),
        ("plain.bib", ""),
        ("other.cls", ""),
    ];
    for part in ["refs.bib", "lib/more.bib", "own.sty", "deep.sty", "styles/thesis.cls"] {
        assert_eq!(main_of(part, &files).as_deref(), Some("main.tex"), "{part}");
    }
    assert_eq!(main_of("b.bib", &files).as_deref(), Some("z.tex"));
    // What nothing reads is no part, whatever stands beside it.
    assert_eq!((main_of("plain.bib", &files), main_of("other.cls", &files)), (None, None));
}

#[test]
fn files_that_name_each_other_end_the_search() {
    let looped = [("a.tex", "% !TEX root = b.tex"), ("b.tex", "% !TEX root = a.tex")];
    assert_eq!(main_of("a.tex", &looped), None);
    let reading = [("a.tex", "\\input{b}"), ("b.tex", "\\input{a}")];
    assert_eq!(main_of("a.tex", &reading), None);
    let outside = [("a.tex", "% !TEX root = ../../etc/b.tex\n\\documentclass{article}")];
    assert_eq!(main_of("a.tex", &outside).as_deref(), Some("a.tex"));
}

#[test]
fn a_person_can_want_another_engine_and_a_shell() {
    let wishes = Wishes { engine: Some(Engine::Lualatex), shell_escape: true, ..OUT };
    let plan = plan("a.tex", "\\usepackage{minted}", &programs("latexmk lualatex"), &wishes).unwrap();
    let line = plan.steps[0].arguments.join(" ");
    assert!(line.starts_with("-norc -pdflua ") && line.contains(" -shell-escape "), "{line}");
    assert_eq!(plan.notes, ["Shell escape is on: the document can run any program."]);
}
