//! What model calls cost, call by call, and what may still be spent.

mod fetched;
mod most_tokens;
mod promise;
mod rules;
mod warnings;

use std::{
    io,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use aside_core::{Cost, ModelRef, ThreadEventBody, Timestamp, Usage};
use aside_llm::{PriceTable, Prices};
use aside_store::{Durability, Stamp, Store, StoreError, TextFile, Transaction};
use serde::{Deserialize, Serialize};

pub use fetched::LONGEST as LONGEST_PRICES;
pub use most_tokens::most_tokens;
pub use promise::{Call, Planned, Promise, Spent};
pub use rules::{LONGEST as LONGEST_FILE, Limits, SpendingRules};

/// The kind of record that a call leaves; its owner is the day.
const CALL: &str = "call";

/// One call of a model as it was paid for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallRecord {
    /// When it ended.
    pub at: Timestamp,
    /// Which it was.
    #[serde(flatten)]
    pub call: Call,
    /// Who answered.
    pub model: ModelRef,
    /// What it used.
    pub usage: Usage,
    /// What it cost.
    pub cost: Cost,
    /// The list that the price is from, and its day.
    pub price_source: Option<String>,
}

/// The account of one workspace.
pub struct Spending {
    store: Arc<Store>,
    file: OnceLock<TextFile>,
    fetched: OnceLock<TextFile>,
    read: Mutex<Read>,
    /// Held while a promise is made.
    promising: Mutex<()>,
}

struct Read {
    stamp: Stamp,
    fetched_stamp: Stamp,
    prices: Arc<Prices>,
    /// What is wrong with the list that was fetched.
    fetched_problem: Option<String>,
    /// Or what is wrong with the file.
    limits: Result<Limits, String>,
}

/// Why limits are not changed.
#[derive(Debug, thiserror::Error)]
pub enum LimitsError {
    /// There is nowhere to keep them.
    #[error("there is no data folder for spending limits; set ASIDE_DATA_DIR")]
    NoFolder,
    /// The file, or a limit, is not as it should be.
    #[error("nothing was changed: {0}")]
    Mistake(String),
    /// The disk.
    #[error("cannot change spending.toml: {0}")]
    Io(#[from] io::Error),
}

impl std::fmt::Debug for Spending {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Spending").finish_non_exhaustive()
    }
}

impl Spending {
    /// Opens the account. Without a file nothing is limited.
    pub fn new(store: Arc<Store>) -> Arc<Self> {
        let read = Read {
            stamp: Stamp::Absent,
            fetched_stamp: Stamp::Absent,
            prices: Arc::default(),
            fetched_problem: None,
            limits: Ok(Limits::default()),
        };
        let [file, fetched] = [const { OnceLock::new() }; 2];
        Arc::new(Self { store, file, fetched, read: Mutex::new(read), promising: Mutex::default() })
    }

    /// Follows the person's file from now on; a second word changes nothing.
    pub fn follow(&self, file: TextFile) {
        let _ = self.file.set(file);
    }

    /// Follows the list of prices that was fetched, from now on; a second word changes nothing.
    pub fn follow_fetched(&self, file: TextFile) {
        let _ = self.fetched.set(file);
    }

    /// Keeps a list of prices that was fetched, in place of the one before; what models cost by that one until now stays in it.
    pub fn keep_fetched(&self, list: PriceTable) -> io::Result<()> {
        let file = self.fetched.get().ok_or_else(|| {
            io::Error::new(io::ErrorKind::NotFound, "there is no data folder to store it in; set ASIDE_DATA_DIR")
        })?;
        let list = self.prices().followed_by(list);
        fetched::write(file, &list)
    }

    /// What is wrong with the list of prices that was fetched; the one read before it counts.
    pub fn fetched_problem(&self) -> Option<String> {
        self.read().fetched_problem.clone()
    }

    /// A call that belongs to no thread.
    pub fn nobody(&self) -> Call {
        Call { thread: None, turn: self.store.new_id(), step: 1 }
    }

    /// The prices that hold now.
    pub fn prices(&self) -> Arc<Prices> {
        self.read().prices.clone()
    }

    /// The limits that hold now, or what is wrong with the file of them.
    pub fn limits(&self) -> Result<Limits, String> {
        self.read().limits.clone()
    }

    /// Writes other limits into the person's file, whose comments and prices stay.
    pub fn set_limits(&self, limits: &Limits) -> Result<(), LimitsError> {
        let file = self.file.get().ok_or(LimitsError::NoFolder)?;
        file.change(|text| rules::with_limits(text.unwrap_or_default(), limits).map_err(LimitsError::Mistake))
    }

