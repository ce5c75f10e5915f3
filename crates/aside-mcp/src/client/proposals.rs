//! Servers that files of the workspace name, as other programs write them down. They are read and shown, and nothing
//! of them is started: only `mcp.add`, which asks a person, adds one.

mod entry;
mod loose;

use std::collections::BTreeSet;

use aside_core::{McpLaunch, McpProposal, McpProposals, McpServerName, WorkspacePath};
use aside_workspace::{Workspace, WorkspaceError};
use serde_json::{Map, Value};

use super::{launch, servers::Servers, words::fit_line};
use entry::Entry;

/// Where they are looked for, and under which key: Claude Code's, VS Code's, Cursor's.
const FILES: &[(&str, &str)] =
    &[(".mcp.json", "mcpServers"), (".vscode/mcp.json", "servers"), (".cursor/mcp.json", "mcpServers")];
/// Bytes of one file.
const MOST_BYTES: u64 = 256 * 1024;
/// Servers of one file.
const MOST_ENTRIES: usize = 50;
/// Characters of a name that are shown.
const LONGEST_GIVEN: usize = 60;
/// Characters of a name here.
const LONGEST_NAME: usize = 20;

impl Servers {
    /// What the files of the workspace propose and nobody has added. Reads them anew each time.
    pub fn proposals(&self, workspace: &Workspace) -> McpProposals {
        let mut found = McpProposals::default();
        for (file, key) in FILES {
            let path: WorkspacePath = file.parse().expect("our paths are well formed");
            match read(workspace, &path, key) {
                Ok(entries) => found.proposals.extend(self.proposed(workspace, &path, &entries)),
                Err(problem) => found.problems.push(format!("{path}: {problem}")),
            }
        }
        self.name_apart(&mut found.proposals);
        found
    }

    fn proposed(&self, workspace: &Workspace, file: &WorkspacePath, entries: &Map<String, Value>) -> Vec<McpProposal> {
        let added: Vec<McpLaunch> = self.list().into_iter().map(|server| server.launch).collect();
        let read = entries.iter().take(MOST_ENTRIES).map(|(given, value)| {
            let Entry { launch, mut problems } = Entry::read(given, value, workspace.folder());
            let launch = launch.and_then(|launch| match launch::checked(&launch) {
                Ok(checked) => Some(checked),
                Err(failure) => {
                    problems.push(failure.message);
                    None
                }
            });
            let given = fit_line(given, LONGEST_GIVEN);
            McpProposal { name: name_of(&given), given, file: file.clone(), launch, problems }
        });
        read.filter(|proposal| proposal.launch.as_ref().is_none_or(|launch| !added.contains(launch))).collect()
    }

    /// Gives each a name of its own, which no server has.
    fn name_apart(&self, proposals: &mut [McpProposal]) {
        let mut taken: BTreeSet<McpServerName> = self.list().into_iter().map(|server| server.name).collect();
        for proposal in proposals {
            let plain = proposal.name.clone();
            for number in 2.. {
                if taken.insert(proposal.name.clone()) {
                    break;
                }
                proposal.name = numbered(&plain, number);
            }
        }
    }
}

/// The entries of one file; none if there is no such file.
fn read(workspace: &Workspace, path: &WorkspacePath, key: &str) -> Result<Map<String, Value>, String> {
    let bytes = match workspace.read_file(path, MOST_BYTES) {
        Ok(bytes) => bytes,
        Err(WorkspaceError::NotFound(_)) => return Ok(Map::new()),
        Err(error) => return Err(error.to_string()),
    };
    entries(&bytes, key)
}

fn entries(bytes: &[u8], key: &str) -> Result<Map<String, Value>, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
    let value: Value = serde_json::from_str(&loose::strict(text)).map_err(|error| format!("not JSON: {error}"))?;
    match value {
        Value::Object(mut fields) => match fields.remove(key) {
            Some(Value::Object(entries)) => Ok(entries),
            Some(_) => Err(format!("`{key}` is not an object")),
            None => Ok(Map::new()),
        },
        _ => Err("it is not an object".to_owned()),
    }
}

