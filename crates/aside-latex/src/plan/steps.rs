//! The programs of a build, in order, and those that are not there.

use super::{BuildPlan, Engine, Missing, Needs, Programs, Stage, Step, When};

/// So often the engine is run again, as long as its log asks for it.
const MOST_RUNS: usize = 3;

pub(super) struct Subject<'a> {
    pub(super) name: &'a str,
    pub(super) stem: &'a str,
    pub(super) needs: &'a Needs,
    pub(super) programs: &'a Programs,
    pub(super) output: Option<&'a str>,
}

impl Subject<'_> {
    fn has(&self, program: &str) -> bool {
        self.programs.contains(program)
    }

    /// The LaTeX file: what knitr writes, or the document itself. A name never begins as an option does.
    fn source(&self) -> String {
        if self.needs.knitr { named(format!("{}.tex", self.stem)) } else { named(self.name.to_owned()) }
    }

    /// A file that TeX writes.
    fn written(&self, end: &str) -> String {
        let name = format!("{}{end}", self.stem.rsplit('/').next().unwrap_or(self.stem));
        match self.output {
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
        around(plan, of, latexmk(plan.engine, of));
        complain_of_helpers(plan, of);
    } else if of.has("tectonic") && !(of.has(engine) && plan.engine != Engine::Xelatex) {
        if plan.engine != Engine::Xelatex {
            plan.notes.push(format!("tectonic sets it as XeLaTeX does: {engine} is not installed."));
        }
        plan.notes.push("tectonic gets packages from the network, unless it has them already.".to_owned());
        around(plan, of, tectonic(of));
    } else if of.has(engine) {
        own_runs(plan, of);
    } else {
        let (debian, macos) = installing(engine);
        plan.missing.push(missing(Stage::Latex, engine, debian, macos));
        plan.steps.clear();
    }
}

/// False: without R there is nothing to set.
fn knitr(plan: &mut BuildPlan, of: &Subject) -> bool {
    if !of.has("Rscript") {
        let (debian, macos) = installing("Rscript");
        plan.missing.push(missing(Stage::Knitr, "Rscript", debian, macos));
        return false;
    }
    let code = "names <- commandArgs(TRUE); knitr::knit(names[1], output = names[2])";
    plan.steps.push(step(Stage::Knitr, "Rscript", ["-e".into(), code.into(), named(of.name.into()), of.source()]));
    plan.notes.push("R code in the document is run.".to_owned());
    true
}

fn latexmk(engine: Engine, of: &Subject) -> Step {
    let kind = match engine {
        Engine::Pdflatex => "-pdf",
        Engine::Xelatex => "-pdfxe",
        Engine::Lualatex => "-pdflua",
    };
    let mut arguments: Vec<String> = ["-norc", kind].map(str::to_owned).into();
    arguments.extend(engine_options());
    arguments.extend(of.output.map(|folder| format!("-outdir={folder}")));
    arguments.push(of.source());
    step(Stage::Latex, "latexmk", arguments)
}

fn tectonic(of: &Subject) -> Step {
    let mut arguments: Vec<String> =
        ["--untrusted", "--synctex", "--keep-logs", "--keep-intermediates"].map(str::to_owned).into();
    arguments.extend(of.output.into_iter().flat_map(|folder| ["--outdir".to_owned(), folder.to_owned()]));
    arguments.push(of.source());
    step(Stage::Latex, "tectonic", arguments)
}

/// The same for every engine. Restricted: TeX's own list of harmless programs, whatever the settings of the machine are.
fn engine_options() -> impl Iterator<Item = String> {
    ["-interaction=nonstopmode", "-file-line-error", "-synctex=1", "-shell-restricted"].into_iter().map(str::to_owned)
}

/// A program that does all of LaTeX, run again if something was computed after it.
fn around(plan: &mut BuildPlan, of: &Subject, latex: Step) {
    plan.steps.push(latex.clone());
    if compute(plan, of) {
        plan.steps.push(latex);
    }
}

