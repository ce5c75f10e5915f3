//! Actions that change cells: one way to look at the notebook, show the change, make it and take it back. What differs
//! between them is how they plan, which is pure.

use std::sync::Arc;

use aside_core::{
    ActionRequest, Assessment, EffectScope, Effects, Failure, FileEffect, ObjectRef, ObjectVersion, Observation, Place,
    Preview, Risk, UndoSupport, Version, WorkspacePath,
};
use aside_doc::{CellChange, CellChangeError, NotebookCell, apply_splices};
use aside_gate::{Action, ActionContext, Declaration, Run, all_or_nothing, waiting};
use aside_workspace::{CellsRefused, Document, SeenNotebook, Workspace, WorkspaceError};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::is_hidden;
use crate::{
    checkpoint::{NotOnDisk, written},
    files::{blocking, touching, viewing},
    request,
};

/// The cells that a change is planned for.
pub(crate) struct Seen<'a> {
    pub path: &'a WorkspacePath,
    pub cells: &'a [NotebookCell],
    /// What was kept under [`CellArgs::kept`].
    pub kept: Option<&'a str>,
}

/// What would become of cells.
pub(crate) struct CellPlan {
    pub changes: Vec<CellChange>,
    pub preview: Preview,
    /// What was done, in words.
    pub words: String,
    /// And as data.
    pub data: Value,
    pub back: Back,
}

/// What takes a change back.
pub(crate) enum Back {
    /// There is nothing to take back.
    Nothing,
    /// This action, with these arguments beside the path.
    Ask(&'static str, Value),
    /// Putting these cells back, which are kept as JSON.
    Cells(String),
}

/// The arguments of an action that changes cells.
pub(crate) trait CellArgs: DeserializeOwned + JsonSchema + Clone + Send + Sync + 'static {
    /// What is known of it before it is asked for.
    fn declare() -> Declaration;

    /// The notebook.
    fn path(&self) -> &WorkspacePath;

    /// What has to be looked up before it can be planned: a text that is kept, if it is.
    fn kept(&self, _workspace: &Workspace) -> Result<Option<String>, WorkspaceError> {
        Ok(None)
    }

    /// Says what would become of the cells.
    fn plan(&self, seen: &Seen<'_>) -> Result<CellPlan, Failure>;

    /// See [`Action::parts`].
    fn parts(&self, _preview: &Preview, parts: &[u32]) -> Result<Value, Failure> {
        Err(all_or_nothing(parts))
    }
}

/// What those that write cells have in common; the rest is said by each.
pub(crate) fn writes_cells() -> Declaration {
    Declaration {
        name: "",
        summary: "",
        description: "",
        preconditions: &["the notebook exists and can be read"],
        effect: EffectScope::Workspace,
        risks: [Risk::Write].into(),
        place: Place::Workspace,
        undo: UndoSupport::Inverse,
        examples: Vec::new(),
        phrases: &[],
        tags: &[],
        safety: &[],
    }
}

/// An action that changes cells.
pub(crate) struct ChangesCells<Args> {
    workspace: Arc<Workspace>,
    args: std::marker::PhantomData<fn() -> Args>,
}

impl<Args: CellArgs> ChangesCells<Args> {
    pub(crate) fn over(workspace: Arc<Workspace>) -> Self {
        Self { workspace, args: std::marker::PhantomData }
    }

    async fn planned(&self, context: &ActionContext, args: &Args) -> Result<(SeenNotebook, CellPlan), Failure> {
        let (wanted, by_person) = (args.clone(), context.origin.is_person());
        let workspace = Arc::clone(&self.workspace);
        let (seen, kept, older) = viewing(&self.workspace, context, move |view| {
            let seen = view.notebook(wanted.path())?;
            // Changes that wait for the upgrade are of the newest format already.
            let open = workspace.open_document(&seen.path).and_then(|open| open.state().borrow().older_format);
            let older = open.or_else(|| seen.notebook.older_format());
            Ok((seen, wanted.kept(&workspace)?, older))
        })
        .await?;
        check_format(&seen.path, older)?;
        let plan = plan(args, &seen.path, &seen.cells, kept.as_deref(), by_person)?;
        Ok((seen, plan))
    }
}

/// Plans for the cells that whoever asks may know of.
fn plan<Args: CellArgs>(
    args: &Args,
    path: &WorkspacePath,
    cells: &[NotebookCell],
    kept: Option<&str>,
    by_person: bool,
) -> Result<CellPlan, Failure> {
    let shown: Vec<NotebookCell>;
    let cells = if !by_person && cells.iter().any(is_hidden) {
        shown = cells.iter().filter(|cell| !is_hidden(cell)).cloned().collect();
        &shown
    } else {
        cells
    };
    args.plan(&Seen { path, cells, kept })
}

impl<Args: CellArgs> Action for ChangesCells<Args> {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Args::declare()
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let (seen, _) = self.planned(context, args).await?;
        let assessment = touching(&self.workspace.view(&context.would_be), &[args.path()], []);
        Ok(Assessment { versions: vec![cells_version(&seen)], ..assessment })
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let (seen, plan) = self.planned(context, args).await?;
        // Parts are accepted one by one: all but the first refer to a text that the cell has no more.
        let is_changed =
            |cell: &&NotebookCell| plan.changes.iter().any(|change| changed_text(change) == Some(&cell.key));
        let texts: Vec<String> = seen.cells.iter().filter(is_changed).map(|cell| cell.source.clone()).collect();
        blocking(&self.workspace, move |workspace| {
            texts.iter().try_for_each(|text| workspace.keep_text(text).map(drop))
        })
        .await?;
        Ok(plan.preview)
    }

