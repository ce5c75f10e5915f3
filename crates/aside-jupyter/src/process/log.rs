//! What a kernel writes outside its messages: a file rather than a pipe, so that it can go on when this program ends.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

/// Bytes above which a log begins anew.
const LONGEST: u64 = 1 << 20;
/// Bytes of the last words.
const LAST: u64 = 4096;

/// The log of one kernel.
#[derive(Clone, Debug)]
pub(crate) struct Log(PathBuf);

impl Log {
    pub fn new(path: PathBuf) -> Self {
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Opens it twice, for its owner alone. What is written comes at its end, also after it was cut.
    pub fn open(&self) -> io::Result<(File, File)> {
        let file = OpenOptions::new().append(true).create(true).mode(0o600).open(&self.0)?;
        Ok((file.try_clone()?, file))
    }

    /// Keeps it from filling the disk: what was in it is gone but for its end.
    pub fn cut(&self) {
        if self.0.metadata().is_ok_and(|found| found.len() > LONGEST) {
            let last = self.last_words();
            // If it can't be cut now, it is tried again.
            let _ = OpenOptions::new().write(true).open(&self.0).and_then(|file| {
                file.set_len(0)?;
                io::Write::write_all(&mut OpenOptions::new().append(true).open(&self.0)?, last.as_bytes())
            });
        }
    }

    /// Its end.
    pub fn last_words(&self) -> String {
        let read = || -> io::Result<Vec<u8>> {
            let mut file = OpenOptions::new().read(true).open(&self.0)?;
            let length = file.metadata()?.len();
            file.seek(SeekFrom::Start(length.saturating_sub(LAST)))?;
            let mut bytes = Vec::new();
            file.take(LAST).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        String::from_utf8_lossy(&read().unwrap_or_default()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a_flood_is_cut_and_its_end_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let log = Log::new(folder.path().join("kernel.log"));
        let (mut output, _) = log.open().unwrap();
        output.write_all(&vec![b'x'; 1 << 20]).unwrap();
        log.cut();
        assert_eq!(log.path().metadata().unwrap().len(), 1 << 20);
        output.write_all(b"the end").unwrap();
        log.cut();
        output.write_all(b" of it").unwrap();
        assert!(log.path().metadata().unwrap().len() < 2 * LAST);
        assert!(log.last_words().ends_with("xthe end of it"));
    }
}
