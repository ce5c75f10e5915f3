//! Which version of which file the model was shown last: what its line numbers refer to.

use std::collections::BTreeMap;

use aside_core::{ActionState, Outcome, ThreadEventBody, WorkspacePath};

/// What the model was shown in a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The file that is meant when none is named.
    pub focus: Option<WorkspacePath>,
    /// The version of each file, as the model knows it.
    pub versions: BTreeMap<WorkspacePath, String>,
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
            ThreadEventBody::ActionChanged { record } if record.state == ActionState::Done => {
                let is_read = record.envelope.action_type.as_str() == "doc.read";
                if let (true, Some(Outcome::Done { observation })) = (is_read, &record.outcome) {
                    self.read(&record.envelope.args, &observation.data);
                }
            }
            _ => {}
        }
    }

    fn read(&mut self, args: &serde_json::Value, data: &serde_json::Value) {
        let path = args["path"].as_str().and_then(|path| path.parse().ok());
        if let (Some(path), Some(version)) = (path, data["version"].as_str()) {
            self.versions.insert(path, version.to_owned());
        }
    }
}
