//! `ui.zoom`: the size of text and controls in every window of the person.

use std::sync::Arc;

use aside_core::{Assessment, EffectScope, Failure, Place, Preview, Risk, SettingKind, UndoSupport, setting};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Settings, look, request};

const KEY: &str = "window.zoom";

/// Arguments of `ui.zoom`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ZoomArgs {
    /// The percent points to enlarge by; negative to shrink. Either this or `to`.
    #[serde(default)]
    #[schemars(range(min = -150, max = 150))]
    by: Option<i32>,
    /// The size in percent; 100 is the normal size. Either this or `by`.
    #[serde(default)]
    #[schemars(range(min = 50, max = 200))]
    to: Option<u32>,
}

/// `ui.zoom`.
pub(crate) struct UiZoom {
    pub(super) settings: Arc<Settings>,
}

impl Action for UiZoom {
    type Args = ZoomArgs;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "ui.zoom",
            summary: "Change the size of text in the window",
            description: "Enlarges or shrinks text and controls in all the user's windows, and keeps the size in their \
                settings. Text in editors has a size of its own, too: the setting `editor.font_size`.",
            preconditions: &[],
            effect: EffectScope::Ui,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Enlarge the text", json!({"by": 10})),
                ("Shrink the text", json!({"by": -10})),
                ("Reset the size", json!({"to": 100})),
            ],
            phrases: &[
                "zoom in",
                "zoom out",
                "reset the zoom",
                "zoom in [a bit|more|further] => by=10",
                "zoom out [a bit|more|further] => by=-10",
                "(make|turn) (everything|all text|ui|interface|window) (bigger|larger) => by=10",
                "(make|turn) (everything|all text|ui|interface|window) smaller => by=-10",
                "(enlarge|magnify) (everything|all text|ui|interface|window) => by=10",
                "shrink (everything|all text|ui|interface|window) => by=-10",
                "(reset|restore) (zoom|zoom level|text size) => to=100",
                "(normal|default|actual) (zoom|zoom level) => to=100",
                "zoom (to|at) {to:percent}",
                "zoom {to:percent}",
                "set [window] zoom [level] to {to:percent}",
            ],
            tags: &["zoom", "text size", "bigger", "smaller", "enlarge", "scale", "accessibility"],
            safety: &[],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &ZoomArgs) -> Result<Assessment, Failure> {
        args.check()?;
        Ok(look::assessment(KEY))
    }

    async fn preview(&self, _context: &ActionContext, args: &ZoomArgs) -> Result<Preview, Failure> {
        args.check()?;
        Ok(Preview::summary(match (args.by, args.to) {
            (Some(by), _) if by > 0 => format!("Enlarge the text by {by} %"),
            (Some(by), _) => format!("Shrink the text by {} %", by.unsigned_abs()),
            (None, to) => format!("Set the text size to {} %", to.unwrap_or(100)),
        }))
    }

    async fn run(&self, _context: &ActionContext, args: &ZoomArgs) -> Result<Run, Failure> {
        args.check()?;
        let now = look::now(&self.settings, KEY).await?.as_i64().unwrap_or(100);
        let wanted = args.to.map_or(now + i64::from(args.by.unwrap_or_default()), i64::from);
        let (least, most) = limits();
        let zoom = wanted.clamp(least, most);
        let back = |before| request("ui.zoom", json!({ "to": before }));
        look::change(&self.settings, KEY, json!(zoom), format!("the text size is {zoom} %"), back).await
    }
}

impl ZoomArgs {
    fn check(&self) -> Result<(), Failure> {
        match (self.by, self.to) {
            (Some(_), None) | (None, Some(_)) => Ok(()),
            _ => Err(Failure::new("invalid_args", "give `by` or `to`")),
        }
    }
}

/// The least and the most of the setting.
fn limits() -> (i64, i64) {
    match setting(KEY).map(|setting| setting.kind) {
        Ok(SettingKind::Number { least, most, .. }) => (least.into(), most.into()),
        _ => unreachable!("the zoom is a number in the table of settings"),
    }
}
