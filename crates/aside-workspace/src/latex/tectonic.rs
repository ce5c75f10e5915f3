//! What tectonic has got before, for a build that may not write there: everything is linked into a folder of ours, in
//! which it makes the formats that are missing. It names that folder `TECTONIC_CACHE_DIR`.

use std::{
    ffi::OsString,
    io,
    path::{Path, PathBuf},
};

/// Where it keeps what it has made itself; all else it has from the network.
const FORMATS: &str = "formats";

/// Returns the person's cache, if there is one: theirs by name, else where versions of tectonic put it.
pub(super) fn cache() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = std::env::home_dir();
    let caches = named("XDG_CACHE_HOME").or_else(|| home.as_ref().map(|home| home.join(".cache")));
    let usual = caches.iter().flat_map(|caches| ["tectonic", "Tectonic"].map(|name| caches.join(name)));
    let mac = home.iter().map(|home| home.join("Library/Caches/Tectonic"));
    named("TECTONIC_CACHE_DIR").into_iter().chain(usual).chain(mac).find(|place| place.is_dir())
}

/// Makes `own` show what is in `cache` now. What tectonic has made there itself stays.
///
/// # Errors
/// If something can't be read or linked.
#[expect(clippy::disallowed_methods, reason = "a temporary folder of our own")]
pub(super) fn mirror(cache: &Path, own: &Path) -> io::Result<()> {
    let formats = own.join(FORMATS);
    // Code of a document may write there, but not lead us elsewhere.
    for place in [own, &formats] {
        if place.is_symlink() {
            std::fs::remove_file(place)?;
        }
    }
    std::fs::create_dir_all(&formats)?;
    for (name, theirs) in entries(cache)?.into_iter().filter(|(name, _)| name != FORMATS) {
        let place = own.join(name);
        // Without anything from before it makes empty folders.
        if place.is_dir() && !place.is_symlink() {
            std::fs::remove_dir_all(&place)?;
        }
        replace(&theirs, &place)?;
    }
    let theirs = match entries(&cache.join(FORMATS)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    for (name, format) in theirs {
        let place = formats.join(name);
        if !place.exists() {
            replace(&format, &place)?;
        }
    }
    Ok(())
}

/// Tells whether it ended because it was never run with a network: it panics then.
pub(super) fn has_nothing(output: &[u8]) -> bool {
    String::from_utf8_lossy(output).contains("this bundle isn't cached")
}

fn entries(folder: &Path) -> io::Result<Vec<(OsString, PathBuf)>> {
    std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| (entry.file_name(), entry.path()))).collect()
}

/// Links a name to what is meant now; what it was linked to may be gone.
#[expect(clippy::disallowed_methods, reason = "a temporary folder of our own")]
fn replace(target: &Path, place: &Path) -> io::Result<()> {
    match std::fs::remove_file(place) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => link(target, place),
    }
}

#[cfg(unix)]
fn link(target: &Path, place: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, place)
}

/// Links need rights of their own there; without them it has nothing from before.
#[cfg(not(unix))]
fn link(_target: &Path, _place: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
#[expect(clippy::disallowed_methods, reason = "sets the scene")]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_was_got_before_is_there_and_only_formats_are_made_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, own) = (folder.path().join("cache"), folder.path().join("own"));
        // As it leaves it where it has nothing.
        fs::create_dir_all(own.join("bundles/hashes")).unwrap();
        fs::create_dir_all(cache.join("bundles/data")).unwrap();
        fs::write(cache.join("bundles/data/article.cls"), "class").unwrap();
        mirror(&cache, &own).unwrap();
        assert_eq!(fs::read_to_string(own.join("bundles/data/article.cls")).unwrap(), "class");
        fs::write(own.join("formats/new.fmt"), "made here").unwrap();
        assert!(!cache.join("formats").exists());

        fs::create_dir(cache.join("formats")).unwrap();
        fs::write(cache.join("formats/theirs.fmt"), "made there").unwrap();
        mirror(&cache, &own).unwrap();
        assert_eq!(fs::read_to_string(own.join("formats/theirs.fmt")).unwrap(), "made there");
        assert_eq!(fs::read_to_string(own.join("formats/new.fmt")).unwrap(), "made here");
    }

    #[test]
    fn a_link_that_a_build_left_leads_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, theirs) = (folder.path().join("cache"), folder.path().join("theirs"));
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        fs::create_dir_all(cache.join("bundles")).unwrap();
        fs::create_dir_all(cache.join("formats")).unwrap();
        fs::write(cache.join("formats/a.fmt"), "").unwrap();
        fs::create_dir_all(theirs.join("bundles")).unwrap();
        fs::write(theirs.join("bundles/work"), "kept").unwrap();
        link(&theirs, &one).unwrap();
        mirror(&cache, &one).unwrap();
        fs::create_dir(&other).unwrap();
        link(&theirs, &other.join("formats")).unwrap();
        mirror(&cache, &other).unwrap();
        assert_eq!(fs::read_to_string(theirs.join("bundles/work")).unwrap(), "kept");
        assert_eq!(fs::read_dir(&theirs).unwrap().count(), 1);
    }

    #[test]
    fn that_it_was_never_run_is_known_by_its_words() {
        let said = "called `Result::unwrap()` on an `Err` value: this bundle isn't cached, and we couldn't get it";
        assert!(has_nothing(said.as_bytes()));
        assert!(!has_nothing(b"error: the XeTeX engine had an unrecoverable error"));
    }

    #[test]
    fn a_link_to_what_is_gone_is_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let (cache, own) = (folder.path().join("cache"), folder.path().join("own"));
        fs::create_dir_all(cache.join("formats")).unwrap();
        fs::create_dir_all(own.join("formats")).unwrap();
        fs::write(cache.join("formats/a.fmt"), "now").unwrap();
        link(&folder.path().join("gone"), &own.join("formats/a.fmt")).unwrap();
        mirror(&cache, &own).unwrap();
        assert_eq!(fs::read_to_string(own.join("formats/a.fmt")).unwrap(), "now");
    }
}
