//! The files that a search includes and excludes, by globs.

use std::path::Path;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use crate::QueryError;

/// The globs of one query.
#[derive(Clone, Debug)]
pub(crate) struct Globs {
    include: Option<GlobSet>,
    exclude: GlobSet,
}

impl Globs {
    pub fn new(include: &[String], exclude: &[String]) -> Result<Self, QueryError> {
        let include = if include.is_empty() { None } else { Some(set(include)?) };
        Ok(Self { include, exclude: set(exclude)? })
    }

    /// Tells whether a file counts.
    pub fn admit(&self, path: impl AsRef<Path>) -> bool {
        self.include.as_ref().is_none_or(|include| include.is_match(&path)) && !self.exclude(path)
    }

    /// Tells whether a file, or a folder with all in it, is left out.
    pub fn exclude(&self, path: impl AsRef<Path>) -> bool {
        !self.exclude.is_empty() && self.exclude.is_match(path)
    }
}

fn set(globs: &[String]) -> Result<GlobSet, QueryError> {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        for one in forms(glob)? {
            set.add(one);
        }
    }
    let refused = |error: globset::Error| refused(&globs.join(", "), &error.kind().to_string());
    set.build().map_err(refused)
}

/// A glob holds for the file or folder it names, and for all in that folder. Without a slash it holds at any depth.
fn forms(glob: &str) -> Result<[Glob; 2], QueryError> {
    let trimmed = glob.trim();
    let name = trimmed.strip_prefix("./").or_else(|| trimmed.strip_prefix('/')).unwrap_or(trimmed);
    let (is_anchored, name) = (name.len() < trimmed.len(), name.trim_end_matches('/'));
    if name.is_empty() {
        return Err(refused(glob, "it is empty"));
    }
    let place = if is_anchored || name.contains('/') { name.to_owned() } else { format!("**/{name}") };
    Ok([one(glob, &place)?, one(glob, &format!("{place}/**"))?])
}

fn one(glob: &str, place: &str) -> Result<Glob, QueryError> {
    let built = GlobBuilder::new(place).literal_separator(true).build();
    built.map_err(|error| refused(glob, &error.kind().to_string()))
}

fn refused(glob: &str, reason: &str) -> QueryError {
    QueryError::Glob { glob: glob.to_owned(), reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(include: &[&str], exclude: &[&str]) -> Vec<&'static str> {
        let owned = |globs: &[&str]| globs.iter().map(|glob| (*glob).to_owned()).collect::<Vec<_>>();
        let globs = Globs::new(&owned(include), &owned(exclude)).unwrap();
        ["a.py", "src/b.py", "src/deep/c.rs", "docs/src/d.py"].into_iter().filter(|path| globs.admit(path)).collect()
    }

    #[test]
    fn glob_without_slash_holds_at_any_depth() {
        assert_eq!(admitted(&["*.py"], &[]), ["a.py", "src/b.py", "docs/src/d.py"]);
        assert_eq!(admitted(&["src"], &[]), ["src/b.py", "src/deep/c.rs", "docs/src/d.py"]);
        assert_eq!(admitted(&["./src"], &[]), ["src/b.py", "src/deep/c.rs"]);
        assert_eq!(admitted(&["src/*"], &[]), ["src/b.py", "src/deep/c.rs"]);
        assert_eq!(admitted(&["src/**/*.rs", "a.*"], &[]), ["a.py", "src/deep/c.rs"]);
    }

    #[test]
    fn exclude_wins_over_include() {
        assert_eq!(admitted(&["*.{py,rs}"], &["deep/", "docs"]), ["a.py", "src/b.py"]);
        assert_eq!(admitted(&[], &["**/b.py"]), ["a.py", "src/deep/c.rs", "docs/src/d.py"]);
    }

    #[test]
    fn wrong_glob_is_named() {
        let error = |glob: &str| Globs::new(&[], &[glob.to_owned()]).unwrap_err().to_string();
        assert!(error("a[b").starts_with("the file pattern `a[b` is wrong: "), "{}", error("a[b"));
        assert!(error(" / ").contains("it is empty"));
    }
}
