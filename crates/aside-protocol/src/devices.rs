//! Bodies of the routes `devices`.

use aside_core::{DeviceId, TS, Timestamp};
use serde::{Deserialize, Serialize};

/// One line of `GET devices`: a signed-in browser of the owner. `DELETE devices/{id}` signs it out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Device {
    /// Which one.
    pub id: DeviceId,
    /// The browser and the system, by what it says of itself.
    pub name: String,
    /// The folder that it opens.
    pub workspace: String,
    /// When it signed in.
    pub since: Timestamp,
    /// When a window of it was last opened.
    pub used: Timestamp,
}

/// Answer of `GET devices`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Devices {
    /// The device of whoever asks; none for a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mine: Option<DeviceId>,
    /// All devices, the last used first.
    pub devices: Vec<Device>,
}
