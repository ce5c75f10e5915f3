//! Which outputs may run scripts: those that were run here, those of which a person said so here, and those of a file that
//! they signed in Jupyter. Trust is of what stands there, not of a file: what another program writes is not trusted. What a
//! person trusts here is signed in Jupyter's database, too, where they have used Jupyter, and again after each save that
//! somebody watches.
//!
//! ```text
//! notebook_trust  PATH -> { path, said, outputs, own, prompt, ran }
//! ```

mod jupyter;
mod own;

use std::{
    collections::{BTreeMap, HashSet, VecDeque},
    sync::PoisonError,
};

use aside_core::{LabelSource, Sha256, WorkspacePath, canonical_text};
use aside_macros::boxed;
use aside_notebook::{Cell, CellKey, CellKind, Notebook, Raw};
use aside_store::{Store, StoreError};
use serde::{Deserialize, Serialize};

use crate::{Session, SessionError, file, session::Shared};
use jupyter::{is_signed, sign, signature_of};
use own::Own;
pub(crate) use own::OwnOutputs;

const TRUST: &str = "notebook_trust";

/// Outputs of which a person said it that are remembered beyond those that stand in the notebook: an undo brings some back.
const MOST: usize = 1_000;

/// Outputs of one cell that are remembered to be of runs here.
const MOST_OF_CELL: usize = 4;

/// What of a notebook is trusted.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Trusted {
    path: Option<WorkspacePath>,
    /// A person said it of what stood there then.
    #[serde(default)]
    said: bool,
    /// What a person said it of, each as the hash of its JSON. The latest last.
    #[serde(default)]
    outputs: VecDeque<Sha256>,
    /// What runs and answers here have put out.
    #[serde(default)]
    own: Own,
    /// What the notebook asked of models when a person said it.
    #[serde(default)]
    prompt: Option<Sha256>,
    /// What the code of each cell has put out here, by the cell's key, the latest last. Answers of models are none.
    #[serde(default)]
    ran: BTreeMap<String, VecDeque<Sha256>>,
}

impl Trusted {
    pub fn of(store: &Store, path: &WorkspacePath) -> Self {
        // What can't be read is not trusted.
        store.get(TRUST, path.as_str()).unwrap_or_default().unwrap_or_default()
    }

    /// Tells whether these outputs were put out here, or a person trusts them.
    pub fn knows(&self, outputs: &Raw) -> bool {
        hash_of(outputs).is_some_and(|hash| self.has(&hash))
    }

    fn has(&self, hash: &Sha256) -> bool {
        self.outputs.contains(hash) || self.own.names().any(|known| known == hash)
    }

    /// All names, for who looks at many outputs.
    fn names(&self) -> HashSet<&Sha256> {
        self.outputs.iter().chain(self.own.names()).collect()
    }

    /// Remembers what the code of a cell puts out. A run that goes on is written in pieces, and an undo brings one back.
    pub fn ran(&mut self, cell: &CellKey, hash: Sha256) {
        let of_cell = self.ran.entry(cell.0.clone()).or_default();
        of_cell.retain(|known| *known != hash);
        of_cell.push_back(hash);
        of_cell.drain(..of_cell.len().saturating_sub(MOST_OF_CELL));
    }

    /// A person says it of outputs with these names.
    fn say(&mut self, hashes: Vec<Sha256>) {
        let most = MOST.max(hashes.len());
        self.said = true;
        let new: HashSet<&Sha256> = hashes.iter().collect();
        self.outputs.retain(|known| !new.contains(known));
        self.outputs.extend(hashes);
        self.outputs.drain(..self.outputs.len().saturating_sub(most));
    }

    /// A person says it no longer; what runs here have put out and still stands there stays.
    fn unsay(&mut self, kept: &[Sha256]) {
        let kept: HashSet<&Sha256> = kept.iter().collect();
        self.said = false;
        self.outputs.retain(|known| kept.contains(known));
        self.own.keep(&kept);
    }

