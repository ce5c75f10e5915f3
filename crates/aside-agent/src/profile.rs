//! An agent is a prompt, a set of allowed actions and a step limit; nothing else sets agents apart.

mod ai_cell;
mod coding;
mod navigator;
mod notebook;

use aside_core::{FileAgent, FileKind, Grant, WorkspacePath};

pub use ai_cell::AI_CELL;
pub use coding::CODING_AGENT;
pub use navigator::NAVIGATOR;
pub use notebook::NOTEBOOK_AGENT;

/// What makes one agent.
#[derive(Clone, Copy, Debug)]
pub struct AgentProfile {
    /// Its name, also that of its grant.
    pub name: &'static str,
    /// How it gets at its actions.
    pub access: ActionAccess,
    /// What it may ask the Gate for; the model is offered these and no others.
    pub actions: &'static [&'static str],
    /// What it is told about itself, piece by piece, so that it hears of nothing that it may not do.
    pub prompt: &'static [Part],
    /// The most model calls in one turn.
    pub step_limit: u32,
}

/// How an agent gets at its actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ActionAccess {
    /// Each is a tool of its own.
    #[default]
    Tools,
    /// It finds them in the catalog, and runs them by their names. The tools are the same four in every conversation, so
    /// that providers can cache them with the prompt, and however many actions there are, only the found ones cost tokens.
    Catalog,
}

/// A piece of a prompt, and when it is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// In any case.
    Always(&'static str),
    /// Where the action may be asked for.
    With(&'static str, &'static str),
    /// Where it may not.
    Without(&'static str, &'static str),
    /// Where the model is to nudge and not to solve.
    Hint(&'static str),
}

impl Part {
    /// Returns what it says, if it is said.
    pub(crate) fn text(&self, may: impl Fn(&str) -> bool, hint: bool) -> Option<&'static str> {
        let (said, text) = match *self {
            Self::Always(text) => (true, text),
            Self::With(action, text) => (may(action), text),
            Self::Without(action, text) => (!may(action), text),
            Self::Hint(text) => (hint, text),
        };
        said.then_some(text)
    }
}

/// Returns the agent that works beside a document, as the table of file kinds says; beside none it is the one for texts.
pub fn agent_beside(document: Option<&WorkspacePath>) -> AgentProfile {
    let kind = document.and_then(|document| FileKind::of_name(document.name()));
    match kind.map(|kind| kind.facts().agent()) {
        Some(FileAgent::Notebook) => NOTEBOOK_AGENT,
        _ => CODING_AGENT,
    }
}

impl AgentProfile {
    /// Returns what the Gate lets it do.
    pub fn grant(&self) -> Grant {
        Grant::actions(self.name, self.actions.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn navigator_may_not_make_grants() {
        let covers = |name: &str| {
            NAVIGATOR.grant().covers(&name.parse().unwrap(), &[aside_core::Risk::Read].into(), aside_core::Timestamp(0))
        };
        assert!(covers("file.move") && covers("ui.tabs.close") && covers("task.cancel"));
        assert!(!covers("grant.create") && !covers("grant.revoke"));
    }

    #[test]
    fn a_notebook_has_its_own_agent_however_it_is_spelled() {
        let beside = |path: &str| agent_beside(Some(&path.parse().unwrap())).name;
        assert_eq!((beside("a/Tides.IPYNB"), beside("tides.ipynb")), ("Notebook Agent", "Notebook Agent"));
        assert_eq!(
            (beside("a.py"), beside("ipynb"), agent_beside(None).name),
            ("Coding Agent", "Coding Agent", "Coding Agent")
        );
    }
}
