//! `settings.get`: the settings with their values.

use std::sync::Arc;

use aside_core::{
    Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, SettingScope, UndoSupport, setting,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_protocol::SettingView;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Settings, arguments, object, set::unknown};
use crate::app::blocking;

/// Arguments of `settings.get`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetArgs {
    /// The setting; absent for all settings.
    #[serde(default)]
    #[schemars(schema_with = "arguments::key")]
    key: Option<String>,
}

/// `settings.get`.
pub(crate) struct SettingsGet {
    pub(super) settings: Arc<Settings>,
}

impl Action for SettingsGet {
    type Args = GetArgs;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "settings.get",
            summary: "Show settings and their values",
            description: "Returns a setting, or all of them: its value, its default, the values that it takes, and \
                whether the user or the workspace has set it. Also returns the mistakes in the files of settings.",
            preconditions: &[],
            effect: EffectScope::Account,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![
                ("Show all settings", json!({})),
                ("Show the font size", json!({"key": "editor.font_size"})),
            ],
            phrases: &["show the settings", "which font size is set"],
            tags: &["settings", "preferences", "options", "configuration", "value"],
            safety: &[],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &GetArgs) -> Result<Assessment, Failure> {
        let found = args.key.as_deref().map(setting).transpose().map_err(unknown)?;
        Ok(Assessment { targets: found.into_iter().map(object).collect(), ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &GetArgs) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Show {}", args.key.as_deref().unwrap_or("all settings"))))
    }

    async fn run(&self, _context: &ActionContext, args: &GetArgs) -> Result<Run, Failure> {
        let settings = self.settings.clone();
        let mut view = blocking(move || settings.view()).await?;
        view.settings.retain(|view| args.key.as_deref().is_none_or(|key| key == view.setting.key));
        let lines: Vec<_> = view.settings.iter().map(line).collect();
        let faults = view.files.iter().flat_map(|file| {
            file.problems.iter().map(|problem| format!("{}, line {}: {}", file.path, problem.line, problem.message))
        });
        let text = lines.into_iter().chain(faults).collect::<Vec<_>>().join("\n");
        Ok(Run::observed(Observation::with(text, &view)))
    }
}

fn line(view: &SettingView) -> String {
    let is_of_workspace = view.setting.scope == SettingScope::OneWorkspace && view.changed;
    let by = match (view.overridden || is_of_workspace, view.changed) {
        (true, _) => "set by this workspace",
        (false, true) => "set by the user",
        (false, false) => "default",
    };
    format!("{} = {} ({by}): {} Takes {}.", view.setting.key, view.value, view.setting.help, view.setting.kind)
}
