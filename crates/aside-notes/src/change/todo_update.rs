//! A todo with other words, dates, repetition or priority: edits of its line, each sign in its place and notation.

use std::ops::Range;

use super::{
    ByteEdit, ChangeRefused,
    lines::{ending_before, ending_near, line_start, next_line},
    sign::{self, NewValue, rule_text},
};
use crate::{Note, Priority, Sign, SignKind, SignStyle, Todo, TodoDate};

/// The changes of a todo. An absent field stays; `Some(None)` takes a sign away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TodoChange {
    /// Other words.
    pub text: Option<String>,
    /// Another day by which it has to be done.
    pub due: Option<Option<TodoDate>>,
    /// Another day on which it is planned.
    pub scheduled: Option<Option<TodoDate>>,
    /// Another day from which it can be done.
    pub start: Option<Option<TodoDate>>,
    /// Another rule of repetition.
    pub repeat: Option<Option<String>>,
    /// Another priority.
    pub priority: Option<Option<Priority>>,
}

/// Returns the edits that change a todo.
pub fn update_todo(
    text: &str,
    note: &Note,
    todo: &Todo,
    change: &TodoChange,
    workspace: Option<SignStyle>,
) -> Result<Vec<ByteEdit>, ChangeRefused> {
    let mut edits = Vec::new();
    if let Some(words) = &change.text {
        edits.extend(words_edits(text, todo, &one_line(words)?));
    }
    let date = |kind, value: &Option<Option<TodoDate>>| value.map(|value| (kind, value.map(NewValue::Date)));
    let repeat = match &change.repeat {
        Some(Some(rule)) => Some((SignKind::Repeat, Some(NewValue::Repeat(rule_text(rule)?)))),
        Some(None) => Some((SignKind::Repeat, None)),
        None => None,
    };
    let priority = change.priority.map(|value| (SignKind::Priority, value.map(NewValue::Priority)));
    let wanted = [
        date(SignKind::Due, &change.due),
        date(SignKind::Scheduled, &change.scheduled),
        date(SignKind::Start, &change.start),
        repeat,
        priority,
    ];
    let style = sign::style_for(Some(todo), note, workspace);
    let mut signs = Signs { text, todo, style, inline: String::new(), lines: String::new(), edits };
    for (kind, value) in wanted.into_iter().flatten() {
        signs.set(kind, value)?;
    }
    Ok(signs.ended())
}

/// Returns a text without line breaks and outer white space.
pub(super) fn one_line(text: &str) -> Result<String, ChangeRefused> {
    let words = text.trim();
    match words {
        "" => Err(ChangeRefused::NoText),
        words if words.contains(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']) => Err(ChangeRefused::LineBreak),
        words => Ok(words.to_owned()),
    }
}

/// Gathers the edits of a todo's signs.
pub(super) struct Signs<'a> {
    pub text: &'a str,
    pub todo: &'a Todo,
    pub style: SignStyle,
    /// New signs at the end of the line.
    pub inline: String,
    /// New lines below it, of a Logseq graph.
    pub lines: String,
    pub edits: Vec<ByteEdit>,
}

