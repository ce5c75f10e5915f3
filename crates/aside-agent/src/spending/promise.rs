//! The word for one call of a model: it is held against the limits before it is made, together with all calls that are
//! being made, and stands on the disk until the call is entered into the account. One that a crash or a full disk kept from
//! there counts with the most that it can have cost.

use aside_core::{Cost, Failure, ModelRef, ThreadId, Timestamp, TurnId, Usage, dollars};
use aside_store::{Durability, StoreError, Transaction};
use serde::{Deserialize, Serialize};

use super::{CallRecord, Limits, Spending};

/// The kind of record that a promise is.
const PROMISE: &str = "promise";
/// Tokens of an answer for which a call is worth making.
const SHORTEST_ANSWER: u32 = 500;
/// Codes of failures with which a provider bills nothing, as long as nothing was heard: it was not reached, or refused.
const UNBILLED: &[&str] = &[
    "needs_consent",
    "local_only",
    "no_provider",
    "provider_misconfigured",
    "provider_unreachable",
    "provider_refused",
    "provider_busy",
    "provider_not_understood",
    "rehearsal",
];

/// Which call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// The thread; absent for a trial.
    pub thread: Option<ThreadId>,
    /// The turn.
    pub turn: TurnId,
    /// The step.
    pub step: u32,
}

/// A call before it is made.
#[derive(Clone, Copy, Debug)]
pub struct Planned<'a> {
    /// Which.
    pub call: &'a Call,
    /// Who would answer.
    pub model: &'a ModelRef,
    /// It runs on this machine.
    pub local: bool,
    /// At most so many tokens of input.
    pub input: u64,
    /// Its answer is no longer than so many tokens.
    pub output: u32,
    /// What was spent before it.
    pub spent: Spent,
}

/// What was spent before a call, by what it belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// By its turn.
    pub turn: Cost,
    /// By its task, the turn included.
    pub task: Cost,
    /// By its thread, the turn included.
    pub thread: Cost,
}

/// A call that may be made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Promise {
    /// Which.
    pub call: Call,
    /// Since when.
    pub at: Timestamp,
    /// Who answers.
    pub model: ModelRef,
    /// It runs on this machine.
    pub local: bool,
    /// The most that it can cost, in 10⁻¹² dollars; 0 if its price is not known.
    pub most: u64,
    /// How many tokens the answer may have, if that is limited.
    pub output: Option<u32>,
    /// How many it has at most.
    #[serde(default)]
    pub longest: u32,
}

/// A limit, and how far it is used up.
struct Limit {
    scope: &'static str,
    most: u64,
    spent: u64,
}

impl Call {
    /// Its name in the account.
    pub(super) fn id(&self) -> String {
        format!("{}/{:06}", self.turn, self.step)
    }
}

impl Promise {
    /// What a call cost of which nobody knows the end.
    pub fn unfinished(&self) -> Cost {
        match self.local {
            true => Cost { local: 1, ..Cost::default() },
            false => Cost { unknown: 1, at_most: self.most, ..Cost::default() },
        }
    }
}

impl Spending {
    /// Lets a call be made, or says why not: it could pass a limit, or can't be held to one. What it can cost counts as
    /// spent from now on, until it is recorded or withdrawn.
    pub fn promise(&self, planned: Planned<'_>) -> Result<Promise, Failure> {
        let (limits, prices) = {
            let read = self.read();
            (read.limits.clone(), read.prices.clone())
        };
        // Held until the promise is written, so that two calls don't rely on the same money.
        let _one_at_a_time = self.promising();
        let price = prices.held(planned.model, self.store.now()).map(|(price, _)| price).filter(|_| !planned.local);
        let tightest = if planned.local { None } else { self.tightest(limits, &planned)? };
        let left = tightest.as_ref().map_or(u64::MAX, |limit| limit.most.saturating_sub(limit.spent));
        let within = price.and_then(|price| price.within(left, planned.input, planned.output));
        let output = match &tightest {
            None => None,
            Some(limit) => {
                let whole = price.and_then(|price| price.within(u64::MAX, planned.input, planned.output));
                Some(allowed(within, whole.map(|(_, most)| most), limit, &planned)?)
            }
        };
        let (call, model, local) = (planned.call.clone(), planned.model.clone(), planned.local);
        let most = within.map_or(0, |(_, most)| most);
        let longest = output.map_or(planned.output, |most| most.min(planned.output));
        let promise = Promise { call, at: self.store.now(), model, local, most, output, longest };
        self.store.put(PROMISE, &promise.call.id(), None, &promise).map_err(|error| error.failure())?;
        Ok(promise)
    }

