//! Keeps the person's AI coding history up to date while the server runs, on a thread of its own that has time, and says when there is
//! something new.

mod rounds;

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use aside_history::{Effort, Heard, History, HistoryError, Index, SettingsFile, Watcher, has_logs};
use aside_store::DataFolder;
use rounds::Rounds;
use tokio::sync::watch;

/// More that is written to a log in this time is read at once.
const GATHER: Duration = Duration::from_millis(40);
/// Folders of programs that were installed since are looked for so often.
const LOOK_AGAIN: Duration = Duration::from_secs(60);
/// Messages that are made searchable before it is looked for other work.
const MESSAGES: usize = 2_000;
/// After something went wrong it is tried again so soon, then after twice as long, up to the longest.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const LONGEST_PAUSE: Duration = Duration::from_secs(300);

/// What a page needs of it.
#[derive(Debug)]
pub struct HistoryKeeper {
    /// The person's own folder; none if nothing is remembered beyond a workspace.
    pub folder: Option<DataFolder>,
    changed: watch::Sender<u64>,
    reading: Arc<AtomicBool>,
    trouble: Trouble,
    news: Option<mpsc::Sender<News>>,
}

/// Why the history is not up to date, while it is not.
type Trouble = Arc<Mutex<Option<String>>>;

/// What the thread hears.
enum News {
    /// Files were written to.
    Written(Vec<PathBuf>),
    /// All logs have to be looked at to know what there is to know.
    More,
    /// What the person said of their history has changed.
    Settings,
    /// The lists of prices have changed.
    Prices,
    /// The server ends.
    End,
}

impl HistoryKeeper {
    /// Begins, if there is an environment that says where logs are.
    pub fn start(folder: Option<DataFolder>, logs: Option<BTreeMap<String, String>>) -> Self {
        Self::start_with(folder, logs, FIRST_PAUSE)
    }

