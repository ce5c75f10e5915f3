//! The stored grants and the tokens that name them. Only the hash of a token is kept, so that nobody who reads
//! the store can use one.
//!
//! ```text
//! created --hand_out--> has a token --revoke or expiry--> ended, for ever
//!    +------------------revoke or expiry--------------------^
//! ```

use std::{sync::Arc, time::Duration};

use aside_core::{Failure, Grant, GrantId, GrantRecord, Sha256, TOKEN_PREFIX, Timestamp, TokenRecord};
use aside_macros::boxed;
use aside_store::{Durability, Store, StoreError, Tail, Transaction};
use tokio::sync::broadcast::{self, error::RecvError};

/// Grants by id, as [`GrantRecord`].
const GRANTS: &str = "grant";
/// The ids of grants by the hash of their token.
const TOKENS: &str = "grant_token";
/// The log that says what became of grants.
pub const GRANTS_LOG: &str = "grants";

/// Characters of a secret that are kept to recognise it by: of 43 random ones, four.
const START: usize = TOKEN_PREFIX.len() + 4;

/// How exactly the last use of a token is kept, in milliseconds; a write for each request would be too much.
const USE: i64 = 60 * 1000;

/// The longest wait of one timer; a wait for later ends in several steps.
const LONGEST_WAIT: Duration = Duration::from_secs(60 * 60);

/// Why a grant can't be changed.
#[derive(Debug, thiserror::Error)]
pub enum GrantError {
    /// There is no such grant. Code `not_found`.
    #[error("there is no grant {0}")]
    NotFound(GrantId),
    /// It was revoked or has expired. Code `grant_ended`.
    #[error("{0} is no longer active")]
    Ended(GrantId),
    /// Its token was handed out before. Code `handed_out`.
    #[error("the token of {0} was already issued, and only its hash is stored")]
    HandedOut(GrantId),
    /// Somebody else made it. Code `denied`.
    #[error("{0} was created by someone else")]
    NotYours(GrantId),
    /// It can't be read or written. Code `store`.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl GrantError {
    /// Returns the error as a value with a stable code.
    pub fn failure(&self) -> Failure {
        let failure = |code: &str| Failure::new(code, self.to_string());
        match self {
            Self::NotFound(_) => failure("not_found"),
            Self::Ended(_) => failure("grant_ended").hint("create a new grant"),
            Self::HandedOut(_) => failure("handed_out").hint("revoke this grant and create a new one"),
            Self::NotYours(_) => failure("denied"),
            Self::Store(error) => error.failure(),
        }
    }
}

impl From<GrantError> for Failure {
    fn from(error: GrantError) -> Self {
        error.failure()
    }
}

/// The grants of one workspace. Clones are the same grants.
#[derive(Clone, Debug)]
pub struct Grants {
    store: Arc<Store>,
}

impl Grants {
    /// The grants in a store.
    pub fn new(store: Arc<Store>) -> Self {
        Self { store }
    }

    /// Stores a grant under a new id. It ends with those it was narrowed from.
    pub fn create(&self, grant: Grant, by: &str) -> Result<GrantRecord, StoreError> {
        self.store.transaction(Durability::Full, |transaction| {
            let within = grant.stands_on().cloned().collect();
            let grant = Grant { id: Some(transaction.new_id()), within, ..grant };
            let (by, created) = (by.to_owned(), transaction.now());
            let record = GrantRecord { grant, by, created, revoked: None, token: None };
            write(transaction, &record)?;
            Ok(record)
        })
    }

    /// Returns all of them, those that have ended too; the oldest first.
    pub fn list(&self) -> Result<Vec<GrantRecord>, StoreError> {
        self.store.list(GRANTS)
    }

    /// Returns one of them.
    pub fn get(&self, id: &GrantId) -> Result<GrantRecord, GrantError> {
        self.store.get(GRANTS, id.as_str())?.ok_or_else(|| GrantError::NotFound(id.clone()))
    }

    /// Ends a grant at once and for ever. To end one that has ended changes nothing.
    pub fn revoke(&self, id: &GrantId) -> Result<GrantRecord, GrantError> {
        self.change(id, |record, transaction| {
            record.revoked.get_or_insert(transaction.now());
            Ok(())
        })
    }

    /// Makes a secret the token of a grant. There is one token for each grant, and it is handed out once, to the
    /// person who made the grant.
    pub fn hand_out(&self, id: &GrantId, by: &str, secret: &str) -> Result<GrantRecord, GrantError> {
        self.change(id, |record, transaction| {
            let now = transaction.now();
            if record.by != by {
                return Err(GrantError::NotYours(id.clone()));
            }
            if !record.holds(now) {
                return Err(GrantError::Ended(id.clone()));
            }
            if record.token.is_some() {
                return Err(GrantError::HandedOut(id.clone()));
            }
            let start = secret.chars().take(START).collect();
            record.token = Some(TokenRecord { start, issued: now, last_used: None });
            Ok(transaction.put(TOKENS, Sha256::of(secret).as_str(), None, id)?)
        })
    }

