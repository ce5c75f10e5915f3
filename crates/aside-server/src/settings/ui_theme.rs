//! `ui.theme`: light, dark, or as the system says, in every window of the person.

use std::sync::Arc;

use aside_core::{Assessment, EffectScope, Failure, Place, Preview, Risk, UndoSupport};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Settings, look, request};

const KEY: &str = "window.theme";

/// The colours of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ThemeMode {
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
pub(crate) struct ThemeArgs {
    /// `light`, `dark`, or `system` to follow the system.
    mode: ThemeMode,
}

/// `ui.theme`.
pub(crate) struct UiTheme {
    pub(super) settings: Arc<Settings>,
}

impl Action for UiTheme {
    type Args = ThemeArgs;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "ui.theme",
            summary: "Change the theme",
            description: "Sets the theme of all the user's windows to light, dark, or the system's, and keeps it in \
                their settings.",
            preconditions: &[],
            effect: EffectScope::Ui,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
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

    async fn assess(&self, _context: &ActionContext, _args: &ThemeArgs) -> Result<Assessment, Failure> {
        Ok(look::assessment(KEY))
    }

    async fn preview(&self, _context: &ActionContext, args: &ThemeArgs) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Switch to the {} theme", args.mode.word())))
    }

    async fn run(&self, _context: &ActionContext, args: &ThemeArgs) -> Result<Run, Failure> {
        let words = format!("the theme is {}", args.mode.word());
        let back = |before| request("ui.theme", json!({ "mode": before }));
        look::change(&self.settings, KEY, json!(args.mode), words, back).await
    }
}

impl ThemeMode {
    fn word(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
            Self::System => "system",
        }
    }
}
