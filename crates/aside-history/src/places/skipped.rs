//! Files that look like logs and are not read: of programs that are known, in a form that is not; and of programs that are known by name only.
//! Each kind of them is named with how many there are, one of them, and what can be done.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::{EDITOR_BASES, facts};
use crate::Source;

/// A kind of file, or of record, that is not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// The program, for people.
    pub program: String,
    /// The kind of file or record, for people.
    pub kind: String,
    /// How many there are.
    pub count: u64,
    /// Where one of them is.
    pub example: String,
    /// Advice on how to get it read.
    pub hint: String,
}

/// The skipped files of one program: their count and an example, by kind.
#[derive(Debug, Default)]
pub struct Skips(BTreeMap<(String, &'static str), (u64, PathBuf)>);

const UNKNOWN: &str = "Aside does not know this kind of file: if it has usage or conversations, report its form";
const COMPRESSED: &str = "unpack it beside itself, such as with `gunzip` or `zstd -d`, and import again";
const SET_ASIDE: &str =
    "it looks like a copy that was put away: if the log itself is gone, rename it back and import again";

impl Skips {
    /// Takes a file that is no log by its name, if it looks like one.
    pub fn look(&mut self, source: Source, below: &Path, path: &Path) {
        let Some((kind, hint)) = kind(source, &below.to_string_lossy()) else { return };
        let known = self.0.entry((kind, hint)).or_insert_with(|| (0, path.to_owned()));
        known.0 += 1;
        if path < known.1.as_path() {
            path.clone_into(&mut known.1);
        }
    }

    /// Takes what another thread found.
    pub fn add(&mut self, other: Self) {
        for (kind, (count, example)) in other.0 {
            let known = self.0.entry(kind).or_insert_with(|| (0, example.clone()));
            known.0 += count;
            if example < known.1 {
                known.1 = example;
            }
        }
    }

    /// All of it, by the name of its program.
    pub fn named<'a>(self, program: &'a str) -> impl Iterator<Item = Skipped> + 'a {
        self.0.into_iter().map(move |((kind, hint), (count, example))| Skipped {
            program: program.to_owned(),
            kind,
            count,
            example: example.display().to_string(),
            hint: hint.to_owned(),
        })
    }
}

/// Files beside logs that have lines of JSON and are no logs.
const COMPANIONS: &[&str] =
    &["session.db", "log.jsonl", "history.jsonl", "prompt_history.jsonl", "feedback.jsonl", "events.jsonl"];

/// The kind of a file that resembles a log, and advice on how to get it read; none if it resembles nothing.
fn kind(source: Source, below: &str) -> Option<(String, &'static str)> {
    let name = below.rsplit('/').next()?;
    let (stem, ending) = name.rsplit_once('.')?;
    let folder = below.strip_suffix(name).unwrap_or_default();
    let is_log = |name: &str| facts(source, Path::new(&format!("{folder}{name}"))).is_some();
    match ending {
        "zst" | "gz" | "br" | "xz" if is_log(stem) || stem.contains(".jsonl") => {
            return Some((format!("compressed log (.{ending})"), COMPRESSED));
        }
        "bak" | "old" | "orig" | "backup" if is_log(stem) => {
            return Some((format!("copy of a log (.{ending})"), SET_ASIDE));
        }
        _ => {}
    }
    let is_companion = COMPANIONS.contains(&name)
        || match source {
            Source::Kimi => stem.starts_with("context"),
            Source::Openclaw => stem.ends_with(".trajectory") || !below.contains("/sessions/"),
            // It keeps many files of its own beside its logs.
            Source::Grok | Source::Cowork => true,
            _ => false,
        };
    let looks = match ending {
        "jsonl" | "ndjson" => true,
        "db" | "sqlite" | "sqlite3" => matches!(source, Source::Openclaw | Source::Copilot),
        "json" => {
            matches!(source, Source::Amp)
                || stem == "claude_messages"
                || source == Source::Gemini && below.contains("/chats/")
        }
        _ => false,
    };
    (looks && !is_companion).then(|| (format!("unknown file (.{ending})"), UNKNOWN))
}

/// A program that is known by name only: where it keeps sessions, and how these files end.
struct Other {
    program: &'static str,
    folders: &'static [&'static str],
    /// Its folder among those of editors.
    editor: &'static str,
    endings: &'static [&'static str],
    /// They are in a folder of this name; empty if in any.
    within: &'static [&'static str],
}

const fn other(program: &'static str, folders: &'static [&'static str], endings: &'static [&'static str]) -> Other {
    Other { program, folders, editor: "", endings, within: &[] }
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
    other("OpenHands", &[".openhands/sessions", ".openhands/conversations"], &["json"]),
];

const NOT_READ: &str = "Aside does not read the logs of this program";
/// Files that are counted of such a program, and how deep below its folder.
const MOST: u64 = 10_000;
const DEEPEST: usize = 8;

/// Logs of programs that are known by name only.
pub fn others(environment: &impl Fn(&str) -> Option<String>) -> Vec<Skipped> {
    let home = environment("HOME").or_else(|| environment("USERPROFILE")).map(PathBuf::from).unwrap_or_default();
    let mut all: BTreeMap<&str, (u64, PathBuf)> = BTreeMap::new();
    for other in OTHERS {
        let own = other.folders.iter().map(|folder| home.join(folder));
        let editors = EDITOR_BASES.iter().map(|base| home.join(base).join(other.editor));
        for folder in own.chain(editors.filter(|_| !other.editor.is_empty())) {
            count(other, &folder, 0, &mut all);
        }
    }
    let told = |(program, (count, example)): (&str, (u64, PathBuf))| Skipped {
        program: program.to_owned(),
        kind: "log of a program that is not read".to_owned(),
        count,
        example: example.display().to_string(),
        hint: NOT_READ.to_owned(),
    };
    all.into_iter().map(told).collect()
}

fn count(other: &Other, folder: &Path, depth: usize, all: &mut BTreeMap<&str, (u64, PathBuf)>) {
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
            let known = all.entry(other.program).or_insert_with(|| (0, path));
            if known.0 == MOST {
                return;
            }
            known.0 += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_look_like_logs_have_a_kind() {
        let told = |source, below: &str| kind(source, below).map(|(kind, _)| kind).unwrap_or_default();
        assert_eq!(told(Source::Claude, "-w/s.jsonl.gz"), "compressed log (.gz)");
        assert_eq!(told(Source::Gemini, "h/chats/session-1.json.old"), "copy of a log (.old)");
        assert_eq!(told(Source::Gemini, "h/chats/other.json"), "unknown file (.json)");
        assert_eq!(told(Source::Kimi, "g/s/other.jsonl"), "unknown file (.jsonl)");
        assert_eq!(told(Source::Openclaw, "main/sessions/o.jsonl.reset.2026.zst"), "compressed log (.zst)");
        for (source, below) in [
            (Source::Kimi, "g/s/context_1.jsonl"),
            (Source::Claude, "-w/memory/notes.md"),
            (Source::Copilot, "c1/session.db"),
            (Source::Grok, "%2Fw/g/rewind_points.jsonl"),
            (Source::Cline, "1/api_conversation_history.json"),
        ] {
            assert_eq!(told(source, below), "", "{below}");
        }
    }
}
