//! What blocks come to, one by one, and how several become one plan.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use aside_core::ToolCall;
use serde_json::{Value, json};

use crate::tasks::PLAN;

/// One call in the making.
pub(super) enum Item {
    Edits {
        target: Target,
        base: Option<String>,
        edits: Vec<Value>,
    },
    Other {
        name: &'static str,
        args: Value,
        changes: bool,
    },
    /// It is named as the catalog has it, and belongs to no plan.
    Action {
        name: String,
        args: Value,
        changes: bool,
    },
}

/// What edits are of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    File(String),
    Cell { path: String, cell: String },
}

impl Target {
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.clone(),
            Self::Cell { cell, .. } => format!("cell {cell}"),
        }
    }
}

/// Makes changes of several files one plan, which stands where the first of them did. Beside a command they stay as they
/// are: what it says would come before the plan is confirmed.
pub(super) fn planned(items: Vec<Item>) -> Vec<Item> {
    let files: BTreeSet<String> = items.iter().filter_map(Item::file).collect();
    let is_command = |item: &Item| item.changes() && item.file().is_none();
    if files.len() < 2 || items.iter().any(is_command) {
        return items;
    }
    let goal = match files.len() {
        2 | 3 => format!("Change {}", files.into_iter().collect::<Vec<_>>().join(", ")),
        more => format!("Change {more} files"),
    };
    let first = items.iter().position(Item::changes).unwrap_or_default();
    let (changes, mut rest): (Vec<Item>, Vec<Item>) = items.into_iter().partition(Item::changes);
    let step = |item: Item| {
        let (name, args) = item.into_request();
        json!({"action_type": name, "args": args})
    };
    let steps: Vec<Value> = changes.into_iter().map(step).collect();
    rest.insert(first, Item::Other { name: PLAN, args: json!({"goal": goal, "steps": steps}), changes: true });
    rest
}

impl Item {
    pub fn changes(&self) -> bool {
        !matches!(self, Self::Other { changes: false, .. } | Self::Action { changes: false, .. })
    }

    /// The file that it changes.
    fn file(&self) -> Option<String> {
        match self {
            Self::Edits { target: Target::File(path) | Target::Cell { path, .. }, .. } => Some(path.clone()),
            Self::Other { args, changes: true, .. } => args["path"].as_str().map(str::to_owned),
            Self::Other { .. } | Self::Action { .. } => None,
        }
    }

    fn into_request(self) -> (Cow<'static, str>, Value) {
        match self {
            Self::Edits { target, base, edits } => {
                let (name, version, path, cell) = match target {
                    Target::File(path) => ("doc.edit", "base", path, None),
                    Target::Cell { path, cell } => ("cell.edit", "version", path, Some(cell)),
                };
                let fields =
                    [("path", json!(path)), ("cell", json!(cell)), (version, json!(base)), ("edits", json!(edits))];
                let fields: BTreeMap<_, _> = fields.into_iter().filter(|(_, value)| !value.is_null()).collect();
                (name.into(), json!(fields))
            }
            Self::Other { name, args, .. } => (name.into(), args),
            Self::Action { name, args, .. } => (name.into(), args),
        }
    }

    pub fn into_call(self, number: usize) -> ToolCall {
        let (name, args) = self.into_request();
        ToolCall { id: format!("block_{number}"), name: name.into_owned(), args, problem: None, from_text: true }
    }
}
