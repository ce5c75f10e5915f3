//! The programs of a build, in order, and those that are not there.

use super::{BuildPlan, Engine, Missing, Needs, Programs, Stage, Step, When, Wishes};

const NO_INDEX: &str = "tectonic makes no index or glossary; install latexmk and LaTeX's own programs to get both.";

/// So often the engine is run again, as long as its log asks for it.
const MOST_RUNS: usize = 3;

pub(super) struct Subject<'a> {
    pub(super) name: &'a str,
    pub(super) stem: &'a str,
    pub(super) needs: &'a Needs,
    pub(super) programs: &'a Programs,
    pub(super) wishes: &'a Wishes<'a>,
}

impl Subject<'_> {
    fn has(&self, program: &str) -> bool {
        self.programs.contains(program)
    }

    /// The LaTeX file: what knitr writes, or the document itself. A name never begins as an option does.
    fn source(&self) -> String {
        if self.needs.knitr { named(format!("{}.tex", self.stem)) } else { named(self.name.to_owned()) }
    }

    /// What TeX calls the document.
    fn job(&self) -> String {
        named(self.stem.rsplit('/').next().unwrap_or(self.stem).to_owned())
    }

    /// A file that TeX writes.
    fn written(&self, end: &str) -> String {
        let name = format!("{}{end}", self.stem.rsplit('/').next().unwrap_or(self.stem));
        match self.wishes.output {
            Some(folder) => format!("{}/{name}", folder.trim_end_matches('/')),
            None => named(name),
        }
    }
}

/// A name that is no option of a program.
fn named(name: String) -> String {
    if name.starts_with('-') { format!("./{name}") } else { name }
}

/// Fills in steps and what is missing.
pub(super) fn fill(plan: &mut BuildPlan, of: &Subject) {
    if of.needs.knitr && !knitr(plan, of) {
        return;
    }
    let engine = plan.engine.program();
    if of.has("latexmk") && of.has(engine) {
        around(plan, of, latexmk(plan.engine, of), &[Stage::Glossary]);
        complain_of_helpers(plan, of, &[Stage::Bibliography, Stage::Index]);
    } else if of.has("tectonic") && !(of.has(engine) && plan.engine != Engine::Xelatex) {
        if plan.engine != Engine::Xelatex {
            plan.notes.push(format!("tectonic builds it like XeLaTeX: {engine} is not installed."));
        }
        let cached = "tectonic has no network here and uses the packages it has already downloaded. If one is \
            missing, run tectonic once in a terminal.";
        plan.notes.push(cached.to_owned());
        around(plan, of, tectonic(of), &[]);
        // It does the work of BibTeX by itself.
        complain_of_helpers(
            plan,
            of,
            if of.needs.bibliography.as_deref() == Some("biber") { &[Stage::Bibliography] } else { &[] },
        );
        if of.needs.index || of.needs.glossary {
            plan.notes.push(NO_INDEX.to_owned());
        }
    } else if of.has(engine) {
        own_runs(plan, of);
    } else {
        plan.missing.push(missing(Stage::Latex, engine));
        plan.steps.clear();
    }
}

/// False: without R there is nothing to set.
fn knitr(plan: &mut BuildPlan, of: &Subject) -> bool {
    if !of.has("Rscript") {
        plan.missing.push(missing(Stage::Knitr, "Rscript"));
        return false;
    }
    // Which line comes from which is written beside what is made.
    // What fails ends the build, unless a chunk says `error = TRUE`: it would else stand in the pages only.
    let code = "names <- commandArgs(TRUE); knitr::opts_knit$set(concordance = TRUE, progress = FALSE); \
        knitr::opts_chunk$set(error = FALSE); knitr::knit(names[1], output = names[2])";
    plan.steps.push(step(Stage::Knitr, "Rscript", ["-e".into(), code.into(), named(of.name.into()), of.source()]));
    plan.notes.push("R code in the document runs.".to_owned());
    true
}

fn latexmk(engine: Engine, of: &Subject) -> Step {
    let kind = match engine {
        Engine::Pdflatex => "-pdf",
        Engine::Xelatex => "-pdfxe",
        Engine::Lualatex => "-pdflua",
    };
    let mut arguments: Vec<String> = ["-norc", kind].map(str::to_owned).into();
    arguments.extend(engine_options(of));
    arguments.extend(of.wishes.output.map(|folder| format!("-outdir={folder}")));
    arguments.push(of.source());
    step(Stage::Latex, "latexmk", arguments)
}

fn tectonic(of: &Subject) -> Step {
    let trust: &[&str] = if of.wishes.shell_escape { &["-Z", "shell-escape"] } else { &["--untrusted"] };
    let kept = ["--only-cached", "--synctex", "--keep-logs", "--keep-intermediates"];
    let mut arguments: Vec<String> = trust.iter().copied().chain(kept).map(str::to_owned).collect();
    arguments.extend(of.wishes.output.into_iter().flat_map(|folder| ["--outdir".to_owned(), folder.to_owned()]));
    arguments.push(of.source());
    step(Stage::Latex, "tectonic", arguments)
}

/// The same for every engine. Restricted: TeX's own list of harmless programs, whatever the settings of the machine are.
fn engine_options(of: &Subject) -> impl Iterator<Item = String> + use<> {
    let shell = if of.wishes.shell_escape { "-shell-escape" } else { "-shell-restricted" };
    ["-interaction=nonstopmode", "-file-line-error", "-synctex=1", shell].into_iter().map(str::to_owned)
}

