//! Names that too many types share. A private type is seen in one file only, and may have a name of its kind.

use std::collections::BTreeMap;

use super::{Measure, Offender};
use crate::tidy::source::SourceFile;

/// Counts by name and not by folder, because one name is shared across folders.
pub const TYPE_NAMES: Measure = Measure {
    name: "type-names",
    rule: "at most three types that other files see have one name in the workspace",
    find,
};

const MOST_DEFINITIONS: usize = 3;

/// The arguments of an action have this name in the file of each action, which completes it.
const OF_EACH_ACTION: &str = "Args";

fn find(files: &[SourceFile]) -> Vec<Offender> {
    let mut by_name: BTreeMap<&str, Vec<Offender>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        for (index, line) in file.text.lines().enumerate() {
            if let Some(name) = definition(line).filter(|name| *name != OF_EACH_ACTION) {
                by_name.entry(name).or_default().push(Offender::new(name, file, index + 1, line.trim()));
            }
        }
    }
    by_name.into_values().filter(|found| found.len() > MOST_DEFINITIONS).flatten().collect()
}

/// The name in the definition of a `pub` or `pub(…)` struct, enum, trait or type alias.
fn definition(line: &str) -> Option<&str> {
    let line = line.trim_start().strip_prefix("pub")?;
    let line = if line.starts_with('(') { line.split_once(')')?.1 } else { line };
    let mut words = line.strip_prefix(' ')?.split_whitespace().skip_while(|word| *word == "unsafe");
    let is_type = matches!(words.next()?, "struct" | "enum" | "trait" | "type");
    let name = words.next()?.split(|letter: char| !letter.is_alphanumeric()).next()?;
    is_type.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::ratchet::tests::lines;

    #[test]
    fn name_of_four_types_is_found() {
        let text =
            "pub struct Call<T>(T);\npub enum Call { A }\n    pub(in crate::a) trait Call: Send {}\npub struct Edge;\n";
        assert_eq!(lines(&TYPE_NAMES, "a.rs", text), []);
        assert_eq!(lines(&TYPE_NAMES, "a.rs", &format!("{text}pub(crate) type Call = u8;\n")), [1, 2, 3, 5]);
    }

    #[test]
    fn arguments_of_actions_are_not_counted() {
        assert_eq!(lines(&TYPE_NAMES, "a.rs", &"pub struct Args;\n".repeat(5)), []);
    }

    #[test]
    fn private_types_are_not_counted() {
        let text = "pub struct Err;\npub struct Err;\npub struct Err;\n    type Err = String;\nstruct Err;\n// pub struct Err\n";
        assert_eq!(lines(&TYPE_NAMES, "a.rs", text), []);
    }
}
