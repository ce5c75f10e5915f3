//! Changes of notes as exact byte edits: every byte outside of them stays as it is.
//!
//! Pure: texts and parsed notes go in, edits come out. Reading and writing files is for others.

mod create;
mod find_todo;
mod lines;
mod move_todo;
mod note_link;
mod refused;
mod relocate;
mod repeat;
mod replace;
mod sign;
mod tag_value;
mod tags;
#[cfg(test)]
mod testing;
mod todo_add;
mod todo_done;
mod todo_update;
mod yaml_text;

use std::ops::Range;

pub use create::{NewNote, Started, file_name, start};
pub use find_todo::{TodoHandle, find_todo};
pub use move_todo::{delete_todo, moved_todo};
pub use note_link::{LinkPlace, link_to};
pub use refused::ChangeRefused;
pub use relocate::{LinkEdit, LinkTarget, Move, Relocation, relocate};
pub use repeat::{Repeat, Unit};
pub use replace::{replace_body, set_tags, set_title};
pub use sign::{most_used_style, note_style};
pub use tags::{Tagged, change_tags, rename_tag};
pub use todo_add::{NewTodo, add_todos};
pub use todo_done::{Finished, finish, reopen};
pub use todo_update::{TodoChange, update_todo};

/// Some bytes of a text become others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByteEdit {
    /// The bytes that go; empty for an insertion.
    pub range: Range<usize>,
    /// The text that comes.
    pub new: String,
}

impl ByteEdit {
    /// Returns a replacement.
    pub fn replace(range: Range<usize>, new: impl Into<String>) -> Self {
        Self { range, new: new.into() }
    }

    /// Returns an insertion.
    pub fn insert(at: usize, new: impl Into<String>) -> Self {
        Self::replace(at..at, new)
    }

    /// Returns a deletion.
    pub fn delete(range: Range<usize>) -> Self {
        Self::replace(range, "")
    }
}

/// Returns a text after some edits of it, in whatever order they are given.
///
/// # Errors
/// If two edits overlap, or one lies outside the text or inside a character.
pub fn edited(text: &str, edits: &[ByteEdit]) -> Result<String, ChangeRefused> {
    let mut sorted: Vec<&ByteEdit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let (mut result, mut done) = (String::with_capacity(text.len() + 64), 0);
    for edit in sorted {
        let kept = text.get(done..edit.range.start.max(done));
        let (Some(kept), true) = (kept, edit.range.start >= done && text.get(edit.range.clone()).is_some()) else {
            return Err(ChangeRefused::Overlap { at: edit.range.start });
        };
        result.push_str(kept);
        result.push_str(&edit.new);
        done = edit.range.end;
    }
    result.push_str(&text[done..]);
    Ok(result)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn edits_are_made_in_any_order() {
        let edits = [ByteEdit::delete(4..5), ByteEdit::insert(0, "x"), ByteEdit::replace(1..3, "é")];
        assert_eq!(edited("abcdef", &edits).unwrap(), "xaédf");
        assert!(edited("abc", &[ByteEdit::delete(0..2), ByteEdit::delete(1..3)]).is_err());
        assert!(edited("é", &[ByteEdit::insert(1, "x")]).is_err(), "inside a character");
        assert!(edited("a", &[ByteEdit::insert(2, "x")]).is_err());
    }

    proptest! {
        #[test]
        fn bytes_outside_an_edit_stay(text in "[a-zé\\r\\n]{0,30}", new in "[a-z\\n]{0,5}", one in 0..31usize, two in 0..31usize) {
            let (start, end) = (one.min(two).min(text.len()), one.max(two).min(text.len()));
            if let Ok(after) = edited(&text, &[ByteEdit::replace(start..end, new.clone())]) {
                prop_assert_eq!(&after[..start], &text[..start]);
                prop_assert_eq!(&after[start..start + new.len()], &new);
                prop_assert_eq!(&after[start + new.len()..], &text[end..]);
            }
        }
    }
}
