//! Which file to build, when any file of a document is open.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    is_source,
    scan::{magic, other_inputs, uses},
};

/// Names that main files have, the likeliest first.
const USUAL: [&str; 5] = ["main.tex", "thesis.tex", "paper.tex", "article.tex", "report.tex"];
const MOST_HOPS: usize = 16;

/// The main file of the document that `path` belongs to, among the LaTeX files of a workspace by their paths from its root.
///
/// In this order: the file that `% !TEX root` names; the main file of a `subfiles` part; the file itself, if it begins a
/// document; a file that reads it, however deep; the only main file in its folder or the nearest one above. A
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
    // A file that is named so is one, also if its class stands where nobody finds it.
    let is_named = || is_source(own) && (own != path || named_root(own, text).as_deref() == Some(own));
    if is_main(own, files) {
        return Some(own);
    }
    let found = reader(own, files).or_else(|| is_named().then_some(own.as_str()));
    found.or_else(|| if is_source(own) { beside(own, files) } else { None })
}

/// The file that `% !TEX root` names at the head of another, if there is none.
pub fn missing_root(path: &str, files: &BTreeMap<String, String>) -> Option<String> {
    named_root(path, files.get(path)?).filter(|root| !files.contains_key(root))
}

/// Tells whether a file can be built when a person names it as the main one.
pub fn is_root(path: &str) -> bool {
    is_source(path)
}

/// The file that the head of another names as its root, or as the main file of which it is a part.
fn named_root(path: &str, text: &str) -> Option<String> {
    let part = || uses(text, "\\documentclass").find(|(_, class)| *class == "subfiles").map(|(main, _)| main);
    let named = magic(text, "root").or_else(part)?;
    let found = joined(folder(path), named)?;
    Some(if found.contains('.') { found } else { format!("{found}.tex") })
}

/// Tells whether a file begins a document: it has a class, its own or of a file that it reads, and is not itself the
/// preamble of another.
fn is_main(path: &str, files: &BTreeMap<String, String>) -> bool {
    let Some(text) = files.get(path).filter(|_| is_source(path)) else { return false };
    match (has_class(text), has_body(text)) {
        (true, true) => true,
        (true, false) => !files.iter().any(|(from, text)| {
            from != path && is_source(from) && has_body(text) && !has_class(text) && reads_deep(from, path, files)
        }),
        (false, true) => files
            .iter()
            .any(|(part, text)| part != path && has_class(text) && !has_body(text) && reads_deep(path, part, files)),
        (false, false) => false,
    }
}

fn has_class(text: &str) -> bool {
    uses(text, "\\documentclass").next().is_some()
}

fn has_body(text: &str) -> bool {
    uses(text, "\\begin").any(|(_, name)| name == "document")
}

/// Tells whether a file reads another, directly or through others.
fn reads_deep(from: &str, part: &str, files: &BTreeMap<String, String>) -> bool {
    let mut seen = BTreeSet::from([part]);
    let mut wanted = vec![part];
    while let Some(part) = wanted.pop() {
        let readers = files.iter().filter(|(from, text)| reads(from, text, part)).map(|(from, _)| from.as_str());
        for reader in readers.collect::<Vec<_>>() {
            if reader == from {
                return true;
            }
            if seen.insert(reader) {
                wanted.push(reader);
            }
        }
    }
    false
}

/// The main file that reads a file, directly or through others.
fn reader<'a>(path: &'a str, files: &'a BTreeMap<String, String>) -> Option<&'a str> {
    let mut seen = BTreeSet::from([path]);
    let mut wanted = vec![path];
    while let Some(part) = wanted.pop() {
        let readers: Vec<&str> =
            files.iter().filter(|(from, text)| reads(from, text, part)).map(|(from, _)| from.as_str()).collect();
        if let Some(main) = best(readers.iter().copied().filter(|from| is_main(from, files)), path) {
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
        let in_braces = || uses(text, command).any(|(_, names)| names.split(',').any(is_part));
        may && (in_braces() || (command == "\\input" && other_inputs(text).iter().any(|name| is_part(name))))
    })
}

/// The main file in the file's folder, or the nearest one above.
fn beside<'a>(path: &str, files: &'a BTreeMap<String, String>) -> Option<&'a str> {
    let mut at = folder(path);
    loop {
        let mains = files.keys().map(String::as_str).filter(|one| folder(one) == at && is_main(one, files));
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
