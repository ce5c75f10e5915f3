//! Tabs by name, title, place or kind.

use super::{Meaning, SlotContext, SlotKind, Words, files, names::unquoted};
use crate::{
    situation::{OpenTab, ending_of, name_of, stem_of},
    token::{Token, fold, tokens},
    words::{FILLERS, bare_names, ending, is_this, kind_of_many, kind_of_one, number},
};

const TAB: &[&str] = &["tab", "file", "datei", "onglet", "fichier", "pestana", "archivo"];
const TABS: &[&str] = &["tabs", "files", "dateien", "onglets", "fichiers", "pestanas", "archivos", "ones"];
const LAST: &[&str] = &["last", "letzten", "letzte", "dernier", "derniere", "ultima", "ultimo"];
const NEXT: &[&str] = &["next", "nachsten", "nachste", "suivant", "siguiente"];
const PREVIOUS: &[&str] = &["previous", "vorherigen", "vorherige", "precedent", "anterior"];
/// The letters of the Chinese and Japanese words for a tab, and beside them.
const LETTERS: &str = "标签页个的タブのファイル文件";

/// Returns the tabs that words name.
pub(super) fn tabs(words: Words<'_>, scene: SlotContext<'_>) -> Vec<Meaning> {
    let found = one(words.text, scene);
    if found.is_empty() { files::list(words, |text| one(text, scene)) } else { found }
}

/// Returns one tab, or one thread by its title.
pub(super) fn one_tab(kind: &SlotKind, words: Words<'_>, scene: SlotContext<'_>) -> Vec<Meaning> {
    let is_chat = |path: &str| scene.situation.tabs.iter().any(|tab| tab.path == path && tab.kind == "chat");
    let fits = |meaning: &Meaning| match &meaning.values[..] {
        [path] => *kind == SlotKind::Tab || path.as_str().is_some_and(is_chat),
        _ => false,
    };
    tabs(words, scene).into_iter().filter(fits).collect()
}

/// Returns the place of a tab, from 1.
pub(super) fn place(words: Words<'_>, scene: SlotContext<'_>) -> Option<Meaning> {
    let text: String = words.tokens.iter().map(|token| token.folded.as_str()).collect();
    let place = number(&text)? as usize;
    (1..=scene.situation.tabs.len()).contains(&place).then(|| Meaning::one(place))
}

/// Returns a kind that open tabs have.
pub(super) fn kind(kind: &SlotKind, words: Words<'_>, scene: SlotContext<'_>) -> Option<Meaning> {
    let text: Vec<&str> =
        words.tokens.iter().map(|token| token.folded.as_str()).filter(|word| !FILLERS.contains(word)).collect();
    let (joined, glued) = (text.join(" "), text.concat());
    let of = if *kind == SlotKind::TabKind { kind_of_many } else { kind_of_one };
    let kind = of(&joined).or_else(|| of(&glued))?;
    scene.situation.tabs.iter().any(|tab| tab.kind == kind).then(|| Meaning::one(kind))
}

/// Returns the tabs on a side of the one in front.
pub(super) fn beside(side: &SlotKind, scene: SlotContext<'_>) -> Option<Meaning> {
    let tabs = &scene.situation.tabs;
    let at = tabs.iter().position(|tab| tab.active)?;
    let some = if *side == SlotKind::TabsLeft { &tabs[..at] } else { &tabs[at + 1..] };
    (!some.is_empty()).then(|| Meaning::many(some.iter().map(|tab| tab.path.as_str())))
}

