//! What is done when a run puts out more than a notebook can hold: nothing more is taken from it, so that its kernel waits,
//! before a person says so.

use aside_core::{ExecutionId, HeldBack};
use aside_notebook::CellKey;

use super::{Runner, runner::Current};
use crate::{OutputEvent, SessionError, record};

/// Bytes of outputs above which a run is held back: as much fits into a notebook's file.
pub const MOST_OUTPUT: usize = 64 << 20;

/// Reads how many megabytes of outputs a run may put out before it is held back: at least one, and no more than fit into a
/// notebook's file.
///
/// # Errors
/// If it is none of these: what, and which ones there are.
pub fn output_limit(text: &str) -> Result<usize, String> {
    const MOST: usize = MOST_OUTPUT >> 20;
    match text.trim().parse() {
        Ok(megabytes @ 1..=MOST) => Ok(megabytes << 20),
        _ => Err(format!("`{text}` is not a whole number of megabytes from 1 to {MOST}")),
    }
}

/// What is said where outputs of a run are missing.
const LEFT_OUT: &str = "\n[output after this was dropped: too much output]\n";

/// How a run stands with what it may put out.
#[derive(Debug, Default)]
pub(super) struct Flood {
    /// Nothing is taken from it.
    pub is_held: bool,
    /// It was interrupted while it was held back, or is over: what it still puts out is not kept.
    pub is_left_out: bool,
    /// How often it was let go on.
    times: usize,
    /// Bytes in its log.
    logged: usize,
}

impl Runner {
    /// Holds back the run that is under way if it has put out too much, after so many bytes more. Its log is written anew
    /// where most of it is of outputs that others have taken the place of.
    pub(super) fn bound(&mut self, bytes: usize, number: u64) {
        let (shared, most) = (self.shared.clone(), self.shared.options.most_output);
        let Some(Current { id, cell, flood, .. }) = self.current() else { return };
        let kept = shared.lock().outputs.bytes_of(cell);
        flood.logged += bytes;
        if flood.logged > most && flood.logged / 2 > kept {
            flood.logged = kept;
            let events = shared.lock().outputs.events_of(cell);
            shared.noted(record::replace_log(&shared.store, id, &events, number));
        }
        flood.is_held = !flood.is_left_out && kept > most.saturating_mul(flood.times + 1);
        if flood.is_held {
            let holds = HeldBack { execution: id.clone(), bytes: kept as u64 };
            shared.change_kernel(|kernel| kernel.holds = Some(holds));
        }
    }

    /// Tells whether a cell has put out too much for a run that nobody can be asked about.
    pub(super) fn is_too_much(&self, cell: &CellKey) -> bool {
        self.shared.lock().outputs.bytes_of(cell) > self.shared.options.most_output
    }

    /// Lets a run go on that is held back, for as much again.
    pub(super) fn more(&mut self, execution: &ExecutionId) -> Result<(), SessionError> {
        let current = self.current().filter(|current| current.id == *execution && current.flood.is_held);
        let flood = &mut current.ok_or(SessionError::NotHeldBack)?.flood;
        (flood.is_held, flood.times) = (false, flood.times + 1);
        self.shared.change_kernel(|kernel| kernel.holds = None);
        Ok(())
    }

    /// A run that is held back was interrupted: it has to be heard to its end, but is not kept.
    pub(super) fn leave_out(&mut self) {
        let Some(current) = self.current().filter(|current| current.flood.is_held) else { return };
        (current.flood.is_held, current.flood.is_left_out) = (false, true);
        let id = current.id.clone();
        self.shared.change_kernel(|kernel| kernel.holds = None);
        self.say_left_out(&id);
    }

    pub(super) fn say_left_out(&mut self, id: &ExecutionId) {
        self.echo(id, OutputEvent::Stream { name: "stderr".to_owned(), text: LEFT_OUT.to_owned() });
    }

    fn current(&mut self) -> Option<&mut Current> {
        self.running.as_mut()?.current.as_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_never_held_back_before_a_megabyte_nor_after_what_a_file_holds() {
        assert_eq!([" 1 ", "64"].map(output_limit), [Ok(1 << 20), Ok(MOST_OUTPUT)]);
        for wrong in ["0", "65", "-1", "1.5", "2 MB", ""] {
            assert!(output_limit(wrong).is_err_and(|error| error.contains("from 1 to 64")), "{wrong}");
        }
    }
}
