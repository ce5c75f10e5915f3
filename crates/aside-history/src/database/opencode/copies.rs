//! Messages that a fork copied under new ids. Nothing names their originals; all that they say is the same.

use std::collections::{HashMap, hash_map::Entry};

use aside_store::sql::{Connection, Error};
use serde_json::Value;

use crate::{
    database::{column, has, json as parsed, text_of, value_of},
    hash::hash,
    reader::json,
};

/// A message of which others are copies.
#[derive(Clone, Debug, Default)]
pub struct Original {
    pub id: String,
    pub session: String,
    /// The ids of its parts, in their order.
    pub parts: Vec<String>,
}

/// The originals of copies, by the ids of these.
#[derive(Debug, Default)]
pub struct Copies {
    originals: Vec<Original>,
    by_copy: HashMap<String, usize>,
}

impl Copies {
    /// Finds them. The original is the one that was made first: its id is the smallest.
    pub fn of(connection: &Connection) -> Result<Self, Error> {
        let mut copies = Self::default();
        let mut known: HashMap<i64, usize> = HashMap::new();
        for (table, parts) in [("message", "part"), ("session_message", "")] {
            if !has(connection, table) {
                continue;
            }
            let mut said = if has(connection, parts) {
                Some(connection.prepare("SELECT id, data FROM part WHERE message_id = ? ORDER BY id")?)
            } else {
                None
            };
            let kind = column(connection, table, "type");
            let mut all =
                connection.prepare(&format!("SELECT id, session_id, data, {kind} FROM {table} ORDER BY id"))?;
            let mut rows = all.query(())?;
            while let Some(row) = rows.next()? {
                let Some((id, session)) = text_of(row, 0).zip(text_of(row, 1)) else { continue };
                let Some(message) = parsed(&value_of(row, 2)) else { continue };
                let mut parts = Vec::new();
                if let Some(said) = &mut said {
                    let mut rows = said.query([&id])?;
                    while let Some(row) = rows.next()? {
                        parts.push((text_of(row, 0).unwrap_or_default(), text_of(row, 1).unwrap_or_default()));
                    }
                }
                let kind =
                    text_of(row, 3).or_else(|| json::text(&message, "role").map(str::to_owned)).unwrap_or_default();
                copies.add(&mut known, content(&kind, &message, &parts), (id, session, parts));
            }
        }
        Ok(copies)
    }

    fn add(
        &mut self,
        known: &mut HashMap<i64, usize>,
        content: i64,
        (id, session, parts): (String, String, Vec<(String, String)>),
    ) {
        match known.entry(content) {
            Entry::Occupied(original) if self.originals[*original.get()].id != id => {
                self.by_copy.insert(id, *original.get());
            }
            Entry::Occupied(_) => {}
            Entry::Vacant(new) => {
                new.insert(self.originals.len());
                let parts = parts.into_iter().map(|(id, _)| id).collect();
                self.originals.push(Original { id, session, parts });
            }
        }
    }

    /// The original of a message, if it is a copy.
    pub fn original(&self, id: &str) -> Option<&Original> {
        self.by_copy.get(id).map(|place| &self.originals[*place])
    }
}

/// What is the same in all copies of a message, in one number. An answer is known by its times and its tokens; what a person said by its time and
/// its words.
fn content(kind: &str, message: &Value, parts: &[(String, String)]) -> i64 {
    let of = |path: &str| json::at(message, path).map(Value::to_string).unwrap_or_default();
    let times = [of("time.created"), of("time.completed")];
    let tokens = of("tokens");
    if kind == "assistant" && !tokens.is_empty() && !times[1].is_empty() {
        let model = json::text(message, "modelID").or(json::text(message, "model.id")).unwrap_or_default();
        return hash(&[kind, &times[0], &times[1], model, &tokens]);
    }
    let said = parts.iter().map(|(_, data)| data.as_str());
    let own = [of("text"), of("content")];
    let all: Vec<&str> = [kind, &times[0], &own[0], &own[1]].into_iter().chain(said).collect();
    hash(&all)
}
