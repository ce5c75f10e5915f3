//! What can go wrong with a kernel, in words for a person.

use std::{fmt, path::PathBuf, time::Duration};

use thiserror::Error;

/// How a kernel's process ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelEnd {
    /// Its exit code; none if a signal ended it, or if it was not ours to wait for.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// The end of what it wrote to its standard output and error, at most 4 KiB.
    pub last_words: String,
}

impl fmt::Display for KernelEnd {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.code, self.signal) {
            (_, Some(signal)) => write!(formatter, "signal {signal}")?,
            (Some(code), _) => write!(formatter, "exit code {code}")?,
            (None, None) => formatter.write_str("cause unknown")?,
        }
        match without_greeting(&self.last_words).trim() {
            "" => Ok(()),
            words => write!(formatter, "; its last output: {words}"),
        }
    }
}

/// The same words without what ipykernel says of itself when it starts: it would be told of each that dies without a word.
fn without_greeting(words: &str) -> String {
    const BEGIN: &str = "NOTE: When using the `ipython kernel` entry point";
    const END: &str = "--existing";
    let Some((before, greeting)) = words.split_once(BEGIN) else { return words.to_owned() };
    let after = greeting.split_once(END).and_then(|(_, rest)| rest.split_once('\n')).map_or("", |(_, after)| after);
    format!("{before}{after}")
}

/// A kernel did not do what it was asked for.
#[derive(Clone, Debug, Error)]
pub enum KernelError {
    /// There is no such program.
    #[error("cannot start the kernel: the program `{program}` was not found")]
    NoProgram {
        /// As the kernel's description has it.
        program: String,
    },
    /// A file or socket of the kernel can't be used.
    #[error("cannot {what} {}: {reason}", path.display())]
    Io {
        /// What was attempted: "write".
        what: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// Its process ended.
    #[error("the kernel died ({0})")]
    Died(KernelEnd),
    /// It was started and runs, and can't be spoken to.
    #[error("the kernel started but did not answer within {} s{}", .waited.as_secs(), said(.last_words))]
    NeverReady {
        /// How long it was waited for.
        waited: Duration,
        /// The end of what it wrote meanwhile.
        last_words: String,
    },
    /// It runs, and does not answer one request.
    #[error("the kernel does not answer: no {what} within {} s", .waited.as_secs())]
    Deaf {
        /// What was waited for.
        what: &'static str,
        /// How long.
        waited: Duration,
    },
    /// What it says is not what the protocol has.
    #[error("the kernel violates the protocol: {reason}")]
    Lies {
        /// In what.
        reason: String,
    },
    /// It is done with a request, and how that ended was not heard: nobody listened for a moment.
    #[error("the kernel finished this, but its result was lost")]
    Missed,
    /// A record of a kernel that is not there any more.
    #[error("the kernel is gone")]
    Gone,
}

impl KernelError {
    pub(crate) fn io(what: &'static str, path: &std::path::Path, error: &impl ToString) -> Self {
        Self::Io { what, path: path.to_owned(), reason: error.to_string() }
    }
}

fn said(last_words: &str) -> String {
    match without_greeting(last_words).trim() {
        "" => String::new(),
        words => format!("; its output: {words}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ipykernel_says_of_itself_when_it_starts_is_no_last_word() {
        let greeting = "NOTE: When using the `ipython kernel` entry point, Ctrl-C will not work.\n\nTo exit, you will have to \
            explicitly quit this process\n\nTo connect another client to this kernel, use:\n    --existing kernel-1.json\n";
        let end = |last_words: String| KernelEnd { code: Some(3), signal: None, last_words }.to_string();
        assert_eq!(end(greeting.to_owned()), "exit code 3");
        assert_eq!(end(format!("{greeting}Segmentation fault\n")), "exit code 3; its last output: Segmentation fault");
        assert_eq!(end(format!("a warning\n{greeting}")), "exit code 3; its last output: a warning");
        assert_eq!(end(greeting[..60].to_owned()), "exit code 3", "also where it is cut");
    }
}
