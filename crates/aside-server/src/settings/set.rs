//! `settings.set`: gives a setting a value, in every window at once.

use std::sync::Arc;

use aside_core::{
    ActionRequest, Assessment, ChangeRow, EffectScope, Failure, InvalidSetting, Observation, Place, Preview,
    PreviewBody, Risk, Setting, SettingKind, SettingOption, UndoSupport, listed, setting,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_protocol::SettingView;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Settings, arguments, object, set_phrases::PHRASES};
use crate::app::blocking;

/// Arguments of `settings.set`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetArgs {
    #[schemars(schema_with = "arguments::key")]
    key: String,
    #[serde(default)]
    #[schemars(schema_with = "arguments::value")]
    value: Option<Value>,
    /// In place of `value`, for a setting that is a list: the word that comes to its end, such as `.rmd`.
    #[serde(default)]
    #[schemars(length(min = 1, max = 40))]
    add: Option<String>,
    /// In place of `value`, for a setting that is a list: the word that goes.
    #[serde(default)]
    #[schemars(length(min = 1, max = 40))]
    remove: Option<String>,
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
                workspace and in every open window at once; `workspace.colour` holds in this workspace alone. \
                `settings.get` returns the settings and the values that they take.",
            preconditions: &["the value fits the setting"],
            effect: EffectScope::Account,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Enlarge the text of editors", json!({"key": "editor.font_size", "value": 16})),
                ("Use the dark theme", json!({"key": "window.theme", "value": "dark"})),
                ("Turn word wrap on", json!({"key": "editor.word_wrap", "value": true})),
                ("Colour this workspace orange", json!({"key": "workspace.colour", "value": "orange"})),
                ("Add a card for R Markdown to the launcher", json!({"key": "launcher.cards", "add": ".rmd"})),
            ],
            phrases: PHRASES,
            tags: &[
                "settings",
                "preferences",
                "theme",
                "font",
                "wrap",
                "tab",
                "configuration",
                "colour",
                "color",
                "launcher",
                "card",
            ],
            safety: &[],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &SetArgs) -> Result<Assessment, Failure> {
        Ok(Assessment { targets: vec![object(args.setting()?)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &SetArgs) -> Result<Preview, Failure> {
        let (setting, settings) = (args.setting()?, self.settings.clone());
        let view = blocking(move || settings.one(setting)).await?;
        Ok(preview(&view, &args.wanted(&view)?))
    }

    async fn run(&self, _context: &ActionContext, args: &SetArgs) -> Result<Run, Failure> {
        let (setting, args, settings) = (args.setting()?, args.clone(), self.settings.clone());
        let changing = move || -> Result<_, Failure> {
            let value = args.wanted(&settings.one(setting))?;
            let before = settings.change(setting, Some(&value))?;
            Ok((value, before, settings.one(setting)))
        };
        let (value, before, view) = blocking(changing).await??;
        let mut observation = Observation::with(words(&view, &value), &view);
        observation.unchanged = before.as_ref() == Some(&value);
        let inverse = (!observation.unchanged).then(|| inverse(setting, before));
        Ok(Run { observation, inverse, changed: vec![object(setting)] })
    }
}

impl SetArgs {
    fn setting(&self) -> Result<&'static Setting, Failure> {
        let setting = setting(&self.key).map_err(unknown)?;
        match (&self.value, &self.add, &self.remove) {
            (Some(value), None, None) => setting.check(value).map_err(unknown)?,
            (None, Some(_), None) | (None, None, Some(_)) if matches!(setting.kind, SettingKind::List { .. }) => {}
            (None, Some(_), None) | (None, None, Some(_)) => {
                let message = format!("`{}` is no list: it takes {}", setting.key, setting.kind);
                return Err(Failure::new("invalid_args", message).hint("give its new value in `value`"));
            }
            _ => return Err(Failure::new("invalid_args", "give one of `value`, `add` and `remove`")),
        }
        Ok(setting)
    }

    /// The new value, by the value of now.
    fn wanted(&self, view: &SettingView) -> Result<Value, Failure> {
        if let Some(value) = &self.value {
            return Ok(value.clone());
        }
        let setting = view.setting;
        let SettingKind::List { options, .. } = setting.kind else { return Ok(view.value.clone()) };
        let mut listed: Vec<_> = listed(view.value.as_str().unwrap_or_default()).map(str::to_owned).collect();
        if let Some(word) = self.remove.as_deref().map(|word| as_listed(word, options)) {
            let before = listed.len();
            listed.retain(|known| *known != word);
            if listed.len() == before {
                let message = format!("`{}` has no `{word}`: it is {}", setting.key, view.value);
                return Err(Failure::new("not_listed", message));
            }
        }
        let new = self.add.as_deref().map(|word| as_listed(word, options)).filter(|word| !listed.contains(word));
        listed.extend(new);
        let value = json!(listed.join(", "));
        setting.check(&value).map_err(unknown)?;
        Ok(value)
    }
}

/// Returns a word as a list has it: a known one by its value or title, or the ending of a file: `.rmd` for `Rmd` or `*.rmd`.
fn as_listed(word: &str, options: &[SettingOption]) -> String {
    let word = word.trim();
    let is_it =
        |option: &&SettingOption| option.value.eq_ignore_ascii_case(word) || option.title.eq_ignore_ascii_case(word);
    match options.iter().find(is_it) {
        Some(option) => option.value.to_owned(),
        None => format!(".{}", word.trim_start_matches('*').trim_start_matches('.').to_lowercase()),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(before: &str, args: Value, expected: Result<&str, &str>) {
        let args: SetArgs = serde_json::from_value(args).unwrap();
        let wanted = args.setting().and_then(|setting| {
            args.wanted(&SettingView { setting: *setting, value: json!(before), changed: true, overridden: false })
        });
        match (wanted, expected) {
            (Ok(value), Ok(text)) => assert_eq!(value, json!(text)),
            (Err(failure), Err(words)) => assert!(failure.message.contains(words), "{failure}"),
            (wanted, _) => panic!("{wanted:?}"),
        }
    }

    #[test]
    fn list_grows_and_shrinks_by_one_word() {
        let cards = |more: Value| {
            let mut args = more;
            args["key"] = json!("launcher.cards");
            args
        };
        check("note, terminal", cards(json!({"add": "rmd"})), Ok("note, terminal, .rmd"));
        check("note", cards(json!({"add": "*.RMD"})), Ok("note, .rmd"));
        check("note", cards(json!({"add": "Daily note"})), Ok("note, daily"));
        check("note, .rmd", cards(json!({"add": "rmd"})), Ok("note, .rmd"));
        check("note, .rmd", cards(json!({"remove": ".rmd"})), Ok("note"));
        check("note", cards(json!({"remove": "rmd"})), Err("has no `.rmd`"));
        check("note", cards(json!({"add": "a/b"})), Err("endings such as .py"));
        check("note", cards(json!({"add": "a", "value": "note"})), Err("give one of"));
        check("dark", json!({"key": "window.theme", "add": "pink"}), Err("is no list"));
        check("dark", json!({"key": "window.theme"}), Err("give one of"));
    }
}
