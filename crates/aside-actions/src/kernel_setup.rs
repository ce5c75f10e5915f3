//! `kernel.setup`: makes an environment of Python in the workspace, and installs what runs notebooks in it.

mod plan;

use std::{path::Path, sync::Arc, time::Duration};

use aside_core::{
    ActionRequest, Assessment, Completeness, EffectScope, Failure, ObjectRef, Observation, Place, Preview, PreviewBody,
    Risk, SandboxLevel, UndoSupport, WorkspacePath, WouldBe,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::{
    Workspace,
    process::{CommandEnd, CommandLine, Limits, Stop, find_program},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use self::plan::{ENVIRONMENT, Here, USUAL};
use crate::{
    commands::{self, no_sandbox, sandbox_level},
    files::{blocking, touching, viewing},
    request,
};

/// How long it may take: packages come over slow lines, too.
const LONGEST: Duration = Duration::from_mins(30);

/// Arguments of `kernel.setup`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The folder of a Python environment in the workspace. Default: the project's own (`.venv`, `venv`, `env`,
    /// `.pixi/envs/default`), or a new `.venv`.
    #[serde(default)]
    environment: Option<WorkspacePath>,
}

/// `kernel.setup`.
pub(crate) struct KernelSetup {
    pub workspace: Arc<Workspace>,
}

/// What is run, and whether the folder is new.
struct Plan {
    environment: WorkspacePath,
    line: String,
    is_new: bool,
}

impl Action for KernelSetup {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "kernel.setup",
            summary: "Set up Python for notebooks",
            description: "Installs ipykernel from the Python package index in the project's Python environment, \
                with pip or uv. Creates the environment `.venv` in the workspace if there is none. Changes nothing \
                else on the computer. If it fails or is stopped, a folder that it created is removed.",
            preconditions: &[
                "Python 3 with the venv module is installed",
                "there is a network connection",
                "the user approves",
            ],
            effect: EffectScope::System,
            risks: [Risk::Install, Risk::Network, Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![
                ("Set up Python in a new or existing environment", json!({})),
                ("Set up a given environment", json!({"environment": ".venv"})),
            ],
            phrases: &[
                "set up python",
                "make a virtual environment",
                "install a kernel",
                "set up python [for notebooks|for this notebook|in this folder|here]",
                "install ipykernel",
                "(make|create) a virtual environment",
            ],
            tags: &["notebook", "jupyter", "kernel", "python", "venv", "pip", "install"],
            safety: &["installs third-party programs: ipykernel and its dependencies from the index"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let plan = self.plan(args).await?;
        let folder = plan.environment;
        let assessed = viewing(&self.workspace, context, move |view| Ok(touching(view, &[&folder], [])));
        let mut assessment = Assessment { command: Some(plan.line), ..assessed.await? };
        // What is installed can then do whatever the person can.
        if sandbox_level(&self.workspace).await? == SandboxLevel::None {
            assessment.risks.insert(Risk::Access);
        }
        Ok(assessment)
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let plan = self.plan(args).await?;
        let environment = plan.environment;
        let level = sandbox_level(&self.workspace).await?;
        let note = match plan.is_new {
            true => {
                format!("Packages are installed only in the new folder {environment} of this workspace.")
            }
            false => format!("Packages are installed in the existing folder {environment}. Undo does not remove them."),
        };
        Ok(Preview {
            summary: format!("Set up Python for notebooks in {environment}"),
            body: PreviewBody::Command {
                argv: vec!["/bin/sh".to_owned(), "-c".to_owned(), plan.line],
                cwd: String::new(),
                network: true,
                sandbox: level,
                environment: Vec::new(),
                notes: vec![note],
            },
            completeness: if level == SandboxLevel::None { Completeness::Opaque } else { Completeness::Partial },
            warnings: no_sandbox(self.workspace.processes()).into_iter().collect(),
        })
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let plan = self.plan(args).await?;
        let ended = self.carry_out(context, &plan.line).await;
        if ended.is_err() && plan.is_new {
            self.remove().await;
        }
        ended?;
        let Plan { environment, is_new, .. } = plan;
        let words = format!("Python is set up for notebooks in {environment}");
        let inverse = match is_new {
            true => self.way_back(&environment).await,
            false => None,
        };
        let observation = Observation::with(words, json!({"environment": environment, "made": is_new}));
        Ok(Run { observation, inverse, changed: vec![ObjectRef::file(&environment)] })
    }
}

impl KernelSetup {
    async fn plan(&self, args: &Args) -> Result<Plan, Failure> {
        let named = args.environment.clone();
        blocking(&self.workspace, move |workspace| Ok(plan(workspace.folder(), named))).await?
    }

    /// Removes the new environment, unless packages were added to it since; none if its state can't be read.
    async fn way_back(&self, environment: &WorkspacePath) -> Option<ActionRequest> {
        let path = environment.clone();
        let left = blocking(&self.workspace, move |workspace| workspace.view(&WouldBe::default()).state_of(&path));
        Some(request("file.delete", json!({"path": environment, "expected": left.await.ok()?})))
    }

    async fn carry_out(&self, context: &ActionContext, line: &str) -> Result<(), Failure> {
        let _turn = tokio::select! {
            turn = self.workspace.processes().turn() => turn,
            by = context.progress.stopped() => return Err(Failure::new("stopped", format!("{by} stopped it before it started"))),
        };
        let limits = Limits { time: LONGEST, ..Limits::default() };
        let line = CommandLine { network: true, limits, ..CommandLine::shell(line, self.workspace.folder()) };
        let broke = |error: &str| format!("could not set up Python: {error}");
        let finished = commands::run(&self.workspace, line, &context.progress).await;
        let finished = finished.map_err(|failure| Failure { message: broke(&failure.message), ..failure })?;
        match (finished.why, finished.status) {
            (CommandEnd::Exited, Some(0)) => Ok(()),
            (CommandEnd::Stopped, _) => {
                let by = context.progress.stopped_by().unwrap_or_else(|| "Local only".to_owned());
                Err(Failure::new("stopped", format!("{by} stopped it; its files were removed")))
            }
            (CommandEnd::TimedOut, _) => Err(Failure::new("setup_failed", broke("it took longer than 30 minutes"))),
            _ => Err(plan::failed(&String::from_utf8_lossy(&finished.output.bytes()))),
        }
    }

    /// What is half made is of no use.
    async fn remove(&self) {
        let processes = self.workspace.processes().clone();
        let line = CommandLine::new(["rm", "-rf", ENVIRONMENT].map(str::to_owned).to_vec(), self.workspace.folder());
        // What can't be removed is in the way next time, and is named then.
        let _ = tokio::task::spawn_blocking(move || processes.run(&line, &Stop::default(), |_| ())).await;
    }
}

fn plan(folder: &Path, named: Option<WorkspacePath>) -> Result<Plan, Failure> {
    let has_python = |environment: &&str| folder.join(environment).join("bin/python").exists();
    let usual = || WorkspacePath::new(USUAL.iter().find(|at| has_python(at)).unwrap_or(&ENVIRONMENT));
    let environment = named.unwrap_or_else(|| usual().expect("these are paths in the workspace"));
    let at = folder.join(environment.as_str());
    let here = Here {
        folder: at.symlink_metadata().is_ok(),
        interpreter: at.join("bin/python").exists(),
        pip: ["pip", "pip3"].iter().any(|pip| at.join("bin").join(pip).exists()),
        python: find_program("python3").is_some(),
        uv: find_program("uv").is_some(),
    };
    let lines = plan::lines(environment.as_str(), here)?;
    Ok(Plan { environment, line: lines.join(" && "), is_new: !here.folder })
}