/// A program that does all of LaTeX but these stages, run again if something came of them or was computed after it.
fn around(plan: &mut BuildPlan, of: &Subject, latex: Step, without: &[Stage]) {
    plan.steps.push(latex.clone());
    let computed = compute(plan, of);
    let helped = helpers(plan, of, without);
    if computed || helped {
        plan.steps.push(latex);
    }
}

/// The engine, then what reads its files, then the engine as long as it asks.
fn own_runs(plan: &mut BuildPlan, of: &Subject) {
    let mut arguments: Vec<String> = engine_options(of).collect();
    arguments.extend(of.wishes.output.map(|folder| format!("-output-directory={folder}")));
    arguments.push(of.source());
    let latex = step(Stage::Latex, plan.engine.program(), arguments);
    plan.steps.push(latex.clone());
    let computed = compute(plan, of);
    let helped = helpers(plan, of, &[Stage::Bibliography, Stage::Index, Stage::Glossary]);
    if computed || helped {
        plan.steps.push(latex.clone());
    }
    plan.steps.extend(std::iter::repeat_n(Step { when: When::IfAsked, ..latex }, MOST_RUNS - 1));
}

/// Whether any code of the document is computed.
fn compute(plan: &mut BuildPlan, of: &Subject) -> bool {
    let before = plan.steps.len();
    if of.needs.sagetex {
        add(plan, of, Stage::Sagetex, "sage", vec![of.written(".sagetex.sage")]);
    }
    if of.needs.pythontex {
        add(plan, of, Stage::Pythontex, "pythontex", vec![of.written("")]);
    }
    if plan.steps.len() > before {
        plan.notes.push("Code in the document runs.".to_owned());
    }
    plan.steps.len() > before
}

fn helpers(plan: &mut BuildPlan, of: &Subject, stages: &[Stage]) -> bool {
    let before = plan.steps.len();
    for (stage, program) in helping(of, stages) {
        let arguments = match (stage, of.wishes.output) {
            (Stage::Index, _) => vec![of.written(".idx")],
            // It starts others that read what is beside it.
            (Stage::Glossary, Some(folder)) => vec!["-d".to_owned(), folder.to_owned(), of.job()],
            _ => vec![of.written("")],
        };
        add(plan, of, stage, &program, arguments);
    }
    plan.steps.len() > before
}

/// What is run by what is run, if it is there.
fn complain_of_helpers(plan: &mut BuildPlan, of: &Subject, stages: &[Stage]) {
    for (stage, program) in helping(of, stages) {
        if !of.has(&program) {
            plan.missing.push(missing(stage, &program));
        }
    }
}

fn helping(of: &Subject, stages: &[Stage]) -> Vec<(Stage, String)> {
    let mut found: Vec<_> =
        of.needs.bibliography.iter().map(|program| (Stage::Bibliography, program.clone())).collect();
    found.extend(of.needs.index.then(|| (Stage::Index, "makeindex".to_owned())));
    found.extend(of.needs.glossary.then(|| (Stage::Glossary, "makeglossaries".to_owned())));
    found.retain(|(stage, _)| stages.contains(stage));
    found
}

/// Adds a step, or says that its program is missing.
fn add(plan: &mut BuildPlan, of: &Subject, stage: Stage, program: &str, arguments: Vec<String>) {
    if of.has(program) {
        plan.steps.push(step(stage, program, arguments));
    } else {
        plan.missing.push(missing(stage, program));
    }
}

fn step(stage: Stage, program: &str, arguments: impl Into<Vec<String>>) -> Step {
    Step { stage, program: program.to_owned(), arguments: arguments.into(), when: When::Always }
}

fn missing(stage: Stage, program: &str) -> Missing {
    let [debian, macos, windows] = installing(program).map(str::to_owned);
    Missing { stage, program: program.to_owned(), debian, macos, windows }
}

/// How to install a program, on Debian, on macOS and on Windows.
fn installing(program: &str) -> [&'static str; 3] {
    const MACTEX: &str = "brew install --cask mactex-no-gui";
    const MIKTEX: &str = "winget install MiKTeX.MiKTeX";
    match program {
        "xelatex" => ["apt install texlive-xetex latexmk", MACTEX, MIKTEX],
        "lualatex" => ["apt install texlive-luatex latexmk", MACTEX, MIKTEX],
        "biber" => ["apt install biber", MACTEX, MIKTEX],
        "makeglossaries" => ["apt install texlive-latex-extra", MACTEX, MIKTEX],
        "Rscript" => [
            "apt install r-base-core r-cran-knitr",
            "brew install r, then install.packages(\"knitr\") in R",
            "winget install RProject.R, then install.packages(\"knitr\") in R",
        ],
        "sage" => ["apt install sagemath", "brew install --cask sage", "run Aside in WSL, then apt install sagemath"],
        "pythontex" => ["apt install texlive-extra-utils python3-pygments", MACTEX, MIKTEX],
        "bibtex" | "makeindex" => ["apt install texlive-binaries", MACTEX, MIKTEX],
        _ => ["apt install texlive-latex-recommended latexmk", MACTEX, MIKTEX],
    }
}
