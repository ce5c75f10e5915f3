//! Which folders a question means: one by its path, with all below it, or those of a name, wherever they are.

use super::Asking;
use crate::{
    Filter, HistoryError, Index,
    report::{Names, names, slug},
};

/// Folders that are named to somebody who asked about one that nobody worked in.
const NAMED: usize = 3;
/// Letters that two names have to begin with to be alike.
const ALIKE: usize = 2;

/// A path as it stands in the index: absolute, from the folder that is meant where it is not.
pub fn whole(path: &str, asking: &Asking) -> String {
    let home = std::env::var("HOME").unwrap_or_default();
    let path = match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{home}{rest}"),
        _ => path.to_owned(),
    };
    let whole = crate::touch::absolute(&path, asking.workspace.as_deref());
    if whole.len() > 1 { whole.trim_end_matches('/').to_owned() } else { whole }
}

/// Tells whether a path begins nowhere by itself.
pub fn is_relative(path: &str) -> bool {
    let has_drive = path.as_bytes().get(1) == Some(&b':');
    !path.starts_with(['/', '\\', '~']) && !path.starts_with("file://") && !has_drive
}

/// The folder of a project: a path, or the name or the slug of a folder that somebody worked in.
pub fn project(index: &Index, project: &str, asking: &Asking) -> Result<String, HistoryError> {
    let folder = asked(project, asking);
    if folder.starts_with('/') { Ok(folder) } else { one(index, &folder) }
}

/// A folder as it is asked about: its path, or its name as it was given.
pub fn asked(name: &str, asking: &Asking) -> String {
    let is_path = matches!(name, "." | ".." | "~") || name.contains(['/', '\\']);
    if is_path { whole(name, asking) } else { name.to_owned() }
}

/// The folders that are meant, with their numbers; those below them are, too. That there is none is an error, which names folders that are
/// called much alike: nothing would be found in it, whatever is asked.
pub fn named(index: &Index, asked: &str) -> Result<Vec<(i64, String)>, HistoryError> {
    let meant = within(index, asked)?;
    if meant.is_empty() {
        return Err(unknown(asked, names(index, Names::Workspaces)?.into_values()));
    }
    Ok(meant)
}

/// The same, where none may be meant.
pub fn within(index: &Index, asked: &str) -> Result<Vec<(i64, String)>, HistoryError> {
    let filter = Filter { workspace: Some(asked.to_owned()), ..Filter::default() };
    let all = names(index, Names::Workspaces)?.into_iter();
    let mut meant: Vec<(i64, String)> = all.filter(|(_, path)| filter.wants_workspace(Some(path))).collect();
    meant.sort();
    Ok(meant)
}

/// The one folder that is meant by a path or a name.
pub fn one(index: &Index, asked: &str) -> Result<String, HistoryError> {
    let all: Vec<String> = names(index, Names::Workspaces)?.into_values().collect();
    let exact = all.iter().filter(|path| *path == asked || slug(path) == asked).min();
    let mut called: Vec<&String> = all.iter().filter(|path| last(path) == asked).collect();
    called.sort();
    match (exact, &called[..]) {
        (Some(path), _) => Ok(path.clone()),
        (None, [path]) => Ok((*path).clone()),
        (None, []) => Err(unknown(asked, all.into_iter())),
        (None, several) => {
            let several: Vec<&str> = several.iter().map(|path| path.as_str()).collect();
            let message =
                format!("`{asked}` is the name of several folders, {}: pass the path of one", several.join(" and "));
            Err(HistoryError::Asked(message))
        }
    }
}

/// The last name of a path.
pub fn last(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn unknown(asked: &str, known: impl Iterator<Item = String>) -> HistoryError {
    let mut alike: Vec<(usize, String)> =
        known.map(|path| (alike(asked, &path), path)).filter(|(alike, _)| *alike >= ALIKE).collect();
    alike.sort_by(|one, two| two.0.cmp(&one.0).then_with(|| one.1.cmp(&two.1)));
    let near: Vec<&str> = alike.iter().take(NAMED).map(|(_, path)| path.as_str()).collect();
    let hint = if near.is_empty() {
        "`list_recent_sessions` lists folders of sessions".to_owned()
    } else {
        format!("similar names: {}", near.join(", "))
    };
    HistoryError::Asked(format!("there are no sessions in a folder `{asked}`; {hint}"))
}

/// How much alike the last names of two folders are: letters at their beginning, all of them if one is part of the other.
fn alike(one: &str, other: &str) -> usize {
    let (one, other) = (last(one).to_lowercase(), last(other).to_lowercase());
    if !one.is_empty() && !other.is_empty() && (one.contains(&other) || other.contains(&one)) {
        return one.len().max(other.len());
    }
    one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count()
}
