//! What a running action puts out while it runs, and the word that it should stop.
//!
//! Handlers write as fast as they like: others hear of it a few times a second, and only the latest screenfuls are
//! kept. The whole is the handler's to store.

use std::{
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use aside_macros::boxed;
use tokio::sync::watch;

/// UTF-16 units that are kept for those who come late, and the most that goes out at once.
const KEPT: usize = 32 * 1024;

/// A piece of output: from `offset` on, in UTF-16 units, everything heard before is replaced by `text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputPiece {
    /// Where the piece belongs.
    pub offset: u32,
    /// The piece.
    pub text: String,
}

/// The handle of a running action. Clones are the same handle.
#[derive(Clone)]
pub struct Progress {
    shared: Arc<Shared>,
}

struct Shared {
    output: Mutex<Output>,
    /// Who wants it to stop.
    stop: watch::Sender<Option<String>>,
    /// What it begins goes on after it.
    goes_on: AtomicBool,
}

/// The latest output, and from where on nobody has heard it.
#[derive(Default)]
struct Output {
    /// What is kept, in UTF-16 units, so that offsets are positions.
    units: Vec<u16>,
    /// Position of the first kept unit.
    start: usize,
    unheard: Option<usize>,
}

impl Default for Progress {
    fn default() -> Self {
        let (stop, goes_on) = (watch::Sender::new(None), AtomicBool::new(false));
        Self { shared: Arc::new(Shared { output: Mutex::default(), stop, goes_on }) }
    }
}

impl Progress {
    /// Adds a line.
    pub fn line(&self, text: &str) {
        let end = self.output().end();
        self.write(end, &format!("{text}\n"));
    }

    /// Replaces everything from `offset` on, in UTF-16 units from the start of all output.
    pub fn write(&self, offset: u32, text: &str) {
        self.output().write(offset as usize, text);
    }

    /// The position after the last unit.
    pub fn end(&self) -> u32 {
        self.output().end()
    }

    /// Returns who wants the action to stop, as soon as somebody does.
    #[boxed]
    pub async fn stopped(&self) -> String {
        let mut stop = self.shared.stop.subscribe();
        let by = stop.wait_for(Option::is_some).await.expect("the handle holds the sender");
        by.clone().unwrap_or_default()
    }

    /// Who wants the action to stop, if anybody does.
    pub fn stopped_by(&self) -> Option<String> {
        self.shared.stop.borrow().clone()
    }

    /// Says that what the action has begun goes on after it: how that ends is told elsewhere, and the action's outcome is no
    /// more than its intent.
    pub fn goes_on(&self) {
        self.shared.goes_on.store(true, Ordering::Relaxed);
    }

    pub(crate) fn does_go_on(&self) -> bool {
        self.shared.goes_on.load(Ordering::Relaxed)
    }

    pub(crate) fn stop(&self, by: &str) {
        self.shared.stop.send_if_modified(|stopped| match stopped {
            Some(_) => false,
            None => {
                *stopped = Some(by.to_owned());
                true
            }
        });
    }

    /// What was put out since this was asked last.
    pub(crate) fn news(&self) -> Option<OutputPiece> {
        self.output().news()
    }

    /// All that is kept, for one who comes late.
    pub(crate) fn so_far(&self) -> OutputPiece {
        let output = self.output();
        output.piece(output.start)
    }

    fn output(&self) -> MutexGuard<'_, Output> {
        self.shared.output.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Output {
    fn end(&self) -> u32 {
        u32::try_from(self.start + self.units.len()).unwrap_or(u32::MAX)
    }

    fn write(&mut self, offset: usize, text: &str) {
        let offset = offset.clamp(self.start, self.start + self.units.len());
        self.units.truncate(offset - self.start);
        self.units.extend(text.encode_utf16());
        self.unheard = Some(self.unheard.map_or(offset, |unheard| unheard.min(offset)));
        if let Some(more) = self.units.len().checked_sub(KEPT).filter(|more| *more > 0) {
            self.units.drain(..more);
            self.start += more;
        }
    }

    fn news(&mut self) -> Option<OutputPiece> {
        let from = self.unheard.take()?;
        Some(self.piece(from.max(self.start)))
    }

    fn piece(&self, from: usize) -> OutputPiece {
        let text = String::from_utf16_lossy(&self.units[from - self.start..]);
        OutputPiece { offset: u32::try_from(from).unwrap_or(u32::MAX), text }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Progress({})", self.end())
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    fn piece(offset: u32, text: &str) -> OutputPiece {
        OutputPiece { offset, text: text.to_owned() }
    }

    #[test]
    fn lines_gather_until_somebody_asks() {
        let progress = Progress::default();
        progress.line("one 😀");
        progress.line("two");
        assert_eq!(progress.news(), Some(piece(0, "one 😀\ntwo\n")));
        assert_eq!(progress.news(), None);
        progress.line("three");
        assert_eq!(progress.news(), Some(piece(11, "three\n")));
        assert_eq!(progress.so_far(), piece(0, "one 😀\ntwo\nthree\n"));
    }

    #[test]
    fn a_progress_bar_is_drawn_over() {
        let progress = Progress::default();
        progress.line("start");
        progress.write(6, "10 %");
        assert_eq!(progress.news(), Some(piece(0, "start\n10 %")));
        progress.write(6, "20 %");
        progress.write(6, "30 %");
        assert_eq!(progress.news(), Some(piece(6, "30 %")));
    }

    #[test]
    fn a_flood_keeps_its_end() {
        let progress = Progress::default();
        for _ in 0..100 {
            progress.line(&"x".repeat(KEPT / 10));
        }
        let news = progress.news().unwrap();
        assert_eq!(news.text.len(), KEPT);
        assert_eq!(news.offset as usize + KEPT, progress.end() as usize);
        progress.write(0, "from far behind");
        assert_eq!(progress.news().unwrap().text, "from far behind");
    }

    #[tokio::test]
    async fn the_first_who_stops_it_is_remembered() {
        let progress = Progress::default();
        let mut stopped = Box::pin(progress.stopped());
        assert!((&mut stopped).now_or_never().is_none());
        progress.stop("ada");
        progress.stop("eve");
        assert_eq!(stopped.await, "ada");
        assert_eq!(progress.stopped_by().as_deref(), Some("ada"));
    }
}
