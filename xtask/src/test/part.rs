//! Parts of the tests, and which of them have passed with the very inputs that they have now, in this target folder.
//!
//! A part is due if a file that can reach it, or a program that it uses, is not what it was when the part last passed.

use std::{
    fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::PathBuf,
};

use super::{
    reach::{Owner, Packages},
    sources::Sources,
};
use crate::run::target;

/// A part of the tests, with one number for everything that can change its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestPart {
    pub name: String,
    inputs: u64,
}

impl TestPart {
    /// Tells whether it has passed with these inputs.
    fn has_passed(&self) -> bool {
        fs::read_to_string(self.file()).is_ok_and(|text| text == self.record())
    }

    fn passed(&self) {
        let file = self.file();
        let written = fs::create_dir_all(file.with_file_name("")).and_then(|()| fs::write(&file, self.record()));
        // Then it is due again.
        if let Err(error) = written {
            eprintln!("cannot write {}: {error}", file.display());
        }
    }

    fn record(&self) -> String {
        format!("{:016x}\n", self.inputs)
    }

    fn file(&self) -> PathBuf {
        target("test-passed").join(self.name.replace('/', "-"))
    }
}

/// The parts of one suite.
#[derive(Debug, Default)]
pub struct TestParts {
    pub due: Vec<TestPart>,
    pub unchanged: Vec<TestPart>,
}

impl TestParts {
    /// The names of those that are due, if any are; says so if some are not.
    pub fn announced(&self, suite: &str) -> Option<Vec<&str>> {
        let names = |parts: &[TestPart]| parts.iter().map(|part| part.name.clone()).collect::<Vec<_>>().join(", ");
        if !self.unchanged.is_empty() {
            eprintln!("==> {suite}: unchanged since passed: {}", names(&self.unchanged));
        }
        (!self.due.is_empty()).then(|| self.due.iter().map(|part| part.name.as_str()).collect())
    }
}

/// All that the results of tests depend on.
pub struct Inputs {
    sources: Sources,
    /// The owner of each of these files, in the same order.
    owners: Vec<Owner>,
    packages: Packages,
    /// Versions of the programs that tests use.
    programs: String,
    /// Everything is due.
    all: bool,
}

impl Inputs {
    /// Reads the repository.
    pub fn read(programs: String, all: bool) -> Result<Self, String> {
        let (sources, packages) = (Sources::read()?, Packages::read()?);
        let owners = sources.0.keys().map(|path| packages.owner(path)).collect();
        Ok(Self { sources, owners, packages, programs, all })
    }

    /// The pages: their types, lint and unit tests.
    pub fn pages(&self) -> TestParts {
        self.chosen(vec![self.part("pages".to_owned(), |path, _| path.starts_with("web/"))])
    }

    /// The Rust tests, by package.
    pub fn packages(&self) -> TestParts {
        self.chosen(self.packages.names().map(|name| self.part_of(name, &[name])).collect())
    }

    /// A suite that these packages can break.
    pub fn suite(&self, name: &str, packages: &[&str]) -> TestParts {
        self.chosen(vec![self.part_of(name, packages)])
    }

    /// The comparison of the wire types with those of the pages.
    pub fn wire_types(&self) -> TestParts {
        let below = self.packages.below("aside-protocol");
        let part = self.part("wire types".to_owned(), |path, owner| {
            owner.reaches(&below) || path.starts_with("web/src/wire/gen/")
        });
        self.chosen(vec![part])
    }

    /// The browser tests, by file: each depends on the program, on what the tests share, and on itself.
    pub fn browser_tests(&self) -> TestParts {
        let below = self.packages.below("aside");
        let is_test = |path: &str, owner: &Owner| *owner == Owner::BrowserTests && path.ends_with(".spec.ts");
        let files = self.sources.0.keys().zip(&self.owners).filter(|(path, owner)| is_test(path, owner));
        let part = |(file, _): (&String, &Owner)| {
            self.part(file.trim_start_matches("web/").to_owned(), |path, owner| {
                path == file || owner.reaches(&below) || (*owner == Owner::BrowserTests && !is_test(path, owner))
            })
        };
        self.chosen(files.map(part).collect())
    }

