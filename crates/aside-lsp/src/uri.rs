//! Files of the workspace as addresses, and back.

use std::{
    ffi::OsString,
    os::unix::ffi::OsStringExt as _,
    path::{Path, PathBuf},
};

use aside_core::WorkspacePath;

/// Returns the address of a file or folder by its absolute path.
pub(crate) fn of(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt as _;
    let mut uri = "file://".to_owned();
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// Returns the file of the workspace that an address names; none if it is elsewhere.
pub(crate) fn path(uri: &str, folder: &Path) -> Option<WorkspacePath> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").filter(|rest| rest.starts_with('/')).unwrap_or(rest);
    let path = PathBuf::from(OsString::from_vec(decoded(rest)?));
    // One with `..` in it may lead elsewhere.
    WorkspacePath::of_disk(path.strip_prefix(folder).ok()?).ok()
}

fn decoded(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => digit(rest.next()?)? * 16 + digit(rest.next()?)?,
            byte => byte,
        });
    }
    Some(bytes)
}

fn digit(byte: u8) -> Option<u8> {
    u8::try_from(char::from(byte).to_digit(16)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_comes_back_as_it_was() {
        let folder = Path::new("/tmp/a b#c");
        for name in ["x.py", "sub/ä €.py", "100%.py", "a+b&c?.py", "😀.py", "caf\\xe9\\n.py"] {
            let uri = of(&folder.join(WorkspacePath::new(name).unwrap().on_disk()));
            assert!(uri.is_ascii() && !uri.contains([' ', '#', '?']), "{uri}");
            assert_eq!(path(&uri, folder).unwrap().as_str(), name);
        }
        // Others spell less.
        assert_eq!(path("file:///tmp/a%20b%23c/ä+x.py", folder).unwrap().as_str(), "ä+x.py");
        assert_eq!(path("file://localhost/tmp/a%20b%23c/x.py", folder).unwrap().as_str(), "x.py");
    }

    #[test]
    fn what_is_elsewhere_is_no_file_of_the_workspace() {
        let folder = Path::new("/tmp/work");
        for uri in [
            "file:///tmp/work",
            "file:///tmp/working/x.py",
            "file:///tmp/work/../secret",
            "file:///etc/passwd",
            "file://host/tmp/work/x.py",
            "untitled:x",
            "file:///tmp/work/%zz",
            "file:///tmp/work/%f",
            "",
        ] {
            assert_eq!(path(uri, folder), None, "{uri}");
        }
    }
}
