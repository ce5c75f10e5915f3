//! Plain values: numbers, switches, choices, texts, mail addresses, open items of notes.

use serde_json::Value;

use super::{Meaning, SlotContext, Words, names::unquoted};
use crate::{
    token::{fold, is_cjk},
    words::{is_condition, is_suspicious, number as read_number},
};

/// The most words of a free text without quotes.
const MOST_WORDS: usize = 30;
const PERCENT: &[&str] = &["%", "percent", "prozent", "pourcent", "porciento", "パーセント"];
const ON: &[&str] = &["on", "an", "ein", "true", "yes", "enabled", "active"];
const OFF: &[&str] = &["off", "aus", "false", "no", "disabled"];

/// Reads a whole number.
pub(super) fn number(words: Words<'_>) -> Option<Meaning> {
    let text: String = words.tokens.iter().map(|token| token.folded.as_str()).collect();
    read_number(&text).map(Meaning::one)
}

/// Reads a whole number in percent: `150 %`, `150%` or `150 percent`.
pub(super) fn percent(words: Words<'_>) -> Option<Meaning> {
    let text: String = words.tokens.iter().map(|token| token.folded.as_str()).collect();
    let number = PERCENT.iter().find_map(|word| text.strip_suffix(word)).unwrap_or(&text);
    read_number(number).map(Meaning::one)
}

/// Reads `on` or `off`.
pub(super) fn switch(words: Words<'_>) -> Option<Meaning> {
    let text = fold(words.text.trim());
    match (ON.contains(&text.as_str()), OFF.contains(&text.as_str())) {
        (true, _) => Some(Meaning::one(true)),
        (_, true) => Some(Meaning::one(false)),
        _ => None,
    }
}

/// Reads one of the words of a schema.
pub(super) fn choice(words: Words<'_>, choices: &[String]) -> Option<Meaning> {
    let text = fold(words.text.trim());
    choices
        .iter()
        .find(|choice| fold(choice) == text || fold(&choice.replace('_', " ")) == text)
        .map(|choice| Meaning::one(choice.as_str()))
}

/// Reads free text: quoted, or without a word of a condition or negation.
pub(super) fn text(words: Words<'_>) -> Option<Meaning> {
    if let Some(inside) = unquoted(words.text) {
        return Some(Meaning::one(inside));
    }
    let is_plain = words.tokens.iter().all(|token| !is_condition(&token.folded)) && words.tokens.len() <= MOST_WORDS;
    let text = words.text.trim().trim_end_matches(['.', '!', '。', '！']);
    let has_letters = text.chars().any(char::is_alphanumeric);
    let is_short =
        text.split_whitespace().count() <= MOST_WORDS && (!text.chars().any(is_cjk) || text.chars().count() <= 60);
    (is_plain && has_letters && is_short).then(|| Meaning::one(text))
}

/// Reads one word.
pub(super) fn word(words: Words<'_>) -> Option<Meaning> {
    match (unquoted(words.text), words.tokens) {
        (Some(inside), _) => Some(Meaning::one(inside)),
        (None, [token]) if !is_suspicious(&token.folded) => Some(Meaning::one(words.text.trim())),
        _ => None,
    }
}

/// Reads a mail address.
pub(super) fn mail(words: Words<'_>) -> Option<Meaning> {
    let text = unquoted(words.text).unwrap_or(words.text.trim());
    let (name, host) = text.split_once('@')?;
    let is_address = !name.is_empty()
        && host.contains('.')
        && !host.contains('@')
        && !text.contains(char::is_whitespace)
        && !host.ends_with('.');
    is_address.then(|| Meaning::one(text))
}

/// Reads the name of a model with its server: `ollama/qwen3:4b`.
pub(super) fn model(words: Words<'_>) -> Option<Meaning> {
    let text = words.text.trim();
    let name = text.strip_prefix("ollama/")?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._:-/".contains(&byte))
        && name.contains(|letter: char| letter.is_ascii_alphanumeric());
    is_name.then(|| Meaning::one(text))
}

/// Returns the open items with a text, else those whose text begins with it.
pub(super) fn todo(words: Words<'_>, scene: SlotContext<'_>) -> Vec<Meaning> {
    let wanted = fold(unquoted(words.text).unwrap_or(words.text.trim()));
    let with = |fits: &dyn Fn(&str) -> bool| -> Vec<Meaning> {
        let found = scene.situation.todos.iter().filter(|todo| fits(&fold(&todo.text)));
        found.map(|todo| Meaning::one(todo.id.as_str())).collect()
    };
    let exact = with(&|text| text == wanted);
    let begins = |text: &str| text.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.starts_with(' '));
    if exact.is_empty() { with(&begins) } else { exact }
}

/// Returns the opposite state of a part of the window.
pub(super) fn toggled(argument: &str, scene: SlotContext<'_>) -> Option<Meaning> {
    let layout = &scene.situation.layout;
    let state = match argument {
        "sidebar" => layout.sidebar.as_deref(),
        "side" => layout.side.as_deref(),
        _ => None,
    };
    let other = match layout.theme.as_deref() {
        Some("light") => Some("dark"),
        Some("dark") => Some("light"),
        _ => None,
    };
    if argument == "mode" {
        return other.map(Meaning::one);
    }
    match state? {
        "show" => Some(Meaning::one("hide")),
        "hide" => Some(Meaning::one("show")),
        _ => None,
    }
}

/// Returns the schema that a reference leads to.
pub(super) fn referred<'a>(schema: &'a Value, root: &'a Value) -> &'a Value {
    let target = schema["$ref"].as_str().and_then(|path| root.pointer(path.strip_prefix('#')?));
    target.unwrap_or(schema)
}

/// Returns the words that a schema allows.
pub(super) fn choices(schema: &Value, root: &Value) -> Vec<String> {
    let texts = |list: &Value| {
        list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
    };
    let direct = texts(&schema["enum"]);
    if !direct.is_empty() {
        return direct;
    }
    let options = ["oneOf", "anyOf"].into_iter().flat_map(|key| schema[key].as_array().into_iter().flatten());
    options
        .flat_map(|option| {
            let option = referred(option, root);
            match option["const"].as_str() {
                Some(word) => vec![word.to_owned()],
                None if option["enum"].is_array() => texts(&option["enum"]),
                None if option["oneOf"].is_array() => choices(option, root),
                None => Vec::new(),
            }
        })
        .collect()
}
