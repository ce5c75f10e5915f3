//! Files that look like logs and are not read: of programs that are known, in a form that is not; and of programs that are known by name only.
//! Each kind of them is named with how many there are, one of them, and what can be done.

mod others;

use std::{
    collections::BTreeMap,
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

use serde::Serialize;

use super::{facts, single};
use crate::{Source, reader::uncounted};

pub use others::others;

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
        let Some((kind, hint)) = kind(source, &below.to_string_lossy(), path) else { return };
        self.note((kind, hint), path);
    }

    /// Takes a file of a kind, with the advice for it.
    fn note(&mut self, kind: (String, &'static str), path: &Path) {
        let known = self.0.entry(kind).or_insert_with(|| (0, path.to_owned()));
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

const COMPRESSIONS: &[&str] = &["zst", "gz", "br", "xz"];

/// Bytes at the start of a file that are looked at.
const LOOKED_AT: u64 = 64 << 10;

/// Files beside logs that have lines of JSON and are no logs.
const COMPANIONS: &[&str] =
    &["session.db", "log.jsonl", "history.jsonl", "prompt_history.jsonl", "feedback.jsonl", "events.jsonl"];

/// The kind of a file that resembles a log, and advice on how to get it read; none if it resembles nothing.
fn kind(source: Source, below: &str, path: &Path) -> Option<(String, &'static str)> {
    let name = below.rsplit('/').next()?;
    let (stem, ending) = name.rsplit_once('.')?;
    let folder = below.strip_suffix(name).unwrap_or_default();
    let is_log = |name: &str| facts(source, Path::new(&format!("{folder}{name}"))).is_some();
    if let Some(kind) =
        put_away(ending).filter(|_| is_log(stem) || COMPRESSIONS.contains(&ending) && stem.contains(".jsonl"))
    {
        return Some(kind);
    }
    let is_companion = COMPANIONS.contains(&name)
        || match source {
            Source::Kimi => stem.starts_with("context"),
            Source::Openclaw => stem.ends_with(".trajectory") || !below.contains("/sessions/"),
            _ => false,
        };
    let looks = match ending {
        // These keep many files of their own beside their logs.
        "jsonl" | "ndjson" if matches!(source, Source::Grok | Source::Cowork) => has_usage(path),
        "jsonl" | "ndjson" => true,
        "db" | "sqlite" | "sqlite3" => matches!(source, Source::Openclaw | Source::Copilot),
        "json" => {
            matches!(source, Source::Amp)
                || stem == "claude_messages"
                || source == Source::Gemini && below.contains("/chats/")
                // A log in another form than the one that is read.
                || !is_index(source, below) && is_log(&format!("{stem}.jsonl"))
        }
        _ => false,
    };
    (looks && !is_companion).then(|| (format!("unknown file (.{ending})"), UNKNOWN))
}

/// The kind of a log that was compressed or put away, by what is after its name.
fn put_away(ending: &str) -> Option<(String, &'static str)> {
    match ending {
        _ if COMPRESSIONS.contains(&ending) => Some((format!("compressed log (.{ending})"), COMPRESSED)),
        "bak" | "old" | "orig" | "backup" => Some((format!("copy of a log (.{ending})"), SET_ASIDE)),
        _ => None,
    }
}

/// Adds copies of databases that were put away beside them.
pub fn beside_databases(environment: &impl Fn(&str) -> Option<String>, found: &mut Vec<Skipped>) {
    for source in Source::all() {
        let mut skips = Skips::default();
        for database in single::databases(source, environment) {
            let (Some(folder), Some(name)) = (database.parent(), database.file_name()) else { continue };
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let file = entry.file_name();
                let rest = file
                    .to_str()
                    .zip(name.to_str())
                    .and_then(|(file, name)| file.strip_prefix(name)?.strip_prefix('.'));
                if let Some((kind, hint)) = rest.and_then(put_away) {
                    skips.note((kind, hint), &entry.path());
                }
            }
        }
        found.extend(skips.named(source.name()));
    }
}

/// Tells whether a JSON file next to logs tells about them, and has none in it.
fn is_index(source: Source, below: &str) -> bool {
    let name = below.rsplit('/').next().unwrap_or(below);
    match source {
        // What a session started, and what its tools returned, is below its folder.
        Source::Claude => name == "sessions-index.json" || below.split('/').count() > 2,
        Source::Droid | Source::Openclaw => matches!(name, "sessions.json" | "sessions-index.json"),
        Source::Copilot | Source::Kimi | Source::Grok | Source::Cowork => true,
        _ => false,
    }
}

/// Tells whether a file begins with lines that tell of tokens.
#[expect(clippy::disallowed_methods, reason = "looks at a file that is no document")]
fn has_usage(path: &Path) -> bool {
    let mut start = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(LOOKED_AT).read_to_end(&mut start));
    read.is_ok() && start.split(|byte| *byte == b'\n').any(uncounted::has_usage)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_look_like_logs_have_a_kind() {
        let told =
            |source, below: &str| kind(source, below, Path::new("/none")).map(|(kind, _)| kind).unwrap_or_default();
        assert_eq!(told(Source::Claude, "-w/s.jsonl.gz"), "compressed log (.gz)");
        assert_eq!(told(Source::Gemini, "h/chats/session-1.json.old"), "copy of a log (.old)");
        assert_eq!(told(Source::Gemini, "h/chats/other.json"), "unknown file (.json)");
        assert_eq!(told(Source::Kimi, "g/s/other.jsonl"), "unknown file (.jsonl)");
        for (source, below) in [
            (Source::Claude, "-w/s.json"),
            (Source::Codex, "2026/rollout-2026-06-30T10-00-00-thread.json"),
            (Source::Qwen, "w/chats/a.json"),
            (Source::Pi, "w/a.json"),
            (Source::Cursor, "w/agent-transcripts/a.json"),
            (Source::Droid, "-w/d1.json"),
        ] {
            assert_eq!(told(source, below), "unknown file (.json)", "{below}");
        }
        assert_eq!(told(Source::Openclaw, "main/sessions/o.jsonl.reset.2026.zst"), "compressed log (.zst)");
        for (source, below) in [
            (Source::Kimi, "g/s/context_1.jsonl"),
            (Source::Claude, "-w/memory/notes.md"),
            (Source::Copilot, "c1/session.db"),
            (Source::Grok, "%2Fw/g/rewind_points.jsonl"),
            (Source::Cline, "1/api_conversation_history.json"),
            (Source::Claude, "-w/sessions-index.json"),
            (Source::Claude, "-w/s/tool-results/a.json"),
            (Source::Openclaw, "main/sessions/sessions.json"),
            (Source::Copilot, "c1/workspace.json"),
        ] {
            assert_eq!(told(source, below), "", "{below}");
        }
    }
}
