//! The people of a workspace and the links by which guests come in. Only the hash of a link's secret is kept.
//!
//! ```text
//! owner                       there from the start; comes in by the server's own token
//! invited --> may come in --removed--> may not, for ever; what they said stays theirs
//! ```

use std::sync::Arc;

use aside_core::{Person, PersonId, Sha256, harmless};
use aside_store::{Durability, Store, StoreError, Transaction};

use crate::ChatError;

/// How every secret of a guest's link begins.
pub const GUEST_PREFIX: &str = "aside_guest_";

/// People by id, as [`Person`].
const PEOPLE: &str = "person";
/// The ids of guests by the hash of their secret.
const SECRETS: &str = "person_secret";
/// The log that says that people came or were removed.
const PEOPLE_LOG: &str = "people";
/// Guests who may come in at once.
const MOST: usize = 100;
/// Characters of a name.
const LONGEST_NAME: usize = 40;

/// The people of one workspace. Clones are the same people.
#[derive(Clone, Debug)]
pub struct People {
    store: Arc<Store>,
    owner: Person,
}

impl People {
    /// The people of a store; `owner` is the name of whom the workspace belongs to.
    pub fn open(store: Arc<Store>, owner: &str) -> Result<Self, StoreError> {
        let owner = store.transaction(Durability::Normal, |transaction| {
            let known: Vec<Person> = transaction.list(PEOPLE)?;
            let person = match known.into_iter().find(|person| person.owner) {
                Some(person) if person.name == owner => return Ok(person),
                Some(person) => Person { name: owner.to_owned(), ..person },
                None => new_person(transaction, owner, true),
            };
            write(transaction, &person)?;
            Ok(person)
        })?;
        Ok(Self { store, owner })
    }

    /// Whom the workspace belongs to.
    pub fn owner(&self) -> &Person {
        &self.owner
    }

    /// Returns all who may come in, the owner first.
    pub fn list(&self) -> Result<Vec<Person>, StoreError> {
        let mut people: Vec<Person> = self.store.list(PEOPLE)?;
        people.retain(|person| person.removed.is_none());
        people.sort_by_key(|person| !person.owner);
        Ok(people)
    }

    /// Lets somebody in under a name, by a secret that begins with [`GUEST_PREFIX`].
    pub fn invite(&self, name: &str, secret: &str) -> Result<Person, ChatError> {
        let name = clean(name)?;
        self.store.transaction(Durability::Full, |transaction| {
            let mut people: Vec<Person> = transaction.list(PEOPLE)?;
            people.retain(|person| person.removed.is_none());
            if people.iter().any(|person| folded(&person.name) == folded(&name)) {
                return Ok(Err(ChatError::Name { name: name.clone(), why: "another person has this name" }));
            }
            if people.len() > MOST {
                return Ok(Err(ChatError::TooMany("100 guests")));
            }
            let person = new_person(transaction, &name, false);
            write(transaction, &person)?;
            transaction.put(SECRETS, Sha256::of(secret).as_str(), Some(person.id.as_str()), &person.id)?;
            Ok(Ok(person))
        })?
    }

    /// Sends a guest away for ever. To send one away who is gone changes nothing.
    pub fn remove(&self, id: &PersonId) -> Result<Person, ChatError> {
        if *id == self.owner.id {
            return Err(ChatError::Owner);
        }
        let removed = self.store.transaction(Durability::Full, |transaction| {
            let Some(mut person) = transaction.get::<Person>(PEOPLE, id.as_str())? else { return Ok(None) };
            person.removed.get_or_insert(transaction.now());
            write(transaction, &person)?;
            Ok(Some(person))
        })?;
        removed.ok_or_else(|| ChatError::Nobody(id.clone()))
    }

    /// Returns the guest whose secret this is, while they may come in.
    pub fn of_secret(&self, secret: &str) -> Result<Option<Person>, StoreError> {
        if !secret.starts_with(GUEST_PREFIX) {
            return Ok(None);
        }
        let Some(id) = self.store.get::<PersonId>(SECRETS, Sha256::of(secret).as_str())? else { return Ok(None) };
        let person = self.store.get::<Person>(PEOPLE, id.as_str())?;
        Ok(person.filter(|person| person.removed.is_none()))
    }

