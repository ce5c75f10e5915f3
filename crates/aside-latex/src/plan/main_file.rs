//! Which file to build, when any file of a document is open.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    is_source,
    scan::{magic, uses},
};

/// Names that main files have, the likeliest first.
const USUAL: [&str; 5] = ["main.tex", "thesis.tex", "paper.tex", "article.tex", "report.tex"];
const MOST_HOPS: usize = 16;

/// The main file of the document that `path` belongs to, among the LaTeX files of a workspace by their paths from its root.
///
/// In this order: the file that `% !TEX root` names; the main file of a `subfiles` part; the file itself, if it has a
/// `\documentclass`; a file that reads it, however deep; the only main file in its folder or the nearest one above. A
/// bibliography, a package or a class belongs to what reads it and to nothing else.
pub fn main_file<'a>(path: &str, files: &'a BTreeMap<String, String>) -> Option<&'a str> {
    let mut at = path.to_owned();
    let mut seen = BTreeSet::new();
    while seen.insert(at.clone()) && seen.len() < MOST_HOPS {
        let Some(next) = files.get(&at).and_then(|text| named_root(&at, text)).filter(|next| files.contains_key(next))
        else {
            break;
        };
        at = next;
    }
    let (own, text) = files.get_key_value(&at)?;
    if is_main(own, text) {
        return Some(own);
    }
    reader(own, files).or_else(|| if is_source(own) { beside(own, files) } else { None })
}

/// The file that the head of another names as its root, or as the main file of which it is a part.
fn named_root(path: &str, text: &str) -> Option<String> {
    let part = || uses(text, "\\documentclass").find(|(_, class)| *class == "subfiles").map(|(main, _)| main);
    let named = magic(text, "root").or_else(part)?;
    let found = joined(folder(path), named)?;
    Some(if found.contains('.') { found } else { format!("{found}.tex") })
}

fn is_main(path: &str, text: &str) -> bool {
    is_source(path) && uses(text, "\\documentclass").next().is_some()
}

/// The main file that reads a file, directly or through others.
fn reader<'a>(path: &'a str, files: &'a BTreeMap<String, String>) -> Option<&'a str> {
    let mut seen = BTreeSet::from([path]);
    let mut wanted = vec![path];
    while let Some(part) = wanted.pop() {
        let readers: Vec<&str> =
            files.iter().filter(|(from, text)| reads(from, text, part)).map(|(from, _)| from.as_str()).collect();
        if let Some(main) = best(readers.iter().copied().filter(|from| is_main(from, &files[*from])), path) {
            return Some(main);
        }
        wanted.extend(readers.into_iter().filter(|from| seen.insert(from)));
    }
    None
}

/// The commands that read other files, and how those end where that is not said.
const READING: [(&str, &str); 10] = [
    ("\\input", ".tex"),
    ("\\include", ".tex"),
    ("\\subfile", ".tex"),
    ("\\subfileinclude", ".tex"),
    ("\\bibliography", ".bib"),
    ("\\addbibresource", ".bib"),
    ("\\usepackage", ".sty"),
    ("\\RequirePackage", ".sty"),
    ("\\documentclass", ".cls"),
    ("\\LoadClass", ".cls"),
];

/// TeX finds what is read from the folder of the main file; from the file's own folder is meant as often.
fn reads(from: &str, text: &str, part: &str) -> bool {
    READING.iter().any(|&(command, end)| {
        let stem = part.strip_suffix(end).unwrap_or(part);
        let is_part = |name: &str| {
            let name = name.trim().trim_matches('"');
            let name = name.strip_suffix(end).unwrap_or(name);
            let below = stem.strip_suffix(name.trim_start_matches("./"));
            let ends = below.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
            !name.is_empty() && (ends || joined(folder(from), name).as_deref() == Some(stem))
        };
        // Only files of its own kind are named without their ending.
        let may = part.ends_with(end) || end == ".tex";
        may && uses(text, command).any(|(_, names)| names.split(',').any(is_part))
    })
}

/// The main file in the file's folder, or the nearest one above.
fn beside<'a>(path: &str, files: &'a BTreeMap<String, String>) -> Option<&'a str> {
    let mut at = folder(path);
    loop {
        let mains =
            files.iter().filter(|(one, text)| folder(one) == at && is_main(one, text)).map(|(one, _)| one.as_str());
        if let Some(main) = best(mains, path) {
            return Some(main);
        }
        if at.is_empty() {
            return None;
        }
        at = folder(at);
    }
}

/// Of several, the one of a usual name, else the first by name.
fn best<'a>(mains: impl Iterator<Item = &'a str>, path: &str) -> Option<&'a str> {
    let rank = |main: &&str| {
        let name = main.rsplit('/').next().unwrap_or(main).to_ascii_lowercase();
        let far = folder(path) != folder(main);
        (far, USUAL.iter().position(|usual| *usual == name).unwrap_or(USUAL.len()), main.to_string())
    };
    mains.min_by_key(rank)
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path from a folder, without `.` and `..`; none if it leaves the workspace.
fn joined(folder: &str, name: &str) -> Option<String> {
    if name.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in name.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