    /// Says which limit a turn could pass that costs at most so much, or why it would not be asked at all.
    pub fn could_pass(&self, planned: Planned<'_>, most: Option<u64>) -> Option<String> {
        if planned.local {
            return None;
        }
        let tightest = match self.tightest(self.limits(), &planned) {
            Ok(tightest) => tightest?,
            Err(failure) => return Some(failure.message),
        };
        let left = tightest.most.saturating_sub(tightest.spent);
        match most {
            None => Some(unpriced(planned.model, &tightest).message),
            Some(most) if most > left => Some(format!(
                "It could reach the {} limit: {} of {} are left.",
                tightest.scope,
                dollars(left),
                dollars(tightest.most)
            )),
            Some(_) => None,
        }
    }

    /// The promise of a call that was not recorded.
    pub fn promised(&self, call: &Call) -> Result<Option<Promise>, StoreError> {
        self.store.get(PROMISE, &call.id())
    }

    /// The same within a transaction.
    pub fn promise_of(transaction: &Transaction<'_>, call: &Call) -> Result<Option<Promise>, StoreError> {
        transaction.get(PROMISE, &call.id())
    }

    /// The most that the calls can cost which are being made.
    pub(super) fn being_made(&self) -> Result<u64, StoreError> {
        let promises = self.store.list::<Promise>(PROMISE)?;
        Ok(promises.iter().fold(0, |sum: u64, promise| sum.saturating_add(promise.most)))
    }

    /// Takes a promise back: the call was recorded in this moment, or not made.
    pub(super) fn withdraw(transaction: &Transaction<'_>, call: &Call) -> Result<(), StoreError> {
        transaction.delete(PROMISE, &call.id()).map(drop)
    }

    /// What a call cost that took so many milliseconds. Where its provider has not counted, the most that it can be is
    /// kept, beside what it has counted when the answer began; one that was not reached or refused bills nothing. `silent` is
    /// set if nothing was heard.
    pub fn cost(
        &self,
        promise: &Promise,
        usage: &Usage,
        failure: Option<&Failure>,
        silent: bool,
        milliseconds: u64,
    ) -> Cost {
        let refused = failure.is_some_and(|failure| UNBILLED.contains(&failure.code.as_str()));
        if refused && silent && *usage == Usage::default() {
            return Cost { milliseconds, ..Cost::default() };
        }
        let priced = |usage: &Usage| self.prices().cost(&promise.model, promise.local, promise.at, usage, milliseconds);
        let cost = priced(usage);
        if cost.unknown == 0 {
            return cost;
        }
        let answered = |output: u32| priced(&Usage { output: Some(output.into()), ..usage.clone() });
        // Some that stand between say nothing of what was read until the end.
        let has_counted = [usage.input, usage.cache_read, usage.cache_write].iter().flatten().any(|tokens| *tokens > 0);
        match (answered(0), answered(promise.longest)) {
            (read, all) if has_counted && usage.output.is_none() && read.unknown + all.unknown == 0 => {
                Cost { picodollars: read.picodollars, at_most: all.picodollars - read.picodollars, ..cost }
            }
            _ => Cost { at_most: promise.most, ..cost },
        }
    }

    /// Enters what is left of calls that the end of the server cut off and that belong to no turn which says so itself.
    /// Call it at the start, when those turns have been taken up.
    pub fn settle(&self, is_open: impl Fn(&TurnId) -> bool) -> Result<(), StoreError> {
        self.store.transaction(Durability::Normal, |transaction| {
            for promise in transaction.list::<Promise>(PROMISE)? {
                if !is_open(&promise.call.turn) {
                    let cost = promise.unfinished();
                    let Promise { call, model, .. } = promise;
                    let (at, usage) = (transaction.now(), Usage::default());
                    Self::record(transaction, &CallRecord { at, call, model, usage, cost, price_source: None })?;
                }
            }
            Ok(())
        })
    }

