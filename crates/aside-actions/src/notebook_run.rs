//! `notebook.run`: runs all code of a notebook in a fresh kernel, and writes what it puts out into the file.

mod cells;
mod place;

use std::{sync::Arc, time::Duration};

use aside_core::{
    Assessment, Completeness, EffectScope, Failure, Guard, LabelSource, ObjectRef, Observation, Place, Preview,
    PreviewBody, Risk, SandboxLevel, UndoSupport, Warning, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run, waiting};
use aside_jupyter::Kernel;
use aside_kernels::{Chosen, SessionError, choose};
use aside_notebook::Notebook;
use aside_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    cells::check_format,
    checkpoint::{NotOnDisk, written_or_kept},
    doc_edit,
    files::{blocking, touching, version_of, viewing},
};

/// Arguments of `notebook.run`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notebook.
    path: WorkspacePath,
    /// The file for the notebook with its outputs. Default: the notebook itself.
    #[serde(default)]
    output: Option<WorkspacePath>,
    /// Continues after a cell fails.
    #[serde(default)]
    allow_errors: bool,
    /// Seconds that each cell may take. Default: no limit.
    #[serde(default)]
    timeout: Option<u32>,
    /// The kernel's name. Default: the kernel that the notebook names.
    #[serde(default)]
    kernel: Option<String>,
}

impl Args {
    fn target(&self) -> &WorkspacePath {
        self.output.as_ref().unwrap_or(&self.path)
    }
}

/// `notebook.run`.
pub(crate) struct NotebookRun {
    pub workspace: Arc<Workspace>,
}

/// What is to be run, and by what.
struct Plan {
    notebook: Notebook,
    /// What is where the result goes, as text.
    base: Option<Arc<str>>,
    chosen: Chosen,
}

