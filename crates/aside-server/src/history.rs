//! Keeps the person's AI coding history up to date while the server runs, on a thread of its own that has time, and says when there is
//! something new.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use aside_history::{Effort, History, HistoryError, Index, SettingsFile, Watcher, has_logs};
use aside_store::DataFolder;
use tokio::sync::watch;

/// More that is written to a log in this time is read at once.
const GATHER: Duration = Duration::from_millis(40);
/// Folders of programs that were installed since are looked for so often.
const LOOK_AGAIN: Duration = Duration::from_secs(60);
/// Messages that are made searchable before it is looked for other work.
const MESSAGES: usize = 2_000;

/// What a page needs of it.
#[derive(Debug)]
pub struct HistoryKeeper {
    /// The person's own folder; none if nothing is remembered beyond a workspace.
    pub folder: Option<DataFolder>,
    changed: watch::Sender<u64>,
    reading: Arc<AtomicBool>,
    news: Option<mpsc::Sender<News>>,
}

/// What the thread hears.
enum News {
    /// Files were written to.
    Written(Vec<PathBuf>),
    /// What the person said of their history has changed.
    Settings,
    /// The server ends.
    End,
}

impl HistoryKeeper {
    /// Begins, if there is an environment that says where logs are.
    pub fn start(folder: Option<DataFolder>, logs: Option<BTreeMap<String, String>>) -> Self {
        let (changed, _) = watch::channel(0);
        let reading = Arc::new(AtomicBool::new(false));
        let mut keeper = Self { folder, changed, reading, news: None };
        if let (Some(folder), Some(logs)) = (keeper.folder.clone(), logs) {
            let (sender, receiver) = mpsc::channel();
            let (changed, reading, news) = (keeper.changed.clone(), keeper.reading.clone(), sender.clone());
            let work = move || Keeping { folder, logs, changed, reading, news }.run(&receiver);
            match thread::Builder::new().name("history".to_owned()).spawn(work) {
                Ok(_) => keeper.news = Some(sender),
                Err(error) => tracing::warn!(%error, "logs of other AI programs are not read"),
            }
        }
        keeper
    }

    /// Changes when something new is known.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Tells whether logs are being read.
    pub fn is_reading(&self) -> bool {
        self.reading.load(Ordering::Relaxed)
    }

    /// Says that something new is known, from elsewhere than logs.
    pub fn say(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    /// Takes note that the settings have changed.
    pub fn settings_changed(&self) {
        if let Some(news) = &self.news {
            // It has ended only with the server.
            let _ = news.send(News::Settings);
        }
        self.changed.send_modify(|count| *count += 1);
    }
}

impl Drop for HistoryKeeper {
    fn drop(&mut self) {
        if let Some(news) = &self.news {
            let _ = news.send(News::End);
        }
    }
}

struct Keeping {
    folder: DataFolder,
    logs: BTreeMap<String, String>,
    changed: watch::Sender<u64>,
    reading: Arc<AtomicBool>,
    /// For the watcher, which says what was written.
    news: mpsc::Sender<News>,
}

/// The server ends.
struct Over;

impl Keeping {
    fn run(self, news: &Receiver<News>) {
        loop {
            let over = match self.keep(news) {
                Ok(over) => over,
                Err(error) => {
                    tracing::warn!("the history is not kept up to date: {error}");
                    self.reading.store(false, Ordering::Relaxed);
                    wait_for_settings(news)
                }
            };
            if let Err(Over) = over {
                return;
            }
        }
    }

    /// Reads what is new and what comes, until the settings change.
    fn keep(&self, news: &Receiver<News>) -> Result<Result<(), Over>, HistoryError> {
        if !SettingsFile::of(&self.folder).read()?.import {
            return Ok(wait_for_settings(news));
        }
        // Nobody gets an index who has nothing to index.
        while !has_logs(|name| self.logs.get(name).cloned()) && !Index::is_in(&self.folder) {
            match news.recv_timeout(LOOK_AGAIN) {
                Ok(News::End) | Err(RecvTimeoutError::Disconnected) => return Ok(Err(Over)),
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
            }
        }
        let mut history = History::open_in(&self.folder)?;
        let mut watcher = self.watcher();
        self.read_all(&mut history)?;
        loop {
            let waits = if history.index().texts_left()? > 0 { Duration::ZERO } else { LOOK_AGAIN };
            match news.recv_timeout(waits) {
                Ok(News::Written(paths)) => {
                    let (paths, after) = gathered(paths, news);
                    if let Some(watcher) = &watcher {
                        let logs = watcher.logs(&paths);
                        if !logs.files.is_empty() {
                            history.update_some(logs)?;
                            self.say();
                        }
                    }
                    match after {
                        Some(News::Settings) => return Ok(Ok(())),
                        Some(News::End) => return Ok(Err(Over)),
                        _ => {}
                    }
                }
                Ok(News::Settings) => return Ok(Ok(())),
                Ok(News::End) | Err(RecvTimeoutError::Disconnected) => return Ok(Err(Over)),
                Err(RecvTimeoutError::Timeout) if waits.is_zero() => {
                    if history.index_mut().read_texts(MESSAGES)? == 0 {
                        self.say();
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    if history.update_databases(|name| self.logs.get(name).cloned())?.read > 0 {
                        self.say();
                    }
                    if watcher.as_mut().is_some_and(Watcher::look_again) {
                        self.read_all(&mut history)?;
                    }
                }
            }
        }
    }

    fn read_all(&self, history: &mut History) -> Result<(), HistoryError> {
        self.reading.store(true, Ordering::Relaxed);
        let read = history.update(|name| self.logs.get(name).cloned(), Effort::Idle, &mut |_| self.say());
        self.reading.store(false, Ordering::Relaxed);
        self.say();
        read.map(drop)
    }

    fn watcher(&self) -> Option<Watcher> {
        let news = self.news.clone();
        let heard = move |paths| {
            // The thread has ended only with the server.
            let _ = news.send(News::Written(paths));
        };
        let watcher = Watcher::new(|name| self.logs.get(name).cloned(), heard);
        watcher.map_err(|error| tracing::warn!(error, "new lines of logs are noticed late")).ok()
    }

    fn say(&self) {
        self.changed.send_modify(|count| *count += 1);
    }
}

fn wait_for_settings(news: &Receiver<News>) -> Result<(), Over> {
    loop {
        match news.recv() {
            Ok(News::Settings) => return Ok(()),
            Ok(News::Written(_)) => {}
            Ok(News::End) | Err(_) => return Err(Over),
        }
    }
}

/// What else is written in a moment, and what was heard that is something else.
fn gathered(mut paths: Vec<PathBuf>, news: &Receiver<News>) -> (Vec<PathBuf>, Option<News>) {
    let until = Instant::now() + GATHER;
    loop {
        match news.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(News::Written(more)) => paths.extend(more),
            Ok(other) => return (paths, Some(other)),
            Err(_) => return (paths, None),
        }
    }
}
