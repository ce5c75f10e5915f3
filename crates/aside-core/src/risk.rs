//! What an action may do to the world, declared by its author and computed from its arguments.

use std::{collections::BTreeSet, fmt, str::FromStr};

use crate::TS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One of seven classes of risk. Ordered from low to high.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// Only reads.
    Read,
    /// Makes a change that can be undone.
    Write,
    /// Removes or overwrites something.
    Destructive,
    /// Changes access rights: people, policy, configuration, hooks.
    Access,
    /// Costs money.
    Billing,
    /// Sends or fetches data over a network.
    Network,
    /// Installs a program or starts a third-party one.
    Install,
}

impl Risk {
    /// All classes, in order.
    pub const ALL: [Self; 7] =
        [Self::Read, Self::Write, Self::Destructive, Self::Access, Self::Billing, Self::Network, Self::Install];
}

impl fmt::Display for Risk {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Destructive => "destructive",
            Self::Access => "access",
            Self::Billing => "billing",
            Self::Network => "network",
            Self::Install => "install",
        })
    }
}

/// Says that a text names no class of risk.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a risk: expected read, write, destructive, access, billing, network or install")]
pub struct InvalidRisk(pub String);

impl FromStr for Risk {
    type Err = InvalidRisk;

    fn from_str(text: &str) -> Result<Self, InvalidRisk> {
        let named = Self::ALL.into_iter().find(|risk| risk.to_string() == text);
        named.ok_or_else(|| InvalidRisk(text.chars().take(60).collect()))
    }
}

/// A set of risk classes; the strictest rule over its members decides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(transparent)]
pub struct Risks(pub BTreeSet<Risk>);

impl Risks {
    /// Every class.
    pub fn all() -> Self {
        Risk::ALL.into_iter().collect()
    }

    /// Tells whether the set has a class.
    pub fn contains(&self, risk: Risk) -> bool {
        self.0.contains(&risk)
    }

    /// Adds a class.
    pub fn insert(&mut self, risk: Risk) {
        self.0.insert(risk);
    }

    /// Tells whether the set has no class above `Read`.
    pub fn is_read_only(&self) -> bool {
        self.0.iter().all(|risk| *risk == Risk::Read)
    }

    /// Tells whether every class of this set is in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.is_subset(&other.0)
    }

    /// The gravest class, if any.
    pub fn gravest(&self) -> Option<Risk> {
        self.0.last().copied()
    }
}

impl FromIterator<Risk> for Risks {
    fn from_iter<I: IntoIterator<Item = Risk>>(risks: I) -> Self {
        Self(risks.into_iter().collect())
    }
}

impl<const N: usize> From<[Risk; N]> for Risks {
    fn from(risks: [Risk; N]) -> Self {
        risks.into_iter().collect()
    }
}

impl fmt::Display for Risks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.0.iter().map(Risk::to_string).collect();
        formatter.write_str(&names.join(", "))
    }
}
