//! `ui.tabs.reorder`: sorts the tabs of each pane, or puts them in a given order.

use std::cmp::Ordering;

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, TabId, UndoSupport, WindowId};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::natural_order;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    browser::{invalid, window_only},
    request,
    tabs::{Listed, Tab, WindowTabs, named},
};

/// The property that tabs are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// The words on the tab.
    Name,
    /// The kind, and within a kind the name.
    Kind,
    /// The last change of the file, newest first.
    Mtime,
    /// The last look at the tab, newest first.
    Recent,
}

/// Arguments of `ui.tabs.reorder`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The property to sort by: `name`, `kind`, `mtime` (last change of the file) or `recent` (last look at the tab).
    #[serde(default)]
    by: Option<By>,
    /// Z to A, or newest first. Default: false for `name` and `kind`, true for `mtime` and `recent`.
    #[serde(default)]
    descending: Option<bool>,
    /// In place of `by`: ids or paths of tabs in the wanted order. Others stay behind them.
    #[serde(default)]
    #[schemars(length(min = 1, max = 1000), inner(length(max = 4096)))]
    order: Option<Vec<String>>,
    /// The window. Default: the one that asked, else the one used last.
    #[serde(default)]
    window: Option<WindowId>,
}

/// `ui.tabs.reorder`.
pub(crate) struct UiTabsReorder(pub WindowTabs);

impl Action for UiTabsReorder {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "ui.tabs.reorder",
            summary: "Sort the tabs",
            description: "Sorts the tabs of each pane of the user's window by name, kind, last change of the file \
                (mtime) or last look (recent), or puts them in a given order. Tabs stay in their panes. \
                Undo puts the old order back.",
            preconditions: &["a window is open"],
            effect: EffectScope::Ui,
            risks: [Risk::Read].into(),
            place: Place::Browser,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Sort the tabs by name", json!({"by": "name"})),
                ("Put the oldest file first", json!({"by": "mtime", "descending": false})),
            ],
            phrases: &[
                "(sort|order|arrange|reorder) [all] [my|open] (tabs|rest|others) (alphabetically|by name|by title|by file name|by filename|by path) [,] [ascending|in ascending order|a to z|a-z] => by=name",
                "(sort|order|arrange|reorder) [all] [my|open] (tabs|rest|others) (alphabetically|by name|by title|by file name|by filename) [,] [in] (descending|descending order|z to a|z-a|reversed|reverse order|reverse) => by=name, descending=true",
                "(sort|order|arrange|reorder) [all] tabs (z to a|in reverse alphabetical order) => by=name, descending=true",
                "(sort|order|arrange|reorder|group) [all] [my|open] (tabs|rest|others) by (kind|type|file type|filetype|kind of file) => by=kind",
                "(sort|order|arrange|reorder) [all] [my|open] (tabs|rest|others) by (mtime|modification time|modification date|modified time|date modified|last modified|time of last change|last change|last edit|date of last change|when they were modified|when they changed) => by=mtime",
                "(sort|order|arrange|reorder) [all] [my|open] (tabs|rest|others) by (mtime|modification time|modification date|date modified|last modified|last change|date|time) [,] ((newest|latest|most recent) first|descending) => by=mtime, descending=true",
                "(sort|order|arrange|reorder) [all] [my|open] (tabs|rest|others) by (mtime|modification time|modification date|date modified|last modified|last change|date|time) [,] (oldest first|ascending) => by=mtime, descending=false",
                "(sort|order|arrange|reorder|put) [all] [my|open] (tabs|rest|others) (newest|latest|most recently changed|most recently modified) first => by=mtime, descending=true",
                "(sort|order|arrange|reorder|put) [all] [my|open] (tabs|rest|others) (oldest) first => by=mtime, descending=false",
                "(sort|order|arrange|reorder) [all] [my|open] (tabs|rest|others) by (recent use|most recently used|recently used|last used|last use|recency|when i last used them|most recent use|time of last use) => by=recent",
                "(sort|order|arrange|reorder) [all] [my|open] (tabs|rest|others) by (recent use|recently used|last used|last use) [,] (newest|most recent|latest) first => by=recent, descending=true",
                "(put|sort) [all] [my|open] [tabs] most recently used [tabs] first => by=recent, descending=true",
                "tabs by (name|title) => by=name",
            ],
            tags: &["reorder tabs", "sort tabs", "window", "tab", "order", "sort", "arrange"],
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
        let before: Vec<&TabId> = listed.tabs.iter().map(|tab| &tab.id).collect();
        let order = args.ordered(&listed)?;
        let after: Vec<&TabId> = order.iter().map(|tab| &tab.id).collect();
        let place = listed.answer.place(window);
        let data =
            json!({ "window": listed.answer.window, "order": order.iter().map(|tab| &tab.path).collect::<Vec<_>>() });
        if before == after {
            let observation = Observation::with(format!("the tabs were in this order already{place}"), data);
            return Ok(Run::observed(listed.labelled(Observation { unchanged: true, ..observation })));
        }
        let answer = self.0.then(context, &listed, "ui.tabs.reorder", json!({ "order": after })).await?;
        let text = format!("the order is now {}{place}", named(order.iter().map(|tab| tab.path.as_str()), "tab"));
        let inverse = request("ui.tabs.reorder", json!({ "order": before, "window": answer.window }));
        let observation = listed.labelled(Observation::with(text, data));
        Ok(Run { observation, inverse: Some(inverse), changed: Vec::new() })
    }
}

