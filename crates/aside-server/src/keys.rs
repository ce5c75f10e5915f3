//! The keys of model services that the person keeps with Aside: in the system's keyring, and where none can be reached
//! in a file of their own folder that nobody else can read. A variable of the environment goes before both.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fmt, io,
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
};

use aside_core::{Failure, KeySource};
use aside_llm::{Environment, PRESETS, Preset, Secret, Service, key_variables};
use aside_protocol::KeyStatus;
use aside_store::{DataFolder, SecretFile, SecretFileError, Stamp};
use aside_workspace::{Keyring, KeyringError};

use crate::own_services::OwnServices;

/// What is kept like a key and is of no model service: the tokens that hosts of repositories are asked with, and the secrets that their
/// webhooks are signed with; each with its name and its variables.
const HOSTS: &[(&str, &str, &[&str])] = &[
    ("github", "GitHub", &["GITHUB_TOKEN", "GH_TOKEN"]),
    ("github-enterprise", "GitHub (other hosts)", &["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"]),
    ("gitlab", "GitLab", &["GITLAB_TOKEN"]),
    ("gitlab-enterprise", "GitLab (other hosts)", &["GITLAB_ENTERPRISE_TOKEN"]),
    ("github-webhook", "GitHub webhooks", &["ASIDE_GITHUB_WEBHOOK_SECRET"]),
    ("gitlab-webhook", "GitLab webhooks", &["ASIDE_GITLAB_WEBHOOK_SECRET"]),
    ("ci-webhook", "other webhooks", &["ASIDE_CI_WEBHOOK_SECRET"]),
];

/// Bytes of the file, and of one key.
const LONGEST_FILE: u64 = 1 << 20;
const LONGEST_KEY: usize = 4096;

/// What the file says, by service: the key, or null where the keyring has it.
type Kept = BTreeMap<String, Option<String>>;

/// The keys of one person.
pub struct Keys {
    /// What the process was started with.
    environment: Environment,
    own: OwnServices,
    file: Option<SecretFile>,
    in_workspace: bool,
    keyring: Option<Keyring>,
    read: Mutex<Option<Read>>,
    /// Of what is of no model service.
    variables: BTreeMap<&'static str, String>,
}

/// What was read, and what the file was like then.
struct Read {
    stamp: Stamp,
    kept: Result<Kept, String>,
    /// What the keyring answered for those that it has.
    in_keyring: BTreeMap<String, Result<String, String>>,
}

/// Why a key can't be kept.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// Nobody knows the service.
    #[error("there is no service `{0}` that uses an API key")]
    Unknown(String),
    /// It is none.
    #[error("this is not an API key: a key is one word of visible characters, of at most {LONGEST_KEY} bytes")]
    NoKey,
    /// There is nowhere to keep it.
    #[error("there is no folder to store the key in; set ASIDE_DATA_DIR")]
    NoFolder,
    /// A program that runs in the workspace could reach it.
    #[error(
        "keys are never stored in a workspace, and your data folder is inside this one: set the service's environment variable instead"
    )]
    InWorkspace,
    /// The file.
    #[error(transparent)]
    File(#[from] SecretFileError),
    /// The keyring.
    #[error(transparent)]
    Keyring(#[from] KeyringError),
}

impl fmt::Debug for Keys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Keys")
    }
}

impl Keys {
    /// The keys for a workspace, beside those of the environment.
    pub fn new(
        environment: Environment,
        data: Option<&DataFolder>,
        workspace: &Path,
        keyring: Option<Keyring>,
    ) -> Self {
        let real = |path: &Path| path.ancestors().find_map(|path| path.canonicalize().ok());
        let within = |data: &DataFolder| real(data.path()).is_some_and(|path| path.starts_with(workspace));
        let file = data.map(|data| SecretFile::new(data, "keys.json", LONGEST_FILE));
        let own = OwnServices::new(data);
        Self {
            environment,
            own,
            file,
            in_workspace: data.is_some_and(within),
            keyring,
            read: Mutex::default(),
            variables: BTreeMap::new(),
        }
    }

    /// Takes from an environment what is of no model service.
    #[must_use]
    pub fn with_variables(mut self, read: impl Fn(&str) -> Option<String>) -> Self {
        let of = |variables: &[&str]| variables.iter().find_map(|name| read(name).filter(|value| !value.is_empty()));
        self.variables = HOSTS.iter().filter_map(|(id, _, variables)| Some((*id, of(variables)?))).collect();
        self
    }