    /// All that came with the file is what a person said it of; `own` are cells of which the file may not have all yet.
    fn covers(&self, notebook: &Notebook, own: &HashSet<CellKey>) -> bool {
        let names = self.names();
        let is_known = |cell: &Cell| hash_of(&outputs_of(cell)).is_some_and(|hash| names.contains(&hash));
        self.said && with_outputs(notebook).filter(|cell| !own.contains(cell.key())).all(is_known)
    }
}

/// What of a notebook is for a person to trust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trust {
    /// The outputs that came with its file may run scripts.
    pub outputs: bool,
    /// A person said so here, or signed it in Jupyter.
    pub said: bool,
    /// It asks something of models, or has answers of some, that nobody has trusted here.
    pub waits: bool,
    /// Names what would be trusted now.
    pub seen: Sha256,
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

/// The cells whose outputs came with the file and are not trusted.
fn foreign<'a>(
    notebook: &'a Notebook,
    trusted: &'a Trusted,
    own: &'a HashSet<CellKey>,
) -> impl Iterator<Item = &'a Cell> {
    let names = trusted.names();
    let is_known = move |cell: &Cell| hash_of(&outputs_of(cell)).is_some_and(|hash| names.contains(&hash));
    with_outputs(notebook).filter(move |cell| !own.contains(cell.key()) && !is_known(cell))
}

/// Names what is not trusted yet; what is run here meanwhile makes no difference.
fn seen(notebook: &Notebook, trusted: &Trusted, own: &HashSet<CellKey>) -> Sha256 {
    Sha256::of_json(&(hashes(foreign(notebook, trusted, own)), prompt_of(notebook)))
}

fn prompt_of(notebook: &Notebook) -> Option<Sha256> {
    hash_of(&notebook.get("metadata")?.get("user_saved_prompt")?)
}

/// The names of outputs that were asked for last: to make one of what is long takes a while.
#[derive(Debug, Default)]
pub(crate) struct Hashed(BTreeMap<CellKey, (Raw, Option<Sha256>)>);

impl Hashed {
    fn of(&mut self, cell: &Cell) -> Option<Sha256> {
        let outputs = outputs_of(cell);
        let known = self.0.get(cell.key()).filter(|(known, _)| *known == outputs).map(|(_, hash)| hash.clone());
        let hash = known.unwrap_or_else(|| hash_of(&outputs));
        self.0.insert(cell.key().clone(), (outputs, hash.clone()));
        hash
    }
}

impl Shared {
    /// Remembers what cells have put out here.
    pub fn trust_own(&self, own: Vec<OwnOutputs>) {
        self.change_trust(|trusted| own.into_iter().for_each(|own| trusted.own.add(own)));
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
        state.outputs.has(cell.key()) || hash.is_some_and(|hash| state.trusted.has(&hash))
    }

    /// Tells whether all outputs of the notebook are what runs of its cells put out here: none came with a file, from another
    /// program or from a model, whatever a person trusts of them.
    pub(crate) fn ran_all(&self, notebook: &Notebook) -> bool {
        let ran = self.shared.lock().trusted.ran.clone();
        let hash = |cell: &Cell| self.shared.hashed.lock().unwrap_or_else(PoisonError::into_inner).of(cell);
        // To name what is long takes a while: not before it is needed.
        with_outputs(notebook).all(|cell| {
            ran.get(&cell.key().0).is_some_and(|known| hash(cell).is_some_and(|hash| known.contains(&hash)))
        })
    }

    /// What is trusted, and the cells that were run here and are not in the file yet: to look at outputs takes a while.
    fn trusted_and_own(&self) -> (Trusted, HashSet<CellKey>) {
        let state = self.shared.lock();
        let own = state.cells.cells().filter(|cell| state.outputs.has(cell)).cloned().collect();
        (state.trusted.clone(), own)
    }

    /// Says where the content of the notebook's file comes from.
    ///
    /// # Errors
    /// If the server is ending.
    #[boxed]
    pub async fn label(&self) -> Result<LabelSource, SessionError> {
        let (workspace, path) = (self.shared.workspace.clone(), self.path());
        file::blocking(move || Ok(workspace.label_of(&path))).await
    }

