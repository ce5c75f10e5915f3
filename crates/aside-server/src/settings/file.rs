//! The text of `settings.toml`, read with the place of each mistake. Pure.

mod edit;

use std::collections::BTreeMap;

use aside_core::{SETTINGS, Setting, SettingScope, setting};
use aside_protocol::SettingProblem;
use serde_json::{Number, Value};
use toml_edit::{Document, Item, TomlError};

pub use edit::{EditError, scope_of, with};

/// Mistakes after which the rest of a file is not read.
const MOST_MISTAKES: usize = 20;

/// The settings of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contents {
    /// The settings that are set, each with a value that fits.
    pub values: BTreeMap<&'static str, Value>,
    /// Lines that set nothing, in order.
    pub problems: Vec<SettingProblem>,
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

/// A file that sets nothing yet and says what it can set; `scope` is as in [`read`].
pub fn template(scope: SettingScope) -> String {
    let whose = match scope {
        SettingScope::Person => "for all folders that you open",
        SettingScope::Workspace | SettingScope::OneWorkspace => "for this folder alone; they override your own",
    };
    let mut text = format!(
        "# Settings of Aside, {whose}. *Settings* in Aside (Ctrl+,) changes this file too.\n\
        # Remove the # before a line to set it; every open window follows when the file is saved.\n"
    );
    let is_here = |setting: &&Setting| match scope {
        SettingScope::Person => setting.scope != SettingScope::OneWorkspace,
        SettingScope::Workspace | SettingScope::OneWorkspace => setting.scope != SettingScope::Person,
    };
    let mut group = "";
    for setting in SETTINGS.iter().filter(is_here) {
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
    match (scope, setting.scope) {
        (SettingScope::Workspace, SettingScope::Person) => {
            return Err(format!("`{key}` is yours to set, not a workspace's"));
        }
        (SettingScope::Person, SettingScope::OneWorkspace) => {
            return Err(format!("`{key}` is of one workspace: set it in `.aside/settings.toml` there"));
        }
        _ => {}
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
        check(&template(SettingScope::Person), &[], &[]);
        assert_eq!(read(&template(SettingScope::Workspace), SettingScope::Workspace), Contents::default());
        let colour = "[workspace]\ncolour = \"red\"\n";
        check(colour, &[], &[(2, "is of one workspace")]);
        assert_eq!(read(colour, SettingScope::Workspace).values["workspace.colour"], json!("red"));
        let size = || ("editor.font_size", json!(14));
        check("[editor]\nfont_size = 14\n", &[size()], &[]);
        check("editor.font_size = 14", &[size()], &[]);
        check(
            "[editor]\nfont_size = 14\ncolour = 1\nline_numbers = \"no\"\ntab_size = 99\n[shop]\nopen = true\n",
            &[size()],
            &[
                (3, "no setting `editor.colour`"),
                (4, "true or false, not \"no\""),
                (5, "from 1 to 8, not 99"),
                (7, "`shop.open`"),
            ],
        );
        let theme = || ("window.theme", json!("dark"));
        check("[editor]\nfont_size 14\n[window]\ntheme = \"dark\"\n", &[theme()], &[(2, "not valid TOML")]);
        check("[editor]\nfont_size = 14\nfont_size = 15\n", &[size()], &[(3, "duplicate")]);
        check("editor = 3\nwindow = { theme = \"dark\" }\n", &[theme()], &[(1, "no setting `editor`")]);
    }

    #[test]
    fn workspace_sets_only_what_may_differ_there() {
        let contents = read("[editor]\ntab_size = 2\nfont_size = 30\n", SettingScope::Workspace);
        assert_eq!(contents.values, BTreeMap::from([("editor.tab_size", json!(2))]));
        assert_eq!(contents.problems[0].line, 3);
    }
}