fn one(text: &str, scene: SlotContext<'_>) -> Vec<Meaning> {
    let quoted = unquoted(text);
    let forms = quoted.map_or_else(|| bare_names(text.trim()), |inside| vec![inside]);
    for (index, form) in forms.iter().enumerate() {
        let found = named(form, scene);
        if !found.is_empty() {
            let is_whole_name = index == 0 || found.len() == 1;
            return found.into_iter().map(|tab| Meaning { is_whole_name, ..Meaning::one(tab.path.as_str()) }).collect();
        }
    }
    if quoted.is_some() {
        return Vec::new();
    }
    if is_this(&fold(text.trim())) {
        let previous = scene.previous.iter().filter(|path| scene.situation.tabs.iter().any(|tab| tab.path == **path));
        let objects: Vec<_> = previous.map(String::as_str).collect();
        return match &objects[..] {
            [] => scene.situation.active().map(|tab| Meaning::one(tab.path.as_str())).into_iter().collect(),
            objects => vec![Meaning::many(objects.iter().copied())],
        };
    }
    described(&tokens(text), scene)
}

/// Returns the tabs with a path, name or title, else with a name without its ending.
fn named<'a>(name: &str, scene: SlotContext<'a>) -> Vec<&'a OpenTab> {
    let tabs = &scene.situation.tabs;
    let with = |form: fn(&OpenTab) -> &str| {
        tabs.iter().filter(|tab| files::is_same(form(tab), name, true)).collect::<Vec<_>>()
    };
    let forms: [fn(&OpenTab) -> &str; 4] = [
        |tab| &tab.path,
        |tab| name_of(&tab.path),
        |tab| tab.title.as_deref().unwrap_or(&tab.path),
        |tab| stem_of(name_of(&tab.path)),
    ];
    forms.into_iter().map(with).find(|found| !found.is_empty()).unwrap_or_default()
}

/// Returns tabs by place or kind: `the third tab`, `the csv tab`, `python files`.
fn described(words: &[Token], scene: SlotContext<'_>) -> Vec<Meaning> {
    let tabs = &scene.situation.tabs;
    let words: Vec<&str> = words
        .iter()
        .map(|token| token.folded.as_str())
        .filter(|word| !FILLERS.contains(word) && *word != "all" && *word != "open")
        .collect();
    let is_many = words.iter().any(|word| TABS.contains(word));
    let rest: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| !TAB.contains(word) && !TABS.contains(word) && !LETTERS.contains(word))
        .collect();
    let has_noun = rest.len() < words.len();
    let meaning = |tab: &OpenTab| Meaning::one(tab.path.as_str());
    let at = || tabs.iter().position(|tab| tab.active);
    let [word] = rest[..] else { return Vec::new() };
    if has_noun && !is_many {
        let count = tabs.len();
        let place = match word {
            _ if LAST.contains(&word) => count.checked_sub(1),
            _ if NEXT.contains(&word) => at().map(|at| (at + 1) % count),
            _ if PREVIOUS.contains(&word) => at().map(|at| (at + count - 1) % count),
            _ => number(word).and_then(|place| (place as usize).checked_sub(1)),
        };
        if let Some(tab) = place.and_then(|place| tabs.get(place)) {
            return vec![meaning(tab)];
        }
    }
    let (kind, wanted) = (kind_of_one(word), ending(word.strip_suffix('s').unwrap_or(word)).or_else(|| ending(word)));
    let kind = kind.or_else(|| kind_of_many(word));
    let is_plural = is_many || (kind_of_one(word).is_none() && kind_of_many(word).is_some()) || word.ends_with('s');
    let fits = |tab: &&OpenTab| match wanted {
        Some(wanted) => ending_of(&tab.path) == wanted || (kind == Some(tab.kind.as_str())),
        None => kind == Some(tab.kind.as_str()),
    };
    let found: Vec<_> = tabs.iter().filter(fits).collect();
    // Several tabs of one kind are a kind, which has its own argument.
    let is_kind = is_plural && kind.is_some();
    match (is_plural, found.is_empty() || is_kind) {
        (_, true) => Vec::new(),
        (true, false) => vec![Meaning::many(found.iter().map(|tab| tab.path.as_str()))],
        (false, false) => found.into_iter().map(meaning).collect(),
    }
}
