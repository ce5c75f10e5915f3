//! The tabs of a window, as the actions about tabs see them: listed by the window, dated by the workspace, without
//! those that the asker may not know of.

use std::sync::Arc;

use aside_core::{Failure, Label, LabelSource, Observation, TabId, TabKind, Timestamp, WindowId, WorkspacePath};
use aside_gate::ActionContext;
use aside_workspace::Workspace;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    Browser,
    browser::{WindowAnswer, Windows},
    files::{blocking, counted, touching},
    pages::Page,
};

/// The most tabs that a window may list.
const MOST_TABS: usize = 1000;

/// The most names in one line for people.
const MOST_NAMED: usize = 8;

/// The window and the files of its tabs.
#[derive(Clone)]
pub(crate) struct WindowTabs {
    pub windows: Windows,
    pub workspace: Arc<Workspace>,
}

/// One tab.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Tab {
    /// Its name in the window.
    pub id: TabId,
    /// The path of its file; of a task or page, its address in the workspace.
    pub path: String,
    /// Its kind.
    pub kind: TabKind,
    /// The words on it.
    pub title: String,
    /// The last change of its file.
    pub mtime: Option<Timestamp>,
    /// The person looked at it last then.
    pub used: Option<Timestamp>,
    /// It has the person's attention.
    pub active: bool,
    /// It is the one that its pane shows.
    pub shown: bool,
    /// Its pane, from 1 in reading order.
    pub pane: u32,
}

/// All tabs of a window, in reading order.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub answer: WindowAnswer,
    pub tabs: Vec<Tab>,
    /// A file among them whose name comes from outside.
    pub outside: Option<LabelSource>,
}

/// The content of a tab and its place: enough to put it back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlacedTab {
    /// The tab.
    pub id: TabId,
    /// Its file, or the address of its page or task.
    pub path: WorkspacePath,
    /// `file`, `task` or `page`.
    pub shows: Shows,
    /// Its pane.
    pub pane: TabId,
    /// Its place in the pane, from 0.
    #[schemars(range(max = 1000))]
    pub index: u32,
    /// The pane showed it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub active: bool,
}

/// The kinds of content that a tab can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Shows {
    /// A file of the workspace.
    File,
    /// A task.
    Task,
    /// A page of Aside.
    Page,
}

/// A row of a window's list.
#[derive(Debug, Deserialize)]
struct Row {
    id: TabId,
    path: WorkspacePath,
    shows: Shows,
    #[serde(default)]
    used: Option<Timestamp>,
    #[serde(default)]
    active: bool,
    #[serde(default)]
    shown: bool,
    pane: u32,
}

#[derive(Debug, Deserialize)]
struct Rows {
    tabs: Vec<Row>,
}

impl WindowTabs {
    pub fn new(browser: &Arc<dyn Browser>, workspace: &Arc<Workspace>) -> Self {
        Self { windows: Windows(browser.clone()), workspace: workspace.clone() }
    }

    /// Lists the tabs of a window. A grant that is limited to some files shows only these.
    pub async fn list(&self, context: &ActionContext, window: Option<&WindowId>) -> Result<Listed, Failure> {
        let answer = self.windows.call(context, "ui.tabs.list", json!({}), window).await?;
        let mut rows = answer.read::<Rows>()?.tabs;
        rows.truncate(MOST_TABS);
        let everywhere = !context.grant.has_paths();
        rows.retain(|row| row.shows == Shows::File || everywhere);
        let context = context.clone();
        let (tabs, outside) = blocking(&self.workspace, move |workspace| {
            let view = workspace.view(&context.would_be);
            rows.retain(|row| {
                row.shows != Shows::File || context.admits.all(&touching(&view, &[&row.path], []).targets)
            });
            let files: Vec<_> = rows.iter().filter(|row| row.shows == Shows::File).map(|row| &row.path).collect();
            let outside = outside(workspace, &files);
            Ok((rows.into_iter().filter_map(|row| tab(workspace, row)).collect(), outside))
        })
        .await?;
        Ok(Listed { answer, tabs, outside })
    }

    /// Returns the label of a file among these whose name comes from outside, if one does.
    pub async fn outside(&self, files: &[&WorkspacePath]) -> Result<Option<LabelSource>, Failure> {
        let files: Vec<_> = files.iter().map(|path| (*path).clone()).collect();
        blocking(&self.workspace, move |workspace| Ok(outside(workspace, &files.iter().collect::<Vec<_>>()))).await
    }

