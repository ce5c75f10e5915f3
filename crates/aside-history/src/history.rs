//! A person's history: the logs that their environment leads to, the index in their own folder, and the prices that hold.

use std::{
    collections::{BTreeMap, HashSet},
    fs,
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

use aside_core::Timestamp;
use aside_prices::{Price, PriceTable, Prices};
use aside_store::DataFolder;

use crate::{
    Effort, HistoryError, Imported, Index, Places, Progress, Settings, SettingsFile, Source, find, import,
    import::is_current,
    places,
    report::{Names, names},
};

/// The files of prices.
const OWN: &str = "spending.toml";
const FETCHED: &str = "prices.json";
/// Bytes of the list of prices that was fetched.
const LONGEST_LIST: u64 = 8 << 20;

/// A person's history.
#[derive(Debug)]
pub struct History {
    index: Index,
    prices: Prices,
    /// One word for all prices.
    lists: String,
    /// What the files of prices looked like when they were read.
    stamps: Stamps,
    /// What is wrong with the list of prices that was fetched; the one that comes with Aside counts then.
    pub problem: Option<String>,
    folder: DataFolder,
}

/// Size and time of each file of prices; none where it is missing.
type Stamps = [Option<(u64, i64)>; 2];

/// Messages that are taken into the index of words at once.
const MESSAGES: usize = 20_000;
/// From so many milliseconds on what was written since counts as missing.
const BEHIND: i64 = 5 * 60_000;
/// Bytes of the file of limits and prices.
const LONGEST_SPENDING: u64 = 1 << 20;

impl History {
    /// Opens the index of the person whose environment this is.
    pub fn open(environment: impl Fn(&str) -> Option<String>) -> Result<Self, HistoryError> {
        let folder = DataFolder::from_environment(environment)
            .ok_or_else(|| HistoryError::Asked("there is no home folder to store the index in: set HOME".to_owned()))?;
        Self::open_in(&folder)
    }

    /// Opens it to read only, if there is one that knows all that a log of Claude Code says now, and what that session started: for whoever asks
    /// all the time. Else none.
    pub fn open_current(
        environment: impl Fn(&str) -> Option<String>,
        log: Option<&Path>,
    ) -> Result<Option<Self>, HistoryError> {
        let Some(folder) = DataFolder::from_environment(environment) else { return Ok(None) };
        let Some(index) = Index::open_to_read(&folder)? else { return Ok(None) };
        if let Some(log) = log
            && !is_current(&index, places::of_session(log))?
        {
            return Ok(None);
        }
        let history = Self::with(index, &folder);
        let is_priced = history.index.is_priced_by(&history.lists)?;
        Ok(is_priced.then_some(history))
    }

    /// Opens the index in a person's own folder.
    pub fn open_in(folder: &DataFolder) -> Result<Self, HistoryError> {
        Ok(Self::with(Index::open(folder)?, folder))
    }

    fn with(index: Index, folder: &DataFolder) -> Self {
        // Before they are read: what is written meanwhile is read the next time.
        let stamps = stamps(folder);
        let (prices, problem) = lists(folder);
        let lists = prices.identity().to_string();
        Self { index, prices, lists, stamps, problem, folder: folder.clone() }
    }

    /// Prices all that is known by the prices that hold now, if they are others than before; returns how many responses cost something else.
    pub fn reprice(&mut self) -> Result<usize, HistoryError> {
        let stamps = stamps(&self.folder);
        if stamps != self.stamps {
            (self.prices, self.problem) = lists(&self.folder);
            self.lists = self.prices.identity().to_string();
            self.stamps = stamps;
        }
        if self.index.is_priced_by(&self.lists)? { Ok(0) } else { self.index.reprice(&self.prices, &self.lists) }
    }

    /// What the person said of their history.
    pub fn settings(&self) -> Result<Settings, HistoryError> {
        SettingsFile::of(&self.folder).read()
    }

    /// Reads again what was said since the last time, so that it can be searched. Other processes can use the index meanwhile.
    pub fn read_texts(&mut self) -> Result<(), HistoryError> {
        while self.index.read_texts(MESSAGES)? > 0 {}
        Ok(())
    }

    /// The index, to bring up to date piece by piece.
    pub fn index_mut(&mut self) -> &mut Index {
        &mut self.index
    }

    /// Brings the index up to date with the logs of all programs.
    pub fn update(
        &mut self,
        environment: impl Fn(&str) -> Option<String>,
        effort: Effort,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Imported, HistoryError> {
        self.looked()?;
        let imported = self.update_of(&[], environment, effort, progress)?;
        self.looked()?;
        Ok(imported)
    }

    /// Takes note that all logs are as they are known now.
    fn looked(&mut self) -> Result<(), HistoryError> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        self.index.keep_looked(Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX)))
    }

    /// Tells whoever keeps one log up to date whether the others are behind and it is theirs to read them: of several who ask only one is told so.
    /// Nobody is if the person wants logs to be read only when they ask.
    pub fn is_behind(&self, now: Timestamp) -> Result<bool, HistoryError> {
        Ok(self.index.is_behind(now, BEHIND)?
            && self.settings()?.import
            && Index::open(&self.folder)?.take_on(now, BEHIND)?)
    }

    /// The same with those of some programs; of all if none is named.
    pub fn update_of(
        &mut self,
        sources: &[Source],
        environment: impl Fn(&str) -> Option<String>,
        effort: Effort,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Imported, HistoryError> {
        self.reprice()?;
        let all: Vec<Source> = Source::all().collect();
        let some = !sources.is_empty();
        let mut places = find(if some { sources } else { &all }, environment);
        places.partial = some;
        if !some || sources.contains(&Source::Aider) {
            self.add_aider(&mut places)?;
        }
        let imported = import(&mut self.index, places, &self.prices, effort, progress)?;
        if imported.read > 0 {
            self.index.find_folders()?;
        }
        Ok(imported)
    }

    /// In folders where others worked Aider may have, too.
    fn add_aider(&self, places: &mut Places) -> Result<(), HistoryError> {
        let known: HashSet<_> = places.files.iter().map(|log| log.path.clone()).collect();
        let more = places::aider_in(names(&self.index, Names::Workspaces)?.into_values());
        places.files.extend(more.into_iter().filter(|log| !known.contains(&log.path)));
        Ok(())
    }

    /// Brings the index up to date with some logs.
    pub fn update_some(&mut self, places: Places) -> Result<Imported, HistoryError> {
        self.reprice()?;
        let imported = import(&mut self.index, places, &self.prices, Effort::Idle, &mut |_| ())?;
        if imported.read > 0 {
            self.index.find_folders()?;
        }
        Ok(imported)
    }

    /// Brings the index up to date with one session of Claude Code, by the path of its log; with all logs if it knows none yet.
    pub fn update_session(
        &mut self,
        log: &Path,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<(), HistoryError> {
        if self.index.is_empty()? {
            return self.update(environment, Effort::All, &mut |_| ()).map(drop);
        }
        self.reprice()?;
        let places: Places = places::of_session(log);
        import(&mut self.index, places, &self.prices, Effort::All, &mut |_| ()).map(drop)
    }

    /// What is known.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The prices that hold.
    pub fn prices(&self) -> &Prices {
        &self.prices
    }
}

/// Those of some models that are served no more, by the prices that the person has.
pub fn retired<'a>(folder: &DataFolder, models: impl Iterator<Item = &'a str>) -> Vec<String> {
    let (prices, _) = lists(folder);
    models.filter(|name| prices.is_retired(name)).map(str::to_owned).collect()
}

