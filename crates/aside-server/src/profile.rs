//! The name that the person chose for themselves, kept in `profile.json` in their own folder for all workspaces.

use std::io;

use aside_core::Failure;
use aside_store::{DataFolder, TextFile};
use serde::{Deserialize, Serialize};

/// Bytes of the file.
const LONGEST: u64 = 4 << 10;

/// The person's profile.
#[derive(Clone, Debug)]
pub struct Profile {
    file: Option<TextFile>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Settings of a newer Aside stay.
    #[serde(flatten)]
    others: serde_json::Map<String, serde_json::Value>,
}

impl Profile {
    /// The profile in the person's own folder.
    pub fn new(data: Option<&DataFolder>) -> Self {
        Self { file: data.map(|data| data.file("profile.json", LONGEST)) }
    }

    /// Returns the name that they chose.
    pub fn name(&self) -> Option<String> {
        let read = self.file.as_ref()?.read();
        let kept = read.and_then(|text| match text {
            Some(text) => serde_json::from_str::<Kept>(&text).map_err(io::Error::from),
            None => Ok(Kept::default()),
        });
        kept.map_or_else(
            |error| {
                tracing::warn!(%error, "cannot read profile.json in your own folder");
                None
            },
            |kept| kept.name.filter(|name| !name.trim().is_empty()),
        )
    }

    /// Keeps the name; without a folder it holds in this workspace only.
    pub fn keep_name(&self, name: &str) -> Result<(), Failure> {
        let Some(file) = &self.file else { return Ok(()) };
        let changed = file.change(|text| {
            let mut kept: Kept = text.map(serde_json::from_str).transpose()?.unwrap_or_default();
            kept.name = Some(name.to_owned());
            Ok::<_, io::Error>(format!("{}\n", serde_json::to_string_pretty(&kept)?))
        });
        changed.map_err(|error| Failure::new("io", format!("cannot change profile.json in your own folder: {error}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_name_is_kept_beside_other_settings() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::at(folder.path());
        let profile = Profile::new(Some(&data));
        assert_eq!(profile.name(), None);
        data.file("profile.json", LONGEST).change(|_| Ok::<_, io::Error>("{\"later\": 1}".to_owned())).unwrap();
        profile.keep_name("Ada L.").unwrap();
        assert_eq!(Profile::new(Some(&data)).name().as_deref(), Some("Ada L."));
        let text = data.file("profile.json", LONGEST).read().unwrap().unwrap();
        assert!(text.contains("\"later\": 1"), "{text}");
        assert_eq!(Profile::new(None).name(), None);
    }
}
