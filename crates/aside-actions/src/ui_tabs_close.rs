//! `ui.tabs.close`: closes the tabs that a description fits.

mod phrases;

use aside_core::{
    Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, TabId, TabKind, UndoSupport, WindowId,
    WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    browser::{invalid, window_only},
    request,
    tabs::{Listed, PlacedTab, Tab, WindowTabs, named},
};
use phrases::PHRASES;

/// The choice of the tabs to close.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TabsToClose {
    /// All.
    All,
    /// All but the active one.
    Others,
    /// Those of `kind`.
    Kind,
    /// The tabs of `paths`.
    Paths,
    /// Those named in `tabs`.
    Tabs,
}

/// Tabs that stay open whatever else is said.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Except {
    /// Those of this kind.
    #[serde(default)]
    kind: Option<TabKind>,
    /// The tabs of these files.
    #[serde(default)]
    paths: Vec<WorkspacePath>,
}

/// Arguments of `ui.tabs.close`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The tabs to close: `all`, `others` (all but the active one), `kind`, `paths` or `tabs`.
    which: TabsToClose,
    /// The kind, with `which: kind`.
    #[serde(default)]
    kind: Option<TabKind>,
    /// Paths of files, with `which: paths`.
    #[serde(default)]
    #[schemars(length(max = 200))]
    paths: Vec<WorkspacePath>,
    /// Ids of tabs as `ui.tabs.list` gives them, with `which: tabs`.
    #[serde(default)]
    #[schemars(length(max = 1000))]
    tabs: Vec<TabId>,
    /// Tabs that stay open.
    #[serde(default)]
    except: Option<Except>,
    /// The window. Default: the one that asked, else the one used last.
    #[serde(default)]
    window: Option<WindowId>,
}

/// `ui.tabs.close`.
pub(crate) struct UiTabsClose(pub WindowTabs);

#[derive(Debug, Deserialize)]
struct Closed {
    closed: Vec<PlacedTab>,
}

impl Action for UiTabsClose {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "ui.tabs.close",
            summary: "Close tabs",
            description: "Closes tabs of the user's window: all, all but the active one, those of a kind, or those of \
                some files; `except` keeps some open. Nothing is lost: files keep their text, a page with a form that \
                is not sent stays open, and undo opens the tabs in their places again. Threads and chats are in the \
                side panel, so `except: {kind: chat}` keeps no tab open.",
            preconditions: &["a window is open"],
            effect: EffectScope::Ui,
            risks: [Risk::Read].into(),
            place: Place::Browser,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Close all tabs but the active one", json!({"which": "others"})),
                ("Close the tabs of notebooks", json!({"which": "kind", "kind": "notebook"})),
                ("Close all but one file", json!({"which": "all", "except": {"paths": ["src/model.py"]}})),
            ],
            phrases: PHRASES,
            tags: &["window", "tab", "close", "editor"],
            safety: &[],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        args.check()?;
        Ok(window_only())
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        args.check()?;
        Ok(Preview::summary(args.described()))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        args.check()?;
        let window = args.window.as_ref();
        let listed = self.0.list(context, window).await?;
        let chosen = args.chosen(&listed)?;
        let place = listed.answer.place(window);
        if chosen.is_empty() {
            let data = json!({ "window": listed.answer.window, "closed": [] });
            let observation = Observation::with(format!("no tab had to be closed{place}"), data);
            return Ok(Run::observed(Observation { unchanged: true, ..observation }));
        }
        let ids: Vec<&TabId> = chosen.iter().map(|tab| &tab.id).collect();
        let answer = self.0.then(context, &listed, "ui.tabs.close", json!({ "tabs": ids })).await?;
        let mut closed = answer.read::<Closed>()?.closed;
        closed.retain(|tab| ids.contains(&&tab.id));
        // The window keeps pages whose forms are not sent.
        let kept = chosen.iter().filter(|tab| closed.iter().all(|gone| gone.id != tab.id)).map(|tab| tab.path.as_str());
        let kept = kept.collect::<Vec<_>>();
        let rest = match kept.as_slice() {
            [] => String::new(),
            kept => format!("; left open, because of a form that is not sent: {}", kept.join(", ")),
        };
        let text = format!("closed {}{rest}{place}", named(closed.iter().map(|tab| tab.path.as_str()), "tab"));
        let data = json!({ "window": answer.window, "closed": closed, "left_open": kept });
        let inverse = request("ui.tabs.reopen", json!({ "tabs": closed, "window": answer.window }));
        let observation =
            Observation { unchanged: closed.is_empty(), ..listed.labelled(Observation::with(text, data)) };
        Ok(Run { observation, inverse: (!closed.is_empty()).then_some(inverse), changed: Vec::new() })
    }
}