    async fn effects(&self, context: &ActionContext, args: &Args) -> Result<Effects, Failure> {
        let (seen, plan) = self.planned(context, args).await?;
        let bytes = seen.bytes_after(&plan.changes).map_err(impossible)?;
        Ok(Effects::Known(vec![FileEffect::bytes(seen.path, bytes)]))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (workspace, context, args) = (Arc::clone(&self.workspace), context.clone(), args.clone());
        let id = context.id.clone();
        let changed = waiting(move || run(&workspace, &context, &args)).await.map_err(|error| error.failure())?;
        let Changed { document, run, back } = changed?;
        if back.is_empty() {
            return Ok(run);
        }
        let take_back = move |document: &Arc<Document>| {
            document.change_cells(|_| Ok::<_, CellsRefused>(back), &id, Some(&id)).is_ok()
        };
        Ok(NotOnDisk::told(written(&self.workspace, document, take_back).await?, run))
    }

    fn parts(&self, args: &Args, preview: &Preview, parts: &[u32]) -> Result<Value, Failure> {
        args.parts(preview, parts)
    }
}

/// Refuses changes of a file that would have to be written in another format: a person decides about that first.
pub(crate) fn check_format(path: &WorkspacePath, older: Option<u64>) -> Result<(), Failure> {
    let Some(format) = older else { return Ok(()) };
    let message = format!("`{path}` has the old notebook format {format}, and can't be changed before it is upgraded");
    Err(Failure::new("older_format", message)
        .hint("`doc.checkpoint` with `upgrade` saves it in format 4.5 if the user confirms"))
}

/// Cells that were changed, and are not in the file yet.
struct Changed {
    document: Arc<Document>,
    run: Run,
    back: Vec<CellChange>,
}

/// Plans and changes in one moment, so that nothing that is typed meanwhile is written over.
fn run<Args: CellArgs>(workspace: &Workspace, context: &ActionContext, args: &Args) -> Result<Changed, Failure> {
    let document = workspace.document(args.path())?;
    let kept = args.kept(workspace)?;
    let (path, by_person) = (document.path(), context.origin.is_person());
    let mut planned = None;
    // What the way back needs is kept before anything changes: a store that takes no more refuses it all.
    let made = |cells: &[NotebookCell]| -> Result<Vec<CellChange>, Refused> {
        let plan = plan(args, &path, cells, kept.as_deref(), by_person).map_err(Refused)?;
        keep_texts_after(workspace, cells, &plan.changes).map_err(|error| Refused(error.failure()))?;
        let CellPlan { changes, words, data, back, .. } = plan;
        let inverse = back.request(workspace, &path).map_err(Refused)?;
        planned = Some((words, data, inverse));
        Ok(changes)
    };
    let made = document.change_cells(made, &context.id, context.undoes.as_ref()).map_err(|refused| refused.0)?;
    let (words, mut data, inverse) = planned.expect("nothing is changed without a plan");
    data["path"] = json!(path);
    let observation = Observation::with(words, data);
    let changed = if inverse.is_some() { vec![ObjectRef::file(&path)] } else { Vec::new() };
    Ok(Changed { document, run: Run { observation, inverse, changed }, back: made.inverse })
}

/// Keeps the texts that cells will have: an undo refers to them.
fn keep_texts_after(
    workspace: &Workspace,
    cells: &[NotebookCell],
    changes: &[CellChange],
) -> Result<(), WorkspaceError> {
    for change in changes {
        let CellChange::Source { key, splices } = change else { continue };
        if let Some(cell) = cells.iter().find(|cell| cell.key == *key) {
            workspace.keep_text(&apply_splices(&cell.source, splices))?;
        }
    }
    Ok(())
}

/// Why nothing was changed.
struct Refused(Failure);

impl From<CellsRefused> for Refused {
    fn from(refused: CellsRefused) -> Self {
        Self(match refused {
            CellsRefused::Impossible(error) => impossible(error),
            other => Failure::new("not_a_notebook", other.to_string()).hint("open it as text, and use `doc.edit`"),
        })
    }
}

impl Back {
    fn request(self, workspace: &Workspace, path: &WorkspacePath) -> Result<Option<ActionRequest>, Failure> {
        Ok(match self {
            Self::Nothing => None,
            Self::Ask(name, mut args) => {
                args["path"] = json!(path);
                Some(request(name, args))
            }
            Self::Cells(cells) => {
                Some(request("cell.restore", json!({"path": path, "kept": workspace.keep_cells(&cells)?})))
            }
        })
    }
}

/// The cell whose text changes.
fn changed_text(change: &CellChange) -> Option<&aside_notebook::CellKey> {
    match change {
        CellChange::Source { key, .. } => Some(key),
        _ => None,
    }
}

/// The version of the cells without what they put out: a run changes nothing of what was decided on.
fn cells_version(seen: &SeenNotebook) -> ObjectVersion {
    let cells: Vec<_> = seen
        .cells
        .iter()
        .map(|cell| (&cell.key.0, cell.kind.name(), &cell.source, &cell.metadata, &cell.others))
        .collect();
    let object = ObjectRef { kind: "notebook".into(), id: seen.path.to_string() };
    ObjectVersion { object, version: Some(Version::of_json(&cells)) }
}

pub(crate) fn impossible(error: CellChangeError) -> Failure {
    let code = match error {
        CellChangeError::NoCell(_) => "no_such_cell",
        CellChangeError::Taken(_) => "exists",
        _ => "impossible",
    };
    Failure::new(code, format!("the cells were not changed: {error}"))
        .hint("read the notebook again with `notebook.read`")
}
