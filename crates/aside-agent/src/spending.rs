//! What model calls cost, call by call, and what may still be spent.
//!
//! A call is held against the limits before it is made, with the most that it can cost by an estimate of its input, and
//! together with all calls of the same moment. What a provider has not counted, because the call was stopped or broke
//! off, is of unknown price and does not count towards a limit.

mod rules;

use std::{
    path::Path,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use aside_core::{Cost, Failure, ModelRef, ThreadId, Timestamp, TurnId, Usage};
use aside_llm::Prices;
use aside_store::{Durability, Stamp, Store, StoreError, TextFile, Transaction};
use serde::{Deserialize, Serialize};

pub use rules::{LONGEST as LONGEST_FILE, Limits, SpendingRules};

/// The kind of record that a call leaves; its owner is the day.
const CALL: &str = "call";

/// Tokens of an answer for which a call is worth making.
const SHORTEST_ANSWER: u32 = 500;

/// One call of a model as it was paid for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallRecord {
    /// When it ended.
    pub at: Timestamp,
    /// The thread; absent for a trial.
    pub thread: Option<ThreadId>,
    /// The turn.
    pub turn: TurnId,
    /// The step.
    pub step: u32,
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
    read: Mutex<Read>,
    /// The most that calls which are being made can cost.
    promised: Mutex<u64>,
}

struct Read {
    stamp: Stamp,
    prices: Arc<Prices>,
    /// Or what is wrong with the file.
    limits: Result<Limits, String>,
}

/// A call that may be made. What it can cost counts as spent until this is dropped.
#[derive(Debug)]
pub struct Promise {
    spending: Arc<Spending>,
    most: u64,
    /// How many tokens the answer may have, if that is limited.
    pub output: Option<u32>,
}

/// A limit, and how far it is used up.
struct Limit {
    scope: &'static str,
    most: u64,
    spent: u64,
}

impl std::fmt::Debug for Spending {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Spending").finish_non_exhaustive()
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        *self.spending.promised() -= self.most;
    }
}

/// A call before it is made.
#[derive(Clone, Copy, Debug)]
pub struct Planned<'a> {
    /// Who would answer.
    pub model: &'a ModelRef,
    /// It runs on this machine.
    pub local: bool,
    /// At most so many tokens of input.
    pub input: u64,
    /// Its answer is no longer than so many tokens.
    pub output: u32,
    /// What the turn has cost so far.
    pub turn: Cost,
    /// What the thread has cost so far, the turn included.
    pub thread: Cost,
}

impl Spending {
    /// Opens the account. Without a file nothing is limited.
    pub fn new(store: Arc<Store>) -> Arc<Self> {
        let read = Read { stamp: Stamp::Absent, prices: Arc::default(), limits: Ok(Limits::default()) };
        Arc::new(Self { store, file: OnceLock::new(), read: Mutex::new(read), promised: Mutex::default() })
    }

    /// Follows the person's file from now on; a second word changes nothing.
    pub fn follow(&self, file: TextFile) {
        let _ = self.file.set(file);
    }

    /// The prices that hold now.
    pub fn prices(&self) -> Arc<Prices> {
        self.read().prices.clone()
    }