    /// The limit of which the least is left.
    fn tightest(&self, limits: Result<Limits, String>, planned: &Planned<'_>) -> Result<Option<Limit>, Failure> {
        let limits = limits.map_err(|mistake| mistaken(&mistake))?;
        let limit = |scope, most: Option<u64>, spent: u64| most.map(|most| Limit { scope, most, spent });
        let with_others = |limit: Option<u64>, spent: &dyn Fn() -> Result<Cost, StoreError>| match limit {
            Some(_) => spent().and_then(|spent| self.spoken_for(spent)).map_err(|error| error.failure()),
            None => Ok(0),
        };
        let all = [
            limit("turn", limits.turn, planned.spent.turn.counted()),
            limit("task", limits.task, planned.spent.task.counted()),
            limit("thread", limits.thread, planned.spent.thread.counted()),
            limit("day", limits.day, with_others(limits.day, &|| self.today())?),
            limit("workspace", limits.workspace, with_others(limits.workspace, &|| self.in_all())?),
        ];
        Ok(all.into_iter().flatten().min_by_key(|limit| limit.most.saturating_sub(limit.spent)))
    }

    /// What counts towards a limit of several threads: what was spent, and what other calls of this moment can cost.
    fn spoken_for(&self, spent: Cost) -> Result<u64, StoreError> {
        Ok(spent.counted().saturating_add(self.being_made()?))
    }
}

/// How long the answer may be that what is left pays for. `whole` is what the call costs at most with its longest answer.
fn allowed(
    within: Option<(u32, u64)>,
    whole: Option<u64>,
    limit: &Limit,
    planned: &Planned<'_>,
) -> Result<u32, Failure> {
    let ((output, most), whole) = within.zip(whole).ok_or_else(|| unpriced(planned.model, limit))?;
    let left = limit.most.saturating_sub(limit.spent);
    let worth_it = most <= left && output >= SHORTEST_ANSWER.min(planned.output);
    worth_it.then_some(output).ok_or_else(|| too_much(limit, planned, whole))
}

fn mistaken(mistake: &str) -> Failure {
    Failure::new("spending_file", format!("Spending is blocked because the spending limits can't be read. {mistake}"))
        .hint("fix the file, or delete it")
}

fn unpriced(model: &ModelRef, limit: &Limit) -> Failure {
    let text = format!("The price of {model} is unknown, so the {} limit can't be applied.", limit.scope);
    Failure::new("price_unknown", text)
        .hint("add its price to spending.toml, remove the limit there, or choose another model")
}

