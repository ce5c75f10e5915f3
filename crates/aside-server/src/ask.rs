//! *Ask Aside* without a model: the grammar of the catalog, and the situation as the server knows it.

mod cells;
mod clock;
mod sentence;
mod window;

use std::{collections::BTreeSet, sync::Arc, time::Instant};

use aside_core::{ActionRecord, ActionRequest, Outcome, WorkspacePath};
use aside_notes::{TodoFilter, TodoState};
use aside_protocol::{RouteKind, RoutedSentence, RoutedStep, WindowSituation};
use aside_route::{Grammar, OpenTab, Route, RoutedAction, SeenFile, SeenTodo, Situation, route};
use serde_json::json;

use crate::{
    access::Shown,
    app::{App, blocking},
    problem::Problem,
};

/// The most files whose time of change is read: with more of them, a sentence about the newest files is for a model.
const MOST_DATED: usize = 2_000;
/// The most todos that a sentence can name, the earliest due first.
const MOST_TODOS: usize = 2_000;

/// Routes a sentence, and adds the words for people.
pub fn routed(app: &App, text: &str, situation: &Situation) -> RoutedSentence {
    let grammar = app.grammar.get_or_init(|| grammar(app));
    let begun = Instant::now();
    let route = route(text, situation, grammar);
    let took_us = u32::try_from(begun.elapsed().as_micros()).unwrap_or(u32::MAX);
    let steps =
        |actions: Vec<RoutedAction>| actions.into_iter().filter_map(|action| step(app, action, situation)).collect();
    let (kind, actions, candidates) = match route {
        Route::Action(action) => (RouteKind::Action, steps(vec![action]), Vec::new()),
        Route::Actions(actions) => (RouteKind::Actions, steps(actions), Vec::new()),
        Route::Choose(actions) => (RouteKind::Choose, Vec::new(), steps(actions)),
        Route::Model => (RouteKind::Model, Vec::new(), Vec::new()),
    };
    RoutedSentence { kind, actions, candidates, took_us }
}

/// Returns the situation: the window that asks, else the tabs of the one used last, and the files, cells and kernels as the
/// server knows them.
pub async fn situation(app: &Arc<App>, shown: Shown, window: Option<WindowSituation>) -> Result<Situation, Problem> {
    let cell = window.as_ref().and_then(|window| window.cell.clone());
    let seen = match window {
        // The window asks with each letter that is typed: to list its tabs as an action would fill the activity log.
        Some(window) => window::seen(window, &clock::local(app.gate.now()))?,
        None => Situation { time: clock::local(app.gate.now()), tabs: tabs(app, shown).await?, ..Situation::default() },
    };
    let kernels = app.kernels.running();
    let app = app.clone();
    let found = blocking(move || {
        let names = app.workspace.names().paths;
        let notebooks = seen.tabs.iter().filter(|tab| tab.kind == "notebook");
        let focused =
            |path: &str| cell.as_ref().filter(|cell| cell.path.as_str() == path).map(|cell| cell.key.as_str());
        Situation {
            cells: notebooks.filter_map(|tab| cells::of(&app, &tab.path, focused(&tab.path))).collect(),
            folders: folders(&names),
            todos: todos(&app),
            files: files(&app, names),
            kernels: kernels
                .iter()
                .map(|kernel| (kernel.path.to_string(), json!(kernel.state).as_str().unwrap_or_default().to_owned()))
                .collect(),
            ..seen
        }
    });
    Ok(found.await?)
}

fn grammar(app: &App) -> Grammar {
    let descriptors = app.gate.catalog().descriptors();
    let grammar = Grammar::new(descriptors.iter().map(AsRef::as_ref));
    grammar.expect("a test builds the grammar of the whole catalog; other programs' phrases are not in it")
}

fn step(app: &App, action: RoutedAction, situation: &Situation) -> Option<RoutedStep> {
    let found = app.gate.catalog().describe(&action.action_type)?;
    let is_gentle = Grammar::is_gentle(&found);
    Some(RoutedStep {
        detail: String::new(),
        title: sentence::of(&action, &found.summary, situation),
        risks: found.risks,
        undo: found.undo,
        is_gentle,
        action_type: action.action_type,
        args: action.args,
    })
}

/// Asks the window that was used last for its tabs, as its person; none if no window is open.
pub(crate) async fn tabs(app: &App, shown: Shown) -> Result<Vec<OpenTab>, Problem> {
    let name = "ui.tabs.list".parse().expect("it is well formed");
    let listed = app.gate.submit(ActionRequest::new(name, json!({})), app.submission(shown)).await?;
    Ok(open_tabs(&listed.record))
}

fn open_tabs(record: &ActionRecord) -> Vec<OpenTab> {
    let Some(Outcome::Done { observation }) = &record.outcome else { return Vec::new() };
    serde_json::from_value(observation.data["tabs"].clone()).unwrap_or_default()
}

fn files(app: &App, names: Vec<WorkspacePath>) -> Vec<SeenFile> {
    let are_dated = names.len() <= MOST_DATED;
    let modified =
        |path: &WorkspacePath| app.workspace.confine(path).ok()?.modified().ok()?.map(|time| time.to_string());
    let file = |path: WorkspacePath| {
        let mtime = if are_dated { modified(&path) } else { None };
        SeenFile { mtime: mtime.unwrap_or_default(), path: path.to_string() }
    };
    names.into_iter().map(file).collect()
}

/// Returns the open todos that the index of notes has now; an id is a handle that `todo.done` takes.
fn todos(app: &App) -> Vec<SeenTodo> {
    let open = TodoFilter { states: vec![TodoState::Open, TodoState::Doing], ..TodoFilter::default() };
    let notes = app.workspace.notes().vault();
    let found = notes.todos(&open).into_iter().take(MOST_TODOS);
    let seen = found.map(|(note, todo)| SeenTodo {
        id: format!("{}:{} {}", note.path, todo.line, todo.text),
        text: todo.text.clone(),
    });
    seen.collect()
}

/// Returns the folders that the files are in.
fn folders(names: &[WorkspacePath]) -> Vec<String> {
    let mut found = BTreeSet::new();
    for name in names {
        let mut path = name.as_str();
        while let Some((folder, _)) = path.rsplit_once('/') {
            if !found.insert(folder.to_owned()) {
                break;
            }
            path = folder;
        }
    }
    found.into_iter().collect()
}
