//! `terminal.open`: starts a shell in a terminal.

use std::env;

use aside_core::{
    Assessment, EffectScope, Failure, ObjectRef, Observation, Place, Preview, Risk, TerminalSize, UndoSupport,
    WorkspacePath, harmless,
};
use aside_gate::{Action, ActionContext, Declaration, Run, waiting};
use aside_terminal::{Start, environment, usual_shell};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    commands::{folder_named, outside_sandbox},
    files::blocking,
    terminals::{PersonsTerminals, line},
};

/// Characters of a name.
const LONGEST_NAME: usize = 60;

/// Arguments of `terminal.open`.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The folder to start in, relative to the workspace. Default: the workspace folder.
    #[serde(default)]
    cwd: Option<String>,
    /// The name or path of a shell of this computer. Default: the user's shell.
    #[serde(default)]
    shell: Option<String>,
    /// A name for the terminal. Default: the name of the shell.
    #[serde(default)]
    name: Option<String>,
    /// Columns. Default: 80.
    #[serde(default)]
    #[schemars(range(min = 2, max = 1000))]
    cols: Option<u16>,
    /// Rows. Default: 24.
    #[serde(default)]
    #[schemars(range(min = 1, max = 1000))]
    rows: Option<u16>,
}

/// `terminal.open`.
pub(crate) struct TerminalOpen(pub PersonsTerminals);

impl Args {
    fn folder(&self) -> Result<Option<WorkspacePath>, Failure> {
        folder_named(self.cwd.as_deref())
    }

    fn name(&self) -> Result<Option<String>, Failure> {
        let Some(name) = self.name.as_deref().map(str::trim) else { return Ok(None) };
        let is_plain = harmless(name) == name && !name.contains(['\n', '\t']);
        if name.is_empty() || !is_plain || name.chars().count() > LONGEST_NAME {
            let message = "`name` has to be 1 to 60 visible characters on one line";
            return Err(Failure::new("invalid_args", message));
        }
        Ok(Some(name.to_owned()))
    }

    fn size(&self) -> TerminalSize {
        let usual = TerminalSize::USUAL;
        TerminalSize::bounded(self.cols.unwrap_or(usual.cols), self.rows.unwrap_or(usual.rows))
    }
}

impl Action for TerminalOpen {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "terminal.open",
            summary: "Open a terminal",
            description: "Starts a shell in a terminal that the user sees and types in. It is the user's own shell, \
                without a sandbox, and runs until it is closed or the server ends. To run one command and read its \
                output use `shell.run`, which is kept apart from the rest of the computer.",
            preconditions: &[],
            effect: EffectScope::System,
            risks: [Risk::Install].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![
                ("Open a terminal", json!({})),
                ("Open a terminal in a folder", json!({"cwd": "src", "name": "build"})),
            ],
            phrases: &[
                "open a terminal",
                "new shell",
                "(open|start|launch|create|new|show) [a|another|the] [new] (terminal|console|shell|command line|command prompt)",
                "(open|start|launch) [a|another] [new] (terminal|console|shell) (in|at) [the folder] {cwd:folder}",
            ],
            tags: &["terminal", "shell", "console", "bash", "zsh", "command line", "prompt"],
            safety: &["a terminal is a shell that can do anything the user can"],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let folder = args.folder()?;
        args.name()?;
        let targets = folder.map(|path| ObjectRef { kind: "folder".to_owned(), id: path.to_string() });
        Ok(Assessment { targets: targets.into_iter().collect(), ..Assessment::default() })
    }

    async fn preview(&self, context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let shell = shell_of(args)?;
        let place = args.folder()?.map(|path| format!(" in {path}")).unwrap_or_default();
        let mut preview = Preview::summary(format!("Open a terminal with {shell}{place}"));
        if !context.origin.is_person() {
            preview.warnings = vec![outside_sandbox()];
        }
        Ok(preview)
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let (shell, cwd) = (shell_of(args)?, args.folder()?);
        let folder = cwd.clone();
        let folder = blocking(&self.0.workspace, move |workspace| workspace.folder_of_command(folder.as_ref())).await?;
        let withheld = self.0.workspace.processes().withheld();
        let start = Start {
            id: self.0.store.new_id(),
            name: args.name()?,
            environment: environment(env::vars_os(), &withheld, &shell),
            shell,
            folder,
            cwd: cwd.map(|path| path.to_string()).unwrap_or_default(),
            size: args.size(),
            opened_at: context.now,
        };
        let terminals = self.0.terminals.clone();
        let opened = waiting(move || terminals.open(start)).await.map_err(|error| error.failure())?;
        let terminal = opened.map_err(|error| error.failure())?.state();
        Ok(Run::observed(Observation::with(format!("Opened {}", line(&terminal)), json!({"terminal": terminal}))))
    }
}

fn shell_of(args: &Args) -> Result<String, Failure> {
    usual_shell(args.shell.as_deref()).map_err(|error| error.failure())
}
