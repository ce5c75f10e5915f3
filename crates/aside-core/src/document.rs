//! Names of things in a workspace: paths, versions, ranges of lines, the place a person looks at.

mod disk_name;

use std::{
    ffi::{OsStr, OsString},
    fmt,
    str::FromStr,
};

use crate::TS;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::Sha256;
use disk_name::{escape, escaped, is_hidden, unescaped};

/// The version of a document: the SHA-256 of its text (lines ended by LF, no BOM).
pub type Version = Sha256;

/// A path inside the workspace: relative, `/` between the parts, no `.` or `..`, never empty.
///
/// Lexical only. That no symbolic link leads out of the workspace is checked where the disk is.
//
// Control characters and bytes that are not UTF-8 are escapes in it (`a\nb.txt`, `caf\xe9`), so that a path is one line of text
// wherever it is shown. `on_disk` is the way back; no two files have one path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, TS, JsonSchema)]
#[serde(transparent)]
#[ts(type = "string")]
pub struct WorkspacePath(String);

/// Says why a text is not a path inside the workspace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{path}` is not a path inside the workspace: {reason}")]
pub struct InvalidPath {
    /// What was given, at most 200 characters of it.
    pub path: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl WorkspacePath {
    /// Accepts `a/b.py`, `./a/b.py` and `a//b.py` (normalised); refuses anything that could leave.
    pub fn new(text: &str) -> Result<Self, InvalidPath> {
        let refuse = |reason| InvalidPath {
            path: escaped(text.chars().take(200).collect::<String>().as_bytes()).into_owned(),
            reason,
        };
        if text.starts_with('/') || (text.starts_with('\\') && escape(text).is_none()) {
            return Err(refuse("it is absolute; give it relative to the workspace folder"));
        }
        if text.contains(is_hidden) {
            return Err(refuse("it contains a control character"));
        }
        if text.len() > 4096 {
            return Err(refuse("it is longer than 4,096 bytes"));
        }
        let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        if parts.contains(&"..") {
            return Err(refuse("it contains `..`"));
        }
        if parts.is_empty() {
            return Err(refuse("it names no file"));
        }
        Ok(Self(parts.join("/")))
    }

    /// Accepts the path of a file that is on the disk: characters and bytes that can't be shown become escapes.
    ///
    /// # Errors
    /// As of [`Self::new`].
    pub fn of_disk(path: impl AsRef<OsStr>) -> Result<Self, InvalidPath> {
        Self::new(&escaped(path.as_ref().as_encoded_bytes()))
    }

    /// Returns the path of something in this folder by its name on the disk.
    ///
    /// # Errors
    /// As of [`Self::new`].
    pub fn child(&self, name: impl AsRef<OsStr>) -> Result<Self, InvalidPath> {
        Self::new(&format!("{self}/{}", escaped(name.as_ref().as_encoded_bytes())))
    }

    /// Returns the path without its escapes: the name on the disk, if this is the path of a file that is there.
    pub fn on_disk(&self) -> OsString {
        unescaped(&self.0).unwrap_or_else(|| self.0.clone().into())
    }

    /// Tells whether something in it reads as an escape.
    pub fn has_escapes(&self) -> bool {
        unescaped(&self.0).is_some()
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The folder it is in; none at the top of the workspace.
    pub fn parent(&self) -> Option<Self> {
        self.0.rsplit_once('/').map(|(parent, _)| Self(parent.to_owned()))
    }

    /// Returns this path when what it lies in, or is, has another name; none if it lies elsewhere.
    pub fn moved(&self, from: &Self, to: &Self) -> Option<Self> {
        self.is_within(from).then(|| Self(format!("{to}{}", &self.0[from.0.len()..])))
    }

    /// Tells whether this path is `folder` or lies below it.
    pub fn is_within(&self, folder: &Self) -> bool {
        self.0.strip_prefix(&folder.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

impl fmt::Display for WorkspacePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for WorkspacePath {
    type Err = InvalidPath;

    fn from_str(text: &str) -> Result<Self, InvalidPath> {
        Self::new(text)
    }
}

impl<'de> Deserialize<'de> for WorkspacePath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// Lines `start` to `end`, 1-based and inclusive; `end == start - 1` is the empty place before `start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
pub struct LineRange {
    /// First line, from 1.
    pub start: u32,
    /// Last line, inclusive.
    pub end: u32,
}

/// Where the person is looking when a message is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Focus {
    /// The file in the focused pane.
    pub path: WorkspacePath,
    /// The cell of a notebook, by its key; lines are counted in its text then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cell: Option<String>,
    /// The line of the cursor, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub cursor: Option<u32>,
    /// The selected lines, if something is selected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub selection: Option<LineRange>,
    /// The lines that are visible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub viewport: Option<LineRange>,
    /// What of it is sent; if absent, what the assistant needs: a small file whole, else what is around.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub scope: Option<FocusScope>,
}

/// What of a file goes along with a message, because the person chose it. Never more than that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FocusScope {
    /// The lines around the cursor.
    Cursor,
    /// The selected lines.
    Selection,
    /// The visible lines.
    Viewport,
    /// All of it, up to a limit.
    Whole,
    /// Nothing; what the message itself names goes along all the same.
    Nothing,
}

impl Focus {
    /// A file, and no place in it.
    pub fn file(path: WorkspacePath) -> Self {
        Self { path, cell: None, cursor: None, selection: None, viewport: None, scope: None }
    }
}

#[cfg(test)]
mod tests {
    use std::{os::unix::ffi::OsStrExt as _, path::Path};

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_two_names_share_a_path(one in name(), two in name()) {
            let path = |name: &[u8]| WorkspacePath::of_disk(OsStr::from_bytes(name)).unwrap();
            prop_assert_eq!(path(&one) == path(&two), one == two);
            let back = path(&one).on_disk();
            prop_assert_eq!(back.as_bytes(), &one[..]);
        }
    }

    /// A name of few different characters, most of which occur in escapes.
    fn name() -> impl Strategy<Value = Vec<u8>> {
        let parts = [&b"\\"[..], b"\n", b"n", b"x", b"e9", b"\xe9", b"u{", b"a", b"}", b"5c", b"\xc3\xa9", b"\x1b"];
        prop::collection::vec(prop::sample::select(parts.to_vec()), 1..8).prop_map(|parts| parts.concat())
    }

    #[test]
    fn normalises_harmless_spellings() {
        assert_eq!(WorkspacePath::new("./a//b.py").unwrap().as_str(), "a/b.py");
        assert_eq!(WorkspacePath::new("a b/ü.md").unwrap().name(), "ü.md");
    }

    #[test]
    fn refuses_paths_that_leave_or_hide() {
        for bad in ["", ".", "/etc/passwd", "\\\\host\\share", "a/../../b", "..", "a\0b", "a\nb"] {
            assert!(WorkspacePath::new(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn names_come_back_from_their_escapes() {
        for (name, shown) in [
            (&b"a\nb"[..], "a\\nb"),
            (b"\t\r", "\\t\\r"),
            (b"\x1b[1m\xc2\x85", "\\u{1b}[1m\\u{85}"),
            (b"caf\xe9/\xff\xfe.txt", "caf\\xe9/\\xff\\xfe.txt"),
            ("a\u{202e}b".as_bytes(), "a\\u{202e}b"),
            (b"a\\nb", "a\\u{5c}nb"),
            (b"a\\xe9", "a\\u{5c}xe9"),
            (b"\\top", "\\u{5c}top"),
            (b"\\\n\\u{5c}", "\\u{5c}\\n\\u{5c}u{5c}"),
            (b"a\\x\\u{61}\\", "a\\x\\u{61}\\"),
            ("ü b".as_bytes(), "ü b"),
        ] {
            let name = OsStr::from_bytes(name);
            let path = WorkspacePath::of_disk(name).unwrap();
            assert_eq!((path.as_str(), path.on_disk().as_os_str()), (shown, name));
            assert_eq!(path, WorkspacePath::new(shown).unwrap());
            let folder = WorkspacePath::of_disk("new\nfolder").unwrap();
            assert_eq!(
                folder.child(name).unwrap(),
                WorkspacePath::of_disk(Path::new("new\nfolder").join(name)).unwrap()
            );
        }
        assert!(!WorkspacePath::new("a\nb").unwrap_err().to_string().contains('\n'));
    }

    #[test]
    fn what_is_in_a_folder_is_moved_with_it() {
        let path = |text: &str| WorkspacePath::new(text).unwrap();
        let moved = |text: &str| path(text).moved(&path("a"), &path("b/c")).map(|path| path.to_string());
        assert_eq!((moved("a").as_deref(), moved("a/x.tex").as_deref()), (Some("b/c"), Some("b/c/x.tex")));
        assert_eq!((moved("ab"), moved("b/a")), (None, None));
    }

    #[test]
    fn prefix_twins_are_not_within() {
        let data = WorkspacePath::new("data").unwrap();
        assert!(WorkspacePath::new("data/x").unwrap().is_within(&data));
        assert!(!WorkspacePath::new("data-evil/x").unwrap().is_within(&data));
    }
}
