//! The settings of a person: the one table that the file, the actions and the page are made from.

mod table;

use std::fmt;

use crate::TS;
use serde::Serialize;
use serde_json::{Value, json};

pub use table::SETTINGS;

/// A setting, as the page and the file show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Setting {
    /// Its name, `group.name`; in the file `name` in the table `group`.
    #[ts(type = "string")]
    pub key: &'static str,
    /// Its title on the page.
    #[ts(type = "string")]
    pub title: &'static str,
    /// One sentence that explains it.
    #[ts(type = "string")]
    pub help: &'static str,
    /// The heading that it stands below.
    #[ts(type = "string")]
    pub group: &'static str,
    /// The values that it takes, and its default.
    pub kind: SettingKind,
    /// Where it can be set.
    pub scope: SettingScope,
}

/// The values of a setting, and its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SettingKind {
    /// On or off.
    Switch {
        /// Its default.
        default: bool,
    },
    /// A whole number.
    Number {
        /// Its default.
        default: u32,
        /// The smallest value.
        least: u32,
        /// The largest value.
        most: u32,
    },
    /// One of a few words.
    Choice {
        /// Its default.
        #[ts(type = "string")]
        default: &'static str,
        /// All values.
        #[ts(as = "Vec<SettingOption>")]
        options: &'static [SettingOption],
    },
    /// A line of text; empty unless it is set.
    Text {
        /// An example.
        #[ts(type = "string")]
        example: &'static str,
        /// Bytes at most.
        longest: u32,
    },
    /// Words in an order, with commas between them: known ones, and endings of files such as `.py`.
    List {
        /// Its default.
        #[ts(type = "string")]
        default: &'static str,
        /// The known words.
        #[ts(as = "Vec<SettingOption>")]
        options: &'static [SettingOption],
    },
}

/// A value of a setting with a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct SettingOption {
    /// The value.
    #[ts(type = "string")]
    pub value: &'static str,
    /// Its title on the page.
    #[ts(type = "string")]
    pub title: &'static str,
}

/// Where a setting can be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SettingScope {
    /// By the person, for every workspace.
    Person,
    /// By the person; a workspace may override it.
    Workspace,
    /// For one workspace alone, in its own file.
    OneWorkspace,
}

/// Says why a setting can't have a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidSetting {
    /// There is no such setting.
    #[error("there is no setting `{0}`")]
    Unknown(String),
    /// The value does not fit.
    #[error("`{key}` takes {expected}, not {found}")]
    Value {
        /// The setting.
        key: &'static str,
        /// Its values, in words.
        expected: String,
        /// The value, cut short.
        found: String,
    },
}

/// The most words of a list, and the most letters of an ending.
const MOST_WORDS: usize = 24;
const LONGEST_ENDING: usize = 12;

/// Returns a setting by its key.
pub fn setting(key: &str) -> Result<&'static Setting, InvalidSetting> {
    let found = SETTINGS.iter().find(|setting| setting.key == key);
    found.ok_or_else(|| InvalidSetting::Unknown(key.chars().take(60).collect()))
}

impl Setting {
    /// Returns the value that it has unless it is set.
    pub fn default_value(&self) -> Value {
        match self.kind {
            SettingKind::Switch { default } => json!(default),
            SettingKind::Number { default, .. } => json!(default),
            SettingKind::Choice { default, .. } | SettingKind::List { default, .. } => json!(default),
            SettingKind::Text { .. } => json!(""),
        }
    }

    /// Fails if it can't have this value.
    pub fn check(&self, value: &Value) -> Result<(), InvalidSetting> {
        let fits = match self.kind {
            SettingKind::Switch { .. } => value.is_boolean(),
            SettingKind::Number { least, most, .. } => {
                value.as_u64().is_some_and(|number| (u64::from(least)..=u64::from(most)).contains(&number))
            }
            SettingKind::Choice { options, .. } => {
                value.as_str().is_some_and(|word| options.iter().any(|option| option.value == word))
            }
            SettingKind::List { options, .. } => value.as_str().is_some_and(|text| is_list(text, options)),
            SettingKind::Text { longest, .. } => {
                value.as_str().is_some_and(|text| text.len() <= longest as usize && !text.contains(char::is_control))
            }
        };
        let found = || value.to_string().chars().take(60).collect();
        fits.then_some(()).ok_or_else(|| InvalidSetting::Value {
            key: self.key,
            expected: self.kind.to_string(),
            found: found(),
        })
    }

    /// Returns a value as the page shows it: the title of an option, *on* or *off*.
    pub fn words(&self, value: &Value) -> String {
        match (self.kind, value) {
            (SettingKind::Choice { options, .. }, Value::String(word)) => {
                let titled = options.iter().find(|option| option.value == word);
                titled.map_or_else(|| word.clone(), |option| option.title.to_owned())
            }
            (SettingKind::Text { .. }, Value::String(text)) => {
                if text.is_empty() {
                    "none".to_owned()
                } else {
                    text.clone()
                }
            }
            (SettingKind::List { options, .. }, Value::String(text)) => {
                let titled =
                    |word| options.iter().find(|option| option.value == word).map_or(word, |option| option.title);
                let titles: Vec<_> = listed(text).map(titled).collect();
                if titles.is_empty() { "none".to_owned() } else { titles.join(", ") }
            }
            (_, Value::Bool(on)) => if *on { "on" } else { "off" }.to_owned(),
            (_, value) => value.to_string(),
        }
    }

