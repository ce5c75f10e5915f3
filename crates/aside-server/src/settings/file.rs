//! The text of `settings.toml`: read with the place of each mistake, and changed without touching anything else in it. Pure.

use std::collections::BTreeMap;

use aside_core::{SETTINGS, Setting, SettingScope, setting};
use aside_protocol::SettingProblem;
use serde_json::{Number, Value};
use toml_edit::{Document, DocumentMut, Item, Table, TomlError};

/// Mistakes after which the rest of a file is not read.
const MOST_MISTAKES: usize = 20;

/// What a file sets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// The settings that are set, each with a value that fits.
    pub values: BTreeMap<&'static str, Value>,
    /// Lines that set nothing, in order.
    pub problems: Vec<SettingProblem>,
}

/// Why the text can't be changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// It is no TOML.
    #[error("line {line} is not valid TOML: {message}")]
    NotToml {
        /// The line, from 1.
        line: u32,
        /// The parser's words.
        message: String,
    },
    /// The table is written in a way that Aside does not edit.
    #[error("`{0}` is not a table")]
    NotATable(&'static str),
}

/// Reads a file. A line with a mistake is left out, and the rest counts; `scope` is the narrowest that may be set there.
pub fn read(text: &str, scope: SettingScope) -> Contents {
    let mut contents = Contents::default();
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let document = loop {
        let joined = lines.concat();
        let error = match Document::parse(joined) {
            Ok(document) => break document,
            Err(error) => error,
        };
        let line = place(text, &lines, &error);
        contents.problems.push(problem(line, format!("this is not valid TOML: {}", error.message())));
        if contents.problems.len() >= MOST_MISTAKES || lines.get(line - 1).is_none_or(|line| *line == "\n") {
            return contents;
        }
        lines[line - 1] = "\n";
    };
    let line_of = |span: Option<std::ops::Range<usize>>| line_at(document.raw(), span.map_or(0, |span| span.start));
    for (group, item) in document.as_table() {
        let line = line_of(document.as_table().key(group).and_then(toml_edit::Key::span));
        match item.as_table_like() {
            Some(table) => {
                for (name, item) in table.iter() {
                    let line = line_of(table.key(name).and_then(toml_edit::Key::span));
                    match checked(&format!("{group}.{name}"), item, scope) {
                        Ok((key, value)) => drop(contents.values.insert(key, value)),
                        Err(message) => contents.problems.push(problem(line, message)),
                    }
                }
            }
            None => contents.problems.push(problem(line, format!("there is no setting `{group}`"))),
        }
    }
    contents.problems.sort_by_key(|problem| problem.line);
    contents
}

/// The text with a setting set, or not set any more. All else, comments too, stays as it is.
pub fn with(text: Option<&str>, setting: &Setting, value: Option<&Value>) -> Result<String, EditError> {
    let text = text.map_or_else(template, str::to_owned);
    let before = Document::parse(text.as_str()).map_err(|error| not_toml(&text, &error))?;
    let is_set = before.get(setting.place().0).and_then(|table| table.get(setting.place().1)).is_some();
    // The line that the template has for it, or that an earlier change has left.
    let changed = with_line(&text, setting, value).filter(|changed| differs_only_there(&text, changed, setting, value));
    match (changed, value) {
        (Some(changed), _) => Ok(changed),
        (None, None) if !is_set => Ok(text),
        (None, _) => with_item(&text, setting, value),
    }
}

