//! `ui.go`: goes to a page of Aside, or to a place in a document.

mod jupyterlab;
mod phrases;

use aside_core::{
    Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, TabKind, UndoSupport, WindowId, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, DryReading, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    browser::{invalid, window_only},
    cells::{is_hidden, place},
    files::{showing, viewing},
    pages::WindowPage,
    tabs::WindowTabs,
};
use phrases::PHRASES;

/// Arguments of `ui.go`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The page, such as `tasks`.
    #[serde(default)]
    page: Option<WindowPage>,
    /// In place of `page`: a program beside Aside, in a new tab of the browser.
    #[serde(default)]
    beside: Option<ProgramBeside>,
    /// In place of `page`: the file. Default with `line`, `heading` or `cell`: the active one.
    #[serde(default)]
    path: Option<WorkspacePath>,
    /// A line, from 1.
    #[serde(default)]
    #[schemars(range(min = 1))]
    line: Option<u32>,
    /// A heading of a Markdown file or notebook: its words, or its name in links.
    #[serde(default)]
    #[schemars(length(min = 1, max = 300))]
    heading: Option<String>,
    /// The key of a cell of a notebook, as `notebook.read` gives it.
    #[serde(default)]
    #[schemars(length(min = 1, max = 100))]
    cell: Option<String>,
    /// The window. Default: the one that asked, else the one used last.
    #[serde(default)]
    window: Option<WindowId>,
}

/// A program beside Aside, over the same files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ProgramBeside {
    /// JupyterLab.
    Jupyterlab,
}

/// `ui.go`.
pub(crate) struct UiGo(pub WindowTabs);

impl Action for UiGo {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "ui.go",
            summary: "Go to a page, line, heading or cell",
            description: "Shows a page of Aside in the user's window, or a place in a file: a line, a heading, or a \
                cell of a notebook. Without a path, the place is in the active file. With `beside`, opens JupyterLab in \
                a new tab of the browser, if the server knows where it runs.",
            preconditions: &["a window is open", "the file exists, if one is named"],
            effect: EffectScope::Ui,
            risks: [Risk::Read].into(),
            place: Place::Browser,
            undo: UndoSupport::NotNeeded,
            examples: vec![
                ("Go to the activity log", json!({"page": "audit"})),
                ("Go to a line of the active file", json!({"line": 12})),
                ("Go to a cell", json!({"path": "tides.ipynb", "cell": "plot"})),
            ],
            phrases: PHRASES,
            tags: &[
                "go to the cell",
                "show the tasks",
                "go to the activity log",
                "window",
                "page",
                "navigate",
                "settings",
                "log",
                "problems",
                "heading",
                "jupyterlab",
                "open in JupyterLab",
            ],
            safety: &[],
        }
    }

    fn in_dry_runs(&self) -> DryReading {
        DryReading::Shown
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        args.check()?;
        let Some(path) = args.path.clone() else { return Ok(window_only()) };
        showing(&self.0.workspace, context, path).await
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        args.check()?;
        Ok(Preview::summary(format!("Go to {}", args.described())))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        args.check()?;
        let window = args.window.as_ref();
        let wanted = match (&args.cell, args.beside) {
            (_, Some(ProgramBeside::Jupyterlab)) => json!({ "address": jupyterlab::address()? }),
            (Some(cell), None) => self.cell(context, args, cell).await?,
            (None, None) => args.wanted(),
        };
        let answer = self.0.windows.call(context, "ui.go", wanted, window).await?;
        let text = format!("went to {}{}", args.described(), answer.place(window));
        Ok(Run::observed(Observation::with(text, json!({ "window": answer.window }))))
    }
}

impl UiGo {
    /// Finds the cell that is meant, in the named notebook or the active one, and returns it as the window takes it.
    async fn cell(&self, context: &ActionContext, args: &Args, meant: &str) -> Result<Value, Failure> {
        let path = match &args.path {
            Some(path) => path.clone(),
            None => {
                let listed = self.0.list(context, args.window.as_ref()).await?;
                let active = listed.active().filter(|tab| tab.kind == TabKind::Notebook);
                active.and_then(|tab| tab.path.parse().ok()).ok_or_else(|| {
                    Failure::new("no_notebook", "the active tab is not a notebook").hint("name the notebook in `path`")
                })?
            }
        };
        let (notebook, is_person, meant) = (path.clone(), context.origin.is_person(), meant.to_owned());
        let key = viewing(&self.0.workspace, context, move |view| {
            let mut cells = view.notebook(&notebook)?.cells;
            cells.retain(|cell| is_person || !is_hidden(cell));
            Ok(place(&notebook, &cells, &meant).map(|at| cells[at].key.0.clone()))
        });
        Ok(json!({ "path": path, "cell": key.await?? }))
    }
}

