//! `ui.tabs.reopen`: opens the tabs again that were closed last, each in its place.

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, TabId, UndoSupport, WindowId};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    browser::window_only,
    files::touching,
    request,
    tabs::{PlacedTab, Shows, WindowTabs, named},
};

/// Arguments of `ui.tabs.reopen`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The tabs and their places, as `ui.tabs.close` returned them. Default: those that were closed last.
    #[serde(default)]
    #[schemars(length(min = 1, max = 1000))]
    tabs: Option<Vec<PlacedTab>>,
    /// The window. Default: the one that asked, else the one used last.
    #[serde(default)]
    window: Option<WindowId>,
}

/// `ui.tabs.reopen`.
pub(crate) struct UiTabsReopen(pub WindowTabs);

#[derive(Debug, Deserialize)]
struct Reopened {
    reopened: Vec<PlacedTab>,
}

impl Action for UiTabsReopen {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "ui.tabs.reopen",
            summary: "Reopen closed tabs",
            description: "Opens the tabs again that were closed last in the user's window, each in its old place. Tabs \
                that were closed together open together.",
            preconditions: &["a window is open", "a tab was closed in it"],
            effect: EffectScope::Ui,
            risks: [Risk::Read].into(),
            place: Place::Browser,
            undo: UndoSupport::Inverse,
            examples: vec![("Reopen the tabs that were closed last", json!({}))],
            phrases: &[
                "reopen closed tab",
                "restore closed tabs",
                "(reopen|restore|bring back) [last] closed (tab|tabs|file)",
                "(reopen|restore) [tab|tabs] i [just] closed",
                "undo close tab",
                "reopen last tab",
            ],
            tags: &["window", "tab", "restore", "undo"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let tabs = args.tabs.iter().flatten().filter(|tab| tab.shows == Shows::File);
        let paths: Vec<_> = tabs.map(|tab| &tab.path).collect();
        if paths.is_empty() {
            return Ok(window_only());
        }
        Ok(touching(&self.0.workspace.view(&context.would_be), &paths, []))
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(match &args.tabs {
            Some(tabs) => format!("Reopen {}", names(tabs)),
            None => "Reopen the tabs that were closed last".to_owned(),
        }))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let window = args.window.as_ref();
        // The window knows its closed tabs of all files, also of those that a limited grant may not know of.
        if args.tabs.is_none() && context.grant.has_paths() {
            let message =
                format!("{} is limited to some files, and the closed tabs may be of others", context.grant.name);
            return Err(Failure::new("not_granted", message).hint("name the files with `ui.tabs.open`"));
        }
        let wanted = args.tabs.as_ref().map_or_else(|| json!({}), |tabs| json!({ "tabs": tabs }));
        let answer = self.0.windows.call(context, "ui.tabs.reopen", wanted, window).await?;
        let Reopened { reopened } = answer.read()?;
        let place = answer.place(window);
        let data = json!({ "window": answer.window, "reopened": reopened });
        if reopened.is_empty() {
            let observation = Observation::with(format!("the tabs were open already{place}"), data);
            return Ok(Run::observed(Observation { unchanged: true, ..observation }));
        }
        let ids: Vec<&TabId> = reopened.iter().map(|tab| &tab.id).collect();
        let inverse = request("ui.tabs.close", json!({ "which": "tabs", "tabs": ids, "window": answer.window }));
        let files: Vec<_> = reopened.iter().filter(|tab| tab.shows == Shows::File).map(|tab| &tab.path).collect();
        let observation = Observation::with(format!("reopened {}{place}", names(&reopened)), data);
        let observation = match self.0.outside(&files).await? {
            Some(source) => observation.from_source(source),
            None => observation,
        };
        Ok(Run { observation, inverse: Some(inverse), changed: Vec::new() })
    }
}

fn names(tabs: &[PlacedTab]) -> String {
    named(tabs.iter().map(|tab| tab.path.as_str()), "tab")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tabs::testing::{WindowBench, words};

    fn placed() -> serde_json::Value {
        json!({ "id": "tab-1", "path": "a.py", "shows": "file", "pane": "pane-1", "index": 2, "active": true })
    }

    #[tokio::test]
    async fn undo_closes_reopened_tabs() {
        let bench = WindowBench::new(&[("a.py", "")], json!({ "reopened": [placed()] }));
        let record = bench.act("ui.tabs.reopen", json!({})).await;
        assert_eq!(words(&record), "reopened a.py");
        assert_eq!(bench.calls(), [json!(["ui.tabs.reopen", {}, null])]);
        let undo = bench.undo(&record).await.envelope;
        assert_eq!(undo.args, json!({ "which": "tabs", "tabs": ["tab-1"], "window": "w1" }));
    }

    #[tokio::test]
    async fn named_tabs_go_to_the_named_window() {
        let bench = WindowBench::new(&[("a.py", "")], json!({ "reopened": [] }));
        let args = json!({ "tabs": [placed()], "window": "w7" });
        let record = bench.act("ui.tabs.reopen", args).await;
        assert_eq!((words(&record), record.can_undo), ("the tabs were open already", false));
        assert_eq!(bench.calls(), [json!(["ui.tabs.reopen", { "tabs": [placed()] }, "w7"])]);
    }
}
