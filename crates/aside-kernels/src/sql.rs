//! SQL cells: the kernel asks the database, by a small helper that goes along with each question. What the cell says goes
//! as data, never as code. Needs a kernel of Python; the helper says what else is missing.

use aside_notebook::{Cell, CellKind, OURS};
use serde::{Deserialize, Serialize};

const HELPER: &str = include_str!("sql/helper.py");

/// The variable that holds what came, where the cell names none.
const RESULT: &str = "result";

/// What is asked, and what becomes of the answer, as the cell's metadata says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SqlCell {
    /// A file with a database, relative to the notebook's folder; empty for the data frames of the kernel.
    pub connection: String,
    /// The variable that holds what came; empty for none.
    pub result: String,
}

impl SqlCell {
    /// Reads it; none if the cell is another kind.
    pub fn of(cell: &Cell) -> Option<Self> {
        if cell.kind() != CellKind::Sql {
            return None;
        }
        let ours = cell.get("metadata").and_then(|metadata| metadata.get(OURS));
        let said =
            |name: &str| ours.as_ref().and_then(|ours| ours.get(name)?.text()).map(|text| text.trim().to_owned());
        Some(Self {
            connection: said("connection").unwrap_or_default(),
            result: said("result").unwrap_or_else(|| RESULT.to_owned()),
        })
    }

    /// Returns what a kernel of Python runs.
    pub fn python(&self, query: &str) -> String {
        let asked = serde_json::json!({ "query": query, "connection": self.connection, "result": self.result });
        // It leaves nothing behind but the result. A string of JSON is one of Python.
        format!(
            "(lambda m: exec({}, m) or m[\"run\"](globals(), {}))({{\"__name__\": \"aside_sql\"}})",
            literal(HELPER),
            literal(&asked.to_string())
        )
    }
}

/// Tells why a kernel of this language can't run SQL cells.
pub fn why_not(language: &str) -> Option<String> {
    let is_python = language.eq_ignore_ascii_case("python");
    (!is_python).then(|| format!("SQL cells are asked by a kernel of Python; this notebook's is one of {language}"))
}

/// A text as Python spells it: a string of JSON is one of Python.
pub(crate) fn literal(text: &str) -> String {
    serde_json::to_string(text).expect("a text serialises to JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_cell_says_is_no_code() {
        let cell = SqlCell { connection: "a\".db".into(), result: "x'); import os #".into() };
        let code = cell.python("select '\"\\\n\u{2028}'); import os");
        assert_eq!(code.lines().count(), 1);
        let (_, data) = code.rsplit_once("globals(), ").unwrap();
        let data: String =
            serde_json::from_str(data.strip_suffix("))({\"__name__\": \"aside_sql\"})").unwrap()).unwrap();
        let data: serde_json::Value = serde_json::from_str(&data).unwrap();
        assert_eq!(data["query"], "select '\"\\\n\u{2028}'); import os");
        assert_eq!(data["result"], "x'); import os #");
    }
}
