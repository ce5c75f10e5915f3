//! What the person said of other machines: where content may go, and whether any is reached at all.
//!
//! Kept in `models.json` in their own folder, so that it holds in every workspace. Whoever asks gets what the file says
//! now; while it can't be read, nothing goes out.

mod allow;
mod disallow;
mod local_only;

use std::{
    fmt, io,
    sync::{Arc, Mutex, PoisonError},
};

use aside_core::{Failure, ObjectRef, Origin, Switch, Timestamp};
use aside_gate::{Handler, handler};
use aside_llm::{Permits, Said};
use aside_protocol::LocalOnly;
use aside_store::{DataFolder, Stamp, TextFile};
use serde::{Deserialize, Serialize};

/// Bytes of the file.
const LONGEST: u64 = 1 << 20;

/// The person's word on other machines.
pub struct Outside {
    file: Option<TextFile>,
    /// The program was started with Local only.
    forced: bool,
    read: Mutex<Option<Read>>,
}

/// What was read, and what the file was like then.
struct Read {
    stamp: Stamp,
    said: Result<Arc<Said>, String>,
}

/// The file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Kept {
    local_only: bool,
    allowed: Vec<Allowed>,
}

/// One yes.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Allowed {
    provider: String,
    host: String,
    since: Timestamp,
}

/// Why a word can't be kept.
#[derive(Debug, thiserror::Error)]
pub enum OutsideError {
    /// There is nowhere to keep it.
    #[error("there is no folder to store this setting in; set ASIDE_DATA_DIR")]
    NoFolder,
    /// The disk.
    #[error("cannot change models.json in your own folder: {0}")]
    Io(#[from] io::Error),
    /// It is damaged.
    #[error("models.json in your own folder is damaged: {0}")]
    Damaged(#[from] serde_json::Error),
    /// The program was started with Local only.
    #[error("Local only was set when Aside was started (`--local-only` or ASIDE_LOCAL_ONLY)")]
    Forced,
}

impl fmt::Debug for Outside {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Outside({:?})", self.said())
    }
}

impl Outside {
    /// Follows the file in the person's own folder; with `forced`, no other machine is reached whatever it says.
    pub fn new(data: Option<&DataFolder>, forced: bool) -> Arc<Self> {
        let file = data.map(|data| data.file("models.json", LONGEST));
        Arc::new(Self { file, forced, read: Mutex::default() })
    }

    /// For whoever is about to send something.
    pub fn permits(self: &Arc<Self>) -> Permits {
        let outside = self.clone();
        Permits::by(move || outside.said())
    }

    /// Whether no other machine is reached, for whoever else opens connections.
    pub fn local_only_switch(self: &Arc<Self>) -> Switch {
        let outside = self.clone();
        Switch::by(move || outside.local_only().on)
    }

    /// What the person said; the error says why that can't be told.
    pub fn said(&self) -> Result<Arc<Said>, String> {
        let Some(file) = &self.file else { return Ok(Arc::new(Said { local_only: self.forced, ..Said::default() })) };
        let stamp = file.stamp();
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = read.as_ref().filter(|known| known.stamp == stamp && stamp != Stamp::Unknown) {
            return known.said.clone();
        }
        let said = self.read(file).map(Arc::new).map_err(|error| error.to_string());
        *read = Some(Read { stamp, said: said.clone() });
        said
    }

    /// Whether any other machine is reached. While that can't be told, none is.
    pub fn local_only(&self) -> LocalOnly {
        let on = self.said().map_or(true, |said| said.local_only);
        LocalOnly { on: on || self.forced, forced: self.forced }
    }

    /// Content may go to this host for this provider.
    fn allow(&self, provider: &str, host: &str, since: Timestamp) -> Result<(), OutsideError> {
        self.change(|kept| {
            kept.allowed.retain(|one| (&*one.provider, &*one.host) != (provider, host));
            kept.allowed.push(Allowed { provider: provider.to_owned(), host: host.to_owned(), since });
        })
    }

    /// Content may go nowhere for this provider.
    fn disallow(&self, provider: &str) -> Result<(), OutsideError> {
        self.change(|kept| kept.allowed.retain(|one| one.provider != provider))
    }

    fn keep_local_only(&self, on: bool) -> Result<(), OutsideError> {
        if self.forced && !on {
            return Err(OutsideError::Forced);
        }
        self.change(|kept| kept.local_only = on)
    }

    fn change(&self, change: impl FnOnce(&mut Kept)) -> Result<(), OutsideError> {
        let file = self.file.as_ref().ok_or(OutsideError::NoFolder)?;
        file.change(|text| {
            let mut kept: Kept = text.map(serde_json::from_str).transpose()?.unwrap_or_default();
            change(&mut kept);
            Ok(format!("{}\n", serde_json::to_string_pretty(&kept)?))
        })
    }

