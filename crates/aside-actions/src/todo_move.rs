//! `todo.move`: moves todos behind the last one of another note.

use aside_core::{EffectScope, Failure, NoteRow, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::Declaration;
use aside_notes::{delete_todo, moved_todo};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    files::counted,
    notes::{NoteChange, Planning, TodoArgs, kept, part, todo_row},
};

/// Arguments of `todo.move`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The todos.
    #[schemars(length(min = 1))]
    todos: Vec<TodoArgs>,
    /// The note that gets them, relative to the workspace.
    to: WorkspacePath,
    /// The heading of the section that gets them. Default: the whole note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    heading: Option<String>,
}

impl NoteChange for Args {
    fn declare() -> Declaration {
        Declaration {
            name: "todo.move",
            summary: "Move todos to another note",
            description: "Moves the lines of todos behind the last todo of another note, or of the section of a heading. \
                Todos below them stay.",
            preconditions: &["the todos are in their notes", "the other note exists"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![(
                "Move a todo",
                json!({"todos": [{"path": "notes/todo.md", "line": 3, "text": "Measure"}], "to": "README.md"}),
            )],
            phrases: &["move the todo to another note", "move tasks"],
            tags: &["todo", "task", "note"],
            safety: &["The card shows each line and its new note."],
        }
    }

    fn count(&self) -> usize {
        self.todos.len()
    }

    fn plan(&self, planning: &mut Planning<'_>) -> Result<(), Failure> {
        for (at, handle) in self.todos.iter().enumerate() {
            let (path, text, todo) = handle.find(planning)?;
            let target = planning.note(&self.to)?;
            let to = target.path.clone();
            let arrival = moved_todo((&text, &todo), (&target.text, &target.note), self.heading.as_deref());
            let arrival = arrival.map_err(|refused| refused.failure())?;
            let lines = text[todo.lines.clone()].trim().to_owned();
            let shown = todo_row(at, &path, todo.line, Some(&lines), None);
            planning.row(NoteRow { note: Some(format!("moves to {to}")), ..shown });
            planning.row(NoteRow { line: None, ..todo_row(at, &to, 1, None, Some(&lines)) });
            planning.outcome(part(at), &path, &format!("moved to {to}: {}", todo.text));
            planning.edit(&path, vec![delete_todo(&text, &todo)])?;
            planning.edit(&to, vec![arrival])?;
            planning.settle(&to)?;
        }
        Ok(())
    }

    fn only(&self, _preview: &Preview, parts: &[u32]) -> Self {
        Self { todos: kept(&self.todos, parts), ..self.clone() }
    }

    fn summary(&self) -> String {
        format!("Move {} to {}", counted(self.todos.len(), "todo"), self.to)
    }
}
