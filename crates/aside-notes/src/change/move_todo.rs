//! A todo that goes, or goes to another note.

use super::{
    ByteEdit, ChangeRefused,
    lines::{line_start, next_line},
    todo_add::add_line,
};
use crate::{Note, Todo};

/// Returns the edit that takes a todo out: its line, and those of its dates in a Logseq graph.
pub fn delete_todo(text: &str, todo: &Todo) -> ByteEdit {
    let (start, end) = (line_start(text, todo.range.start), next_line(text, todo.lines.end));
    if end == text.len() && !text.ends_with('\n') {
        // The file ended without a line end, and does so still.
        let before =
            text[..start].strip_suffix('\n').map_or(start, |before| before.strip_suffix('\r').unwrap_or(before).len());
        return ByteEdit::delete(before..end);
    }
    ByteEdit::delete(start..end)
}

/// Returns the edit of another note that puts a todo of this one behind its last todo, with the indent of that one.
pub fn moved_todo(
    (text, todo): (&str, &Todo),
    (to_text, to_note): (&str, &Note),
    heading: Option<&str>,
) -> Result<ByteEdit, ChangeRefused> {
    if to_note.not_utf8 {
        return Err(ChangeRefused::NotUtf8 { path: to_note.path.clone() });
    }
    let own = text[line_start(text, todo.range.start)..todo.bullet.start].len();
    let lines = &text[line_start(text, todo.range.start)..todo.lines.end];
    add_line(to_text, to_note, heading, |like, ending| {
        let prefix = like.map_or("", |like| &to_text[line_start(to_text, like.bullet.start)..like.bullet.start]);
        let shorn = lines.lines().map(|line| {
            let cut = line.char_indices().map(|(at, _)| at).find(|at| *at >= own).unwrap_or(line.len());
            format!("{prefix}{}", &line[cut..])
        });
        shorn.collect::<Vec<_>>().join(ending)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::testing::{made, note};

    #[test]
    fn deleted_todo_takes_its_line_along() {
        for (before, after) in [
            ("a\n- [ ] b\nc", "a\nc"),
            ("a\r\n- [ ] b", "a"),
            ("- [ ] b", ""),
            ("- [ ] b\n  - [ ] child\n", "  - [ ] child\n"),
        ] {
            assert_eq!(made(before, &[delete_todo(before, &note(before).todos[0])]), after);
        }
    }

    #[test]
    fn moved_todo_takes_its_new_indent() {
        let (text, to) = ("- [ ] a\n  - [x] b 📅 2026-12-01 <!-- {} -->\n", "* [ ] c\r\n\t* [ ] d\r\n");
        let (from, target) = (note(text), note(to));
        let edit = moved_todo((text, &from.todos[1]), (to, &target), None).unwrap();
        assert_eq!(made(to, &[edit]), "* [ ] c\r\n\t* [ ] d\r\n\t- [x] b 📅 2026-12-01 <!-- {} -->\r\n");
    }
}
