//! `ui.tabs.open`: opens several files, each as a tab.

use aside_core::{
    Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, TabId, UndoSupport, WindowId, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::{EntryKind, WorkspaceError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    files::{blocking, touching},
    request,
    tabs::{WindowTabs, named},
};

/// Arguments of `ui.tabs.open`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The files, relative to the workspace, in the order of their tabs. The last one becomes active.
    #[schemars(length(min = 1, max = 50))]
    paths: Vec<WorkspacePath>,
    /// The window. Default: the one that asked, else the one used last.
    #[serde(default)]
    window: Option<WindowId>,
}

/// `ui.tabs.open`.
pub(crate) struct UiTabsOpen(pub WindowTabs);

#[derive(Debug, Deserialize)]
struct Opened {
    /// The tabs that were not there before.
    opened: Vec<TabId>,
}

impl Action for UiTabsOpen {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "ui.tabs.open",
            summary: "Open several files as tabs",
            description: "Opens files in the user's window, each as a tab, and makes the last one active. A file that \
                is open already keeps its tab. For one file at a line, use `ui.open`. Undo closes the new tabs.",
            preconditions: &["the files exist", "a window is open"],
            effect: EffectScope::Ui,
            risks: [Risk::Read].into(),
            place: Place::Browser,
            undo: UndoSupport::Inverse,
            examples: vec![("Open two files", json!({"paths": ["src/model.py", "data/old.csv"]}))],
            phrases: &[
                "open these files",
                "open several files",
                "(open|open up|show|show me|bring up|load) {paths:files} [in tabs]",
            ],
            tags: &["window", "tab", "show", "editor"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let paths = args.paths.clone();
        blocking(&self.0.workspace, move |workspace| {
            for path in &paths {
                match workspace.confine(path)?.entry()? {
                    None => return Err(WorkspaceError::NotFound(path.clone())),
                    Some(entry) if entry.kind == EntryKind::Folder => {
                        return Err(WorkspaceError::IsFolder(path.clone()));
                    }
                    Some(_) => {}
                }
            }
            Ok(())
        })
        .await?;
        let paths: Vec<_> = args.paths.iter().collect();
        Ok(touching(&self.0.workspace.view(&context.would_be), &paths, []))
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Open {}", names(args))))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let window = args.window.as_ref();
        let answer = self.0.windows.call(context, "ui.tabs.open", json!({ "paths": args.paths }), window).await?;
        let Opened { opened } = answer.read()?;
        let text = format!("opened {}{}", names(args), answer.place(window));
        let inverse = (!opened.is_empty())
            .then(|| request("ui.tabs.close", json!({ "which": "tabs", "tabs": opened, "window": answer.window })));
        let observation = Observation::with(text, json!({ "window": answer.window, "opened": opened }));
        Ok(Run { observation, inverse, changed: Vec::new() })
    }
}

fn names(args: &Args) -> String {
    named(args.paths.iter().map(WorkspacePath::as_str), "file")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tabs::testing::{WindowBench, code, words};

    const FILES: [(&str, &str); 2] = [("a.py", ""), ("src/b.py", "")];

    #[tokio::test]
    async fn undo_closes_only_new_tabs() {
        let bench = WindowBench::new(&FILES, json!({ "opened": ["tab-2"] }));
        let record = bench.act("ui.tabs.open", json!({ "paths": ["a.py", "src/b.py"] })).await;
        assert_eq!(words(&record), "opened 2 files: a.py, src/b.py");
        let undo = bench.undo(&record).await.envelope;
        assert_eq!(undo.action_type.as_str(), "ui.tabs.close");
        assert_eq!(undo.args, json!({ "which": "tabs", "tabs": ["tab-2"], "window": "w1" }));
        assert_eq!(bench.calls()[..1], [json!(["ui.tabs.open", { "paths": ["a.py", "src/b.py"] }, null])]);
    }

    #[tokio::test]
    async fn missing_file_opens_nothing() {
        let bench = WindowBench::new(&FILES, json!({ "opened": [] }));
        for (path, expected) in [("gone.py", "not_found"), ("src", "is_folder")] {
            let record = bench.act("ui.tabs.open", json!({ "paths": ["a.py", path] })).await;
            assert_eq!(code(&record), expected);
        }
        assert!(bench.calls().is_empty());
    }
}
