//! What the messages of TeX mean, in plain words.

use crate::problem::ProblemKind::{self, *};

/// What stands between an error and its line number.
#[derive(Default)]
pub(super) struct Context {
    /// The last command of the first line that has one: the one TeX does not know.
    pub(super) command: Option<String>,
}

impl Context {
    pub(super) fn see(&mut self, text: &str) {
        if self.command.is_none() && !text.starts_with(['S', 'T', '<']) {
            self.command = last_command(text);
        }
    }
}

fn last_command(text: &str) -> Option<String> {
    let text = text.trim_end();
    let (_, name) = text.rsplit_once('\\')?;
    let letters = name.bytes().take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'@').count();
    (letters > 0).then(|| format!("\\{}", &name[..letters]))
}

/// A part of a message, its kind and its meaning. `{}` is the name in the message, or the command before the fault. The first
/// that fits counts.
type Row = (&'static str, ProblemKind, &'static str);

const ERRORS: &[Row] = &[
    (
        "Undefined control sequence",
        UndefinedCommand,
        "Unknown command {}: it is misspelled, or its package is not loaded.",
    ),
    ("Environment ", UndefinedEnvironment, "Unknown environment {}: it is misspelled, or its package is not loaded."),
    ("ended by \\end{", UnmatchedEnvironment, "\\begin and \\end don't match: {}."),
    ("Extra \\endgroup", UnmatchedEnvironment, "An \\end has no \\begin, or a group is closed twice."),
    ("Missing \\endgroup", UnmatchedEnvironment, "An environment is not closed."),
    (
        "Missing $ inserted",
        MissingMath,
        "Math outside of $…$, or math that is not closed: `_`, `^` and math commands need math mode.",
    ),
    ("Display math should end with $$", MissingMath, "A displayed formula is not closed."),
    ("Extra }, or forgotten $", ExtraBrace, "A brace too many, or math that is not closed."),
    ("Extra }, or forgotten", ExtraBrace, "A brace too many, or something that is not closed."),
    ("Too many }'s", ExtraBrace, "A closing brace has no opening one."),
    ("Missing { inserted", MissingBrace, "An opening brace is missing."),
    ("Missing } inserted", MissingBrace, "A closing brace is missing."),
    (
        "Paragraph ended before",
        Runaway,
        "The argument of {} is not closed before the paragraph ends: a closing brace is missing.",
    ),
    (
        "File ended while scanning",
        Runaway,
        "The file ends within the argument of {}: a closing brace or an \\end is missing.",
    ),
    ("Forbidden control sequence found", Runaway, "The argument of {} is not closed: a closing brace is missing."),
    ("Argument of ", Runaway, "The argument of {} has a brace too many, or is not closed."),
    ("Incomplete \\if", Runaway, "An \\if is not closed by \\fi."),
    ("Double superscript", DoubleScript, "Two superscripts on one thing: use braces, as in a^{b^c}."),
    ("Double subscript", DoubleScript, "Two subscripts on one thing: use braces, as in a_{b_c}."),
    ("Misplaced alignment tab", Alignment, "`&` outside of a table or an alignment: write \\& for the sign itself."),
    ("Extra alignment tab", Alignment, "More columns in a row than the table has: a `&` too many, or \\\\ is missing."),
    (
        "Misplaced \\noalign",
        Alignment,
        "\\hline or a similar line is not at the beginning of a table row: \\\\ is missing before it, or there is \
            no table.",
    ),
    ("Misplaced \\omit", Alignment, "\\multicolumn is not the first thing in its cell."),
    ("Misplaced \\cr", Alignment, "A row ends outside a table."),
    ("Missing \\cr inserted", Alignment, "\\\\ is missing before the end of a row."),
    ("Illegal character in array arg", Alignment, "The column specification of a table has an unknown letter."),
    ("Illegal pream-token", Alignment, "The column specification of a table has an unknown letter."),
    ("\\verb illegal in", Verb, "\\verb can't be in the argument of another command."),
    ("\\verb ended by end of line", Verb, "\\verb is not closed on its line."),
    ("Unicode character", Unicode, "The character {} can't be set: load a package for it, or use XeLaTeX or LuaLaTeX."),
    ("Invalid UTF-8 byte", Unicode, "The file is not in UTF-8."),
    ("Text line contains an invalid character", Unicode, "The file has a character that TeX can't read."),
    ("perhaps a missing \\item", MissingItem, "A list has text before its first \\item, or no \\item."),
    ("Lonely \\item", MissingItem, "\\item is not in a list."),
    ("Too deeply nested", Nesting, "Too many lists within lists."),
    (
        "Not in outer par mode",
        Float,
        "A figure or table is in a place that can't have one: a box, a footnote or another float.",
    ),
    (
        "Float(s) lost",
        Float,
        "A figure, table or margin note is in a place that can't have one: a box, a footnote or another float.",
    ),
    ("outside float", Float, "\\caption is not in a figure or table."),
    ("Too many unprocessed floats", Float, "Too many figures and tables are waiting to be placed: add \\clearpage."),
    ("Missing number", Number, "A number or a length is missing."),
    ("Illegal unit of measure", Number, "A length has no known unit, such as pt, cm or em."),
    ("too large", TooLarge, "A number or a length is too large."),
    ("Arithmetic overflow", TooLarge, "A number or a length is too large."),
    (
        "TeX capacity exceeded",
        Capacity,
        "TeX ran out of memory: usually a command calls itself, or something is never closed.",
    ),
    ("Bad math environment delimiter", MisplacedMath, "A formula begins inside another formula, or ends outside one."),
    ("allowed only in math mode", MissingMath, "{} is for formulas only."),
    ("invalid in math mode", MisplacedMath, "{} can't be in a formula."),
    (
        "Missing delimiter",
        Delimiter,
        "\\left, \\right and similar commands need a delimiter after them, such as ( or \\{.",
    ),
    ("Missing \\right", Delimiter, "\\left has no \\right in the same formula."),
    ("Extra \\right", Delimiter, "\\right has no \\left in the same formula."),
    ("Missing \\begin{document}", MisplacedCommand, "There is text before \\begin{document}."),
    ("Can be used only in preamble", MisplacedCommand, "A preamble command comes after \\begin{document}."),
    ("You can't use", MisplacedCommand, "{} can't be used here."),
    ("already defined", AlreadyDefined, "{} is already defined: use \\renewcommand, or another name."),
    ("Illegal parameter number", Parameter, "A definition uses a parameter that it does not have."),
    ("Use of \\", Parameter, "A command is not used as it was defined: something is missing after it."),
    ("no line here to end", NoLine, "\\\\ is used where there is no line, such as at the beginning of a paragraph."),
    ("Option clash", BadOption, "A package is loaded twice with different options."),
    ("Unknown option", BadOption, "Unknown option {}."),
    ("Package keyval Error", BadOption, "Unknown key or option: {}."),
    ("I do not know the key", BadOption, "Unknown key {}."),
    ("requires either XeTeX or", Engine, "A package needs another engine: build with XeLaTeX or LuaLaTeX."),
    ("requires XeTeX", Engine, "A package needs another engine: build with XeLaTeX."),
    ("requires LuaTeX", Engine, "A package needs another engine: build with LuaLaTeX."),
    ("Lua error", Lua, "Lua code in the document failed: {}."),
    ("LuaTeX error", Lua, "Lua code in the document failed: {}."),
    ("cannot be found", MissingFont, "The font {} is not installed."),
    ("not loadable", MissingFont, "A font is not installed."),
    ("Unable to load picture", MissingFile, "The file {} was not found, or can't be read."),
    ("can't find file", MissingFile, "The file {} was not found."),
    ("(job aborted, no legal \\end found)", Stopped, "The document ends without \\end{document}."),
    ("Emergency stop", Stopped, "The run ended early."),
    ("==> Fatal error", Stopped, "The run ended early."),
    ("Command ", UndefinedCommand, "Unknown command {}."),
];

