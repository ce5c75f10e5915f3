//! New todos behind the last one of a note or of a section, written like it.

use super::{
    ByteEdit, ChangeRefused,
    lines::{columns, ending_near, line_end, line_start, next_line},
    sign::{self, NewValue, rule_text},
    todo_update::{logseq_day, one_line},
};
use crate::{Flavour, Heading, Note, Priority, SignKind, SignStyle, Todo, TodoDate};

/// A todo to be written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewTodo {
    /// Its words, on one line.
    pub text: String,
    /// The day by which it has to be done.
    pub due: Option<TodoDate>,
    /// The day on which it is planned.
    pub scheduled: Option<TodoDate>,
    /// The day from which it can be done.
    pub start: Option<TodoDate>,
    /// The rule by which it comes again.
    pub repeat: Option<String>,
    /// Its priority.
    pub priority: Option<Priority>,
}

/// Returns the edit that adds todos to a note, or to the section of a heading, and the line of each.
pub fn add_todos(
    text: &str,
    note: &Note,
    heading: Option<&str>,
    todos: &[NewTodo],
    workspace: Option<SignStyle>,
) -> Result<(Vec<ByteEdit>, Vec<String>), ChangeRefused> {
    if note.not_utf8 {
        return Err(ChangeRefused::NotUtf8 { path: note.path.clone() });
    }
    let place = place(text, note, heading)?;
    let style = sign::style_for(place.like, note, workspace);
    let lines: Vec<String> = todos
        .iter()
        .map(|todo| written(text, note, todo, place.like, style, place.ending))
        .collect::<Result<_, _>>()?;
    if lines.is_empty() {
        return Ok((Vec::new(), lines));
    }
    let block = lines.join(place.ending);
    let new = format!("{}{block}{}", place.before, place.after);
    Ok((vec![ByteEdit::insert(place.at, new)], lines))
}

/// Adds a line as it is written behind the last todo of a note or of a section.
pub(super) fn add_line(
    text: &str,
    note: &Note,
    heading: Option<&str>,
    line: impl FnOnce(Option<&Todo>, &'static str) -> String,
) -> Result<ByteEdit, ChangeRefused> {
    let place = place(text, note, heading)?;
    let line = line(place.like, place.ending);
    Ok(ByteEdit::insert(place.at, format!("{}{line}{}", place.before, place.after)))
}

struct Place<'a> {
    at: usize,
    /// The todo that new ones are written like.
    like: Option<&'a Todo>,
    before: String,
    after: &'static str,
    ending: &'static str,
}

fn place<'a>(text: &str, note: &'a Note, heading: Option<&str>) -> Result<Place<'a>, ChangeRefused> {
    let (start, end, own_end) = match heading {
        None => (note.body, text.len(), text.len()),
        Some(words) => {
            let at = find_heading(note, words)?;
            let head = &note.headings[at];
            let end_of = |next: Option<&Heading>| next.map_or(text.len(), |next| next.range.start);
            let section = note.headings[at + 1..].iter().find(|next| next.level <= head.level);
            (head.range.start, end_of(section), end_of(note.headings.get(at + 1)))
        }
    };
    let last = note.todos.iter().rfind(|todo| todo.range.start >= start && todo.range.start < end);
    if let Some(last) = last {
        let at = end_of_item(text, last);
        let ending = ending_near(text, at);
        return Ok(Place { at, like: Some(last), before: ending.to_owned(), after: "", ending });
    }
    let words = text[start.min(own_end)..own_end].trim_end();
    let at = start.min(own_end) + words.len();
    let ending = ending_near(text, at);
    if words.is_empty() {
        // Nothing is there but perhaps a front matter, which ends with a line end or with the file.
        let before = if start > 0 && !text[..at].ends_with(['\n', '\u{feff}']) { ending } else { "" };
        return Ok(Place { at, like: None, before: before.to_owned(), after: "", ending });
    }
    Ok(Place { at, like: None, before: ending.repeat(2), after: "", ending })
}

/// The end of a todo with the lines that are indented below it.
fn end_of_item(text: &str, todo: &Todo) -> usize {
    let mut end = todo.lines.end;
    if todo.quote > 0 {
        return end;
    }
    let own = columns(&text[line_start(text, todo.bullet.start)..]);
    loop {
        let next = next_line(text, end);
        if next >= text.len() {
            return end;
        }
        let line = &text[next..line_end(text, next)];
        if line.trim().is_empty() || columns(line) <= own {
            return end;
        }
        end = next + line.len();
    }
}

