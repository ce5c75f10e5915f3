//! A change of `settings.toml` that leaves everything else in it, comments too. Pure.

use std::collections::BTreeMap;

use aside_core::{Setting, SettingScope};
use serde_json::Value;
use toml_edit::{Document, DocumentMut, Item, Table, TomlError};

use super::{first_line, json, line_at, template, toml};

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

/// The text with a setting set, or not set any more. All else, comments too, stays as it is.
pub fn with(text: Option<&str>, setting: &Setting, value: Option<&Value>) -> Result<String, EditError> {
    let text = text.map_or_else(|| template(scope_of(setting)), str::to_owned);
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

/// The scope of the file that keeps a setting.
pub fn scope_of(setting: &Setting) -> SettingScope {
    match setting.scope {
        SettingScope::OneWorkspace => SettingScope::Workspace,
        SettingScope::Person | SettingScope::Workspace => SettingScope::Person,
    }
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

#[cfg(test)]
mod tests {
    use aside_core::{SETTINGS, SettingScope, setting};
    use serde_json::json;

    use super::{super::read, *};

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
        let template = template(SettingScope::Person);
        assert_eq!(set, template.replace("# theme = \"system\"", "theme = \"dark\""));
        assert_eq!(with(Some(&set), theme, None).unwrap(), template);
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
            let scope = scope_of(setting);
            assert_eq!(read(&text, scope).values[setting.key], setting.default_value());
            assert_eq!(text.lines().count(), template(scope).lines().count(), "{}", setting.key);
        }
    }
}
