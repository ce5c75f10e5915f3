//! What a kernel is asked beside running cells: what could stand at a place, what is there; and a line that it asks for.

use aside_core::{ExecutionId, InputAsked, KernelState};
use aside_jupyter::{Kernel, Reply};
use aside_macros::boxed;
use serde::Deserialize;

use super::{Runner, Session};
use crate::{OutputEvent, SessionError};

/// What is shown in place of a password: as much, whatever was typed.
const HIDDEN: &str = "········";

/// What could stand at a place in code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// Texts that would replace what is between `start` and `end`.
    pub matches: Vec<String>,
    /// In UTF-16 units.
    pub start: usize,
    /// In UTF-16 units.
    pub end: usize,
}

#[derive(Deserialize)]
struct Completed {
    #[serde(default)]
    matches: Vec<String>,
    cursor_start: usize,
    cursor_end: usize,
}

#[derive(Deserialize)]
struct Inspected {
    #[serde(default)]
    found: bool,
    #[serde(default)]
    data: serde_json::Map<String, serde_json::Value>,
}

impl Session {
    /// What could stand at a place in code, in UTF-16 units. A kernel that runs something is not asked.
    ///
    /// # Errors
    /// If its answer makes no sense, or it is dead.
    #[boxed]
    pub async fn complete(&self, code: &str, place: usize) -> Result<Completions, SessionError> {
        let Some(kernel) = self.idle() else {
            return Ok(Completions { start: place, end: place, ..Default::default() });
        };
        let reply = kernel.complete(code, points(code, place)).await?;
        let Completed { matches, cursor_start, cursor_end } = read(&reply)?;
        Ok(Completions { matches, start: units(code, cursor_start), end: units(code, cursor_end) })
    }

    /// What is at a place in code, in UTF-16 units, with the colours of a terminal; none if the kernel knows nothing, or
    /// runs something.
    ///
    /// # Errors
    /// If its answer makes no sense, or it is dead.
    #[boxed]
    pub async fn inspect(&self, code: &str, place: usize) -> Result<Option<String>, SessionError> {
        let Some(kernel) = self.idle() else { return Ok(None) };
        let Inspected { found, data } = read(&kernel.inspect(code, points(code, place), 0).await?)?;
        let text = data.get("text/plain").and_then(|text| text.as_str()).map(str::to_owned);
        Ok(text.filter(|_| found))
    }

    fn idle(&self) -> Option<Kernel> {
        let state = self.shared.lock();
        state.handle.clone().filter(|_| state.kernel.state == KernelState::Idle)
    }
}

impl Runner {
    /// Gives the line that a run waits for, and shows it among what it put out.
    pub(super) async fn answer(
        &mut self,
        execution: &ExecutionId,
        question: u64,
        value: &str,
    ) -> Result<(), SessionError> {
        let is_it = |asked: &InputAsked| (&asked.execution, asked.question) == (execution, question);
        let asked = self.shared.lock().kernel.asks.clone().filter(is_it);
        let (Some(asked), Some(running)) = (asked, self.running.as_ref()) else { return Err(SessionError::NotAsked) };
        running.kernel.answer(value).await?;
        self.shared.change_kernel(|kernel| kernel.asks = None);
        let shown = if asked.password { HIDDEN } else { value };
        let text = format!("{}{shown}\n", asked.prompt);
        self.echo(execution, OutputEvent::Stream { name: "stdout".to_owned(), text });
        Ok(())
    }
}

fn read<T: for<'a> Deserialize<'a>>(reply: &Reply) -> Result<T, SessionError> {
    serde_json::from_str(&reply.content).map_err(|_| SessionError::BadAnswer)
}

/// UTF-16 units as code points.
fn points(text: &str, units: usize) -> usize {
    let ends = text.chars().scan(0, |seen, char| {
        *seen += char.len_utf16();
        Some(*seen)
    });
    ends.take_while(|end| *end <= units).count()
}

/// Code points as UTF-16 units.
fn units(text: &str, points: usize) -> usize {
    text.chars().take(points).map(char::len_utf16).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_as_the_other_side_counts() {
        let text = "a😀é.x";
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 99].map(|at| points(text, at)), [0, 1, 1, 2, 3, 4, 5, 5]);
        assert_eq!([0, 1, 2, 3, 4, 5, 99].map(|at| units(text, at)), [0, 1, 3, 4, 5, 6, 6]);
    }
}
