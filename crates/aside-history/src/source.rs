//! The programs whose logs are read.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A program that keeps logs of its sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// Claude Code.
    Claude,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// opencode.
    Opencode,
    /// Copilot CLI.
    Copilot,
    /// Cline, in VS Code and its kin.
    Cline,
    /// Roo Code, likewise.
    Roo,
    /// Kilo Code, likewise.
    Kilo,
    /// Qwen Code.
    Qwen,
    /// pi.
    Pi,
    /// Amp.
    Amp,
    /// Cursor.
    Cursor,
    /// Goose.
    Goose,
    /// Continue.
    Continue,
    /// Aider.
    Aider,
    /// Kimi CLI and Kimi Code.
    Kimi,
    /// Droid, of Factory.
    Droid,
    /// Hermes Agent.
    Hermes,
    /// OpenClaw.
    Openclaw,
    /// Grok CLI: xAI's own, and the one of the community.
    Grok,
    /// Codebuff.
    Codebuff,
    /// Cowork, in Claude's desktop app.
    Cowork,
    /// Aside's own threads.
    Aside,
}

/// All of them, with the word for each and its name.
const SOURCES: &[(Source, &str, &str)] = &[
    (Source::Claude, "claude", "Claude Code"),
    (Source::Codex, "codex", "Codex"),
    (Source::Gemini, "gemini", "Gemini CLI"),
    (Source::Opencode, "opencode", "opencode"),
    (Source::Copilot, "copilot", "Copilot CLI"),
    (Source::Cline, "cline", "Cline"),
    (Source::Roo, "roo", "Roo Code"),
    (Source::Kilo, "kilo", "Kilo Code"),
    (Source::Qwen, "qwen", "Qwen Code"),
    (Source::Pi, "pi", "pi"),
    (Source::Amp, "amp", "Amp"),
    (Source::Cursor, "cursor", "Cursor"),
    (Source::Goose, "goose", "Goose"),
    (Source::Continue, "continue", "Continue"),
    (Source::Aider, "aider", "Aider"),
    (Source::Kimi, "kimi", "Kimi CLI"),
    (Source::Droid, "droid", "Droid"),
    (Source::Hermes, "hermes", "Hermes"),
    (Source::Openclaw, "openclaw", "OpenClaw"),
    (Source::Grok, "grok", "Grok CLI"),
    (Source::Codebuff, "codebuff", "Codebuff"),
    (Source::Cowork, "cowork", "Claude Cowork"),
    (Source::Aside, "aside", "Aside"),
];

/// Says that there is no such program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a supported program: expected one of {known}", known = words())]
pub struct UnknownSource(pub String);

fn words() -> String {
    SOURCES.iter().map(|(_, word, _)| *word).collect::<Vec<_>>().join(", ")
}

impl Source {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        SOURCES.iter().map(|(source, ..)| *source)
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        self.row().1
    }

    /// Its name, for people.
    pub fn name(self) -> &'static str {
        self.row().2
    }

    /// The service that its models are of, where its logs don't say; empty if it may be any.
    pub fn provider(self) -> &'static str {
        match self {
            Self::Claude | Self::Cowork => "anthropic",
            Self::Codex => "openai",
            Self::Gemini => "gemini",
            _ => "",
        }
    }

    /// Tells whether a message that it writes down again under the same id takes the place of the one before.
    pub(crate) fn rewrites(self) -> bool {
        self == Self::Gemini
    }

    fn row(self) -> &'static (Self, &'static str, &'static str) {
        SOURCES.iter().find(|(source, ..)| *source == self).expect("a test goes through all")
    }
}

impl fmt::Display for Source {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

impl FromStr for Source {
    type Err = UnknownSource;

    fn from_str(text: &str) -> Result<Self, UnknownSource> {
        let lower = text.to_ascii_lowercase();
        let found = SOURCES.iter().find(|(_, word, _)| *word == lower);
        found.map(|(source, ..)| *source).ok_or_else(|| UnknownSource(text.chars().take(40).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_has_a_word_that_is_read() {
        for source in Source::all() {
            assert_eq!(source.word().parse(), Ok(source));
            let json = serde_json::to_string(&source).unwrap();
            assert_eq!(json, format!("\"{source}\""));
            assert!(!source.name().is_empty());
        }
        let error = "emacs".parse::<Source>().unwrap_err().to_string();
        assert!(error.contains("`emacs`") && error.contains("claude, codex"), "{error}");
    }
}
