//! How far AI goes: off, partial or full, by whom and until when.

use std::str::FromStr;

use crate::TS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Grant, GrantLimits, InvalidTime, Risk, Timestamp};

/// Levels of AI restriction, the strictest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AiLevel {
    /// AI is off: no model is used, and no program acts here.
    Off,
    /// Explanations and hints only: AI reads, but changes and runs nothing.
    Partial,
    /// Nothing is restricted.
    #[default]
    Full,
}

impl AiLevel {
    /// Returns what this leaves of any grant; none if that is all of it.
    pub fn grant(self) -> Option<Grant> {
        match self {
            Self::Off => Some(Grant::actions("AI off", [])),
            Self::Partial => Some(Grant::explaining("AI restricted to explaining and hints")),
            Self::Full => None,
        }
    }

    /// What an assistant may do, in words that follow “AI”.
    pub fn words(self) -> &'static str {
        match self {
            Self::Off => "is off",
            Self::Partial => "is limited to explanations and hints",
            Self::Full => "is not restricted",
        }
    }
}

impl FromStr for AiLevel {
    type Err = InvalidRestriction;

    fn from_str(text: &str) -> Result<Self, InvalidRestriction> {
        match text {
            "off" => Ok(Self::Off),
            "partial" => Ok(Self::Partial),
            "full" => Ok(Self::Full),
            other => Err(InvalidRestriction::Level(other.chars().take(40).collect())),
        }
    }
}

/// A level, and the time for which it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AiRestriction {
    /// The level.
    pub level: AiLevel,
    /// The start; milliseconds since 1970. Absent: it has already started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub from: Option<Timestamp>,
    /// The end, exclusive; milliseconds since 1970. Absent: no end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub until: Option<Timestamp>,
}

impl AiRestriction {
    /// A level for ever.
    pub fn always(level: AiLevel) -> Self {
        Self { level, from: None, until: None }
    }

    /// Tells whether it holds at a time.
    pub fn holds(&self, now: Timestamp) -> bool {
        self.from.is_none_or(|from| from <= now) && self.until.is_none_or(|until| now < until)
    }

    /// Fails if there is no time at which it could hold.
    pub fn checked(self) -> Result<Self, InvalidRestriction> {
        match (self.from, self.until) {
            (Some(from), Some(until)) if until <= from => Err(InvalidRestriction::Window),
            _ => Ok(self),
        }
    }
}

/// Says why a text is no restriction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRestriction {
    /// It names no level.
    #[error("`{0}` is not an AI level: expected off, partial or full")]
    Level(String),
    /// It names no time.
    #[error(transparent)]
    Time(#[from] InvalidTime),
    /// It ends before it begins.
    #[error("it ends before it begins")]
    Window,
}

/// Reads a level, and behind a space when it holds as an interval of ISO 8601, one side of which may be empty:
/// `partial`, `off 2026-12-01T09:00Z/2026-12-01T11:00Z`, `off /2026-12-01`.
impl FromStr for AiRestriction {
    type Err = InvalidRestriction;

    fn from_str(text: &str) -> Result<Self, InvalidRestriction> {
        let (level, window) = text.trim().split_once(' ').unwrap_or((text.trim(), "/"));
        let (from, until) = window.trim().split_once('/').unwrap_or((window.trim(), ""));
        let time = |text: &str| (!text.is_empty()).then(|| text.parse()).transpose();
        Self { level: level.parse()?, from: time(from)?, until: time(until)? }.checked()
    }
}

/// Who restricts AI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RestrictedBy {
    /// Whoever started the server: `--ai` or ASIDE_AI.
    Server,
    /// The organisation's policy.
    Organisation,
    /// The person, in their own folder.
    User,
    /// A file in the folder that is open.
    Workspace,
}

impl RestrictedBy {
    /// Who that is, for a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::Server => "the person who started this server",
            Self::Organisation => "your organisation",
            Self::User => "you",
            Self::Workspace => "this folder's aside-policy.toml",
        }
    }
}

/// One restriction, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AiReason {
    /// Whose it is.
    pub by: RestrictedBy,
    /// What it says.
    pub restriction: AiRestriction,
    /// It stands for a file that can't be read, with this mistake.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mistake: Option<String>,
}

/// How far AI goes now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AssistantState {
    /// The narrowest of all that hold.
    pub level: AiLevel,
    /// Those that say so; empty if nothing is restricted.
    pub because: Vec<AiReason>,
    /// When the level changes next by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub until: Option<Timestamp>,
    /// All that there are, also those that do not hold now.
    pub restrictions: Vec<AiReason>,
}

impl AssistantState {
    /// The narrowest of some restrictions at a time.
    pub fn at(restrictions: Vec<AiReason>, now: Timestamp) -> Self {
        let level = level_at(&restrictions, now);
        let decides = |reason: &&AiReason| reason.restriction.holds(now) && reason.restriction.level == level;
        let because = match level {
            AiLevel::Full => Vec::new(),
            AiLevel::Off | AiLevel::Partial => restrictions.iter().filter(decides).cloned().collect(),
        };
        let mut times: Vec<_> = restrictions
            .iter()
            .flat_map(|reason| [reason.restriction.from, reason.restriction.until])
            .flatten()
            .filter(|time| *time > now)
            .collect();
        times.sort();
        let until = times.into_iter().find(|time| level_at(&restrictions, *time) != level);
        Self { level, because, until, restrictions }
    }

