//! What an action puts out while it runs, at the terminal; Ctrl-C stops the action, not this program.

use std::{
    io::{self, IsTerminal as _},
    sync::OnceLock,
};

use anyhow::{Context as _, anyhow};
use aside_core::{ActionId, Outcome};
use aside_protocol::{ActionLine, Submitted};
use serde::Serialize;
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::broadcast,
};

use crate::{client::Client, output::Output};

/// The exit code of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// Asks for a change by a route that takes `stream`, and prints what it puts out until it is at its end. That is not said
/// again in what is returned.
pub async fn follow(client: &Client, path: &str, body: &impl Serialize, output: &Output) -> anyhow::Result<Submitted> {
    let mut interrupts = interrupts().context("cannot listen for signals")?;
    let mut lines = client.post_lines(&format!("{path}?stream=true"), body).await?;
    let (mut shown, mut running) = (Shown::new(output), None);
    loop {
        let line = tokio::select! {
            line = lines.next::<ActionLine>() => line?,
            _ = interrupts.recv() => {
                let id = running.take().ok_or_else(|| anyhow!("interrupted; `aside audit` shows the outcome"))?;
                stop(client, &id, output).await?;
                continue;
            }
        };
        match line {
            Some(ActionLine::Begun(id)) => running = Some(id),
            Some(ActionLine::Output { offset, text }) => shown.piece(offset as usize, &text),
            Some(ActionLine::Ended(submitted)) => return Ok(shown.end(*submitted)),
            Some(ActionLine::Failed(failure)) => return Err(failure.into()),
            None => {
                return Err(anyhow!(
                    "the server stopped while the action was running; `aside audit` shows the outcome"
                ));
            }
        }
    }
}

/// Hears of each Ctrl-C from now on. Once a program listens, the system doesn't end it any more: that is done here, when
/// nothing is followed.
fn interrupts() -> io::Result<broadcast::Receiver<()>> {
    static HEARD: OnceLock<broadcast::Sender<()>> = OnceLock::new();
    if let Some(heard) = HEARD.get() {
        return Ok(heard.subscribe());
    }
    let mut interrupt = signal(SignalKind::interrupt())?;
    let (heard, receiver) = broadcast::channel(1);
    // Only the one thread that carries commands out gets here.
    let _ = HEARD.set(heard.clone());
    tokio::spawn(async move {
        while interrupt.recv().await.is_some() {
            if heard.send(()).is_err() {
                std::process::exit(INTERRUPTED);
            }
        }
    });
    Ok(receiver)
}

/// Asks it to stop; its end comes as usual.
async fn stop(client: &Client, id: &ActionId, output: &Output) -> anyhow::Result<()> {
    if !output.json {
        eprintln!("stopping …");
    }
    client.post::<Submitted>(&format!("actions/{id}/stop"), &serde_json::json!({})).await.map(drop)
}

/// What of the output is on the screen: finished lines stay, the last one is drawn over as it grows.
struct Shown<'a> {
    output: &'a Output,
    /// Unfinished lines are shown as well, since they can be drawn over.
    terminal: bool,
    /// Where the unfinished line begins, in UTF-16 units of all output.
    start: usize,
    line: String,
}

impl<'a> Shown<'a> {
    fn new(output: &'a Output) -> Self {
        Self { output, terminal: io::stdout().is_terminal(), start: 0, line: String::new() }
    }

    /// Takes in that from `offset` on all is replaced by `text`.
    fn piece(&mut self, offset: usize, text: &str) {
        if !self.output.json {
            let drawn = self.draw(offset, text);
            self.output.draw(drawn.over, &drawn.text);
        }
    }

    /// Returns what to print. Lines that are finished can't be taken back.
    fn draw(&mut self, offset: usize, text: &str) -> Drawn {
        let kept = before(&self.line, offset.saturating_sub(self.start));
        let all = format!("{kept}{}", skip(text, self.start.saturating_sub(offset)));
        let end = all.rfind('\n').map_or(0, |end| end + 1);
        let (over, text) = match (self.terminal, all.strip_prefix(self.line.as_str())) {
            (true, Some(more)) => (false, more.to_owned()),
            (true, None) => (true, all.clone()),
            (false, _) => (false, all[..end].to_owned()),
        };
        self.start += all[..end].encode_utf16().count();
        self.line = all[end..].to_owned();
        Drawn { over, text }
    }

    /// Finishes the last line, and leaves out of the result what is on the screen.
    fn end(self, mut submitted: Submitted) -> Submitted {
        if self.output.json || self.start == 0 && self.line.is_empty() {
            return submitted;
        }
        if !self.line.is_empty() {
            self.output.draw(false, if self.terminal { "" } else { &self.line });
            self.output.draw(false, "\n");
        }
        if let Some(Outcome::Done { observation }) = &mut submitted.record.outcome
            && let Some(summary) = observation.data.get("summary").and_then(serde_json::Value::as_str)
        {
            observation.text = summary.to_owned();
        }
        submitted
    }
}

/// What to print next.
struct Drawn {
    /// From the beginning of the line, which is cleared.
    over: bool,
    text: String,
}

/// The text before a UTF-16 unit.
fn before(text: &str, units: usize) -> &str {
    &text[..text.len() - skip(text, units).len()]
}

/// The text from a UTF-16 unit on.
pub fn skip(text: &str, units: usize) -> &str {
    let mut seen = 0;
    for (at, character) in text.char_indices() {
        if seen >= units {
            return &text[at..];
        }
        seen += character.len_utf16();
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(terminal: bool, pieces: &[(usize, &str)]) -> String {
        let output = Output { json: false, colour: false };
        let mut shown = Shown { output: &output, terminal, start: 0, line: String::new() };
        let drawn = pieces.iter().map(|(offset, text)| shown.draw(*offset, text));
        drawn.map(|Drawn { over, text }| if over { format!("<{text}") } else { text }).collect()
    }

    #[test]
    fn offsets_are_in_utf16() {
        assert_eq!(["a😀b", "😀b", "b", ""], [0, 1, 3, 4].map(|units| skip("a😀b", units)));
    }

    #[test]
    fn a_line_grows_and_is_drawn_over_at_a_terminal() {
        let pieces = [(0, "one\ntw"), (4, "two\n10 %"), (8, "20 %"), (8, "20 % done\n")];
        assert_eq!(drawn(true, &pieces), "one\ntwo\n10 %<20 % done\n");
        assert_eq!(drawn(false, &pieces), "one\ntwo\n20 % done\n");
    }

    #[test]
    fn what_was_missed_and_what_is_known_already_are_told_apart() {
        assert_eq!(drawn(true, &[(0, "one\n"), (0, "one\ntwo\n"), (400, "later\n")]), "one\ntwo\nlater\n");
    }
}
