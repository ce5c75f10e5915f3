//! The packages and suites that a changed file can reach.
//!
//! A package's tests depend on its own files, and on those of all packages of this workspace that it depends on. A file
//! that nothing here knows reaches everything, and so do all manifests, since the packages share their features.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use crate::run::root;

/// Prose that Rust reads: a file or a folder, and the package whose tests read it. Of several readers the first counts: the
/// others depend on it. A test below holds this list to the sources.
const READ_PROSE: &[(&str, &str)] = &[
    ("docs/security.md", "aside-testkit"),
    ("docs/actions/", "aside-server"),
    ("docs/actions/", "aside"),
    ("docs/coverage.md", "aside-server"),
    ("docs/settings.md", "aside-server"),
];
/// The package that has the pages.
const PAGES: &str = "aside-ui";
const BROWSER_TESTS: &str = "web/tests/";

/// The part of the repository that a file belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A package of the workspace.
    Package(String),
    /// The browser tests.
    BrowserTests,
    /// No test reads it: prose.
    Nobody,
    /// Anything may depend on it.
    Everything,
}

impl Owner {
    /// Tells whether a file of this owner can change a result of tests that are made of these packages.
    pub fn reaches(&self, packages: &BTreeSet<String>) -> bool {
        match self {
            Self::Package(name) => packages.contains(name),
            Self::Everything => true,
            Self::BrowserTests | Self::Nobody => false,
        }
    }
}

/// The packages of the workspace, each with the packages of the workspace that its manifest names.
pub struct Packages(BTreeMap<String, Dependencies>);

/// The packages of the workspace that a manifest names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Dependencies {
    /// In the package itself.
    always: BTreeSet<String>,
    /// In its tests only.
    in_tests: BTreeSet<String>,
}

impl Packages {
    /// Reads the manifests.
    pub fn read() -> Result<Self, String> {
        let crates = root().join("crates");
        let entries = fs::read_dir(&crates).map_err(|error| format!("cannot list {}: {error}", crates.display()))?;
        let mut folders: Vec<_> =
            entries.flatten().map(|entry| format!("crates/{}", entry.file_name().to_string_lossy())).collect();
        folders.extend(["fuzz".to_owned(), "xtask".to_owned()]);
        let mut packages = BTreeMap::new();
        for folder in folders {
            let file = root().join(&folder).join("Cargo.toml");
            let Ok(manifest) = fs::read_to_string(&file) else { continue };
            packages.insert(name(&folder), Dependencies::read(&manifest));
        }
        Ok(Self(packages))
    }

    /// The names of all.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// A package and everything that it and its tests are made of.
    pub fn below(&self, package: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::from([package.to_owned()]);
        let mut open: Vec<&str> = vec![package];
        open.extend(self.0.get(package).into_iter().flat_map(|of| &of.in_tests).map(String::as_str));
        found.extend(open.iter().map(|name| (*name).to_owned()));
        while let Some(name) = open.pop() {
            let dependencies = self.0.get(name).into_iter().flat_map(|of| &of.always);
            open.extend(dependencies.filter(|name| found.insert((*name).clone())).map(String::as_str));
        }
        found
    }

    /// Returns the part that a file belongs to.
    pub fn owner(&self, path: &str) -> Owner {
        let is_prose =
            path.starts_with("docs/") || (!path.contains('/') && (path.ends_with(".md") || path == "LICENSE"));
        if path.ends_with("Cargo.toml") {
            Owner::Everything
        } else if let Some((_, reader)) = READ_PROSE.iter().find(|(prose, _)| path.starts_with(prose)) {
            Owner::Package((*reader).to_owned())
        } else if is_prose {
            Owner::Nobody
        } else if path.starts_with(BROWSER_TESTS) {
            Owner::BrowserTests
        } else if path.starts_with("web/") {
            Owner::Package(PAGES.to_owned())
        } else {
            self.package(path).map_or(Owner::Everything, Owner::Package)
        }
    }

    fn package(&self, path: &str) -> Option<String> {
        let mut parts = path.split('/');
        let name = match parts.next()? {
            "crates" => parts.next()?.to_owned(),
            // Tasks decide how everything is run.
            "fuzz" => name("fuzz"),
            _ => return None,
        };
        // A file next to the crates belongs to none.
        (self.0.contains_key(&name) && parts.next().is_some() || name == "aside-fuzz").then_some(name)
    }
}

fn name(folder: &str) -> String {
    match folder {
        "fuzz" => "aside-fuzz".to_owned(),
        _ => folder.trim_start_matches("crates/").to_owned(),
    }
}

