//! A stored grant and the secret that names it.

use crate::TS;
use serde::{Deserialize, Serialize};

use crate::{Grant, Timestamp};

/// How every token of a grant begins, so that people and masks recognise it.
pub const TOKEN_PREFIX: &str = "aside_";

/// A stored grant and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GrantRecord {
    /// What it covers.
    pub grant: Grant,
    /// Who made it.
    pub by: String,
    /// When.
    pub created: Timestamp,
    /// When it was revoked; nothing runs under it since.
    pub revoked: Option<Timestamp>,
    /// The secret that names it, once it was handed out.
    pub token: Option<TokenRecord>,
}

/// What is known of a token: never the secret itself, of which only a hash is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TokenRecord {
    /// How the secret begins, to recognise it by.
    pub start: String,
    /// When it was handed out.
    pub issued: Timestamp,
    /// When it was last used, to the minute.
    pub last_used: Option<Timestamp>,
}

impl GrantRecord {
    /// Tells whether anything can be done under it at this time.
    pub fn holds(&self, now: Timestamp) -> bool {
        self.revoked.is_none() && self.grant.expires.is_none_or(|end| now < end)
    }
}
