//! Which outputs may run scripts: those that were run here, those of which a person said so here, and those of a file that
//! they signed in Jupyter. Trust is of what stands there, not of a file: what another program writes is not trusted. What a
//! person trusts here is signed in Jupyter's database, too, where they have used Jupyter, and again after each save that
//! somebody watches.
//!
//! ```text
//! notebook_trust  PATH -> { path, said, outputs, prompt }
//! ```

use std::collections::{HashSet, VecDeque};

use aside_core::{LabelSource, Sha256, Timestamp, WorkspacePath, canonical_text};
use aside_jupyter::{Disk, NotebookSecret, Surroundings};
use aside_notebook::{Cell, CellKey, Notebook, Raw, signed_parts};
use aside_store::{Store, StoreError, open_shared, sql::params};
use aside_workspace::Workspace;
use serde::{Deserialize, Serialize};

use crate::{Session, SessionError, file, session::Shared};

const TRUST: &str = "notebook_trust";

/// Outputs that are remembered beyond those that stand in the notebook: an undo brings some back.
const MOST: usize = 1_000;

/// What of a notebook is trusted.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Trusted {
    path: Option<WorkspacePath>,
    /// A person said it of what stood there then.
    #[serde(default)]
    said: bool,
    /// What cells have put out, each as the hash of its JSON: here, or what a person said it of. The latest last.
    #[serde(default)]
    outputs: VecDeque<Sha256>,
    /// What the notebook asked of models when a person said it.
    #[serde(default)]
    prompt: Option<Sha256>,
}

impl Trusted {
    pub fn of(store: &Store, path: &WorkspacePath) -> Self {
        // What can't be read is not trusted.
        store.get(TRUST, path.as_str()).unwrap_or_default().unwrap_or_default()
    }

    /// Tells whether these outputs were put out here, or a person trusts them.
    pub fn knows(&self, outputs: &Raw) -> bool {
        hash_of(outputs).is_some_and(|hash| self.outputs.contains(&hash))
    }

    fn add(&mut self, hashes: Vec<Sha256>, most: usize) {
        self.outputs.retain(|known| !hashes.contains(known));
        self.outputs.extend(hashes);
        let too_many = self.outputs.len().saturating_sub(most);
        self.outputs.drain(..too_many);
    }

    /// A person says it of outputs with these names.
    fn say(&mut self, hashes: Vec<Sha256>) {
        let most = MOST.max(hashes.len());
        self.said = true;
        self.add(hashes, most);
    }

    /// All that came with the file is what a person said it of; `own` are cells of which the file may not have all yet.
    fn covers(&self, notebook: &Notebook, own: &HashSet<CellKey>) -> bool {
        let all = || with_outputs(notebook).filter(|cell| !own.contains(cell.key()));
        self.said && all().all(|cell| self.knows(&outputs_of(cell)))
    }
}

/// Names outputs by what they are, however a program spells their JSON. None of what is no JSON.
pub(crate) fn hash_of(outputs: &Raw) -> Option<Sha256> {
    Some(Sha256::of(canonical_text(&serde_json::from_str(outputs.as_str()).ok()?)))
}

fn with_outputs(notebook: &Notebook) -> impl Iterator<Item = &Cell> {
    notebook.cells.iter().filter(|cell| !cell.outputs().is_empty())
}

fn outputs_of(cell: &Cell) -> Raw {
    cell.get("outputs").cloned().unwrap_or_else(|| Raw::of(&().into()))
}

fn hashes<'a>(cells: impl Iterator<Item = &'a Cell>) -> Vec<Sha256> {
    cells.filter_map(|cell| hash_of(&outputs_of(cell))).collect()
}

fn prompt_of(notebook: &Notebook) -> Option<Sha256> {
    hash_of(&notebook.get("metadata")?.get("user_saved_prompt")?)
}

impl Shared {
    /// Remembers what cells have put out here.
    pub fn trust_own(&self, hashes: Vec<Sha256>) {
        self.change_trust(|trusted| trusted.add(hashes, MOST));
    }

    fn change_trust(&self, change: impl FnOnce(&mut Trusted)) {
        let (path, trusted) = self.change(|state| {
            change(&mut state.trusted);
            state.trusted.path = Some(state.path.clone());
            (state.path.clone(), state.trusted.clone())
        });
        self.noted(self.store.put(TRUST, path.as_str(), None, &trusted));
    }
}

impl Session {
    /// Tells whether a person has said here that they trust what stands in the notebook, and what it asks of models; a
    /// signature of Jupyter is no word on that.
    pub fn is_trusted_here(&self, notebook: &Notebook) -> bool {
        let (trusted, own) = self.trusted_and_own();
        trusted.prompt == prompt_of(notebook) && trusted.covers(notebook, &own)
    }

    /// Tells whether a cell has put out here what stands in it, or a person trusts it.
    pub fn knows_outputs(&self, cell: &Cell) -> bool {
        let hash = hash_of(&outputs_of(cell));
        let state = self.shared.lock();
        state.outputs.has(cell.key()) || hash.is_some_and(|hash| state.trusted.outputs.contains(&hash))
    }

