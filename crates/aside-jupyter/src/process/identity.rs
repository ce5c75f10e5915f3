//! Which process it is: a number alone is given to another one later.

use std::fmt;

use rustix::process::{Pid, test_kill_process};
use serde::{Deserialize, Serialize};

/// A process, by its number and when it was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    pub pid: i32,
    /// In ticks since the machine was started; none where the system does not tell.
    started: Option<u64>,
}

impl Identity {
    pub fn of(pid: Pid) -> Self {
        let pid = pid.as_raw_nonzero().get();
        Self { pid, started: stat(pid).map(|(_, started)| started) }
    }

    /// Reads what it writes as text.
    pub fn parse(text: &str) -> Option<Self> {
        let (pid, started) = text.split_once(':')?;
        Some(Self { pid: pid.parse().ok()?, started: started.parse().ok() })
    }

    /// The process group of which it is the first.
    pub fn group(&self) -> Option<Pid> {
        Pid::from_raw(self.pid).filter(|_| self.pid > 1)
    }

    /// Tells whether it still runs, as the same process.
    pub fn is_alive(&self) -> bool {
        match self.started {
            Some(started) => stat(self.pid).is_some_and(|(dead, found)| !dead && found == started),
            None => self.group().is_some_and(|pid| test_kill_process(pid).is_ok()),
        }
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:", self.pid)?;
        self.started.map_or(Ok(()), |started| write!(formatter, "{started}"))
    }
}

/// Whether a process is dead, and when it was started: the fields 3 and 22 of proc(5).
#[expect(clippy::disallowed_methods, reason = "what the kernel of the system says of processes")]
fn stat(pid: i32) -> Option<(bool, u64)> {
    let text = std::fs::read(format!("/proc/{pid}/stat")).ok()?;
    let text = String::from_utf8_lossy(&text);
    let fields: Vec<&str> = text[text.rfind(')')? + 1..].split_whitespace().collect();
    Some((matches!(*fields.first()?, "Z" | "X"), fields.get(19)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_at_another_time_is_another_process() {
        let own = Identity::of(rustix::process::getpid());
        assert!(own.is_alive());
        assert_eq!(Identity::parse(&own.to_string()), Some(own));
        if let Some(started) = own.started {
            assert!(!Identity { started: Some(started + 1), ..own }.is_alive());
        }
        assert!(!Identity { pid: i32::MAX, started: Some(1) }.is_alive());
        assert_eq!(Identity { pid: 1, ..own }.group(), None, "nothing is ever sent to all processes");
    }
}
