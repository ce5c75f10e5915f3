//! Where VS Code and its kin keep what belongs to their extensions: on the computer itself, and on one that they reach over a network.

use std::path::{Path, PathBuf};

use super::roots::{config_home, own_folder};

/// Where editors keep what is theirs, on each system.
const BASES: [&str; 3] = ["Library/Application Support", ".config", "AppData/Roaming"];
const KIN: [&str; 10] = [
    "Code",
    "Code - Insiders",
    "Code - OSS",
    "VSCodium",
    "Cursor",
    "Windsurf",
    "Antigravity",
    "Kiro",
    "Positron",
    "Trae",
];
/// The folders of those that run where the files are, while their window is elsewhere, as with WSL, SSH and containers.
const SERVERS: [&str; 9] = [
    ".vscode-server/data",
    ".vscode-server-insiders/data",
    ".vscode-remote/data",
    ".vscodium-server/data",
    ".cursor-server/data",
    ".windsurf-server/data",
    ".antigravity-server/data",
    ".trae-server/data",
    ".local/share/code-server",
];

/// The folders of all systems in which editors have a folder each. None is there twice.
pub fn bases(home: &Path, environment: &impl Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let named = ["APPDATA", "VSCODE_APPDATA"].into_iter().filter_map(|name| own_folder(name, home, environment));
    let all = BASES.iter().map(|base| home.join(base)).chain([config_home(home, environment)]).chain(named);
    once(all)
}

/// The folders of an extension of VS Code and its kin. None is there twice.
pub fn editors(home: &Path, environment: &impl Fn(&str) -> Option<String>, extension: &str) -> Vec<PathBuf> {
    let portable = own_folder("VSCODE_PORTABLE", home, environment).map(|folder| folder.join("user-data"));
    let desktop = bases(home, environment).into_iter().flat_map(|base| KIN.map(|editor| base.join(editor)));
    let servers = SERVERS.iter().map(|server| home.join(server));
    let all = desktop.chain(servers).chain(portable);
    once(all.map(|editor| editor.join("User/globalStorage").join(extension).join("tasks")))
}

fn once(all: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut kept = Vec::new();
    for folder in all {
        if !kept.contains(&folder) {
            kept.push(folder);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_folder_of_editors_is_named_twice() {
        for named in ["", "/home/me/.config", "/home/me/x"] {
            let environment = |name: &str| ["XDG_CONFIG_HOME", "APPDATA"].contains(&name).then(|| named.to_owned());
            let all = editors(Path::new("/home/me"), &environment, "some.extension");
            assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "{named}");
            let folder = Path::new(if named.is_empty() { "/home/me/.config" } else { named });
            assert!(all.contains(&folder.join("Code/User/globalStorage/some.extension/tasks")), "{all:?}");
        }
    }
}
