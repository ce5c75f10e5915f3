//! Which notebooks a person trusts, so that scripts of their outputs run: what they said here, by file, and what they
//! signed in Jupyter, by content. What they trust here is signed there, too, where they have used Jupyter.
//!
//! ```text
//! notebook_trust  PATH -> { path }
//! ```

use aside_core::{LabelSource, Timestamp, WorkspacePath};
use aside_jupyter::{Disk, NotebookSecret, Surroundings};
use aside_notebook::signed_parts;
use aside_store::{Store, StoreError, open_shared, sql::params};
use serde::{Deserialize, Serialize};

use crate::{Session, SessionError, file};

const TRUST: &str = "notebook_trust";

#[derive(Serialize, Deserialize)]
struct TrustRecord {
    path: WorkspacePath,
}

impl Session {
    /// Tells whether a person has said here that they trust it; what they signed in Jupyter is not looked for.
    ///
    /// # Errors
    /// If what is kept can't be read.
    pub fn is_trusted_here(&self) -> Result<bool, SessionError> {
        Ok(self.shared.store.get::<TrustRecord>(TRUST, self.path().as_str())?.is_some())
    }

    /// Says where the content of the notebook's file comes from.
    ///
    /// # Errors
    /// If the server is ending.
    pub async fn label(&self) -> Result<LabelSource, SessionError> {
        let (workspace, path) = (self.shared.workspace.clone(), self.path());
        file::blocking(move || Ok(workspace.label_of(&path))).await
    }

    /// Tells whether its outputs may run scripts.
    ///
    /// # Errors
    /// If what is kept can't be read.
    pub async fn is_trusted(&self) -> Result<bool, SessionError> {
        let (path, store) = (self.path(), self.shared.store.clone());
        if store.get::<TrustRecord>(TRUST, path.as_str())?.is_some() {
            return Ok(true);
        }
        let (workspace, folder) = (self.shared.workspace.clone(), self.shared.workspace.folder().to_owned());
        file::blocking(move || {
            let Some(secret) = NotebookSecret::read(&Disk, &Surroundings::of_process(&folder)) else {
                return Ok(false);
            };
            let Ok(bytes) = workspace.read_file(&path, MOST_BYTES) else { return Ok(false) };
            Ok(signature(&secret, &bytes).is_some_and(|signature| is_signed(&secret, &signature)))
        })
        .await
    }

    /// Says that its outputs may run scripts, or no longer.
    ///
    /// # Errors
    /// If that can't be kept.
    pub async fn trust(&self, trusted: bool) -> Result<(), SessionError> {
        let (path, store) = (self.path(), self.shared.store.clone());
        if trusted {
            store.put(TRUST, path.as_str(), None, &TrustRecord { path: path.clone() })?;
        } else {
            store.delete(TRUST, path.as_str())?;
        }
        let (workspace, folder) = (self.shared.workspace.clone(), self.shared.workspace.folder().to_owned());
        let now = store.now();
        file::blocking(move || {
            let Some(secret) = NotebookSecret::read(&Disk, &Surroundings::of_process(&folder)) else { return Ok(()) };
            let Ok(bytes) = workspace.read_file(&path, MOST_BYTES) else { return Ok(()) };
            let Some(signature) = signature(&secret, &bytes) else { return Ok(()) };
            // Jupyter's database may be locked, damaged or not there: what was said here holds without it.
            if let Err(error) = sign(&secret, &signature, trusted, now) {
                tracing::info!(%error, "{path} is not signed for Jupyter");
            }
            Ok(())
        })
        .await
    }
}

/// A notebook has another path.
pub(crate) fn moved(store: &Store, from: &WorkspacePath, to: &WorkspacePath) -> Result<(), StoreError> {
    if store.delete(TRUST, from.as_str())? {
        store.put(TRUST, to.as_str(), None, &TrustRecord { path: to.clone() })?;
    }
    Ok(())
}

/// Bytes of a notebook whose signature is looked for.
const MOST_BYTES: u64 = 256 << 20;

fn signature(secret: &NotebookSecret, bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    secret.sign(|feed| signed_parts(text, feed))
}

fn is_signed(secret: &NotebookSecret, signature: &str) -> bool {
    let found = open_shared(secret.database()).and_then(|connection| {
        let mut statement =
            connection.prepare("SELECT 1 FROM nbsignatures WHERE algorithm = 'sha256' AND signature = ?1")?;
        Ok(statement.exists(params![signature])?)
    });
    found.unwrap_or(false)
}

fn sign(secret: &NotebookSecret, signature: &str, trusted: bool, now: Timestamp) -> Result<(), StoreError> {
    let connection = open_shared(secret.database())?;
    connection.execute("DELETE FROM nbsignatures WHERE algorithm = 'sha256' AND signature = ?1", params![signature])?;
    if trusted {
        // Jupyter reads its own spelling of the time and no other; it only uses it to forget the oldest.
        let insert = "INSERT INTO nbsignatures (algorithm, signature, path, last_seen) \
            VALUES ('sha256', ?1, NULL, strftime('%Y-%m-%d %H:%M:%f', ?2 / 1000.0, 'unixepoch'))";
        connection.execute(insert, params![signature, now.0])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, fs, path::Path};

    use super::*;

    /// As `nbformat.sign` makes it.
    const TABLES: &str = "CREATE TABLE nbsignatures (id integer PRIMARY KEY AUTOINCREMENT, algorithm text, signature text, \
        path text, last_seen timestamp)";

    fn secret(folder: &Path) -> Option<NotebookSecret> {
        let variables = BTreeMap::from([("JUPYTER_DATA_DIR".to_owned(), folder.display().to_string())]);
        NotebookSecret::read(&Disk, &Surroundings { variables, ..Surroundings::of_process(folder) })
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "sets the scene")]
    fn what_jupyter_signed_is_known_and_what_is_trusted_here_is_signed_there() {
        let folder = tempfile::tempdir().unwrap();
        assert!(secret(folder.path()).is_none(), "who has not used Jupyter has no secret");
        fs::write(folder.path().join("notebook_secret"), "c2VjcmV0\n").unwrap();
        let secret = secret(folder.path()).unwrap();
        let file = br#"{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"#;
        let signature = signature(&secret, file).unwrap();
        assert_eq!(signature, SIGNED_BY_NBFORMAT);
        assert!(!is_signed(&secret, &signature) && sign(&secret, &signature, true, Timestamp(0)).is_err());
        assert!(!secret.database().exists(), "Jupyter's database is made by Jupyter");
        aside_store::open_tables(secret.database(), &[TABLES]).unwrap();
        for trusted in [true, true, false] {
            sign(&secret, &signature, trusted, Timestamp(1_700_000_000_123)).unwrap();
            assert_eq!(is_signed(&secret, &signature), trusted);
        }
        fs::write(secret.database(), "no database").unwrap();
        assert!(!is_signed(&secret, &signature) && sign(&secret, &signature, true, Timestamp(0)).is_err());
    }

    /// By `NotebookNotary.compute_signature` of nbformat, with that secret.
    const SIGNED_BY_NBFORMAT: &str = "5bfd69876f27036be72fbb421a550d25dbb4829e3685f2f197a77918f9d7b881";
}
