//! A person's history: the logs that their environment leads to, the index in their own folder, and the prices that hold.

use std::path::Path;

use aside_prices::{PriceTable, Prices};
use aside_store::DataFolder;

use crate::{HistoryError, Imported, Index, Places, Progress, Source, find, import, places};

/// Bytes of the list of prices that was fetched.
const LONGEST_LIST: u64 = 8 << 20;

/// A person's history.
#[derive(Debug)]
pub struct History {
    index: Index,
    prices: Prices,
    /// What is wrong with the list of prices that was fetched; the one that comes with Aside counts then.
    pub problem: Option<String>,
}

impl History {
    /// Opens the index of the person whose environment this is.
    pub fn open(environment: impl Fn(&str) -> Option<String>) -> Result<Self, HistoryError> {
        let folder = DataFolder::from_environment(environment)
            .ok_or_else(|| HistoryError::Asked("there is no home folder to keep the index in: set HOME".to_owned()))?;
        let (fetched, problem) = match fetched(&folder) {
            Ok(list) => (list, None),
            Err(problem) => (None, Some(problem)),
        };
        Ok(Self { index: Index::open(&folder)?, prices: Prices { fetched, ..Prices::default() }, problem })
    }

    /// Brings the index up to date with the logs of all programs.
    pub fn update(
        &mut self,
        environment: impl Fn(&str) -> Option<String>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Imported, HistoryError> {
        let all: Vec<Source> = Source::all().collect();
        import(&mut self.index, find(&all, environment), &self.prices, progress)
    }

    /// Brings the index up to date with one session of Claude Code, by the path of its log; with all logs if it knows none yet.
    pub fn update_session(
        &mut self,
        log: &Path,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<(), HistoryError> {
        if self.index.files()?.is_empty() {
            return self.update(environment, &mut |_| ()).map(drop);
        }
        let places: Places = places::of_session(log);
        import(&mut self.index, places, &self.prices, &mut |_| ()).map(drop)
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

/// The list of prices that the person fetched.
fn fetched(folder: &DataFolder) -> Result<Option<PriceTable>, String> {
    let file = folder.file("prices.json", LONGEST_LIST);
    let told = |error: String| format!("{}: {error}; it is not used", file.path().display());
    let text = file.read().map_err(|error| told(error.to_string()))?;
    text.map(|text| serde_json::from_str(&text).map_err(|error| told(error.to_string()))).transpose()
}
