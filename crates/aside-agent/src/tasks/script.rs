//! Runs of scripts. A run is a task; each of its calls is a request to the Gate with the origin `script`, in the name and under the
//! grant of its starter, made from all that the run has read.
//!
//! ```text
//! start -> task running -> engine -> call -> Gate.submit -> outcome -> journal -> engine … -> end -> task completed | failed
//!                                     | a person is asked: task awaiting_confirmation
//! kill: running -> interrupted until somebody resumes it; awaiting -> replayed to the question and waits there
//! ```
//!
//! The journal has each call before and after it; a replay answers ended calls from the Gate's records and repeats none.

mod as_shown;
mod check;
mod coming;
mod detail;
mod dry;
mod finish;
mod host;
mod journal;
mod live;
mod place;
mod read;
mod recipe;
mod run;
mod start;
mod start_action;
mod steer;

use std::time::Duration;

use as_shown::ShownChange;
use aside_core::{Place, ScriptBounds, ScriptFault, ScriptReport, WorkspacePath};
use aside_script::{ScriptError, ScriptLimits};
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(super) use live::LiveRuns;
pub(crate) use start_action::{NAME, ScriptRun};
pub(super) use steer::is_script;

/// The kind of the records of scripts, by task.
const SCRIPT: &str = "script";
/// The kind of the reports of runs that are over, by task.
const REPORT: &str = "script_report";

/// A script that is to run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct StoredScript {
    pub source: String,
    pub path: Option<WorkspacePath>,
    pub args: Value,
    pub dry_run: bool,
    pub place: Place,
    pub limits: ScriptBounds,
    /// The changes that its dry run has shown, if it is held against one.
    #[serde(default)]
    pub shown: Option<Vec<ShownChange>>,
    /// The actions in its `aside`, so that a replay finds the same.
    pub actions: Vec<String>,
}

impl StoredScript {
    /// The report of a run that has not begun.
    fn report(&self) -> ScriptReport {
        let has_input = self.args.as_object().is_some_and(|args| !args.is_empty());
        let args = has_input.then(|| self.args.clone());
        ScriptReport { path: self.path.clone(), args, dry_run: self.dry_run, ..ScriptReport::default() }
    }
}

/// The limits of a run: the usual ones, or lower.
fn limits(bounds: &ScriptBounds) -> Result<ScriptLimits, ScriptFault> {
    let usual = ScriptLimits::default();
    let seconds = |wanted: Option<f64>, usual: Duration, name: &str| match wanted {
        None => Ok(usual),
        Some(wanted) if wanted > 0.0 && wanted <= usual.as_secs_f64() => Ok(Duration::from_secs_f64(wanted)),
        Some(_) => Err(beyond(name, usual.as_secs())),
    };
    let count = |wanted: Option<u32>, usual: u32, name: &str| match wanted {
        None => Ok(usual),
        Some(wanted) if (1..=usual).contains(&wanted) => Ok(wanted),
        Some(_) => Err(beyond(name, u64::from(usual))),
    };
    let mebibytes = u32::try_from(usual.memory >> 20).unwrap_or(u32::MAX);
    Ok(ScriptLimits {
        compute: seconds(bounds.compute_s, usual.compute, "compute_s")?,
        wall: seconds(bounds.wall_s, usual.wall, "wall_s")?,
        memory: (count(bounds.memory_mb, mebibytes, "memory_mb")? as usize) << 20,
        calls: count(bounds.calls, usual.calls, "calls")?,
        ..usual
    })
}

fn beyond(name: &str, most: u64) -> ScriptFault {
    fault("invalid_args", format!("`{name}` must be above 0 and at most {most}"))
}

fn fault(code: &str, message: impl Into<String>) -> ScriptFault {
    ScriptFault { code: code.to_owned(), message: message.into(), hint: None, line: None, action_type: None }
}

fn fault_of(error: ScriptError) -> ScriptFault {
    let ScriptError { code, message, hint, line, action_type } = error;
    ScriptFault { code, message, hint, line, action_type }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_can_only_be_lowered() {
        let bounds = ScriptBounds { compute_s: Some(2.0), memory_mb: Some(32), ..ScriptBounds::default() };
        let lower = limits(&bounds).unwrap();
        assert_eq!((lower.compute, lower.memory, lower.calls), (Duration::from_secs(2), 32 << 20, 1_000));
        for wrong in [
            ScriptBounds { compute_s: Some(11.0), ..ScriptBounds::default() },
            ScriptBounds { wall_s: Some(0.0), ..ScriptBounds::default() },
            ScriptBounds { wall_s: Some(f64::NAN), ..ScriptBounds::default() },
            ScriptBounds { memory_mb: Some(65), ..ScriptBounds::default() },
            ScriptBounds { calls: Some(0), ..ScriptBounds::default() },
        ] {
            assert_eq!(limits(&wrong).unwrap_err().code, "invalid_args", "{wrong:?}");
        }
    }
}
