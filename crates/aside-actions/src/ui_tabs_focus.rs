//! `ui.tabs.focus`: shows a tab that is open.

use aside_core::{
    Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport, WindowId, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, DryReading, Run};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    browser::{invalid, window_only},
    tabs::{Listed, Tab, WindowTabs},
};

/// A tab by its place relative to the others of its pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum To {
    /// The one to the right; from the last one, the first.
    Next,
    /// The one to the left; from the first one, the last.
    Previous,
    /// The leftmost one.
    First,
    /// The rightmost one.
    Last,
}

/// Arguments of `ui.tabs.focus`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The path that the tab shows.
    #[serde(default)]
    path: Option<WorkspacePath>,
    /// In place of `path`: the number of the tab in the focused pane, from the left, from 1.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1000))]
    index: Option<u32>,
    /// In place of `path`: `next`, `previous`, `first` or `last` in the focused pane.
    #[serde(default)]
    to: Option<To>,
    /// The window. Default: the one that asked, else the one used last.
    #[serde(default)]
    window: Option<WindowId>,
}

/// `ui.tabs.focus`.
pub(crate) struct UiTabsFocus(pub WindowTabs);

impl Action for UiTabsFocus {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "ui.tabs.focus",
            summary: "Switch to a tab",
            description: "Shows a tab that is open in the user's window: by path, by number, or the next, previous, \
                first or last one of the focused pane. `ui.open` opens a file that has no tab yet.",
            preconditions: &["a window is open", "the tab is open"],
            effect: EffectScope::Ui,
            risks: [Risk::Read].into(),
            place: Place::Browser,
            undo: UndoSupport::NotNeeded,
            examples: vec![
                ("Switch to the tab of a file", json!({"path": "src/model.py"})),
                ("Switch to the third tab", json!({"index": 3})),
                ("Go to the next tab", json!({"to": "next"})),
            ],
            phrases: &[
                "[go to|switch to|jump to|move to|show|focus|focus on|change to|activate|select] the (next|following) tab => to=next",
                "[go to|switch to|jump to|move to|show|focus|change to|go back to|activate|select] the (previous|prev|preceding) tab => to=previous",
                "[go|switch|jump|move] one tab (right|to the right|forward|forwards) => to=next",
                "[go|switch|jump|move] one tab (left|to the left|back|backwards) => to=previous",
                "[go to|switch to|jump to|move to|show|focus|change to|activate|select] the first tab => to=first",
                "[go to|switch to|jump to|move to|show|focus|change to|activate|select] the (last|rightmost) tab => to=last",
                "[go to|switch to|jump to|move to|show|focus|change to|activate|select] tab [number] {index:tab_place}",
                "(go to|switch to|jump to|move to|show|focus|change to|activate|select) the {index:tab_place} tab",
                "(go to|switch to|switch over to|jump to|move to|focus|focus on|activate|bring up|select|change to|go back to) {path:tab}",
                "(open|show|show me|bring up|go to|switch to) {path:chat}",
            ],
            tags: &[
                "show me the tab",
                "previous tab",
                "next tab",
                "switch to the tab",
                "window",
                "tab",
                "switch",
                "focus",
                "navigate",
            ],
            safety: &[],
        }
    }

    fn in_dry_runs(&self) -> DryReading {
        DryReading::Shown
    }

    async fn assess(&self, _context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        args.check()?;
        Ok(window_only())
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        args.check()?;
        Ok(Preview::summary(match (&args.path, args.index, args.to) {
            (Some(path), ..) => format!("Switch to {path}"),
            (_, Some(index), _) => format!("Switch to tab {index}"),
            (_, _, Some(To::Next)) => "Switch to the next tab".to_owned(),
            (_, _, Some(To::Previous)) => "Switch to the previous tab".to_owned(),
            (_, _, Some(To::First)) => "Switch to the first tab".to_owned(),
            _ => "Switch to the last tab".to_owned(),
        }))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        args.check()?;
        let listed = self.0.list(context, args.window.as_ref()).await?;
        let tab = args.target(&listed)?;
        let answer = self.0.then(context, &listed, "ui.tabs.focus", json!({ "tab": tab.id })).await?;
        let text = format!("switched to {}{}", tab.path, listed.answer.place(args.window.as_ref()));
        let data = json!({ "window": answer.window, "path": tab.path });
        Ok(Run::observed(listed.labelled(Observation::with(text, data))))
    }
}

impl Args {
    fn check(&self) -> Result<(), Failure> {
        let given = [self.path.is_some(), self.index.is_some(), self.to.is_some()];
        match given.iter().filter(|given| **given).count() {
            1 => Ok(()),
            _ => Err(invalid("give one of `path`, `index` and `to`")),
        }
    }

    fn target<'a>(&self, listed: &'a Listed) -> Result<&'a Tab, Failure> {
        if let Some(path) = &self.path {
            return listed.showing(path);
        }
        let pane = listed.focused_pane();
        let at = pane.iter().position(|tab| tab.active);
        let last = pane.len().saturating_sub(1);
        let place = match (self.index, self.to) {
            (Some(index), _) => index as usize - 1,
            (_, Some(To::First)) => 0,
            (_, Some(To::Next)) => at.filter(|at| *at < last).map_or(0, |at| at + 1),
            (_, Some(To::Previous)) => at.filter(|at| *at > 0).map_or(last, |at| at - 1),
            (_, Some(To::Last) | None) => last,
        };
        pane.get(place).copied().ok_or_else(|| {
            let message = match pane.len() {
                0 => "no tab is open".to_owned(),
                count => format!("there is no tab {} in this pane, which has {count}", place + 1),
            };
            Failure::new("not_open", message).hint("`ui.tabs.list` shows the tabs")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tabs::testing::{listed, tab};

    fn target(active: &str, args: serde_json::Value) -> String {
        let mut tabs = vec![tab("a.py"), tab("b.py"), tab("c.py"), tab("b.py"), tab("d.py")];
        tabs[3].pane = 2;
        tabs[4].pane = 2;
        for tab in &mut tabs {
            tab.active = tab.path == active;
        }
        let args: Args = serde_json::from_value(args).unwrap();
        args.check().unwrap();
        match args.target(&listed(tabs)) {
            Ok(tab) => format!("{} {}", tab.path, tab.pane),
            Err(failure) => failure.code,
        }
    }

    #[test]
    fn place_is_counted_in_the_focused_pane() {
        let cases = [
            ("a.py", json!({"to": "next"}), "b.py 1"),
            ("a.py", json!({"to": "previous"}), "c.py 1"),
            ("c.py", json!({"to": "next"}), "a.py 1"),
            ("c.py", json!({"to": "first"}), "a.py 1"),
            ("a.py", json!({"to": "last"}), "c.py 1"),
            ("a.py", json!({"index": 3}), "c.py 1"),
            ("a.py", json!({"index": 4}), "not_open"),
            ("d.py", json!({"index": 1}), "b.py 2"),
            ("d.py", json!({"path": "b.py"}), "b.py 2"),
            ("a.py", json!({"path": "d.py"}), "d.py 2"),
            ("a.py", json!({"path": "gone.py"}), "not_open"),
        ];
        for (active, args, expected) in cases {
            assert_eq!(target(active, args.clone()), expected, "{active} {args}");
        }
    }

    #[test]
    fn exactly_one_description_is_taken() {
        for wrong in [json!({}), json!({"index": 1, "to": "next"})] {
            let args: Args = serde_json::from_value(wrong).unwrap();
            assert_eq!(args.check().unwrap_err().code, "invalid_args");
        }
    }
}
