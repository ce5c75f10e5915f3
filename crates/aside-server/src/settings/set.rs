//! `settings.set`: gives a setting a value, in every window at once.

use std::sync::Arc;

use aside_core::{
    ActionRequest, Assessment, ChangeRow, EffectScope, Failure, InvalidSetting, Observation, Place, Preview,
    PreviewBody, Risk, Setting, UndoSupport, setting,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_protocol::SettingView;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Settings, arguments, object};
use crate::app::blocking;

/// Arguments of `settings.set`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetArgs {
    #[schemars(schema_with = "arguments::key")]
    key: String,
    #[schemars(schema_with = "arguments::value")]
    value: Value,
}

/// `settings.set`.
pub(crate) struct SettingsSet {
    pub(super) settings: Arc<Settings>,
}

impl Action for SettingsSet {
    type Args = SetArgs;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "settings.set",
            summary: "Change a setting",
            description: "Gives one of the user's settings a value, in their `settings.toml`. It holds in every \
                workspace and in every open window at once. `settings.get` returns the settings and the values that \
                they take.",
            preconditions: &["the value fits the setting"],
            effect: EffectScope::Account,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Enlarge the text of editors", json!({"key": "editor.font_size", "value": 16})),
                ("Use the dark theme", json!({"key": "window.theme", "value": "dark"})),
                ("Turn word wrap on", json!({"key": "editor.word_wrap", "value": true})),
            ],
            phrases: &[
                "set the font size",
                "turn on line numbers",
                "change a setting",
                "[set|change|make] [editor] [editor's] tab (size|width) [to] {value:number} [spaces] => key=editor.tab_size",
                "(turn on|switch on|enable|show|activate) line numbers => key=editor.line_numbers, value=true",
                "(turn|switch) line numbers on => key=editor.line_numbers, value=true",
                "line numbers on => key=editor.line_numbers, value=true",
                "(turn off|switch off|disable|hide|deactivate|remove) line numbers => key=editor.line_numbers, value=false",
                "(turn|switch) line numbers off => key=editor.line_numbers, value=false",
                "line numbers off => key=editor.line_numbers, value=false",
                "(turn on|switch on|enable|activate|use) (word wrap|line wrap|line wrapping|soft wrap|word wrapping) => key=editor.word_wrap, value=true",
                "(turn|switch) (word wrap|line wrap|line wrapping|soft wrap|word wrapping) on => key=editor.word_wrap, value=true",
                "(wrap long lines|wrap lines|word wrap on|wrap the lines) => key=editor.word_wrap, value=true",
                "(turn off|switch off|disable|deactivate) (word wrap|line wrap|line wrapping|soft wrap|word wrapping) => key=editor.word_wrap, value=false",
                "(turn|switch) (word wrap|line wrap|line wrapping|soft wrap|word wrapping) off => key=editor.word_wrap, value=false",
                "((do not|don't) wrap (long lines|lines)|word wrap off) => key=editor.word_wrap, value=false",
                "[set|change|make|put] [editor] [editor's] font size [to] {value:number} [px|pt|points|pixels] => key=editor.font_size",
                "(set|change|make) [editor] font [to] [size] {value:number} [px|pt|points|pixels] => key=editor.font_size",
            ],
            tags: &["settings", "preferences", "theme", "font", "wrap", "tab", "configuration"],
            safety: &[],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &SetArgs) -> Result<Assessment, Failure> {
        Ok(Assessment { targets: vec![object(args.setting()?)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &SetArgs) -> Result<Preview, Failure> {
        let (setting, settings) = (args.setting()?, self.settings.clone());
        let view = blocking(move || settings.one(setting)).await?;
        Ok(preview(&view, &args.value))
    }

    async fn run(&self, _context: &ActionContext, args: &SetArgs) -> Result<Run, Failure> {
        let (setting, value, settings) = (args.setting()?, args.value.clone(), self.settings.clone());
        let changing = move || -> Result<_, Failure> {
            let before = settings.change(setting, Some(&value))?;
            Ok((before, settings.one(setting)))
        };
        let (before, view) = blocking(changing).await??;
        let mut observation = Observation::with(words(&view, &args.value), &view);
        observation.unchanged = before.as_ref() == Some(&args.value);
        let inverse = (!observation.unchanged).then(|| inverse(setting, before));
        Ok(Run { observation, inverse, changed: vec![object(setting)] })
    }
}

impl SetArgs {
    fn setting(&self) -> Result<&'static Setting, Failure> {
        let setting = setting(&self.key).map_err(unknown)?;
        setting.check(&self.value).map_err(unknown)?;
        Ok(setting)
    }
}

/// The request that puts a setting back to the value that the file had.
pub(super) fn inverse(setting: &Setting, before: Option<Value>) -> ActionRequest {
    let (name, args) = match before {
        Some(value) => ("settings.set", json!({ "key": setting.key, "value": value })),
        None => ("settings.reset", json!({ "key": setting.key })),
    };
    ActionRequest::new(name.parse().expect("our action names are well formed"), args)
}

/// Shows the value before and after.
pub(super) fn preview(view: &SettingView, value: &Value) -> Preview {
    let setting = view.setting;
    let (before, after) = (Some(setting.words(&view.value)), Some(setting.words(value)));
    let row = ChangeRow { object: setting.title.to_owned(), before, after };
    Preview { body: PreviewBody::Changes { rows: vec![row] }, ..Preview::summary(words(view, value)) }
}

/// The change in one line, and that it does not count here if so.
pub(super) fn words(view: &SettingView, value: &Value) -> String {
    let setting = view.setting;
    let change = format!("Set {} to {}", setting.title.to_lowercase(), setting.words(value));
    match view.overridden {
        true => {
            format!("{change}; this workspace's own .aside/settings.toml still says {}", setting.words(&view.value))
        }
        false => change,
    }
}

/// Says that there is no such setting, or that it can't have this value.
pub(super) fn unknown(error: InvalidSetting) -> Failure {
    let failure = Failure::new("invalid_args", error.to_string());
    match error {
        InvalidSetting::Unknown(_) => failure.hint("`settings.get` lists all settings"),
        InvalidSetting::Value { .. } => failure,
    }
}
