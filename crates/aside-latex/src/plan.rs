//! How to build a document: with which engine, which programs in which order, and what is missing. Nothing is run here.
//!
//! A document gets no shell unless a person wants it: `\write18` is held to TeX's own short list of programs. latexmk never
//! runs settings from the workspace, since those are programs; plain ones are read from them.

mod latexmkrc;
mod main_file;
mod needs;
mod scan;
mod steps;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use self::scan::DocumentEngine;
pub use latexmkrc::{LATEXMKRC, Latexmkrc, is_search_path};
pub use main_file::{is_root, main_file, missing_root};
pub use needs::{Needs, needs};

/// A program that sets a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// The default.
    Pdflatex,
    /// For Unicode and the fonts of the system.
    Xelatex,
    /// The same, with Lua.
    Lualatex,
}

impl Engine {
    /// The name of its program.
    pub fn program(self) -> &'static str {
        match self {
            Self::Pdflatex => "pdflatex",
            Self::Xelatex => "xelatex",
            Self::Lualatex => "lualatex",
        }
    }
}

/// A part of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// R code in the document becomes text.
    Knitr,
    /// Setting the document, and all that latexmk or tectonic does around it.
    Latex,
    /// Sage code of the document is computed.
    Sagetex,
    /// Python code of the document is computed.
    Pythontex,
    /// The bibliography.
    Bibliography,
    /// The index.
    Index,
    /// The glossary.
    Glossary,
}

impl Stage {
    /// Its name, for people and models.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Knitr => "knitr",
            Self::Latex => "latex",
            Self::Sagetex => "sagetex",
            Self::Pythontex => "pythontex",
            Self::Bibliography => "bibliography",
            Self::Index => "index",
            Self::Glossary => "glossary",
        }
    }

    /// Tells whether code of the document runs.
    pub const fn is_code(self) -> bool {
        matches!(self, Self::Knitr | Self::Sagetex | Self::Pythontex)
    }

    /// Tells whether its programs run beside what is written and not in the folder of the main file: SageTeX looks for
    /// what LaTeX wrote for it, and leaves what it computed, where it runs.
    pub const fn runs_in_output(self) -> bool {
        matches!(self, Self::Sagetex)
    }
}

/// When a step is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// Always.
    Always,
    /// If the log of the step before asks for one more run.
    IfAsked,
}

/// One program to run, in the folder of the main file unless its stage says otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What it is for.
    pub stage: Stage,
    /// The program, to be found on the path.
    pub program: String,
    /// Its arguments, one by one: no shell reads them.
    pub arguments: Vec<String>,
    /// When it is run.
    pub when: When,
}

/// A program that a document needs and that is not there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// What it is needed for.
    pub stage: Stage,
    /// The program.
    pub program: String,
    /// How to install it on Debian and its kin.
    pub debian: String,
    /// How to install it on macOS.
    pub macos: String,
    /// How to install it on Windows.
    pub windows: String,
}

/// How to build a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildPlan {
    /// The engine; tectonic is always XeTeX.
    pub engine: Engine,
    /// Why this engine, in words.
    pub because: String,
    /// What to run, in order. Empty if nothing can be built.
    pub steps: Vec<Step>,
    /// What is missing. Without the `latex` stage nothing is built; the others leave `??` or old results in the document.
    pub missing: Vec<Missing>,
    /// Folders to make in the output folder before, for chapters that are in folders.
    pub folders: Vec<String>,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// Why no plan can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// TeX reads such a name as commands.
    #[error("`{0}` can't be the name of a LaTeX document: TeX reads {1:?} in it as a command")]
    Name(String, char),
    /// Nothing to build.
    #[error("`{0}` has no name that ends in .tex, .ltx, .Rnw or .Rtex")]
    NotLatex(String),
}

/// The programs of a plan, one for each stage, that were found on the path.
pub type Programs = BTreeSet<String>;

/// The names to look for on the path before a plan is made.
pub const PROGRAMS: [&str; 12] = [
    "latexmk",
    "tectonic",
    "pdflatex",
    "xelatex",
    "lualatex",
    "bibtex",
    "biber",
    "makeindex",
    "makeglossaries",
    "Rscript",
    "sage",
    "pythontex",
];

/// What is wanted of a build beside what the document says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wishes<'a> {
    /// The folder for everything that is written, absolute or from the main file's; beside the main file if absent.
    pub output: Option<&'a str>,
    /// The engine; the one that the document asks for if absent.
    pub engine: Option<Engine>,
    /// The document may run any program (`\write18`).
    pub shell_escape: bool,
    /// The engine that the project's settings name, for a document that asks for none.
    pub usual: Option<Engine>,
}

/// How to build the main file `name` (within its folder) with this text and the programs that are there.
pub fn plan(name: &str, text: &str, programs: &Programs, wishes: &Wishes) -> Result<BuildPlan, PlanError> {
    let stem = stem(name)?;
    let needs = needs(name, text);
    let (engine, because) = match wishes.engine {
        Some(engine) => (engine, "you chose it".to_owned()),
        None => match (scan::engine(text), wishes.usual) {
            (DocumentEngine::Nothing, Some(engine)) => (engine, "the project's latexmkrc names it".to_owned()),
            (DocumentEngine::Nothing, None) => (Engine::Pdflatex, "the document asks for no other engine".to_owned()),
            (DocumentEngine::For(engine, because), _) => (engine, because),
        },
    };
    let mut plan =
        BuildPlan { engine, because, steps: Vec::new(), missing: Vec::new(), folders: Vec::new(), notes: Vec::new() };
    plan.folders = if wishes.output.is_some() { scan::folders(text) } else { Vec::new() };
    steps::fill(&mut plan, &steps::Subject { name, stem, needs: &needs, programs, wishes });
    plan.notes.extend(shell_note(wishes.shell_escape, needs.shell).map(str::to_owned));
    Ok(plan)
}

fn shell_note(allowed: bool, needed: bool) -> Option<&'static str> {
    match (allowed, needed) {
        (true, _) => Some("Shell escape is on: the document can run any program."),
        (false, true) => Some(
            "A package of this document wants to run programs (shell escape). That is not allowed, so it will fail.",
        ),
        (false, false) => None,
    }
}

fn stem(name: &str) -> Result<&str, PlanError> {
    if let Some(sign) = name.chars().find(|&sign| "\\%$#{}\"~&^|`".contains(sign) || sign.is_control()) {
        return Err(PlanError::Name(name.to_owned(), sign));
    }
    match name.rsplit_once('.') {
        Some((stem, _)) if is_source(name) && !stem.is_empty() && !stem.ends_with('/') => Ok(stem),
        _ => Err(PlanError::NotLatex(name.to_owned())),
    }
}

/// Tells whether a file is a text that LaTeX sets, by its name.
pub fn is_source(path: &str) -> bool {
    ends_in(path, &["tex", "ltx", "rnw", "rtex"])
}

/// Tells whether a file is a bibliography, a package or a class, by its name: it may belong to a document.
pub fn is_part(path: &str) -> bool {
    ends_in(path, &["bib", "sty", "cls"])
}

fn ends_in(path: &str, known: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, end)| known.iter().any(|one| end.eq_ignore_ascii_case(one)))
}

#[cfg(test)]
mod tests;