impl Dependencies {
    fn read(manifest: &str) -> Self {
        let mut found = Self::default();
        let mut is_for_tests = false;
        for line in manifest.lines() {
            if line.starts_with('[') {
                is_for_tests = line.contains("dev-dependencies");
            }
            let name = line.split(['.', '=', ' ']).next().filter(|name| name.starts_with("aside-"));
            if is_for_tests { &mut found.in_tests } else { &mut found.always }.extend(name.map(str::to_owned));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::source;

    fn some() -> Packages {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let table: [(&str, &[&str], &[&str]); 6] = [
            ("aside", &["aside-gate", "aside-ui"], &["aside-testkit"]),
            ("aside-core", &[], &[]),
            ("aside-gate", &["aside-core"], &[]),
            ("aside-latex", &[], &["aside-testkit"]),
            ("aside-testkit", &[], &["aside-gate"]),
            ("aside-ui", &[], &[]),
        ];
        let package = |(name, always, in_tests): (&str, &[&str], &[&str])| {
            (name.to_owned(), Dependencies { always: names(always), in_tests: names(in_tests) })
        };
        Packages(table.map(package).into())
    }

    #[test]
    fn package_is_made_of_all_below_it() {
        let below = |name: &str| some().below(name).into_iter().collect::<Vec<_>>();
        assert_eq!(below("aside"), ["aside", "aside-core", "aside-gate", "aside-testkit", "aside-ui"]);
        assert_eq!(below("aside-latex"), ["aside-latex", "aside-testkit"], "tests of a dependency are not in it");
    }

    #[test]
    fn manifest_names_dependencies_of_all_kinds() {
        let manifest = "[package]\nname = \"aside\"\n[dependencies]\naside-core.workspace = true\nserde = \"1\"\n\
                        [dev-dependencies]\naside-testkit = { path = \"x\" }\n[target.'cfg(unix)'.dependencies]\naside-doc.workspace = true\n";
        let Dependencies { always, in_tests } = Dependencies::read(manifest);
        let names = |set: BTreeSet<String>| set.into_iter().collect::<Vec<_>>();
        assert_eq!(
            (names(always), names(in_tests)),
            (vec!["aside-core".into(), "aside-doc".into()], vec!["aside-testkit".into()])
        );
    }

    #[test]
    fn unknown_file_reaches_everything() {
        let package = |name: &str| Owner::Package(name.to_owned());
        for (path, owner) in [
            ("crates/aside-gate/src/lib.rs", package("aside-gate")),
            ("crates/aside-gate/Cargo.toml", Owner::Everything),
            ("crates/aside-new/src/lib.rs", Owner::Everything),
            ("crates/README", Owner::Everything),
            ("Cargo.lock", Owner::Everything),
            (".config/nextest.toml", Owner::Everything),
            ("xtask/src/main.rs", Owner::Everything),
            ("new/file.txt", Owner::Everything),
            ("fuzz/fuzz_targets/edit.rs", package("aside-fuzz")),
            ("web/src/main.tsx", package("aside-ui")),
            ("web/tests/browser/gate.spec.ts", Owner::BrowserTests),
            ("docs/security.md", package("aside-testkit")),
            ("docs/actions/doc.md", package("aside-server")),
            ("docs/settings.md", package("aside-server")),
            ("docs/guide.md", Owner::Nobody),
            ("CHANGELOG.md", Owner::Nobody),
        ] {
            assert_eq!(some().owner(path), owner, "{path}");
        }
    }

    #[test]
    fn every_package_of_the_repository_is_read() {
        let packages = Packages::read().unwrap();
        let folders = std::fs::read_dir(root().join("crates")).unwrap().count();
        assert_eq!(packages.names().count(), folders + 2);
        let below = packages.below("aside");
        for name in ["aside-core", "aside-server", "aside-ui", "aside-macros"] {
            assert!(below.contains(name), "{name} is in {below:?}");
        }
    }

    /// Rust reads files of another package, or prose, only along a dependency, or as [`READ_PROSE`] says.
    #[test]
    fn files_elsewhere_are_read_along_dependencies() {
        let packages = Packages::read().unwrap();
        let mut problems = Vec::new();
        for file in source::files().into_iter().filter(|file| file.path.starts_with("crates/") && file.is_rust()) {
            let Owner::Package(reader) = packages.owner(&file.path) else { continue };
            let below = packages.below(&reader);
            for line in file.text.lines().filter(|line| !line.trim_start().starts_with("//")) {
                let other = line.split("../aside").nth(1).and_then(|rest| rest.split(['/', '"']).next());
                let other = other.map(|rest| format!("aside{rest}"));
                if other.is_some_and(|other| packages.0.contains_key(&other) && !below.contains(&other)) {
                    problems.push(format!("{}: {line}", file.path));
                }
                let prose =
                    line.split("../docs/").nth(1).map(|rest| format!("docs/{}", rest.split('"').next().unwrap_or("")));
                let is_listed = |prose: &str| {
                    READ_PROSE.iter().any(|(listed, by)| *by == reader && listed.trim_end_matches('/') == prose)
                };
                if prose.is_some_and(|prose| !is_listed(&prose)) {
                    problems.push(format!("{}: {line}", file.path));
                }
            }
        }
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}
