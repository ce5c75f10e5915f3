//! One thing that went wrong in a build, as a person, a gutter and a prompt need it.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// One error, warning or note of a build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// How grave it is.
    pub severity: Severity,
    /// What it is about.
    pub kind: ProblemKind,
    /// The program that said it.
    pub tool: Tool,
    /// What it means, in plain words.
    pub message: String,
    /// The program's own words, on one line, cut at 500 bytes.
    pub said: String,
    /// The file, as the log names it, without a leading `./`. None where the log does not say; of PythonTeX, which names
    /// none, it is the document.
    pub file: Option<String>,
    /// The line, from 1. TeX may notice a fault a line late.
    pub line: Option<u32>,
    /// The last line, where a range was said.
    pub end_line: Option<u32>,
    /// The text up to the place where the program stopped reading; what was read for too long, of a runaway argument.
    pub near: Option<String>,
    /// The bytes of the log this was read from.
    pub raw: Range<usize>,
}

/// How grave a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Something in the document is broken.
    Error,
    /// The result is not what was meant.
    Warning,
    /// A matter of looks, or of one more run.
    Note,
}

/// The program that said it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    /// Any engine: pdfTeX, XeTeX, LuaTeX, tectonic.
    Tex,
    /// BibTeX.
    Bibtex,
    /// Biber.
    Biber,
    /// makeindex and its kin.
    Makeindex,
    /// latexmk itself.
    Latexmk,
    /// knitr, with what R says.
    Knitr,
    /// PythonTeX, with what Python says.
    Pythontex,
    /// SageTeX, with what Sage says.
    Sagetex,
}

/// What a problem is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    /// A command nobody defined.
    UndefinedCommand,
    /// An environment nobody defined.
    UndefinedEnvironment,
    /// A command or label that is defined already.
    AlreadyDefined,
    /// A command where it can't be.
    MisplacedCommand,
    /// A parameter that a definition does not have.
    Parameter,
    /// Math outside `$…$`, or math that isn't closed.
    MissingMath,
    /// A math delimiter where it can't be.
    MisplacedMath,
    /// `\left` and `\right` that don't fit.
    Delimiter,
    /// Two superscripts or subscripts on one thing.
    DoubleScript,
    /// A brace that isn't closed.
    MissingBrace,
    /// A brace too many.
    ExtraBrace,
    /// An argument that never ends.
    Runaway,
    /// `\begin` and `\end` that don't fit.
    UnmatchedEnvironment,
    /// `&`, `\\` or a line of a table where they can't be.
    Alignment,
    /// `\verb` where it can't be.
    Verb,
    /// A character that the engine can't set.
    Unicode,
    /// A list without `\item`, or an `\item` without a list.
    MissingItem,
    /// Lists within lists, too many.
    Nesting,
    /// A number or a length that is none.
    Number,
    /// A number or a length that is too large.
    TooLarge,
    /// TeX has no room left, mostly because something calls itself.
    Capacity,
    /// Nothing to end, or no page to end.
    NoLine,
    /// A figure or table where it can't be.
    Float,
    /// A file that isn't there.
    MissingFile,
    /// A package or class that isn't installed.
    MissingPackage,
    /// A font that isn't installed.
    MissingFont,
    /// An option or a key that isn't known.
    BadOption,
    /// Another engine is needed.
    Engine,
    /// Lua code that failed.
    Lua,
    /// What a package says that is none of the others.
    Package,
    /// A reference to nothing.
    UndefinedReference,
    /// A citation of nothing.
    UndefinedCitation,
    /// A label that is there twice.
    DuplicateLabel,
    /// A box that is too wide or too high.
    Overfull,
    /// A box that is too empty.
    Underfull,
    /// A character that the font has not.
    MissingCharacter,
    /// One more run is needed.
    Rerun,
    /// A fault in a bibliography.
    Bibliography,
    /// A fault in an index.
    Index,
    /// Code of the document that failed.
    Code,
    /// The run ended early.
    Stopped,
    /// Anything else.
    Other,
}

/// The problem to begin with: the first error, else the first warning. The end of a run is the consequence of another, so it
/// comes last.
pub fn first(problems: &[Problem]) -> Option<&Problem> {
    let rank = |problem: &&Problem| (problem.severity, problem.kind == ProblemKind::Stopped);
    problems.iter().min_by_key(rank)
}