    /// What has been spent on a day such as `2026-11-21`.
    pub fn on(&self, day: &str) -> Result<Cost, StoreError> {
        let calls = self.store.list_owned::<CallRecord>(CALL, day)?;
        Ok(calls.iter().fold(Cost::default(), |sum, call| sum.plus(&call.cost)))
    }

    /// What has been spent today, in UTC.
    pub fn today(&self) -> Result<Cost, StoreError> {
        self.on(&self.store.now().day())
    }

    /// What has been spent since the workspace is there.
    pub fn in_all(&self) -> Result<Cost, StoreError> {
        Ok(self.calls()?.iter().fold(Cost::default(), |sum, call| sum.plus(&call.cost)))
    }

    /// All calls of a workspace, oldest first.
    pub fn calls(&self) -> Result<Vec<CallRecord>, StoreError> {
        self.store.list(CALL)
    }

    /// The calls of the latest turns, at most so many.
    pub fn latest(&self, calls: usize) -> Result<Vec<CallRecord>, StoreError> {
        self.store.latest(CALL, calls)
    }

    /// Writes down a call in place of its promise, in the moment in which its step is written.
    pub fn record(transaction: &Transaction<'_>, call: &CallRecord) -> Result<(), StoreError> {
        Self::withdraw(transaction, &call.call)?;
        transaction.put(CALL, &call.call.id(), Some(&call.at.day()), call)
    }

    /// Writes down a call that is no step of a turn; one that was not billed is only withdrawn.
    pub fn record_alone(&self, promise: &Promise, usage: &Usage, cost: Cost) -> Result<(), StoreError> {
        let price_source = self.price_source(&promise.model, promise.at, &cost);
        let Promise { call, model, .. } = promise.clone();
        let record = CallRecord { at: self.store.now(), call, model, usage: usage.clone(), cost, price_source };
        let is_billed = Cost { milliseconds: 0, ..cost } != Cost::default();
        self.store.transaction(Durability::Normal, |transaction| match is_billed {
            true => Self::record(transaction, &record),
            false => Self::withdraw(transaction, &record.call),
        })
    }

    /// Writes down a call on this machine that belongs to no thread.
    pub fn record_here(&self, model: &ModelRef, usage: &Usage, milliseconds: u64) -> Result<(), StoreError> {
        let (at, call) = (self.store.now(), self.nobody());
        let cost = self.prices().cost(model, true, at, usage, milliseconds);
        let record = CallRecord { at, call, model: model.clone(), usage: usage.clone(), cost, price_source: None };
        self.store.transaction(Durability::Normal, |transaction| Self::record(transaction, &record))
    }

    /// The list that the price of a call is from, for the account.
    pub fn price_source(&self, model: &ModelRef, at: Timestamp, cost: &Cost) -> Option<String> {
        self.prices().source(model, at).filter(|_| cost.local == 0)
    }

    /// Where the person's file is, if there can be one.
    pub fn file(&self) -> Option<&Path> {
        self.file.get().map(TextFile::path)
    }

    fn promising(&self) -> MutexGuard<'_, ()> {
        self.promising.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The files as they are now.
    fn read(&self) -> MutexGuard<'_, Read> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = self.file.get() {
            read.rules(file);
        }
        if let Some(file) = self.fetched.get() {
            read.fetched(file);
        }
        read
    }
}

impl Read {
    fn rules(&mut self, file: &TextFile) {
        let stamp = file.stamp();
        if stamp == self.stamp && stamp != Stamp::Unknown {
            return;
        }
        let text = file.read().map_err(|error| error.to_string());
        match text.and_then(|text| rules::parse(&text.unwrap_or_default())) {
            Ok(SpendingRules { limits, prices }) => {
                self.prices = Arc::new(Prices::new(prices, self.prices.fetched().cloned()));
                self.limits = Ok(limits);
            }
            Err(mistake) => self.limits = Err(format!("{}: {mistake}", file.path().display())),
        }
        self.stamp = stamp;
    }

    fn fetched(&mut self, file: &TextFile) {
        let stamp = file.stamp();
        if stamp == self.fetched_stamp && stamp != Stamp::Unknown {
            return;
        }
        match fetched::read(file) {
            Ok(fetched) => {
                self.prices = Arc::new(Prices::new(self.prices.own().clone(), fetched));
                self.fetched_problem = None;
            }
            Err(mistake) => self.fetched_problem = Some(mistake),
        }
        self.fetched_stamp = stamp;
    }
}

/// What the steps of a thread have cost.
pub(crate) fn of_steps<'a>(log: impl IntoIterator<Item = &'a ThreadEventBody>) -> Cost {
    let costs = log.into_iter().filter_map(|event| match event {
        ThreadEventBody::StepEnded { cost, .. } => Some(cost),
        _ => None,
    });
    costs.fold(Cost::default(), |sum, cost| sum.plus(cost))
}
