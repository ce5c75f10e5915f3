//! Formats a text with a program that is installed: the text goes in at one end and comes out at the other. The program
//! sees the workspace, where its settings are, and writes nothing in it.

use std::{fs, io, path::PathBuf, time::Duration};

use aside_core::{Failure, Formatter, WorkspacePath};

use crate::{
    MOST_TEXT, Workspace, WorkspaceError,
    process::{CommandEnd, CommandLine, Limits, ProcessError, Stop, find_program},
    scratch::{Scratch, read_plain},
};

/// How much a formatter may use.
const LIMITS: Limits = Limits {
    time: Duration::from_secs(30),
    memory: 2 << 30,
    processes: 64,
    file: 64 << 20,
    disk: 128 << 20,
    ..Limits::COMMAND
};
/// Characters of its complaint that are told.
const MOST_SAID: usize = 1_500;
/// Connects the ends: the text's file, the result's file, then the program with its arguments.
const CONNECT: &str = "text=$1 result=$2; shift 2; exec \"$@\" <\"$text\" >\"$result\"";

/// A formatter that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFormatter {
    /// What the table says of it.
    pub formatter: Formatter,
    /// Where it is.
    pub program: PathBuf,
    /// What it is called: its path, if it came with the workspace.
    pub name: String,
}

/// Why a text was not formatted.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// No program that formats such files is known.
    #[error("no formatter is known for `{0}`")]
    NoFormatter(WorkspacePath),
    /// None of those that are known is installed.
    #[error("`{path}` can't be formatted: {} is not installed", names(known))]
    NotInstalled {
        /// The file.
        path: WorkspacePath,
        /// Those that are known, the best first.
        known: &'static [Formatter],
    },
    /// It did not like the text, or took too much.
    #[error("{program} could not format `{path}`: {said}")]
    Refused {
        /// The file.
        path: WorkspacePath,
        /// The program.
        program: String,
        /// Its last words, or why it was ended.
        said: String,
    },
    /// A person stopped it.
    #[error("formatting `{0}` was stopped")]
    Stopped(WorkspacePath),
    /// It could not be started.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The files.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
}

impl FormatError {
    /// Returns the error as a value for people, models and programs.
    pub fn failure(&self) -> Failure {
        let new = |code: &str| Failure::new(code, self.to_string());
        match self {
            Self::NoFormatter(_) => new("no_formatter"),
            Self::NotInstalled { known, .. } => {
                let ways = known.iter().map(|one| format!("to get {}: {}", one.program, one.install));
                new("no_formatter").hint(ways.collect::<Vec<_>>().join("; "))
            }
            Self::Refused { .. } => new("not_formatted").hint("fix the syntax errors in the file first"),
            Self::Stopped(_) => new("stopped"),
            Self::Process(_) => new("not_started"),
            Self::Workspace(error) => error.failure(),
        }
    }
}

impl Workspace {
    /// Returns the best formatter for a file among those that are installed: what the project it belongs to was set up with
    /// goes before what is on this machine.
    pub fn formatter_of(&self, path: &WorkspacePath) -> Result<FoundFormatter, FormatError> {
        let known = self.file_kind(path).map_or(&[][..], |kind| kind.facts().formatters);
        let folder = path.parent();
        let found = |formatter: &Formatter, program: PathBuf| {
            let name = self.program_name(&program);
            FoundFormatter { formatter: *formatter, program, name }
        };
        let own = known.iter().find_map(|one| Some(found(one, self.find_own_program(folder.as_ref(), one.program)?)));
        let of_machine = || known.iter().find_map(|one| Some(found(one, find_program(one.program)?)));
        own.or_else(of_machine).ok_or_else(|| match known {
            [] => FormatError::NoFormatter(path.clone()),
            _ => FormatError::NotInstalled { path: path.clone(), known },
        })
    }

    /// Returns a text as a formatter would have it. Blocks until the program's end.
    pub fn format(
        &self,
        path: &WorkspacePath,
        text: &str,
        found: &FoundFormatter,
        stop: &Stop,
    ) -> Result<String, FormatError> {
        let failed = |source| WorkspaceError::Io { attempt: "format", path: path.to_string(), source };
        let scratch = Scratch::make("aside-format-").map_err(failed)?;
        let ends = Ends::put(&scratch, text).map_err(failed)?;
        let line = CommandLine {
            limits: LIMITS,
            write: vec![ends.folder.clone()],
            read_only: true,
            ..CommandLine::new(ends.argv(path, found), &self.folder_of_command(path.parent().as_ref())?)
        };
        let finished = self.processes().run(&line, stop, |_| ())?;
        let refused = |said: String| FormatError::Refused { path: path.clone(), program: found.name.clone(), said };
        match (finished.why, finished.status) {
            (CommandEnd::Stopped, _) => return Err(FormatError::Stopped(path.clone())),
            (CommandEnd::Exited, Some(0)) => {}
            (CommandEnd::Exited, _) => return Err(refused(last_words(&finished.output.bytes()))),
            (CommandEnd::TimedOut, _) => return Err(refused("it took longer than 30 s".to_owned())),
            _ => return Err(refused("it exceeded its limits".to_owned())),
        }
        let result = read_plain(&ends.result, MOST_TEXT + 1).unwrap_or_default();
        match String::from_utf8(result) {
            Ok(result) if result.len() as u64 > MOST_TEXT => Err(refused("its output is too large".to_owned())),
            Ok(result) if result.trim().is_empty() && !text.trim().is_empty() => {
                Err(refused("it produced no output".to_owned()))
            }
            Ok(result) => Ok(result),
            Err(_) => Err(refused("its output is not UTF-8".to_owned())),
        }
    }
}

/// Where the text goes in and comes out.
struct Ends {
    folder: PathBuf,
    text: PathBuf,
    result: PathBuf,
}

impl Ends {
    #[expect(clippy::disallowed_methods, reason = "a temporary folder of our own")]
    fn put(scratch: &Scratch, text: &str) -> io::Result<Self> {
        let folder = scratch.path()?.join("ends");
        fs::create_dir(&folder)?;
        let ends = Self { text: folder.join("text"), result: folder.join("result"), folder };
        fs::write(&ends.text, text)?;
        Ok(ends)
    }

    fn argv(&self, path: &WorkspacePath, found: &FoundFormatter) -> Vec<String> {
        let connect = ["/bin/sh", "-c", CONNECT, "format"].map(str::to_owned);
        let ends = [&self.text, &self.result, &found.program].map(|path| path.display().to_string());
        let arguments = found.formatter.args.iter().map(|argument| argument.replace("{path}", path.name()));
        connect.into_iter().chain(ends).chain(arguments).collect()
    }
}

fn names(known: &[Formatter]) -> String {
    known.iter().map(|one| one.program).collect::<Vec<_>>().join(" or ")
}

fn last_words(output: &[u8]) -> String {
    let said = crate::process::plain_text(output);
    let said = said.trim();
    let skipped = said.chars().count().saturating_sub(MOST_SAID);
    match said.is_empty() {
        true => "no reason given".to_owned(),
        false => said.chars().skip(skipped).collect(),
    }
}
