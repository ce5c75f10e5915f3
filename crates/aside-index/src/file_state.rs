//! The state of a file when it was read, as the index keeps it with the file's pieces.

use std::{fmt, str::FromStr};

use aside_core::{Sha256, Timestamp};

/// Letters of a hash: enough to tell one state of a file from the next.
const HASH: usize = 16;

/// The state of a file. As text: size, time, hash and, if its text is left out, the reason, with spaces between.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileState {
    /// Bytes of the file.
    pub size: u64,
    /// Its time; 0 if the text was that of a live document.
    pub modified: Timestamp,
    /// The hash of the text that was read; `-` without one.
    pub hash: String,
    /// The reason for which only the file's name is searched.
    pub left_out: Option<String>,
}

impl FileState {
    /// Tells whether a file on the disk is in this state, as far as it can be seen without reading it.
    pub fn is_of(&self, size: u64, modified: Timestamp) -> bool {
        (self.size, self.modified) == (size, modified)
    }

    /// Returns the hash of a text.
    pub fn hash(text: &str) -> String {
        Sha256::of(text).as_str().chars().take(HASH).collect()
    }
}

impl fmt::Display for FileState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hash = if self.hash.is_empty() { "-" } else { &self.hash };
        write!(formatter, "{} {} {hash}", self.size, self.modified.0)?;
        self.left_out.as_ref().map_or(Ok(()), |reason| write!(formatter, " {reason}"))
    }
}

/// A text that is no stamp.
#[derive(Debug)]
pub(crate) struct NoFileState;

impl FromStr for FileState {
    type Err = NoFileState;

    fn from_str(text: &str) -> Result<Self, NoFileState> {
        let mut parts = text.splitn(4, ' ');
        let mut part = || parts.next().ok_or(NoFileState);
        let size = part()?.parse().map_err(|_| NoFileState)?;
        let modified = Timestamp(part()?.parse().map_err(|_| NoFileState)?);
        let hash = part()?.to_owned();
        Ok(Self { size, modified, hash, left_out: parts.next().map(str::to_owned) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamp_survives_its_text() {
        let whole = FileState { size: 7, modified: Timestamp(-5), hash: FileState::hash("tide"), left_out: None };
        let named = FileState { left_out: Some("no text".to_owned()), hash: "-".to_owned(), ..whole.clone() };
        for stamp in [whole, named] {
            assert_eq!(stamp.to_string().parse::<FileState>().unwrap(), stamp);
        }
        assert!("x".parse::<FileState>().is_err() && "1 2".parse::<FileState>().is_err());
    }
}
