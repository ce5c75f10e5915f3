//! The settings of the person, as `GET settings` and `settings.get` tell them.

use aside_core::{Setting, TS};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// `GET settings`: all settings, and the files that they come from.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct SettingsView {
    /// All settings, in the order in which they are shown.
    pub settings: Vec<SettingView>,
    /// The person's file and, if it has one, the workspace's, which overrides it.
    pub files: Vec<SettingsFile>,
}

/// A setting with its value.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct SettingView {
    /// The setting.
    pub setting: Setting,
    /// The value that counts.
    #[ts(type = "boolean | number | string")]
    pub value: Value,
    /// Tells whether the person has set it.
    pub changed: bool,
    /// Tells whether this workspace has set it, so that the person's value does not count here.
    pub overridden: bool,
}

/// A file of settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SettingsFile {
    /// Its path.
    pub path: String,
    /// Its mistakes. What stands on such a line sets nothing; the rest counts.
    pub problems: Vec<SettingProblem>,
}

/// A line of a file of settings that sets nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SettingProblem {
    /// The line, from 1.
    pub line: u32,
    /// The mistake, in one sentence without a stop.
    pub message: String,
}