    /// What is trusted, and the cells that were run here and are not in the file yet: to look at outputs takes a while.
    fn trusted_and_own(&self) -> (Trusted, HashSet<CellKey>) {
        let state = self.shared.lock();
        let own = state.cells.keys().filter(|cell| state.outputs.has(cell)).cloned().collect();
        (state.trusted.clone(), own)
    }

    /// Says where the content of the notebook's file comes from.
    ///
    /// # Errors
    /// If the server is ending.
    pub async fn label(&self) -> Result<LabelSource, SessionError> {
        let (workspace, path) = (self.shared.workspace.clone(), self.path());
        file::blocking(move || Ok(workspace.label_of(&path))).await
    }

    /// Tells whether all outputs that came with its file may run scripts.
    ///
    /// # Errors
    /// If it can't be read.
    pub async fn is_trusted(&self) -> Result<bool, SessionError> {
        let (trusted, own) = self.trusted_and_own();
        if trusted.said && trusted.covers(&self.notebook().await?, &own) {
            return Ok(true);
        }
        let Some(signed) = self.signed_in_jupyter().await? else { return Ok(false) };
        // What was signed is trusted here from now on: the next save has another signature.
        self.shared.change_trust(|now| now.say(hashes(with_outputs(&signed))));
        let (trusted, own) = self.trusted_and_own();
        Ok(trusted.covers(&self.notebook().await?, &own))
    }

    /// The notebook as its file has it, if a person signed that in Jupyter.
    async fn signed_in_jupyter(&self) -> Result<Option<Notebook>, SessionError> {
        let (workspace, path) = (self.shared.workspace.clone(), self.path());
        file::blocking(move || {
            let Some((secret, bytes, signature)) = signature_of(&workspace, &path) else { return Ok(None) };
            Ok(is_signed(&secret, &signature).then(|| Notebook::read(&bytes).ok()).flatten())
        })
        .await
    }

    /// Signs for Jupyter what was saved, as long as all of it is trusted here, in place of what was signed so before.
    pub(crate) async fn sign_again(&self) {
        let (trusted, own) = self.trusted_and_own();
        if !trusted.said {
            return;
        }
        let (workspace, path, now) = (self.shared.workspace.clone(), self.path(), self.shared.store.now());
        let before = self.shared.lock().signed.clone();
        let signing = file::blocking(move || {
            let Some((secret, bytes, signature)) = signature_of(&workspace, &path) else { return Ok(None) };
            let is_covered = Notebook::read(&bytes).is_ok_and(|notebook| trusted.covers(&notebook, &own));
            if !is_covered || is_signed(&secret, &signature) {
                return Ok(None);
            }
            let signed = before.map_or(Ok(()), |before| sign(&secret, &before, false, now));
            Ok(signed.and_then(|()| sign(&secret, &signature, true, now)).is_ok().then_some(signature))
        });
        if let Ok(Some(signature)) = signing.await {
            self.shared.change(|state| state.signed = Some(signature));
        }
    }

    /// Says that the outputs that stand in it may run scripts, or no longer. Every window hears of it.
    ///
    /// # Errors
    /// If it can't be read.
    pub async fn trust(&self, trusted: bool) -> Result<(), SessionError> {
        let notebook = self.notebook().await?;
        let own = |cell: &&Cell| trusted || self.shared.lock().shown_of(cell.key()).is_some();
        let kept = hashes(with_outputs(&notebook).filter(own));
        self.shared.change_trust(|now| {
            now.prompt = prompt_of(&notebook).filter(|_| trusted);
            if trusted {
                now.say(kept);
            } else {
                now.said = false;
                now.outputs.retain(|known| kept.contains(known));
            }
        });
        self.shared.tell_trust();
        let (workspace, path, now) = (self.shared.workspace.clone(), self.path(), self.shared.store.now());
        file::blocking(move || {
            let Some((secret, _, signature)) = signature_of(&workspace, &path) else { return Ok(()) };
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
    if let Some(trusted) = store.get::<Trusted>(TRUST, from.as_str())? {
        store.delete(TRUST, from.as_str())?;
        store.put(TRUST, to.as_str(), None, &Trusted { path: Some(to.clone()), ..trusted })?;
    }
    Ok(())
}

/// Bytes of a notebook whose signature is looked for.
const MOST_BYTES: u64 = 256 << 20;

/// A notebook's file with its signature, for a person who uses Jupyter.
fn signature_of(workspace: &Workspace, path: &WorkspacePath) -> Option<(NotebookSecret, Vec<u8>, String)> {
    let secret = NotebookSecret::read(&Disk, &Surroundings::of_process(workspace.folder()))?;
    let bytes = workspace.read_file(path, MOST_BYTES).ok()?;
    let signature = signature(&secret, &bytes)?;
    Some((secret, bytes, signature))
}

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