impl Action for NotebookRun {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "notebook.run",
            summary: "Run a notebook from top to bottom",
            description: "Runs all code cells of a Jupyter notebook in order in a new kernel that ends with the \
                run, and writes outputs and execution counts into the notebook, or into `output`. The rest of the \
                file stays byte for byte the same, and edits made during the run are kept. AI cells are skipped and \
                listed. Stops at the first cell that fails, unless `allow_errors` is set. Cells can't read input.",
            preconditions: &["a kernel for its language is installed", "the user approves"],
            effect: EffectScope::System,
            risks: [Risk::Write, Risk::Destructive, Risk::Access, Risk::Install, Risk::Network].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![(
                "Run the analysis into a copy",
                json!({"path": "analysis.ipynb", "output": "analysis.run.ipynb"}),
            )],
            phrases: &["run the notebook", "execute all cells", "run all cells from the top"],
            tags: &["notebook", "jupyter", "ipynb", "kernel", "execute", "cells"],
            safety: &[
                "notebook code runs without a sandbox and can do anything the user can",
                "effects other than writing the notebook can't be undone",
            ],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let args = args.clone();
        let found = viewing(&self.workspace, context, move |view| {
            let versions = vec![version_of(view, &args.path)?, version_of(view, args.target())?];
            Ok(Assessment { versions, ..touching(view, &[&args.path, args.target()], []) })
        });
        found.await
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let plan = self.plan(args).await?;
        let folder = args.path.parent().map(|folder| folder.to_string()).unwrap_or_default();
        let written = format!("Outputs are written into {}.", args.target());
        let text = "The notebook's code runs without a sandbox.".to_owned();
        Ok(Preview {
            summary: format!("Run {} with {}", args.path, plan.chosen.kernel.display_name),
            body: PreviewBody::Command {
                argv: plan.chosen.spec.command("CONNECTION_FILE".as_ref()),
                cwd: folder,
                network: true,
                sandbox: SandboxLevel::None,
                environment: Vec::new(),
                notes: [Some(written), passed_over(&cells::asked(&plan.notebook))].into_iter().flatten().collect(),
            },
            completeness: Completeness::Opaque,
            warnings: vec![Warning { guard: Guard::NoSandbox, text }],
        })
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let Plan { mut notebook, base, chosen } = self.plan(args).await?;
        let (name, language) = (chosen.kernel.name.clone(), chosen.kernel.language.clone());
        let mut launch = chosen.launch(&self.workspace, &args.path, false).map_err(|error| error.failure())?;
        launch.spec.leave_no_history();
        let start = Kernel::start(launch);
        let (kernel, news) = tokio::select! {
            started = start => started.map_err(|error| SessionError::Kernel(error).failure())?,
            by = context.progress.stopped() => {
                return Err(Failure::new("stopped", format!("{by} stopped it before it started")));
            }
        };
        // What comes after the end of a cell belongs to no cell any more.
        drop(news);
        let limit = args.timeout.map(|seconds| Duration::from_secs(seconds.into()));
        let wishes = cells::Wishes { allow_errors: args.allow_errors, timeout: limit, language };
        let ran = cells::run(&kernel, &mut notebook, &wishes, &context.progress).await;
        kernel.shut_down().await;
        let (workspace, path, target) = (self.workspace.clone(), args.path.clone(), args.target().clone());
        let (outputs, action) = (ran.outputs, context.id.clone());
        let placed =
            waiting(move || place::place(&workspace, (&path, &target), &notebook, &outputs, base.as_deref(), &action));
        let placed = placed.await.map_err(|error| error.failure())?.map_err(doc_edit::failure)?;
        // What was computed for hours is not given up: it stays in the document until the disk takes it.
        let not_yet = match placed.document {
            Some(document) => written_or_kept(&self.workspace, document).await,
            None => None,
        };
        let target = args.target();
        let words = match &ran.failed {
            None => {
                let cells = if ran.cells == 1 { "cell" } else { "cells" };
                format!("ran {} {cells} of {} with {name}, written into {target}", ran.cells, args.path)
            }
            Some(failed) => format!("{failed}\nthe outputs so far are in {target}"),
        };
        let words = [Some(words), passed_over(&ran.asked)].into_iter().flatten().collect::<Vec<_>>().join("\n");
        let data = json!({"cells": ran.cells, "passed_over": ran.asked, "failed": ran.failed, "output": target, "kernel": name});
        let source = LabelSource::external(format!("the run of {}", args.path), "output of its code");
        let observation = Observation::with(words, data).from_source(source.by(&context.id));
        let run = Run { observation, inverse: Some(placed.inverse), changed: vec![ObjectRef::file(target)] };
        Ok(NotOnDisk::told(not_yet, run))
    }
}

/// Says which cells for AI are not answered by this.
fn passed_over(asked: &[String]) -> Option<String> {
    let what = match asked.len() {
        0 => return None,
        1 => "An AI cell is",
        _ => "AI cells are",
    };
    let named: Vec<String> = asked.iter().map(|key| format!("`{key}`")).collect();
    Some(format!("{what} skipped ({}): AI cells answer only where the notebook is open.", named.join(", ")))
}

impl NotebookRun {
    async fn plan(&self, args: &Args) -> Result<Plan, Failure> {
        let (path, target) = (args.path.clone(), args.target().clone());
        let read = blocking(&self.workspace, move |workspace| {
            // What was computed for hours must have a place.
            workspace.check_writable(&target)?;
            Ok((place::read(workspace, &path)?, place::text(workspace, &target)))
        });
        let (notebook, base) = read.await?;
        let notebook =
            notebook.map_err(|error| Failure::new("notebook", format!("cannot run `{}`: {error}", args.path)))?;
        let replaced = base.as_ref().and_then(|text| Notebook::read(text.as_bytes()).ok());
        check_format(args.target(), replaced.and_then(|replaced| replaced.older_format()))?;
        let (folder, named) = (self.workspace.folder().to_owned(), args.kernel.clone());
        let chosen = waiting(move || {
            let chosen = choose(&folder, named.as_deref(), &notebook);
            chosen.map(|chosen| Plan { notebook, base, chosen })
        });
        chosen.await.map_err(|error| error.failure())?.map_err(|error| error.failure())
    }
}
