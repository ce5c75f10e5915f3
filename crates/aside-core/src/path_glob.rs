//! Which paths of a workspace are meant, as people write it: `src/**`, `notes/*.md`.

use std::{fmt, str::FromStr};

use crate::TS;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::WorkspacePath;

/// The longest pattern, in bytes.
const LONGEST: usize = 500;

/// A pattern for paths: `*` matches any characters within one name, `?` one character, `**` as a whole name
/// any number of folders. Case counts.
///
/// A pattern that matches a folder covers everything in it, because what happens to a folder happens to
/// its content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, TS, JsonSchema)]
#[serde(transparent)]
#[ts(type = "string")]
pub struct PathGlob(String);

/// Says why a text is no pattern for paths.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{glob}` is not a pattern for paths of the workspace: {reason}")]
pub struct InvalidPathGlob {
    /// What was given, at most 200 characters of it.
    pub glob: String,
    /// What is wrong with it.
    pub reason: String,
}

impl PathGlob {
    /// The pattern as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Tells whether a path, or a folder that it is in, fits.
    pub fn covers(&self, path: &WorkspacePath) -> bool {
        self.matcher().covers(&path.as_str().split('/').collect::<Vec<_>>())
    }

    /// The pattern made ready to be compared with many paths.
    pub fn matcher(&self) -> PathMatcher {
        PathMatcher { names: self.0.split('/').chain([MANY]).map(Name::new).collect(), telling: telling(&self.0) }
    }
}

/// A name that stands for any number of folders.
const MANY: &str = "**";

/// A [`PathGlob`] name by name, compared without taking memory.
#[derive(Clone, Debug)]
pub struct PathMatcher {
    names: Vec<Name>,
    /// How one of the names in a path has to begin and end, so that most paths are told apart at a glance.
    telling: (String, String),
}

#[derive(Clone, Debug)]
enum Name {
    /// Any number of folders.
    Many,
    /// This one.
    Exact(String),
    /// One with `*` or `?`.
    Pattern(String),
}

impl Name {
    fn new(name: &str) -> Self {
        match name {
            MANY => Self::Many,
            name if name.contains(['*', '?']) => Self::Pattern(name.to_owned()),
            name => Self::Exact(name.to_owned()),
        }
    }

    fn fits(&self, part: &str) -> bool {
        match self {
            Self::Many => false,
            Self::Exact(name) => name == part,
            Self::Pattern(pattern) => name_fits(pattern, part),
        }
    }
}

impl PathMatcher {
    /// Tells whether a path, given name by name, or a folder that it is in, fits. No path is without a name.
    pub fn covers<N: AsRef<str>>(&self, path: &[N]) -> bool {
        let (head, tail) = &self.telling;
        let is_many = |name: &Name| matches!(name, Name::Many);
        let mut parts = path.iter().map(AsRef::as_ref);
        parts.any(|part| part.starts_with(head.as_str()) && part.ends_with(tail.as_str()))
            && fits(&self.names, path, is_many, |name, part| name.fits(part.as_ref()))
    }
}

/// What is fixed at both ends of the name of a pattern that says most: of `**/section-?.tex` it is `section-`, `.tex`.
/// Each name but `**` stands for one name of a path.
fn telling(glob: &str) -> (String, String) {
    let ends = |name: &str| {
        let head = name.find(['*', '?']).unwrap_or(name.len());
        let tail = name.rfind(['*', '?']).map_or(0, |at| at + 1);
        (name[..head].to_owned(), name[tail..].to_owned())
    };
    glob.split('/').map(ends).max_by_key(|(head, tail)| head.len() + tail.len()).unwrap_or_default()
}

fn name_fits(name: &str, part: &str) -> bool {
    // One byte is one character.
    if name.is_ascii() && part.is_ascii() {
        return fits(
            name.as_bytes(),
            part.as_bytes(),
            |wanted| *wanted == b'*',
            |wanted, found| *wanted == b'?' || wanted == found,
        );
    }
    let (name, part): (Vec<char>, Vec<char>) = (name.chars().collect(), part.chars().collect());
    fits(&name, &part, |wanted| *wanted == '*', |wanted, found| *wanted == '?' || wanted == found)
}

