//! The start of a run: the script is compiled, written down with its task, and given to the engine.

use std::sync::Arc;

use aside_core::{
    ActionId, Pause, Phase, Place, ScriptBounds, Sha256, TaskEvent, TaskId, TaskSource, TaskState, WorkspacePath,
};
use aside_gate::Submission;
use aside_store::Durability;
use serde_json::{Map, Value};

use super::{
    super::{
        Tasks,
        error::TaskError,
        stored::{StoredTask, change, get, put, tell},
    },
    SCRIPT, StoredScript, journal,
    live::{CallLine, LiveRun, LiveState},
    start_action,
};

/// A script and how it is to run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NewScript {
    pub source: String,
    /// Its file, if it came from one.
    pub path: Option<WorkspacePath>,
    /// Its name in the list of tasks.
    pub name: Option<String>,
    pub args: Map<String, Value>,
    pub dry_run: bool,
    pub place: Place,
    pub limits: ScriptBounds,
    /// The dry run that a person has seen.
    pub shown: Option<TaskId>,
    /// The action that starts it.
    pub started_by: ActionId,
}

impl Tasks {
    /// Starts a script as a task of its own; refuses one that can't run before anything is done.
    pub(crate) fn start_script(self: &Arc<Self>, new: NewScript, submission: Submission) -> Result<TaskId, TaskError> {
        self.check_start(&new)?;
        let (id, now) = (self.store.new_id::<TaskId>(), self.store.now());
        let Submission { origin, grant, review, runs, recovered, provenance, typed_hosts, .. } = submission;
        let source = TaskSource::Script { path: new.path.clone(), action: Some(new.started_by.clone()) };
        let task = StoredTask::new(id.clone(), goal(&new), source, origin, grant, now);
        let mut task = StoredTask { review, runs, recovered, provenance, typed_hosts, ..task };
        task.task.state = task.task.state.next(TaskEvent::Plan)?.next(TaskEvent::Start)?;
        let mut script = StoredScript {
            source: new.source,
            path: new.path,
            args: Value::Object(new.args),
            dry_run: new.dry_run,
            place: new.place,
            limits: new.limits,
            shown: new.shown.map(|dry_run| self.shown_changes(&dry_run)).transpose()?,
            actions: self.script_actions(),
        };
        if script.shown.is_none() && !script.dry_run {
            let shown = self.dry_run_of_thread(&task, &script)?;
            script.shown = shown.map(|dry_run| self.shown_changes(&dry_run)).transpose()?;
        }
        self.store.transaction(Durability::Normal, |transaction| {
            transaction.put(SCRIPT, id.as_str(), None, &script)?;
            put(transaction, &task)
        })?;
        let seed = seed(&id);
        journal::append(&self.store, &id, &[journal::start(seed, now.0)])?;
        tell(&self.store, &task.task);
        if task.grant.can_end() {
            self.planned.send_replace(());
        }
        let state = LiveState { provenance: task.provenance.clone(), ..LiveState::default() };
        self.run_script(&id, &LiveRun::new(state, false));
        Ok(id)
    }

    /// The actions that a script can call: all but the one that starts scripts.
    pub(super) fn script_actions(&self) -> Vec<String> {
        let all = self.gate.catalog().descriptors().into_iter();
        all.map(|known| known.name.to_string()).filter(|name| name != start_action::NAME).collect()
    }

    /// Goes on with a run from its journal, or waits at its question if it is held.
    pub(super) fn continue_script(self: &Arc<Self>, id: &TaskId, is_held: bool) -> Result<(), TaskError> {
        let stored = get(&self.store, id)?;
        let journal = journal::read(&self.store, &self.gate, id)?;
        let mut state = LiveState {
            lines: journal.ended.iter().map(|(number, record)| CallLine::of(*number, record)).collect(),
            recorded: journal.ended.iter().map(|(number, _)| *number).collect(),
            actions: journal.actions,
            replayed: journal.ends,
            done: journal.ends,
            provenance: stored.provenance,
            ..LiveState::default()
        };
        journal.ended.iter().for_each(|(_, record)| state.learn(&record.told_from()));
        self.run_script(id, &LiveRun::new(state, is_held));
        Ok(())
    }

    /// After a start of the server: runs that waited for a person are replayed to their question, and wait there.
    pub fn resume_waiting_scripts(self: &Arc<Self>) -> Result<(), TaskError> {
        for task in self.open()? {
            if matches!(task.source, TaskSource::Script { .. }) && task.state == TaskState::AwaitingConfirmation {
                self.continue_script(&task.id, true)?;
            }
        }
        Ok(())
    }

    /// After a start of the server: a run that was under way is interrupted. A dry run has failed, since it changes nothing.
    pub(in super::super) fn interrupt_script(&self, id: &TaskId) -> Result<(), TaskError> {
        let script = self.stored_script(id)?;
        change(&self.store, id, |change| {
            if script.dry_run {
                let words = "The server stopped during the dry run. Nothing was changed.";
                change.note(Phase::Observe, words);
                change.stored.task.summary = Some(words.to_owned());
                return change.go(TaskEvent::Fail);
            }
            change.stored.task.paused.get_or_insert(Pause::Interrupted);
            change.note(Phase::Observe, "The server stopped before the script ended. Resume it to continue.");
            Ok(())
        })?;
        Ok(())
    }

    pub(super) fn stored_script(&self, id: &TaskId) -> Result<StoredScript, TaskError> {
        self.store.get(SCRIPT, id.as_str())?.ok_or_else(|| TaskError::NotFound(id.clone()))
    }
}

/// The seed of a run's random numbers: a part of the hash of its id, which is random itself.
fn seed(id: &TaskId) -> u64 {
    let hash = Sha256::of(id.as_str());
    u64::from_str_radix(&hash.as_str()[..16], 16).unwrap_or_default()
}

/// The words for a run: its name, else the first comment of the script, its file or its first line.
fn goal(new: &NewScript) -> String {
    let name = new.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let first = new.source.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("An empty script");
    let comment = first.strip_prefix("//").map(str::trim).filter(|comment| !comment.is_empty());
    let words = match (name, comment, &new.path) {
        (Some(words), ..) | (None, Some(words), _) => words.to_owned(),
        (None, None, Some(path)) => format!("Script {path}"),
        (None, None, None) => format!("Script: {first}"),
    };
    let words: String = words.chars().take(200).collect();
    if new.dry_run { format!("Dry run: {words}") } else { words }
}