/// The prices that the person has, and what is wrong with them.
fn lists(folder: &DataFolder) -> (Prices, Option<String>) {
    let (fetched, problem) = match fetched(folder) {
        Ok(list) => (list, None),
        Err(problem) => (None, Some(problem)),
    };
    let (own, problem) = match own(folder) {
        Ok(list) => (list, problem),
        Err(wrong) => (PriceTable::default(), Some(wrong)),
    };
    (Prices::new(own, fetched), problem)
}

fn stamps(folder: &DataFolder) -> Stamps {
    [OWN, FETCHED].map(|name| {
        let (size, modified, _) = places::stamp(&fs::metadata(folder.path().join(name)).ok()?);
        Some((size, modified))
    })
}

/// The prices that the person wrote beside their limits; what else is in that file is not ours.
fn own(folder: &DataFolder) -> Result<PriceTable, String> {
    #[derive(Default, serde::Deserialize)]
    struct Spending {
        #[serde(default)]
        prices: BTreeMap<String, toml::Table>,
    }
    let file = folder.file(OWN, LONGEST_SPENDING);
    let told = |error: String| format!("{}: {error}; its prices are not used", file.path().display());
    let text = file.read().map_err(|error| told(error.to_string()))?.unwrap_or_default();
    let spending: Spending = toml::from_str(&text).map_err(|error| told(error.message().to_owned()))?;
    // What is no price there is told of where the limits are.
    let price = |(name, entry): (String, toml::Table)| Some((name, entry.try_into::<Price>().ok()?));
    let models = spending.prices.into_iter().filter_map(price).collect();
    Ok(PriceTable { source: "your spending.toml".to_owned(), models, ..PriceTable::default() })
}

/// The list of prices that the person fetched.
fn fetched(folder: &DataFolder) -> Result<Option<PriceTable>, String> {
    let file = folder.file(FETCHED, LONGEST_LIST);
    let told = |error: String| format!("{}: {error}; this file is ignored", file.path().display());
    let text = file.read().map_err(|error| told(error.to_string()))?;
    text.map(|text| serde_json::from_str(&text).map_err(|error| told(error.to_string()))).transpose()
}
