//! Starts the reader and takes its answer.

use std::{
    io::{self, Read as _, Write as _},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::child::{PAGE_END, READER, UNREADABLE, can_read};

/// How often an ended process is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Bytes of the reader's last words.
const MOST_WORDS: u64 = 300;

/// Limits of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PdfLimits {
    /// Bytes of memory.
    pub memory: u64,
    /// Time, of computing and on the clock.
    pub time: Duration,
    /// Bytes of text; the pages beyond them are left out.
    pub text: usize,
}

impl Default for PdfLimits {
    /// A book of a thousand pages, without its pictures.
    fn default() -> Self {
        Self { memory: 1 << 30, time: Duration::from_secs(60), text: 8 << 20 }
    }
}

/// A PDF whose text can't be read.
#[derive(Debug, thiserror::Error)]
pub enum PdfError {
    /// It is no PDF, is torn or encrypted.
    #[error("not a PDF that can be read{}", words(.0))]
    Unreadable(String),
    /// It took more time or memory than it may.
    #[error("reading it took too long or too much memory")]
    TooMuch,
    /// This program can't start itself again, or the file can't be read.
    #[error("the reader of PDFs can't be started: {0}")]
    NotStarted(#[from] io::Error),
}

fn words(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!(": {words}") }
}

/// Returns the text of each page of a PDF, in order; empty for a page without text, as that of a scan. Blocks until it is read: at
/// most as long as the limits say.
///
/// # Errors
///
/// If it is no PDF, or reaches a limit, or if this program did not call [`crate::enter_if_reader`] at its start.
pub fn pages(pdf: Vec<u8>, limits: PdfLimits) -> Result<Vec<String>, PdfError> {
    if !can_read() {
        return Err(io::Error::other("the program does not take part").into());
    }
    let program = if cfg!(target_os = "linux") { "/proc/self/exe".into() } else { std::env::current_exe()? };
    #[expect(clippy::disallowed_methods, reason = "this program itself, which starts no other one")]
    let mut command = Command::new(program);
    command.arg(READER).arg(limits.memory.to_string()).arg(limits.time.as_secs().max(1).to_string());
    command.env_clear().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let (Some(mut input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(io::Error::other("no pipes").into());
    };
    // It may end before it has taken everything.
    let given = thread::spawn(move || drop(input.write_all(&pdf)));
    let text = thread::spawn(move || read_text(output, limits.text));
    let said = thread::spawn(move || last_words(errors));
    let ended = ended(&mut child, limits.time)?;
    // All end with the process.
    let _ = given.join();
    let (text, said) = (text.join().unwrap_or_default(), said.join().unwrap_or_default());
    match ended.map(|status| status.code()) {
        Some(Some(0)) => Ok(split(&text)),
        Some(Some(UNREADABLE)) => Err(PdfError::Unreadable(said)),
        // Ended by a signal: of a limit, or a stack that ran over.
        _ => Err(PdfError::TooMuch),
    }
}

/// Waits for the end; none if the time is over, then it is killed.
fn ended(child: &mut Child, time: Duration) -> io::Result<Option<std::process::ExitStatus>> {
    let until = Instant::now() + time;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= until {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(LOOK_EVERY);
    }
}

fn read_text(mut output: impl io::Read, most: usize) -> String {
    let mut text = Vec::new();
    // What can't be read is not there.
    let _ = output.by_ref().take(most as u64).read_to_end(&mut text);
    // The rest is taken, so that the process ends by itself.
    let _ = io::copy(&mut output, &mut io::sink());
    String::from_utf8_lossy(&text).into_owned()
}

fn last_words(mut errors: impl io::Read) -> String {
    let mut text = Vec::new();
    let _ = errors.by_ref().take(MOST_WORDS).read_to_end(&mut text);
    let _ = io::copy(&mut errors, &mut io::sink());
    let text: String = String::from_utf8_lossy(&text).chars().filter(|letter| !letter.is_control()).collect();
    text.trim().to_owned()
}

/// Splits the output into its pages. A page that was cut off counts.
fn split(text: &str) -> Vec<String> {
    let text = text.strip_suffix(PAGE_END).unwrap_or(text);
    text.split(PAGE_END).map(|page| page.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_split_at_their_ends() {
        assert_eq!(split("a\nb\u{c}\u{c} c \u{c}"), ["a\nb", "", "c"]);
        assert_eq!(split("a\u{c}cut"), ["a", "cut"]);
    }

    #[test]
    fn program_that_takes_no_part_reads_nothing() {
        assert!(matches!(pages(Vec::new(), PdfLimits::default()), Err(PdfError::NotStarted(_))));
    }
}
