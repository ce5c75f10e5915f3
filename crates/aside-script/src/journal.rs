//! The journal of a run, and its replay: a call that has ended is answered from the journal and never done again.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{AsideError, Observation};

/// The place of a call in its run, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CallNumber(pub u32);

/// One entry of a journal. The caller stores the entries in their order and gives them back for a replay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "snake_case")]
pub enum JournalEntry {
    /// The first entry: the seed of `Math.random` and the clock of the run.
    Start {
        /// The seed of the random numbers.
        seed: u64,
        /// Milliseconds since 1970.
        at: i64,
    },
    /// A call that is about to be done.
    Begun {
        /// The call.
        number: CallNumber,
        /// The action's name, or `sleep`.
        action: String,
        /// SHA-256 of the arguments.
        args_hash: String,
    },
    /// The end of a call. The clock of the script moves only here.
    Ended {
        /// The call.
        number: CallNumber,
        /// Milliseconds since 1970.
        at: i64,
        /// The answer that the script got.
        result: Result<Observation, AsideError>,
    },
}

/// Returns the hash of a call's arguments, as the journal has it.
pub(crate) fn args_hash(args: &Value) -> String {
    Sha256::digest(args.to_string()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The state of a call in the journal of the run before.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Recorded {
    /// The journal does not have it: it is done now.
    New,
    /// It had begun, and has no end.
    Interrupted,
    /// Its end is in the journal.
    Ended,
    /// The journal has another call at this number: the script is not the one that was run.
    Diverged(String),
}

/// The end of a call: its number, the time, the answer.
pub(crate) type CallEnd = (CallNumber, i64, Result<Observation, AsideError>);

/// The journal of the run before, as far as it is not replayed yet.
#[derive(Debug, Default)]
pub(crate) struct Replay {
    pub seed: u64,
    pub at: i64,
    begun: BTreeMap<CallNumber, (String, String)>,
    ends: VecDeque<CallEnd>,
    ended: std::collections::BTreeSet<CallNumber>,
}

impl Replay {
    /// Reads a journal, whose first entry must be `Start`.
    pub fn new(journal: &[JournalEntry]) -> Result<Self, &'static str> {
        let Some(JournalEntry::Start { seed, at }) = journal.first() else {
            return Err("the journal does not begin with a start");
        };
        let mut replay = Self { seed: *seed, at: *at, ..Self::default() };
        for entry in &journal[1..] {
            match entry {
                JournalEntry::Start { .. } => return Err("the journal has two starts"),
                JournalEntry::Begun { number, action, args_hash } => {
                    replay.begun.insert(*number, (action.clone(), args_hash.clone()));
                }
                JournalEntry::Ended { number, at, result } => {
                    if !replay.begun.contains_key(number) || !replay.ended.insert(*number) {
                        return Err("the journal has an end without a beginning");
                    }
                    replay.ends.push_back((*number, *at, result.clone()));
                }
            }
        }
        Ok(replay)
    }

    /// Compares a call of this run with the journal.
    pub fn recorded(&self, number: CallNumber, action: &str, args_hash: &str) -> Recorded {
        match self.begun.get(&number) {
            None => Recorded::New,
            Some((before, _)) if before != action => {
                Recorded::Diverged(format!("call {} is `{action}`, and it was `{before}` before", number.0))
            }
            Some((_, hash)) if hash != args_hash => {
                Recorded::Diverged(format!("call {} of `{action}` has other arguments than before", number.0))
            }
            Some(_) if self.ended.contains(&number) => Recorded::Ended,
            Some(_) => Recorded::Interrupted,
        }
    }

    /// Takes the next recorded end.
    pub fn next_end(&mut self) -> Option<CallEnd> {
        self.ends.pop_front()
    }

    /// The number of the last call in the journal, or 0.
    pub fn last_call(&self) -> u32 {
        self.begun.last_key_value().map_or(0, |(number, _)| number.0)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn begun(number: u32, action: &str) -> JournalEntry {
        JournalEntry::Begun { number: CallNumber(number), action: action.into(), args_hash: args_hash(&json!({})) }
    }

    #[test]
    fn entries_keep_their_form_as_json() {
        let end = JournalEntry::Ended { number: CallNumber(1), at: 5, result: Err(AsideError::new("not_found", "no")) };
        let json = serde_json::to_value(&end).expect("serialises");
        assert_eq!(json["result"]["Err"]["code"], "not_found");
        assert_eq!(serde_json::from_value::<JournalEntry>(json).expect("parses"), end);
    }

    #[test]
    fn other_action_at_a_number_diverges() {
        let replay = Replay::new(&[JournalEntry::Start { seed: 1, at: 2 }, begun(1, "file.read")]).expect("valid");
        let hash = args_hash(&json!({}));
        assert_eq!(replay.recorded(CallNumber(1), "file.read", &hash), Recorded::Interrupted);
        assert!(matches!(replay.recorded(CallNumber(1), "file.create", &hash), Recorded::Diverged(_)));
        assert!(matches!(replay.recorded(CallNumber(1), "file.read", "other"), Recorded::Diverged(_)));
        assert_eq!(replay.recorded(CallNumber(2), "file.create", &hash), Recorded::New);
    }

    #[test]
    fn journal_without_start_is_refused() {
        assert!(Replay::new(&[]).is_err());
        assert!(Replay::new(&[begun(1, "file.read")]).is_err());
    }
}
