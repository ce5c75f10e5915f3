//! What cells hold. The format knows code, Markdown and raw; what is more is a code cell whose metadata says so, so that
//! every program reads the file, and keeps what the cell has put out.
//!
//! ```text
//! {"cell_type": "code", "metadata": {"aside": {"cell": "ai"}}, …}
//! ```

use crate::{Member, Raw};

/// The part of a cell's metadata that is ours.
pub const OURS: &str = "aside";
/// The member of it that says the kind.
const KIND: &str = "cell";

/// The member of it by which a person keeps the cell from models, and the word for the same that other programs know, beside
/// it in the metadata.
const HIDDEN: &str = "ai_hidden";
/// See [`is_hidden`].
pub const VISIBLE: &str = "aiContextVisible";

/// The member of ours, of a notebook's metadata or of an AI cell's, that says what models are told beside the cells above the
/// question: `notebook` for all cells, `above` for no others. The cell's word goes before the notebook's.
const CONTEXT: &str = "ai_context";

/// Tells whether a metadata's part of ours wants models to be told of the whole notebook; none if it says nothing of that.
pub fn wants_whole_notebook(ours: Option<&str>) -> Option<bool> {
    match ours.and_then(|ours| Raw::parse(ours).ok()?.get(CONTEXT)?.text())?.as_str() {
        "notebook" => Some(true),
        "above" => Some(false),
        _ => None,
    }
}

/// Tells whether a person keeps a cell from models: its source, what it put out, and that it is there. `visible` and `ours`
/// are [`VISIBLE`] and [`OURS`] of its metadata, as JSON text.
pub fn is_hidden(visible: Option<&str>, ours: Option<&str>) -> bool {
    let says = |text: &str, word: &str| text.trim() == word;
    let ours = ours.and_then(|ours| Raw::parse(ours).ok()?.get(HIDDEN));
    visible.is_some_and(|visible| says(visible, "false")) || ours.is_some_and(|hidden| says(hidden.as_str(), "true"))
}

/// What a cell holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// Something to run.
    Code,
    /// Text.
    Markdown,
    /// Text that stays as it is, also when the notebook is converted.
    Raw,
    /// Something to say to a model; what it put out is the model's answer. Code, for the format.
    Ai,
    /// Questions to a database, which the kernel asks. Code, for the format.
    Sql,
    /// What the format doesn't know, by its name there; kept, not shown as more than its source.
    Other(String),
}

impl CellKind {
    /// Returns the kind of this name.
    pub fn of(name: &str) -> Self {
        match name {
            "ai" => Self::Ai,
            "sql" => Self::Sql,
            name => Self::of_format(name),
        }
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        match self {
            Self::Ai => "ai",
            Self::Sql => "sql",
            other => other.in_format(),
        }
    }

    /// Returns the kind that the format's name and [`OURS`] of the metadata, as JSON text, say together.
    pub fn read(in_format: &str, ours: Option<&str>) -> Self {
        let kind = Self::of_format(in_format);
        let marked = ours.filter(|_| kind == Self::Code).and_then(|ours| Raw::parse(ours).ok()?.get(KIND)?.text());
        match marked.as_deref() {
            Some("ai") => Self::Ai,
            Some("sql") => Self::Sql,
            _ => kind,
        }
    }

    /// Returns its name in the format.
    pub fn in_format(&self) -> &str {
        match self {
            Self::Code | Self::Ai | Self::Sql => "code",
            Self::Markdown => "markdown",
            Self::Raw => "raw",
            Self::Other(name) => name,
        }
    }

    /// Returns what [`OURS`] of the metadata is for a cell of this kind that has this now, each as JSON text; nothing if
    /// there is nothing to say.
    pub fn marked(&self, ours: Option<&str>) -> Option<String> {
        let known = ours.and_then(|ours| Raw::parse(ours).ok());
        // What is no object has no room for a kind, and stays unless it is in the way of one.
        let members = known.as_ref().map_or(Some(Vec::new()), Raw::members);
        let mark = matches!(self, Self::Ai | Self::Sql).then(|| self.name());
        let now = known.as_ref().and_then(|known| known.get(KIND)?.text());
        if now.as_deref() == mark {
            return ours.map(str::to_owned);
        }
        let Some(mut members) = members.or(mark.map(|_| Vec::new())) else { return ours.map(str::to_owned) };
        members.retain(|member| member.name != KIND);
        if let Some(mark) = mark {
            members.push(Member { name: KIND.to_owned(), value: Raw::of_text(mark) });
        }
        (!members.is_empty()).then(|| Raw::of_members(&members).as_str().to_owned())
    }

    /// Tells whether cells of this kind are run, and have outputs.
    pub fn has_outputs(&self) -> bool {
        self.in_format() == "code"
    }

    fn of_format(name: &str) -> Self {
        match name {
            "code" => Self::Code,
            "markdown" => Self::Markdown,
            "raw" => Self::Raw,
            other => Self::Other(other.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_of_ours_is_code_that_says_so() {
        for (in_format, ours, kind) in [
            ("code", None, CellKind::Code),
            ("code", Some(r#"{"cell":"ai"}"#), CellKind::Ai),
            ("code", Some(r#"{ "x": 1e400, "cell": "sql" }"#), CellKind::Sql),
            ("code", Some(r#"{"cell":"chart"}"#), CellKind::Code),
            ("code", Some(r#"["ai"]"#), CellKind::Code),
            ("code", Some("no JSON"), CellKind::Code),
            ("markdown", Some(r#"{"cell":"ai"}"#), CellKind::Markdown),
            ("ai", None, CellKind::Other("ai".into())),
        ] {
            assert_eq!(CellKind::read(in_format, ours), kind, "{in_format} {ours:?}");
        }
    }

    #[test]
    fn a_cell_is_hidden_by_either_word() {
        for (visible, ours, hidden) in [
            (None, None, false),
            (Some("false"), None, true),
            (Some("true"), Some(r#"{"ai_hidden":false}"#), false),
            (None, Some(r#"{"cell":"ai", "ai_hidden": true }"#), true),
            (Some("no JSON"), Some("no JSON"), false),
        ] {
            assert_eq!(is_hidden(visible, ours), hidden, "{visible:?} {ours:?}");
        }
    }

    #[test]
    fn only_what_says_the_kind_is_written_and_goes_with_it() {
        let marked = |kind: CellKind, ours| kind.marked(ours);
        assert_eq!(marked(CellKind::Ai, None).as_deref(), Some(r#"{"cell":"ai"}"#));
        assert_eq!(
            marked(CellKind::Sql, Some(r#"{"x":1e400,"cell":"ai"}"#)).as_deref(),
            Some(r#"{"x":1e400,"cell":"sql"}"#)
        );
        assert_eq!(marked(CellKind::Ai, Some("[1]")).as_deref(), Some(r#"{"cell":"ai"}"#));
        assert_eq!(marked(CellKind::Code, Some(r#"{"cell":"ai"}"#)), None);
        assert_eq!(marked(CellKind::Code, Some(r#"{"cell":"ai","x":1}"#)).as_deref(), Some(r#"{"x":1}"#));
        for same in [r#"{ "cell" : "ai" }"#, r#"{"cell": "ai", "x": 1.0}"#] {
            assert_eq!(marked(CellKind::Ai, Some(same)).as_deref(), Some(same));
        }
        for same in ["{}", "[1]", r#"{"x": 1}"#] {
            assert_eq!(marked(CellKind::Code, Some(same)).as_deref(), Some(same));
        }
        assert_eq!(marked(CellKind::Markdown, None), None);
    }
}
