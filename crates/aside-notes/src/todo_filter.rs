//! Todos of all notes that fit a filter.

use jiff::civil::Date;

use crate::{Note, SignKind, Todo, TodoDate, TodoState, Vault, folded, is_tag_within};

/// The todos that are wanted. Empty fields leave nothing out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TodoFilter {
    /// Only in one of these states.
    pub states: Vec<TodoState>,
    /// Only due before this day.
    pub due_before: Option<Date>,
    /// Only still to be done, and due before this day: today.
    pub overdue: Option<Date>,
    /// Only with this tag or one below it, in their words or in the front matter of their note.
    pub tag: Option<String>,
    /// Only in notes whose path begins so.
    pub path: Option<String>,
}

impl TodoFilter {
    fn admits(&self, note: &Note, todo: &Todo, tag: Option<&str>) -> bool {
        let due = todo.date(SignKind::Due).map(|due| due.date);
        let is_before = |day: Option<Date>| day.is_none_or(|day| due.is_some_and(|due| due < day));
        (self.states.is_empty() || self.states.contains(&todo.state))
            && is_before(self.due_before)
            && is_before(self.overdue)
            && (self.overdue.is_none() || todo.state.is_open())
            && tag.is_none_or(|tag| has_tag(note, todo, tag))
    }
}

/// Returns the tags of a todo as they are spelled in its line.
pub fn tags_of<'a>(note: &'a Note, todo: &Todo) -> Vec<&'a str> {
    let in_line = note.tags.partition_point(|tag| tag.in_front_matter || tag.line < todo.line);
    note.tags[in_line..].iter().take_while(|tag| tag.line == todo.line).map(|tag| &*tag.name).collect()
}

fn has_tag(note: &Note, todo: &Todo, wanted: &str) -> bool {
    let in_front = note.tags.iter().take_while(|tag| tag.in_front_matter).map(|tag| tag.key.clone());
    let own = tags_of(note, todo).into_iter().map(folded);
    in_front.chain(own).any(|tag| is_tag_within(&tag, wanted))
}

impl Vault {
    /// Returns the todos that fit, the earliest due first, those without a day last, then by path and line.
    pub fn todos(&self, filter: &TodoFilter) -> Vec<(&std::sync::Arc<Note>, &Todo)> {
        let tag = filter.tag.as_deref().map(|tag| folded(tag.trim_start_matches('#')));
        let starts =
            |note: &Note| filter.path.as_ref().is_none_or(|path| note.path.as_str().starts_with(path.as_str()));
        let mut found: Vec<_> = self
            .notes()
            .filter(|note| starts(note))
            .flat_map(|note| note.todos.iter().map(move |todo| (note, todo)))
            .filter(|(note, todo)| filter.admits(note, todo, tag.as_deref()))
            .collect();
        let due = |todo: &Todo| -> Option<TodoDate> { todo.date(SignKind::Due) };
        found.sort_by(|(one, a), (two, b)| {
            (due(a).is_none(), due(a), &one.path, a.line).cmp(&(due(b).is_none(), due(b), &two.path, b.line))
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Flavour, parse_text};

    #[test]
    fn todos_are_filtered_and_the_earliest_come_first() {
        let mut vault = Vault::default();
        for (path, text) in [
            ("a.md", "- [ ] one (due 2026-12-02) #x/y\n- [x] two (due 2026-11-01)\n- [ ] three\n"),
            ("b/c.md", "---\ntags: [X]\n---\n- [/] four (due 2026-11-30)\n- [ ] five (due 2026-12-02T08:00)\n"),
        ] {
            vault.set(Arc::new(parse_text(&path.parse().unwrap(), text, Flavour::Markdown)));
        }
        let day = |day: &str| day.parse().ok();
        let shown = |filter: &TodoFilter| {
            vault.todos(filter).into_iter().map(|(_, todo)| &*todo.text).collect::<Vec<_>>().join(", ")
        };
        let all = TodoFilter::default();
        assert_eq!(shown(&all), "two, four, one #x/y, five, three");
        let open = TodoFilter { states: vec![TodoState::Open], ..all.clone() };
        assert_eq!(shown(&open), "one #x/y, five, three");
        assert_eq!(shown(&TodoFilter { overdue: day("2026-12-02"), ..all.clone() }), "four");
        assert_eq!(shown(&TodoFilter { due_before: day("2026-12-01"), ..all.clone() }), "two, four");
        assert_eq!(shown(&TodoFilter { tag: Some("#x".to_owned()), ..all.clone() }), "four, one #x/y, five");
        assert_eq!(shown(&TodoFilter { path: Some("b/".to_owned()), ..all }), "four, five");
    }
}
