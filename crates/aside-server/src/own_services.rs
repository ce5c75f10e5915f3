//! Model services of the person's own: `services.toml` in their own folder, which they write by hand.

use std::{
    env,
    sync::{Mutex, MutexGuard, PoisonError},
};

use aside_llm::{Environment, Service};
use aside_store::{DataFolder, Stamp, TextFile};

/// Bytes of the file.
const LONGEST: u64 = 256 << 10;

/// The services, and why there are none if something is wrong with the file.
#[derive(Debug)]
pub(crate) struct OwnServices {
    file: Option<TextFile>,
    read: Mutex<Read>,
}

/// What was read, and what the file was like then.
#[derive(Debug)]
struct Read {
    stamp: Option<Stamp>,
    services: Result<Vec<Service>, String>,
}

impl OwnServices {
    /// Follows the file in the person's own folder.
    pub(crate) fn new(data: Option<&DataFolder>) -> Self {
        let file = data.map(|data| data.file("services.toml", LONGEST));
        Self { file, read: Mutex::new(Read { stamp: None, services: Ok(Vec::new()) }) }
    }

    /// Reads the file if it has changed; tells whether it had.
    pub(crate) fn refresh(&self) -> bool {
        let Some(file) = &self.file else { return false };
        let stamp = file.stamp();
        let mut read = self.read();
        if read.stamp == Some(stamp) && stamp != Stamp::Unknown {
            return false;
        }
        let text = file.read().map_err(|error| error.to_string());
        let services = text.and_then(|text| Service::own(&text.unwrap_or_default(), variable));
        let services = services.map_err(|problem| format!("{}, {problem}", file.path().display()));
        if let Err(problem) = &services {
            tracing::warn!("{problem}");
        }
        *read = Read { stamp: Some(stamp), services };
        true
    }

    /// Adds the services to what the process was started with.
    pub(crate) fn add_to(&self, environment: &mut Environment) {
        match &self.read().services {
            Ok(services) => environment.services.extend(services.iter().cloned()),
            Err(problem) => environment.own_problem = Some(problem.clone()),
        }
    }

    /// The values of the variables that hold keys, whatever these are called.
    pub(crate) fn variables(&self) -> Vec<String> {
        let read = self.read();
        let own = read.services.iter().flatten().filter_map(|service| service.own.as_ref());
        own.filter_map(|own| variable(own.key_env.as_deref()?)).collect()
    }

    /// The names of the variables that hold keys, as the file has them now, whatever else is wrong with it.
    pub(crate) fn key_variables(&self) -> Vec<String> {
        let text = self.file.as_ref().and_then(|file| file.read().ok().flatten()).unwrap_or_default();
        let read = self.read();
        let own = read.services.iter().flatten().filter_map(|service| service.own.as_ref()?.key_env.clone());
        own.chain(named(&text)).collect()
    }

    fn read(&self) -> MutexGuard<'_, Read> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What follows `key_env` in each line.
fn named(text: &str) -> impl Iterator<Item = String> {
    let of_name = |char: char| char.is_ascii_uppercase() || char.is_ascii_digit() || char == '_';
    text.lines().filter_map(move |line| {
        let (_, value) = line.split_once("key_env")?;
        let name = value.trim_start_matches(|char| !of_name(char)).split(|char| !of_name(char)).next()?;
        (!name.is_empty()).then(|| name.to_owned())
    })
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_followed_and_what_is_wrong_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::at(folder.path());
        let own = OwnServices::new(Some(&data));
        let write =
            |text: &str| data.file("services.toml", LONGEST).change(|_| Ok::<_, std::io::Error>(text.to_owned()));
        let found = || {
            own.refresh();
            let mut environment = Environment::default();
            own.add_to(&mut environment);
            (environment.services.into_iter().map(|service| service.id).collect::<Vec<_>>(), environment.own_problem)
        };
        assert_eq!(found(), (vec![], None));
        write("[services.lab]\nbase_url = \"http://127.0.0.1:8000/v1\"\napi = \"chat\"\n").unwrap();
        assert_eq!(found(), (vec!["lab".to_owned()], None));
        assert!(!own.refresh());
        write("[services.lab]\nbase_url = \"nowhere\"\napi = \"chat\"\n").unwrap();
        let (services, problem) = found();
        assert!(services.is_empty());
        let problem = problem.unwrap();
        assert!(problem.contains("services.toml, line 2: `base_url`"), "{problem}");
        write("[services.lab]\nkey_env = \"LAB_KEY\"\nbase_url = \"nowhere\"\n").unwrap();
        assert_eq!(own.key_variables(), ["LAB_KEY"], "what holds a key is known at once, and in a damaged file");
    }
}
