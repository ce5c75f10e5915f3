//! Signed-in browsers. Each has a cookie of its own, whose hash is kept in `devices.json` in the person's own folder: so a
//! window stays signed in when the server starts again, until it is signed out here or was not used for a month.
//!
//! A device opens the workspace that it signed in to. If the person gave the server a token of their own, another such token
//! signs every device out.

use std::{
    io,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use aside_core::{DeviceId, Failure, Sha256, Timestamp};
use aside_protocol::Device;
use aside_store::{DataFolder, Stamp, TextFile};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

/// Bytes of the file.
const LONGEST: u64 = 1 << 20;
/// Devices that are kept; the ones that were not used for longest go first.
const MOST: usize = 200;
/// Milliseconds after which an unused device is signed out.
const UNUSED: i64 = 30 * 24 * 60 * 60 * 1000;
/// How often a window looks whether another server of the person has signed its device out.
const LOOK: Duration = Duration::from_secs(20);

/// The signed-in browsers of the person.
#[derive(Debug)]
pub struct Devices {
    file: Option<TextFile>,
    workspace: String,
    /// The hash of the token that the person chose.
    under: Option<Sha256>,
    known: Mutex<Known>,
    ended: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct Known {
    stamp: Option<Stamp>,
    devices: Vec<Stored>,
}

/// A device as the file has it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Stored {
    #[serde(flatten)]
    device: Device,
    hash: Sha256,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    under: Option<Sha256>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    devices: Vec<Stored>,
}

impl Devices {
    /// The devices of one workspace. Without a folder they last as long as the server.
    pub fn new(data: Option<&DataFolder>, workspace: String, chosen_token: Option<&str>) -> Self {
        let file = data.map(|data| data.file("devices.json", LONGEST));
        let under = chosen_token.map(|token| Sha256::of(format!("aside devices\0{token}")));
        Self { file, workspace, under, known: Mutex::default(), ended: watch::Sender::new(()) }
    }

    /// Signs a browser in by a secret that its cookie keeps.
    pub fn add(&self, id: DeviceId, name: String, secret: &str, now: Timestamp) -> Result<(), Failure> {
        let device = Device { id, name, workspace: self.workspace.clone(), since: now, used: now };
        let stored = Stored { device, hash: Sha256::of(secret), under: self.under.clone() };
        self.change(|devices| {
            devices.retain(|one| !one.is_over(now));
            devices.push(stored);
            devices.sort_by_key(|one| one.device.used);
            let excess = devices.len().saturating_sub(MOST);
            devices.drain(..excess);
        })
    }

    /// Returns the device whose cookie this is.
    pub fn of_secret(&self, secret: &str, now: Timestamp) -> Option<DeviceId> {
        // Hashed before it is compared, so the time of the comparison tells nothing about the secret.
        let hash = Sha256::of(secret);
        let known = self.known();
        let found = known.devices.iter().find(|one| one.hash == hash && self.opens_here(one, now));
        found.map(|one| one.device.id.clone())
    }

    /// Notes that a device is in use.
    pub fn touch(&self, id: &DeviceId, now: Timestamp) -> Result<(), Failure> {
        self.change(|devices| {
            if let Some(one) = devices.iter_mut().find(|one| one.device.id == *id) {
                one.device.used = now;
            }
        })
    }

    /// Lists the signed-in browsers, of all workspaces, the last used first.
    pub fn list(&self, now: Timestamp) -> Vec<Device> {
        let mut devices: Vec<_> = self.known().devices.iter().filter(|one| !one.is_over(now)).cloned().collect();
        devices.sort_by_key(|one| std::cmp::Reverse(one.device.used));
        devices.into_iter().map(|one| one.device).collect()
    }

    /// Signs a browser out; tells whether it was signed in.
    pub fn revoke(&self, id: &DeviceId) -> Result<bool, Failure> {
        let mut found = false;
        self.change(|devices| {
            let before = devices.len();
            devices.retain(|one| one.device.id != *id);
            found = devices.len() < before;
        })?;
        self.ended.send_replace(());
        Ok(found)
    }

    /// Returns when a device is signed out.
    pub async fn end(&self, id: &DeviceId) {
        let mut ended = self.ended.subscribe();
        while self.known().devices.iter().any(|one| one.device.id == *id) {
            // Either way, look again.
            let _ = tokio::time::timeout(LOOK, ended.changed()).await;
        }
    }

    fn opens_here(&self, one: &Stored, now: Timestamp) -> bool {
        one.device.workspace == self.workspace && one.under == self.under && !one.is_over(now)
    }

    /// The devices as the file has them now. If it can't be read, the ones of this server stay.
    fn known(&self) -> MutexGuard<'_, Known> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = &self.file else { return known };
        let stamp = file.stamp();
        if known.stamp == Some(stamp) && stamp != Stamp::Unknown {
            return known;
        }
        match read(file) {
            Ok(kept) => *known = Known { stamp: Some(stamp), devices: kept.devices },
            Err(error) => tracing::warn!(%error, "cannot read devices.json in your own folder"),
        }
        known
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Stored>)) -> Result<(), Failure> {
        let Some(file) = &self.file else {
            change(&mut self.known().devices);
            return Ok(());
        };
        let changed = file.change(|text| {
            let mut kept: Kept = text.map(serde_json::from_str).transpose()?.unwrap_or_default();
            change(&mut kept.devices);
            Ok::<_, io::Error>(format!("{}\n", serde_json::to_string_pretty(&kept)?))
        });
        changed.map_err(|error| Failure::new("io", format!("cannot change devices.json in your own folder: {error}")))
    }
}

