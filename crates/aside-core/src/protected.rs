//! Paths that govern what programs and agents may do, compared as a forgiving file system would:
//! without case, invisible characters or trailing dots, and whether the file exists or not.
//!
//! Every protected name is ASCII, for which Unicode normal forms differ only by characters that the
//! case folding below already maps.

use unicode_normalization::UnicodeNormalization as _;

use crate::ObjectRef;

/// What kind of power a path has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Protection {
    /// Programs run it or read their settings from it: changing it asks a person.
    Runs,
    /// It holds what git is: changing it is not for agents, reading it asks.
    Git,
    /// It says what agents may do: changing it is not for agents.
    AgentConfig,
    /// It is Aside's own state, with the server's token and the audit: neither reading nor changing is for agents.
    Own,
}

const OWN: &[&str] = &[".aside"];

const GIT: &[&str] = &[".git", "git~1"];

/// Settings of agents and of editors with agents: what they may do without asking, their servers of tools, hooks, rules.
const AGENT_CONFIG: &[&str] = &[
    ".vscode",
    ".cursor",
    ".claude",
    ".codex",
    ".gemini",
    ".continue",
    ".windsurf",
    ".cline",
    ".roo",
    ".goose",
    ".zed",
    ".idea",
    ".mcp.json",
    "mcp.json",
    ".cursorrules",
    ".clinerules",
    ".windsurfrules",
    ".aider.conf.yml",
    // opencode: permissions, agents, plugins that are loaded by themselves (opencode.ai/docs/config).
    ".opencode",
    "opencode.json",
    "opencode.jsonc",
    ".opencode.json",
    // Kiro: steering, hooks, `settings/mcp.json`, tools that need no word (kiro.dev/docs/cli).
    ".kiro",
    // Amazon Q Developer, from which Kiro's command line came: `rules`, `cli-agents`, `mcp.json` (its user guide).
    ".amazonq",
    // Qwen Code: `settings.json` with its servers and tools (docs/users/configuration/settings.md of its repository).
    ".qwen",
    // Junie: `guidelines.md`, `mcp/mcp.json` (its documentation, "Guidelines" and "MCP").
    ".junie",
    // goose: hints that go along with every request (its documentation, "Providing hints").
    ".goosehints",
    // Crush: permissions and servers of tools and of languages, in either file (its README, "Configuration").
    ".crush.json",
    "crush.json",
    ".crush",
    // Trae, Augment and Factory: rules, agents, servers of tools (their documentation).
    ".trae",
    ".augment",
    ".augment-guidelines",
    ".factory",
    // Roo Code: which tools its modes may use (its documentation, "Customizing modes").
    ".roomodes",
    "aside-policy.toml",
];

const RUNS: &[&str] = &[
    // Instructions that agents take as their person's words.
    "agents.md",
    "claude.md",
    "gemini.md",
    "qwen.md",
    // Editors and debuggers that run such a file of the folder they are started in: Vim and Neovim with 'exrc' (`:help
    // exrc`), Emacs (its manual, "Directory Variables"), gdb ("Init File in the Current Directory"), LLDB (`man lldb`).
    ".vimrc",
    ".gvimrc",
    ".exrc",
    ".nvimrc",
    ".nvim.lua",
    ".dir-locals.el",
    ".gdbinit",
    ".lldbinit",
    // Languages and tools that read such a file of the folder they are started in: R (`?Startup`), latexmk (its manual,
    // "Configuration/initialization (rc) files"), pdb (Python's library reference, ".pdbrc"), GHCi (its guide, "The .ghci
    // and .haskeline files").
    ".rprofile",
    ".renviron",
    ".latexmkrc",
    "latexmkrc",
    ".pdbrc",
    ".ghci",
    // Shells and session start.
    ".envrc",
    ".direnv",
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".bash_aliases",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".kshrc",
    ".cshrc",
    ".tcshrc",
    ".login",
    ".inputrc",
    "config.fish",
    ".xprofile",
    ".xinitrc",
    ".xsession",
    // Continuous integration.
    ".github",
    ".gitlab",
    ".gitlab-ci.yml",
    ".circleci",
    ".travis.yml",
    ".drone.yml",
    ".woodpecker",
    ".woodpecker.yml",
    ".woodpecker.yaml",
    ".forgejo",
    ".gitea",
    ".cirrus.yml",
    ".cirrus.star",
    ".build.yml",
    ".builds",
    ".buildkite",
    ".ci",
    "azure-pipelines.yml",
    "azure-pipelines.yaml",
    "bitbucket-pipelines.yml",
    "appveyor.yml",
    ".appveyor.yml",
    "jenkinsfile",
    // Hooks and settings that name programs or places to send things.
    ".husky",
    ".githooks",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    ".gitattributes",
    ".gitmodules",
    ".gitconfig",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pnpmfile.cjs",
    ".pypirc",
    ".netrc",
    ".ssh",
    ".gnupg",
    ".docker",
    ".devcontainer",
    ".devcontainer.json",
    ".ipython",
    ".jupyter",
    ".cargo",
];

/// Returns the strongest protection of what an action touches.
pub fn protection(targets: &[ObjectRef]) -> Option<(Protection, &str)> {
    targets
        .iter()
        .filter(|target| matches!(target.kind.as_str(), "file" | "folder"))
        .filter_map(|target| path_protection(&target.id).map(|found| (found, target.id.as_str())))
        .max_by_key(|(found, _)| *found)
}

