//! The people of a workspace and the links by which guests come in. Only the hash of a link's secret is kept.
//!
//! ```text
//! owner                       there from the start; comes in by the server's own token
//! invited --link made--> may come in --removed--> may not, for ever; what they said stays theirs
//! ```

use std::sync::{Arc, PoisonError, RwLock};

use aside_core::{Person, PersonId, Sha256, Timestamp, harmless};
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
    owner: Arc<RwLock<Person>>,
}

impl People {
    /// The people of a store. The owner has the name that they `chose`, in this workspace or another, else that of the `user`.
    pub fn open(store: Arc<Store>, user: &str, chosen: Option<&str>) -> Result<Self, StoreError> {
        let owner = store.transaction(Durability::Normal, |transaction| {
            let known: Vec<Person> = transaction.list(PEOPLE)?;
            let known = known.into_iter().find(|person| person.owner);
            let before = known.as_ref().filter(|person| person.named).map(|person| person.name.clone());
            let named = chosen.is_some() || before.is_some();
            let name = chosen.map(str::to_owned).or(before).unwrap_or_else(|| user.to_owned());
            let person = match known {
                Some(person) if person.name == name && person.named == named => return Ok(person),
                Some(person) => Person { name, named, ..person },
                None => Person { named, ..new_person(transaction, &name, true) },
            };
            write(transaction, &person)?;
            Ok(person)
        })?;
        Ok(Self { store, owner: Arc::new(RwLock::new(owner)) })
    }

