//! `todo.delete`: takes the lines of todos out of their notes.

use aside_core::{EffectScope, Failure, Place, Preview, Risk, UndoSupport};
use aside_gate::Declaration;
use aside_notes::delete_todo;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    files::counted,
    notes::{NoteChange, Planning, TodoArgs, kept, part, todo_row},
};

/// Arguments of `todo.delete`.
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
            name: "todo.delete",
            summary: "Delete todos",
            description: "Deletes the lines of todos. Todos below them stay.",
            preconditions: &["the todos are in their notes"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![(
                "Delete a todo",
                json!({"todos": [{"path": "notes/todo.md", "line": 3, "text": "Measure"}]}),
            )],
            phrases: &["delete the todo", "remove a task"],
            tags: &["todo", "task", "remove"],
            safety: &["The card shows each line.", "Undo brings the lines back."],
        }
    }

    fn count(&self) -> usize {
        self.todos.len()
    }

    fn plan(&self, planning: &mut Planning<'_>) -> Result<(), Failure> {
        for (at, handle) in self.todos.iter().enumerate() {
            let (path, text, todo) = handle.find(planning)?;
            planning.row(todo_row(at, &path, todo.line, Some(&text[todo.lines.clone()]), None));
            planning.outcome(part(at), &path, &format!("deleted: {}", todo.text));
            planning.edit(&path, vec![delete_todo(&text, &todo)])?;
        }
        Ok(())
    }

    fn only(&self, _preview: &Preview, parts: &[u32]) -> Self {
        Self { todos: kept(&self.todos, parts) }
    }

    fn summary(&self) -> String {
        format!("Delete {}", counted(self.todos.len(), "todo"))
    }
}