    /// Returns the table and the name that it has in the file.
    pub fn place(&self) -> (&'static str, &'static str) {
        self.key.split_once('.').expect("each key has a group, as a test holds")
    }
}

/// Returns the words of a list.
pub fn listed(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|word| !word.is_empty())
}

/// Each word is known or an ending, and none comes twice.
fn is_list(text: &str, options: &[SettingOption]) -> bool {
    let is_ending = |word: &str| {
        word.strip_prefix('.').is_some_and(|ending| {
            (1..=LONGEST_ENDING).contains(&ending.len()) && ending.chars().all(|letter| letter.is_ascii_alphanumeric())
        })
    };
    let words: Vec<_> = listed(text).collect();
    let is_known = |word: &str| options.iter().any(|option| option.value == word) || is_ending(word);
    let is_twice = |at: usize| words[..at].contains(&words[at]);
    words.len() <= MOST_WORDS && words.iter().all(|word| is_known(word)) && !(0..words.len()).any(is_twice)
}

/// The values that fit, in words.
impl fmt::Display for SettingKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Switch { .. } => formatter.write_str("true or false"),
            Self::Number { least, most, .. } => write!(formatter, "a whole number from {least} to {most}"),
            Self::Text { .. } => formatter.write_str("a line of text"),
            Self::List { options, .. } => {
                let words: Vec<_> = options.iter().map(|option| option.value).collect();
                write!(formatter, "words of {} or endings such as .py, once each, with commas", words.join(", "))
            }
            Self::Choice { options, .. } => {
                for (index, option) in options.iter().enumerate() {
                    let between = [", ", " or ", ""][match index {
                        0 => 2,
                        last if last + 1 == options.len() => 1,
                        _ => 0,
                    }];
                    write!(formatter, "{between}\"{}\"", option.value)?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_default_fits_its_setting() {
        for setting in SETTINGS {
            setting.check(&setting.default_value()).unwrap();
            let (group, name) = setting.place();
            let plain = |word: &str| word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
            assert!(plain(group) && plain(name) && !name.is_empty(), "{}", setting.key);
            assert!(setting.help.ends_with('.') && !setting.title.ends_with('.'), "{}", setting.key);
        }
        let keys: BTreeSet<_> = SETTINGS.iter().map(|setting| setting.key).collect();
        assert_eq!(keys.len(), SETTINGS.len(), "no key is there twice");
    }

    #[track_caller]
    fn check(key: &str, value: &Value, expected: Result<(), &str>) {
        let checked = setting(key).and_then(|setting| setting.check(value));
        assert_eq!(checked.map_err(|error| error.to_string()), expected.map_err(str::to_owned));
    }

    #[test]
    fn values_outside_of_the_type_are_refused() {
        check("editor.font_size", &json!(14), Ok(()));
        check("editor.line_numbers", &json!(false), Ok(()));
        check("window.theme", &json!("dark"), Ok(()));
        check("editor.font_size", &json!(41), Err("`editor.font_size` takes a whole number from 8 to 40, not 41"));
        check("editor.font_size", &json!(9.5), Err("`editor.font_size` takes a whole number from 8 to 40, not 9.5"));
        check("editor.word_wrap", &json!("on"), Err("`editor.word_wrap` takes true or false, not \"on\""));
        let themes = "`window.theme` takes \"system\", \"light\" or \"dark\", not \"pink\"";
        check("window.theme", &json!("pink"), Err(themes));
        check("search.model", &json!("folder:/models/small"), Ok(()));
        check("search.model", &json!(7), Err("`search.model` takes a line of text, not 7"));
        assert!(setting("search.model").unwrap().check(&json!("a\nb")).is_err());
        check("launcher.cards", &json!("note, .rmd,terminal"), Ok(()));
        check("launcher.cards", &json!(""), Ok(()));
        for wrong in ["note, note", "shop", ".", ".a/b", "rmd"] {
            assert!(setting("launcher.cards").unwrap().check(&json!(wrong)).is_err(), "{wrong}");
        }
        check("editor.colour", &json!(1), Err("there is no setting `editor.colour`"));
    }

    #[test]
    fn values_have_words_for_people() {
        let words = |key: &str, value| setting(key).unwrap().words(&value);
        assert_eq!(words("window.theme", json!("system")), "Same as the system");
        assert_eq!(words("editor.line_numbers", json!(true)), "on");
        assert_eq!(words("editor.font_size", json!(14)), "14");
        assert_eq!(words("search.model", json!("")), "none");
        assert_eq!(words("launcher.cards", json!("")), "none");
        assert_eq!(words("launcher.cards", json!("note,.rmd")), "Note, .rmd");
    }
}