    /// Tells whether somebody may still come in.
    pub fn may_come(&self, id: &PersonId) -> bool {
        let person = self.store.get::<Person>(PEOPLE, id.as_str());
        person.is_ok_and(|person| person.is_some_and(|person| person.removed.is_none()))
    }

    /// Tells whether an entry of the store's tail says that people came or were removed.
    pub fn is_news(stream: &str) -> bool {
        stream == PEOPLE_LOG
    }
}

fn new_person(transaction: &Transaction<'_>, name: &str, owner: bool) -> Person {
    Person { id: transaction.new_id(), name: name.to_owned(), owner, since: transaction.now(), removed: None }
}

fn write(transaction: &Transaction<'_>, person: &Person) -> Result<(), StoreError> {
    transaction.put(PEOPLE, person.id.as_str(), None, person)?;
    transaction.append(PEOPLE_LOG, person).map(drop)
}

/// A name on one line that reads as what it is.
fn clean(name: &str) -> Result<String, ChatError> {
    let clean = name.split_whitespace().collect::<Vec<_>>().join(" ");
    let why = match clean.chars().count() {
        0 => Some("it is empty"),
        length if length > LONGEST_NAME => Some("it is longer than 40 characters"),
        _ if harmless(&clean) != clean => Some("it has invisible characters"),
        _ if clean.contains(['@', '`', '[', ']', '<', '*', '_']) => {
            Some("it has characters with a special meaning in messages")
        }
        _ => None,
    };
    match why {
        Some(why) => Err(ChatError::Name { name: harmless(&clean).chars().take(LONGEST_NAME).collect(), why }),
        None => Ok(clean),
    }
}

fn folded(name: &str) -> String {
    name.to_lowercase()
}

#[cfg(test)]
mod tests {
    use aside_store::StoreOptions;

    use super::*;

    fn people() -> (tempfile::TempDir, Arc<Store>, People) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
        let people = People::open(store.clone(), "ada").unwrap();
        (folder, store, people)
    }

    #[test]
    fn a_guest_comes_in_by_their_secret_until_they_are_removed() {
        let (_folder, store, people) = people();
        let ben = people.invite(" Ben  Miller ", "aside_guest_x").unwrap();
        assert_eq!((&*ben.name, ben.owner), ("Ben Miller", false));
        assert_eq!(people.of_secret("aside_guest_x").unwrap(), Some(ben.clone()));
        assert_eq!(people.of_secret("aside_guest_y").unwrap(), None);
        assert_eq!(people.of_secret("x").unwrap(), None);
        people.remove(&ben.id).unwrap();
        assert_eq!(people.of_secret("aside_guest_x").unwrap(), None);
        assert!(!people.may_come(&ben.id));
        assert!(matches!(people.remove(&people.owner().id), Err(ChatError::Owner)));
        // The secret itself is nowhere.
        assert!(store.read(PEOPLE_LOG, 0).unwrap().iter().all(|entry| !entry.body.contains("aside_guest_x")));
    }

    #[test]
    fn nobody_takes_the_name_of_another() {
        let (_folder, _store, people) = people();
        people.invite("Ben", "aside_guest_1").unwrap();
        for name in ["ADA", "ben", "", "a\u{202e}b", "x".repeat(41).as_str(), "@all"] {
            assert!(matches!(people.invite(name, "aside_guest_2"), Err(ChatError::Name { .. })), "{name}");
        }
    }

    #[test]
    fn the_owner_stays_the_same_person_under_another_name() {
        let (_folder, store, people) = people();
        let again = People::open(store, "Ada L.").unwrap();
        assert_eq!(again.owner().id, people.owner().id);
        assert_eq!(again.list().unwrap()[0].name, "Ada L.");
    }
}
