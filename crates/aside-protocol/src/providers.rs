//! What a person says of the services that run models: keys, consent, and whether anything elsewhere may be reached.

use std::fmt;

use aside_core::KeySource;
use aside_core::TS;
use serde::{Deserialize, Serialize};

/// `GET models/local-only`: whether Aside opens connections to this machine only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LocalOnly {
    /// It does.
    pub on: bool,
    /// The program was started so (`--local-only`, `ASIDE_LOCAL_ONLY`): it can't be turned off here.
    pub forced: bool,
}

/// `PUT models/local-only`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SetLocalOnly {
    /// Whether it is to be on.
    pub on: bool,
}

/// `PUT models/consent/PROVIDER`: content may go there. `DELETE` takes it back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct GiveConsent {
    /// Where to, as it was shown (`ProviderStatus::host`, `ModelStatus::host`): if that has changed since, the answer is
    /// 409.
    pub host: String,
}

/// `PUT models/keys/SERVICE`. The answer to this, to `DELETE` and to `GET models/keys` says where keys are from, and
/// never a key.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SetKey {
    /// The key.
    pub key: String,
}

impl fmt::Debug for SetKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SetKey")
    }
}

/// Where the key of one service is from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct KeyStatus {
    /// `ProviderStatus::id`.
    pub service: String,
    /// For people.
    pub name: String,
    /// Where the key that is used is from.
    pub key: KeySource,
    /// The variable, the keyring or the file that has it; absent if there is none.
    pub place: Option<String>,
    /// What the person should know, such as that a kept key is not used because a variable is set.
    pub note: Option<String>,
}
