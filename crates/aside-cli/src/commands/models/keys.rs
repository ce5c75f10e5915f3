//! `aside models key`: keys go in by a prompt that shows nothing or by standard input, never by an argument.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _};

use anyhow::{Context as _, bail};
use aside_core::KeySource;
use aside_protocol::{KeyStatus, SetKey};
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use super::providers::below;
use crate::{arguments::Key, client::Client, output::Output};

/// Bytes that are read of standard input: more is no key.
const LONGEST: u64 = 8192;

/// Keeps, forgets or lists.
pub(super) async fn keys(client: &Client, what: Key, output: &Output) -> anyhow::Result<()> {
    match what {
        Key::List => {
            let all: Vec<KeyStatus> = client.get("models/keys").await?;
            output.result(&all, || all.iter().map(line).collect());
        }
        Key::Set { service } => {
            let key = tokio::select! {
                key = ask(&service) => key?,
                _ = tokio::signal::ctrl_c() => bail!("nothing was changed"),
            };
            let status: KeyStatus = client.put(&below("models/keys", &service)?, &SetKey { key }).await?;
            output.result(&status, || line(&status));
        }
        Key::Forget { service } => {
            let status: KeyStatus = client.delete(&below("models/keys", &service)?).await?;
            output.result(&status, || line(&status));
        }
    }
    Ok(())
}

fn line(status: &KeyStatus) -> String {
    let source = match status.key {
        KeySource::None => "no API key".to_owned(),
        KeySource::Environment => format!("from the environment ({})", status.place.as_deref().unwrap_or_default()),
        KeySource::Keyring => "from the keyring".to_owned(),
        KeySource::File => format!("from {}", status.place.as_deref().unwrap_or("a file")),
    };
    let note = status.note.as_ref().map(|note| format!("; {note}")).unwrap_or_default();
    format!("{:12} {source}{note}\n", status.service)
}

async fn ask(service: &str) -> anyhow::Result<String> {
    // Dropped when the question is given up, too.
    let silent = if io::stdin().is_terminal() { Some(Silent::begin()?) } else { None };
    if silent.is_some() {
        eprint!("API key for {service} (not shown): ");
    }
    let read = if silent.is_some() { read_line } else { read_all };
    tokio::task::spawn_blocking(read).await?.context("cannot read the API key")
}

fn read_line() -> io::Result<String> {
    let mut line = String::new();
    io::stdin().lock().take(LONGEST).read_line(&mut line)?;
    Ok(line)
}

fn read_all() -> io::Result<String> {
    let mut text = String::new();
    io::stdin().lock().take(LONGEST).read_to_string(&mut text)?;
    Ok(text)
}

/// A terminal that does not show what is typed, until this is dropped.
struct Silent(Termios);

impl Silent {
    fn begin() -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut quiet = before.clone();
        quiet.local_modes.remove(LocalModes::ECHO);
        quiet.local_modes.insert(LocalModes::ECHONL);
        tcsetattr(io::stdin(), OptionalActions::Flush, &quiet)?;
        Ok(Self(before))
    }
}

impl Drop for Silent {
    fn drop(&mut self) {
        // Nothing is left to do about a terminal that is gone.
        let _ = tcsetattr(io::stdin(), OptionalActions::Flush, &self.0);
    }
}
