//! Foresees the situation after an action, for the next command of the same sentence.

use serde_json::Value;

use crate::{
    route::RoutedAction,
    situation::{OpenTab, SeenFile, Situation, ending_of, folder_of},
};

/// Changes the situation as the action would. Returns the objects that `it` then means.
pub(crate) fn foresee(situation: &mut Situation, action: &RoutedAction) -> Vec<String> {
    let text = |name: &str| action.args[name].as_str().map(str::to_owned);
    let list = |name: &str| -> Vec<String> {
        let texts = action.args[name].as_array().into_iter().flatten();
        texts.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let path = text("path");
    match (action.action_type.as_str(), path) {
        ("ui.open" | "ui.tabs.focus" | "ui.split", Some(path)) => {
            show(situation, &path);
            vec![path]
        }
        ("ui.tabs.open", _) => {
            let paths = list("paths");
            paths.iter().for_each(|path| show(situation, path));
            paths
        }
        ("ui.tabs.close", _) => {
            close(situation, action.args["which"].as_str().unwrap_or_default(), &list("paths"));
            Vec::new()
        }
        ("file.create" | "doc.create" | "notebook.create", Some(path)) => {
            add(situation, &path, action.args["folder"] == true);
            vec![path]
        }
        ("file.move" | "file.copy", _) => {
            let (Some(from), Some(to)) = (text("from"), text("to")) else { return Vec::new() };
            let is_folder = situation.has_folder(&from);
            if action.action_type.as_str() == "file.move" {
                situation.files.retain(|file| file.path != from);
                situation.folders.retain(|folder| *folder != from);
                situation.tabs.iter_mut().filter(|tab| tab.path == from).for_each(|tab| tab.path.clone_from(&to));
            }
            add(situation, &to, is_folder);
            vec![to]
        }
        ("file.delete", Some(path)) => {
            situation.files.retain(|file| file.path != path);
            situation.folders.retain(|folder| *folder != path);
            Vec::new()
        }
        (_, Some(path)) => vec![path],
        (_, None) => Vec::new(),
    }
}

fn show(situation: &mut Situation, path: &str) {
    situation.tabs.iter_mut().for_each(|tab| tab.active = tab.path == path);
    if !situation.tabs.iter().any(|tab| tab.path == path) {
        let kind = if ending_of(path) == "ipynb" { "notebook" } else { "code" };
        let tab = OpenTab { path: path.to_owned(), kind: kind.to_owned(), title: None, active: true };
        situation.tabs.push(tab);
    }
}

fn close(situation: &mut Situation, which: &str, paths: &[String]) {
    match which {
        "paths" => situation.tabs.retain(|tab| !paths.contains(&tab.path)),
        "others" => situation.tabs.retain(|tab| tab.active),
        // The kept tabs of other choices matter to no command after it.
        _ => situation.tabs.clear(),
    }
}

fn add(situation: &mut Situation, path: &str, is_folder: bool) {
    let folder = folder_of(path).to_owned();
    if !folder.is_empty() && !situation.has_folder(&folder) {
        situation.folders.push(folder);
    }
    match is_folder {
        true => situation.folders.push(path.to_owned()),
        false => situation.files.push(SeenFile { path: path.to_owned(), mtime: String::new() }),
    }
}
