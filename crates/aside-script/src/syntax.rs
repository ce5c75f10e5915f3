//! The syntax tree of a script, on a stack that fits it.

use std::thread;

use oxc::allocator::Allocator;
use oxc::ast::ast::Program;
use oxc::parser::{ParseOptions, Parser};
use oxc::span::SourceType;

use crate::ScriptError;
use crate::nesting::{MOST_LEVELS, bound_nesting};

/// The parser's stack: it calls itself for each level of nesting. Untouched pages cost nothing.
const STACK: usize = (4 << 20) + MOST_LEVELS * (24 << 10);

/// Parses TypeScript and calls `look` with the tree.
pub(crate) fn with_tree<T: Send>(source: &str, look: impl FnOnce(&Program<'_>) -> T + Send) -> Result<T, ScriptError> {
    parsed(source, SourceType::mjs().with_typescript(true), look)
}

/// Checks that a text is JavaScript.
pub(crate) fn is_javascript(source: &str) -> Result<(), ScriptError> {
    parsed(source, SourceType::mjs(), |_| ())
}

fn parsed<T: Send>(
    source: &str,
    kind: SourceType,
    look: impl FnOnce(&Program<'_>) -> T + Send,
) -> Result<T, ScriptError> {
    bound_nesting(source)?;
    let work = move || {
        let allocator = Allocator::default();
        let options = ParseOptions { allow_return_outside_function: true, ..ParseOptions::default() };
        let parsed = Parser::new(&allocator, source, kind).with_options(options).parse();
        if let Some(diagnostic) = parsed.diagnostics.errors().next() {
            let line = diagnostic.labels.first().map(|label| line_of(source, label.offset()));
            return Err(ScriptError { line, ..ScriptError::new("syntax_error", diagnostic.message.clone()) });
        }
        Ok(look(&parsed.program))
    };
    let failed = || ScriptError::new("syntax_error", "The script can't be parsed").hint("Nest it less deeply.");
    thread::scope(|scope| {
        let thread =
            thread::Builder::new().name("script-parser".to_owned()).stack_size(STACK).spawn_scoped(scope, work);
        thread.map_err(|_| failed())?.join().map_err(|_| failed())?
    })
}

/// The line of an offset, from 1.
pub(crate) fn line_of(source: &str, offset: u32) -> u32 {
    let end = (offset as usize).min(source.len());
    u32::try_from(source.as_bytes()[..end].iter().filter(|byte| **byte == b'\n').count())
        .map_or(u32::MAX, |lines| lines + 1)
}

/// The column of an offset in UTF-16 units, from 1.
pub(crate) fn column_of(source: &str, offset: u32) -> u32 {
    let before = source.get(..offset as usize).unwrap_or(source);
    let line = before.rsplit('\n').next().unwrap_or(before);
    u32::try_from(line.encode_utf16().count()).map_or(u32::MAX, |column| column + 1)
}
