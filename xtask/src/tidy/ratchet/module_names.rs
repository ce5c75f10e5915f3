//! Modules that are named for a participle and not for the thing in them.

use super::{Measure, Offender};
use crate::tidy::source::SourceFile;

pub const MODULE_NAMES: Measure = Measure {
    name: "module-names",
    rule: "a module is named for the thing in it, not said, told, held and the like",
    find,
};

const NAMES: &[&str] = &["said", "told", "held", "left", "blame", "lapsed", "kept", "heard", "shown"];

fn find(files: &[SourceFile]) -> Vec<Offender> {
    let mut found = Vec::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        if NAMES.contains(&module_of(&file.path)) {
            found.push(Offender::in_folder(file, 1, "the file's name"));
        }
        for (index, line) in file.text.lines().enumerate() {
            if inline_module(line).is_some_and(|name| NAMES.contains(&name)) {
                found.push(Offender::in_folder(file, index + 1, line.trim()));
            }
        }
    }
    found
}

fn module_of(path: &str) -> &str {
    let path = path.trim_end_matches(".rs").trim_end_matches("/mod");
    path.rsplit('/').next().unwrap_or(path)
}

/// The name in `mod name {`; `mod name;` counts as its file.
fn inline_module(line: &str) -> Option<&str> {
    let (before, rest) = line.trim().split_once("mod ")?;
    let is_declaration = before.is_empty() || before.starts_with("pub");
    is_declaration.then(|| rest.strip_suffix('{').map(str::trim))?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::ratchet::tests::lines;

    #[test]
    fn participles_are_found_as_files_and_inline_modules() {
        assert_eq!(lines(&MODULE_NAMES, "crates/a/src/session/held.rs", ""), [1]);
        assert_eq!(lines(&MODULE_NAMES, "crates/a/src/told/mod.rs", "mod said;\n"), [1]);
        assert_eq!(lines(&MODULE_NAMES, "crates/a/src/lib.rs", "mod kept;\npub(crate) mod left {\n}\n"), [2]);
        assert_eq!(lines(&MODULE_NAMES, "crates/a/src/replay.rs", "mod withheld {\n}\n"), []);
        assert_eq!(lines(&MODULE_NAMES, "web/src/held.ts", ""), []);
    }
}