/// Compares item by item; an item that `is_many` stands for any number of items. Goes back to the last such
/// item only, which is enough: time is at most the product of both lengths.
fn fits<P, T>(pattern: &[P], text: &[T], is_many: impl Fn(&P) -> bool, is_one: impl Fn(&P, &T) -> bool) -> bool {
    let (mut wanted, mut found) = (0, 0);
    let mut last_many: Option<(usize, usize)> = None;
    while found < text.len() {
        if pattern.get(wanted).is_some_and(&is_many) {
            wanted += 1;
            last_many = Some((wanted, found));
        } else if pattern.get(wanted).is_some_and(|item| is_one(item, &text[found])) {
            wanted += 1;
            found += 1;
        } else if let Some((after, taken)) = last_many {
            wanted = after;
            found = taken + 1;
            last_many = Some((after, found));
        } else {
            return false;
        }
    }
    pattern[wanted..].iter().all(is_many)
}

impl FromStr for PathGlob {
    type Err = InvalidPathGlob;

    fn from_str(text: &str) -> Result<Self, InvalidPathGlob> {
        let refuse =
            |reason: &str| Err(InvalidPathGlob { glob: text.chars().take(200).collect(), reason: reason.to_owned() });
        if text.len() > LONGEST {
            return refuse("it is longer than 500 bytes");
        }
        if text.contains(['[', ']', '{', '}', '!', '\\']) {
            return refuse("only `*`, `**` and `?` are wildcards");
        }
        let path = match WorkspacePath::new(text) {
            Ok(path) => path,
            Err(error) => return refuse(error.reason),
        };
        if path.as_str().split('/').any(|name| name.contains("**") && name != "**") {
            return refuse("`**` must stand alone between slashes");
        }
        Ok(Self(path.as_str().to_owned()))
    }
}

impl fmt::Display for PathGlob {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for PathGlob {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(glob: &str, covered: &[&str], not: &[&str]) {
        let parsed: PathGlob = glob.parse().unwrap();
        for path in covered {
            assert!(parsed.covers(&path.parse().unwrap()), "{glob} covers {path}");
        }
        for path in not {
            assert!(!parsed.covers(&path.parse().unwrap()), "{glob} does not cover {path}");
        }
    }

    #[test]
    fn stars_and_question_marks_stay_within_a_name() {
        check("notes/*.md", &["notes/a.md", "notes/.md"], &["notes/a.txt", "notes", "a.md", "notes/sub/a.md"]);
        check("a?.py", &["ab.py", "aä.py"], &["a.py", "abc.py", "a/.py"]);
        check("*a*b", &["xaxb", "ab", "aab"], &["ba", "a"]);
        check("**/a*a/*.?d", &["aa/x.md", "x/aba/.td/y"], &["a/x.md", "aa/x.mdx"]);
        check("Src/a", &["Src/a"], &["src/a", "SRC/a"]);
    }

    #[test]
    fn two_stars_are_any_number_of_folders() {
        check("src/**/test.py", &["src/test.py", "src/a/b/test.py"], &["test.py", "src/a/test.pyc", "lib/src/test.py"]);
        check("**/data/*.csv", &["data/a.csv", "x/y/data/a.csv"], &["data/a.txt", "xdata/a.csv"]);
        check("**", &["a", "a/b/c"], &[]);
    }

    #[test]
    fn a_folder_that_fits_covers_what_is_in_it_and_no_twin_of_its_name() {
        for glob in ["src", "src/", "src/**", "./src"] {
            check(glob, &["src", "src/a", "src/a/b"], &["src-evil/a", "srcs", "a/src"]);
        }
        check("data/*", &["data/a", "data/a/b"], &["data"]);
    }

    #[test]
    fn what_leaves_the_workspace_or_means_something_elsewhere_is_refused() {
        for wrong in ["", "/etc/**", "../x", "a/../b", "src/[ab]", "{a,b}", "!a", "a**", "a/**b", "a\nb", "a\\b"] {
            assert!(wrong.parse::<PathGlob>().is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_pattern_that_is_all_stars_takes_no_long_time() {
        let glob: PathGlob = "*a".repeat(240).parse().unwrap();
        let path = WorkspacePath::new(&"a".repeat(4000)).unwrap();
        assert!(glob.covers(&path));
        assert!(!glob.covers(&WorkspacePath::new(&format!("{}b", "a".repeat(4000))).unwrap()));
    }
}