fn too_much(limit: &Limit, planned: &Planned<'_>, whole: u64) -> Failure {
    let Limit { scope, most, spent } = limit;
    let text = format!(
        "{} of the {} for this {scope} are spent. The next call of {} could cost up to {} (about {} tokens in, up to {} \
         out), so it was not made.",
        dollars(*spent),
        dollars(*most),
        planned.model,
        dollars(whole),
        planned.input,
        planned.output,
    );
    Failure::new("spending_limit", text)
        .hint(format!("raise the {scope} limit in *Models* or in spending.toml, or choose a cheaper or local model"))
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;

    use aside_store::{Store, StoreOptions, TextFile};

    use super::*;
    use crate::spending::LONGEST_FILE;

    const GPT: &str = "openai/gpt-4o";

    /// An account with a file of limits.
    pub(in crate::spending) struct Setting {
        folder: tempfile::TempDir,
        store: Arc<Store>,
        pub(in crate::spending) spending: Arc<Spending>,
    }

    impl Setting {
        pub(in crate::spending) fn new(rules: &str) -> Self {
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
            let call = Call { thread: None, turn: self.store.new_id(), step: 1 };
            let spent = Spent { turn, task: turn, thread: turn };
            self.spending.promise(Planned { call: &call, model: &model, local, input, output, spent })
        }

        pub(in crate::spending) fn spent_today(&self, picodollars: u64) {
            let at = self.store.now();
            let call = CallRecord {
                at,
                call: Call { thread: None, turn: self.store.new_id(), step: 1 },
                model: GPT.parse().unwrap(),
                usage: Usage::default(),
                cost: Cost { picodollars, ..Cost::default() },
                price_source: None,
            };
            self.store.transaction(Durability::Normal, |transaction| Spending::record(transaction, &call)).unwrap();
        }
    }

    // A thousand tokens in are $0.0025 at this model's price, a thousand out $0.01.
    pub(in crate::spending) const DOLLAR: u64 = 1_000_000_000_000;

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
        for words in ["$0.0460 of the $0.0500 for this turn", "could cost up to $0.0825 (about 1000 tokens in"] {
            assert!(refused.message.contains(words), "{}", refused.message);
        }
        assert!(refused.hint.unwrap().starts_with("raise the turn limit"));
        assert_eq!(Setting::new("[limits]\nturn = 5\n").promise(GPT, false, 0).unwrap().output, Some(8000));
    }

    #[test]
    fn a_task_and_a_workspace_have_limits_of_their_own() {
        let setting = Setting::new("[limits]\nturn = 5\ntask = 0.05\n");
        assert_eq!(setting.promise(GPT, false, 0).unwrap().output, Some(4750));
        let refused = setting.promise(GPT, false, DOLLAR * 46 / 1000).unwrap_err();
        assert!(refused.message.contains("$0.0460 of the $0.0500 for this task"), "{}", refused.message);
        let setting = Setting::new("[limits]\nworkspace = 1\n");
        setting.spent_today(DOLLAR * 8 / 10);
        for _ in 0..2 {
            assert_eq!(setting.promise(GPT, false, 0).unwrap().output, Some(8000));
        }
        assert_eq!(setting.promise(GPT, false, 0).unwrap().output, Some(3250), "what is being made counts");
        setting.spent_today(DOLLAR / 5);
        let refused = setting.promise(GPT, false, 0).unwrap_err();
        assert!(refused.message.contains("for this workspace"), "{}", refused.message);
    }

    #[test]
    fn calls_of_one_moment_don_t_rely_on_the_same_money() {
        let setting = Setting::new("[limits]\nday = 1\n");
        setting.spent_today(DOLLAR * 8 / 10);
        let first = setting.promise(GPT, false, 0).unwrap();
        let second = setting.promise(GPT, false, 0).unwrap();
        assert_eq!((first.output, second.output), (Some(8000), Some(8000)));
        assert_eq!(setting.promise(GPT, false, 0).unwrap().output, Some(3250));
        for made in [first, second] {
            setting.spending.record_alone(&made, &Usage::default(), Cost::default()).unwrap();
        }
        assert_eq!(setting.spending.calls().unwrap().len(), 1, "what was not billed is withdrawn");
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

    #[test]
    fn a_call_without_an_end_counts_with_the_most_that_it_can_have_cost() {
        let setting = Setting::new("[limits]\nday = 1\n");
        let promise = setting.promise(GPT, false, 0).unwrap();
        assert_eq!(promise.most, DOLLAR * 825 / 10_000);
        let reopened = Spending::new(setting.store.clone());
        let turn = promise.call.turn.clone();
        reopened.settle(|open| *open == turn).unwrap();
        assert_eq!(reopened.today().unwrap(), Cost::default());
        reopened.settle(|_| false).unwrap();
        let unfinished = Cost { unknown: 1, at_most: promise.most, ..Cost::default() };
        assert_eq!(reopened.today().unwrap(), unfinished);
        assert_eq!(reopened.promised(&promise.call).unwrap(), None);
        setting.write("[limits]\nday = 0.086\n");
        assert_eq!(setting.promise(GPT, false, 0).unwrap_err().code, "spending_limit");
    }

    #[test]
    fn what_was_not_counted_is_at_most_what_was_promised_and_a_refusal_is_free() {
        let setting = Setting::new("");
        let promise = setting.promise(GPT, false, 0).unwrap();
        let cost = |usage: &Usage, code: Option<&str>, silent| {
            let failure = code.map(|code| Failure::new(code, "no"));
            setting.spending.cost(&promise, usage, failure.as_ref(), silent, 7)
        };
        let nothing = Usage::default();
        let unknown = Cost { unknown: 1, at_most: promise.most, milliseconds: 7, ..Cost::default() };
        assert_eq!(cost(&nothing, None, true), unknown);
        assert_eq!(cost(&nothing, Some("provider_cut_off"), true), unknown);
        assert_eq!(cost(&nothing, Some("provider_busy"), false), unknown);
        // Nine tokens in are known; eight thousand out are the most that there can be.
        let begun = Cost { picodollars: 22_500_000, at_most: DOLLAR * 8 / 100, ..unknown };
        assert_eq!(cost(&Usage { input: Some(9), ..Usage::default() }, None, false), begun);
        assert_eq!(cost(&Usage { output: Some(9), ..Usage::default() }, None, false), unknown);
        assert_eq!(cost(&Usage { input: Some(0), ..Usage::default() }, None, false), unknown);
        for code in ["provider_refused", "needs_consent", "local_only"] {
            assert_eq!(cost(&nothing, Some(code), true), Cost { milliseconds: 7, ..Cost::default() }, "{code}");
        }
        let local = setting.promise("ollama/qwen", true, 0).unwrap();
        assert_eq!((local.most, local.unfinished().local), (0, 1));
    }
}
