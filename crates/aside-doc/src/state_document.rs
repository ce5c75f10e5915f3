//! A small shared map of JSON values: the layout of the workspace.

use yrs::{Any, Map as _, MapRef, Transact as _, types::ToJson as _};

use crate::{Replica, SyncError};

/// The name of the Yjs map inside the document.
const LAYOUT: &str = "layout";

/// A live map: the Yjs map named `layout`. The server keeps it and passes it on; browsers read and write it.
pub struct StateDocument {
    replica: Replica,
    map: MapRef,
}

impl Default for StateDocument {
    fn default() -> Self {
        Self::over(Replica::default())
    }
}

impl StateDocument {
    /// Continues a stored history.
    pub fn from_updates<Bytes: AsRef<[u8]>>(updates: impl IntoIterator<Item = Bytes>) -> Result<Self, SyncError> {
        Ok(Self::over(Replica::from_updates(updates)?))
    }

    fn over(replica: Replica) -> Self {
        let map = replica.doc().get_or_insert_map(LAYOUT);
        Self { replica, map }
    }

    /// Begins anew with what is stored, after an update that was [`SyncError::Unusable`].
    pub fn restore<Bytes: AsRef<[u8]>>(&mut self, updates: impl IntoIterator<Item = Bytes>) -> Result<(), SyncError> {
        self.replica.restore(updates)?;
        self.map = self.replica.doc().get_or_insert_map(LAYOUT);
        Ok(())
    }

    /// The side that speaks with peers.
    pub fn replica(&self) -> &Replica {
        &self.replica
    }

    /// The side that speaks with peers.
    pub fn replica_mut(&mut self) -> &mut Replica {
        &mut self.replica
    }

    /// One value of the map as JSON.
    pub fn value(&self, key: &str) -> Option<String> {
        let transaction = self.replica.doc().transact();
        let value: Any = self.map.get(&transaction, key)?.to_json(&transaction);
        let mut json = String::new();
        value.to_json(&mut json);
        Some(json)
    }
}