/// The kind and the meaning of an error.
pub(super) fn of_error(said: &str, context: &Context) -> (ProblemKind, String) {
    if said.contains("not found") && said.contains("File ") {
        return missing_file(said);
    }
    let fits = |row: &&Row| match row.0 {
        "Environment " => said.contains(row.0) && said.contains(" undefined"),
        "Command " => said.contains(row.0) && said.contains(" undefined"),
        part => said.contains(part),
    };
    match ERRORS.iter().find(fits) {
        Some(&(_, kind, meaning)) => (kind, meaning.replace("{}", &name(kind, said, context))),
        None if said.starts_with("Package ") || said.starts_with("Class ") => (Package, said.to_owned()),
        None => (Other, said.to_owned()),
    }
}

/// Whether a line has `\verb` within braces, where TeX has read what stands in it as commands already.
pub(super) fn verb_in_argument(near: &str) -> bool {
    let within = |before: &str| before.matches('{').count() > before.matches('}').count();
    near.split_once("\\verb").is_some_and(|(before, _)| within(before))
}

/// A file, package or class that was not found, by the name in the message.
pub(super) fn missing_file(said: &str) -> (ProblemKind, String) {
    let name = quoted(said).unwrap_or("?");
    match name.rsplit_once('.') {
        Some((package, "sty" | "ldf")) => (MissingPackage, format!("The package {package} is not installed.")),
        Some((class, "cls")) => (MissingPackage, format!("The class {class} is not installed.")),
        _ => (MissingFile, format!("The file {name} was not found.")),
    }
}

fn name(kind: ProblemKind, said: &str, context: &Context) -> String {
    let in_message = |before: &str| said.split_once(before).map(|(_, rest)| rest.trim());
    let found = match kind {
        UndefinedCommand if said.starts_with("Undefined") => context.command.as_deref(),
        UndefinedEnvironment => in_message("Environment ").and_then(|rest| rest.split(' ').next()),
        UnmatchedEnvironment | BadOption | Lua => {
            in_message(": ").or(Some(said)).map(|rest| rest.trim_end_matches('.'))
        }
        Unicode => in_message("character ").and_then(|rest| rest.split(" not").next()),
        Runaway => said.split(['\\']).nth(1).and_then(|rest| rest.split(' ').next()).filter(|rest| !rest.is_empty()),
        AlreadyDefined => in_message("Command ").and_then(|rest| rest.split(' ').next()),
        UndefinedCommand => in_message("Command ").and_then(|rest| rest.split(' ').next()),
        MisplacedCommand | MissingMath | MisplacedMath => {
            quoted(said).or_else(|| said.split(' ').find(|word| word.starts_with('\\')))
        }
        _ => quoted(said),
    };
    match (kind, found) {
        (Runaway, Some(found)) => format!("\\{}", found.trim_end_matches('.')),
        (BadOption, Some(_)) if quoted(said).is_some() => quoted(said).unwrap_or_default().to_owned(),
        (_, Some(found)) => found.to_owned(),
        (_, None) => "here".to_owned(),
    }
}

/// The first name in quotes: `x', 'x', "x" or “x”.
pub(super) fn quoted(said: &str) -> Option<&str> {
    let start = said.find(['`', '"', '\'', '“'])?;
    let open = said[start..].chars().next()?;
    let rest = &said[start + open.len_utf8()..];
    let close = match open {
        '"' => '"',
        '“' => '”',
        _ => '\'',
    };
    rest.find(close).map(|end| &rest[..end])
}
