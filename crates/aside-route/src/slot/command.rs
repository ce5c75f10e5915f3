//! Commands for the shell: quoted, or a known program with arguments that can be nothing but arguments.

use super::{Meaning, SlotContext, Words, files, names::unquoted};
use crate::situation::{ending_of, name_of};

/// Programs, with the words that may follow each. Words with a mark of paths or options may always follow.
#[rustfmt::skip]
const PROGRAMS: &[(&str, &[&str])] = &[
    ("cargo", &["build", "test", "run", "check", "fmt", "clippy", "bench", "doc", "clean"]),
    ("cat", &[]),
    ("date", &[]),
    ("df", &[]),
    ("du", &[]),
    ("echo", &[]),
    ("git", &["status", "log", "diff", "branch", "fetch", "stash", "show", "blame"]),
    ("head", &[]),
    ("julia", &[]),
    ("ls", &[]),
    ("make", &["all", "test", "tests", "clean", "build", "check", "docs", "lint"]),
    ("node", &[]),
    ("npm", &["test", "run", "build", "start", "lint"]),
    ("pwd", &[]),
    ("pytest", &[]),
    ("python", &[]),
    ("python3", &[]),
    ("Rscript", &[]),
    ("ruff", &["check", "format"]),
    ("tail", &[]),
    ("tree", &[]),
    ("wc", &[]),
    ("whoami", &[]),
];
/// The program that runs a script, by its ending.
const RUNNERS: &[(&str, &str)] =
    &[("py", "python3"), ("sh", "sh"), ("js", "node"), ("jl", "julia"), ("R", "Rscript"), ("r", "Rscript")];

/// Reads a command.
pub(super) fn command(words: Words<'_>, scene: SlotContext<'_>) -> Option<Meaning> {
    let text = words.text.trim();
    let is_code = text.starts_with('`');
    match unquoted(text) {
        Some(inside) if is_code => Some(Meaning::one(inside)),
        Some(inside) => is_command(inside, scene).then(|| Meaning::one(inside)),
        None => is_command(text, scene).then(|| Meaning::one(text)),
    }
}

/// Reads the name of a script, and returns the command that runs it.
pub(super) fn script(words: Words<'_>, scene: SlotContext<'_>) -> Option<Meaning> {
    let found = files::files(words, files::Sort::File, scene);
    let [meaning] = &found[..] else { return None };
    let path = meaning.values.first()?.as_str()?;
    let is_plain =
        path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-/".contains(&byte)) && !path.starts_with('-');
    let (_, runner) = RUNNERS.iter().find(|(ending, _)| *ending == ending_of(path))?;
    (is_plain && meaning.values.len() == 1)
        .then(|| Meaning { is_whole_name: true, ..Meaning::one(format!("{runner} {path}")) })
}

fn is_command(text: &str, scene: SlotContext<'_>) -> bool {
    let mut parts = text.split(' ').filter(|part| !part.is_empty());
    let Some(first) = parts.next() else { return false };
    let Some((_, known)) = PROGRAMS.iter().find(|(program, _)| *program == first) else { return false };
    let is_clean = !text.contains([';', '&', '|', '<', '>', '$', '`', '\n', '(', ')', ',', '?', '!', '"', '\''])
        && !text.ends_with(['.', ':']);
    is_clean && parts.all(|part| known.contains(&part) || is_argument(part, scene))
}

/// Tells whether a word can be an argument only: an option, a number, a path that is there.
fn is_argument(word: &str, scene: SlotContext<'_>) -> bool {
    let is_option = word.starts_with('-') && word.len() > 1;
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    let is_there = || {
        scene.situation.has(word.trim_end_matches('/'))
            || scene.situation.files.iter().any(|file| name_of(&file.path) == word && word.contains('.'))
    };
    is_option || is_number || is_there()
}