    /// Writes down that parts have passed, unless somebody has changed a file meanwhile.
    pub fn passed(&self, parts: &[TestPart]) {
        if Sources::read().is_ok_and(|now| now == self.sources) {
            parts.iter().for_each(TestPart::passed);
        }
    }

    fn part_of(&self, name: &str, packages: &[&str]) -> TestPart {
        let below = packages.iter().flat_map(|package| self.packages.below(package)).collect();
        self.part(name.to_owned(), |_, owner| owner.reaches(&below))
    }

    fn part(&self, name: String, is_input: impl Fn(&str, &Owner) -> bool) -> TestPart {
        let mut hasher = DefaultHasher::new();
        self.programs.hash(&mut hasher);
        let files = self.sources.0.iter().zip(&self.owners).filter(|((path, _), owner)| is_input(path, owner));
        files.for_each(|(file, _)| file.hash(&mut hasher));
        TestPart { name, inputs: hasher.finish() }
    }

    fn chosen(&self, parts: Vec<TestPart>) -> TestParts {
        let (unchanged, due) = parts.into_iter().partition(|part| !self.all && part.has_passed());
        TestParts { due, unchanged }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The repository as it is, with one more word in these files, and with these programs.
    fn changed(files: &[&str], programs: &str) -> Inputs {
        let mut inputs = Inputs::read(programs.to_owned(), true).unwrap();
        for file in files {
            let content = inputs.sources.0.get_mut(*file).unwrap_or_else(|| panic!("there is no {file}"));
            *content = content.wrapping_add(1);
        }
        inputs
    }

    fn all_parts(inputs: &Inputs) -> Vec<TestPart> {
        [inputs.pages(), inputs.packages(), inputs.wire_types(), inputs.browser_tests()]
            .into_iter()
            .flat_map(|parts| parts.due)
            .collect()
    }

    /// The parts that are due after a change, if all have passed before.
    fn due(files: &[&str]) -> Vec<String> {
        let (before, after) = (all_parts(&changed(&[], "")), all_parts(&changed(files, "")));
        let pairs = before.into_iter().zip(after).filter(|(before, after)| before != after);
        pairs.map(|(_, after)| after.name).collect()
    }

    #[test]
    fn changed_action_reaches_its_crate_and_those_above() {
        let due = due(&["crates/aside-actions/src/lib.rs"]);
        for name in ["aside-actions", "aside-server", "aside-testkit", "aside", "tests/browser/gate.spec.ts"] {
            assert!(due.iter().any(|part| part == name), "{name} is due: {due:?}");
        }
        for name in ["aside-core", "aside-gate", "aside-workspace", "pages", "wire types"] {
            assert!(!due.iter().any(|part| part == name), "{name} is not due: {due:?}");
        }
    }

    #[test]
    fn changed_browser_test_is_due_alone() {
        assert_eq!(due(&["web/tests/browser/gate.spec.ts"]), ["pages", "tests/browser/gate.spec.ts"]);
    }

    #[test]
    fn manifest_program_or_unknown_file_reaches_everything() {
        let all = all_parts(&changed(&[], "")).len();
        for file in ["Cargo.lock", "crates/aside-latex/Cargo.toml", ".config/nextest.toml"] {
            assert_eq!(due(&[file]).len(), all - 1, "all but the pages: {file}");
        }
        let with = |programs: &str| all_parts(&changed(&[], programs));
        assert!(with("node 20").iter().zip(with("node 22")).all(|(one, other)| *one != other));
    }

    #[test]
    fn changed_prose_reaches_no_part() {
        assert!(due(&["CHANGELOG.md", "docs/guide.md"]).is_empty());
        let due = due(&["web/src/main.tsx"]);
        assert!(due.contains(&"pages".to_owned()) && due.contains(&"aside".to_owned()), "{due:?}");
        assert!(!due.contains(&"aside-server".to_owned()), "{due:?}");
    }
}
