//! What a program writes for people: the last lines of it.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};

use crate::client::words::fit_line;

/// Lines that are kept, and characters of each.
const MOST_SAID: usize = 40;
pub(super) const LONGEST_SAID: usize = 400;
const LONGEST_LINE_SAID: u64 = 64 * 1024;
/// Lines that are told with a failure.
const LAST_WORDS: usize = 5;

/// The last lines; all clones share them.
#[derive(Clone, Default)]
pub(super) struct Said(Arc<Mutex<VecDeque<String>>>);

impl Said {
    /// The lines, oldest first.
    pub(super) fn lines(&self) -> Vec<String> {
        self.lock().iter().cloned().collect()
    }

    pub(super) fn clear(&self) {
        self.lock().clear();
    }

    /// The last of them, as a hint at what went wrong.
    pub(super) fn last_words(&self) -> String {
        let said = self.lock();
        let last: Vec<_> = said.iter().skip(said.len().saturating_sub(LAST_WORDS)).map(String::as_str).collect();
        match last.is_empty() {
            true => "its error output is empty".to_owned(),
            false => format!("its error output: {}", last.join(" / ")),
        }
    }

    /// Keeps the last lines of what is written until it ends.
    pub(super) async fn listen(self, errors: impl AsyncRead + Unpin) {
        let mut errors = BufReader::new(errors);
        let mut line = Vec::new();
        // An error is the end too. A line without an end is taken in pieces.
        while let Ok(1..) = (&mut errors).take(LONGEST_LINE_SAID).read_until(b'\n', &mut line).await {
            let text = fit_line(&String::from_utf8_lossy(&line), LONGEST_SAID);
            line.clear();
            if !text.is_empty() {
                self.push(text);
            }
        }
    }

    fn push(&self, text: String) {
        let mut said = self.lock();
        said.push_back(text);
        if said.len() > MOST_SAID {
            said.pop_front();
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn of_a_flood_of_lines_the_last_are_kept() {
        let said = Said::default();
        let flood = (0..1000).map(|line| format!("line {line}\n")).collect::<String>() + &"x".repeat(200_000);
        said.clone().listen(flood.as_bytes()).await;
        let lines = said.lines();
        assert_eq!(lines.len(), MOST_SAID);
        assert!(lines.iter().all(|line| line.chars().count() < LONGEST_SAID + 10));
        assert!(said.last_words().starts_with("its error output: ") && said.last_words().contains(" / "));
    }
}