/// A file that sets nothing yet and says what it can set.
pub fn template() -> String {
    let mut text =
        "# Settings of Aside, for all folders that you open. *Settings* in Aside (Ctrl+,) changes this file too.\n\
        # Remove the # before a line to set it; every open window follows when the file is saved.\n"
            .to_owned();
    let mut group = "";
    for setting in SETTINGS {
        let (table, name) = setting.place();
        if table != group {
            text.push_str(&format!("\n[{table}]\n"));
            group = table;
        }
        text.push_str(&format!("# {} {}.\n", setting.help, capital(&setting.kind.to_string())));
        text.push_str(&format!("# {name} = {}\n", toml(&setting.default_value())));
    }
    text
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn checked(key: &str, item: &Item, scope: SettingScope) -> Result<(&'static str, Value), String> {
    let setting = setting(key).map_err(|error| error.to_string())?;
    if scope == SettingScope::Workspace && setting.scope == SettingScope::Person {
        return Err(format!("`{key}` is yours to set, not a workspace's"));
    }
    let value = json(item);
    setting.check(&value).map_err(|error| error.to_string())?;
    Ok((setting.key, value))
}

/// The value as JSON; what no setting takes is a text, so that a message can name it.
fn json(item: &Item) -> Value {
    match item.as_value() {
        Some(toml_edit::Value::Boolean(on)) => Value::Bool(*on.value()),
        Some(toml_edit::Value::Integer(number)) => Value::from(*number.value()),
        Some(toml_edit::Value::Float(number)) => Number::from_f64(*number.value()).map_or(Value::Null, Value::Number),
        Some(toml_edit::Value::String(text)) => Value::String(text.value().clone()),
        Some(other) => Value::String(other.to_string().trim().to_owned()),
        None => Value::String("a table".to_owned()),
    }
}

/// As TOML writes it: a boolean, a number or a text without anything to escape.
fn toml(value: &Value) -> String {
    value.to_string()
}

/// Replaces the one line of a table that sets `name`, or would if it were no comment.
fn with_line(text: &str, setting: &Setting, value: Option<&Value>) -> Option<String> {
    let (group, name) = setting.place();
    let mut table = "";
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let mut places = (None, None);
    for (index, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        if trimmed.starts_with('[') {
            table = trimmed.trim_start_matches('[').split(']').next()?.trim();
        } else if table == group {
            let is_it = |line: &str| {
                line.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with('=') && !rest.contains(['#']))
            };
            if is_it(trimmed) {
                places.0 = Some(index);
            } else if trimmed.strip_prefix('#').is_some_and(|line| is_it(line.trim_start())) {
                places.1 = Some(index);
            }
        }
    }
    let index = places.0.or(places.1)?;
    let sign = if value.is_some() { "" } else { "# " };
    let shown = value.cloned().unwrap_or_else(|| setting.default_value());
    lines[index] = format!("{sign}{name} = {}\n", toml(&shown));
    Some(lines.concat())
}

/// Tells whether two texts are the same but for one setting, which has this value in the second.
fn differs_only_there(before: &str, after: &str, setting: &Setting, value: Option<&Value>) -> bool {
    let (group, name) = setting.place();
    let plain = |text: &str| {
        let mut table = text.parse::<DocumentMut>().ok()?.into_table();
        let own = table.get_mut(group).and_then(Item::as_table_like_mut).and_then(|table| table.remove(name));
        Some((sorted(&table), own.map(|item| json(&item))))
    };
    let (Some((before, _)), Some((after, own))) = (plain(before), plain(after)) else { return false };
    before == after && own.as_ref() == value
}

/// The values of a table by their whole names.
fn sorted(table: &Table) -> BTreeMap<String, String> {
    table
        .get_values()
        .into_iter()
        .map(|(keys, value)| {
            let names: Vec<_> = keys.iter().map(|key| key.get()).collect();
            (names.join("."), value.to_string().trim().to_owned())
        })
        .chain(table.iter().filter_map(|(name, item)| Some((name, item.as_table()?))).flat_map(|(name, table)| {
            sorted(table).into_iter().map(move |(key, value)| (format!("{name}.{key}"), value))
        }))
        .collect()
}

fn with_item(text: &str, setting: &Setting, value: Option<&Value>) -> Result<String, EditError> {
    let (group, name) = setting.place();
    let mut document: DocumentMut = text.parse().map_err(|error| not_toml(text, &error))?;
    let table = document.entry(group).or_insert_with(toml_edit::table);
    let table = table.as_table_like_mut().ok_or(EditError::NotATable(group))?;
    let new = match value {
        None => {
            table.remove(name);
            return Ok(document.to_string());
        }
        Some(Value::Bool(on)) => toml_edit::Value::from(*on),
        Some(Value::Number(number)) => toml_edit::Value::from(number.as_i64().unwrap_or_default()),
        Some(other) => toml_edit::Value::from(other.as_str().unwrap_or_default()),
    };
    match table.get_mut(name).and_then(Item::as_value_mut) {
        Some(value) => {
            let decor = value.decor().clone();
            *value = new;
            *value.decor_mut() = decor;
        }
        None => drop(table.insert(name, toml_edit::value(new))),
    }
    Ok(document.to_string())
}

fn not_toml(text: &str, error: &TomlError) -> EditError {
    let line = error.span().map_or(1, |span| line_at(text, span.start));
    EditError::NotToml { line: u32::try_from(line).unwrap_or(u32::MAX), message: first_line(error.message()) }
}

/// The line of a mistake, from 1. Blank lines have taken the place of earlier mistakes, so that lines keep their numbers.
fn place(text: &str, lines: &[&str], error: &TomlError) -> usize {
    let joined = lines.concat();
    let start = error.span().map_or(0, |span| span.start).min(joined.len());
    // The end of a line belongs to it.
    let line = line_at(&joined, start);
    line.min(text.lines().count().max(1))
}

fn line_at(text: &str, offset: usize) -> usize {
    text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1
}