    /// Returns the grant that a secret names, if it holds now, and notes the use.
    pub fn of_token(&self, secret: &str) -> Result<Option<GrantRecord>, StoreError> {
        // Looked up by its hash: the time that takes tells nothing about other secrets.
        let Some(id) = self.store.get::<GrantId>(TOKENS, Sha256::of(secret).as_str())? else { return Ok(None) };
        let (now, found) = (self.store.now(), self.store.get::<GrantRecord>(GRANTS, id.as_str())?);
        let Some(record) = found.filter(|record| record.holds(now)) else { return Ok(None) };
        if self.ended(&record.grant)?.is_some() {
            return Ok(None);
        }
        self.note_use(&record, now)?;
        Ok(Some(record))
    }

    /// Returns why a grant does not hold any more, if it does not: one that it stands on was revoked, has expired, or
    /// is not there.
    pub fn ended(&self, grant: &Grant) -> Result<Option<Failure>, StoreError> {
        let now = self.store.now();
        if grant.expires.is_some_and(|end| end <= now) {
            return Ok(Some(expired(&grant.name)));
        }
        for id in grant.stands_on() {
            match self.store.get::<GrantRecord>(GRANTS, id.as_str())? {
                Some(record) if record.holds(now) => {}
                Some(record) if record.revoked.is_none() => return Ok(Some(expired(&record.grant.name))),
                Some(record) => return Ok(Some(revoked(&record.grant.name))),
                None => return Ok(Some(revoked(&grant.name))),
            }
        }
        Ok(None)
    }

    /// Waits until a grant does not hold any more and returns why. What is open under a grant waits for this beside
    /// its work, and closes.
    #[boxed]
    pub async fn end(&self, grant: &Grant) -> Failure {
        if !grant.can_end() {
            return std::future::pending().await;
        }
        let mut tail = self.store.tail();
        loop {
            match self.ended(grant) {
                Ok(Some(failure)) => return failure,
                Ok(None) => {}
                Err(error) => return error.failure(),
            }
            self.stirred(&mut tail, grant.expires).await;
        }
    }

    /// Returns after some grant was made or has ended, or at `end`, or too early.
    #[boxed]
    pub async fn stirred(&self, tail: &mut broadcast::Receiver<Tail>, end: Option<Timestamp>) {
        let left = end.map(|end| end.0.saturating_sub(self.store.now().0));
        let left = left.and_then(|left| u64::try_from(left).ok()).map(Duration::from_millis);
        tokio::select! {
            () = change(tail) => {}
            () = tokio::time::sleep(left.unwrap_or(LONGEST_WAIT).min(LONGEST_WAIT)) => {}
        }
    }

    fn note_use(&self, record: &GrantRecord, now: Timestamp) -> Result<(), StoreError> {
        let (Some(token), Some(id)) = (&record.token, &record.grant.id) else { return Ok(()) };
        if token.last_used.is_some_and(|used| now < used.plus(USE)) {
            return Ok(());
        }
        self.store.transaction(Durability::Normal, |transaction| {
            // Read again: it may have been revoked since.
            let Some(mut record) = transaction.get::<GrantRecord>(GRANTS, id.as_str())? else { return Ok(()) };
            record.token = record.token.map(|token| TokenRecord { last_used: Some(now), ..token });
            transaction.put(GRANTS, id.as_str(), None, &record)
        })
    }

