//! `settings.reset`: puts a setting back to its default.

use std::sync::Arc;

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, Setting, UndoSupport, setting};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{
    Settings, arguments, object,
    set::{inverse, preview, unknown, words},
};
use crate::app::blocking;

/// Arguments of `settings.reset`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResetArgs {
    #[schemars(schema_with = "arguments::key")]
    key: String,
}

/// `settings.reset`.
pub(crate) struct SettingsReset {
    pub(super) settings: Arc<Settings>,
}

impl Action for SettingsReset {
    type Args = ResetArgs;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "settings.reset",
            summary: "Reset a setting to its default",
            description: "Removes the user's value of a setting, so that its default holds in every workspace and in \
                every open window.",
            preconditions: &["the setting exists"],
            effect: EffectScope::Account,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![("Reset the font size", json!({"key": "editor.font_size"}))],
            phrases: &["reset the setting", "default font size"],
            tags: &["settings", "preferences", "default", "configuration"],
            safety: &[],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &ResetArgs) -> Result<Assessment, Failure> {
        Ok(Assessment { targets: vec![object(args.setting()?)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &ResetArgs) -> Result<Preview, Failure> {
        let (setting, settings) = (args.setting()?, self.settings.clone());
        let view = blocking(move || settings.one(setting)).await?;
        Ok(preview(&view, &setting.default_value()))
    }

    async fn run(&self, _context: &ActionContext, args: &ResetArgs) -> Result<Run, Failure> {
        let (setting, settings) = (args.setting()?, self.settings.clone());
        let changing = move || -> Result<_, Failure> {
            let before = settings.change(setting, None)?;
            Ok((before, settings.one(setting)))
        };
        let (before, view) = blocking(changing).await??;
        let mut observation = Observation::with(words(&view, &setting.default_value()), &view);
        observation.unchanged = before.is_none();
        let inverse = before.map(|value| inverse(setting, Some(value)));
        Ok(Run { observation, inverse, changed: vec![object(setting)] })
    }
}

impl ResetArgs {
    fn setting(&self) -> Result<&'static Setting, Failure> {
        setting(&self.key).map_err(unknown)
    }
}