    /// The token or secret of what is of no model service.
    pub fn of_host(&self, id: &str) -> Option<Secret> {
        Secret::new(self.text_of_host(id)?)
    }

    /// The same, to compare with.
    pub fn text_of_host(&self, id: &str) -> Option<String> {
        let kept = || self.keys().remove(id).map(|(key, _)| key);
        self.variables.get(id).cloned().or_else(kept)
    }

    /// Reads the kept keys and the person's own services if they have changed; tells whether any had. Blocks: the keyring
    /// may ask the person.
    pub fn refresh(&self) -> bool {
        let own = self.own.refresh();
        self.refresh_kept() || own
    }

    /// Reads the file if it has changed, and what it says of the keyring.
    fn refresh_kept(&self) -> bool {
        let Some(file) = &self.file else { return false };
        let stamp = file.stamp();
        if self.read().as_ref().is_some_and(|read| read.stamp == stamp && stamp != Stamp::Unknown) {
            return false;
        }
        let kept = file.read().map_err(|error| error.to_string()).and_then(|text| parse(file, text.as_deref()));
        if let Err(problem) = &kept {
            tracing::warn!("{problem}");
        }
        let named = kept.iter().flatten().filter(|(_, key)| key.is_none()).map(|(id, _)| id.clone());
        let in_keyring = named.map(|id| (id.clone(), self.ask_keyring(&id))).collect();
        *self.read() = Some(Read { stamp, kept, in_keyring });
        true
    }

    fn ask_keyring(&self, service: &str) -> Result<String, String> {
        let keyring = self.keyring.as_ref().ok_or("its key is in the keyring, which is not available here")?;
        let found = keyring.get(service).map_err(|error| format!("its key is in the keyring: {error}"))?;
        found.ok_or_else(|| "its key is no longer in the keyring".to_owned())
    }

    /// What the process was started with, the person's own services, and the kept keys of those that have none there.
    pub fn environment(&self) -> Environment {
        let mut environment = self.without_kept();
        for (id, (key, source)) in self.keys() {
            let Some(secret) = Secret::new(&key).filter(|_| HOSTS.iter().all(|(host, ..)| *host != id)) else {
                continue;
            };
            match environment.services.iter_mut().find(|service| service.id == id) {
                Some(service) if service.key.is_some() => {}
                Some(service) => (service.key, service.key_source) = (Some(secret), source),
                None => {
                    let service = Service::new(&id, None, Some(secret));
                    environment.services.push(Service { key_source: source, ..service });
                }
            }
        }
        environment
    }

    /// What the process was started with, and the person's own services.
    fn without_kept(&self) -> Environment {
        let mut environment = self.environment.clone();
        self.own.add_to(&mut environment);
        environment
    }

    /// The keys themselves, kept or of the person's own services, for what must never show them.
    pub fn values(&self) -> Vec<String> {
        let kept = self.keys().into_values().map(|(key, _)| key);
        kept.chain(self.own.variables()).chain(self.variables.values().cloned()).collect()
    }

    /// The names of all variables that hold a key, whether or not they are set. Reads the file of the person's own services.
    pub fn names_of_variables(&self) -> BTreeSet<String> {
        let of_models = key_variables(|name| env::var(name).ok());
        let of_hosts = HOSTS.iter().flat_map(|(.., variables)| variables.iter().copied());
        of_models.chain(of_hosts).map(str::to_owned).chain(self.own.key_variables()).collect()
    }