/// The engine, then what reads its files, then the engine as long as it asks.
fn own_runs(plan: &mut BuildPlan, of: &Subject) {
    let mut arguments: Vec<String> = engine_options().collect();
    arguments.extend(of.output.map(|folder| format!("-output-directory={folder}")));
    arguments.push(of.source());
    let latex = step(Stage::Latex, plan.engine.program(), arguments);
    plan.steps.push(latex.clone());
    let computed = compute(plan, of);
    let helped = helpers(plan, of);
    if computed || helped {
        plan.steps.push(latex.clone());
    }
    plan.steps.extend(std::iter::repeat_n(Step { when: When::IfAsked, ..latex }, MOST_RUNS - 1));
}

/// Whether any code of the document is computed.
fn compute(plan: &mut BuildPlan, of: &Subject) -> bool {
    let before = plan.steps.len();
    if of.needs.sagetex {
        add(plan, of, Stage::Sagetex, "sage", of.written(".sagetex.sage"));
    }
    if of.needs.pythontex {
        add(plan, of, Stage::Pythontex, "pythontex", of.written(""));
    }
    if plan.steps.len() > before {
        plan.notes.push("Code in the document is run.".to_owned());
    }
    plan.steps.len() > before
}

fn helpers(plan: &mut BuildPlan, of: &Subject) -> bool {
    let before = plan.steps.len();
    for (stage, program) in helping(of) {
        let end = if stage == Stage::Index { ".idx" } else { "" };
        add(plan, of, stage, &program, of.written(end));
    }
    plan.steps.len() > before
}

/// latexmk runs them by itself, if they are there.
fn complain_of_helpers(plan: &mut BuildPlan, of: &Subject) {
    for (stage, program) in helping(of) {
        if !of.has(&program) {
            let (debian, macos) = installing(&program);
            plan.missing.push(missing(stage, &program, debian, macos));
        }
    }
}

fn helping(of: &Subject) -> Vec<(Stage, String)> {
    let mut found: Vec<_> =
        of.needs.bibliography.iter().map(|program| (Stage::Bibliography, program.clone())).collect();
    found.extend(of.needs.index.then(|| (Stage::Index, "makeindex".to_owned())));
    found.extend(of.needs.glossary.then(|| (Stage::Glossary, "makeglossaries".to_owned())));
    found
}

/// Adds a step, or says that its program is missing.
fn add(plan: &mut BuildPlan, of: &Subject, stage: Stage, program: &str, argument: String) {
    if of.has(program) {
        plan.steps.push(step(stage, program, [argument]));
    } else {
        let (debian, macos) = installing(program);
        plan.missing.push(missing(stage, program, debian, macos));
    }
}

fn step(stage: Stage, program: &str, arguments: impl Into<Vec<String>>) -> Step {
    Step { stage, program: program.to_owned(), arguments: arguments.into(), when: When::Always }
}

fn missing(stage: Stage, program: &str, debian: &str, macos: &str) -> Missing {
    Missing { stage, program: program.to_owned(), debian: debian.to_owned(), macos: macos.to_owned() }
}

/// How to install a program, on Debian and on macOS.
fn installing(program: &str) -> (&'static str, &'static str) {
    const MACTEX: &str = "brew install --cask mactex-no-gui";
    match program {
        "xelatex" => ("apt install texlive-xetex latexmk", MACTEX),
        "lualatex" => ("apt install texlive-luatex latexmk", MACTEX),
        "biber" => ("apt install biber", MACTEX),
        "makeglossaries" => ("apt install texlive-latex-extra", MACTEX),
        "Rscript" => ("apt install r-base-core r-cran-knitr", "brew install r, then install.packages(\"knitr\") in R"),
        "sage" => ("apt install sagemath", "brew install --cask sage"),
        "pythontex" => ("apt install texlive-extra-utils python3-pygments", MACTEX),
        "bibtex" | "makeindex" => ("apt install texlive-binaries", MACTEX),
        _ => ("apt install texlive-latex-recommended latexmk", MACTEX),
    }
}