    fn change(
        &self,
        id: &GrantId,
        change: impl FnOnce(&mut GrantRecord, &Transaction<'_>) -> Result<(), GrantError>,
    ) -> Result<GrantRecord, GrantError> {
        let changed = self.store.transaction(Durability::Full, |transaction| {
            let Some(mut record) = transaction.get::<GrantRecord>(GRANTS, id.as_str())? else { return Ok(None) };
            Ok(Some(match change(&mut record, transaction) {
                Ok(()) => write(transaction, &record).map(|()| Ok(record))?,
                Err(error) => Err(error),
            }))
        })?;
        changed.unwrap_or_else(|| Err(GrantError::NotFound(id.clone())))
    }
}

/// Writes a grant and says so to those who wait for its end.
fn write(transaction: &Transaction<'_>, record: &GrantRecord) -> Result<(), StoreError> {
    let id = record.grant.id.as_ref().expect("a stored grant has an id");
    transaction.put(GRANTS, id.as_str(), None, record)?;
    transaction.append(GRANTS_LOG, record).map(drop)
}

/// Returns after some grant has changed, or when changes may have been missed.
async fn change(tail: &mut broadcast::Receiver<Tail>) {
    loop {
        match tail.recv().await {
            Ok(heard) if &**heard.stream() == GRANTS_LOG => return,
            Ok(_) => {}
            Err(RecvError::Lagged(_)) => return,
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }
}

fn revoked(name: &str) -> Failure {
    Failure::new("grant_revoked", format!("the grant “{name}” was revoked"))
}

fn expired(name: &str) -> Failure {
    Failure::new("grant_expired", format!("the grant “{name}” has expired"))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use aside_core::GrantLimits;
    use futures_util::FutureExt as _;

    use super::*;
    use crate::testing::Bench;

    const SECRET: &str = "aside_0123456789012345678901234567890123456789012";

    fn granted(bench: &Bench, limits: GrantLimits) -> (Grants, GrantRecord) {
        let grants = bench.gate.grants().clone();
        let record = grants.create(Grant::limited("nightly", limits), "ada").unwrap();
        let record = grants.hand_out(record.grant.id.as_ref().unwrap(), "ada", SECRET).unwrap();
        (grants, record)
    }

    fn id(record: &GrantRecord) -> &GrantId {
        record.grant.id.as_ref().unwrap()
    }

    #[tokio::test]
    async fn a_token_names_its_grant_and_only_its_hash_is_kept() {
        let bench = Bench::new("");
        let (grants, record) = granted(&bench, GrantLimits::reading());
        let found = grants.of_token(SECRET).unwrap().unwrap();
        assert_eq!((found.grant, found.by.as_str()), (record.grant.clone(), "ada"));
        assert_eq!(grants.of_token("aside_").unwrap(), None);
        assert_eq!(record.token.unwrap().start, "aside_0123");
        let bytes = bench.stored_bytes();
        assert!(!bytes.windows(SECRET.len()).any(|part| part == SECRET.as_bytes()));
    }

    #[tokio::test]
    async fn a_token_is_handed_out_once_and_to_its_maker() {
        let bench = Bench::new("");
        let (grants, record) = granted(&bench, GrantLimits::default());
        let again = grants.hand_out(id(&record), "ada", "aside_other").unwrap_err();
        assert_eq!(again.failure().code, "handed_out");
        assert_eq!(grants.of_token("aside_other").unwrap(), None);
        let other = grants.create(Grant::full("other"), "ada").unwrap();
        assert_eq!(grants.hand_out(id(&other), "bob", "aside_other").unwrap_err().failure().code, "denied");
        grants.revoke(id(&other)).unwrap();
        assert_eq!(grants.hand_out(id(&other), "ada", "aside_other").unwrap_err().failure().code, "grant_ended");
        assert_eq!(grants.list().unwrap().len(), 2);
    }

    #[tokio::test]
    async fn what_is_revoked_or_expired_opens_nothing_not_even_after_a_restart() {
        let bench = Bench::new("");
        let (grants, record) = granted(&bench, GrantLimits::default());
        let first = grants.revoke(id(&record)).unwrap();
        assert_eq!(grants.revoke(id(&record)).unwrap(), first, "it ended then");
        assert_eq!(grants.of_token(SECRET).unwrap(), None);
        let bench = bench.reopened();
        assert_eq!(bench.gate.grants().of_token(SECRET).unwrap(), None);

        let bench = Bench::new("");
        let expires = Some(Timestamp(50_000));
        let (grants, _) = granted(&bench, GrantLimits { expires, ..GrantLimits::default() });
        assert!(grants.of_token(SECRET).unwrap().is_some());
        bench.clock.store(50_000, Ordering::SeqCst);
        assert_eq!(grants.of_token(SECRET).unwrap(), None);
    }

    #[tokio::test]
    async fn a_narrowed_grant_ends_with_any_that_it_stands_on() {
        let bench = Bench::new("");
        let (grants, record) = granted(&bench, GrantLimits::default());
        let narrowed = Grant::full("Coding Agent").narrowed(&record.grant).narrowed(&Grant::full("hint mode"));
        assert_eq!(grants.ended(&narrowed).unwrap(), None);
        let mut end = Box::pin(grants.end(&narrowed));
        assert!((&mut end).now_or_never().is_none());
        grants.create(Grant::full("another"), "ada").unwrap();
        assert!((&mut end).now_or_never().is_none());
        grants.revoke(id(&record)).unwrap();
        assert_eq!(end.await.code, "grant_revoked");
    }

    #[tokio::test]
    async fn the_last_use_is_noted_to_the_minute_and_revives_nothing() {
        let bench = Bench::new("");
        let (grants, record) = granted(&bench, GrantLimits::default());
        let used = || grants.get(id(&record)).unwrap().token.unwrap().last_used;
        assert_eq!(used(), None);
        grants.of_token(SECRET).unwrap();
        let first = used().unwrap();
        grants.of_token(SECRET).unwrap();
        assert_eq!(used(), Some(first));
        bench.clock.fetch_add(USE, Ordering::SeqCst);
        grants.of_token(SECRET).unwrap();
        assert!(used() > Some(first));
    }
}
