//! `kernel.variables`: what is defined in a notebook's kernel.

use std::collections::BTreeSet;

use aside_core::{
    Assessment, EffectScope, Failure, LabelSource, Observation, Place, Preview, Risk, UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_kernels::{AskedVariables, Session, Variable, Variables};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::kernels::{NotebookKernels, said_by_code};

/// Variables in an answer, and characters of a value: of each in a list, and of those that are asked for by name.
const MOST: usize = 200;
const EACH: usize = 120;
const EACH_NAMED: usize = 2_000;
/// Variables that can be asked for by name.
const MOST_NAMED: usize = 20;

/// Arguments of `kernel.variables`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notebook.
    path: WorkspacePath,
    /// Only these variables, with longer values. At most 20.
    #[serde(default)]
    names: Vec<String>,
    /// Only variables whose name contains this, in any case.
    #[serde(default)]
    find: Option<String>,
}

/// `kernel.variables`.
pub(crate) struct KernelVariables(pub NotebookKernels);

impl Action for KernelVariables {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "kernel.variables",
            summary: "List the variables in a notebook's kernel",
            description: "Returns each variable's name, type, shape or length, and short value, and the columns of \
                a table. `names` gives longer values. Runs no cell and changes no output. Python kernels only.",
            preconditions: &["a Python kernel is running and idle"],
            effect: EffectScope::Workspace,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![
                ("List all variables", json!({"path": "analysis.ipynb"})),
                ("Inspect one variable", json!({"path": "analysis.ipynb", "names": ["heights"]})),
            ],
            phrases: &[
                "list the variables",
                "what is defined in the kernel",
                "inspect a variable",
                "what columns does it have",
                "(what|which) variables (are|do i have|exist|are there) [currently] [defined|set|in the kernel|in this notebook|in this kernel|in memory] [right now] => path={notebook}",
                "(list|show|show me|give me|display|inspect) [me] [all] [my] [defined] variables [of the kernel|in the kernel|of this notebook|in this notebook] => path={notebook}",
                "(list|show|show me) [all] variables (of|in) {path:notebook}",
                "what is defined [in the kernel|in this notebook] => path={notebook}",
                "variables => path={notebook}",
            ],
            tags: &["notebook", "jupyter", "kernel", "variables", "inspect"],
            safety: &["values are untrusted content", "variables that private cells name are hidden from models"],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        self.0.assess(context, &args.path, []).await
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("List the variables in the kernel of {}", args.path)))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        if args.names.len() > MOST_NAMED {
            return Err(Failure::new("invalid_args", format!("at most {MOST_NAMED} names can be given at once")));
        }
        let session = self.0.session(&args.path)?;
        let apart = if context.origin.is_person() { BTreeSet::new() } else { named_by_hidden_cells(&session).await? };
        let asked = AskedVariables {
            names: args.names.clone(),
            find: args.find.clone().unwrap_or_default(),
            apart,
            most: MOST,
            each: if args.names.is_empty() { EACH } else { EACH_NAMED },
        };
        let found = session.variables(&asked).await.map_err(|error| error.failure())?;
        let source = LabelSource::external(format!("variables of {}", args.path), "values of its code and data");
        let data = json!({"path": args.path, "variables": found.variables, "more": found.more, "kept": found.kept});
        let observation = Observation::with(told(args, &found), data);
        let source = said_by_code(&self.0.label(&args.path).await?, &args.path, source);
        Ok(Run::observed(observation.from_source(source.by(&context.id))))
    }
}

/// The words of cells that a person keeps from models: what these define is kept too.
async fn named_by_hidden_cells(session: &Session) -> Result<BTreeSet<String>, Failure> {
    let notebook = session.notebook().await.map_err(|error| error.failure())?;
    let hidden = notebook.cells.iter().filter(|cell| cell.is_hidden());
    let is_sign = |letter: char| !letter.is_alphanumeric() && letter != '_';
    Ok(hidden.flat_map(|cell| cell.source().split(is_sign).map(str::to_owned).collect::<Vec<_>>()).collect())
}

fn told(args: &Args, found: &Variables) -> String {
    let mut lines = vec![match found.variables.len() {
        0 => format!("None of these variables is defined in the kernel of {}.", args.path),
        1 => format!("1 variable of {}", args.path),
        count => format!("{count} variables of {}", args.path),
    }];
    lines.extend(found.variables.iter().map(line));
    if found.more > 0 {
        lines.push(format!("… and {} more: narrow it with `find`", found.more));
    }
    if found.kept > 0 {
        lines.push(format!("{} hidden, because cells that the user keeps private name them", found.kept));
    }
    lines.join("\n")
}

/// `heights: ndarray (1000, 3) float64 = array([[…`
fn line(variable: &Variable) -> String {
    let Variable { name, kind, shape, length, dtype, value, .. } = variable;
    let shape = shape.as_ref().map(|shape| {
        let sizes: Vec<_> = shape.iter().map(u64::to_string).collect();
        format!(" ({})", sizes.join(", "))
    });
    let length = length.map(|length| format!(" of {length}")).filter(|_| shape.is_none());
    let dtype = dtype.as_ref().map(|dtype| format!(" {dtype}"));
    let value = value.as_ref().filter(|value| !value.is_empty()).map(|value| format!(" = {value}"));
    let parts = [shape, length, dtype, value].into_iter().flatten().collect::<String>();
    format!("{name}: {kind}{parts}")
}
