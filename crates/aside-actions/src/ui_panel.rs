//! `ui.panel`: opens the side panel with the assistant, the chat or the history in it.

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport, WindowId};
use aside_gate::{Action, ActionContext, Declaration, DryReading, Run};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::browser::{Windows, window_only};

/// The content of the side panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Panel {
    /// The threads with the assistant.
    Assistant,
    /// The chat of people about the active document.
    Chat,
    /// The AI history of the active document.
    History,
}

/// Arguments of `ui.panel`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// `assistant`, `chat` or `history`.
    panel: Panel,
    /// The window. Default: the one that asked, else the one used last.
    #[serde(default)]
    window: Option<WindowId>,
}

/// `ui.panel`.
pub(crate) struct UiPanel(pub Windows);

impl Action for UiPanel {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "ui.panel",
            summary: "Open the assistant, chat or history panel",
            description: "Opens the side panel of the user's window with the assistant, the chat about the active \
                document, or its AI history. `ui.layout` hides the panel.",
            preconditions: &["a window is open"],
            effect: EffectScope::Ui,
            risks: [Risk::Read].into(),
            place: Place::Browser,
            undo: UndoSupport::NotNeeded,
            examples: vec![("Open the chat", json!({"panel": "chat"}))],
            phrases: &[
                "open the assistant panel",
                "open the chat",
                "(open|show|show me) (chat|chat panel|chat about this (file|document|notebook)) => panel=chat",
            ],
            tags: &["window", "side", "panel", "threads"],
            safety: &[],
        }
    }

    fn in_dry_runs(&self) -> DryReading {
        DryReading::Shown
    }

    async fn assess(&self, _context: &ActionContext, _args: &Args) -> Result<Assessment, Failure> {
        Ok(window_only())
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Open the {} panel", args.panel.word())))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let window = args.window.as_ref();
        let answer = self.0.call(context, "ui.panel", json!({ "panel": args.panel }), window).await?;
        let text = format!("opened the {} panel{}", args.panel.word(), answer.place(window));
        Ok(Run::observed(Observation::with(text, json!({ "window": answer.window }))))
    }
}

impl Panel {
    fn word(self) -> &'static str {
        match self {
            Self::Assistant => "assistant",
            Self::Chat => "chat",
            Self::History => "history",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tabs::testing::{WindowBench, words};

    #[tokio::test]
    async fn panel_opens_in_the_window() {
        let bench = WindowBench::new(&[], json!({}));
        let record = bench.act("ui.panel", json!({ "panel": "chat" })).await;
        assert_eq!(words(&record), "opened the chat panel");
        assert_eq!(bench.calls(), [json!(["ui.panel", { "panel": "chat" }, null])]);
    }
}
