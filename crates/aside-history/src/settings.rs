//! `history.toml` in the person's own folder: whether logs are read while a server runs, and what they pay a month.

use aside_store::{DataFolder, TextFile};
use serde::{Deserialize, Serialize};

use crate::{HistoryError, Plan};

/// Bytes of the file.
const LONGEST: u64 = 64 << 10;

/// What the person said of their history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Servers read new logs by themselves.
    #[serde(default = "yes")]
    pub import: bool,
    /// What they pay a month.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
}

fn yes() -> bool {
    true
}

impl Default for Settings {
    fn default() -> Self {
        Self { import: true, plan: None }
    }
}

/// The file that they are in.
#[derive(Debug)]
pub struct SettingsFile(TextFile);

impl SettingsFile {
    /// The one in this folder.
    pub fn of(folder: &DataFolder) -> Self {
        Self(folder.file("history.toml", LONGEST))
    }

    /// Reads it; what holds if there is none.
    pub fn read(&self) -> Result<Settings, HistoryError> {
        let io = |source| HistoryError::Io { path: self.0.path().to_owned(), source };
        let Some(text) = self.0.read().map_err(io)? else { return Ok(Settings::default()) };
        toml::from_str(&text).map_err(|error| {
            HistoryError::Asked(format!("cannot read `{}`: {}", self.0.path().display(), error.message()))
        })
    }

    /// Writes it.
    pub fn write(&self, settings: &Settings) -> Result<(), HistoryError> {
        let text = toml::to_string(settings)
            .map_err(|error| HistoryError::Asked(format!("these settings can't be written: {error}")))?;
        self.0
            .change(|_| Ok(text))
            .map_err(|source: std::io::Error| HistoryError::Io { path: self.0.path().to_owned(), source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_what_is_wrong_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = SettingsFile::of(&DataFolder::at(folder.path()));
        assert_eq!(file.read().unwrap(), Settings::default());
        let plan = Some(Plan { name: "claude-max".to_owned(), monthly_usd: Some(100.0), reset_day: 15 });
        let settings = Settings { import: false, plan };
        file.write(&settings).unwrap();
        assert_eq!(file.read().unwrap(), settings);
        file.0.change(|_| Ok::<_, std::io::Error>("imports = 3".to_owned())).unwrap();
        let told = file.read().unwrap_err().to_string();
        assert!(told.contains("history.toml") && told.contains("imports"), "{told}");
    }
}
