//! Who is here: cursors, selections, names. Kept only while the peer that told of them is connected.

use std::collections::BTreeMap;

use yrs::encoding::{
    read::{Cursor, Error, Read as _},
    write::Write as _,
};

use super::PeerId;

/// The states of more clients than this are not taken in.
const MAX_CLIENTS: usize = 10_000;

/// The states of all clients, as opaque JSON.
#[derive(Debug, Default)]
pub(crate) struct Presence {
    clients: BTreeMap<u64, Client>,
}

#[derive(Debug)]
struct Client {
    clock: u32,
    /// None once the client is gone; its clock is kept, so that a late message can't bring it back.
    state: Option<Box<str>>,
    peer: PeerId,
}

struct Entry {
    client: u64,
    clock: u32,
    state: Option<Box<str>>,
}

impl Presence {
    /// Takes in states from a peer; returns the encoded ones that are news.
    pub(crate) fn merge(&mut self, peer: PeerId, states: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let news: Vec<u64> = decode(states)?.into_iter().filter_map(|entry| self.merge_one(peer, entry)).collect();
        Ok(self.encode(&news))
    }

    /// Forgets what a peer told; returns the encoded departures.
    pub(crate) fn leave(&mut self, peer: PeerId) -> Option<Vec<u8>> {
        let mut gone = Vec::new();
        for (id, client) in &mut self.clients {
            if client.peer == peer && client.state.take().is_some() {
                client.clock = client.clock.saturating_add(1);
                gone.push(*id);
            }
        }
        self.encode(&gone)
    }

    /// All clients that are here, encoded; none if nobody is.
    pub(crate) fn all(&self) -> Option<Vec<u8>> {
        let here: Vec<u64> =
            self.clients.iter().filter(|(_, client)| client.state.is_some()).map(|(id, _)| *id).collect();
        self.encode(&here)
    }

    fn merge_one(&mut self, peer: PeerId, entry: Entry) -> Option<u64> {
        let Entry { client: id, clock, state } = entry;
        match self.clients.get_mut(&id) {
            Some(client) => {
                let departs = client.clock == clock && state.is_none() && client.state.is_some();
                if clock <= client.clock && !departs {
                    return None;
                }
                *client = Client { clock, state, peer };
            }
            None if state.is_none() => return None,
            None => {
                if self.clients.len() >= MAX_CLIENTS {
                    self.clients.retain(|_, client| client.state.is_some());
                }
                if self.clients.len() >= MAX_CLIENTS {
                    return None;
                }
                self.clients.insert(id, Client { clock, state, peer });
            }
        }
        Some(id)
    }

    fn encode(&self, ids: &[u64]) -> Option<Vec<u8>> {
        if ids.is_empty() {
            return None;
        }
        let mut bytes = Vec::new();
        bytes.write_var(ids.len());
        for id in ids {
            let client = self.clients.get(id)?;
            bytes.write_var(*id);
            bytes.write_var(client.clock);
            bytes.write_buf(client.state.as_deref().unwrap_or("null"));
        }
        Some(bytes)
    }
}

fn decode(bytes: &[u8]) -> Result<Vec<Entry>, Error> {
    let mut cursor = Cursor::new(bytes);
    let count: u32 = cursor.read_var()?;
    let mut entries = Vec::new();
    for _ in 0..count {
        let client = cursor.read_var()?;
        let clock = cursor.read_var()?;
        let state = cursor.read_string()?;
        entries.push(Entry { client, clock, state: (state != "null").then(|| state.into()) });
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALICE: PeerId = PeerId(1);
    const BOB: PeerId = PeerId(2);

    fn states(entries: &[(u64, u32, &str)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.write_var(entries.len());
        for (client, clock, state) in entries {
            bytes.write_var(*client);
            bytes.write_var(*clock);
            bytes.write_buf(state);
        }
        bytes
    }

    #[test]
    fn only_news_is_passed_on() {
        let mut presence = Presence::default();
        let hello = states(&[(7, 1, "{}")]);
        assert_eq!(presence.merge(ALICE, &hello).unwrap(), Some(hello.clone()));
        assert_eq!(presence.merge(BOB, &hello).unwrap(), None);
        assert_eq!(presence.all(), Some(hello));
    }

    #[test]
    fn a_peer_that_leaves_takes_its_clients_along() {
        let mut presence = Presence::default();
        presence.merge(ALICE, &states(&[(7, 1, "{}")])).unwrap();
        presence.merge(BOB, &states(&[(8, 1, "{}")])).unwrap();
        assert_eq!(presence.leave(ALICE), Some(states(&[(7, 2, "null")])));
        assert_eq!(presence.leave(ALICE), None);
        assert_eq!(presence.all(), Some(states(&[(8, 1, "{}")])));
        assert_eq!(presence.merge(BOB, &states(&[(7, 1, "{}")])).unwrap(), None, "a late message");
    }

    #[test]
    fn a_false_count_is_an_error() {
        assert!(Presence::default().merge(ALICE, &[0xff, 0xff, 0xff, 0x7f, 1]).is_err());
    }
}
