//! `todo.done`: marks todos as done. The next one of a repetition is put above.

use aside_core::{EffectScope, Failure, NoteRow, Place, Preview, Risk, UndoSupport};
use aside_gate::Declaration;
use aside_notes::finish;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    files::counted,
    notes::{NoteChange, Planning, TodoArgs, kept, lines_after, part, todo_row},
};

/// Arguments of `todo.done`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The todos.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    todos: Vec<TodoArgs>,
    /// One todo in place of `todos`: its note, line and text, as `notes/plan.md:12 Calibrate the sensor`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    todo: Option<String>,
}

impl Args {
    fn all(&self) -> Result<Vec<TodoArgs>, Failure> {
        let single = self.todo.as_deref().map(str::parse).transpose()?;
        let all: Vec<_> = self.todos.iter().cloned().chain(single).collect();
        match all.is_empty() {
            true => Err(Failure::new("invalid_args", "no todo is named").hint("`todo.list` returns the todos")),
            false => Ok(all),
        }
    }
}

impl NoteChange for Args {
    fn declare() -> Declaration {
        Declaration {
            name: "todo.done",
            summary: "Mark todos as done",
            description: "Ticks todos. One with dates gets a done date in its notation; one that repeats leaves its next \
                one on the line above. `todo.update` with `done: false` takes it back.",
            preconditions: &["the todos are in their notes"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![(
                "Tick a todo",
                json!({"todos": [{"path": "notes/todo.md", "line": 3, "text": "Measure"}]}),
            )],
            phrases: &[
                "tick the todo",
                "mark the task as done",
                "complete a task",
                "(mark|set) [the] [todo|task] {todo:todo} [as] (done|complete|completed|finished)",
                "(tick|tick off|check off|cross off|complete|finish) [the] [todo|task] {todo:todo}",
            ],
            tags: &["todo", "task", "tick", "check", "complete", "finish"],
            safety: &["The card shows each line before and after."],
        }
    }

    fn count(&self) -> usize {
        self.todos.len() + usize::from(self.todo.is_some())
    }

    fn plan(&self, planning: &mut Planning<'_>) -> Result<(), Failure> {
        for (at, handle) in self.all()?.iter().enumerate() {
            let (path, text, todo) = handle.find(planning)?;
            let finished = finish(&text, &todo, planning.today).map_err(|refused| refused.failure())?;
            let after = lines_after(&text, &todo, &finished.edits)?;
            let shown = todo_row(at, &path, todo.line, Some(&text[todo.lines.clone()]), Some(&after));
            let done = if finished.edits.is_empty() { "unchanged".to_owned() } else { format!("done: {}", todo.text) };
            let words = match (&finished.remark, &finished.next) {
                (Some(remark), _) => format!("{done}. {remark}"),
                (None, Some(next)) => format!("{done}. Next: {}", next.trim()),
                (None, None) => done,
            };
            planning.row(NoteRow { note: finished.remark, ..shown });
            planning.outcome(part(at), &path, &words);
            planning.edit(&path, finished.edits)?;
        }
        Ok(())
    }

    fn only(&self, _preview: &Preview, parts: &[u32]) -> Self {
        let all = self.all().unwrap_or_default();
        Self { todos: kept(&all, parts), todo: None }
    }

    fn summary(&self) -> String {
        format!("Mark {} as done", counted(self.count(), "todo"))
    }
}
