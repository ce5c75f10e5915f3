//! The todo that a handle means: note, line and text.

use super::ChangeRefused;
use crate::{Note, Todo};

/// The handle of a todo in a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TodoHandle {
    /// The line, from 1, as it was read.
    pub line: u32,
    /// The text, as it was read.
    pub text: String,
}

/// Returns the todo at the line if it has the text, else the only one that has it.
pub fn find_todo<'a>(note: &'a Note, handle: &TodoHandle) -> Result<&'a Todo, ChangeRefused> {
    if note.not_utf8 {
        return Err(ChangeRefused::NotUtf8 { path: note.path.clone() });
    }
    let wanted = spaced(&handle.text);
    let mut alike = note.todos.iter().filter(|todo| todo.text == wanted);
    if let Some(todo) = alike.clone().find(|todo| todo.line == handle.line) {
        return Ok(todo);
    }
    let (path, line, text) = (note.path.clone(), handle.line, handle.text.clone());
    match (alike.next(), alike.count()) {
        (Some(only), 0) => Ok(only),
        (None, _) => {
            let now = note.todos.iter().find(|todo| todo.line == handle.line).map(|todo| todo.text.clone());
            Err(ChangeRefused::TodoNotFound { path, line, text, now })
        }
        (Some(_), more) => Err(ChangeRefused::TodoAmbiguous { path, line, text, count: more + 1 }),
    }
}

fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::testing::note;

    #[test]
    fn handle_means_one_todo_or_none() {
        let parsed = note("- [ ] a 📅 2026-12-01\n- [ ] b\n- [ ] b\n");
        let code = |line, text: &str| match find_todo(&parsed, &TodoHandle { line, text: text.to_owned() }) {
            Ok(todo) => todo.line.to_string(),
            Err(refused) => refused.failure().code,
        };
        assert_eq!((code(1, "a"), code(9, "a"), code(3, "b")), ("1".to_owned(), "1".to_owned(), "3".to_owned()));
        let missing = find_todo(&parsed, &TodoHandle { line: 1, text: "c".to_owned() }).unwrap_err().to_string();
        assert!(missing.ends_with("at line 1 or elsewhere: that line is now `a`"), "{missing}");
        assert_eq!((code(9, "b"), code(1, "c")), ("todo_ambiguous".to_owned(), "todo_not_found".to_owned()));
    }
}
