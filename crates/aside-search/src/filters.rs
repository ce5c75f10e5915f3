//! Filters as SQL over documents.

use std::collections::HashSet;

use aside_store::sql::{Connection, ToSql, Value};

use crate::{Condition, Filter, Query, SearchError, schema::SEPARATOR};

/// Conditions and their values, for a `WHERE` behind others; empty if nothing is filtered.
#[derive(Debug, Default)]
pub struct Conditions {
    /// Begins with ` AND ` unless it is empty.
    pub sql: String,
    values: Vec<Value>,
}

impl Conditions {
    /// Makes them of a query's filters and kinds. Filters on words and likeness are not among them.
    pub fn of(query: &Query) -> Self {
        let mut all = Self::default();
        if !query.kinds.is_empty() {
            all.sql += &format!(" AND document.kind IN (?{})", ", ?".repeat(query.kinds.len() - 1));
            all.values.extend(query.kinds.iter().map(|kind| Value::Text(kind.clone())));
        }
        for Filter { without, what } in &query.filters {
            let Some((sql, value)) = condition(what) else { continue };
            all.sql += if *without { " AND NOT (" } else { " AND (" };
            all.sql += sql;
            all.sql += ")";
            all.values.extend(value);
        }
        all
    }

    /// Reads which documents fit.
    pub fn documents(&self, tables: &Connection) -> Result<HashSet<i64>, SearchError> {
        let mut read = tables.prepare_cached(&format!("SELECT id FROM document WHERE 1 = 1{}", self.sql))?;
        let rows = read.query_map(self.values(&[]).as_slice(), |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The values, in order, behind others.
    pub fn values<'a>(&'a self, first: &[&'a dyn ToSql]) -> Vec<&'a dyn ToSql> {
        first.iter().copied().chain(self.values.iter().map(|value| value as &dyn ToSql)).collect()
    }
}

fn condition(what: &Condition) -> Option<(&'static str, Option<Value>)> {
    let text = |text: String| Some(Value::Text(text));
    Some(match what {
        Condition::Path(start) => ("instr(lower(document.path), ?) = 1", text(start.clone())),
        Condition::Tag(tag) => {
            // A tag stands between separators with all that are above it: see `tag_field`.
            ("instr(document.tags, ?) > 0", text(format!("{SEPARATOR}{tag}{SEPARATOR}")))
        }
        Condition::Kind(kind) => ("document.kind = ?", text(kind.clone())),
        Condition::HasTodo => ("document.todo = 1", None),
        Condition::Before(day) => ("document.day < ?", Some(Value::Integer((*day).into()))),
        Condition::After(day) => ("document.day >= ?", Some(Value::Integer((*day).into()))),
        Condition::Related(_) | Condition::Text(_) => return None,
    })
}

/// Tags as a document keeps them: each with all that are above it, `a/b` as `a` and `a/b`.
pub fn tag_field(tags: &[String]) -> String {
    let mut field = String::from(SEPARATOR);
    for tag in tags {
        let ends = tag.match_indices('/').map(|(at, _)| at).chain([tag.len()]);
        for end in ends {
            field += &tag[..end];
            field += SEPARATOR;
        }
    }
    field
}

/// Tags out of such a field, without those that are only above another.
pub fn tags_of(field: &str) -> Vec<String> {
    let all: Vec<&str> = field.split(SEPARATOR).filter(|tag| !tag.is_empty()).collect();
    let is_above =
        |tag: &str| all.iter().any(|other| other.strip_prefix(tag).is_some_and(|rest| rest.starts_with('/')));
    all.iter().filter(|tag| !is_above(tag)).map(|tag| (*tag).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_survive_their_field() {
        let tags = ["sea/north".to_owned(), "work".to_owned()];
        assert_eq!(tags_of(&tag_field(&tags)), tags);
        assert_eq!(tags_of(SEPARATOR), [""; 0]);
    }
}
