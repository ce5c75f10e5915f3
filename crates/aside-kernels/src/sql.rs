//! SQL cells: the kernel asks the database, by a small helper that goes along with each question. What the cell says goes
//! as data, never as code. Needs a kernel of Python; the helper says what else is missing.

use aside_notebook::{Cell, CellKind, Member, OURS, Raw};
use serde::{Deserialize, Serialize};

const HELPER: &str = include_str!("sql/helper.py");

/// The variable that holds what came, where the cell names none.
const RESULT: &str = "result";
/// Where the metadata has both.
const CONNECTION: &str = "connection";
const VARIABLE: &str = "result";

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
        let ours = || cell.get("metadata").and_then(|metadata| metadata.get(OURS));
        (cell.kind() == CellKind::Sql).then(|| Self::read(ours().as_ref()))
    }

    /// Reads it in [`OURS`] of a cell's metadata, as JSON text.
    pub fn of_metadata(ours: Option<&str>) -> Self {
        Self::read(ours.and_then(|ours| Raw::parse(ours).ok()).as_ref())
    }

    fn read(ours: Option<&Raw>) -> Self {
        let said = |name: &str| ours.and_then(|ours| ours.get(name)?.text()).map(|text| text.trim().to_owned());
        Self {
            connection: said(CONNECTION).unwrap_or_default(),
            result: said(VARIABLE).unwrap_or_else(|| RESULT.to_owned()),
        }
    }

    /// Returns what [`OURS`] of the metadata is with this in place of what it says now, each as JSON text; nothing if there
    /// is nothing to say. What is as it would be anyway is not said.
    pub fn put_into(&self, ours: Option<&str>) -> Option<String> {
        let said = [(CONNECTION, &self.connection, ""), (VARIABLE, &self.result, RESULT)];
        let said = said.into_iter().filter(|(_, value, otherwise)| *value != otherwise);
        let said = said.map(|(name, value, _)| Member { name: name.to_owned(), value: Raw::of_text(value) });
        with(ours, said.collect())
    }

    /// The same for a cell that is of another kind.
    pub fn taken_from(ours: Option<&str>) -> Option<String> {
        with(ours, Vec::new())
    }

    /// Says what is asked, and where the answer goes, where that is not as it is without a word.
    pub fn words(&self) -> Option<String> {
        let of = (!self.connection.is_empty()).then(|| format!("on {}", self.connection));
        let into = match self.result.as_str() {
            RESULT => None,
            "" => Some("into no variable".to_owned()),
            name => Some(format!("into {name}")),
        };
        let said: Vec<String> = of.into_iter().chain(into).collect();
        (!said.is_empty()).then(|| said.join(", "))
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

/// What stands there beside both, and these.
fn with(ours: Option<&str>, said: Vec<Member>) -> Option<String> {
    let known = ours.and_then(|ours| Raw::parse(ours).ok()).and_then(|ours| ours.members()).unwrap_or_default();
    let others = known.into_iter().filter(|member| member.name != CONNECTION && member.name != VARIABLE);
    let members: Vec<Member> = others.chain(said).collect();
    (!members.is_empty()).then(|| Raw::of_members(&members).as_str().to_owned())
}

/// Tells why a kernel of this language can't run SQL cells.
pub fn why_not(language: &str) -> Option<String> {
    let is_python = language.eq_ignore_ascii_case("python");
    (!is_python).then(|| format!("SQL cells need a Python kernel; the kernel of this notebook is for {language}"))
}

/// A text as Python spells it: a string of JSON is one of Python.
pub(crate) fn literal(text: &str) -> String {
    serde_json::to_string(text).expect("a text serialises to JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_cell_says_is_read_back_beside_what_else_stands_there() {
        let of = |connection: &str, result: &str| SqlCell { connection: connection.into(), result: result.into() };
        let ours = r#"{"cell":"sql","x":1e400,"connection":"a.db"}"#;
        for (sql, wanted) in [
            (of("b.db", "tides"), r#"{"cell":"sql","x":1e400,"connection":"b.db","result":"tides"}"#),
            (of("", ""), r#"{"cell":"sql","x":1e400,"result":""}"#),
            (of("", "result"), r#"{"cell":"sql","x":1e400}"#),
        ] {
            let put = sql.put_into(Some(ours)).unwrap();
            assert_eq!(
                (put.replace(": ", ":").replace(", ", ","), SqlCell::of_metadata(Some(&put))),
                (wanted.to_owned(), sql)
            );
        }
        assert_eq!(SqlCell::taken_from(Some(r#"{"connection": "a.db"}"#)), None);
        assert_eq!(of("a.db", "").words().unwrap(), "on a.db, into no variable");
        assert_eq!(of("", "result").words(), None);
    }

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
