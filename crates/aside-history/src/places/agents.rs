//! Where agents of the command line keep their sessions, and what the names of their files tell.

use std::path::PathBuf;

use crate::{FileFacts, Source};

/// The folders of a program; `named` takes those of an environment variable, else the usual ones of a home.
pub fn roots(
    source: Source,
    named: &impl Fn(&str, &[&str]) -> Vec<PathBuf>,
    environment: &impl Fn(&str) -> Option<String>,
) -> Vec<PathBuf> {
    let below = |folders: Vec<PathBuf>, names: &[&str]| -> Vec<PathBuf> {
        folders.iter().flat_map(|folder| names.iter().map(|name| folder.join(name))).collect()
    };
    // Of several variables for the same the first that is set.
    let first = |names: &[&'static str]| {
        let is_set = |name: &&str| environment(name).is_some_and(|value| !value.trim().is_empty());
        names.iter().copied().find(is_set).unwrap_or(names[0])
    };
    let or = |listed: Vec<PathBuf>, usual: Vec<PathBuf>| if listed.is_empty() { usual } else { listed };
    match source {
        Source::Kimi => {
            let older = named(first(&["KIMI_DATA_DIR", "KIMI_SHARE_DIR"]), &[".kimi"]);
            below([older, named("KIMI_CODE_HOME", &[".kimi-code"])].concat(), &["sessions"])
        }
        Source::Droid => {
            let own = below(named("FACTORY_HOME_OVERRIDE", &[""]), &[".factory"]);
            let own = below(or(named("FACTORY_DIR", &[]), own), &["sessions", "projects"]);
            or(named("DROID_SESSIONS_DIR", &[]), own)
        }
        Source::Openclaw => {
            let names = ["OPENCLAW_DIR", "OPENCLAW_STATE_DIR", "MOLTBOT_STATE_DIR", "CLAWDBOT_STATE_DIR"];
            let homes = named("OPENCLAW_HOME", &[""]);
            let own = below(homes, &[".openclaw", ".clawdbot", ".moltbot", ".moldbot"]);
            below(or(named(first(&names), &[]), own), &["agents"])
        }
        Source::Grok => below(named("GROK_HOME", &[".grok"]), &["sessions"]),
        Source::Codebuff => {
            let config = environment("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
            let bases = named("", &[".config"]).into_iter().chain(config).collect();
            let own = below(bases, &["manicode", "manicode-dev", "manicode-staging"]);
            let is_below = |folder: &PathBuf| folder.ends_with("projects");
            let folders = or(named("CODEBUFF_DATA_DIR", &[]), own).into_iter();
            folders.map(|folder| if is_below(&folder) { folder } else { folder.join("projects") }).collect()
        }
        _ => Vec::new(),
    }
}

/// Reads the facts of a log from its path below such a folder; none if it is no log.
pub fn facts(source: Source, path: &str, name: &str) -> Option<FileFacts> {
    let above = |levels: usize| path.rsplit('/').nth(levels);
    let (session, document) = match source {
        // `<group>/<session>/wire.jsonl`, and of the models that it started below `subagents` or `agents`.
        Source::Kimi if name == "wire.jsonl" && path.split('/').count() > 2 => (path.split('/').nth(1)?, false),
        Source::Droid if name.ends_with(".jsonl") => (name.strip_suffix(".jsonl")?, false),
        Source::Droid => (name.strip_suffix(".settings.json")?, true),
        Source::Openclaw if name == "openclaw-agent.sqlite" => (above(2)?, true),
        Source::Openclaw if path.split('/').any(|part| part == "sessions") => (openclaw(name)?, false),
        Source::Grok if name == "updates.jsonl" => (above(1)?, false),
        Source::Grok if name == "chat_history.jsonl" => (above(1)?, true),
        Source::Codebuff if name == "chat-messages.json" => (above(1)?, true),
        _ => return None,
    };
    Some(FileFacts { session: session.to_owned(), document })
}

/// The session of a file of OpenClaw: one that was put away has a word and a time after its name.
fn openclaw(name: &str) -> Option<&str> {
    let (session, ending) = name.split_once(".jsonl")?;
    let is_put_away = [".deleted.", ".reset.", ".bak", ".full.bak"].iter().any(|word| ending.starts_with(word));
    let is_compressed = [".zst", ".gz"].iter().any(|end| ending.ends_with(end));
    let is_plain = ending.is_empty() && !session.ends_with(".trajectory");
    (is_plain || is_put_away && !is_compressed).then_some(session)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_tell_their_sessions() {
        let session = |source, path: &str| {
            let name = path.rsplit('/').next().unwrap();
            facts(source, path, name).map(|facts| facts.session)
        };
        let some = |text: &str| Some(text.to_owned());
        for path in ["g/s/wire.jsonl", "g/s/subagents/a/wire.jsonl", "g/s/agents/main/wire.jsonl"] {
            assert_eq!(session(Source::Kimi, path), some("s"), "{path}");
        }
        assert_eq!(session(Source::Kimi, "g/s/context.jsonl"), None);
        assert_eq!(session(Source::Droid, "-w/d1.settings.json"), some("d1"));
        assert_eq!(session(Source::Openclaw, "main/sessions/o1.jsonl.deleted.2026-02-19T08-59-24.951Z"), some("o1"));
        assert_eq!(session(Source::Openclaw, "main/sessions/o1.jsonl.reset.2026.zst"), None);
        assert_eq!(session(Source::Openclaw, "main/sessions/o1.trajectory.jsonl"), None);
        assert_eq!(session(Source::Grok, "%2Fw/g1/updates.jsonl"), some("g1"));
        assert_eq!(session(Source::Codebuff, "shop/chats/2026/chat-messages.json"), some("2026"));
    }
}