    /// Has the window of a list do something more.
    pub async fn then(
        &self,
        context: &ActionContext,
        listed: &Listed,
        name: &str,
        args: Value,
    ) -> Result<WindowAnswer, Failure> {
        self.windows.call(context, name, args, Some(&listed.answer.window)).await
    }
}

fn outside(workspace: &Workspace, files: &[&WorkspacePath]) -> Option<LabelSource> {
    files.iter().map(|path| workspace.label_of(path)).find(|label| label.label == Label::External)
}

/// Returns the tab of a row. The words on it come from here, so that a window can't put any into an answer; a page that
/// nobody knows has none.
fn tab(workspace: &Workspace, Row { id, path, shows, used, active, shown, pane }: Row) -> Option<Tab> {
    let (kind, mtime, title) = match shows {
        // A file that is gone has no time.
        Shows::File => {
            let mtime = workspace.confine(&path).and_then(|place| place.modified()).ok().flatten();
            (TabKind::of_file(&path), mtime, path.name().to_owned())
        }
        Shows::Task => (TabKind::Task, None, "Task".to_owned()),
        Shows::Page => (TabKind::Page, None, Page::named(path.as_str())?.title().to_owned()),
    };
    Some(Tab { id, path: path.as_str().to_owned(), kind, title, mtime, used, active, shown, pane })
}

impl Listed {
    /// The tab with the person's attention.
    pub fn active(&self) -> Option<&Tab> {
        self.tabs.iter().find(|tab| tab.active)
    }

    /// The tabs of the pane with the person's attention, from the left.
    pub fn focused_pane(&self) -> Vec<&Tab> {
        let pane = self.active().or(self.tabs.first()).map(|tab| tab.pane);
        self.tabs.iter().filter(|tab| Some(tab.pane) == pane).collect()
    }

    /// Tells whether a tab shows this path. A file comes before a page or task of the same name.
    pub fn shows(&self, tab: &Tab, path: &WorkspacePath) -> bool {
        let is_file = |tab: &Tab| !matches!(tab.kind, TabKind::Page | TabKind::Task);
        let named = |tab: &&Tab| tab.path == path.as_str();
        let any_file = self.tabs.iter().filter(named).any(is_file);
        named(&tab) && (is_file(tab) || !any_file)
    }

    /// Returns the tab that shows a path, that of the focused pane before others.
    pub fn showing(&self, path: &WorkspacePath) -> Result<&Tab, Failure> {
        let focused = self.focused_pane();
        let mut tabs = focused.into_iter().chain(&self.tabs);
        tabs.find(|tab| self.shows(tab, path)).ok_or_else(|| {
            Failure::new("not_open", format!("no tab shows `{path}`")).hint("`ui.tabs.list` shows the tabs")
        })
    }

    /// Labels what is told of the tabs, whose names are content.
    pub fn labelled(&self, observation: Observation) -> Observation {
        match self.outside.clone() {
            Some(source) => observation.from_source(source),
            None => observation,
        }
    }
}

/// Names things for people: the one, or their number and the first few.
pub(crate) fn named<'a>(names: impl Iterator<Item = &'a str>, noun: &str) -> String {
    let names: Vec<&str> = names.collect();
    match names.as_slice() {
        [one] => (*one).to_owned(),
        [] => format!("no {noun}"),
        names => {
            let more = if names.len() > MOST_NAMED { ", …" } else { "" };
            format!("{}: {}{more}", counted(names.len(), noun), names[..names.len().min(MOST_NAMED)].join(", "))
        }
    }
}

#[cfg(test)]
pub(crate) mod testing;

#[cfg(test)]
mod tests {
    use super::{
        testing::{listed, tab},
        *,
    };

    #[test]
    fn file_comes_before_page_of_its_name() {
        let mut page = tab("audit");
        page.kind = TabKind::Page;
        let path = WorkspacePath::new("audit").unwrap();
        let both = listed(vec![page.clone(), tab("audit")]);
        assert_eq!(both.showing(&path).unwrap().kind, TabKind::Text);
        assert_eq!(listed(vec![page]).showing(&path).unwrap().kind, TabKind::Page);
    }

    #[test]
    fn long_lists_name_the_first() {
        assert_eq!(named(["a"].into_iter(), "tab"), "a");
        assert_eq!(named(["a", "b"].into_iter(), "tab"), "2 tabs: a, b");
        assert_eq!(named(["a"; 12].into_iter(), "tab"), "12 tabs: a, a, a, a, a, a, a, a, …");
    }
}