fn problem(line: usize, message: String) -> SettingProblem {
    SettingProblem { line: u32::try_from(line).unwrap_or(u32::MAX), message: first_line(&message) }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(300).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(text: &str, values: &[(&str, Value)], problems: &[(u32, &str)]) {
        let read = read(text, SettingScope::Person);
        let found: Vec<_> = read.values.iter().map(|(key, value)| (*key, value.clone())).collect();
        assert_eq!(found, values);
        let faults: Vec<_> = read.problems.iter().map(|problem| (problem.line, problem.message.as_str())).collect();
        assert_eq!(faults.len(), problems.len(), "{faults:?}");
        for ((line, message), (wanted, words)) in faults.into_iter().zip(problems) {
            assert!(line == *wanted && message.contains(words), "line {line}: {message}");
        }
    }

    #[test]
    fn mistakes_are_named_and_the_rest_counts() {
        check("", &[], &[]);
        check(&template(), &[], &[]);
        let size = ("editor.font_size", json!(14));
        check("[editor]\nfont_size = 14\n", &[size.clone()], &[]);
        check("editor.font_size = 14", &[size.clone()], &[]);
        check(
            "[editor]\nfont_size = 14\ncolour = 1\nline_numbers = \"no\"\ntab_size = 99\n[shop]\nopen = true\n",
            &[size.clone()],
            &[
                (3, "no setting `editor.colour`"),
                (4, "true or false, not \"no\""),
                (5, "from 1 to 8, not 99"),
                (7, "`shop.open`"),
            ],
        );
        let theme = ("window.theme", json!("dark"));
        check("[editor]\nfont_size 14\n[window]\ntheme = \"dark\"\n", &[theme.clone()], &[(2, "not valid TOML")]);
        check("[editor]\nfont_size = 14\nfont_size = 15\n", &[size], &[(3, "duplicate")]);
        check("editor = 3\nwindow = { theme = \"dark\" }\n", &[theme], &[(1, "no setting `editor`")]);
    }

    #[test]
    fn workspace_sets_only_what_may_differ_there() {
        let contents = read("[editor]\ntab_size = 2\nfont_size = 30\n", SettingScope::Workspace);
        assert_eq!(contents.values, BTreeMap::from([("editor.tab_size", json!(2))]));
        assert_eq!(contents.problems[0].line, 3);
    }

    #[track_caller]
    fn change(text: &str, key: &str, value: Option<Value>, expected: &str) {
        let setting = setting(key).unwrap();
        assert_eq!(with(Some(text), setting, value.as_ref()).unwrap(), expected);
    }

    #[test]
    fn change_leaves_everything_else() {
        let text = "# mine\n[editor] # here\nfont_size=12\nword_wrap = true\n\n# end\n";
        let after = "# mine\n[editor] # here\nfont_size = 20\nword_wrap = true\n\n# end\n";
        change(text, "editor.font_size", Some(json!(20)), after);
        let after = "# mine\n[editor] # here\nfont_size=12\n# word_wrap = false\n\n# end\n";
        change(text, "editor.word_wrap", None, after);
        change(text, "editor.tab_size", None, text);
        change(
            "window.theme = 'light' # bright\n",
            "window.theme",
            Some(json!("dark")),
            "window.theme = \"dark\" # bright\n",
        );
        change(
            "[editor]\nfont_size = 12 # small\n",
            "editor.font_size",
            Some(json!(9)),
            "[editor]\nfont_size = 9 # small\n",
        );
        change("", "editor.font_size", Some(json!(9)), "[editor]\nfont_size = 9\n");
    }

    #[test]
    fn template_line_is_set_and_reset_in_place() {
        let theme = setting("window.theme").unwrap();
        let set = with(None, theme, Some(&json!("dark"))).unwrap();
        assert_eq!(read(&set, SettingScope::Person).values, BTreeMap::from([("window.theme", json!("dark"))]));
        assert_eq!(set, template().replace("# theme = \"system\"", "theme = \"dark\""));
        assert_eq!(with(Some(&set), theme, None).unwrap(), template());
    }

    #[test]
    fn file_with_a_mistake_is_not_changed() {
        let theme = setting("window.theme").unwrap();
        let error = with(Some("[window]\ntheme dark\n"), theme, Some(&json!("dark"))).unwrap_err();
        assert!(error.to_string().starts_with("line 2 is not valid TOML"), "{error}");
        let error = with(Some("window = 3\n"), theme, Some(&json!("dark"))).unwrap_err();
        assert_eq!(error, EditError::NotATable("window"));
    }

    #[test]
    fn every_setting_can_be_set_in_the_template() {
        for setting in SETTINGS {
            let text = with(None, setting, Some(&setting.default_value())).unwrap();
            assert_eq!(read(&text, SettingScope::Person).values[setting.key], setting.default_value());
            assert_eq!(text.lines().count(), template().lines().count(), "{}", setting.key);
        }
    }
}
