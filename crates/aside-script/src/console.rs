//! The bounded log of a run: beginning and end are kept.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// The printed lines of a run, within its limit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsoleLog {
    /// The lines. Where some are missing, a line says how many.
    pub text: String,
    /// Some lines are missing.
    pub truncated: bool,
}

/// The longest notice of missing lines, in bytes.
const NOTICE: usize = 64;

/// The console while the script runs.
#[derive(Debug)]
pub(crate) struct Console {
    most: usize,
    head: String,
    head_is_full: bool,
    tail: VecDeque<String>,
    tail_bytes: usize,
    missing: u64,
}

impl Console {
    /// An empty console of at most that many bytes.
    pub fn new(most: usize) -> Self {
        let most = most.max(4 * NOTICE);
        Self { most, head: String::new(), head_is_full: false, tail: VecDeque::new(), tail_bytes: 0, missing: 0 }
    }

    /// Adds a line. One that is longer than a quarter of the console is cut.
    pub fn print(&mut self, line: &str) {
        let half = (self.most - NOTICE) / 2;
        let line = cut(line, self.most / 4);
        if !self.head_is_full && self.head.len() + line.len() < half {
            self.head.push_str(&line);
            self.head.push('\n');
            return;
        }
        self.head_is_full = true;
        self.tail_bytes += line.len() + 1;
        self.tail.push_back(line);
        while self.tail_bytes > half {
            let Some(gone) = self.tail.pop_front() else { break };
            self.tail_bytes -= gone.len() + 1;
            self.missing += 1;
        }
    }

    /// The log, complete or with its notice.
    pub fn log(&self) -> ConsoleLog {
        let mut text = self.head.clone();
        if self.missing > 0 {
            text.push_str(&format!("… {} lines are missing here …\n", self.missing));
        }
        for line in &self.tail {
            text.push_str(line);
            text.push('\n');
        }
        ConsoleLog { truncated: self.missing > 0 || text.contains(CUT), text }
    }
}

const CUT: &str = " … (cut)";

fn cut(line: &str, most: usize) -> String {
    if line.len() < most {
        return line.to_owned();
    }
    let end = line.floor_char_boundary(most - CUT.len() - 1);
    format!("{}{CUT}", &line[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flood_keeps_beginning_and_end() {
        let mut console = Console::new(65_536);
        (0..200_000).for_each(|line| console.print(&format!("line {line}")));
        let log = console.log();
        assert!(log.truncated && log.text.len() <= 65_536, "{}", log.text.len());
        assert!(log.text.starts_with("line 0\n") && log.text.ends_with("line 199999\n"));
        assert!(log.text.contains("lines are missing here"));
    }

    #[test]
    fn long_line_is_cut_at_a_letter() {
        let mut console = Console::new(1_000);
        console.print(&"é".repeat(900));
        let log = console.log();
        assert!(log.truncated && log.text.ends_with("é … (cut)\n") && log.text.len() <= 1_000);
    }

    #[test]
    fn short_log_is_complete() {
        let mut console = Console::new(65_536);
        console.print("one");
        console.print("two");
        assert_eq!(console.log(), ConsoleLog { text: "one\ntwo\n".to_owned(), truncated: false });
    }
}
