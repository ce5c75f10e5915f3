//! Statements that can't be erased: they have code behind their types, or they need modules.

use oxc::ast::ast::Statement;
use oxc::span::GetSpan;

use super::text::Eraser;

pub(super) const NO_MODULES: &str = "A script is one text. Actions are in `aside`, its input is in `args`.";
const NO_EXPORT: &str = "Return the result: `return value;`.";

/// Refuses such a statement. Returns whether it did.
pub(super) fn statement(eraser: &mut Eraser<'_>, statement: &Statement<'_>) -> bool {
    let (word, hint) = match statement {
        Statement::TSEnumDeclaration(declaration) if !declaration.declare => {
            ("enum", "Write an object: `const Color = { red: 1 } as const`.")
        }
        Statement::TSNamespaceDeclaration(declaration) if !declaration.declare => {
            ("namespace", "Write an object or plain functions.")
        }
        Statement::TSExternalModuleDeclaration(declaration) if !declaration.declare => ("module", NO_MODULES),
        Statement::ImportDeclaration(_) | Statement::TSImportEqualsDeclaration(_) => ("import", NO_MODULES),
        _ if statement.as_module_declaration().is_some() => ("export", NO_EXPORT),
        _ => return false,
    };
    eraser.refuse(statement.span().start, word, hint);
    true
}