    /// The limits that hold now, or what is wrong with the file of them.
    pub fn limits(&self) -> Result<Limits, String> {
        self.read().limits.clone()
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

    /// All calls of a workspace, oldest first.
    pub fn calls(&self) -> Result<Vec<CallRecord>, StoreError> {
        self.store.list(CALL)
    }

    /// Writes down a call, in the moment in which its step is written.
    pub fn record(transaction: &Transaction<'_>, call: &CallRecord) -> Result<(), StoreError> {
        let id = format!("{}/{:06}", call.turn, call.step);
        transaction.put(CALL, &id, Some(&call.at.day()), call)
    }

    /// Writes down a call that belongs to no thread.
    pub fn record_trial(&self, model: &ModelRef, usage: &Usage, cost: Cost) -> Result<(), StoreError> {
        let (at, turn) = (self.store.now(), self.store.new_id());
        let price_source = self.price_source(model, &cost);
        let (model, usage) = (model.clone(), usage.clone());
        let call = CallRecord { at, thread: None, turn, step: 1, model, usage, cost, price_source };
        self.store.transaction(Durability::Normal, |transaction| Self::record(transaction, &call))
    }

    /// The list that a price is from, for the account.
    pub fn price_source(&self, model: &ModelRef, cost: &Cost) -> Option<String> {
        self.prices().find(model).filter(|_| cost.local == 0).map(|(_, list)| list.named())
    }

    /// Where the person's file is, if there can be one.
    pub fn file(&self) -> Option<&Path> {
        self.file.get().map(TextFile::path)
    }

    /// What the person should know before the day's limit stops them.
    pub fn warning(&self, today: &Cost) -> Option<String> {
        let limits = self.limits().ok()?;
        let day = limits.day?;
        #[expect(clippy::cast_precision_loss, reason = "a share")]
        let close = today.picodollars as f64 >= day as f64 * limits.warn_at;
        close.then(|| format!("{} of the {} for today are spent.", dollars(today.picodollars), dollars(day)))
    }

    /// Lets a call be made, or says why not: it could pass a limit, or can't be held to one.
    pub fn promise(self: &Arc<Self>, planned: Planned<'_>) -> Result<Promise, Failure> {
        let (limits, prices) = {
            let read = self.read();
            (read.limits.clone(), read.prices.clone())
        };
        // Held until the promise counts, so that two calls don't rely on the same money.
        let mut promised = self.promised();
        let tightest = if planned.local { None } else { self.tightest(limits, &planned, *promised)? };
        let Some(limit) = tightest else {
            return Ok(Promise { spending: self.clone(), most: 0, output: None });
        };
        let price = prices.find(planned.model).map(|(price, _)| price);
        let left = limit.most.saturating_sub(limit.spent);
        let within = price.and_then(|price| price.within(left, planned.input, planned.output));
        let (output, most) = within.ok_or_else(|| unpriced(planned.model, &limit))?;
        if most > left || output < SHORTEST_ANSWER.min(planned.output) {
            return Err(too_much(&limit));
        }
        *promised += most;
        Ok(Promise { spending: self.clone(), most, output: Some(output) })
    }

    /// The limit of which the least is left.
    fn tightest(
        &self,
        limits: Result<Limits, String>,
        planned: &Planned<'_>,
        promised: u64,
    ) -> Result<Option<Limit>, Failure> {
        let limits = limits.map_err(|mistake| mistaken(&mistake))?;
        let limit = |scope, most: Option<u64>, spent: u64| most.map(|most| Limit { scope, most, spent });
        let today = match limits.day {
            // What other calls of this moment can cost is as good as spent.
            Some(_) => self.today().map_err(|error| error.failure())?.picodollars.saturating_add(promised),
            None => 0,
        };
        let all = [
            limit("turn", limits.turn, planned.turn.picodollars),
            limit("thread", limits.thread, planned.thread.picodollars),
            limit("day", limits.day, today),
        ];
        Ok(all.into_iter().flatten().min_by_key(|limit| limit.most.saturating_sub(limit.spent)))
    }

    fn promised(&self) -> MutexGuard<'_, u64> {
        self.promised.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file as it is now.
    fn read(&self) -> MutexGuard<'_, Read> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = self.file.get() else { return read };
        let stamp = file.stamp();
        if stamp != read.stamp || stamp == Stamp::Unknown {
            let text = file.read().map_err(|error| error.to_string());
            match text.and_then(|text| rules::parse(&text.unwrap_or_default())) {
                Ok(SpendingRules { limits, prices }) => {
                    read.prices = Arc::new(Prices { own: prices, fetched: read.prices.fetched.clone() });
                    read.limits = Ok(limits);
                }
                Err(mistake) => read.limits = Err(format!("{}: {mistake}", file.path().display())),
            }
            read.stamp = stamp;
        }
        read
    }
}

fn mistaken(mistake: &str) -> Failure {
    Failure::new("spending_file", format!("The limits of what may be spent can't be read, so nothing is. {mistake}"))
        .hint("mend the file, or delete it")
}

fn unpriced(model: &ModelRef, limit: &Limit) -> Failure {
    let text = format!("The price of {model} is not known, so it can't be held to the limit of the {}.", limit.scope);
    Failure::new("price_unknown", text)
        .hint("write its price into spending.toml or take the limit away there, or choose another model")
}

fn too_much(limit: &Limit) -> Failure {
    let Limit { scope, most, spent } = limit;
    let text = format!(
        "{} of the {} for this {scope} are spent. The next call could pass that, so it was not made.",
        dollars(*spent),
        dollars(*most),
    );
    Failure::new("spending_limit", text)
        .hint("raise the limit in spending.toml, or choose a cheaper model or one on this machine")
}

/// Dollars and cents; below ten cents as many digits as tell something.
pub fn dollars(picodollars: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    let dollars = picodollars as f64 / 1e12;
    if picodollars == 0 || dollars >= 0.1 { format!("${dollars:.2}") } else { format!("${dollars:.4}") }
}

