//! `ui.split`: splits the focused pane.

use aside_core::{
    Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, TabId, UndoSupport, WindowId, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{browser::window_only, files::showing, request, tabs::WindowTabs};

/// The place of the new pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// To the right of the focused one.
    Right,
    /// Below the focused one.
    Down,
}

/// Arguments of `ui.split`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The place of the new pane: `right` or `down`.
    direction: Direction,
    /// The file that the new pane shows. Default: the same as the focused pane.
    #[serde(default)]
    path: Option<WorkspacePath>,
    /// The window. Default: the one that asked, else the one used last.
    #[serde(default)]
    window: Option<WindowId>,
}

/// `ui.split`.
pub(crate) struct UiSplit(pub WindowTabs);

#[derive(Debug, Deserialize)]
struct Opened {
    /// The tab in the new pane; none if that is empty.
    opened: Option<TabId>,
}

impl Action for UiSplit {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "ui.split",
            summary: "Split the pane",
            description: "Splits the focused pane of the user's window to the right or down. The new pane shows a \
                file, or else the same as the focused one. Undo closes the new tab, and with it its pane.",
            preconditions: &["a window is open", "the file exists, if one is named"],
            effect: EffectScope::Ui,
            risks: [Risk::Read].into(),
            place: Place::Browser,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Split to the right", json!({"direction": "right"})),
                ("Show a file below", json!({"direction": "down", "path": "src/model.py"})),
            ],
            phrases: &[
                "split right",
                "split down",
                "split [editor|view|window|screen|pane|this|it] [to] right => direction=right",
                "split [editor|view|window|screen|pane|this|it] (down|downwards|below|to the bottom) => direction=down",
                "(open|show|show me|put) {path:one_file} (to|on|at) the (right|side|right side|right hand side) => direction=right",
                "(open|show|show me|put) {path:one_file} (side by side|beside this [one|file]|next to this [one|file]|in a split|in a split view|in a pane to the right|in a split to the right) => direction=right",
                "(open|show|show me|put) {path:one_file} (below|underneath|at the bottom|in a split below|in a pane below) [this|it] => direction=down",
                "split right (with|and open|and show) {path:one_file} => direction=right",
                "split down (with|and open|and show) {path:one_file} => direction=down",
                "[open a] (split to the right|pane to the right|new pane on the right|new pane to the right) => direction=right",
                "[open a] (split below|pane below|new pane below) => direction=down",
            ],
            tags: &["window", "pane", "side by side", "layout"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let Some(path) = args.path.clone() else { return Ok(window_only()) };
        showing(&self.0.workspace, context, path).await
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let path = args.path.as_ref().map(|path| format!(" with {path}")).unwrap_or_default();
        Ok(Preview::summary(format!("Split {}{path}", args.direction.word())))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let window = args.window.as_ref();
        let wanted = match &args.path {
            Some(path) => json!({ "direction": args.direction, "path": path }),
            None => json!({ "direction": args.direction }),
        };
        let answer = self.0.windows.call(context, "ui.split", wanted, window).await?;
        let Opened { opened } = answer.read()?;
        let inverse = opened
            .as_ref()
            .map(|tab| request("ui.tabs.close", json!({ "which": "tabs", "tabs": [tab], "window": answer.window })));
        let text = format!("split the pane {}{}", args.direction.word(), answer.place(window));
        let observation = Observation::with(text, json!({ "window": answer.window, "opened": opened }));
        Ok(Run { observation, inverse, changed: Vec::new() })
    }
}

impl Direction {
    fn word(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Down => "down",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tabs::testing::{WindowBench, code, words};

    #[tokio::test]
    async fn undo_closes_the_new_tab() {
        let bench = WindowBench::new(&[("a.py", "")], json!({ "opened": "tab-9" }));
        let record = bench.act("ui.split", json!({ "direction": "down", "path": "a.py" })).await;
        let undo = bench.undo(&record).await.envelope;
        assert_eq!(undo.args, json!({ "which": "tabs", "tabs": ["tab-9"], "window": "w1" }));
        assert_eq!(bench.calls()[..1], [json!(["ui.split", { "direction": "down", "path": "a.py" }, null])]);
    }

    #[tokio::test]
    async fn empty_pane_has_nothing_to_undo() {
        let bench = WindowBench::new(&[], json!({ "opened": null }));
        let record = bench.act("ui.split", json!({ "direction": "right" })).await;
        assert_eq!((words(&record), record.can_undo), ("split the pane right", false));
    }

    #[tokio::test]
    async fn missing_file_splits_nothing() {
        let bench = WindowBench::new(&[], json!({ "opened": null }));
        let args = json!({ "direction": "right", "path": "gone.py" });
        assert_eq!(code(&bench.act("ui.split", args).await), "not_found");
        assert!(bench.calls().is_empty());
    }
}