/// The nearest name that a server can have here.
fn name_of(given: &str) -> McpServerName {
    let letters = given.chars().map(|letter| letter.to_ascii_lowercase()).filter(char::is_ascii_alphanumeric);
    let name: String = letters.skip_while(char::is_ascii_digit).take(LONGEST_NAME).collect();
    name.parse().unwrap_or_else(|_| "server".parse().expect("this one is well formed"))
}

fn numbered(name: &McpServerName, number: usize) -> McpServerName {
    let number = number.to_string();
    let kept = name.as_str().len().min(LONGEST_NAME - number.len());
    format!("{}{number}", &name.as_str()[..kept]).parse().expect("a name and digits make a name")
}

#[cfg(test)]
mod tests {
    use aside_gate::Catalog;
    use aside_store::{DataFolder, Store, StoreOptions};
    use proptest::prelude::*;

    use super::*;
    use crate::ClientLimits;

    #[expect(clippy::disallowed_methods, reason = "a test's own folder")]
    fn proposed(files: &[(&str, &str)]) -> McpProposals {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::system()).unwrap();
        let workspace = Workspace::open(folder.path(), store).unwrap();
        let data = DataFolder::at(folder.path().join("data"));
        let catalog = Catalog::new([]).unwrap();
        let servers = Servers::open(catalog, folder.path(), Some(&data), ClientLimits::default()).unwrap();
        servers.proposals(&workspace)
    }

    #[test]
    fn files_of_the_folder_propose_and_a_broken_one_says_why() {
        let found = proposed(&[
            (".mcp.json", r#"{"mcpServers": {"My Files": {"command": "sh", "args": ["-c", "true"]}}}"#),
            (
                ".vscode/mcp.json",
                "{ // mine\n\"servers\": {\"my-files\": {\"type\": \"http\", \"url\": \"https://x.example/mcp\"},}}",
            ),
            (".cursor/mcp.json", "{"),
        ]);
        let names: Vec<_> = found.proposals.iter().map(|one| (one.name.as_str(), one.file.as_str())).collect();
        assert_eq!(names, [("myfiles", ".mcp.json"), ("myfiles2", ".vscode/mcp.json")]);
        assert!(found.proposals.iter().all(|one| one.launch.is_some() && one.problems.is_empty()));
        assert_eq!(found.problems.len(), 1);
        assert!(found.problems[0].starts_with(".cursor/mcp.json: not JSON"), "{:?}", found.problems);
    }

    #[test]
    fn one_that_cannot_be_started_is_shown_with_the_reason() {
        let found = proposed(&[(".mcp.json", r#"{"mcpServers": {"x": {"command": "no-such-program-here"}, "y": 5}}"#)]);
        let problems: Vec<_> = found.proposals.iter().map(|one| (one.launch.is_none(), one.problems.len())).collect();
        assert_eq!(problems, [(true, 1), (true, 1)]);
    }

    #[test]
    fn a_folder_without_such_files_proposes_nothing() {
        assert_eq!(proposed(&[("notes.md", "x")]), McpProposals::default());
        assert_eq!(proposed(&[(".mcp.json", "{}")]), McpProposals::default());
    }

    #[test]
    fn names_stay_within_what_a_server_can_be_called() {
        for (given, name) in [("GitHub", "github"), ("1st", "st"), ("読む", "server"), ("a_b-c.d", "abcd")] {
            assert_eq!(name_of(given).as_str(), name);
        }
        assert_eq!(numbered(&"abcdefghijklmnopqrst".parse().unwrap(), 12).as_str(), "abcdefghijklmnopqr12");
    }

    proptest! {
        #[test]
        fn any_file_is_read(text in "[\\{\\}\\[\\]\",:/*a-z$\\\\\n ]{0,80}", given in ".{0,80}") {
            let _ = entries(text.as_bytes(), "servers");
            let file = serde_json::json!({ "servers": { given.clone(): text } }).to_string();
            prop_assert!(entries(file.as_bytes(), "servers").unwrap().contains_key(&given));
            prop_assert!(name_of(&given).as_str().len() <= LONGEST_NAME);
        }
    }
}
