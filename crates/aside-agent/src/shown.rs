//! Which version of which file the model was shown last: what its line numbers refer to.

use std::collections::BTreeMap;

use aside_core::{ActionRecord, ActionState, Outcome, ThreadEventBody, Version, WorkspacePath};

/// What the model was shown in a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The file that is meant when none is named.
    pub focus: Option<WorkspacePath>,
    /// The version of each file, as the model knows it.
    pub versions: BTreeMap<WorkspacePath, String>,
    /// The version of each cell of each notebook, by the cell's key.
    pub cells: BTreeMap<(WorkspacePath, String), String>,
}

impl Shown {
    /// Folds a thread's log.
    pub fn fold<'a>(log: impl IntoIterator<Item = &'a ThreadEventBody>) -> Self {
        let mut shown = Self::default();
        log.into_iter().for_each(|event| shown.apply(event));
        shown
    }

    fn apply(&mut self, event: &ThreadEventBody) {
        match event {
            ThreadEventBody::TurnStarted { focus: Some(focus), .. } => self.focus = Some(focus.path.clone()),
            ThreadEventBody::ContextSent { chips, .. } => {
                for chip in chips {
                    if let (Some(path), Some(version)) = (&chip.path, &chip.version) {
                        self.versions.insert(path.clone(), version.short().to_owned());
                    }
                }
            }
            ThreadEventBody::ActionChanged { record } if record.state == ActionState::Done => self.done(record),
            _ => {}
        }
    }

    fn done(&mut self, record: &ActionRecord) {
        let path = record.envelope.args["path"].as_str().and_then(|path| path.parse().ok());
        let (Some(path), Some(Outcome::Done { observation })) = (path, &record.outcome) else { return };
        let version = observation.data["version"].as_str().and_then(Version::parse);
        match (record.envelope.action_type.as_str(), version) {
            ("doc.read", Some(version)) => _ = self.versions.insert(path, version.short().to_owned()),
            // The model may count on in the lines as they are now, or in those it was shown: nobody knows.
            ("doc.edit", _) => _ = self.versions.remove(&path),
            ("notebook.read", _) => {
                for cell in observation.data["shown"].as_array().into_iter().flatten() {
                    let version = cell["version"].as_str().and_then(Version::parse);
                    if let (Some(key), Some(version)) = (cell["cell"].as_str(), version) {
                        self.cells.insert((path.clone(), key.to_owned()), version.short().to_owned());
                    }
                }
            }
            ("cell.edit" | "cell.set", _) => {
                let key = observation.data["cell"].as_str().unwrap_or_default().to_owned();
                self.cells.remove(&(path, key));
            }
            _ => {}
        }
    }

    /// The version of a cell, by its key or the beginning of it that no other has.
    pub fn cell(&self, path: &WorkspacePath, meant: &str) -> Option<&str> {
        if let Some(version) = self.cells.get(&(path.clone(), meant.to_owned())) {
            return Some(version.as_str());
        }
        let mut known = self.cells.iter().filter(|((own, key), _)| own == path && key.starts_with(meant));
        let (_, version) = known.next()?;
        known.next().is_none().then_some(version.as_str())
    }
}

#[cfg(test)]
mod tests {
    use aside_core::{Observation, Sha256};
    use serde_json::json;

    use super::*;
    use crate::testing::record;

    fn done(name: &str, data: serde_json::Value) -> ThreadEventBody {
        let mut record = record(1, "a", ActionState::Done);
        record.envelope.action_type = name.parse().unwrap();
        record.envelope.args = json!({"path": "a.py"});
        record.outcome = Some(Outcome::Done { observation: Observation::with("text", data) });
        ThreadEventBody::ActionChanged { record: Box::new(record) }
    }

    #[test]
    fn line_numbers_hold_until_the_model_changes_the_file() {
        let version = Sha256::of("text");
        let path: WorkspacePath = "a.py".parse().unwrap();
        let read = done("doc.read", json!({"version": version}));
        assert_eq!(Shown::fold([&read]).versions[&path], version.short());
        assert!(Shown::fold([&read, &done("doc.edit", json!({}))]).versions.is_empty());
    }
}
