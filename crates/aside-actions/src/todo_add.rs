//! `todo.add`: new todos behind the last one of a note or of a section of it.

use aside_core::{EffectScope, Failure, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::Declaration;
use aside_notes::{NewTodo, Priority, add_todos};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    files::counted,
    notes::{NoteChange, NoteStep, Planning, date, kept, part, row},
};

/// Arguments of `todo.add`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The note, relative to the workspace. Default: the note of today, which is created if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<WorkspacePath>,
    /// The heading of the section that gets them. Default: the whole note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    heading: Option<String>,
    /// The todos.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    todos: Vec<NewTodoArgs>,
    /// The text of one todo, in place of `todos`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The day by which this one todo has to be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due: Option<String>,
}

impl Args {
    fn all(&self) -> Vec<NewTodoArgs> {
        let due = self.due.clone();
        let single = self.text.clone().map(|text| NewTodoArgs { text, due, ..NewTodoArgs::default() });
        self.todos.iter().cloned().chain(single).collect()
    }
}

/// A new todo.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewTodoArgs {
    /// The text, on one line.
    text: String,
    /// The day by which it has to be done, `2026-12-01` or `2026-12-01T14:30`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due: Option<String>,
    /// The day on which it is planned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scheduled: Option<String>,
    /// The day from which it can be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    /// The rule by which it comes again, such as `every week`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    repeat: Option<String>,
    /// `lowest`, `low`, `medium`, `high` or `highest`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    priority: Option<String>,
}

impl NewTodoArgs {
    fn read(&self) -> Result<NewTodo, Failure> {
        let day = |text: &Option<String>| text.as_deref().map(date).transpose();
        Ok(NewTodo {
            text: self.text.clone(),
            due: day(&self.due)?,
            scheduled: day(&self.scheduled)?,
            start: day(&self.start)?,
            repeat: self.repeat.clone(),
            priority: self.priority.as_deref().map(priority).transpose()?,
        })
    }
}

/// Reads a priority as arguments write it.
pub(crate) fn priority(word: &str) -> Result<Priority, Failure> {
    Priority::of_name(word.trim()).ok_or_else(|| {
        let failure = Failure::new("invalid_args", format!("`{word}` is no priority"));
        failure.hint("the priorities are lowest, low, medium, high and highest")
    })
}

impl NoteChange for Args {
    fn declare() -> Declaration {
        Declaration {
            name: "todo.add",
            summary: "Add todos to a note",
            description: "Adds todos behind the last one of a note, or of the section of a heading, with its bullet and \
                indent. Dates are written in the notation of the note.",
            preconditions: &["the note exists"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![(
                "Add a todo with a date",
                json!({"path": "README.md", "todos": [{"text": "Check the tide gauge", "due": "2026-12-01"}]}),
            )],
            phrases: &[
                "add a todo",
                "new task",
                "remind me to",
                "(add|create|new) [a] [new] (todo|task|to-do) [:] [to] {text:text} [by|until|for|on] [{due:when}]",
                "(todo|task|to-do) : {text:text} [by|until|on] [{due:when}]",
                "(todo|task|to-do) {text:text} (by|until) {due:when}",
                "remind me [{due:when}] to {text:text} [{due:when}]",
            ],
            tags: &["todo", "task", "due", "note", "checkbox"],
            safety: &["The card shows each line."],
        }
    }

    fn count(&self) -> usize {
        self.all().len()
    }

    fn plan(&self, planning: &mut Planning<'_>) -> Result<(), Failure> {
        let todos: Vec<NewTodo> = self.all().iter().map(NewTodoArgs::read).collect::<Result<_, _>>()?;
        let (path, is_new) = match &self.path {
            Some(path) => (path.clone(), false),
            None => planning.daily()?,
        };
        let (text, note) = match is_new {
            true => ("".into(), crate::notes::parsed(planning.view, &path, "")),
            false => {
                let read = planning.note(&path)?;
                (read.text.clone(), read.note.clone())
            }
        };
        let path = note.path.clone();
        let has_signs = todos.iter().any(|todo| *todo != NewTodo { text: todo.text.clone(), ..NewTodo::default() });
        let style = planning.style_for(&note, has_signs);
        let added = add_todos(&text, &note, self.heading.as_deref(), &todos, style);
        let (edits, lines) = added.map_err(|refused| refused.failure())?;
        match is_new {
            true => planning.step(NoteStep::Create { path: path.clone(), text: lines.join("\n") + "\n" }),
            false => planning.edit(&path, edits)?,
        }
        for (at, line) in lines.iter().enumerate() {
            planning.row(row(part(at), &path, "todo", None, Some(line.trim())));
            planning.outcome(part(at), &path, &format!("added {}", line.trim()));
        }
        Ok(())
    }

    fn only(&self, _preview: &Preview, parts: &[u32]) -> Self {
        Self { todos: kept(&self.all(), parts), text: None, due: None, ..self.clone() }
    }

    fn summary(&self) -> String {
        let place = self.path.as_ref().map_or("today’s note", WorkspacePath::as_str);
        format!("Add {} to {place}", counted(self.count(), "todo"))
    }
}