fn written(
    text: &str,
    note: &Note,
    todo: &NewTodo,
    like: Option<&Todo>,
    style: SignStyle,
    ending: &str,
) -> Result<String, ChangeRefused> {
    let words = one_line(&todo.text)?;
    let (prefix, bullet) = match like {
        Some(like) => {
            let start = line_start(text, like.bullet.start);
            (&text[start..like.bullet.start], &text[like.bullet.clone()])
        }
        None => ("", "-"),
    };
    let is_word = like.map_or(note.flavour == Flavour::Logseq, |like| like.word);
    let mark = if is_word { "TODO" } else { "[ ]" };
    let date = |kind, date: Option<TodoDate>| Some((kind, NewValue::Date(date?)));
    let repeat = todo.repeat.as_deref().map(rule_text).transpose()?;
    let signs = [
        date(SignKind::Due, todo.due),
        date(SignKind::Scheduled, todo.scheduled),
        date(SignKind::Start, todo.start),
        repeat.map(|rule| (SignKind::Repeat, NewValue::Repeat(rule))),
        todo.priority.map(|priority| (SignKind::Priority, NewValue::Priority(priority))),
    ];
    let (mut first, mut line, mut below) = (String::new(), String::new(), Vec::new());
    for (kind, value) in signs.into_iter().flatten() {
        match (style, kind, &value) {
            (SignStyle::Logseq, SignKind::Due, NewValue::Date(date)) => below.push(("DEADLINE", logseq_day(*date))),
            (SignStyle::Logseq, SignKind::Scheduled, NewValue::Date(date)) => {
                below.push(("SCHEDULED", logseq_day(*date)))
            }
            (SignStyle::Logseq, SignKind::Repeat, NewValue::Repeat(rule)) => {
                let parsed = super::Repeat::parse(rule).and_then(|rule| rule.as_logseq());
                let (Some((_, day)), Some(parsed)) = (below.last_mut(), parsed) else {
                    return Err(ChangeRefused::NoRepeat { rule: rule.clone() });
                };
                day.push_str(&format!(" {parsed}"));
            }
            (SignStyle::Logseq, SignKind::Priority, value) => first = sign::written(kind, value, style, false) + " ",
            (style, kind, value) => {
                line.push(' ');
                line.push_str(&sign::written(kind, value, style, false));
            }
        }
    }
    let below: String = below.iter().map(|(word, day)| format!("{ending}{prefix}  {word}: <{day}>")).collect();
    Ok(format!("{prefix}{bullet} {mark} {first}{words}{line}{below}"))
}

/// Returns the place of a heading among those of a note.
pub(super) fn find_heading(note: &Note, words: &str) -> Result<usize, ChangeRefused> {
    let wanted = folded(words.trim_start_matches('#'));
    let found = note.headings.iter().position(|heading| folded(&heading.text) == wanted);
    found.ok_or_else(|| ChangeRefused::NoHeading { path: note.path.clone(), heading: words.to_owned() })
}

/// A heading without case, white space and the signs that links leave out.
fn folded(words: &str) -> String {
    let kept = words.chars().filter(|sign| !sign.is_whitespace() && !"#|^:%[]".contains(*sign));
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::testing::{made, note, page};

    fn added(text: &str, note: &Note, heading: Option<&str>, todo: &NewTodo) -> String {
        made(text, &add_todos(text, note, heading, std::slice::from_ref(todo), None).unwrap().0)
    }

    fn todo(text: &str) -> NewTodo {
        NewTodo { text: text.to_owned(), ..NewTodo::default() }
    }

    #[test]
    fn new_todo_follows_the_last_one() {
        for (before, after) in [
            ("- [ ] a\n  more\n\nend\n", "- [ ] a\n  more\n- [ ] new\n\nend\n"),
            ("x\r\n* [x] a\r\n\t* [ ] b", "x\r\n* [x] a\r\n\t* [ ] b\r\n\t* [ ] new"),
            ("> - [ ] a\n\nb\n", "> - [ ] a\n> - [ ] new\n\nb\n"),
            ("text\n", "text\n\n- [ ] new\n"),
            ("text", "text\n\n- [ ] new"),
            ("", "- [ ] new"),
            ("---\na: b\n---\n", "---\na: b\n---\n- [ ] new"),
        ] {
            assert_eq!(added(before, &note(before), None, &todo("new")), after, "{before:?}");
        }
    }

    #[test]
    fn heading_names_the_section() {
        let text = "# A\ntext\n\n## B\n- [ ] b\n\n# C\n- [ ] c\n";
        let parsed = note(text);
        assert_eq!(
            added(text, &parsed, Some("b"), &todo("new")),
            "# A\ntext\n\n## B\n- [ ] b\n- [ ] new\n\n# C\n- [ ] c\n"
        );
        let text = "# A\ntext\n\n## B\n\n# C\n";
        let parsed = note(text);
        assert_eq!(added(text, &parsed, Some("A"), &todo("n")), "# A\ntext\n\n- [ ] n\n\n## B\n\n# C\n");
        assert!(add_todos(text, &parsed, Some("D"), &[todo("n")], None).is_err());
        assert!(add_todos(text, &parsed, None, &[todo("a\nb")], None).is_err());
    }

    #[test]
    fn dates_take_the_notation_of_the_note() {
        let new = NewTodo { due: Some("2026-12-01".parse().unwrap()), priority: Some(Priority::High), ..todo("new") };
        let text = "- [ ] a [due:: 2026-01-01]";
        assert_eq!(
            added(text, &note(text), None, &new),
            "- [ ] a [due:: 2026-01-01]\n- [ ] new [due:: 2026-12-01] [priority:: high]"
        );
        assert_eq!(added("", &note(""), None, &new), "- [ ] new 📅 2026-12-01 ⏫");
        let text = "- TODO a";
        assert_eq!(added(text, &page(text), None, &new), "- TODO a\n- TODO [#A] new\n  DEADLINE: <2026-12-01 Tue>");
    }
}