impl Stored {
    fn is_over(&self, now: Timestamp) -> bool {
        self.device.used.plus(UNUSED) < now
    }
}

fn read(file: &TextFile) -> io::Result<Kept> {
    Ok(file.read()?.as_deref().map(serde_json::from_str).transpose()?.unwrap_or_default())
}

/// Names a browser by what it says of itself.
pub fn browser_name(agent: &str) -> String {
    let first =
        |known: &[(&str, &'static str)]| known.iter().find(|(mark, _)| agent.contains(mark)).map(|(_, name)| *name);
    let browser = first(&[
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ]);
    let system = first(&[
        ("Windows", "Windows"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Android", "Android"),
        ("Mac OS X", "macOS"),
        ("CrOS", "ChromeOS"),
        ("Linux", "Linux"),
    ]);
    match (browser, system) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(browser), None) => browser.to_owned(),
        _ => "A program".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use aside_core::Id as _;

    use super::*;

    const NOW: Timestamp = Timestamp(1_000_000_000_000);

    fn device() -> DeviceId {
        DeviceId::from_parts(NOW, 1)
    }

    fn devices(data: &DataFolder, workspace: &str, token: Option<&str>) -> Devices {
        Devices::new(Some(data), workspace.to_owned(), token)
    }

    #[test]
    fn device_stays_signed_in_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::at(folder.path());
        devices(&data, "/w", None).add(device(), "Firefox".into(), "secret", NOW).unwrap();
        let again = devices(&data, "/w", None);
        assert_eq!(again.of_secret("secret", NOW), Some(device()));
        assert_eq!(again.of_secret("other", NOW), None);
        let text = data.file("devices.json", LONGEST).read().unwrap().unwrap();
        assert!(!text.contains("secret"), "only its hash is kept: {text}");
        let later = NOW.plus(UNUSED + 1);
        assert_eq!(again.of_secret("secret", later), None, "not used for a month");
        again.touch(&device(), later).unwrap();
        assert_eq!(again.of_secret("secret", later.plus(UNUSED)), Some(device()));
    }

    #[test]
    fn another_workspace_or_token_lets_no_device_in() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::at(folder.path());
        devices(&data, "/w", Some("one")).add(device(), "Firefox".into(), "secret", NOW).unwrap();
        let opens = |workspace, token| devices(&data, workspace, token).of_secret("secret", NOW).is_some();
        assert!(opens("/w", Some("one")));
        assert!(!opens("/v", Some("one")) && !opens("/w", Some("two")) && !opens("/w", None));
    }

    #[tokio::test]
    async fn revoked_device_ends_in_every_server() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::at(folder.path());
        let (one, other) = (devices(&data, "/w", None), devices(&data, "/v", None));
        one.add(device(), "Firefox".into(), "secret", NOW).unwrap();
        assert_eq!(other.list(NOW).len(), 1);
        assert!(other.revoke(&device()).unwrap() && !other.revoke(&device()).unwrap());
        one.end(&device()).await;
        assert_eq!(one.of_secret("secret", NOW), None);
    }

    #[test]
    fn devices_without_a_folder_last_with_the_server() {
        let devices = Devices::new(None, "/w".into(), None);
        devices.add(device(), "Firefox".into(), "secret", NOW).unwrap();
        assert!(devices.of_secret("secret", NOW).is_some() && devices.revoke(&device()).unwrap());
        assert!(devices.of_secret("secret", NOW).is_none());
    }

    #[test]
    fn browsers_are_named_for_people() {
        let chrome =
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36";
        assert_eq!(browser_name(chrome), "Chrome on Linux");
        assert_eq!(
            browser_name("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1"),
            "Safari on iPhone"
        );
        assert_eq!(browser_name("curl/8.5.0"), "A program");
    }
}
