//! The calls of an action that are still to come in a run, as the last dry run of the same script has shown them: how far an
//! approval of all of them reaches.

use aside_core::{ActionName, ComingCalls, ScriptChange, Sha256, TaskId};

use super::{
    super::{
        Tasks,
        error::TaskError,
        stored::{StoredTask, get},
    },
    StoredScript,
    finish::EndedRun,
    live::CallLine,
};

/// The kind of the records of the last dry runs, by person, script and input.
const LAST_DRY_RUN: &str = "script_dry_run";
/// The most names in an answer.
const MOST_NAMES: usize = 20;

impl Tasks {
    /// Remembers a dry run as the last of its script.
    pub(super) fn note_dry_run(&self, id: &TaskId, script: &StoredScript) -> Result<(), TaskError> {
        let key = self.key_of(id, script)?;
        Ok(self.store.put(LAST_DRY_RUN, key.as_str(), None, id)?)
    }

    /// Returns the calls of an action that are still to come; none if no dry run has shown them.
    pub(super) fn coming_calls(
        &self,
        id: &TaskId,
        action: &ActionName,
        lines: &[CallLine],
    ) -> Result<Option<ComingCalls>, TaskError> {
        let key = self.key_of(id, &self.stored_script(id)?)?;
        let Some(dry_run) = self.store.get::<TaskId>(LAST_DRY_RUN, key.as_str())? else { return Ok(None) };
        let EndedRun { report, .. } = self.script_so_far(&dry_run)?;
        let made = lines.iter().filter(|line| line.action == *action).count();
        Ok(report.changes.map(|changes| still_to_come(&changes, action, made)))
    }

    /// Returns the dry run that a turn of the same thread has shown for this script: what a model has shown is what it may do.
    pub(super) fn dry_run_of_thread(
        &self,
        task: &StoredTask,
        script: &StoredScript,
    ) -> Result<Option<TaskId>, TaskError> {
        let Some(thread) = &task.task.thread else { return Ok(None) };
        let last = self.store.get::<TaskId>(LAST_DRY_RUN, key(&task.task.by, script).as_str())?;
        let Some(last) = last else { return Ok(None) };
        Ok(Some(last)
            .filter(|last| get(&self.store, last).is_ok_and(|shown| shown.task.thread.as_ref() == Some(thread))))
    }

    fn key_of(&self, id: &TaskId, script: &StoredScript) -> Result<Sha256, TaskError> {
        Ok(key(&get(&self.store, id)?.task.by, script))
    }
}

fn key(by: &str, script: &StoredScript) -> Sha256 {
    Sha256::of_json(&(by, &script.source, &script.args))
}

/// The calls of an action without the first ones, which have been made.
fn still_to_come(changes: &[ScriptChange], action: &ActionName, made: usize) -> ComingCalls {
    let rest = changes.iter().filter(|change| change.action_type == *action).skip(made);
    let about = |change: &ScriptChange| change.path.clone().unwrap_or_else(|| change.summary.clone());
    ComingCalls {
        calls: u32::try_from(rest.clone().count()).unwrap_or(u32::MAX),
        about: rest.take(MOST_NAMES).map(about).collect(),
    }
}

#[cfg(test)]
mod tests {
    use aside_core::Completeness;
    use serde_json::Value;

    use super::*;

    fn change(action: &str, path: Option<&str>) -> ScriptChange {
        ScriptChange {
            action_type: action.parse().unwrap(),
            args: Value::Null,
            summary: format!("{action} something"),
            path: path.map(str::to_owned),
            completeness: Completeness::Full,
            asks: true,
            preview: None,
        }
    }

    #[test]
    fn made_calls_are_left_out() {
        let changes = [
            change("file.delete", Some("a")),
            change("doc.edit", Some("x")),
            change("file.delete", Some("b")),
            change("file.delete", None),
        ];
        let coming = |made| {
            let ComingCalls { calls, about } = still_to_come(&changes, &"file.delete".parse().unwrap(), made);
            (calls, about.join(" "))
        };
        assert_eq!(coming(0), (3, "a b file.delete something".to_owned()));
        assert_eq!(coming(2), (1, "file.delete something".to_owned()));
        assert_eq!(coming(9), (0, String::new()));
    }
}
