//! How far one window has come, and what it gets next. Pure.

/// Bytes of one frame.
const MOST_OF_FRAME: u64 = 64 << 10;
/// Bytes that are on their way to a window at most: what it has not acknowledged.
const MOST_ON_THE_WAY: u64 = 512 << 10;

/// The place of one window in a terminal's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flow {
    /// The first byte that was not sent yet.
    sent: u64,
    /// The first byte that the window has not taken in.
    acknowledged: u64,
    /// The output before it was there when the window came, or was moved on.
    replay_to: u64,
}

/// The next thing for a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowStep {
    /// Bytes from here on, at most so many.
    Send {
        /// The first.
        from: u64,
        /// How many at most.
        most: usize,
    },
    /// Its place is gone: it goes on at the newest output.
    MoveOn {
        /// The first byte that it has not had.
        from: u64,
    },
    /// There is nothing for it now.
    Wait,
}

impl Flow {
    /// Begins at a byte, with what is old by then.
    pub fn begin(at: u64, replay_to: u64) -> Self {
        Self { sent: at, acknowledged: at, replay_to }
    }

    /// Returns the next step where output from `oldest` to `end` is kept.
    pub fn next(&self, oldest: u64, end: u64) -> FlowStep {
        let on_the_way = self.sent.saturating_sub(self.acknowledged);
        if self.sent >= end || on_the_way >= MOST_ON_THE_WAY {
            return FlowStep::Wait;
        }
        if self.sent < oldest {
            return FlowStep::MoveOn { from: self.sent };
        }
        let most = MOST_OF_FRAME.min(MOST_ON_THE_WAY - on_the_way);
        FlowStep::Send { from: self.sent, most: usize::try_from(most).unwrap_or(usize::MAX) }
    }

    /// Notes that bytes up to here are on their way.
    pub fn sent(&mut self, to: u64) {
        self.sent = to;
    }

    /// Tells whether all before a byte is on its way.
    pub fn has_sent(&self, to: u64) -> bool {
        self.sent >= to
    }

    /// Notes that the window has taken in bytes up to here; it can't have taken in what it was not sent.
    pub fn acknowledge(&mut self, to: u64) {
        self.acknowledged = self.acknowledged.max(to.min(self.sent));
    }

    /// Tells whether the window still shows old output, so that its terminal answers old queries.
    pub fn is_replaying(&self) -> bool {
        self.acknowledged < self.replay_to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_window_waits_and_is_moved_on() {
        let mut flow = Flow::begin(0, 100);
        assert!(flow.is_replaying());
        let mut sent = 0;
        while let FlowStep::Send { from, most } = flow.next(0, 10 << 20) {
            assert_eq!(from, sent);
            sent += most as u64;
            flow.sent(sent);
        }
        assert_eq!(sent, MOST_ON_THE_WAY);
        flow.acknowledge(1 << 40);
        assert!(!flow.is_replaying());
        assert_eq!(flow.next(0, sent), FlowStep::Wait);
        assert_eq!(flow.next(sent + 1, sent + 2), FlowStep::MoveOn { from: sent });
        assert!(matches!(flow.next(sent, sent + 2), FlowStep::Send { .. }));
    }

    #[test]
    fn an_older_acknowledgement_changes_nothing() {
        let mut flow = Flow::begin(10, 10);
        flow.sent(30);
        flow.acknowledge(20);
        flow.acknowledge(12);
        assert_eq!(flow.acknowledged, 20);
    }
}
