//! Where the code of a program comes from, which can be elsewhere than in the program that is named.

use std::path::{Path, PathBuf};

use aside_core::McpLaunch;

/// Variables that make programs load other code, which is said where they are shown.
const LOADERS: &[&str] = &[
    "BASH_ENV",
    "ENV",
    "GIT_SSH_COMMAND",
    "JAVA_TOOL_OPTIONS",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PATH",
    "PERL5OPT",
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "RUBYOPT",
];

/// Programs that fetch what they run, with what marks a pinned package.
const FETCHERS: &[&str] = &["npx", "bunx", "pnpx", "uvx", "pipx", "npm", "pnpm", "yarn", "uv", "docker", "podman"];

/// Programs that run the code of a folder that is named to them.
const RUNNERS: &[&str] = &["bun", "cargo", "deno", "go", "make", "npm", "pnpm", "uv", "yarn"];
/// Programs that run the code of a folder that comes first.
const INTERPRETERS: &[&str] = &["node", "python", "python3"];

/// What to know before saying yes.
pub(crate) fn notes(launch: &McpLaunch, workspace: &Path) -> Vec<String> {
    let mut notes = Vec::new();
    let McpLaunch::Program { argv, environment, inherit, .. } = launch else {
        notes.push("Arguments of its tools are sent there.".to_owned());
        return notes;
    };
    notes.push("It runs with your rights, with full access to your files and the network.".to_owned());
    let program = Path::new(&argv[0]).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let pinned = |word: &String| word.trim_start_matches('@').contains(['@', '=']) || word.contains("sha256:");
    if FETCHERS.contains(&program) && !argv.iter().skip(1).any(pinned) {
        notes.push("It downloads a program without a fixed version, which can change at any time.".to_owned());
    }
    if is_of_folder(launch, workspace) {
        notes.push(
            "It runs in the workspace, whose files can change what it does, so you are asked at each start.".to_owned(),
        );
    }
    let loaders = environment.keys().chain(inherit).filter(|name| loads_code(name));
    notes.extend(loaders.map(|name| format!("`{name}` can make it load other code.")));
    notes
}

/// Tells whether what a program does can be changed by files of a folder: it lies or runs there, is given a file of it,
/// or takes a folder of it as where its code is.
pub(crate) fn is_of_folder(launch: &McpLaunch, folder: &Path) -> bool {
    let McpLaunch::Program { argv, cwd, environment, .. } = launch else { return false };
    let folder = real(folder);
    let within = |path: &str| Path::new(path).is_absolute() && real(Path::new(path)).starts_with(&folder);
    let program = Path::new(&argv[0]).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let code = |(at, word): (usize, &String)| {
        let word = word.rsplit_once('=').map_or(word.as_str(), |(_, value)| value);
        let runs_folder = RUNNERS.contains(&program) || at == 1 && INTERPRETERS.contains(&program);
        within(word) && (runs_folder || !Path::new(word).is_dir())
    };
    let loads = |(name, value): (&String, &String)| loads_code(name) && value.split(':').any(within);
    cwd.as_deref().is_some_and(within)
        || within(&argv[0])
        || argv.iter().enumerate().skip(1).any(code)
        || environment.iter().any(loads)
}

fn loads_code(variable: &str) -> bool {
    LOADERS.contains(&variable) || variable.starts_with("LD_") || variable.starts_with("DYLD_")
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn what_could_surprise_is_said() {
        let notes = |launch: Value| notes(&serde_json::from_value(launch).unwrap(), Path::new("/w")).join(" ");
        let unpinned = notes(
            json!({ "kind": "program", "argv": ["/bin/npx", "-y", "@scope/server"], "cwd": "/w/sub", "inherit": ["LD_PRELOAD"] }),
        );
        assert!(
            unpinned.contains("without a fixed version")
                && unpinned.contains("in the workspace")
                && unpinned.contains("`LD_PRELOAD`")
        );
        let pinned = notes(json!({ "kind": "program", "argv": ["/bin/npx", "-y", "@scope/server@1.2.3"] }));
        assert!(!pinned.contains("version") && pinned.contains("your rights"));
    }
    #[test]
    fn a_program_is_of_a_folder_if_files_of_it_can_change_what_it_does() {
        let folder = tempfile::tempdir().unwrap();
        let of_folder = |argv: &[&str], cwd: Option<&str>| {
            let argv: Vec<_> = argv.iter().map(|word| word.replace("W", folder.path().to_str().unwrap())).collect();
            let cwd = cwd.map(|cwd| cwd.replace("W", folder.path().to_str().unwrap()));
            is_of_folder(
                &McpLaunch::Program { argv, cwd, environment: BTreeMap::new(), inherit: Vec::new() },
                folder.path(),
            )
        };
        assert!(of_folder(&["W/serve"], None) && of_folder(&["/bin/sh"], Some("W")));
        assert!(of_folder(&["/bin/sh", "W/serve.sh"], None) && of_folder(&["/bin/srv", "--script=W/x.js"], None));
        assert!(of_folder(&["/bin/uv", "--directory", "W", "run", "srv"], None));
        // A folder that a server looks at is no code of it.
        assert!(!of_folder(&["/bin/npx", "-y", "@scope/server-filesystem@1.0.0", "W"], Some("/")));
        assert!(!of_folder(&["/bin/srv", "W-other/x"], None));
    }
}