    fn start_with(folder: Option<DataFolder>, logs: Option<BTreeMap<String, String>>, pause: Duration) -> Self {
        let (changed, _) = watch::channel(0);
        let (reading, trouble) = (Arc::new(AtomicBool::new(false)), Trouble::default());
        let mut keeper = Self { folder, changed, reading, trouble, news: None };
        if let (Some(folder), Some(logs)) = (keeper.folder.clone(), logs) {
            let (sender, receiver) = mpsc::channel();
            let (changed, reading, news) = (keeper.changed.clone(), keeper.reading.clone(), sender.clone());
            let trouble = keeper.trouble.clone();
            let work = move || Keeping { folder, logs, changed, reading, trouble, news, pause }.run(&receiver);
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

    /// Why the history is not up to date, while it is not; it is tried again.
    pub fn trouble(&self) -> Option<String> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says that something new is known, from elsewhere than logs.
    pub fn say(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    /// Takes note that the settings have changed.
    pub fn settings_changed(&self) {
        self.tell(News::Settings);
        self.changed.send_modify(|count| *count += 1);
    }

    /// Takes note that other prices hold: what is known costs something else then.
    pub fn prices_changed(&self) {
        self.tell(News::Prices);
    }

    fn tell(&self, new: News) {
        if let Some(news) = &self.news {
            // It has ended only with the server.
            let _ = news.send(new);
        }
    }
}

impl Drop for HistoryKeeper {
    fn drop(&mut self) {
        self.tell(News::End);
    }
}

struct Keeping {
    folder: DataFolder,
    logs: BTreeMap<String, String>,
    changed: watch::Sender<u64>,
    reading: Arc<AtomicBool>,
    trouble: Trouble,
    /// For the watcher, which says what was written.
    news: mpsc::Sender<News>,
    /// How long it is waited after something went wrong, the first time.
    pause: Duration,
}

/// The server ends.
struct Over;

impl Keeping {
    fn run(self, news: &Receiver<News>) {
        let mut pause = self.pause;
        loop {
            let began = Instant::now();
            let over = match self.keep(news) {
                Ok(over) => over,
                Err(error) => {
                    tracing::warn!("cannot update the history, retrying in {pause:?}: {error}");
                    self.reading.store(false, Ordering::Relaxed);
                    self.is_wrong(Some(error.to_string()));
                    if began.elapsed() > LONGEST_PAUSE {
                        pause = self.pause;
                    }
                    let waited = wait_for_settings(news, Some(pause));
                    pause = (pause * 2).min(LONGEST_PAUSE);
                    waited
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
            self.is_wrong(None);
            return Ok(wait_for_settings(news, None));
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
        self.is_wrong(None);
        let mut rounds = Rounds::new(Instant::now());
        loop {
            let now = Instant::now();
            if rounds.left(now).is_zero() {
                self.round(&mut history, watcher.as_mut())?;
                rounds.done(now, Instant::now());
            }
            let has_texts = history.index().texts_left()? > 0;
            let waits = if has_texts { Duration::ZERO } else { rounds.left(Instant::now()) };
            match news.recv_timeout(waits) {
                Ok(News::Written(paths)) => {
                    let (paths, after) = gathered(paths, news);
                    if let Some(watcher) = &watcher {
                        if watcher.has_database(&paths) {
                            rounds.hasten(Instant::now());
                        }
                        let logs = watcher.logs(&paths);
                        if !logs.files.is_empty() {
                            history.update_some(logs)?;
                            self.say();
                        }
                    }
                    match after {
                        Some(News::Settings) => return Ok(Ok(())),
                        Some(News::End) => return Ok(Err(Over)),
                        Some(News::Prices) => self.reprice(&mut history)?,
                        Some(News::More) => rounds.hasten(Instant::now()),
                        Some(News::Written(_)) | None => {}
                    }
                }
                Ok(News::More) => rounds.hasten(Instant::now()),
                Ok(News::Prices) => self.reprice(&mut history)?,
                Ok(News::Settings) => return Ok(Ok(())),
                Ok(News::End) | Err(RecvTimeoutError::Disconnected) => return Ok(Err(Over)),
                Err(RecvTimeoutError::Timeout) if has_texts => {
                    if history.index_mut().read_texts(MESSAGES)? == 0 {
                        self.say();
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Looks at all logs: at what nobody tells of, such as databases, at what went, and in folders that came since or are not watched.
    fn round(&self, history: &mut History, watcher: Option<&mut Watcher>) -> Result<(), HistoryError> {
        let environment = |name: &str| self.logs.get(name).cloned();
        if let Some(watcher) = watcher {
            let before = watcher.missed.clone();
            watcher.look_again();
            for (folder, reason) in watcher.missed.iter().filter(|one| !before.contains(one)) {
                tracing::warn!(folder = %folder.display(), reason, "new log lines will be noticed late");
            }
        }
        let read = history.update(environment, Effort::Idle, &mut |_| ())?;
        if read.read > 0 || read.gone > 0 {
            self.say();
        }
        Ok(())
    }

    fn reprice(&self, history: &mut History) -> Result<(), HistoryError> {
        if history.reprice()? > 0 {
            self.say();
        }
        Ok(())
    }

    /// Keeps why the history is not up to date.
    fn is_wrong(&self, trouble: Option<String>) {
        let mut known = self.trouble.lock().unwrap_or_else(PoisonError::into_inner);
        if *known != trouble {
            *known = trouble;
            drop(known);
            self.say();
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
        let heard = move |heard| {
            let heard = match heard {
                Heard::Written(paths) => News::Written(paths),
                Heard::More => News::More,
            };
            // The thread has ended only with the server.
            let _ = news.send(heard);
        };
        let watcher = Watcher::new(|name| self.logs.get(name).cloned(), heard);
        let watcher = watcher.map_err(|error| tracing::warn!(error, "new log lines will be noticed late")).ok();
        for (folder, reason) in watcher.iter().flat_map(|watcher| &watcher.missed) {
            tracing::warn!(folder = %folder.display(), reason, "new log lines will be noticed late");
        }
        watcher
    }

    fn say(&self) {
        self.changed.send_modify(|count| *count += 1);
    }
}

/// Waits until the settings change, or for so long.
fn wait_for_settings(news: &Receiver<News>, longest: Option<Duration>) -> Result<(), Over> {
    let until = longest.map(|longest| Instant::now() + longest);
    loop {
        let new = match until {
            Some(until) => news.recv_timeout(until.saturating_duration_since(Instant::now())),
            None => news.recv().map_err(RecvTimeoutError::from),
        };
        match new {
            Ok(News::Settings) | Err(RecvTimeoutError::Timeout) => return Ok(()),
            Ok(News::Written(_) | News::More | News::Prices) => {}
            Ok(News::End) | Err(RecvTimeoutError::Disconnected) => return Err(Over),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits until something holds; it is asked again whenever something new is known.
    async fn until(keeper: &HistoryKeeper, holds: impl Fn() -> bool) {
        let mut changes = keeper.changes();
        let wait = async {
            while !holds() {
                changes.changed().await.unwrap();
            }
        };
        tokio::time::timeout(Duration::from_secs(30), wait).await.expect("it never came to hold");
    }

    /// Where a log is, and a keeper that reads it.
    fn kept(home: &std::path::Path, own: &DataFolder) -> HistoryKeeper {
        let logs = BTreeMap::from([("HOME".to_owned(), home.display().to_string())]);
        HistoryKeeper::start_with(Some(own.clone()), Some(logs), Duration::from_millis(1))
    }

    #[tokio::test]
    #[expect(clippy::disallowed_methods, reason = "makes logs")]
    async fn a_folder_that_is_moved_in_is_read_and_a_log_that_goes_is_noticed() {
        let (home, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let own = DataFolder::at(own.path());
        let put = |folder: &str| {
            let folder = home.path().join(folder);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("s.jsonl"), "{\"type\":\"user\",\"message\":{\"content\":\"hi\"}}\n").unwrap();
            folder
        };
        let (here, elsewhere) = (put(".claude/projects/-w"), put("elsewhere"));
        let keeper = kept(home.path(), &own);
        let known = |logs: usize, gone: usize| {
            let index = Index::open_to_read(&own).ok().flatten();
            index.is_some_and(|index| (index.counts().unwrap().0, index.gone().unwrap()) == (logs, gone))
        };
        until(&keeper, || known(1, 0)).await;
        std::fs::rename(elsewhere, home.path().join(".claude/projects/-v")).unwrap();
        until(&keeper, || known(2, 0)).await;
        std::fs::remove_dir_all(here).unwrap();
        until(&keeper, || known(2, 1)).await;
    }

    #[tokio::test]
    #[expect(clippy::disallowed_methods, reason = "makes logs, and something in the way of the index")]
    async fn what_went_wrong_is_tried_again() {
        let (home, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let project = home.path().join(".claude/projects/-w");
        std::fs::create_dir_all(&project).unwrap();
        std::fs::write(project.join("s.jsonl"), "{\"type\":\"user\",\"message\":{\"content\":\"hi\"}}\n").unwrap();
        let in_the_way = own.path().join("history.db");
        std::fs::create_dir_all(&in_the_way).unwrap();
        let folder = DataFolder::at(own.path());
        let keeper = kept(home.path(), &folder);
        until(&keeper, || keeper.trouble().is_some()).await;
        std::fs::remove_dir_all(&in_the_way).unwrap();
        until(&keeper, || {
            let index = Index::open_to_read(&folder).ok().flatten();
            keeper.trouble().is_none() && index.is_some_and(|index| index.counts().unwrap().0 == 1)
        })
        .await;
    }
}
