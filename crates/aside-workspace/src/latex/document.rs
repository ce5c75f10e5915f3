//! The document that a file belongs to, and how it would be built.

use std::{collections::BTreeMap, sync::Arc};

use aside_core::{Failure, LatexMissing, WorkspacePath};
use aside_latex::{
    BuildPlan, Engine, Missing, PROGRAMS, PlanError, Programs, Stage, Step, Wishes, is_part, is_source, main_file, plan,
};

use crate::{Workspace, WorkspaceError, process::find_program};

/// Files that are looked through for the main one, and bytes of each.
const MOST_SOURCES: usize = 2_000;
const MOST_SOURCE: u64 = 2 << 20;

/// What a person wants of a build.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LatexWishes {
    /// The engine; the document's own if absent.
    pub engine: Option<Engine>,
    /// The document may run any program.
    pub shell_escape: bool,
}

/// A document, and how it would be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LatexDocument {
    /// The main file, links followed.
    pub main: WorkspacePath,
    pub(super) wishes: LatexWishes,
    pub(super) text: Arc<str>,
    pub(super) programs: Programs,
    shown: BuildPlan,
}

/// Why a file can't be built.
#[derive(Debug, thiserror::Error)]
pub enum LatexError {
    /// It is no LaTeX file.
    #[error("`{0}` is not a LaTeX file: its name does not end in .tex, .ltx, .Rnw, .Rtex, .bib, .sty or .cls")]
    NotLatex(WorkspacePath),
    /// No file of the workspace begins the document it belongs to.
    #[error("no main file was found for `{0}`: no file with \\documentclass includes it")]
    NoMainFile(WorkspacePath),
    /// TeX could not read its name.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// No program that sets it is there.
    #[error("`{main}` can't be built: {} is not installed", missing.program)]
    NoTex {
        /// The main file.
        main: WorkspacePath,
        /// What is missing.
        missing: Box<LatexMissing>,
    },
    /// Nothing is known of its pages.
    #[error("`{0}` has not been built, so its line positions are unknown")]
    NotBuilt(WorkspacePath),
    /// A program could not be started.
    #[error(transparent)]
    Process(#[from] crate::process::ProcessError),
    /// The files.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
}

impl LatexError {
    /// Returns the error as a value for people, models and programs.
    pub fn failure(&self) -> Failure {
        let new = |code: &str| Failure::new(code, self.to_string());
        match self {
            Self::NotLatex(_) => new("not_latex").hint("give a .tex file"),
            Self::NoMainFile(_) => {
                new("no_main_file").hint("add `% !TEX root = main.tex` to its first lines, or name the main file")
            }
            Self::Plan(_) => new("bad_name").hint("rename the file"),
            Self::NoTex { missing, .. } => new("no_tex").hint(format!(
                "Debian, Ubuntu: {}; macOS: {}; Windows: {}",
                missing.debian, missing.macos, missing.windows
            )),
            Self::NotBuilt(_) => new("not_built").hint("build it first"),
            Self::Process(_) => new("not_started"),
            Self::Workspace(error) => error.failure(),
        }
    }
}

impl From<LatexError> for Failure {
    fn from(error: LatexError) -> Self {
        error.failure()
    }
}

impl LatexDocument {
    /// The programs as one line that a shell would read, without the folder that their files go to.
    pub fn line(&self) -> String {
        let steps = self.shown.steps.iter().filter(|step| step.when == aside_latex::When::Always);
        steps.map(line_of).collect::<Vec<_>>().join(" && ")
    }

    /// The program that sets it, in words.
    pub fn engine(&self) -> &'static str {
        self.shown.engine.program()
    }

    /// Why this engine.
    pub fn because(&self) -> &str {
        &self.shown.because
    }

    /// Tells whether code in the document is run beside TeX's own.
    pub fn runs_code(&self) -> bool {
        self.wishes.shell_escape || self.shown.steps.iter().any(|step| step.stage.is_code())
    }

    /// What a person should know before.
    pub fn notes(&self) -> &[String] {
        &self.shown.notes
    }

