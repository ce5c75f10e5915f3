//! The facts of a log that its path tells: its session, and whether it is read as a whole.

use std::path::Path;

use super::{agents, cowork, plain_name};
use crate::{FileFacts, Source};

/// Reads the facts of a log from its path below the program's folder; none if it is no log.
pub fn facts(source: Source, path: &Path) -> Option<FileFacts> {
    // As text, once: this is told of everything that lies there.
    let path = path.to_string_lossy();
    let whole = path.rsplit('/').next().filter(|name| !name.is_empty())?;
    let name = if source == Source::Codex { plain_name(whole) } else { whole };
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem });
    let lines = name.ends_with(".jsonl");
    let above = |levels: usize| path.rsplit('/').nth(levels).unwrap_or(stem);
    let session = match source {
        // `<project>/<session>.jsonl`, and what a session started is below `<project>/<session>/`.
        Source::Claude if lines => {
            let mut parts = path.split('/').skip(1);
            parts.next().filter(|_| parts.next().is_some()).unwrap_or(stem)
        }
        // `rollout-<time>-<session>.jsonl`; the first record says it again.
        Source::Codex if lines => stem.strip_prefix("rollout-").and_then(|rest| rest.get(20..)).unwrap_or(stem),
        Source::Gemini if stem.starts_with("session-") && (lines || name.ends_with(".json")) => stem,
        // What a session started is in a folder of its name.
        Source::Gemini if lines && above(2) == "chats" => above(1),
        Source::Qwen if lines && above(1) == "chats" => stem,
        Source::Pi if lines => stem,
        Source::Copilot if name == "events.jsonl" => above(1),
        // An export stands in its folder itself, and not in that of a session.
        Source::Copilot if lines && !path.contains('/') => {
            return Some(FileFacts { session: stem.to_owned(), document: true });
        }
        Source::Kimi | Source::Droid | Source::Openclaw | Source::Grok | Source::Codebuff => {
            return agents::facts(source, &path, name);
        }
        Source::Cowork => return cowork::facts(&path),
        Source::Amp if name.starts_with("T-") && name.ends_with(".json") => stem,
        Source::Opencode if name.ends_with(".json") => above(1),
        Source::Continue if name.ends_with(".json") && name != "sessions.json" => stem,
        Source::Cursor
            if (lines || name.ends_with(".txt")) && path.split('/').any(|part| part == "agent-transcripts") =>
        {
            stem
        }
        Source::Cline | Source::Roo | Source::Kilo if name == "ui_messages.json" => above(1),
        // That of a session that another one started is in the folder of that one.
        Source::Cline if name.ends_with(".messages.json") => above(1),
        _ => return None,
    };
    Some(FileFacts { session: session.to_owned(), document: !lines || name != whole })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_tells_its_session() {
        let session = |source, path: &str| facts(source, Path::new(path)).map(|facts| facts.session);
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(session(Source::Claude, "-home-me-work/abc.jsonl"), some("abc"));
        assert_eq!(session(Source::Claude, "-home-me-work/abc/subagents/agent-1.jsonl"), some("abc"));
        assert_eq!(session(Source::Claude, "-home-me-work/abc/old.jsonl"), some("abc"));
        assert_eq!(session(Source::Claude, "-home-me-work/notes.txt"), None);
        let rollout = "2026/06/30/rollout-2026-06-30T10-00-00-0197-aa.jsonl";
        assert_eq!(session(Source::Codex, rollout), some("0197-aa"));
        assert_eq!(session(Source::Codex, "rollout-x.jsonl"), some("rollout-x"));
        assert_eq!(session(Source::Copilot, "abc/events.jsonl"), some("abc"));
        assert_eq!(session(Source::Cline, "1700/ui_messages.json"), some("1700"));
        assert_eq!(session(Source::Cline, "1700/api_conversation_history.json"), None);
        assert_eq!(session(Source::Cline, "abc/abc__sub.messages.json"), some("abc"));
        assert_eq!(session(Source::Opencode, "ses_1/msg_2.json"), some("ses_1"));
        assert_eq!(session(Source::Cursor, "w/agent-transcripts/abc.txt"), some("abc"));
        assert_eq!(session(Source::Cursor, "w/agent-transcripts/abc/abc.jsonl"), some("abc"));
        assert_eq!(session(Source::Cursor, "w/notes.txt"), None);
        assert_eq!(session(Source::Gemini, "hash/chats/session-x.json"), some("session-x"));
        assert_eq!(session(Source::Gemini, "hash/checkpoint-x.json"), None);
        let cowork = "org/account/local_1/.claude/projects/-w/c1";
        assert_eq!(session(Source::Cowork, &format!("{cowork}.jsonl")), some("c1"));
        assert_eq!(session(Source::Cowork, &format!("{cowork}/subagents/agent-2.jsonl")), some("c1"));
        assert_eq!(session(Source::Cowork, "org/account/local_1/audit.jsonl"), some("local_1"));
        assert_eq!(session(Source::Cowork, "org/account/local_1/outputs/x.jsonl"), None);
        assert_eq!(session(Source::Gemini, "hash/chats/parent/child.jsonl"), some("parent"));
        assert_eq!(session(Source::Codex, &format!("{rollout}.zst")), some("0197-aa"));
    }
}
