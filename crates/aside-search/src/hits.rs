//! Places as a search shows them.

use std::ops::Range;

use aside_store::sql::{Connection, Error, OptionalExtension as _, Row};
use serde::Serialize;

use crate::{SearchError, excerpt::excerpt, lexical::Ranked, schema::SEPARATOR};

/// Why a hit was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// By its words.
    Words,
    /// By its meaning.
    Meaning,
    /// By both.
    Both,
}

/// A place that was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hit {
    /// The document.
    pub path: String,
    /// Its kind.
    pub kind: String,
    /// Its title.
    pub title: String,
    /// The line, from 1; in a notebook the cell.
    pub line: u32,
    /// The headings above it.
    pub headings: Vec<String>,
    /// An excerpt.
    pub text: String,
    /// Bytes of `text` that were found.
    pub marks: Vec<Range<usize>>,
    /// Why.
    pub why: Why,
}

/// Reads a piece as a hit; none if it is not there any more.
pub fn hit(tables: &Connection, piece: i64, why: Why, found: &Ranked) -> Result<Option<Hit>, SearchError> {
    let mut read = tables.prepare_cached(
        "SELECT document.path, document.kind, document.title, chunk.line, chunk.headings, chunk.text, chunk.text_line, chunk.end
         FROM chunk JOIN document ON document.id = chunk.document WHERE chunk.id = ?",
    )?;
    Ok(read.query_row([piece], |row| shown(row, why, found)).optional()?)
}

fn shown(row: &Row<'_>, why: Why, found: &Ranked) -> Result<Hit, Error> {
    let (text, headings): (String, String) = (row.get(5)?, row.get(4)?);
    let excerpt = excerpt(&text, &found.terms, &found.phrases);
    let (line, text_line, end): (u32, u32, u32) = (row.get(3)?, row.get(6)?, row.get(7)?);
    // Found in its title or headings alone: then these are the place.
    let line = if excerpt.marks.is_empty() { line } else { (text_line + excerpt.lines_before).min(end) };
    Ok(Hit {
        path: row.get(0)?,
        kind: row.get(1)?,
        title: row.get(2)?,
        line,
        headings: headings.split(SEPARATOR).filter(|heading| !heading.is_empty()).map(str::to_owned).collect(),
        text: excerpt.text,
        marks: excerpt.marks,
        why,
    })
}
