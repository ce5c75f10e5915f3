//! When it was last looked through all logs, so that whoever reads only one of them knows how far the others are behind.

use aside_core::Timestamp;
use aside_store::sql::params;

use super::Index;
use crate::HistoryError;

impl Index {
    /// Takes note that all logs were looked through.
    pub(crate) fn keep_looked(&mut self, at: Timestamp) -> Result<(), HistoryError> {
        self.connection_mut().execute("INSERT OR REPLACE INTO looked (one, at) VALUES (1, ?)", [at.0])?;
        Ok(())
    }

    /// Tells whether that was longer ago than so many milliseconds.
    pub(crate) fn is_behind(&self, now: Timestamp, age: i64) -> Result<bool, HistoryError> {
        let mut recent = self.connection().prepare_cached("SELECT 1 FROM looked WHERE at BETWEEN ?1 AND ?2")?;
        Ok(!recent.exists([now.0.saturating_sub(age), now.0])?)
    }

    /// Takes it on to look, if that is so; of several who ask only one does.
    pub(crate) fn take_on(&mut self, now: Timestamp, age: i64) -> Result<bool, HistoryError> {
        let taken = self.connection_mut().execute(
            "INSERT INTO looked (one, at) VALUES (1, ?1) ON CONFLICT (one) DO UPDATE SET at = ?1 WHERE at NOT BETWEEN ?2 AND ?1",
            params![now.0, now.0.saturating_sub(age)],
        )?;
        Ok(taken == 1)
    }
}

#[cfg(test)]
mod tests {
    use aside_store::DataFolder;

    use super::*;

    #[test]
    fn one_of_several_takes_it_on_when_the_last_look_is_old() {
        let folder = tempfile::tempdir().unwrap();
        let mut index = Index::open(&DataFolder::at(folder.path())).unwrap();
        assert!(index.is_behind(Timestamp(1000), 10).unwrap());
        index.keep_looked(Timestamp(1000)).unwrap();
        // 990: the clock was set back meanwhile.
        for (now, behind) in [(1000, false), (1010, false), (1011, true), (990, true)] {
            assert_eq!(index.is_behind(Timestamp(now), 10).unwrap(), behind, "{now}");
        }
        let taken = [1010, 1011, 1011, 1021, 1022].map(|now| index.take_on(Timestamp(now), 10).unwrap());
        assert_eq!(taken, [false, true, false, false, true]);
    }
}
