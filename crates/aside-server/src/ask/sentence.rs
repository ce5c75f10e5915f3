//! An action with its arguments in one sentence, for the person who is about to do it: `Rename a.md to b.md`.

use aside_core::{WorkspacePath, harmless, setting};
use aside_route::{OpenTab, RoutedAction, Situation};
use serde_json::Value;

/// The sentence of each action whose summary is not enough. The first whose arguments are all there counts.
const SENTENCES: &[(&str, &[&str])] = &[
    ("cell.kind", &["Change the cell to {kind}"]),
    ("cell.run", &["Run {cells} of {path}", "Run {part} of {path}", "Run cells of {path}"]),
    ("cell.clear_outputs", &["Clear {cells} of {path}", "Clear the outputs of {path}"]),
    ("cell.insert", &["Insert {cells} into {path}"]),
    ("cell.move", &["Move a cell of {path}"]),
    ("cell.delete", &["Delete {cells} of {path}"]),
    ("doc.checkpoint", &["Save {path}"]),
    ("doc.create", &["Create {path}"]),
    ("doc.format", &["Format {path}"]),
    ("doc.read", &["Read {path}"]),
    ("file.copy", &["Copy {from} to {to}"]),
    ("file.create", &["Create {path}"]),
    ("file.delete", &["Delete {path}"]),
    ("file.label", &["Mark {path} as {label}"]),
    ("file.list", &["List the files in {folder}"]),
    ("file.move", &["Move {from} to {to}"]),
    ("file.replace", &["Replace {text} with {replacement} in files"]),
    ("file.search", &["Search the files for {text}"]),
    ("guest.invite", &["Invite {name} as a guest"]),
    ("history.search_past_decisions", &["Search past AI sessions for {query}"]),
    ("kernel.interrupt", &["Interrupt the kernel of {path}"]),
    ("kernel.restart", &["Restart the kernel of {path}"]),
    ("kernel.shutdown", &["Shut down the kernel of {path}"]),
    ("kernel.start", &["Start the kernel of {path}"]),
    ("kernel.variables", &["List the variables of {path}"]),
    ("language_server.restart", &["Restart the language server {name}"]),
    ("latex.build", &["Build {path}"]),
    ("model.pull", &["Download the model {model}"]),
    ("note.create", &["Create the note {title}"]),
    ("note.search", &["Search the notes for {query}"]),
    ("notebook.run", &["Run {path} from top to bottom"]),
    ("notebook.trust", &["Trust {path}"]),
    ("search.find", &["Search the workspace for {query}"]),
    ("shell.run", &["Run: {command}", "Run: {argv}"]),
    ("table.read", &["Read the table {path}"]),
    ("terminal.close", &["Close the terminal {terminal}"]),
    ("terminal.open", &["Open a terminal in {cwd}", "Open a terminal"]),
    ("terminal.read", &["Read the terminal {terminal}"]),
    ("terminal.send", &["Type in the terminal {terminal}: {text}"]),
    ("thread.create", &["Start a thread: {title}"]),
    ("thread.rename", &["Rename the thread to {title}"]),
    ("todo.add", &["Add the todo {text}, due {due}", "Add the todo {text}"]),
    ("todo.done", &["Mark {todo} as done"]),
    ("ui.go", &["Go to {heading}", "Go to line {line} of {path}", "Go to line {line}", "Go to {page}"]),
    ("ui.open", &["Open {path} at line {line}", "Open {path}"]),
    ("ui.panel", &["Open the {panel} panel"]),
    ("ui.split", &["Split {direction} and open {path}", "Split {direction}"]),
    ("ui.tabs.focus", &["Switch to {path}", "Switch to the {to} tab", "Switch to tab {index}"]),
    ("ui.tabs.open", &["Open {paths}"]),
    ("ui.tabs.reorder", &["Sort the tabs by {by}"]),
    ("ui.theme", &["Switch to the {mode} theme"]),
    ("ui.zoom", &["Set the text size to {to} %"]),
];

/// The arguments that say nothing to a person.
const INTERNAL: &[&str] = &["version", "window"];

/// The most objects that a sentence names, and the most characters of a value.
const MOST_NAMED: usize = 5;
const MOST_LETTERS: usize = 80;

/// Returns the sentence. `summary` is the catalog's, for an action without a sentence of its own: its objects follow.
pub(super) fn of(RoutedAction { action_type, args }: &RoutedAction, summary: &str, situation: &Situation) -> String {
    let name = action_type.as_str();
    let own = match name {
        "ui.tabs.close" => Some(closing(args, situation)),
        "ui.tabs.open" => opening(args),
        "ui.layout" => layout(args),
        "ui.zoom" => zoom(args),
        "file.move" => rename(args),
        "settings.set" => set(args),
        "ui.go" if args["beside"] == "jupyterlab" => Some("Open JupyterLab in another tab".to_owned()),
        _ => None,
    };
    let templates = SENTENCES.iter().find(|(of, _)| *of == name).map_or(&[][..], |(_, templates)| *templates);
    let filled = || templates.iter().find_map(|template| fill(template, args));
    own.or_else(filled).unwrap_or_else(|| with_objects(summary, args))
}