    fn read(&self, file: &TextFile) -> Result<Said, OutsideError> {
        let kept: Kept = file.read()?.as_deref().map(serde_json::from_str).transpose()?.unwrap_or_default();
        let allowed = kept.allowed.into_iter().map(|one| (one.provider, one.host)).collect();
        Ok(Said { local_only: kept.local_only || self.forced, allowed })
    }
}

impl From<OutsideError> for Failure {
    fn from(error: OutsideError) -> Self {
        let code = match error {
            OutsideError::NoFolder => "no_folder",
            OutsideError::Io(_) => "io",
            OutsideError::Damaged(_) => "damaged",
            OutsideError::Forced => "denied",
        };
        Self::new(code, error.to_string())
    }
}

/// The actions by which a person says it: through the Gate, so that each word is on record.
pub fn actions(outside: &Arc<Outside>) -> [Arc<dyn Handler>; 3] {
    [
        handler(allow::Allow { outside: outside.clone() }),
        handler(disallow::Disallow { outside: outside.clone() }),
        handler(local_only::SetLocalOnly { outside: outside.clone() }),
    ]
}

fn check_person(origin: &Origin) -> Result<(), Failure> {
    match origin.is_person() {
        true => Ok(()),
        false => Err(Failure::new("person_only", "only the user can change what may leave this computer")),
    }
}

fn provider(id: &str) -> ObjectRef {
    ObjectRef { kind: "provider".to_owned(), id: id.to_owned() }
}

/// A name of a provider or a host: one word that can be shown.
fn check_word(what: &str, word: &str) -> Result<(), Failure> {
    match !word.is_empty() && word.len() <= 255 && word.bytes().all(|byte| byte.is_ascii_graphic()) {
        true => Ok(()),
        false => Err(Failure::new("invalid_args", format!("`{what}` is not a valid name"))),
    }
}

#[cfg(test)]
mod tests {
    use aside_core::Consent;

    use super::*;

    fn now() -> Timestamp {
        "2026-11-21".parse().unwrap()
    }

    #[test]
    fn a_word_holds_for_one_provider_at_one_host_in_every_workspace() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::at(folder.path());
        let (one, other) = (Outside::new(Some(&data), false), Outside::new(Some(&data), false));
        let consent = |host| other.said().unwrap().consent("openai", Some(host));
        assert_eq!(consent("api.openai.com"), Consent::Needed);
        one.allow("openai", "api.openai.com", now()).unwrap();
        one.allow("openai", "api.openai.com", now()).unwrap();
        assert_eq!(consent("api.openai.com"), Consent::Given);
        assert_eq!(consent("proxy.example"), Consent::Needed);
        assert_eq!(other.said().unwrap().consent("anthropic", Some("api.openai.com")), Consent::Needed);
        assert_eq!(other.said().unwrap().consent("openai", None), Consent::NotNeeded);
        one.disallow("openai").unwrap();
        assert_eq!(consent("api.openai.com"), Consent::Needed);
    }

    #[test]
    fn local_only_is_kept_and_what_was_forced_stays() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::at(folder.path());
        let (free, forced) = (Outside::new(Some(&data), false), Outside::new(Some(&data), true));
        assert_eq!(free.local_only(), LocalOnly { on: false, forced: false });
        assert_eq!(forced.local_only(), LocalOnly { on: true, forced: true });
        free.keep_local_only(true).unwrap();
        assert!(free.local_only().on && free.said().unwrap().local_only);
        assert!(matches!(forced.keep_local_only(false), Err(OutsideError::Forced)));
        free.keep_local_only(false).unwrap();
        assert!(!free.local_only().on && forced.said().unwrap().local_only);
    }

    #[test]
    fn what_is_damaged_lets_nothing_out_and_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::at(folder.path());
        data.file("models.json", 100).change(|_| Ok::<_, io::Error>("{\"local_only\": fals".to_owned())).unwrap();
        let outside = Outside::new(Some(&data), false);
        assert!(outside.said().unwrap_err().contains("damaged"));
        assert!(outside.local_only().on);
        outside.allow("openai", "api.openai.com", now()).unwrap_err();
        outside.said().unwrap_err();
    }

    #[test]
    fn without_a_folder_nothing_is_allowed() {
        let outside = Outside::new(None, false);
        assert_eq!(*outside.said().unwrap(), Said::default());
        assert!(matches!(outside.allow("openai", "api.openai.com", now()), Err(OutsideError::NoFolder)));
    }
}