    /// Keeps a key in the place of an earlier one.
    pub fn set(&self, service: &str, key: &str) -> Result<(), KeysError> {
        self.one(service)?;
        let key = key.trim();
        if key.is_empty() || key.len() > LONGEST_KEY || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(KeysError::NoKey);
        }
        let in_keyring = self.keyring.as_ref().is_some_and(|keyring| match keyring.set(service, key) {
            Ok(()) => true,
            Err(error) => {
                tracing::warn!("{error}; the key of {service} is stored in a file");
                false
            }
        });
        if self.in_workspace && !in_keyring {
            return Err(KeysError::InWorkspace);
        }
        self.change(|kept| drop(kept.insert(service.to_owned(), (!in_keyring).then(|| key.to_owned()))))
    }

    /// Forgets a key.
    pub fn forget(&self, service: &str) -> Result<(), KeysError> {
        self.one(service)?;
        if let (Some(None), Some(keyring)) = (self.kept().get(service), &self.keyring) {
            keyring.forget(service)?;
        }
        self.change(|kept| drop(kept.remove(service)))
    }

    /// Says where the key of each service is from.
    pub fn list(&self) -> Vec<KeyStatus> {
        let environment = self.without_kept();
        let of_preset = |preset: &Preset| {
            let service = environment.services.iter().find(|service| service.id == preset.id);
            self.status(preset.id, preset.name, preset.keys, service)
        };
        let of_own = |service: &Service| {
            let own = service.own.as_ref()?;
            Some(self.status(&service.id, &own.name, own.key_env.as_deref().as_slice(), Some(service)))
        };
        let of_host = |(id, name, variables): &(&str, &str, &[&str])| {
            let key = self.variables.get(id).and_then(Secret::new);
            self.status(id, name, variables, Some(&Service::new(id, None, key)))
        };
        let own = environment.services.iter().filter_map(of_own);
        PRESETS.iter().map(of_preset).chain(own).chain(HOSTS.iter().map(of_host)).collect()
    }

    /// Says where the key of one service is from.
    pub fn one(&self, service: &str) -> Result<KeyStatus, KeysError> {
        let found = self.list().into_iter().find(|status| status.service == service);
        found.ok_or_else(|| KeysError::Unknown(service.chars().take(60).collect()))
    }

    fn status(&self, id: &str, name: &str, variables: &[&str], service: Option<&Service>) -> KeyStatus {
        let in_environment = service.is_some_and(|service| service.key.is_some());
        let kept = self.keys().get(id).map(|(_, source)| *source);
        let file = || self.file.as_ref().map(|file| file.path().display().to_string());
        let (key, place) = match (in_environment, kept) {
            (true, _) => (KeySource::Environment, Some(variables.join(" or "))),
            (false, Some(KeySource::File)) => (KeySource::File, file()),
            (false, Some(source)) => (source, Some("the keyring".to_owned())),
            (false, None) => (KeySource::None, None),
        };
        let note = match key {
            KeySource::Environment if kept.is_some() => {
                Some("a key is stored as well, but not used while the variable is set".to_owned())
            }
            KeySource::File if self.keyring.is_none() => Some("no keyring is available here".to_owned()),
            _ => self.problem(id),
        };
        KeyStatus { service: id.to_owned(), name: name.to_owned(), key, place, note }
    }

    fn change(&self, change: impl FnOnce(&mut Kept)) -> Result<(), KeysError> {
        let file = self.file.as_ref().ok_or(KeysError::NoFolder)?;
        file.change(|text| {
            let mut kept = parse(file, text).map_err(io::Error::other)?;
            change(&mut kept);
            serde_json::to_string_pretty(&kept).map(|text| text + "\n").map_err(io::Error::other)
        })?;
        Ok(())
    }

    fn kept(&self) -> Kept {
        self.read().as_ref().and_then(|read| read.kept.clone().ok()).unwrap_or_default()
    }

    /// The keys that are there, and where each is from.
    fn keys(&self) -> BTreeMap<String, (String, KeySource)> {
        let read = self.read();
        let Some(Read { kept: Ok(kept), in_keyring, .. }) = read.as_ref() else { return BTreeMap::new() };
        let found = kept.iter().filter_map(|(id, key)| match key {
            Some(key) => Some((id.clone(), (key.clone(), KeySource::File))),
            None => Some((id.clone(), (in_keyring.get(id)?.clone().ok()?, KeySource::Keyring))),
        });
        found.collect()
    }

    fn problem(&self, service: &str) -> Option<String> {
        let read = self.read();
        let read = read.as_ref()?;
        read.kept.clone().err().or_else(|| read.in_keyring.get(service)?.clone().err())
    }

    fn read(&self) -> MutexGuard<'_, Option<Read>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the file's text; what is wrong with it is said without any of it.
fn parse(file: &SecretFile, text: Option<&str>) -> Result<Kept, String> {
    let Some(text) = text else { return Ok(Kept::default()) };
    serde_json::from_str(text).map_err(|error| {
        format!("{} is damaged at line {}, column {}", file.path().display(), error.line(), error.column())
    })
}

