//! Which sessions named a file in what was said: where nobody read or wrote it there, it may have been talked about.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

use super::{
    folders::last,
    search::{latest, snippet, words},
    sessions::{SESSION, SessionMatch, session},
};
use crate::{HistoryError, Index, again::Logs};

/// Messages that are read again, the newest first.
const MOST_READ: usize = 200;
/// Those of one session.
const MOST_OF_ONE: usize = 5;

/// A session in which a file is named.
pub struct Mention {
    /// The session, with what stands around the name.
    pub session: SessionMatch,
    /// The number of the message.
    pub message: i64,
}

/// Sessions that name a file in what was said since then, the newest first, without some.
pub fn mentions(
    index: &Index,
    file: &str,
    since: i64,
    without: &HashSet<i64>,
    most: usize,
) -> Result<Vec<Mention>, HistoryError> {
    let words = words(last(file));
    let (mut found, mut logs) = (Vec::new(), Logs::default());
    if words.is_empty() || most == 0 {
        return Ok(found);
    }
    let mut about = index.connection().prepare_cached(&format!("{SESSION} WHERE session.id = ?"))?;
    let mut tried: HashMap<i64, usize> = HashMap::new();
    let places = latest(index, &words, since)?.into_iter().filter(|(session, _)| !without.contains(session));
    let mut read = 0;
    for (number, message) in places {
        let times = tried.entry(number).or_default();
        if *times == MOST_OF_ONE {
            continue;
        }
        if found.len() == most || read == MOST_READ {
            break;
        }
        (*times, read) = (*times + 1, read + 1);
        let Some(text) = logs.text(index.connection(), message)? else { continue };
        let Some(mut session) = about.query_map([number], session)?.next().transpose()? else { continue };
        if is_named(&text, file, session.path.as_deref()) {
            session.snippet = Some(snippet(&text, &words));
            found.push(Mention { session, message });
            *times = MOST_OF_ONE;
        }
    }
    Ok(found)
}

/// Tells whether a text names a file: by its whole path, or by the end of its path where the session ran in a folder above it.
fn is_named(text: &str, file: &str, folder: Option<&str>) -> bool {
    let is_below = folder.is_some_and(|folder| Path::new(file).starts_with(folder));
    let name = last(file);
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let path = before.trim_end_matches(is_of_path);
        let given = format!("{}{name}", &before[path.len()..]).replace('\\', "/");
        let given = given.trim_start_matches("./");
        ends(after)
            && (given == file
                || if file.starts_with('/') { is_below && is_end(file, given) } else { is_end(given, file) })
    })
}

/// Tells whether a path ends with another one.
fn is_end(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

/// Tells whether a path ends before this: a full stop may stand behind it.
fn ends(after: &str) -> bool {
    !after.strip_prefix('.').unwrap_or(after).starts_with(is_of_path)
}

fn is_of_path(char: char) -> bool {
    char.is_alphanumeric() || "/\\._-~@+#".contains(char)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_where_its_path_stands_alone() {
        let check = |file: &str, text: &str, expected: bool| {
            assert_eq!(is_named(text, file, Some("/w")), expected, "{file} in {text}");
        };
        for text in
            ["look at cost.py.", "`src/cost.py:12`", "in ./src/cost.py, please", "(/w/src/cost.py)", "src\\cost.py"]
        {
            check("/w/src/cost.py", text, true);
        }
        for text in
            ["cost.py.bak", "mycost.py", "/other/src/cost.py", "lib/cost.py", "cost.pyc", "cost.py/x", "Cost.py"]
        {
            check("/w/src/cost.py", text, false);
        }
        assert!(!is_named("look at cost.py", "/w/src/cost.py", Some("/other")));
        assert!(!is_named("look at cost.py", "/w/src/cost.py", None));
        assert!(is_named("look at /w/src/cost.py", "/w/src/cost.py", None));
        check("cost.py", "see /anywhere/cost.py", true);
        check("cost.py", "see precost.py", false);
        check("/w/my notes.md", "see my notes.md?", true);
    }
}