    /// Tells whether all outputs that came with its file may run scripts.
    ///
    /// # Errors
    /// If it can't be read.
    #[boxed]
    pub async fn is_trusted(&self) -> Result<bool, SessionError> {
        let (trusted, own) = self.trusted_and_own();
        if trusted.said && trusted.covers(&*self.notebook().await?, &own) {
            return Ok(true);
        }
        let Some(signed) = self.signed_in_jupyter().await? else { return Ok(false) };
        // What was signed is trusted here from now on: the next save has another signature.
        self.shared.change_trust(|now| now.say(hashes(with_outputs(&signed))));
        let (trusted, own) = self.trusted_and_own();
        Ok(trusted.covers(&*self.notebook().await?, &own))
    }

    /// The notebook as its file has it, if a person signed that in Jupyter.
    async fn signed_in_jupyter(&self) -> Result<Option<Notebook>, SessionError> {
        let (shared, path) = (self.shared.clone(), self.path());
        file::blocking(move || {
            let Some((secret, bytes, signature)) = signature_of(&shared, &path) else { return Ok(None) };
            Ok(is_signed(&secret, &signature).then(|| Notebook::read(&bytes).ok()).flatten())
        })
        .await
    }

    /// Signs for Jupyter what was saved, as long as all of it is trusted here, in place of what was signed so before.
    pub(crate) async fn sign_again(&self) {
        // One after the other, so that each takes back what the one before has signed.
        let mut signed = self.shared.signed.lock().await;
        let (trusted, own) = self.trusted_and_own();
        if !trusted.said {
            return;
        }
        let (shared, path, now) = (self.shared.clone(), self.path(), self.shared.store.now());
        let before = signed.clone();
        let signing = file::blocking(move || {
            let Some((secret, bytes, signature)) = signature_of(&shared, &path) else { return Ok(None) };
            let is_covered = Notebook::read(&bytes).is_ok_and(|notebook| trusted.covers(&notebook, &own));
            if !is_covered || is_signed(&secret, &signature) {
                return Ok(None);
            }
            let signed = before.map_or(Ok(()), |before| sign(&secret, &before, false, now));
            Ok(signed.and_then(|()| sign(&secret, &signature, true, now)).is_ok().then_some(signature))
        });
        if let Ok(Some(signature)) = signing.await {
            *signed = Some(signature);
        }
    }

    /// Tells what of it is trusted, and what not.
    ///
    /// # Errors
    /// If it can't be read.
    #[boxed]
    pub async fn trust_now(&self) -> Result<Trust, SessionError> {
        let outputs = self.is_trusted().await?;
        let (trusted, own) = self.trusted_and_own();
        let notebook = self.notebook().await?;
        let prompt = prompt_of(&notebook);
        let is_answer = |cell: &Cell| cell.kind() == CellKind::Ai;
        let waits = (prompt.is_some() && prompt != trusted.prompt) || foreign(&notebook, &trusted, &own).any(is_answer);
        Ok(Trust { outputs, said: trusted.said, waits, seen: seen(&notebook, &trusted, &own) })
    }

    /// Says that what stands in it is trusted: that its outputs may run scripts, and what it asks of models; or no longer.
    /// Every window hears of it. `looked_at`: what [`Trust::seen`] was when the person looked.
    ///
    /// # Errors
    /// If it can't be read, or holds something else by now.
    #[boxed]
    pub async fn trust(&self, trusted: bool, looked_at: Option<&str>) -> Result<(), SessionError> {
        let notebook = self.notebook().await?;
        let (known, ran) = self.trusted_and_own();
        if looked_at.is_some_and(|looked_at| trusted && seen(&notebook, &known, &ran).as_str() != looked_at) {
            return Err(SessionError::Changed(self.path()));
        }
        let own = |cell: &&Cell| trusted || self.shared.lock().shown_of(cell.key()).is_some();
        let kept = hashes(with_outputs(&notebook).filter(own));
        self.shared.change_trust(|now| {
            now.prompt = prompt_of(&notebook).filter(|_| trusted);
            if trusted {
                now.say(kept);
            } else {
                now.unsay(&kept);
            }
        });
        self.shared.tell_trust();
        let (shared, path, now) = (self.shared.clone(), self.path(), self.shared.store.now());
        file::blocking(move || {
            let Some((secret, _, signature)) = signature_of(&shared, &path) else { return Ok(()) };
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
