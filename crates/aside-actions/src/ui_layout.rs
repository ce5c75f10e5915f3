//! `ui.layout`: shows or hides the regions beside the documents.

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport, WindowId};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    browser::{Windows, invalid, window_only},
    request,
};

/// Whether a region is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// It is there.
    Show,
    /// It is not.
    Hide,
}

/// Arguments of `ui.layout`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The list of files: `show` or `hide`.
    #[serde(default)]
    sidebar: Option<Visibility>,
    /// The side panel with the assistant: `show` or `hide`.
    #[serde(default)]
    side: Option<Visibility>,
    /// The window. Default: the one that asked, else the one used last.
    #[serde(default)]
    window: Option<WindowId>,
}

/// `ui.layout`.
pub(crate) struct UiLayout(pub Windows);

/// The regions as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Regions {
    sidebar: Visibility,
    side: Visibility,
}

#[derive(Debug, Deserialize)]
struct Changed {
    before: Regions,
    now: Regions,
}

impl Action for UiLayout {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "ui.layout",
            summary: "Show or hide the file list or the assistant",
            description: "Shows or hides the list of files (sidebar) and the side panel with the assistant (side). \
                In a window without room for both, showing one hides the other.",
            preconditions: &["a window is open"],
            effect: EffectScope::Ui,
            risks: [Risk::Read].into(),
            place: Place::Browser,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Hide the list of files", json!({"sidebar": "hide"})),
                ("Show the files and hide the assistant", json!({"sidebar": "show", "side": "hide"})),
            ],
            phrases: &[
                "(hide|close|collapse|remove) (sidebar|side bar|left sidebar|left side bar|file list|list of files|files panel|file tree|file explorer|explorer|file browser|file panel|files sidebar) => sidebar=hide",
                "(show|open|expand|unhide|bring back|bring up) [me] (sidebar|side bar|left sidebar|left side bar|file list|list of files|files panel|file tree|file explorer|explorer|file browser|file panel|files sidebar) [again] => sidebar=show",
                "toggle (sidebar|side bar|left sidebar|file list|files panel|file tree|file explorer|explorer|file browser|file panel) => sidebar={toggled}",
                "turn (sidebar|side bar|file list|file tree) off => sidebar=hide",
                "turn (sidebar|side bar|file list|file tree) on => sidebar=show",
                "(hide|close|collapse) (assistant|assistant panel|side panel|ai panel|right panel|assistant's panel|assistant sidebar|right sidebar|right side bar) => side=hide",
                "(show|open|expand|unhide|bring back|bring up) [me] (assistant|assistant panel|side panel|ai panel|right panel|assistant's panel|assistant sidebar|right sidebar|right side bar) [again] => side=show",
                "toggle (assistant|assistant panel|side panel|ai panel|right panel|right sidebar) => side={toggled}",
                "hide both (panels|sidebars|side bars) => sidebar=hide, side=hide",
                "show both (panels|sidebars|side bars) => sidebar=show, side=show",
                "hide the (sidebar|file list) and the (assistant|side panel) => sidebar=hide, side=hide",
                "show the (sidebar|file list) and the (assistant|side panel) => sidebar=show, side=show",
            ],
            tags: &["show the side panel", "hide the sidebar", "window", "layout", "explorer", "panel", "toggle"],
            safety: &[],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        args.check()?;
        Ok(window_only())
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        args.check()?;
        let part = |visibility: Option<Visibility>, name: &str| {
            visibility.map(|visibility| match visibility {
                Visibility::Show => format!("show {name}"),
                Visibility::Hide => format!("hide {name}"),
            })
        };
        let parts: Vec<_> = [part(args.sidebar, "the list of files"), part(args.side, "the side panel")]
            .into_iter()
            .flatten()
            .collect();
        let words = parts.join(" and ");
        Ok(Preview::summary(words[..1].to_uppercase() + &words[1..]))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        args.check()?;
        let window = args.window.as_ref();
        let answer = self.0.call(context, "ui.layout", args.wanted(), window).await?;
        let Changed { before, now } = answer.read()?;
        let data = json!({ "window": answer.window, "sidebar": now.sidebar, "side": now.side });
        let text = format!(
            "the list of files is {}, the side panel is {}{}",
            now.sidebar.word(),
            now.side.word(),
            answer.place(window)
        );
        let observation = Observation { unchanged: before == now, ..Observation::with(text, data) };
        let back =
            || request("ui.layout", json!({ "sidebar": before.sidebar, "side": before.side, "window": answer.window }));
        Ok(Run { observation, inverse: (before != now).then(back), changed: Vec::new() })
    }
}

impl Args {
    fn check(&self) -> Result<(), Failure> {
        if self.sidebar.is_none() && self.side.is_none() {
            return Err(invalid("give `sidebar`, `side` or both"));
        }
        Ok(())
    }

    /// The regions that change, as the window takes them.
    fn wanted(&self) -> Value {
        let regions = [("sidebar", self.sidebar), ("side", self.side)];
        regions.into_iter().filter_map(|(name, wanted)| Some((name.to_owned(), json!(wanted?)))).collect()
    }
}

impl Visibility {
    fn word(self) -> &'static str {
        match self {
            Self::Show => "shown",
            Self::Hide => "hidden",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tabs::testing::{WindowBench, code, words};

    #[tokio::test]
    async fn undo_restores_both_regions() {
        let before = json!({ "sidebar": "hide", "side": "show" });
        let bench = WindowBench::new(&[], json!({ "before": before, "now": { "sidebar": "show", "side": "hide" } }));
        let record = bench.act("ui.layout", json!({ "sidebar": "show" })).await;
        assert_eq!(words(&record), "the list of files is shown, the side panel is hidden");
        assert_eq!(bench.calls(), [json!(["ui.layout", { "sidebar": "show" }, null])]);
        let undo = bench.undo(&record).await.envelope;
        assert_eq!(undo.args, json!({ "sidebar": "hide", "side": "show", "window": "w1" }));
    }

    #[tokio::test]
    async fn layout_without_regions_is_refused() {
        let bench = WindowBench::new(&[], json!({}));
        assert_eq!(code(&bench.act("ui.layout", json!({})).await), "invalid_args");
    }
}