    /// The programs that are not there.
    pub fn missing(&self) -> Vec<LatexMissing> {
        self.shown.missing.iter().map(|missing| told(missing, self.shown.steps.is_empty())).collect()
    }

    /// An error if nothing can be built.
    pub fn check(&self) -> Result<(), LatexError> {
        let missing = self.missing().into_iter().find(|missing| missing.required);
        match missing {
            Some(missing) => Err(LatexError::NoTex { main: self.main.clone(), missing: Box::new(missing) }),
            None => Ok(()),
        }
    }

    /// The plan with the folder that the programs write to.
    pub(super) fn plan(&self, output: &str) -> Result<BuildPlan, PlanError> {
        let LatexWishes { engine, shell_escape } = self.wishes;
        plan(self.main.name(), &self.text, &self.programs, &Wishes { output: Some(output), engine, shell_escape })
    }
}

fn told(missing: &Missing, nothing_runs: bool) -> LatexMissing {
    LatexMissing {
        program: missing.program.clone(),
        required: nothing_runs && matches!(missing.stage, Stage::Latex | Stage::Knitr),
        debian: missing.debian.clone(),
        macos: missing.macos.clone(),
        windows: missing.windows.clone(),
    }
}

/// A step as a shell would read it.
pub(super) fn line_of(step: &Step) -> String {
    let words = std::iter::once(&step.program).chain(&step.arguments).map(|word| quoted(word));
    words.collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |sign: char| sign.is_ascii_alphanumeric() || "-_=./+,:@".contains(sign);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Tells whether a file may be a part of a LaTeX document, by its name.
pub(super) fn is_latex(path: &WorkspacePath) -> bool {
    is_source(path.as_str()) || is_part(path.as_str())
}

impl Workspace {
    /// Finds the document that a file belongs to, and how it would be built with the programs that are there.
    pub fn latex_document(&self, path: &WorkspacePath, wishes: LatexWishes) -> Result<LatexDocument, LatexError> {
        if !is_latex(path) {
            return Err(LatexError::NotLatex(path.clone()));
        }
        let real = self.real_path(path)?;
        let sources = self.latex_sources(&real)?;
        let main = main_file(real.as_str(), &sources).ok_or_else(|| LatexError::NoMainFile(path.clone()))?;
        let programs: Programs =
            PROGRAMS.iter().filter(|name| find_program(name).is_some()).map(|name| (*name).to_owned()).collect();
        let main_path = WorkspacePath::new(main).expect("it is one of the workspace's paths");
        let text: Arc<str> = sources[main].as_str().into();
        let LatexWishes { engine, shell_escape } = wishes;
        let shown = plan(main_path.name(), &text, &programs, &Wishes { output: None, engine, shell_escape })?;
        Ok(LatexDocument { main: main_path, wishes, text, programs, shown })
    }

    /// The LaTeX files by their paths; the one that is asked about has to be readable.
    fn latex_sources(&self, asked: &WorkspacePath) -> Result<BTreeMap<String, String>, WorkspaceError> {
        let mut sources = BTreeMap::from([(asked.as_str().to_owned(), self.latex_text(asked)?)]);
        // A bibliography reads nothing.
        let may_read =
            |path: &WorkspacePath| is_latex(path) && !matches!(path.as_str().rsplit_once('.'), Some((_, "bib")));
        let names = self.names().paths.into_iter().filter(may_read).take(MOST_SOURCES);
        for path in names {
            // One that can't be read is nobody's main file.
            if let Ok(text) = self.latex_text(&path) {
                sources.insert(path.as_str().to_owned(), text);
            }
        }
        Ok(sources)
    }

    /// A source as it is now, in the editor if it is open there.
    pub(super) fn latex_text(&self, path: &WorkspacePath) -> Result<String, WorkspaceError> {
        match self.open_document(path) {
            Some(document) => Ok(document.text().to_string()),
            None => Ok(String::from_utf8_lossy(&self.read_file(path, MOST_SOURCE)?).into_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_what_a_shell_would_read() {
        assert_eq!(quoted("-norc"), "-norc");
        assert_eq!(quoted("it's (2).tex"), "'it'\\''s (2).tex'");
        assert_eq!(quoted(""), "''");
    }
}