    /// Returns the person whom the workspace belongs to.
    pub fn owner(&self) -> Person {
        self.owner.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns all who may come in, the owner first.
    pub fn list(&self) -> Result<Vec<Person>, StoreError> {
        let mut people: Vec<Person> = self.store.list(PEOPLE)?;
        people.retain(|person| person.removed.is_none());
        people.sort_by_key(|person| !person.owner);
        Ok(people)
    }

    /// Checks that somebody could be invited under a name; returns the name as it would be kept.
    pub fn check_invitation(&self, name: &str) -> Result<String, ChatError> {
        let name = clean(name)?;
        check_room(&self.store.list(PEOPLE)?, &name)?;
        Ok(name)
    }

    /// Adds a guest under a name. They come in once [`People::hand_out`] has made their link.
    pub fn invite(&self, name: &str) -> Result<Person, ChatError> {
        let name = clean(name)?;
        self.store.transaction(Durability::Full, |transaction| {
            if let Err(error) = check_room(&transaction.list(PEOPLE)?, &name) {
                return Ok(Err(error));
            }
            let person = new_person(transaction, &name, false);
            write(transaction, &person)?;
            Ok(Ok(person))
        })?
    }

    /// Lets a guest in by a secret that begins with [`GUEST_PREFIX`]. Each guest has one link, made once.
    pub fn hand_out(&self, id: &PersonId, secret: &str) -> Result<Person, ChatError> {
        self.store.transaction(Durability::Full, |transaction| {
            let person = transaction.get::<Person>(PEOPLE, id.as_str())?;
            let Some(person) = person.filter(|person| !person.owner && person.removed.is_none()) else {
                return Ok(Err(ChatError::Nobody(id.clone())));
            };
            if !transaction.list_owned::<PersonId>(SECRETS, id.as_str())?.is_empty() {
                return Ok(Err(ChatError::HandedOut(person.name)));
            }
            transaction.put(SECRETS, Sha256::of(secret).as_str(), Some(id.as_str()), id)?;
            Ok(Ok(person))
        })?
    }

    /// Gives somebody the name that they chose.
    pub fn rename(&self, id: &PersonId, name: &str) -> Result<Person, ChatError> {
        let name = clean(name)?;
        let renamed = self.store.transaction(Durability::Full, |transaction| {
            let people: Vec<Person> = transaction.list(PEOPLE)?;
            let (found, others): (Vec<_>, Vec<_>) = people.into_iter().partition(|person| person.id == *id);
            let Some(person) = found.into_iter().find(|person| person.removed.is_none()) else {
                return Ok(Err(ChatError::Nobody(id.clone())));
            };
            if let Err(error) = check_name(&others, &name) {
                return Ok(Err(error));
            }
            let person = Person { name: name.clone(), named: true, ..person };
            write(transaction, &person)?;
            Ok(Ok(person))
        })??;
        if renamed.owner {
            *self.owner.write().unwrap_or_else(PoisonError::into_inner) = renamed.clone();
        }
        Ok(renamed)
    }

    /// Returns somebody who may come in.
    pub fn get(&self, id: &PersonId) -> Result<Person, ChatError> {
        let person = self.store.get::<Person>(PEOPLE, id.as_str())?;
        person.filter(|person| person.removed.is_none()).ok_or_else(|| ChatError::Nobody(id.clone()))
    }

    /// Sends a guest away for ever. To send one away who is gone changes nothing.
    pub fn remove(&self, id: &PersonId) -> Result<Person, ChatError> {
        if *id == self.owner().id {
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

    /// The time by which people come and go.
    pub fn now(&self) -> Timestamp {
        self.store.now()
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
    let (id, since) = (transaction.new_id(), transaction.now());
    Person { id, name: name.to_owned(), owner, named: false, since, removed: None }
}

fn check_room(people: &[Person], name: &str) -> Result<(), ChatError> {
    if people.iter().filter(|person| person.removed.is_none()).count() > MOST {
        return Err(ChatError::TooMany("100 guests"));
    }
    check_name(people, name)
}

/// No two who may come in have the same name.
fn check_name(people: &[Person], name: &str) -> Result<(), ChatError> {
    let mut present = people.iter().filter(|person| person.removed.is_none());
    match present.any(|person| folded(&person.name) == folded(name)) {
        true => Err(ChatError::Name { name: name.to_owned(), why: "another person has this name" }),
        false => Ok(()),
    }
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
        let people = People::open(store.clone(), "ada", None).unwrap();
        (folder, store, people)
    }

    #[test]
    fn a_guest_comes_in_by_their_secret_until_they_are_removed() {
        let (_folder, store, people) = people();
        let ben = people.invite(" Ben  Miller ").unwrap();
        assert_eq!((&*ben.name, ben.owner), ("Ben Miller", false));
        people.hand_out(&ben.id, "aside_guest_x").unwrap();
        assert!(matches!(people.hand_out(&ben.id, "aside_guest_z"), Err(ChatError::HandedOut(_))));
        assert!(matches!(people.hand_out(&people.owner().id, "aside_guest_z"), Err(ChatError::Nobody(_))));
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
        let ben = people.invite("Ben").unwrap();
        let carl = people.invite("Carl").unwrap();
        for name in ["ADA", "ben", "", "a\u{202e}b", "x".repeat(41).as_str(), "@all"] {
            assert!(matches!(people.check_invitation(name), Err(ChatError::Name { .. })), "{name}");
            assert!(matches!(people.invite(name), Err(ChatError::Name { .. })), "{name}");
            assert!(matches!(people.rename(&carl.id, name), Err(ChatError::Name { .. })), "{name}");
        }
        let renamed = people.rename(&ben.id, "BEN").unwrap();
        assert_eq!((&*renamed.name, renamed.named), ("BEN", true), "one's own name in other letters");
    }

    #[test]
    fn the_owner_stays_the_same_person_under_another_name() {
        let (_folder, store, people) = people();
        let name = |user: &str, chosen: Option<&str>| {
            let again = People::open(store.clone(), user, chosen).unwrap();
            assert_eq!(again.owner().id, people.owner().id);
            again.list().unwrap()[0].name.clone()
        };
        assert_eq!(name("al", None), "al", "the system's name, while none was chosen");
        people.rename(&people.owner().id, "Ada L.").unwrap();
        assert_eq!(people.owner().name, "Ada L.");
        assert_eq!(name("al", None), "Ada L.");
        assert_eq!(name("al", Some("A. Lovelace")), "A. Lovelace", "chosen in another workspace");
    }
}
