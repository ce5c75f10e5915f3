//! Signatures in the database of Jupyter, for who has used it.

use aside_core::{Timestamp, WorkspacePath};
use aside_jupyter::{Disk, NotebookSecret};
use aside_notebook::signed_parts;
use aside_store::{StoreError, open_shared, sql::params};

use crate::session::Shared;

/// Bytes of a notebook whose signature is looked for.
const MOST_BYTES: u64 = 256 << 20;

/// A notebook's file with its signature, for a person who uses Jupyter.
pub(super) fn signature_of(shared: &Shared, path: &WorkspacePath) -> Option<(NotebookSecret, Vec<u8>, String)> {
    let secret = NotebookSecret::read(&Disk, &shared.options.around)?;
    let bytes = shared.workspace.read_file(path, MOST_BYTES).ok()?;
    let signature = signature(&secret, &bytes)?;
    Some((secret, bytes, signature))
}

fn signature(secret: &NotebookSecret, bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    secret.sign(|feed| signed_parts(text, feed))
}

/// Tells whether a person has signed it.
pub(super) fn is_signed(secret: &NotebookSecret, signature: &str) -> bool {
    let found = open_shared(secret.database()).and_then(|connection| {
        let mut statement =
            connection.prepare("SELECT 1 FROM nbsignatures WHERE algorithm = 'sha256' AND signature = ?1")?;
        Ok(statement.exists(params![signature])?)
    });
    found.unwrap_or(false)
}

/// Signs, or takes the signature back.
pub(super) fn sign(secret: &NotebookSecret, signature: &str, trusted: bool, now: Timestamp) -> Result<(), StoreError> {
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

    use aside_jupyter::Surroundings;

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
