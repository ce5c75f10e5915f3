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
    #[schemars(length(min = 1))]
    todos: Vec<TodoArgs>,
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
            phrases: &["tick the todo", "mark the task as done", "complete a task"],
            tags: &["todo", "task", "tick", "check", "complete", "finish"],
            safety: &["The card shows each line before and after."],
        }
    }

    fn count(&self) -> usize {
        self.todos.len()
    }

    fn plan(&self, planning: &mut Planning<'_>) -> Result<(), Failure> {
        for (at, handle) in self.todos.iter().enumerate() {
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
        Self { todos: kept(&self.todos, parts) }
    }

    fn summary(&self) -> String {
        format!("Mark {} as done", counted(self.todos.len(), "todo"))
    }
}
