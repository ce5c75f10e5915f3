//! Names of files and folders that are to be made.

use serde_json::{Map, Value};

use super::{Meaning, SlotContext, Words, files};
use crate::{
    situation::{ending_of, folder_of, join, name_of},
    token::{Token, fold, tokens},
    words::{FILLERS, bare_names, is_suspicious},
};

/// Files that have no ending.
const WITHOUT_ENDING: &[&str] = &["makefile", "dockerfile", "license", "readme", "justfile", "procfile", "changelog"];
/// Words after `folder` or `directory` that make a compound and no name.
#[rustfmt::skip]
const COMPOUNDS: &[&str] = &[
    "structure", "listing", "listings", "hierarchy", "tree", "icon", "icons", "layout", "view", "name", "names", "list", "path", "paths",
    "permissions",
];
/// Endings of files that a program makes: an empty one is of no use.
const MADE: &[&str] =
    &["pdf", "png", "jpg", "jpeg", "gif", "svg", "ipynb", "xlsx", "docx", "pptx", "zip", "gz", "parquet", "db"];
/// The most words of a name without quotes.
const MOST_WORDS: usize = 4;
const QUOTES: &[(char, char)] = &[
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
    ('“', '”'),
    ('„', '“'),
    ('„', '”'),
    ('«', '»'),
    ('‘', '’'),
    ('「', '」'),
    ('『', '』'),
    ('”', '”'),
];

/// Returns the text within quotes, if all of it is.
pub(super) fn unquoted(text: &str) -> Option<&str> {
    let text = text.trim();
    let inside = |(open, close): &(char, char)| text.strip_prefix(*open)?.strip_suffix(*close);
    QUOTES.iter().find_map(inside).map(str::trim).filter(|inside| !inside.is_empty())
}

/// Reads the path of a new file: it has an ending, or quotes.
pub(super) fn new_file(words: Words<'_>) -> Option<Meaning> {
    let name = plain(words)?;
    let is_file = !ending_of(&name).is_empty()
        || WITHOUT_ENDING.contains(&fold(&name).as_str())
        || unquoted(words.text).is_some();
    let is_made = MADE.contains(&ending_of(&name).to_lowercase().as_str());
    (is_file && !is_made && !name.ends_with('/')).then(|| Meaning::one(name))
}

/// Reads the path of a new folder.
pub(super) fn new_folder(words: Words<'_>) -> Option<Meaning> {
    let name = plain(words)?;
    let is_name = unquoted(words.text).is_some() || !COMPOUNDS.contains(&fold(&name).as_str());
    is_name.then(|| Meaning::one(name.trim_end_matches('/')))
}

/// Reads the new name of a file, which stays in its folder.
pub(super) fn rename(words: Words<'_>, known: &Map<String, Value>, scene: SlotContext<'_>) -> Option<Meaning> {
    let (from, name) = (known.get("from")?.as_str()?, plain(words)?);
    let new = if name.contains('/') { name.trim_end_matches('/').to_owned() } else { join(folder_of(from), &name) };
    is_new_name(from, &new, scene).then(|| Meaning::one(new))
}

/// Reads the place that a file moves or is copied to: a folder, or a new path.
pub(super) fn target(words: Words<'_>, known: &Map<String, Value>, scene: SlotContext<'_>) -> Vec<Meaning> {
    let Some(from) = known.get("from").and_then(Value::as_str) else { return Vec::new() };
    let into = |folder: &str| Meaning::one(join(folder, name_of(from)));
    let folders = files::files(words, files::Sort::Folder, scene);
    if !folders.is_empty() {
        let paths = folders.iter().filter_map(|meaning| meaning.values.first()?.as_str());
        let apart = paths.map(into).filter(|meaning| meaning.values[0] != from);
        return apart.filter(|meaning| meaning.values[0].as_str().is_some_and(|to| !scene.situation.has(to))).collect();
    }
    let Some(name) = plain(words) else { return Vec::new() };
    let new = match (name.ends_with('/'), name.contains('/')) {
        (true, _) => join(&name, name_of(from)),
        (false, true) => name,
        (false, false) => join(folder_of(from), &name),
    };
    if is_new_name(from, &new, scene) { vec![Meaning::one(new)] } else { Vec::new() }
}

/// Returns the place of a file in the folder that the command before was about.
pub(super) fn there(known: &Map<String, Value>, scene: SlotContext<'_>) -> Option<Meaning> {
    let (from, [folder]) = (known.get("from")?.as_str()?, scene.previous) else { return None };
    let new = join(folder, name_of(from));
    (scene.situation.has_folder(folder) && is_new_name(from, &new, scene)).then(|| Meaning::one(new))
}

/// Tells whether a file can have a new path: nothing is there, and it keeps having an ending.
fn is_new_name(from: &str, new: &str, scene: SlotContext<'_>) -> bool {
    let keeps_ending = scene.situation.has_folder(from) || ending_of(from).is_empty() || !ending_of(new).is_empty();
    keeps_ending && !scene.situation.has(new) && new != from
}

/// Reads a name: quoted, or of a few words none of which could be another part of the sentence.
fn plain(words: Words<'_>) -> Option<String> {
    if let Some(inside) = unquoted(words.text) {
        return is_path(inside).then(|| inside.to_owned());
    }
    let has_article =
        words.tokens.len() > 1 && words.tokens.first().is_some_and(|first| FILLERS.contains(&first.folded.as_str()));
    if has_article {
        return None;
    }
    let name = bare_names(words.text.trim()).pop()?;
    let found: Vec<Token> = tokens(name);
    let has_spaces = name.contains(char::is_whitespace);
    let is_plain = |token: &Token| {
        !is_suspicious(&token.folded) && !token.folded.chars().all(|letter| ",;!?()\"`'«»“”".contains(letter))
    };
    let may_have_spaces = !has_spaces || (!ending_of(name).is_empty() && name.split_whitespace().count() <= MOST_WORDS);
    let is_name = may_have_spaces
        && (!has_spaces && !files::is_without_spaces(name) && found.len() == 1 || found.iter().all(is_plain));
    (is_name && found.iter().all(is_plain) && is_path(name)).then(|| name.to_owned())
}

/// Tells whether a text can be a path in the workspace.
fn is_path(text: &str) -> bool {
    let parts = || text.trim_end_matches('/').split('/');
    let is_clean = !text.chars().any(|letter| letter.is_control() || "<>|*?:\"\\".contains(letter));
    is_clean
        && text.len() <= 200
        && !text.starts_with(['/', '~', '-'])
        && parts().all(|part| !part.is_empty() && part != "." && part != ".." && part.trim() == part)
}