/// Fills the places of a template; none if an argument is not there.
fn fill(template: &str, args: &Value) -> Option<String> {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}')?;
        let value = if name == "cells" { cells(&args[name]) } else { words(&args[name]) };
        if value.is_empty() {
            return None;
        }
        text += before;
        text += &value;
        rest = after;
    }
    Some(text + rest)
}

fn with_objects(summary: &str, args: &Value) -> String {
    let shown = args.as_object().into_iter().flatten().filter(|(name, _)| !INTERNAL.contains(&name.as_str()));
    let objects: Vec<_> = shown.map(|(_, value)| words(value)).filter(|words| !words.is_empty()).collect();
    if objects.is_empty() { summary.to_owned() } else { format!("{summary}: {}", objects.join(", ")) }
}

/// Returns a value in words; nothing for a switch, which the summary explains.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => short(text),
        Value::Array(all) => named(&all.iter().map(words).filter(|words| !words.is_empty()).collect::<Vec<_>>()),
        Value::Object(all) => match all.get("cell").or_else(|| all.get("kind")) {
            Some(named) => words(named),
            None => all.values().map(words).collect::<Vec<_>>().join(", "),
        },
        Value::Null | Value::Bool(_) => String::new(),
        other => other.to_string(),
    }
}

/// Counts cells, whose keys say nothing to a person.
fn cells(value: &Value) -> String {
    match value.as_array().map_or(0, Vec::len) {
        0 => String::new(),
        1 => "a cell".to_owned(),
        count => format!("{count} cells"),
    }
}