#[cfg(test)]
mod tests {
    use aside_store::StoreOptions;

    use super::*;

    const GPT: &str = "openai/gpt-4o";

    struct Setting {
        folder: tempfile::TempDir,
        store: Arc<Store>,
        spending: Arc<Spending>,
    }

    impl Setting {
        fn new(rules: &str) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
            let spending = Spending::new(store.clone());
            let setting = Self { folder, store, spending };
            setting.write(rules);
            setting.spending.follow(setting.file());
            setting
        }

        fn file(&self) -> TextFile {
            TextFile::new(self.folder.path().join("spending.toml"), LONGEST_FILE)
        }

        fn write(&self, rules: &str) {
            self.file().change(|_| Ok::<_, std::io::Error>(rules.to_owned())).unwrap();
        }

        fn promise(&self, model: &str, local: bool, turn: u64) -> Result<Promise, Failure> {
            let model: ModelRef = model.parse().unwrap();
            let turn = Cost { picodollars: turn, ..Cost::default() };
            let (input, output) = (1000, 8000);
            self.spending.promise(Planned { model: &model, local, input, output, turn, thread: turn })
        }

        fn spent_today(&self, picodollars: u64) {
            let at = self.store.now();
            let call = CallRecord {
                at,
                thread: None,
                turn: self.store.new_id(),
                step: 1,
                model: GPT.parse().unwrap(),
                usage: Usage::default(),
                cost: Cost { picodollars, ..Cost::default() },
                price_source: None,
            };
            self.store.transaction(Durability::Normal, |transaction| Spending::record(transaction, &call)).unwrap();
        }
    }

    // A thousand tokens in are $0.0025 at this model's price, a thousand out $0.01.
    const DOLLAR: u64 = 1_000_000_000_000;

    #[test]
    fn without_limits_everything_goes_and_a_model_of_this_machine_always() {
        let setting = Setting::new("");
        assert_eq!(setting.promise("openai/nobody-knows", false, DOLLAR).unwrap().output, None);
        setting.write("[limits]\nturn = 0\n");
        assert_eq!(setting.promise("ollama/qwen", true, DOLLAR).unwrap().output, None);
    }

    #[test]
    fn an_answer_is_no_longer_than_what_is_left_pays_for() {
        let setting = Setting::new("[limits]\nturn = 0.05\nthread = 1\n");
        assert_eq!(setting.promise(GPT, false, 0).unwrap().output, Some(4750));
        assert_eq!(setting.promise(GPT, false, DOLLAR / 50).unwrap().output, Some(2750));
        let refused = setting.promise(GPT, false, DOLLAR * 46 / 1000).unwrap_err();
        assert_eq!(refused.code, "spending_limit");
        assert!(refused.message.contains("$0.0460 of the $0.0500 for this turn"), "{}", refused.message);
        assert_eq!(Setting::new("[limits]\nturn = 5\n").promise(GPT, false, 0).unwrap().output, Some(8000));
    }

    #[test]
    fn calls_of_one_moment_don_t_rely_on_the_same_money() {
        let setting = Setting::new("[limits]\nday = 1\n");
        setting.spent_today(DOLLAR * 8 / 10);
        let first = setting.promise(GPT, false, 0).unwrap();
        let second = setting.promise(GPT, false, 0).unwrap();
        assert_eq!((first.output, second.output), (Some(8000), Some(8000)));
        assert_eq!(setting.promise(GPT, false, 0).unwrap().output, Some(3250));
        drop((first, second));
        setting.spent_today(DOLLAR / 5);
        assert_eq!(setting.promise(GPT, false, 0).unwrap_err().code, "spending_limit");
    }

    #[test]
    fn what_can_t_be_held_to_a_limit_is_not_done() {
        let setting = Setting::new("[limits]\nday = 1\n");
        assert_eq!(setting.promise("openai/nobody-knows", false, 0).unwrap_err().code, "price_unknown");
        setting.write("[limits]\nday = 1\n[prices.\"openai/nobody-knows\"]\ninput = 1\noutput = 1\n");
        assert_eq!(setting.promise("openai/nobody-knows", false, 0).unwrap().output, Some(8000));
        setting.write("[limits]\ndaily = 1\n");
        let refused = setting.promise(GPT, false, 0).unwrap_err();
        assert!(refused.message.contains("spending.toml") && refused.message.contains("daily"), "{}", refused.message);
    }
}