impl Signs<'_> {
    /// Sets, changes or takes away the sign of a kind.
    pub(super) fn set(&mut self, kind: SignKind, value: Option<NewValue>) -> Result<(), ChangeRefused> {
        let Some(value) = value else {
            let gone: Vec<Range<usize>> =
                self.todo.signs.iter().filter(|sign| sign.kind == kind).map(|sign| self.with_space(sign)).collect();
            self.edits.extend(gone.into_iter().map(ByteEdit::delete));
            return Ok(());
        };
        match self.todo.sign(kind) {
            Some(old) => self.change(old, &value),
            None => self.add(kind, &value),
        }
    }

    fn change(&mut self, old: &Sign, value: &NewValue) -> Result<(), ChangeRefused> {
        let written = &self.text[old.value_range.clone()];
        let new = match (value, old.style) {
            (NewValue::Repeat(rule), SignStyle::Logseq) => logseq_rule(rule)?,
            _ => sign::value_in_place(written, value, old.style),
        };
        if let (NewValue::Date(date), SignStyle::Logseq) = (value, old.style) {
            self.edits.push(logseq_date(self.text, old, *date));
        } else if new != written {
            self.edits.push(ByteEdit::replace(old.value_range.clone(), new));
        }
        Ok(())
    }

    fn add(&mut self, kind: SignKind, value: &NewValue) -> Result<(), ChangeRefused> {
        if self.style == SignStyle::Logseq {
            match (kind, value) {
                (SignKind::Due, NewValue::Date(date)) => {
                    self.add_line("DEADLINE", *date);
                    return Ok(());
                }
                (SignKind::Scheduled, NewValue::Date(date)) => {
                    self.add_line("SCHEDULED", *date);
                    return Ok(());
                }
                (SignKind::Repeat, NewValue::Repeat(rule)) => return self.add_repeater(rule),
                (SignKind::Priority, NewValue::Priority(_)) => {
                    let sign = sign::written(kind, value, self.style, false);
                    self.edits.push(ByteEdit::insert(self.todo.body.start, format!("{sign} ")));
                    return Ok(());
                }
                _ => {}
            }
        }
        let round = self
            .todo
            .signs
            .iter()
            .any(|sign| sign.style == SignStyle::Dataview && self.text[sign.range.clone()].starts_with('('));
        self.inline.push(' ');
        self.inline.push_str(&sign::written(kind, value, self.style, round));
        Ok(())
    }

    fn add_line(&mut self, word: &str, date: TodoDate) {
        let ending = ending_near(self.text, self.todo.lines.end);
        let indent = &self.text[line_start(self.text, self.todo.bullet.start)..self.todo.bullet.start];
        self.lines.push_str(&format!("{ending}{indent}  {word}: <{}>", logseq_day(date)));
    }

    /// A rule of repetition stands in the `<…>` of a date.
    fn add_repeater(&mut self, rule: &str) -> Result<(), ChangeRefused> {
        let rule = logseq_rule(rule)?;
        let dates = [SignKind::Scheduled, SignKind::Due].into_iter().filter_map(|kind| self.todo.sign(kind));
        let angle = dates.into_iter().find(|sign| sign.style == SignStyle::Logseq);
        if let Some(end) = self.lines.rfind('>') {
            self.lines.insert_str(end, &format!(" {rule}"));
            return Ok(());
        }
        let Some(sign) = angle else { return Err(ChangeRefused::NoRepeat { rule }) };
        let end = sign.range.start + self.text[sign.range.clone()].rfind('>').unwrap_or(sign.range.len());
        self.edits.push(ByteEdit::insert(end, format!(" {rule}")));
        Ok(())
    }

    /// A sign with the space before it; a sign with a line of its own with that line.
    pub(super) fn with_space(&self, sign: &Sign) -> Range<usize> {
        let (text, range) = (self.text, sign.range.clone());
        if sign.style == SignStyle::Logseq && range.start > self.todo.range.end && sign.kind != SignKind::Repeat {
            let start = line_start(text, range.start);
            let is_alone = text[range.end..next_line(text, range.end)].trim().is_empty();
            if is_alone && text[start..range.start].trim().is_empty() {
                let end = next_line(text, range.end);
                // The last line takes the line end before it along.
                let lead = if end == text.len() && !text.ends_with('\n') { ending_before(text, start) } else { 0 };
                return start - lead..end;
            }
        }
        if range.start > self.todo.body.start && text[..range.start].ends_with([' ', '\t']) {
            return range.start - 1..range.end;
        }
        let space = usize::from(range.start == self.todo.body.start && text[range.end..].starts_with(' '));
        range.start..range.end + space
    }

    pub(super) fn ended(mut self) -> Vec<ByteEdit> {
        if !self.inline.is_empty() {
            self.edits.push(ByteEdit::insert(end_of_words(self.text, self.todo), self.inline));
        }
        if !self.lines.is_empty() {
            self.edits.push(ByteEdit::insert(self.todo.lines.end, self.lines));
        }
        self.edits
    }
}

/// Returns the place of new signs: the end of the line, before ` ^id` and a closing `\`.
pub(super) fn end_of_words(text: &str, todo: &Todo) -> usize {
    let mut end = todo.body.end;
    if let Some(block) = todo.block.as_ref().filter(|block| todo.body.contains(&block.range.start)) {
        end = block.range.start;
    }
    let mut words = text[todo.body.start..end].trim_end();
    if let Some(before) = words.strip_suffix('\\') {
        words = before.trim_end();
    }
    todo.body.start + words.len()
}