impl From<KeysError> for Failure {
    fn from(error: KeysError) -> Self {
        let code = match error {
            KeysError::Unknown(_) => "not_found",
            KeysError::NoKey => "bad_request",
            KeysError::NoFolder | KeysError::InWorkspace => "conflict",
            KeysError::File(_) | KeysError::Keyring(_) => "io",
        };
        Self::new(code, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "sk-canary-of-a-test";

    fn keys(data: &Path, environment: Environment) -> Keys {
        Keys::new(environment, Some(&DataFolder::at(data)), Path::new("/nowhere"), None)
    }

    #[test]
    fn a_variable_goes_before_what_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let named = Service::new("openai", None, Secret::new("of-the-environment"));
        let keys = keys(folder.path(), Environment { services: vec![named], ..Environment::default() });
        for service in ["openai", "anthropic"] {
            keys.set(service, KEY).unwrap();
        }
        assert!(keys.refresh() && !keys.refresh());
        let sources: Vec<_> = keys.environment().services.into_iter().map(|one| (one.id, one.key_source)).collect();
        assert_eq!(sources, [("openai".into(), KeySource::Environment), ("anthropic".into(), KeySource::File)]);
        assert!(keys.one("openai").unwrap().note.unwrap().contains("not used"));
        keys.forget("anthropic").unwrap();
        assert!(keys.refresh());
        assert_eq!(keys.one("anthropic").unwrap().key, KeySource::None);
        assert!(!format!("{:?} {keys:?}", keys.list()).contains(KEY));
    }

    #[test]
    fn what_no_header_carries_is_no_key_and_is_not_repeated() {
        let folder = tempfile::tempdir().unwrap();
        let keys = keys(folder.path(), Environment::default());
        let long = "x".repeat(LONGEST_KEY + 1);
        for wrong in
            ["", " \n", "sk-canary\r\nx-evil: 1", "sk canary", "sk-canary\u{0}", "sk-cänary", "sk\u{202e}canary", &long]
        {
            let error = keys.set("openai", wrong).unwrap_err();
            assert!(matches!(error, KeysError::NoKey) && !error.to_string().contains("canary"), "{wrong:?}");
        }
        assert!(matches!(keys.set("../openai", KEY), Err(KeysError::Unknown(_))));
        keys.set("openai", &format!(" {KEY}\n")).unwrap();
        keys.refresh();
        assert_eq!(keys.values(), [KEY]);
    }

    #[test]
    fn a_keyring_that_fails_leaves_the_file_and_one_that_is_gone_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::at(folder.path());
        let broken = Some(Keyring::secret_tool("/nowhere/secret-tool"));
        let keys = Keys::new(Environment::default(), Some(&data), Path::new("/nowhere"), broken);
        keys.set("openai", KEY).unwrap();
        keys.refresh();
        assert_eq!(keys.one("openai").unwrap().key, KeySource::File);
        let file = SecretFile::new(&data, "keys.json", LONGEST_FILE);
        file.change(|_| Ok("{\"openai\": null}".to_owned())).unwrap();
        keys.refresh();
        let status = keys.one("openai").unwrap();
        assert!(status.key == KeySource::None && status.note.unwrap().contains("keyring"));
        keys.forget("openai").unwrap_err();
    }

    #[test]
    fn no_key_is_kept_in_a_workspace() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = folder.path().canonicalize().unwrap();
        let data = DataFolder::at(workspace.join(".local/share/aside"));
        let keys = Keys::new(Environment::default(), Some(&data), &workspace, None);
        assert!(matches!(keys.set("openai", KEY), Err(KeysError::InWorkspace)));
        assert!(!data.path().exists());
    }

    #[test]
    fn a_damaged_file_is_said_without_its_words_and_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let keys = keys(folder.path(), Environment::default());
        let file = SecretFile::new(&DataFolder::at(folder.path()), "keys.json", LONGEST_FILE);
        file.change(|_| Ok(format!("{{\"openai\": \"{KEY}"))).unwrap();
        keys.refresh();
        let note = keys.one("openai").unwrap().note.unwrap();
        assert!(note.contains("damaged") && !note.contains(KEY), "{note}");
        let error = keys.set("openai", "another-key").unwrap_err().to_string();
        assert!(!error.contains(KEY), "{error}");
    }
}
