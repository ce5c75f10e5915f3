//! A block that names an action: whether it is one of the model's, and what goes without saying of its arguments.

use aside_core::WorkspacePath;
use serde_json::{Map, Value};

use super::item::Item;
use crate::{
    hand_off,
    profile::ActionAccess,
    shown::Shown,
    tools::{Tools, wire_name},
};

/// Returns what the block asks for. The notebook or file that the person looks at, and the version of a cell that was
/// shown, are meant where none is named.
pub(super) fn action(name: &str, mut args: Map<String, Value>, shown: &Shown, tools: &Tools) -> Result<Item, String> {
    let in_catalog = tools.access() == ActionAccess::Catalog;
    if in_catalog && wire_name(name) == hand_off::NAME {
        return Ok(Item::Action { name: hand_off::NAME.to_owned(), args: args.into(), changes: false });
    }
    let Some(descriptor) = tools.find(name) else {
        let name: String = name.chars().take(60).collect();
        return Err(format!("You have no action `{name}`. Your actions are: {}.", tools.names().join(", ")));
    };
    // The Navigator is shown no file that could be meant without a word.
    let takes = |name: &str| !in_catalog && descriptor.args_schema["properties"][name].is_object();
    if takes("path") && !args.contains_key("path") {
        let focus = shown.focus.as_ref().map(|path| path.as_str().into());
        let problem = || format!("An ACTION block for {name} has no `path`, and the user has no file open.");
        args.insert("path".to_owned(), focus.ok_or_else(problem)?);
    }
    if takes("version") && !args.contains_key("version") {
        let path = args.get("path").and_then(Value::as_str).and_then(|path| WorkspacePath::new(path).ok());
        let cell = args.get("cell").and_then(Value::as_str);
        let version = path.zip(cell).and_then(|(path, cell)| shown.cell(&path, cell)?.latest());
        args.extend(version.map(|version| ("version".to_owned(), version.into())));
    }
    let changes = !descriptor.risks.is_read_only();
    Ok(Item::Action { name: descriptor.name.to_string(), args: args.into(), changes })
}