impl Args {
    fn check(&self) -> Result<(), Failure> {
        match (self.by, &self.order) {
            (Some(_), Some(_)) => Err(invalid("give `by` or `order`, not both")),
            (None, None) => Err(invalid("`by` is missing: expected name, kind, mtime or recent")),
            (None, Some(_)) if self.descending.is_some() => Err(invalid("`descending` goes only with `by`")),
            _ => Ok(()),
        }
    }

    fn described(&self) -> String {
        match self.by {
            Some(By::Name) => "Sort the tabs by name".to_owned(),
            Some(By::Kind) => "Sort the tabs by kind".to_owned(),
            Some(By::Mtime) => "Sort the tabs by the last change of their files".to_owned(),
            Some(By::Recent) => "Sort the tabs by the last look at them".to_owned(),
            None => "Put the tabs in another order".to_owned(),
        }
    }

    /// Returns all tabs, pane by pane, each pane's in the wanted order.
    fn ordered<'a>(&self, listed: &'a Listed) -> Result<Vec<&'a Tab>, Failure> {
        let mut tabs: Vec<&Tab> = listed.tabs.iter().collect();
        if let Some(order) = &self.order {
            let place = |tab: &Tab| order.iter().position(|name| name == tab.id.as_str() || *name == tab.path);
            if let Some(gone) =
                order.iter().find(|name| !tabs.iter().any(|tab| tab.id.as_str() == *name || tab.path == **name))
            {
                return Err(Failure::new("not_open", format!("no tab shows `{gone}`")));
            }
            tabs.sort_by_key(|tab| (tab.pane, place(tab).unwrap_or(usize::MAX)));
        }
        if let Some(by) = self.by {
            let descending = self.descending.unwrap_or(matches!(by, By::Mtime | By::Recent));
            tabs.sort_by(|one, two| one.pane.cmp(&two.pane).then_with(|| compared(by, descending, one, two)));
        }
        Ok(tabs)
    }
}

/// Compares two tabs of a pane. Tabs without a time come last, whatever the direction.
fn compared(by: By, descending: bool, one: &Tab, two: &Tab) -> Ordering {
    let times = match by {
        By::Mtime => Some((one.mtime, two.mtime)),
        By::Recent => Some((one.used, two.used)),
        By::Name | By::Kind => None,
    };
    let turned = |ordering: Ordering| if descending { ordering.reverse() } else { ordering };
    let names = || turned(natural_order(&one.title, &two.title).then_with(|| one.path.cmp(&two.path)));
    match (times, by) {
        (Some((Some(one), Some(two))), _) => turned(one.cmp(&two)),
        (Some((one, two)), _) => one.is_none().cmp(&two.is_none()),
        (None, By::Kind) => turned(one.kind.word().cmp(two.kind.word())).then_with(names),
        (None, _) => names(),
    }
}

