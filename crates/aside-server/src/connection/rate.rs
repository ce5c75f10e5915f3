//! How fast one socket may speak. What comes faster waits in its own socket; nothing is lost.

use std::time::{Duration, Instant};

/// Messages a second over a long time.
const STEADY: f64 = 1000.0;

/// Messages at once after a pause.
const BURST: f64 = 2000.0;

/// Bytes that count as one more message.
const MESSAGE_BYTES: f64 = 16_384.0;

/// A store of permits that fills with time.
#[derive(Debug)]
pub struct Rate {
    permits: f64,
    at: Instant,
}

impl Rate {
    /// A full one.
    pub fn new(now: Instant) -> Self {
        Self { permits: BURST, at: now }
    }

    /// Takes the permits of one message; returns how long to wait before the next is read.
    pub fn take(&mut self, bytes: usize, now: Instant) -> Duration {
        let since = now.saturating_duration_since(self.at).as_secs_f64();
        self.at = now;
        self.permits = (self.permits + since * STEADY).min(BURST);
        #[expect(clippy::cast_precision_loss, reason = "a message has far fewer than 2^52 bytes")]
        let cost = 1.0 + bytes as f64 / MESSAGE_BYTES;
        self.permits -= cost;
        Duration::from_secs_f64((-self.permits / STEADY).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_never_waits_and_a_flood_does() {
        let start = Instant::now();
        let mut rate = Rate::new(start);
        for key in 0..10_000 {
            assert_eq!(rate.take(60, start + Duration::from_millis(key * 10)), Duration::ZERO);
        }
        let mut rate = Rate::new(start);
        let waits = (0..3000).filter(|_| rate.take(60, start) > Duration::ZERO).count();
        assert!((900..=1100).contains(&waits), "{waits}");
        assert_eq!(rate.take(60, start + Duration::from_secs(10)), Duration::ZERO, "a pause fills it again");
    }

    #[test]
    fn large_messages_cost_more() {
        let start = Instant::now();
        let mut rate = Rate::new(start);
        let waits = (0..10).map(|_| rate.take(16 << 20, start)).filter(|wait| !wait.is_zero()).count();
        assert!(waits >= 7, "{waits}");
    }
}