impl Args {
    fn check(&self) -> Result<(), Failure> {
        let places = [self.line.is_some(), self.heading.is_some(), self.cell.is_some()];
        let places = places.into_iter().filter(|given| *given).count();
        match (self.beside, self.page.is_some() || self.path.is_some() || places > 0) {
            (Some(_), true) => return Err(invalid("give `beside` alone, or a page or place")),
            (Some(ProgramBeside::Jupyterlab), false) => return jupyterlab::address().map(drop),
            (None, _) => {}
        }
        match (self.page, &self.path, places) {
            (Some(_), None, 0) | (None, Some(_), 0 | 1) | (None, None, 1) => Ok(()),
            (Some(_), ..) => Err(invalid("give `page` or a place in a file, not both")),
            (None, None, 0) => Err(invalid("give `page`, `beside`, `path`, `line`, `heading` or `cell`")),
            _ => Err(invalid("give one of `line`, `heading` and `cell`")),
        }
    }

    fn described(&self) -> String {
        let place = match (&self.line, &self.heading, &self.cell) {
            (Some(line), ..) => format!("line {line}"),
            (_, Some(heading), _) => format!("the heading “{heading}”"),
            (_, _, Some(cell)) => format!("the cell `{cell}`"),
            _ => String::new(),
        };
        if self.beside.is_some() {
            return "JupyterLab".to_owned();
        }
        match (self.page, &self.path) {
            (Some(page), _) => page.title().to_owned(),
            (None, Some(path)) if place.is_empty() => path.to_string(),
            (None, Some(path)) => format!("{place} of {path}"),
            (None, None) => place,
        }
    }

    /// The place, as the window takes it.
    fn wanted(&self) -> Value {
        let parts = [
            ("page", json!(self.page)),
            ("path", json!(self.path)),
            ("line", json!(self.line)),
            ("heading", json!(self.heading)),
            ("cell", json!(self.cell)),
        ];
        parts.into_iter().filter(|(_, part)| !part.is_null()).map(|(name, part)| (name.to_owned(), part)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tabs::testing::{WindowBench, code, words};

    #[tokio::test]
    async fn each_place_is_said_in_words() {
        let cases = [
            (json!({"page": "needs_you"}), "went to Waiting for you"),
            (json!({"path": "a.md"}), "went to a.md"),
            (json!({"path": "a.md", "line": 3}), "went to line 3 of a.md"),
            (json!({"heading": "Tides"}), "went to the heading “Tides”"),
        ];
        for (args, expected) in cases {
            let bench = WindowBench::new(&[("a.md", "")], json!({}));
            let record = bench.act("ui.go", args.clone()).await;
            assert_eq!(words(&record), expected);
            assert_eq!(bench.calls(), [json!(["ui.go", args, null])]);
        }
    }

    #[tokio::test]
    async fn cell_is_found_in_the_active_notebook() {
        let list = json!({ "tabs": [{ "id": "t", "path": "n.ipynb", "shows": "file", "pane": 1, "active": true }] });
        let cell = r#"{"cell_type": "code", "id": "plot-it", "metadata": {}, "outputs": [], "source": []}"#;
        let notebook = format!(r#"{{"cells": [{cell}], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}"#);
        let files = [("n.ipynb", notebook.as_str())];
        let bench = WindowBench::answering(&files, vec![list.clone(), json!({})]);
        assert_eq!(words(&bench.act("ui.go", json!({ "cell": "plot" })).await), "went to the cell `plot`");
        assert_eq!(bench.calls()[1], json!(["ui.go", { "path": "n.ipynb", "cell": "plot-it" }, null]));
        let missing = WindowBench::answering(&files, vec![list]);
        assert_eq!(code(&missing.act("ui.go", json!({ "cell": "gone" })).await), "no_such_cell");
    }

    #[tokio::test]
    async fn two_places_at_once_are_refused() {
        let bench = WindowBench::new(&[("a.md", "")], json!({}));
        for wrong in [json!({}), json!({"page": "tasks", "line": 1}), json!({"line": 1, "cell": "x"})] {
            assert_eq!(code(&bench.act("ui.go", wrong).await), "invalid_args");
        }
        assert!(bench.calls().is_empty());
    }
}
