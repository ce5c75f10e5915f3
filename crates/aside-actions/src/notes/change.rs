//! An action on notes: planned once for the assessment, the table and the run.

use std::sync::Arc;

use aside_core::{Assessment, Completeness, Effects, Failure, Observation, Preview, PreviewBody, Timestamp};
use aside_gate::{Action, ActionContext, Declaration, Run, waiting};
use aside_workspace::{View, Workspace};
use jiff::{civil::Date, tz::TimeZone};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{Planning, planning::Planned, run_steps};
use crate::{
    files::{counted, touching},
    request,
};

/// Rows of one request.
const MOST_ROWS: usize = 1_000;

/// The arguments of an action on notes.
pub(crate) trait NoteChange: Clone + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// Returns the facts that are known before it is asked for.
    fn declare() -> Declaration;

    /// How many rows it asks for.
    fn count(&self) -> usize;

    /// Plans the change. Nothing is changed yet.
    fn plan(&self, planning: &mut Planning<'_>) -> Result<(), Failure>;

    /// Returns the arguments of some rows of the table.
    fn only(&self, preview: &Preview, parts: &[u32]) -> Self;

    /// Says in a few words what is done to how many: "Tag 2 notes".
    fn summary(&self) -> String;
}

/// Keeps the rows of some parts, by their places.
pub(crate) fn kept<T: Clone>(rows: &[T], parts: &[u32]) -> Vec<T> {
    parts.iter().filter_map(|part| rows.get(usize::try_from(*part).ok()?).cloned()).collect()
}

/// An action with these arguments.
pub(crate) struct NoteAction<A> {
    workspace: Arc<Workspace>,
    args: std::marker::PhantomData<fn() -> A>,
}

impl<A: NoteChange> NoteAction<A> {
    /// The action in a workspace.
    pub(crate) fn over(workspace: Arc<Workspace>) -> Self {
        Self { workspace, args: std::marker::PhantomData }
    }

    async fn planned(&self, context: &ActionContext, args: &A) -> Result<Planned, Failure> {
        let (workspace, would_be, args) = (Arc::clone(&self.workspace), Arc::clone(&context.would_be), args.clone());
        let today = today(context.now);
        let work = move || {
            let view = workspace.view(&would_be);
            planned(&view, &workspace, &args, today)
        };
        waiting(work).await.map_err(|error| error.failure())?
    }
}

fn planned<A: NoteChange>(
    view: &View<'_>,
    workspace: &Arc<Workspace>,
    args: &A,
    today: Date,
) -> Result<Planned, Failure> {
    if !(1..=MOST_ROWS).contains(&args.count()) {
        let message = format!("{} in one request; from 1 to {MOST_ROWS} are possible", counted(args.count(), "row"));
        return Err(Failure::new("invalid_args", message));
    }
    let mut planning = Planning::new(view, workspace, today);
    args.plan(&mut planning)?;
    planning.ended()
}

/// The day at a time where the person is.
fn today(now: Timestamp) -> Date {
    let now = jiff::Timestamp::from_millisecond(now.0).unwrap_or_default();
    now.to_zoned(TimeZone::system()).date()
}

impl<A: NoteChange> Action for NoteAction<A> {
    type Args = A;

    fn declare(&self) -> Declaration {
        A::declare()
    }

    async fn assess(&self, context: &ActionContext, args: &A) -> Result<Assessment, Failure> {
        let planned = self.planned(context, args).await?;
        let view = self.workspace.view(&context.would_be);
        let targets: Vec<_> = planned.targets.iter().collect();
        Ok(Assessment { versions: planned.versions, ..touching(&view, &targets, []) })
    }

    async fn preview(&self, context: &ActionContext, args: &A) -> Result<Preview, Failure> {
        let planned = self.planned(context, args).await?;
        let nothing = planned.rows.iter().all(|row| row.before == row.after);
        let summary = if nothing { format!("{}: nothing to change", args.summary()) } else { args.summary() };
        Ok(Preview {
            summary,
            body: PreviewBody::Rows { rows: planned.rows },
            completeness: Completeness::Full,
            warnings: planned.warnings,
        })
    }

    async fn effects(&self, context: &ActionContext, args: &A) -> Result<Effects, Failure> {
        Ok(Effects::Known(self.planned(context, args).await?.effects))
    }

    async fn run(&self, context: &ActionContext, args: &A) -> Result<Run, Failure> {
        let planned = self.planned(context, args).await?;
        let (workspace, steps) = (Arc::clone(&self.workspace), planned.steps);
        let (id, undoes) = (context.id.clone(), context.undoes.clone());
        let work = move || run_steps(&workspace, &steps, (&id, undoes.as_ref()));
        let done = waiting(work).await.map_err(|error| error.failure())??;
        let mut lines = vec![format!("{}.", args.summary())];
        lines.extend(planned.outcomes.iter().map(|outcome| {
            let word = |field: &str| outcome[field].as_str().unwrap_or_default();
            format!("- {}: {}", word("path"), word("outcome"))
        }));
        lines.extend(done.remarks);
        let observation = Observation::with(lines.join("\n"), json!({"rows": planned.outcomes}));
        if done.back.is_empty() {
            return Ok(Run::observed(observation));
        }
        let inverse = request("note.restore", json!({"steps": done.back}));
        Ok(Run { observation, inverse: Some(inverse), changed: done.changed })
    }

    fn parts(&self, args: &A, preview: &Preview, parts: &[u32]) -> Result<Value, Failure> {
        serde_json::to_value(args.only(preview, parts))
            .map_err(|error| Failure::new("no_parts", format!("these rows can't be decided on their own: {error}")))
    }
}
