//! `todo.update`: other words, dates, repetition or priority for todos; `null` takes a value away.

use aside_core::{EffectScope, Failure, NoteRow, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::Declaration;
use aside_notes::{TodoChange, TodoDate, edited, finish, reopen, update_todo};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;

use crate::{
    files::counted,
    notes::{NoteChange, Planning, TodoArgs, date, kept, lines_after, part, todo_row},
    todo_add::priority,
};

/// Arguments of `todo.update`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The todos and their new values. An absent value stays, and `null` takes it away.
    #[schemars(length(min = 1))]
    todos: Vec<UpdateArgs>,
}

/// A todo and its new values.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateArgs {
    /// The note, relative to the workspace.
    path: WorkspacePath,
    /// Its line, from 1.
    #[schemars(range(min = 1))]
    line: u32,
    /// Its text as it is, without dates and other signs.
    text: String,
    /// The new text, on one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    new_text: Option<String>,
    /// Whether it is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    done: Option<bool>,
    /// The day by which it has to be done, `2026-12-01` or `2026-12-01T14:30`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    due: Option<Option<String>>,
    /// The day on which it is planned.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    scheduled: Option<Option<String>>,
    /// The day from which it can be done.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    start: Option<Option<String>>,
    /// The rule by which it comes again, such as `every week`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    repeat: Option<Option<String>>,
    /// `lowest`, `low`, `medium`, `high` or `highest`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    priority: Option<Option<String>>,
}

/// Tells null from what is absent.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

impl UpdateArgs {
    fn change(&self) -> Result<TodoChange, Failure> {
        let day = |value: &Option<Option<String>>| -> Result<Option<Option<TodoDate>>, Failure> {
            value.as_ref().map(|value| value.as_deref().map(date).transpose()).transpose()
        };
        let level = self.priority.as_ref().map(|value| value.as_deref().map(priority).transpose());
        Ok(TodoChange {
            text: self.new_text.clone(),
            due: day(&self.due)?,
            scheduled: day(&self.scheduled)?,
            start: day(&self.start)?,
            repeat: self.repeat.clone(),
            priority: level.transpose()?,
        })
    }
}

impl NoteChange for Args {
    fn declare() -> Declaration {
        Declaration {
            name: "todo.update",
            summary: "Update todos",
            description: "Changes text, dates, repetition or priority of todos, or marks them as done or not done. \
                `null` takes a value away. Each sign keeps its place and notation.",
            preconditions: &["the todos are in their notes"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![(
                "Set a due date",
                json!({"todos": [{"path": "notes/todo.md", "line": 3, "text": "Measure", "due": "2026-12-01"}]}),
            )],
            phrases: &["change the todo", "set the due date of a task", "reschedule"],
            tags: &["todo", "task", "due", "date", "priority", "repeat"],
            safety: &["The card shows each line before and after."],
        }
    }

    fn count(&self) -> usize {
        self.todos.len()
    }

    fn plan(&self, planning: &mut Planning<'_>) -> Result<(), Failure> {
        let today = planning.today;
        for (at, wanted) in self.todos.iter().enumerate() {
            let handle = TodoArgs { path: wanted.path.clone(), line: wanted.line, text: wanted.text.clone() };
            let (path, text, todo) = handle.find(planning)?;
            let change = wanted.change()?;
            let note = planning.note(&path)?.note.clone();
            let style = planning.style_for(&note, todo.signs.is_empty());
            let mut edits = update_todo(&text, &note, &todo, &change, style).map_err(|refused| refused.failure())?;
            let mut remark = None;
            if let Some(done) = wanted.done {
                // Dates that change with it count for the next one of a repetition.
                let finished = match done {
                    false => reopen(&text, &todo),
                    true if edits.is_empty() => finish(&text, &todo, today).map_err(|refused| refused.failure())?,
                    true => {
                        let after = edited(&text, &edits).map_err(|refused| refused.failure())?;
                        let note = crate::notes::parsed(planning.view, &path, &after);
                        let again = note.todos.iter().find(|other| other.line == todo.line);
                        let again =
                            again.ok_or_else(|| Failure::new("internal", "the todo was lost while it was changed"))?;
                        let finished = finish(&after, again, today).map_err(|refused| refused.failure())?;
                        let whole = edited(&after, &finished.edits).map_err(|refused| refused.failure())?;
                        edits = vec![differing(&text, &whole)];
                        aside_notes::Finished { edits: Vec::new(), ..finished }
                    }
                };
                edits.extend(finished.edits);
                remark = finished.remark;
            }
            let before = &text[todo.lines.clone()];
            let after = lines_after(&text, &todo, &edits)?;
            let shown = todo_row(at, &path, todo.line, Some(before), Some(&after));
            let words = match (&remark, edits.is_empty()) {
                (Some(remark), _) => remark.clone(),
                (None, true) => "unchanged".to_owned(),
                (None, false) => format!("updated: {}", after.trim()),
            };
            planning.row(NoteRow { note: remark, ..shown });
            planning.outcome(part(at), &path, &words);
            planning.edit(&path, edits)?;
        }
        Ok(())
    }

    fn only(&self, _preview: &Preview, parts: &[u32]) -> Self {
        Self { todos: kept(&self.todos, parts) }
    }

    fn summary(&self) -> String {
        format!("Update {}", counted(self.todos.len(), "todo"))
    }
}

/// One edit for all that differs between two texts.
fn differing(before: &str, after: &str) -> aside_notes::ByteEdit {
    let same = |one: &mut dyn Iterator<Item = char>, two: &mut dyn Iterator<Item = char>| {
        one.zip(two).take_while(|(one, two)| one == two).map(|(one, _)| one.len_utf8()).sum::<usize>()
    };
    let start = same(&mut before.chars(), &mut after.chars());
    let end = same(&mut before[start..].chars().rev(), &mut after[start..].chars().rev());
    aside_notes::ByteEdit::replace(start..before.len() - end, &after[start..after.len() - end])
}