    /// Why, as one sentence: “AI is off here: your organisation has set this.”
    pub fn sentence(&self) -> String {
        let mut whose: Vec<_> = self.because.iter().map(|reason| reason.by.words()).collect();
        whose.dedup();
        match whose.is_empty() {
            true => format!("AI {} here.", self.level.words()),
            false => {
                let say = if whose == ["you"] || whose.len() > 1 { "have set this" } else { "has set this" };
                format!("AI {} here: {} {say}.", self.level.words(), whose.join(" and "))
            }
        }
    }
}

fn level_at(restrictions: &[AiReason], now: Timestamp) -> AiLevel {
    let holding = restrictions.iter().filter(|reason| reason.restriction.holds(now));
    holding.map(|reason| reason.restriction.level).min().unwrap_or_default()
}

impl Grant {
    /// Reading for an answer in words: what hint mode and partial AI leave. Built-in actions only, because only their
    /// authors answer for it that they do nothing but read.
    pub fn explaining(name: impl Into<String>) -> Self {
        const NOUNS: [&str; 13] = [
            "catalog.*",
            "doc.*",
            "file.*",
            "kernel.variables",
            "note.*",
            "notebook.*",
            "search.find",
            "shell.output",
            "snapshot.*",
            "table.read",
            "todo.*",
            "ui.*",
            "problem.*",
        ];
        let actions = Self::actions(name, NOUNS);
        Self { risks: [Risk::Read].into(), ..actions }
    }
}

impl GrantLimits {
    /// Only looking.
    pub fn reading() -> Self {
        Self { risks: Some([Risk::Read].into()), ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reason(by: RestrictedBy, text: &str) -> AiReason {
        AiReason { by, restriction: text.parse().unwrap(), mistake: None }
    }

    #[test]
    fn reads_a_level_and_a_window() {
        let read = |text: &str| text.parse::<AiRestriction>();
        assert_eq!(read("partial"), Ok(AiRestriction::always(AiLevel::Partial)));
        let exam = read("off 2026-12-01T09:00+01:00/2026-12-01T11:00+01:00").unwrap();
        assert_eq!((exam.from, exam.until), ("2026-12-01T08:00Z".parse().ok(), "2026-12-01T10:00Z".parse().ok()));
        assert_eq!(read(" off /2026-12-01 ").unwrap().from, None);
        assert_eq!(read("off 2026-12-01").unwrap().until, None);
        assert_eq!(read("off 2026-12-02/2026-12-01"), Err(InvalidRestriction::Window));
        for wrong in ["", "on", "OFF", "off tomorrow", "off 2026-12-01/never", "off 2026-13-01/"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_narrowest_counts_and_says_whose_it_is() {
        let all = vec![reason(RestrictedBy::User, "partial"), reason(RestrictedBy::Server, "off 20/30")];
        let at = |now| AssistantState::at(all.clone(), Timestamp(now));
        assert_eq!((at(10).level, at(10).until), (AiLevel::Partial, Some(Timestamp(20))));
        assert_eq!(at(10).sentence(), "AI is limited to explanations and hints here: you have set this.");
        assert_eq!((at(20).level, at(20).until), (AiLevel::Off, Some(Timestamp(30))));
        assert_eq!(at(29).because, [all[1].clone()]);
        assert_eq!(at(29).sentence(), "AI is off here: the person who started this server has set this.");
        assert_eq!((at(30).level, at(30).until), (AiLevel::Partial, None));
        let free = AssistantState::at(Vec::new(), Timestamp(0));
        assert_eq!((free.level, free.because), (AiLevel::Full, Vec::new()));
    }

    #[test]
    fn a_change_that_another_restriction_hides_is_none() {
        let all = vec![reason(RestrictedBy::User, "off"), reason(RestrictedBy::Server, "partial 20/30")];
        assert_eq!(AssistantState::at(all, Timestamp(0)).until, None);
    }

    #[test]
    fn what_is_left_of_a_grant() {
        let now = Timestamp(0);
        let covers = |level: AiLevel, name: &str, risks: &[Risk]| {
            let left = level.grant().map_or(Grant::full("a"), |grant| Grant::full("a").narrowed(&grant));
            left.covers(&name.parse().unwrap(), &risks.iter().copied().collect(), now)
        };
        assert!(!covers(AiLevel::Off, "doc.read", &[Risk::Read]));
        assert!(covers(AiLevel::Partial, "doc.read", &[Risk::Read]));
        assert!(!covers(AiLevel::Partial, "doc.edit", &[Risk::Write]));
        assert!(!covers(AiLevel::Partial, "mcp.other.read", &[Risk::Read]), "what others call reading");
        assert!(covers(AiLevel::Full, "shell.run", &[Risk::Destructive]));
    }

    proptest! {
        /// A restriction more never widens anything, at any time.
        #[test]
        fn more_restrictions_never_widen(
            levels in prop::collection::vec((0..3_u8, prop::option::of(0..9_i64), prop::option::of(0..9_i64)), 1..5),
            now in 0..10_i64,
        ) {
            let level = |number| [AiLevel::Off, AiLevel::Partial, AiLevel::Full][usize::from(number)];
            let all: Vec<_> = levels.into_iter().map(|(number, from, until)| AiReason {
                by: RestrictedBy::User,
                restriction: AiRestriction { level: level(number), from: from.map(Timestamp), until: until.map(Timestamp) },
                mistake: None,
            }).collect();
            let fewer = AssistantState::at(all[1..].to_vec(), Timestamp(now)).level;
            let state = AssistantState::at(all, Timestamp(now));
            prop_assert!(state.level <= fewer);
            prop_assert_eq!(state.because.is_empty(), state.level == AiLevel::Full);
        }
    }
}