#[cfg(test)]
mod tests {
    use aside_core::Timestamp;

    use super::*;
    use crate::tabs::testing::{WindowBench, listed, tab, words};

    fn five() -> Listed {
        let mut tabs = vec![tab("b10.py"), tab("B2.py"), tab("notes/a.md"), tab("audit"), tab("c.ipynb")];
        let times = [Some(30), Some(10), Some(20), None, Some(40)];
        for (tab, time) in tabs.iter_mut().zip(times) {
            tab.mtime = time.map(Timestamp);
            tab.used = time.map(|time| Timestamp(100 - time));
        }
        listed(tabs)
    }

    fn sorted(listed: &Listed, args: serde_json::Value) -> String {
        let args: Args = serde_json::from_value(args).unwrap();
        args.check().unwrap();
        match args.ordered(listed) {
            Ok(tabs) => tabs.iter().map(|tab| tab.title.as_str()).collect::<Vec<_>>().join(" "),
            Err(failure) => failure.code,
        }
    }

    #[test]
    fn tabs_sort_by_each_property() {
        let cases = [
            (json!({"by": "name"}), "a.md audit B2.py b10.py c.ipynb"),
            (json!({"by": "name", "descending": true}), "c.ipynb b10.py B2.py audit a.md"),
            (json!({"by": "kind"}), "B2.py b10.py a.md c.ipynb audit"),
            (json!({"by": "mtime"}), "c.ipynb b10.py a.md B2.py audit"),
            (json!({"by": "mtime", "descending": false}), "B2.py a.md b10.py c.ipynb audit"),
            (json!({"by": "recent"}), "B2.py a.md b10.py c.ipynb audit"),
            (json!({"order": ["notes/a.md", "tab-B2_py"]}), "a.md B2.py b10.py audit c.ipynb"),
            (json!({"order": ["x.md"]}), "not_open"),
        ];
        for (args, expected) in cases {
            assert_eq!(sorted(&five(), args.clone()), expected, "{args}");
        }
    }

    #[test]
    fn tabs_stay_in_their_panes() {
        let mut split = five();
        split.tabs[3].pane = 2;
        split.tabs[4].pane = 2;
        assert_eq!(sorted(&split, json!({"by": "name", "descending": true})), "b10.py B2.py a.md c.ipynb audit");
    }

    #[test]
    fn property_or_order_is_needed() {
        for wrong in [json!({}), json!({"by": "name", "order": ["a"]}), json!({"order": ["a"], "descending": true})] {
            let args: Args = serde_json::from_value(wrong).unwrap();
            assert_eq!(args.check().unwrap_err().code, "invalid_args");
        }
    }

    #[tokio::test]
    async fn undo_puts_the_old_order_back() {
        let list = json!({ "tabs": [
            { "id": "tab-1", "path": "b.py", "shows": "file", "pane": 1 },
            { "id": "tab-2", "path": "a.py", "shows": "file", "pane": 1 },
        ] });
        let bench = WindowBench::answering(&[("a.py", ""), ("b.py", "")], vec![list, json!({})]);
        let record = bench.act("ui.tabs.reorder", json!({ "by": "name" })).await;
        assert_eq!(words(&record), "the order is now 2 tabs: a.py, b.py");
        let undo = bench.undo(&record).await.envelope;
        assert_eq!(undo.args, json!({ "order": ["tab-1", "tab-2"], "window": "w1" }));
        assert_eq!(bench.calls()[1], json!(["ui.tabs.reorder", { "order": ["tab-2", "tab-1"] }, "w1"]));
    }
}