/// Returns the protection of one path, whether anything is there or not.
pub fn path_protection(path: &str) -> Option<Protection> {
    path.split(['/', '\\']).filter_map(|part| part_protection(&folded(part))).max()
}

fn part_protection(part: &str) -> Option<Protection> {
    let among = |names: &[&str]| names.contains(&part);
    if among(OWN) {
        Some(Protection::Own)
    } else if among(AGENT_CONFIG) {
        Some(Protection::AgentConfig)
    } else if among(GIT) {
        Some(Protection::Git)
    } else if among(RUNS) {
        Some(Protection::Runs)
    } else {
        None
    }
}

/// Returns a path as a forgiving file system compares it: without case, invisible characters, trailing dots, and with
/// accents in one form. Two paths that are the same file anywhere fold to the same text.
pub fn folded_path(path: &str) -> String {
    let parts: Vec<_> = path.split(['/', '\\']).map(folded).collect();
    parts.join("/")
}

/// Upper case first, so that characters with one upper-case form (ſ, K) fold together.
fn folded(part: &str) -> String {
    if part.is_ascii() {
        return bare(part).to_ascii_lowercase();
    }
    let visible: String = part.chars().filter(|character| !invisible(*character)).collect();
    // Composed at the end too: changing case takes some characters apart.
    bare(&visible).nfc().collect::<String>().to_uppercase().to_lowercase().nfc().collect()
}

/// `.git::$INDEX_ALLOCATION` and `.git. ` are `.git` on some file systems.
fn bare(part: &str) -> &str {
    part.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']).trim_start_matches(' ')
}

/// Characters that some file systems ignore in names.
fn invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_protected_paths_in_every_spelling() {
        for (path, expected) in [
            (".aside/server.json", Protection::Own),
            (".Aside", Protection::Own),
            (".git/hooks/pre-commit", Protection::Git),
            (".GIT/Config", Protection::Git),
            ("sub/.git", Protection::Git),
            ("GIT~1/config", Protection::Git),
            (".git./config", Protection::Git),
            (".git /config", Protection::Git),
            (".g\u{200c}it/config", Protection::Git),
            (".git::$INDEX_ALLOCATION/config", Protection::Git),
            (".cUrSoR/mcp.json", Protection::AgentConfig),
            (".VſCode/settings.json", Protection::AgentConfig),
            ("a/.mcp.json", Protection::AgentConfig),
            (".vscode\\tasks.json", Protection::AgentConfig),
            ("opencode.json", Protection::AgentConfig),
            (".opencode/plugins/x.ts", Protection::AgentConfig),
            ("sub/.Kiro/settings/mcp.json", Protection::AgentConfig),
            (".amazonq/rules/a.md", Protection::AgentConfig),
            (".qwen/settings.json", Protection::AgentConfig),
            (".junie/mcp/mcp.json", Protection::AgentConfig),
            (".goosehints", Protection::AgentConfig),
            (".crush.json", Protection::AgentConfig),
            ("crush.json", Protection::AgentConfig),
            (".crush/crush.json", Protection::AgentConfig),
            (".trae/rules/project_rules.md", Protection::AgentConfig),
            (".augment/rules/a.md", Protection::AgentConfig),
            (".augment-guidelines", Protection::AgentConfig),
            (".factory/mcp.json", Protection::AgentConfig),
            (".vimrc", Protection::Runs),
            ("analysis/.Rprofile", Protection::Runs),
            (".Renviron", Protection::Runs),
            (".latexmkrc", Protection::Runs),
            ("paper/latexmkrc", Protection::Runs),
            (".pdbrc", Protection::Runs),
            (".ghci", Protection::Runs),
            (".forgejo/workflows/ci.yml", Protection::Runs),
            (".gitea/workflows/ci.yml", Protection::Runs),
            (".woodpecker.yaml", Protection::Runs),
            (".cirrus.yml", Protection::Runs),
            (".cirrus.star", Protection::Runs),
            (".build.yml", Protection::Runs),
            (".builds/test.yml", Protection::Runs),
            ("azure-pipelines.yaml", Protection::Runs),
            ("sub/.exrc", Protection::Runs),
            (".github/workflows/ci.yml", Protection::Runs),
            (".envrc", Protection::Runs),
            ("AGENTS.md", Protection::Runs),
            ("home/.BASHRC", Protection::Runs),
            (".hus\u{212a}y/pre-push", Protection::Runs),
        ] {
            assert_eq!(path_protection(path), Some(expected), "{path}");
        }
    }

    #[test]
    fn leaves_ordinary_paths_alone() {
        for path in
            ["src/main.rs", "git/notes.md", "aside/x", ".gitignore", "vscode/readme.md", "a.git/b", "ci.yml", "envrc"]
        {
            assert_eq!(path_protection(path), None, "{path}");
        }
    }

    #[test]
    fn the_strongest_of_several_counts() {
        let file = |path: &str| ObjectRef { kind: "file".to_owned(), id: path.to_owned() };
        let targets = [file(".envrc"), file(".git/config"), file("plain.txt")];
        assert_eq!(protection(&targets), Some((Protection::Git, ".git/config")));
        assert_eq!(protection(&[ObjectRef { kind: "thread".to_owned(), id: ".git".to_owned() }]), None);
    }
}