/// The edits that give a todo other words: its signs, comments and id stay.
fn words_edits(text: &str, todo: &Todo, words: &str) -> Vec<ByteEdit> {
    if words == todo.text {
        return Vec::new();
    }
    let mut kept: Vec<Range<usize>> = todo.signs.iter().map(|sign| sign.range.clone()).collect();
    kept.extend(comments(text, todo.body.clone()));
    kept.extend(todo.block.as_ref().map(|block| block.range.clone()));
    kept.retain(|range| todo.body.contains(&range.start));
    kept.sort_by_key(|range| range.start);
    let end = todo.body.end;
    let end = if text[..end].trim_end().ends_with('\\') { text[..end].trim_end().len() - 1 } else { end };
    kept.push(end.max(todo.body.start)..end.max(todo.body.start));
    let (mut edits, mut at, mut is_first) = (Vec::new(), todo.body.start, true);
    for range in kept {
        if range.start < at {
            at = at.max(range.end);
            continue;
        }
        let piece = &text[at..range.start];
        let trimmed = piece.trim();
        if !trimmed.is_empty() {
            let start = at + (piece.len() - piece.trim_start().len());
            if is_first {
                edits.push(ByteEdit::replace(start..start + trimmed.len(), words));
            } else {
                edits.push(ByteEdit::delete(at..start + trimmed.len()));
            }
            is_first = false;
        }
        at = range.end;
    }
    if is_first {
        edits.push(ByteEdit::insert(todo.body.start, format!("{words} ")));
    }
    edits
}

fn comments(text: &str, body: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = body.start;
    while let Some(start) = text[at..body.end].find("<!--").map(|start| at + start) {
        let end = text[start..body.end].find("-->").map_or(body.end, |end| start + end + 3);
        found.push(start..end);
        at = end;
    }
    found
}

fn logseq_rule(rule: &str) -> Result<String, ChangeRefused> {
    let parsed = super::Repeat::parse(rule).and_then(|parsed| parsed.as_logseq());
    parsed.ok_or_else(|| ChangeRefused::NoRepeat { rule: rule.to_owned() })
}

/// `2026-12-01 Tue`, with a time if there is one.
pub(super) fn logseq_day(date: TodoDate) -> String {
    let weekday = &format!("{:?}", date.date.weekday())[..3];
    let time = date.time.map(|(hour, minute)| format!(" {hour:02}:{minute:02}")).unwrap_or_default();
    format!("{} {weekday}{time}", date.date)
}

