//! Groups of actions that a person turns off and on in a thread.

use std::{fmt, str::FromStr};

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::ActionName;

/// A group of actions. While it is off in a thread, the model is not offered its actions and the Gate refuses them there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ActionGroup {
    /// Notes.
    Notes,
    /// Todos.
    Todos,
    /// Files and text documents.
    Files,
    /// Notebooks, their cells and kernels.
    Notebooks,
    /// Commands and LaTeX builds.
    Commands,
    /// The history of other AI programs.
    History,
    /// Tools of MCP servers.
    Tools,
}

impl ActionGroup {
    /// All groups, in the order of the menu.
    pub const ALL: [Self; 7] =
        [Self::Notes, Self::Todos, Self::Files, Self::Notebooks, Self::Commands, Self::History, Self::Tools];

    /// Returns the word of wire and mentions.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Notes => "notes",
            Self::Todos => "todos",
            Self::Files => "files",
            Self::Notebooks => "notebooks",
            Self::Commands => "commands",
            Self::History => "history",
            Self::Tools => "tools",
        }
    }

    /// Returns the group of an action; none for actions that can't be turned off.
    pub fn of(action: &ActionName) -> Option<Self> {
        Some(match action.noun() {
            "note" => Self::Notes,
            "todo" => Self::Todos,
            "file" | "doc" | "snapshot" => Self::Files,
            "notebook" | "cell" | "kernel" => Self::Notebooks,
            "shell" | "latex" => Self::Commands,
            "history" => Self::History,
            "mcp" => Self::Tools,
            _ => return None,
        })
    }

    /// Returns the groups that a message mentions, such as `@notes`, once each.
    pub fn mentioned(text: &str) -> Vec<Self> {
        let mut found = Vec::new();
        for (at, _) in text.match_indices('@') {
            let before = text[..at].chars().next_back();
            if !before.is_none_or(|character| character.is_whitespace() || matches!(character, '(' | '[')) {
                continue;
            }
            let rest = &text[at + 1..];
            let end = rest.find(|character: char| !character.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let after = rest[end..].chars().next();
            let ends = |character: char| character.is_whitespace() || "!?)].".contains(character);
            let Ok(group) = rest[..end].parse::<Self>() else { continue };
            if after.is_none_or(ends) && !found.contains(&group) {
                found.push(group);
            }
        }
        found
    }
}

impl fmt::Display for ActionGroup {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// Says that a word names no group.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no group of actions")]
pub struct UnknownActionGroup(pub String);

impl FromStr for ActionGroup {
    type Err = UnknownActionGroup;

    fn from_str(word: &str) -> Result<Self, UnknownActionGroup> {
        let named = Self::ALL.into_iter().find(|group| group.name().eq_ignore_ascii_case(word));
        named.ok_or_else(|| UnknownActionGroup(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mention_needs_its_own_word() {
        let named = |text: &str| ActionGroup::mentioned(text);
        assert_eq!(
            named("@notes and (@todos)! Also @Files."),
            [ActionGroup::Notes, ActionGroup::Todos, ActionGroup::Files]
        );
        assert_eq!(named("@notes @notes").len(), 1);
        for none in ["a@notes", "@notes.md", "@notes/plan.md", "@note", "@notesy", "{@notes}", "@notes,", "@"] {
            let expected: &[ActionGroup] = if none == "@notes.md" { &[ActionGroup::Notes] } else { &[] };
            assert_eq!(named(none), expected, "{none}");
        }
    }

    #[test]
    fn actions_belong_to_the_group_of_their_noun() {
        let of = |name: &str| ActionGroup::of(&name.parse().unwrap());
        assert_eq!((of("note.tag"), of("doc.edit")), (Some(ActionGroup::Notes), Some(ActionGroup::Files)));
        assert_eq!(of("ui.open"), None);
    }
}
