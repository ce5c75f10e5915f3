//! Mistakes in a script before it runs, and the types of its `aside`.

use aside_core::{Descriptor, Grant, ScriptFinding};
use aside_script::{ActionSignature, Finding, check, compile, declarations};

use super::{super::Tasks, NAME};

impl Tasks {
    /// Returns the mistakes of a script: its syntax, and calls that the catalog does not have.
    pub fn check_script(&self, source: &str) -> Vec<ScriptFinding> {
        let finding = |Finding { line, column, end_column, message, hint }| ScriptFinding {
            line,
            column,
            end_column,
            message,
            hint,
        };
        match compile(source) {
            Ok(program) => check(&program, &self.signatures(None)).into_iter().map(finding).collect(),
            Err(error) => vec![ScriptFinding {
                line: error.line.unwrap_or(1),
                column: 1,
                end_column: None,
                message: error.message,
                hint: error.hint,
            }],
        }
    }

    /// Returns the text of `aside.d.ts`: the actions that a grant covers, or all.
    pub fn script_types(&self, grant: Option<&Grant>) -> String {
        declarations(&self.signatures(grant))
    }

    fn signatures(&self, grant: Option<&Grant>) -> Vec<ActionSignature> {
        let catalog = self.gate.catalog();
        let known = match grant {
            Some(grant) => catalog.granted(grant, self.gate.now()),
            None => catalog.descriptors(),
        };
        let known = known.iter().filter(|action| action.name.as_str() != NAME);
        known.map(|action| signature(action)).collect()
    }
}

fn signature(action: &Descriptor) -> ActionSignature {
    ActionSignature {
        name: action.name.to_string(),
        description: action.summary.clone(),
        args_schema: action.args_schema.clone(),
    }
}
