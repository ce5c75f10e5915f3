//! Files and folders by path, name, name without ending, pointing word or age.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization as _, is_nfc};

use super::{Meaning, SlotContext, SlotKind, Words, names::unquoted, recent};
use crate::{
    situation::{ending_of, name_of, stem_of},
    token::{fold, is_cjk},
    words::{JOINERS, bare_names, is_exactly_this, is_judgement},
};

/// The most objects of one list.
const LONGEST_LIST: usize = 20;

/// The sort of thing that words may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    File,
    Folder,
    Any,
    Notebook,
}

/// Returns the files and folders that words name.
pub(super) fn files(words: Words<'_>, sort: Sort, scene: SlotContext<'_>) -> Vec<Meaning> {
    let one = one(words.text, sort, scene);
    if !one.is_empty() {
        return one;
    }
    if scene.is_gentle && sort == Sort::File {
        let found = recent::files(words, scene);
        if !found.is_empty() {
            return vec![Meaning::many(found)];
        }
    }
    list(words, |text| self::one(text, sort, scene))
}

/// Returns files as [`files`] does, if there are as many as the kind wants.
pub(super) fn counted(kind: &SlotKind, words: Words<'_>, scene: SlotContext<'_>) -> Vec<Meaning> {
    let is_open =
        |meaning: &Meaning| meaning.values.iter().any(|path| scene.situation.tabs.iter().any(|tab| *path == tab.path));
    let fits = |meaning: &Meaning| match kind {
        SlotKind::Files => meaning.values.len() > 1,
        SlotKind::ClosedFile => meaning.values.len() == 1 && !is_open(meaning),
        _ => meaning.values.len() == 1,
    };
    files(words, Sort::File, scene).into_iter().filter(fits).collect()
}

/// Returns the LaTeX sources that words name.
pub(super) fn latex(words: Words<'_>, scene: SlotContext<'_>) -> Vec<Meaning> {
    let is_latex = |meaning: &Meaning| {
        meaning.values.iter().all(|path| path.as_str().is_some_and(|path| ending_of(path) == "tex"))
    };
    files(words, Sort::File, scene).into_iter().filter(is_latex).collect()
}

/// Returns the LaTeX source in front, else the main files of the documents that are open.
pub(super) fn open_latex(scene: SlotContext<'_>) -> Vec<String> {
    let situation = scene.situation;
    if let Some(tab) = situation.active().filter(|tab| ending_of(&tab.path) == "tex") {
        return vec![tab.path.clone()];
    }
    let is_open = |parts: &Vec<String>| parts.iter().any(|part| situation.tabs.iter().any(|tab| tab.path == *part));
    let open: Vec<_> =
        situation.documents.iter().filter(|(_, parts)| is_open(parts)).map(|(main, _)| main.clone()).collect();
    let sources = || situation.tabs.iter().map(|tab| tab.path.clone()).filter(|path| ending_of(path) == "tex");
    if open.is_empty() { sources().collect() } else { open }
}

/// Returns the file in front, or the object of the command before.
pub(super) fn in_front(scene: SlotContext<'_>) -> Option<String> {
    match scene.previous {
        [] => scene.situation.active().filter(|tab| tab.kind != "chat").map(|tab| tab.path.clone()),
        [one] => Some(one.clone()),
        _ => None,
    }
}

/// Returns the meanings of a list, each of whose parts `one` reads. A list of unclear parts has no meaning.
pub(super) fn list(words: Words<'_>, one: impl Fn(&str) -> Vec<Meaning>) -> Vec<Meaning> {
    let mut parts = Vec::new();
    let (mut start, first) = (words.tokens.first().map_or(0, |token| token.bytes.start), words.tokens.first());
    let offset = first.map_or(0, |token| token.bytes.start);
    for token in words.tokens {
        if JOINERS.contains(&token.folded.as_str()) {
            parts.push(words.text[start - offset..token.bytes.start - offset].trim());
            start = token.bytes.end;
        }
    }
    parts.push(words.text[start - offset..].trim());
    parts.retain(|part| !part.is_empty());
    if parts.len() < 2 || parts.len() > LONGEST_LIST {
        return Vec::new();
    }
    let mut all = Meaning::default();
    for part in parts {
        match &one(part)[..] {
            [meaning] => all.values.extend(meaning.values.clone()),
            _ => return Vec::new(),
        }
    }
    vec![all]
}

