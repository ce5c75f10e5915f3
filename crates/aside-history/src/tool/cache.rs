//! Answers that take a while are kept in this process for as long as the index is the same.

use std::{
    fs,
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

use serde_json::Value;

use crate::Index;

/// Answers that are kept; the oldest go first.
const MOST: usize = 32;

/// The index as it was: its files, how long they are, and when they were written to; and which part of it could be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Version(String, [Option<(u64, Option<SystemTime>)>; 2], Option<String>);

#[derive(Debug)]
struct Kept {
    question: String,
    version: Version,
    answer: Value,
}

static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

/// Returns the kept answer to a question, and whether it was kept; else answers and keeps it. `question` names all that the answer depends
/// on beside the index.
pub fn kept<E>(index: &Index, question: &str, answer: impl FnOnce() -> Result<Value, E>) -> Result<(Value, bool), E> {
    let version = Version::of(index);
    let all = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = all().iter().find(|kept| kept.question == question && kept.version == version) {
        return Ok((found.answer.clone(), true));
    }
    // Not under the lock: it takes a while.
    let answer = answer()?;
    let mut all = all();
    let same_part = |kept: &Kept| (&kept.version.0, &kept.version.2) == (&version.0, &version.2);
    all.retain(|kept| kept.question != question || !same_part(kept));
    if all.len() == MOST {
        all.remove(0);
    }
    all.push(Kept { question: question.to_owned(), version, answer: answer.clone() });
    Ok((answer, false))
}

impl Version {
    fn of(index: &Index) -> Self {
        let path = index.connection().path().unwrap_or_default().to_owned();
        let stamp = |path: &str| fs::metadata(path).ok().map(|found| (found.len(), found.modified().ok()));
        let stamps = [stamp(&path), stamp(&format!("{path}-wal"))];
        let views = "SELECT group_concat(sql) FROM temp.sqlite_schema";
        Self(path, stamps, index.connection().query_row(views, (), |row| row.get(0)).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use aside_store::DataFolder;

    use super::*;

    #[test]
    fn an_answer_is_kept_until_the_index_changes() {
        let folder = tempfile::tempdir().unwrap();
        let mut index = Index::open(&DataFolder::at(folder.path())).unwrap();
        let ask = |index: &Index, answer: i64| kept(index, "q", || Ok::<_, ()>(answer.into())).unwrap();
        assert_eq!(ask(&index, 1), (1.into(), false));
        assert_eq!(ask(&index, 2), (1.into(), true));
        assert_eq!(kept(&index, "another", || Ok::<_, ()>(3.into())).unwrap(), (3.into(), false));
        index.keep_clone("/w", "octo/site").unwrap();
        assert_eq!(ask(&index, 2), (2.into(), false));
    }
}
