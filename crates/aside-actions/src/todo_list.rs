//! `todo.list`: the todos of all notes.

use std::{fmt::Write as _, sync::Arc};

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_notes::{TodoFacts, TodoFilter, TodoState, tags_of};
use aside_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    files::{counted, touching},
    known_notes::{MOST_FOUND, MOST_TOLD, with_notes},
    trimmed::trimmed,
};

/// Todos of an answer, unless fewer are asked for.
const MOST: usize = 500;

/// Arguments of `todo.list`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Only todos in this state. Default: any.
    #[serde(default)]
    state: Option<State>,
    /// Only todos that are due before this day: `2026-12-01`.
    #[serde(default)]
    due_before: Option<String>,
    /// Only todos that are still to be done and were due before today.
    #[serde(default)]
    overdue: bool,
    /// Only todos with this tag or one below it, in their words or in the front matter of their note.
    #[serde(default)]
    tag: Option<String>,
    /// Only todos in notes whose path begins so: a note, or a folder.
    #[serde(default)]
    path: Option<String>,
    /// At most so many. Default: 500.
    #[serde(default)]
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
}

/// The state of a todo.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum State {
    Open,
    Doing,
    Done,
    Cancelled,
    Moved,
}

impl From<State> for TodoState {
    fn from(state: State) -> Self {
        match state {
            State::Open => Self::Open,
            State::Doing => Self::Doing,
            State::Done => Self::Done,
            State::Cancelled => Self::Cancelled,
            State::Moved => Self::Moved,
        }
    }
}

/// The todos that were found.
struct Listed {
    todos: Vec<(WorkspacePath, Value)>,
    total: usize,
}

/// `todo.list`.
pub(crate) struct TodoList {
    pub workspace: Arc<Workspace>,
}

impl TodoList {
    /// Finds the todos of notes that are admitted: each note is judged as it would be if only it were told of.
    async fn list(
        &self,
        context: &ActionContext,
        args: &Args,
        admits: impl Fn(&ActionContext, &Assessment) -> bool + Send + 'static,
    ) -> Result<Listed, Failure> {
        let day = |day: &String| {
            let failure = || Failure::new("invalid_args", format!("`{day}` is no day")).hint("write it as 2026-12-01");
            day.parse().map_err(|_| failure())
        };
        let filter = TodoFilter {
            states: args.state.map(TodoState::from).into_iter().collect(),
            due_before: args.due_before.as_ref().map(day).transpose()?,
            overdue: args.overdue.then(|| self.workspace.today()),
            tag: args.tag.clone(),
            path: args.path.clone(),
        };
        let (most, context) = (args.limit.map_or(MOST, |limit| limit as usize).min(MOST), context.clone());
        with_notes(&self.workspace, move |workspace, vault| {
            let view = workspace.view(&context.would_be);
            let mut judged = std::collections::HashMap::new();
            let mut listed = Listed { todos: Vec::new(), total: 0 };
            for (note, todo) in vault.todos(&filter) {
                let admitted = *judged
                    .entry(note.path.clone())
                    .or_insert_with(|| admits(&context, &touching(&view, &[&note.path], [])));
                listed.total += usize::from(admitted);
                if admitted && listed.todos.len() < most {
                    let mut value = serde_json::to_value(TodoFacts::of(todo)).expect("facts are JSON");
                    value["path"] = json!(note.path);
                    value["tags"] = json!(tags_of(note, todo));
                    listed.todos.push((note.path.clone(), value));
                }
            }
            Ok(listed)
        })
        .await
    }
}

impl Action for TodoList {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "todo.list",
            summary: "List todos of the workspace's notes",
            description: "Returns todos (`- [ ]` items) of all notes, the earliest due first, each with its note, line, text, \
                state, dates and tags. Name note, line and text to the actions that change todos.",
            preconditions: &[],
            effect: EffectScope::Workspace,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![
                ("List open todos", json!({"state": "open"})),
                ("List overdue todos with a tag", json!({"overdue": true, "tag": "work"})),
            ],
            phrases: &[
                "list my todos",
                "which tasks are open",
                "(list|show|show me) [all|my|all my|the] [open] (todos|to-dos|tasks) in {path:file}",
                "(list|show|show me) [all|my|all my|the] (todos|to-dos|tasks) (tagged|with the tag|with tag) {tag:text}",
            ],
            tags: &["todo", "task", "due", "overdue", "note", "checkbox"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let listed = self.list(context, args, |context, found| context.admits.all(&found.targets)).await?;
        let mut paths: Vec<&WorkspacePath> = listed.todos.iter().map(|(path, _)| path).collect();
        paths.sort();
        paths.dedup();
        Ok(touching(&self.workspace.view(&context.would_be), &paths, []))
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let place = args.path.as_ref().map_or(String::new(), |path| format!(" in {path}"));
        Ok(Preview::summary(format!("List {}todos{place}", if args.overdue { "overdue " } else { "" })))
    }

    /// A note whose todos fit only since is not told of: nobody has judged it.
    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let judged = |context: &ActionContext, found: &Assessment| {
            found.targets.iter().all(|target| context.touches.contains(target))
        };
        let listed = self.list(context, args, judged).await?;
        let text = told(&listed);
        let todos: Vec<Value> = listed.todos.into_iter().map(|(_, todo)| todo).collect();
        let data = json!({"todos": todos, "total": listed.total});
        // A person's script needs all of each todo.
        let data = if context.origin.is_person() { data } else { trimmed(data, MOST_FOUND) };
        Ok(Run::observed(Observation::with(text, data)))
    }
}

fn told(listed: &Listed) -> String {
    let mut text = counted(listed.total, "todo");
    for (number, (path, todo)) in listed.todos.iter().enumerate() {
        let due = todo["due"].as_str().map_or(String::new(), |due| format!(" (due {due})"));
        let words = todo["text"].as_str().unwrap_or_default();
        let words: String = words.chars().take(500).collect();
        let line = format!("\n{path}:{} [{}] {words}{due}", todo["line"], todo["state"].as_str().unwrap_or_default());
        if text.len() + line.len() > MOST_TOLD - 100 {
            let rest = listed.todos.len() - number;
            write!(text, "\n… and {}", counted(rest, "todo")).expect("writing to a string does not fail");
            break;
        }
        text.push_str(&line);
    }
    text
}