fn one(text: &str, sort: Sort, scene: SlotContext<'_>) -> Vec<Meaning> {
    let quoted = unquoted(text);
    let forms = match quoted {
        Some(inside) => vec![inside],
        None => bare_names(text.trim()),
    };
    for (index, form) in forms.iter().enumerate() {
        let is_described = index > 0 && !scene.is_gentle && sort == Sort::Any && is_judgement(&fold(form));
        let mut found = if is_described { Vec::new() } else { named(form, sort, scene) };
        if !scene.is_gentle && sort == Sort::Any && quoted.is_none() && !says_folder(text) {
            found.retain(|path| !scene.situation.has_folder(path));
        }
        if !scene.is_gentle && sort == Sort::Notebook && !says_notebook(text) {
            found.retain(|path| form.to_lowercase().ends_with(&name_of(path).to_lowercase()));
        }
        if !found.is_empty() {
            let is_whole_name = index == 0 || found.len() == 1;
            return found.into_iter().map(|path| Meaning { is_whole_name, ..Meaning::one(path) }).collect();
        }
    }
    let is_pointing = quoted.is_none() && points_at_file(&fold(text.trim()), scene);
    let is_there = |path: &String| sort != Sort::Folder || scene.situation.has_folder(path);
    match is_pointing {
        true => in_front(scene)
            .filter(is_there)
            .filter(|path| is_of(path, sort, scene))
            .map(Meaning::one)
            .into_iter()
            .collect(),
        false => Vec::new(),
    }
}

/// Tells whether words point at the file in front. `delete this` may mean a cell or a tab: an action with an effect needs
/// the word for a file, or a command before.
fn points_at_file(folded: &str, scene: SlotContext<'_>) -> bool {
    const OTHERS: &[&str] = &["tab", "onglet", "pestana", "folder", "page", "note", "one"];
    const PRONOUNS: &[&str] = &["this", "it", "esto", "这个", "它", "これ", "それ"];
    let is_other = folded.split([' ', '\'']).any(|word| OTHERS.contains(&word))
        || folded.contains('标')
        || folded.contains("タブ");
    let is_clear = scene.is_gentle || !scene.previous.is_empty() || !PRONOUNS.contains(&folded);
    is_exactly_this(folded) && !is_other && is_clear
}

/// Tells whether words say that they name a folder: `the data` may be what is in it.
fn says_folder(text: &str) -> bool {
    const WORDS: &[&str] = &[
        "folder",
        "directory",
        "ordner",
        "verzeichnis",
        "dossier",
        "repertoire",
        "carpeta",
        "directorio",
        "文件夹",
        "目录",
        "フォルダ",
    ];
    let folded = fold(text);
    text.trim().ends_with('/') || WORDS.iter().any(|word| folded.contains(&fold(word)))
}

/// Tells whether words say that they name a notebook, so that its ending may be left out.
fn says_notebook(text: &str) -> bool {
    const WORDS: &[&str] = &["notebook", "notizbuch", "carnet", "cuaderno", "笔记本", "ノートブック"];
    let folded = fold(text);
    WORDS.iter().any(|word| folded.contains(&fold(word)))
}

fn is_of(path: &str, sort: Sort, scene: SlotContext<'_>) -> bool {
    match sort {
        Sort::Folder => scene.situation.has_folder(path),
        Sort::Notebook => ending_of(path) == "ipynb",
        Sort::File | Sort::Any => true,
    }
}

/// Returns the paths that have a name. For an action with an effect, a file of the same name makes a path unclear.
fn named(name: &str, sort: Sort, scene: SlotContext<'_>) -> Vec<String> {
    let name = name.trim_start_matches("./");
    let wanted = if sort == Sort::File || sort == Sort::Notebook { name } else { name.trim_end_matches('/') };
    if wanted.is_empty() {
        return Vec::new();
    }
    let paths = all(sort, scene);
    let with = |form: fn(&str) -> &str, wanted: &str| -> Vec<String> {
        paths
            .iter()
            .filter(|path| is_same(form(path), wanted, scene.is_gentle))
            .map(|path| (*path).to_owned())
            .collect()
    };
    let by_path = with(|path| path, wanted);
    if !by_path.is_empty() && scene.is_gentle {
        return by_path;
    }
    let by_name = with(name_of, name_of(wanted));
    if !by_path.is_empty() || !by_name.is_empty() {
        // A path with a folder that is not there names nothing, though a file elsewhere has its name.
        return if by_path.is_empty() && wanted.contains('/') { Vec::new() } else { by_name };
    }
    let may_lack_ending = (scene.is_gentle || sort == Sort::Notebook) && !wanted.contains('/');
    match may_lack_ending {
        true => with(|path| stem_of(name_of(path)), wanted),
        false => Vec::new(),
    }
}

fn all<'a>(sort: Sort, scene: SlotContext<'a>) -> Vec<&'a str> {
    let files = scene.situation.files.iter().map(|file| file.path.as_str());
    let folders = scene.situation.folders.iter().map(String::as_str);
    match sort {
        Sort::File => files.collect(),
        Sort::Notebook => files.filter(|path| ending_of(path) == "ipynb").collect(),
        Sort::Folder => folders.collect(),
        Sort::Any => files.chain(folders).collect(),
    }
}

/// Compares names in Unicode's composed form; for gentle actions, without case.
pub(super) fn is_same(one: &str, other: &str, is_gentle: bool) -> bool {
    let (one, other) = (composed(one), composed(other));
    one == other || (is_gentle && one.len().abs_diff(other.len()) < 8 && one.to_lowercase() == other.to_lowercase())
}

fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc(text) { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }
}

/// Tells whether a text is of letters that are written without spaces.
pub(super) fn is_without_spaces(text: &str) -> bool {
    text.chars().any(is_cjk)
}