/// Replaces the day of `<2026-12-01 Tue +1w>`, and leaves its rule of repetition.
pub(super) fn logseq_date(text: &str, sign: &Sign, date: TodoDate) -> ByteEdit {
    let written = &text[sign.range.clone()];
    let open = written.find('<').map_or(0, |at| at + 1);
    let close = written.rfind('>').unwrap_or(written.len());
    let inside = &written[open..close];
    let rule = inside.split(' ').rfind(|word| word.starts_with(['+', '.']));
    let rule = rule.map(|rule| format!(" {rule}")).unwrap_or_default();
    let range = sign.range.start + open..sign.range.start + close;
    ByteEdit::replace(range, format!("{}{rule}", logseq_day(date)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::change::testing::{made, note, page};

    fn updated(text: &str, change: &TodoChange) -> String {
        let note = note(text);
        made(text, &update_todo(text, &note, &note.todos[0], change, None).unwrap())
    }

    fn due(date: Option<&str>) -> TodoChange {
        TodoChange { due: Some(date.map(|date| date.parse().unwrap())), ..TodoChange::default() }
    }

    #[test]
    fn changed_date_stays_in_its_place() {
        for (before, after) in [
            ("- [ ] 📅 2026-12-01 pay", "- [ ] 📅 2027-01-02 pay"),
            ("- [ ] pay due:2026-12-01 now", "- [ ] pay due:2027-01-02 now"),
            ("- [ ] pay (due:: 2026-12-01) ^x", "- [ ] pay (due:: 2027-01-02) ^x"),
            ("- [ ] pay ^x", "- [ ] pay 📅 2027-01-02 ^x"),
            ("- [ ] pay [start:: 2026-01-01]", "- [ ] pay [start:: 2026-01-01] [due:: 2027-01-02]"),
            ("- [ ] pay\n- [ ] b (due 2026-01-01)", "- [ ] pay (due 2027-01-02)\n- [ ] b (due 2026-01-01)"),
        ] {
            assert_eq!(updated(before, &due(Some("2027-01-02"))), after);
        }
        assert_eq!(
            updated("- [ ] a 📅 2026-12-01 14:30", &due(Some("2027-01-02T09:00"))),
            "- [ ] a 📅 2027-01-02 09:00"
        );
    }

    #[test]
    fn removed_sign_goes_with_the_space_before() {
        for (before, after) in [
            ("- [ ] pay 📅 2026-12-01 now", "- [ ] pay now"),
            ("- [ ] 📅 2026-12-01 pay", "- [ ] pay"),
            ("- [ ] pay [due:: 2026-12-01]", "- [ ] pay"),
            ("- [ ] pay", "- [ ] pay"),
        ] {
            assert_eq!(updated(before, &due(None)), after);
        }
    }

    #[test]
    fn words_change_around_signs_and_comments() {
        let words = |text: &str| TodoChange { text: Some(text.to_owned()), ..TodoChange::default() };
        for (before, after) in [
            ("- [ ] old text 📅 2026-12-01 ^x", "- [ ] new 📅 2026-12-01 ^x"),
            ("- [ ] 📅 2026-12-01 old", "- [ ] 📅 2026-12-01 new"),
            ("- [ ] old 📅 2026-12-01 text", "- [ ] new 📅 2026-12-01"),
            ("- [ ] old<!-- {\"uuid\":\"x\"} -->", "- [ ] new<!-- {\"uuid\":\"x\"} -->"),
            ("- [ ] old \\\nx", "- [ ] new \\\nx"),
        ] {
            assert_eq!(updated(before, &words("new")), after);
        }
        let text = "- [ ] old";
        let parsed = note(text);
        for odd in ["", " ", "a\nb", "a\r\nb"] {
            assert!(update_todo(text, &parsed, &parsed.todos[0], &words(odd), None).is_err(), "{odd:?}");
        }
    }

    #[test]
    fn priority_and_repeat_are_written_and_changed() {
        let change = TodoChange {
            repeat: Some(Some("week".to_owned())),
            priority: Some(Some(Priority::High)),
            ..TodoChange::default()
        };
        assert_eq!(updated("- [ ] a 🔽", &change), "- [ ] a ⏫ 🔁 every week");
        assert_eq!(updated("- [ ] a [priority:: low]", &change), "- [ ] a [priority:: high] [repeat:: every week]");
        let odd = TodoChange { repeat: Some(Some("blue moon".to_owned())), ..TodoChange::default() };
        let parsed = note("- [ ] a");
        assert!(update_todo("- [ ] a", &parsed, &parsed.todos[0], &odd, None).is_err());
    }

    #[test]
    fn graph_pages_keep_dates_on_own_lines() {
        let change = |text: &str, change: &TodoChange| {
            let page = page(text);
            made(text, &update_todo(text, &page, &page.todos[0], change, None).unwrap())
        };
        assert_eq!(change("- TODO a\n- b", &due(Some("2026-12-01"))), "- TODO a\n  DEADLINE: <2026-12-01 Tue>\n- b");
        assert_eq!(
            change("- TODO a\n  DEADLINE: <2026-11-20 Fri +1w>", &due(Some("2026-12-01"))),
            "- TODO a\n  DEADLINE: <2026-12-01 Tue +1w>"
        );
        assert_eq!(change("- TODO a\n  DEADLINE: <2026-11-20 Fri>\n- b", &due(None)), "- TODO a\n- b");
    }

    proptest! {
        #[test]
        fn other_lines_stay(
            before in "([a-z]{0,5}(\r\n|\n)){0,3}",
            line in "- \\[[ x/]\\] [a-z]{1,5}( 📅 2026-12-01| \\[due:: 2026-01-01\\])?( \\^id)?",
            after in "((\r\n|\n)[a-z]{0,5}){0,3}",
        ) {
            let text = format!("{before}{line}{after}");
            let parsed = note(&text);
            prop_assume!(parsed.todos.len() == 1);
            let edits = update_todo(&text, &parsed, &parsed.todos[0], &due(Some("2027-01-02")), None).unwrap();
            let changed = made(&text, &edits);
            prop_assert!(changed.starts_with(&before) && changed.ends_with(&after));
            let again = note(&changed);
            prop_assert_eq!(again.todos[0].date(SignKind::Due).map(|date| date.to_string()), Some("2027-01-02".to_owned()));
            prop_assert_eq!(&again.todos[0].text, &parsed.todos[0].text);
        }
    }
}