impl Args {
    /// Fails unless `which` has the argument that it needs, and no other.
    fn check(&self) -> Result<(), Failure> {
        let given = [
            (TabsToClose::Kind, self.kind.is_some()),
            (TabsToClose::Paths, !self.paths.is_empty()),
            (TabsToClose::Tabs, !self.tabs.is_empty()),
        ];
        let name = |which: TabsToClose| match which {
            TabsToClose::Kind => "kind",
            TabsToClose::Paths => "paths",
            _ => "tabs",
        };
        for (needs, given) in given {
            if (needs == self.which) != given {
                let name = name(needs);
                let words = if given { "goes only with" } else { "is missing: it is needed with" };
                return Err(invalid(format!("`{name}` {words} `which: {name}`")));
            }
        }
        Ok(())
    }

    /// Returns the tabs that are closed. Fails if a path or tab that is named is not open.
    fn chosen<'a>(&self, listed: &'a Listed) -> Result<Vec<&'a Tab>, Failure> {
        for path in &self.paths {
            listed.showing(path)?;
        }
        if let Some(gone) = self.tabs.iter().find(|id| listed.tabs.iter().all(|tab| tab.id != **id)) {
            return Err(Failure::new("not_open", format!("the tab `{gone}` is not open any more")));
        }
        let active = listed.active().map(|tab| &tab.id);
        let meant = |tab: &&Tab| match self.which {
            TabsToClose::All => true,
            TabsToClose::Others => Some(&tab.id) != active,
            TabsToClose::Kind => Some(tab.kind) == self.kind,
            TabsToClose::Paths => self.paths.iter().any(|path| listed.shows(tab, path)),
            TabsToClose::Tabs => self.tabs.contains(&tab.id),
        };
        let except = self.except.clone().unwrap_or_default();
        let stays =
            |tab: &Tab| Some(tab.kind) == except.kind || except.paths.iter().any(|path| listed.shows(tab, path));
        Ok(listed.tabs.iter().filter(meant).filter(|tab| !stays(tab)).collect())
    }

    fn described(&self) -> String {
        let paths = || named(self.paths.iter().map(WorkspacePath::as_str), "tab");
        let which = match (self.which, self.kind) {
            (TabsToClose::All, _) => "all tabs".to_owned(),
            (TabsToClose::Others, _) => "all tabs but the active one".to_owned(),
            (TabsToClose::Kind, Some(kind)) => format!("all tabs of the kind {}", kind.word()),
            (TabsToClose::Kind, None) | (TabsToClose::Paths, _) => paths(),
            (TabsToClose::Tabs, _) => crate::files::counted(self.tabs.len(), "tab"),
        };
        let Some(except) = &self.except else { return format!("Close {which}") };
        let kind = except.kind.map(|kind| format!("those of the kind {}", kind.word()));
        let stay: Vec<_> = kind.into_iter().chain(except.paths.iter().map(ToString::to_string)).collect();
        format!("Close {which}, except {}", stay.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tabs::testing::{WindowBench, listed, tab, words};

    /// Tabs `a.py`, `b.ipynb` (active), `notes/c.md`, `d.ipynb`, the activity log.
    fn five() -> Listed {
        let mut tabs = vec![tab("a.py"), tab("b.ipynb"), tab("notes/c.md"), tab("d.ipynb"), tab("audit")];
        tabs[1].active = true;
        tabs[4].kind = TabKind::Page;
        listed(tabs)
    }

    fn args(value: serde_json::Value) -> Args {
        serde_json::from_value(value).unwrap()
    }

    fn chosen(value: serde_json::Value) -> String {
        let args = args(value);
        args.check().unwrap();
        match args.chosen(&five()) {
            Ok(tabs) => tabs.iter().map(|tab| tab.path.as_str()).collect::<Vec<_>>().join(" "),
            Err(failure) => failure.code,
        }
    }

    #[test]
    fn description_chooses_tabs() {
        let cases = [
            (json!({"which": "all"}), "a.py b.ipynb notes/c.md d.ipynb audit"),
            (json!({"which": "others"}), "a.py notes/c.md d.ipynb audit"),
            (json!({"which": "kind", "kind": "notebook"}), "b.ipynb d.ipynb"),
            (json!({"which": "kind", "kind": "chat"}), ""),
            (json!({"which": "paths", "paths": ["notes/c.md", "a.py"]}), "a.py notes/c.md"),
            (json!({"which": "paths", "paths": ["c.md"]}), "not_open"),
            (json!({"which": "paths", "paths": ["audit"]}), "audit"),
            (json!({"which": "tabs", "tabs": ["tab-a_py"]}), "a.py"),
            (json!({"which": "tabs", "tabs": ["tab-x"]}), "not_open"),
            (json!({"which": "all", "except": {"kind": "chat"}}), "a.py b.ipynb notes/c.md d.ipynb audit"),
            (json!({"which": "all", "except": {"kind": "notebook", "paths": ["a.py"]}}), "notes/c.md audit"),
            (json!({"which": "others", "except": {"paths": ["gone.py", "d.ipynb"]}}), "a.py notes/c.md audit"),
        ];
        for (args, expected) in cases {
            assert_eq!(chosen(args.clone()), expected, "{args}");
        }
    }

    #[test]
    fn incomplete_description_is_refused() {
        for wrong in [
            json!({"which": "kind"}),
            json!({"which": "paths"}),
            json!({"which": "tabs"}),
            json!({"which": "all", "paths": ["a.py"]}),
            json!({"which": "paths", "paths": ["a.py"], "kind": "code"}),
        ] {
            assert_eq!(args(wrong.clone()).check().unwrap_err().code, "invalid_args", "{wrong}");
        }
    }

    #[tokio::test]
    async fn undo_reopens_closed_tabs_in_their_places() {
        let list = json!({ "tabs": [
            { "id": "tab-1", "path": "a.py", "shows": "file", "pane": 1 },
            { "id": "tab-2", "path": "b.md", "shows": "file", "pane": 1, "active": true, "shown": true },
        ] });
        let placed = json!({ "id": "tab-1", "path": "a.py", "shows": "file", "pane": "pane-1", "index": 0 });
        let bench = WindowBench::answering(&[("a.py", "")], vec![list, json!({ "closed": [placed] })]);
        let record = bench.act("ui.tabs.close", json!({ "which": "others" })).await;
        assert_eq!(words(&record), "closed a.py");
        assert_eq!(bench.calls()[1], json!(["ui.tabs.close", { "tabs": ["tab-1"] }, "w1"]));
        let undo = bench.undo(&record).await.envelope;
        assert_eq!(undo.action_type.as_str(), "ui.tabs.reopen");
        assert_eq!(undo.args, json!({ "tabs": [placed], "window": "w1" }));
    }

    #[tokio::test]
    async fn tab_that_the_window_keeps_is_named() {
        let row = |id, path, shows| json!({ "id": id, "path": path, "shows": shows, "pane": 1 });
        let list = json!({ "tabs": [row("tab-1", "a.py", "file"), row("tab-2", "grants", "page")] });
        let placed = json!({ "id": "tab-1", "path": "a.py", "shows": "file", "pane": "pane-1", "index": 0 });
        let bench = WindowBench::answering(&[("a.py", "")], vec![list.clone(), json!({ "closed": [placed] })]);
        let record = bench.act("ui.tabs.close", json!({ "which": "all" })).await;
        assert_eq!(words(&record), "closed a.py; left open, because of a form that is not sent: grants");
        let bench = WindowBench::answering(&[("a.py", "")], vec![list, json!({ "closed": [] })]);
        assert!(!bench.act("ui.tabs.close", json!({ "which": "all" })).await.can_undo);
    }

    #[tokio::test]
    async fn nothing_to_close_asks_no_window_to_close() {
        let list = json!({ "tabs": [{ "id": "tab-1", "path": "a.py", "shows": "file", "pane": 1, "active": true }] });
        let bench = WindowBench::answering(&[("a.py", "")], vec![list]);
        let record = bench.act("ui.tabs.close", json!({ "which": "others" })).await;
        assert_eq!((words(&record), record.can_undo), ("no tab had to be closed", false));
        assert_eq!(bench.calls().len(), 1);
    }
}
