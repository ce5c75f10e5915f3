//! Programs that are known by name only, and older versions of programs that are read: where they keep logs.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use super::{
    super::{bases, own_folder},
    Skipped,
};

/// A program that is known by name only: where it keeps sessions, and how these files end.
struct Other {
    program: &'static str,
    kind: &'static str,
    hint: &'static str,
    folders: &'static [&'static str],
    /// Its folder among those of editors.
    editor: &'static str,
    endings: &'static [&'static str],
    /// They are in a folder of this name; empty if in any.
    within: &'static [&'static str],
}

const fn other(program: &'static str, folders: &'static [&'static str], endings: &'static [&'static str]) -> Other {
    let (kind, hint) = ("log of a program that is not read", "Aside does not read the logs of this program");
    Other { program, kind, hint, folders, editor: "", endings, within: &[] }
}

/// Logs of older versions of a program whose newer ones are read.
const fn older(program: &'static str, folders: &'static [&'static str], endings: &'static [&'static str]) -> Other {
    let (kind, hint) =
        ("log of an older version", "Aside reads the logs of newer versions: open the session once in one of them");
    Other { kind, hint, ..other(program, folders, endings) }
}

const OTHERS: &[Other] = &[
    other("Kiro", &[".kiro/sessions"], &["json", "jsonl"]),
    Other { editor: "Kiro/User/globalStorage/kiro.kiroagent", ..other("Kiro", &[], &["chat"]) },
    Other {
        editor: "Code/User/workspaceStorage",
        within: &["chatSessions", "transcripts"],
        ..other("Copilot Chat", &[], &["json", "jsonl"])
    },
    other(
        "Antigravity",
        &[".gemini/antigravity", ".gemini/antigravity-ide", ".gemini/antigravity-cli"],
        &["pb", "db", "jsonl"],
    ),
    other("Cursor's command line", &[".cursor/chats", ".config/cursor/chats"], &["db"]),
    other("Windsurf", &[".codeium/windsurf/cascade"], &["pb"]),
    other("Junie", &[".junie/sessions"], &["jsonl"]),
    other("Zed", &[".local/share/zed/threads", "Library/Application Support/Zed/threads"], &["db"]),
    other("Devin", &[".local/share/devin/cli"], &["db"]),
    other("Crush", &[".local/share/crush"], &["db"]),
    other("Mux", &[".mux/sessions"], &["json", "jsonl"]),
    other("iFlow", &[".iflow/projects"], &["jsonl"]),
    other("CodeBuddy", &[".codebuddy/projects"], &["jsonl"]),
    other("Command Code", &[".commandcode/projects"], &["jsonl"]),
    other("ZCode", &[".zcode/projects"], &["jsonl"]),
    other("Qoder", &[".qoder/projects"], &["jsonl"]),
    other("gptme", &[".local/share/gptme/logs"], &["jsonl"]),
    other("Mistral Vibe", &[".vibe/logs"], &["jsonl"]),
    other("Amazon Q", &[".local/share/amazon-q", "Library/Application Support/amazon-q"], &["sqlite3"]),
    other("Kiro's command line", &[".local/share/kiro-cli", "Library/Application Support/kiro-cli"], &["sqlite3"]),
    other("Augment", &[".augment/sessions"], &["json"]),
    older(
        "Goose",
        &[
            ".local/share/goose/sessions",
            ".local/share/Block/goose/sessions",
            "Library/Application Support/goose/sessions",
        ],
        &["jsonl"],
    ),
    older("Copilot CLI", &[".copilot/history-session-state"], &["json", "jsonl"]),
    older("Kilo Code", &[".local/share/kilo/storage/message"], &["json"]),
    other("OpenHands", &[".openhands/sessions", ".openhands/conversations"], &["json"]),
];

/// Variables that name a folder which programs have elsewhere by default.
const VARIABLES: &[(&str, &str, &str)] = &[
    (".local/share/goose", "GOOSE_PATH_ROOT", "data"),
    (".local/share", "XDG_DATA_HOME", ""),
    (".config", "XDG_CONFIG_HOME", ""),
    (".copilot", "COPILOT_HOME", ""),
    (".cursor", "CURSOR_DATA_DIR", ""),
    (".gemini", "GEMINI_CLI_HOME", ".gemini"),
];
/// Files that are counted of such a program, and how deep below its folder.
const MOST: u64 = 10_000;
const DEEPEST: usize = 8;

/// Logs of programs that are known by name only.
pub fn others(environment: &impl Fn(&str) -> Option<String>) -> Vec<Skipped> {
    let home = environment("HOME").or_else(|| environment("USERPROFILE")).map(PathBuf::from).unwrap_or_default();
    let mut all: Counts = BTreeMap::new();
    for other in OTHERS {
        let own = other.folders.iter().flat_map(|folder| folders(folder, &home, environment));
        let editors = bases(&home, environment).into_iter().map(|base| base.join(other.editor));
        let unique: BTreeSet<PathBuf> = own.chain(editors.filter(|_| !other.editor.is_empty())).collect();
        for folder in unique {
            count(other, &folder, 0, &mut all);
        }
    }
    let told = |((program, kind), (hint, count, example)): ((&str, &str), (&str, u64, PathBuf))| Skipped {
        program: program.to_owned(),
        kind: kind.to_owned(),
        count,
        example: example.display().to_string(),
        hint: hint.to_owned(),
    };
    all.into_iter().map(told).collect()
}

/// By program and kind: advice, how many there are, and one of them.
type Counts = BTreeMap<(&'static str, &'static str), (&'static str, u64, PathBuf)>;

/// A folder below a home, and where variables put it.
fn folders(folder: &str, home: &Path, environment: &impl Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let elsewhere = VARIABLES.iter().filter_map(|(usual, variable, below)| {
        let rest = Path::new(folder).strip_prefix(usual).ok()?;
        Some(own_folder(variable, home, environment)?.join(below).join(rest))
    });
    [home.join(folder)].into_iter().chain(elsewhere).collect()
}

fn count(other: &Other, folder: &Path, depth: usize, all: &mut Counts) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let is_within = other.within.is_empty() || other.within.iter().any(|name| folder.ends_with(name));
    let mut entries: Vec<_> = entries.flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
        if kind.is_dir() && depth < DEEPEST {
            count(other, &path, depth + 1, all);
        }
        let fits = path.extension().is_some_and(|ending| other.endings.iter().any(|known| ending == *known));
        if kind.is_file() && fits && is_within {
            let known = all.entry((other.program, other.kind)).or_insert_with(|| (other.hint, 0, path));
            if known.1 == MOST {
                return;
            }
            known.1 += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_move_folders_of_unread_programs() {
        let environment = |name: &str| match name {
            "XDG_DATA_HOME" => Some("/data".to_owned()),
            "GOOSE_PATH_ROOT" => Some("~/goose".to_owned()),
            _ => None,
        };
        let folders = |folder| folders(folder, Path::new("/home/me"), &environment);
        assert_eq!(
            folders(".local/share/goose/sessions"),
            ["/home/me/.local/share/goose/sessions", "/home/me/goose/data/sessions", "/data/goose/sessions"]
                .map(PathBuf::from)
        );
        assert_eq!(folders(".mux/sessions"), ["/home/me/.mux/sessions"].map(PathBuf::from));
    }
}
