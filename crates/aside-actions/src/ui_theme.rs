//! `ui.theme`: light, dark, or as the system says.

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport, WindowId};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    browser::{Windows, window_only},
    request,
};

/// The colours of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
    /// As the system says.
    System,
}

/// Arguments of `ui.theme`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// `light`, `dark`, or `system` to follow the system.
    mode: Mode,
    /// The window. Default: the one that asked, else the one used last.
    #[serde(default)]
    window: Option<WindowId>,
}

/// `ui.theme`.
pub(crate) struct UiTheme(pub Windows);

#[derive(Debug, Deserialize)]
struct Before {
    before: Mode,
}

impl Action for UiTheme {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "ui.theme",
            summary: "Change the theme",
            description: "Sets the theme of the user's browser to light, dark, or the system's.",
            preconditions: &["a window is open"],
            effect: EffectScope::Ui,
            risks: [Risk::Read].into(),
            place: Place::Browser,
            undo: UndoSupport::Inverse,
            examples: vec![("Switch to the dark theme", json!({"mode": "dark"}))],
            phrases: &[
                "dark mode",
                "light theme",
                "[switch|change|go|set|turn on|turn|use|enable|activate|make it|put on] [it] [to] (dark|dark mode|dark theme|dark design) [on] => mode=dark",
                "[switch|change|go|set|turn on|turn|use|enable|activate|make it|put on] [it] [to] (light|light mode|light theme|bright theme|light design) [on] => mode=light",
                "(switch|change|set|turn) theme to (dark|dark mode) => mode=dark",
                "(switch|change|set|turn) theme to (light|light mode) => mode=light",
                "(make|turn) (it|everything|ui|interface|aside|window|screen) dark => mode=dark",
                "(make|turn) (it|everything|ui|interface|aside|window|screen) light => mode=light",
                "(switch|change|set|use|follow|go back to|go with) [to] (system|system's|os|operating system's|operating system|default system) (theme|mode|setting|colors|colours|appearance) => mode=system",
                "(switch|change|set) theme to (system|auto|automatic|that of the system) => mode=system",
                "theme {mode}",
                "(system|automatic|auto) theme => mode=system",
                "(toggle|switch) (theme|dark mode|light mode|dark theme) => mode={toggled}",
            ],
            tags: &["window", "appearance", "colors", "dark", "light"],
            safety: &[],
        }
    }

    async fn assess(&self, _context: &ActionContext, _args: &Args) -> Result<Assessment, Failure> {
        Ok(window_only())
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Switch to the {} theme", args.mode.word())))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let window = args.window.as_ref();
        let answer = self.0.call(context, "ui.theme", json!({ "mode": args.mode }), window).await?;
        let Before { before } = answer.read()?;
        let data = json!({ "window": answer.window, "before": before, "mode": args.mode });
        let text = format!("the theme is {}{}", args.mode.word(), answer.place(window));
        let observation = Observation { unchanged: before == args.mode, ..Observation::with(text, data) };
        let back = || request("ui.theme", json!({ "mode": before, "window": answer.window }));
        Ok(Run { observation, inverse: (before != args.mode).then(back), changed: Vec::new() })
    }
}

impl Mode {
    fn word(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
            Self::System => "system",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tabs::testing::{WindowBench, code, words};

    #[tokio::test]
    async fn undo_puts_the_old_theme_back() {
        let bench = WindowBench::new(&[], json!({ "before": "system" }));
        let record = bench.act("ui.theme", json!({ "mode": "dark" })).await;
        assert_eq!(bench.undo(&record).await.envelope.args, json!({ "mode": "system", "window": "w1" }));
    }

    #[tokio::test]
    async fn same_theme_has_nothing_to_undo() {
        let bench = WindowBench::new(&[], json!({ "before": "dark" }));
        let record = bench.act("ui.theme", json!({ "mode": "dark" })).await;
        assert_eq!((words(&record), record.can_undo), ("the theme is dark", false));
    }

    #[tokio::test]
    async fn answer_without_sense_is_a_failure() {
        let bench = WindowBench::new(&[], json!({ "before": "purple" }));
        assert_eq!(code(&bench.act("ui.theme", json!({ "mode": "dark" })).await), "window_answer");
    }
}
