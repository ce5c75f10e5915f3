//! The document that a file belongs to, and how it would be built.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use aside_core::{Failure, LatexMissing, WorkspacePath};
use aside_latex::{
    BuildPlan, Engine, LATEXMKRC, Latexmkrc, Missing, PROGRAMS, PlanError, Programs, Stage, Step, Wishes, is_part,
    is_root, is_source, main_file, missing_root, plan,
};

use crate::{Workspace, WorkspaceError, process::find_program};

/// Files that are looked through for the main one, and bytes of each.
const MOST_SOURCES: usize = 2_000;
const MOST_SOURCE: u64 = 2 << 20;

/// Variables of a person's environment that are passed on to TeX.
const SEARCH_PATHS: [&str; 3] = ["TEXINPUTS", "BIBINPUTS", "BSTINPUTS"];

/// What a person wants of a build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LatexWishes {
    /// The main file; found from the other one if absent.
    pub main: Option<WorkspacePath>,
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
    /// Folders in which TeX and its programs look for files, by the variable that names them.
    pub(super) search: BTreeMap<String, Vec<String>>,
    /// Those of them outside the workspace that the person's own environment names.
    pub(super) outside: Vec<PathBuf>,
    /// The engine of the project's settings.
    usual: Option<Engine>,
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
    /// A file names a main file that is not there.
    #[error("`{path}` names `{root}` as its main file (`% !TEX root`), and there is no such file")]
    NoRoot {
        /// The file.
        path: WorkspacePath,
        /// The name, from the top of the workspace.
        root: String,
    },
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
            Self::NoMainFile(_) => new("no_main_file").hint(
                "name the main file: in the argument `main`, or in the first lines of this file as `% !TEX root = NAME.tex`",
            ),
            Self::NoRoot { .. } => {
                new("no_main_file").hint("correct the name, which starts from the file's own folder, or give `main`")
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
        let LatexWishes { engine, shell_escape, .. } = self.wishes;
        let wishes = Wishes { output: Some(output), engine, shell_escape, usual: self.usual };
        plan(self.main.name(), &self.text, &self.programs, &wishes)
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

/// The search paths of the environment that Aside was started in.
fn persons_search_paths() -> Vec<(String, Vec<String>)> {
    let folders = |value: &str| value.split(':').filter(|folder| !folder.is_empty()).map(str::to_owned).collect();
    let set = SEARCH_PATHS.iter().filter_map(|&variable| Some((variable.to_owned(), std::env::var(variable).ok()?)));
    set.map(|(variable, value)| (variable, folders(&value)))
        .filter(|(_, folders): &(_, Vec<_>)| !folders.is_empty())
        .collect()
}

/// The folder of a search path, if it is an absolute one that is there.
fn outside_folder(folder: &str) -> Option<PathBuf> {
    let path = PathBuf::from(folder.trim_start_matches("!!").trim_end_matches('/'));
    (path.is_absolute() && path.is_dir()).then_some(path)
}

/// Tells whether a file may be a part of a LaTeX document, by its name.
pub(super) fn is_latex(path: &WorkspacePath) -> bool {
    is_source(path.as_str()) || is_part(path.as_str())
}

impl Workspace {
    /// Finds the document that a file belongs to, and how it would be built with the programs that are there.
    pub fn latex_document(&self, path: &WorkspacePath, wishes: LatexWishes) -> Result<LatexDocument, LatexError> {
        if wishes.main.is_none() && !is_latex(path) {
            return Err(LatexError::NotLatex(path.clone()));
        }
        let (main, text) = match &wishes.main {
            Some(main) if !is_root(main.as_str()) => return Err(LatexError::NotLatex(main.clone())),
            Some(main) => {
                let main = self.real_path(main)?;
                let text = self.latex_text(&main)?;
                (main, Arc::from(text))
            }
            None => self.main_of(path)?,
        };
        let programs: Programs =
            PROGRAMS.iter().filter(|name| find_program(name).is_some()).map(|name| (*name).to_owned()).collect();
        let settings = self.latexmkrc(&main);
        let usual = settings.as_ref().and_then(|(_, settings)| settings.engine);
        let LatexWishes { engine, shell_escape, .. } = wishes;
        let mut shown = plan(main.name(), &text, &programs, &Wishes { output: None, engine, shell_escape, usual })?;
        shown.notes.extend(settings.as_ref().map(|(name, settings)| settings.note(name)));
        let mut search = settings.map(|(_, settings)| settings.paths).unwrap_or_default();
        let mut outside = Vec::new();
        for (variable, folders) in persons_search_paths() {
            outside.extend(folders.iter().filter_map(|folder| outside_folder(folder)));
            shown.notes.push(format!("{variable} of your environment counts: {}.", folders.join(":")));
            search.entry(variable).or_default().extend(folders);
        }
        Ok(LatexDocument { main, wishes, text, programs, search, outside, usual, shown })
    }

    /// The main file of the document that a file belongs to, with its text.
    fn main_of(&self, path: &WorkspacePath) -> Result<(WorkspacePath, Arc<str>), LatexError> {
        let real = self.real_path(path)?;
        let mut sources = self.latex_sources(&real)?;
        let Some(main) = main_file(real.as_str(), &sources).map(str::to_owned) else {
            return Err(match missing_root(real.as_str(), &sources) {
                Some(root) => LatexError::NoRoot { path: path.clone(), root },
                None => LatexError::NoMainFile(path.clone()),
            });
        };
        let text = sources.remove(&main).unwrap_or_default();
        Ok((WorkspacePath::new(&main).expect("it is one of the workspace's paths"), text.into()))
    }

    /// The settings for latexmk beside a main file, and the name of their file.
    fn latexmkrc(&self, main: &WorkspacePath) -> Option<(&'static str, Latexmkrc)> {
        LATEXMKRC.into_iter().find_map(|name| {
            let path = main.parent().map_or_else(|| name.to_owned(), |folder| format!("{folder}/{name}"));
            let text = self.latex_text(&WorkspacePath::new(&path).ok()?).ok()?;
            Some((name, Latexmkrc::read(&text)))
        })
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
