//! Prints what is read in a folder as JSON: `cargo run -p aside-notes --example read_vault FOLDER`.
#![expect(clippy::disallowed_methods, reason = "an example reads the folder that it is given")]

use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

use aside_core::WorkspacePath;
use aside_notes::{Flavour, LineOf, NoteFacts, Vault, is_note, parse};
use serde_json::json;

fn main() {
    let folder = std::env::args().nth(1).expect("a folder is given");
    println!("{}", serde_json::to_string_pretty(&read_folder(Path::new(&folder))).expect("facts are JSON"));
}

/// Reads a folder.
pub fn read_folder(folder: &Path) -> serde_json::Value {
    let mut files = Vec::new();
    walk(folder, "", &mut files);
    read(folder, &files)
}

/// Lists the files of a folder without links and names that begin with a dot.
fn walk(root: &Path, below: &str, files: &mut Vec<WorkspacePath>) {
    for entry in fs::read_dir(root.join(below)).expect("the folder can be read").flatten() {
        let name = entry.file_name().into_string().unwrap_or_default();
        let kind = entry.file_type().expect("the entry has a kind");
        if name.is_empty() || name.starts_with('.') || kind.is_symlink() {
            continue;
        }
        let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
        let is_settings = name == "logseq" && root.join(&path).join("config.edn").exists();
        if kind.is_dir() && !is_settings {
            walk(root, &path, files);
        } else if kind.is_file() {
            files.extend(WorkspacePath::of_disk(&path));
        }
    }
}

fn read(root: &Path, files: &[WorkspacePath]) -> serde_json::Value {
    let flavour = match root.join("logseq/config.edn").exists() {
        true => Flavour::Logseq,
        false => Flavour::Markdown,
    };
    let (mut vault, mut texts, mut others) = (Vault::default(), BTreeMap::new(), Vec::new());
    for path in files {
        if is_note(path) {
            let bytes = fs::read(root.join(path.as_str())).expect("the note can be read");
            vault.set(Arc::new(parse(path, &bytes, flavour)));
            texts.insert(path.clone(), String::from_utf8(bytes).unwrap_or_default());
        } else {
            vault.set_file(path);
            others.push(path.clone());
        }
    }
    others.sort();
    let notes: BTreeMap<_, _> = texts
        .iter()
        .map(|(path, text)| (path, NoteFacts::of(&vault, vault.note(path).expect("it is set"), text)))
        .collect();
    let line = |link: &aside_notes::Backlink<'_>| LineOf { path: link.note.path.clone(), line: link.link.line };
    let linked: BTreeMap<_, Vec<LineOf>> =
        others.iter().map(|path| (path, vault.backlinks(path).iter().map(line).collect())).collect();
    let linked: BTreeMap<_, _> = linked.into_iter().filter(|(_, lines): &(_, Vec<LineOf>)| !lines.is_empty()).collect();
    json!({"notes": notes, "attachments_linked": linked, "not_notes": others})
}
