//! The folders in which programs keep their logs: those that an environment names, or else the usual ones.

use std::path::{Path, PathBuf};

use super::{agents, cowork, editors::editors};
use crate::Source;

/// The folders of a program.
pub fn roots(source: Source, environment: &impl Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let home = environment("HOME").or_else(|| environment("USERPROFILE")).map(PathBuf::from).unwrap_or_default();
    let named = |name: &str, defaults: &[&str]| -> Vec<PathBuf> {
        let listed = Some(name).filter(|name| !name.is_empty()).and_then(environment).unwrap_or_default();
        let listed: Vec<PathBuf> = listed
            .split(',')
            .map(str::trim)
            .filter(|entry| !entry.is_empty())
            .map(|entry| expand(entry, &home))
            .collect();
        if listed.is_empty() { defaults.iter().map(|folder| home.join(folder)).collect() } else { listed }
    };
    let own_folder = |name: &str| own_folder(name, &home, environment);
    let below = |folders: Vec<PathBuf>, names: &[&str]| -> Vec<PathBuf> {
        folders.iter().flat_map(|folder| names.iter().map(|name| folder.join(name))).collect()
    };
    match source {
        Source::Claude => named(
            "CLAUDE_CONFIG_DIR",
            &[".claude", &config_home(&home, environment).join("claude").display().to_string()],
        )
        .into_iter()
        .map(|folder| if folder.ends_with("projects") { folder } else { folder.join("projects") })
        .collect(),
        Source::Codex => below(named("CODEX_HOME", &[".codex"]), &["sessions", "archived_sessions"]),
        Source::Gemini => {
            let own = own_folder("GEMINI_CLI_HOME").unwrap_or_else(|| home.clone());
            below(named("GEMINI_DATA_DIR", &[&own.join(".gemini").display().to_string()]), &["tmp"])
        }
        Source::Qwen => {
            let own = ["QWEN_RUNTIME_DIR", "QWEN_HOME"].into_iter().find_map(own_folder);
            let own = own.unwrap_or_else(|| home.join(".qwen")).display().to_string();
            below(named("QWEN_DATA_DIR", &[&own]), &["projects"])
        }
        Source::Pi => {
            let own = own_folder("PI_CODING_AGENT_DIR").map(|path| vec![path.display().to_string()]);
            let own = own.unwrap_or_else(|| vec![".pi/agent".to_owned(), ".omp/agent".to_owned()]);
            let folders = named("PI_AGENT_DIR", &own.iter().map(String::as_str).collect::<Vec<_>>());
            below(folders, &["sessions"]).into_iter().chain(own_folder("PI_CODING_AGENT_SESSION_DIR")).collect()
        }
        Source::Copilot => below(named("COPILOT_HOME", &[".copilot"]), &["session-state", "otel"]),
        Source::Amp => {
            let usual = data_home(&home, environment).join("amp").display().to_string();
            below(named("AMP_DATA_DIR", &[&usual]), &["threads"])
        }
        Source::Opencode => {
            let usual = data_home(&home, environment).join("opencode").display().to_string();
            below(named("OPENCODE_DATA_DIR", &[&usual]), &["storage/message"])
        }
        Source::Cline => {
            let own = own_folder("CLINE_DIR").unwrap_or_else(|| home.join(".cline"));
            let data = own_folder("CLINE_DATA_DIR").unwrap_or_else(|| own.join("data"));
            let sessions = own_folder("CLINE_SESSION_DATA_DIR").unwrap_or_else(|| data.join("sessions"));
            editors(&home, environment, "saoudrizwan.claude-dev")
                .into_iter()
                .chain([data.join("tasks"), sessions])
                .collect()
        }
        Source::Roo => editors(&home, environment, "rooveterinaryinc.roo-cline"),
        Source::Kilo => editors(&home, environment, "kilocode.kilo-code"),
        Source::Continue => below(named("CONTINUE_GLOBAL_DIR", &[".continue"]), &["sessions"]),
        Source::Cursor => {
            let own = ["CURSOR_DATA_DIR", "CURSOR_CONFIG_DIR"].into_iter().filter_map(own_folder);
            let mut folders: Vec<PathBuf> = own.chain([home.join(".cursor")]).collect();
            folders.dedup();
            below(folders, &["projects"])
        }
        Source::Kimi | Source::Droid | Source::Openclaw | Source::Grok | Source::Codebuff => {
            agents::roots(source, &named, environment)
        }
        Source::Cowork => cowork::roots(&home, environment),
        Source::Hermes | Source::Goose | Source::Aider | Source::Aside => Vec::new(),
    }
}

/// Where programs keep their data; a path that is empty or relative is none, as the XDG specification has it.
pub fn data_home(home: &Path, environment: &impl Fn(&str) -> Option<String>) -> PathBuf {
    let named = environment("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    named.unwrap_or_else(|| home.join(".local/share"))
}

/// Where programs keep their settings, likewise.
pub fn config_home(home: &Path, environment: &impl Fn(&str) -> Option<String>) -> PathBuf {
    let named = environment("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    named.unwrap_or_else(|| home.join(".config"))
}

/// The folder that a variable names; none if it names none.
pub fn own_folder(name: &str, home: &Path, environment: &impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    environment(name).filter(|path| !path.trim().is_empty()).map(|path| expand(path.trim(), home))
}

pub fn expand(path: &str, home: &Path) -> PathBuf {
    match path.strip_prefix("~/") {
        Some(below) => home.join(below),
        None if path == "~" => home.to_owned(),
        None => PathBuf::from(path),
    }
}
