//! Files by age: `the last five files`, `the newest notebook`.

use super::{SlotContext, Words};
use crate::{
    situation::ending_of,
    words::{ending, number},
};

#[rustfmt::skip]
const NEWEST: &[&str] = &[
    "last", "latest", "newest", "recent", "letzten", "letzte", "neuesten", "neueste", "derniers", "dernier", "derniere", "recents", "ultimos",
    "ultimo", "recientes", "最近", "最新", "最后",
];
const ONE: &[&str] = &["file", "document", "datei", "fichier", "archivo"];
const MANY: &[&str] = &["files", "documents", "dateien", "fichiers", "archivos", "文件", "ファイル"];
#[rustfmt::skip]
const BESIDE: &[&str] = &[
    "the", "my", "most", "most recently", "recently", "changed", "modified", "edited", "die", "les", "le", "los", "el", "mas", "plus", "的", "个", "の",
    "つ", "zuletzt", "geanderten", "modifies", "modificados",
];

/// Returns the newest files, newest first; none if the words say something else.
pub(super) fn files(words: Words<'_>, scene: SlotContext<'_>) -> Vec<String> {
    let Some((count, wanted)) = read(words) else { return Vec::new() };
    let fits = |path: &str| wanted.is_none_or(|wanted| ending_of(path) == wanted);
    let mut found: Vec<_> = scene.situation.files.iter().filter(|file| fits(&file.path)).collect();
    found.sort_by(|one, other| other.mtime.cmp(&one.mtime));
    // A file of unknown age could be the newest.
    let is_enough = found.len() >= count && found.iter().all(|file| !file.mtime.is_empty());
    let paths = found.into_iter().take(count).map(|file| file.path.clone());
    if is_enough { paths.collect() } else { Vec::new() }
}

/// Reads how many files and of which ending.
fn read(words: Words<'_>) -> Option<(usize, Option<&'static str>)> {
    let (mut is_newest, mut count, mut wanted, mut noun) = (false, None, None, None);
    let mut rest: &[crate::token::Token] = words.tokens;
    while let Some(token) = rest.first() {
        let pair = rest.get(1).map(|next| format!("{}{}", token.folded, next.folded)).unwrap_or_default();
        let longer = rest
            .get(..4)
            .map(|some| some.iter().map(|token| token.folded.as_str()).collect::<String>())
            .unwrap_or_default();
        let word = token.folded.as_str();
        let mut used = 1;
        if NEWEST.contains(&word) {
            is_newest = true;
        } else if NEWEST.contains(&pair.as_str()) {
            (is_newest, used) = (true, 2);
        } else if MANY.contains(&longer.as_str()) {
            (noun, used) = (Some(true), 4);
        } else if MANY.contains(&word) || MANY.contains(&pair.as_str()) {
            noun = Some(true);
            used = if MANY.contains(&word) { 1 } else { 2 };
        } else if ONE.contains(&word) {
            noun = Some(false);
        } else if let Some(found) = number(word).filter(|_| count.is_none()) {
            count = Some(found as usize);
        } else if let Some(found) =
            ending(word.trim_end_matches('s')).or_else(|| ending(word)).filter(|_| wanted.is_none())
        {
            wanted = Some(found);
            noun = noun.or(Some(word.ends_with('s')));
        } else if !BESIDE.contains(&word) {
            return None;
        }
        rest = rest.get(used..)?;
    }
    let is_many = noun?;
    match (is_newest, count, is_many) {
        (true, Some(count @ 1..=20), _) => Some((count, wanted)),
        (true, None, false) => Some((1, wanted)),
        _ => None,
    }
}
