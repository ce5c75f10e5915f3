//! Opens files of other programs.

use std::{
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use rustix::fs::OFlags;

/// Why something is not read that is called as a log is.
pub const NO_FILE: &str = "it is not a file";

/// Opens a file to read it. What is none is not opened: a pipe would wait for whoever writes to it, a device has no end.
pub fn open(path: &Path) -> io::Result<File> {
    let checked = |metadata: fs::Metadata| {
        if metadata.is_file() { Ok(()) } else { Err(io::Error::other(NO_FILE)) }
    };
    checked(fs::metadata(path)?)?;
    // Somebody may have put a pipe there since.
    let file = OpenOptions::new().read(true).custom_flags(OFlags::NONBLOCK.bits().cast_signed()).open(path)?;
    checked(file.metadata()?)?;
    Ok(file)
}