/// Returns a value that a line can show: a name can hold anything.
fn short(text: &str) -> String {
    let text = harmless(text).split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn named(names: &[String]) -> String {
    let more = names.len().saturating_sub(MOST_NAMED);
    let first = names[..names.len() - more].join(", ");
    if more == 0 { first } else { format!("{first} and {more} more") }
}

/// A new name in the same folder is a rename.
fn rename(args: &Value) -> Option<String> {
    let path = |name: &str| args[name].as_str()?.parse::<WorkspacePath>().ok();
    let (from, to) = (path("from")?, path("to")?);
    let folder = |path: &WorkspacePath| path.as_str().rsplit_once('/').map(|(folder, _)| folder.to_owned());
    let same = folder(&from) == folder(&to);
    same.then(|| format!("Rename {} to {}", short(from.as_str()), short(to.name())))
}

/// A setting by its title, as its page has it.
fn set(args: &Value) -> Option<String> {
    let setting = setting(args["key"].as_str()?).ok()?;
    let title = setting.title.to_lowercase();
    let word = |name: &str| args[name].as_str().map(short);
    match (&args["value"], word("add"), word("remove")) {
        (Value::Bool(_), ..) => Some(format!("Turn {title} {}", setting.words(&args["value"]))),
        (Value::Null, Some(word), _) => Some(format!("Add {word} to {title}")),
        (Value::Null, None, Some(word)) => Some(format!("Remove {word} from {title}")),
        (Value::Null, None, None) => None,
        (value, ..) => Some(format!("Set {title} to {}", short(&setting.words(value)))),
    }
}

/// Several files by their names: with their folders they would fill the window.
fn opening(args: &Value) -> Option<String> {
    let paths: Vec<_> = args["paths"].as_array()?.iter().filter_map(Value::as_str).collect();
    let names: Vec<_> = paths.iter().map(|path| short(path.rsplit('/').next().unwrap_or(path))).collect();
    (names.len() > 1).then(|| format!("Open {} files: {}", names.len(), named(&names)))
}

fn layout(args: &Value) -> Option<String> {
    let part = |name: &str, words: &str| match args[name].as_str()? {
        "show" => Some(format!("show {words}")),
        _ => Some(format!("hide {words}")),
    };
    let parts: Vec<_> =
        [part("sidebar", "the list of files"), part("side", "the side panel")].into_iter().flatten().collect();
    let words = parts.join(" and ");
    Some(words.get(..1)?.to_uppercase() + words.get(1..)?)
}

fn zoom(args: &Value) -> Option<String> {
    let words = match args["by"].as_i64() {
        Some(by) if by > 0 => "Enlarge the text",
        Some(_) => "Shrink the text",
        None if args["to"] == 100 => "Reset the size of the text",
        None => return None,
    };
    Some(words.to_owned())
}

/// Names the tabs that are closed, where the situation knows them.
fn closing(args: &Value, situation: &Situation) -> String {
    let list = |value: &Value| -> Vec<String> {
        value.as_array().into_iter().flatten().filter_map(|path| path.as_str().map(str::to_owned)).collect()
    };
    let (paths, kept) = (list(&args["paths"]), list(&args["except"]["paths"]));
    let is_kind = |tab: &OpenTab, kind: &Value| kind.as_str().is_some_and(|kind| tab.kind == kind);
    let is_meant = |tab: &&OpenTab| match args["which"].as_str() {
        Some("all") => true,
        Some("others") => !tab.active,
        Some("kind") => is_kind(tab, &args["kind"]),
        _ => paths.contains(&tab.path),
    };
    let is_kept = |tab: &OpenTab| kept.contains(&tab.path) || is_kind(tab, &args["except"]["kind"]);
    let closed = situation.tabs.iter().filter(is_meant).filter(|tab| !is_kept(tab));
    let names: Vec<_> = closed.map(|tab| short(&tab.path)).collect();
    match names.as_slice() {
        [] => "No tab to close".to_owned(),
        [one] => format!("Close {one}"),
        names => format!("Close {} tabs: {}", names.len(), named(names)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(name: &str, args: Value, expected: &str) {
        let tab = |path: &str, kind: &str, active| OpenTab {
            path: path.to_owned(),
            kind: kind.to_owned(),
            title: None,
            active,
        };
        let tabs = vec![tab("a.py", "code", true), tab("b.ipynb", "notebook", false), tab("c.md", "markdown", false)];
        let situation = Situation { tabs, ..Situation::default() };
        let action = RoutedAction { action_type: name.parse().unwrap(), args };
        assert_eq!(of(&action, "Do a thing", &situation), expected);
    }

    #[test]
    fn sentence_names_objects() {
        check("file.move", json!({"from": "notes/a.md", "to": "notes/b.md"}), "Rename notes/a.md to b.md");
        check("file.move", json!({"from": "a.md", "to": "old/a.md"}), "Move a.md to old/a.md");
        check("file.delete", json!({"path": "a\u{202e}.md\nx"}), "Delete a\\u{202e}.md x");
        check("ui.go", json!({"line": 7}), "Go to line 7");
        check("cell.run", json!({"path": "b.ipynb", "part": "all"}), "Run all of b.ipynb");
        check(
            "cell.delete",
            json!({"path": "b.ipynb", "cells": [{"cell": "k", "version": "v"}]}),
            "Delete a cell of b.ipynb",
        );
        let seven = json!({"paths": ["1", "2", "3", "a/4", "5", "6", "7"]});
        check("ui.tabs.open", seven, "Open 7 files: 1, 2, 3, 4, 5 and 2 more");
        check("ui.tabs.open", json!({"paths": ["notes/a.md"]}), "Open notes/a.md");
        check(
            "ui.layout",
            json!({"sidebar": "hide", "side": "hide"}),
            "Hide the list of files and hide the side panel",
        );
        check("ui.zoom", json!({"to": 100}), "Reset the size of the text");
        check("ui.go", json!({"beside": "jupyterlab"}), "Open JupyterLab in another tab");
        let wrap = json!({"key": "editor.word_wrap", "value": true});
        check("settings.set", wrap, "Turn word wrap on");
        let colour = json!({"key": "workspace.colour", "value": "orange"});
        check("settings.set", colour, "Set colour of the workspace to Orange");
        let card = json!({"key": "launcher.cards", "add": "rmd"});
        check("settings.set", card, "Add rmd to cards of the launcher");
        check("recipe.delete", json!({"name": "Weekly"}), "Do a thing: Weekly");
        check("mcp.list", json!({}), "Do a thing");
    }

    #[test]
    fn closed_tabs_are_named() {
        check("ui.tabs.close", json!({"which": "others"}), "Close 2 tabs: b.ipynb, c.md");
        check("ui.tabs.close", json!({"which": "kind", "kind": "notebook"}), "Close b.ipynb");
        check("ui.tabs.close", json!({"which": "all", "except": {"paths": ["c.md"]}}), "Close 2 tabs: a.py, b.ipynb");
        check("ui.tabs.close", json!({"which": "kind", "kind": "pdf"}), "No tab to close");
    }

    #[test]
    fn every_place_is_an_argument() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/actions");
        for (name, templates) in SENTENCES {
            let noun = name.split('.').next().unwrap_or_default();
            #[expect(clippy::disallowed_methods, reason = "the test reads the page of the action")]
            let page = std::fs::read_to_string(folder.join(format!("{noun}.md"))).unwrap();
            let of_action = page.split(&format!("## `{name}`\n")).nth(1);
            let text = of_action.unwrap_or_else(|| panic!("{name} is no action")).split("\n## ").next().unwrap();
            for place in templates.iter().flat_map(|template| template.split('{').skip(1)) {
                let argument = place.split('}').next().unwrap();
                assert!(text.contains(&format!("`{argument}`")), "{name} has no argument {argument}");
            }
        }
    }
}
