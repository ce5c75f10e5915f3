//! Jupyter's signatures: the secret of a person, and the database of what they signed with it.

use std::path::{Path, PathBuf};

use ring::hmac;

use crate::{Files, Surroundings};

/// Bytes of a secret at most.
const LONGEST: usize = 1 << 20;

/// What a person signs notebooks with, in Jupyter.
pub struct NotebookSecret {
    key: hmac::Key,
    database: PathBuf,
}

impl NotebookSecret {
    /// Reads it; none if the person has not used Jupyter.
    pub fn read(files: &impl Files, around: &Surroundings) -> Option<Self> {
        let folder = around.person_data()?;
        let secret = files.read(&folder.join("notebook_secret")).ok()?;
        let secret = Some(secret).filter(|secret| !secret.is_empty() && secret.len() <= LONGEST)?;
        let key = hmac::Key::new(hmac::HMAC_SHA256, &secret);
        Some(Self { key, database: folder.join("nbsignatures.db") })
    }

    /// The database of signatures, which may not be there.
    pub fn database(&self) -> &Path {
        &self.database
    }

    /// Signs what is fed, in hexadecimal digits; none if nothing is to be signed.
    pub fn sign(&self, feed: impl FnOnce(&mut dyn FnMut(&[u8])) -> bool) -> Option<String> {
        let mut context = hmac::Context::with_key(&self.key);
        let is_whole = feed(&mut |part| context.update(part));
        is_whole.then(|| context.sign().as_ref().iter().map(|byte| format!("{byte:02x}")).collect())
    }
}
