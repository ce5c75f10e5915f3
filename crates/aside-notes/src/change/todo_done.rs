//! A todo that is done, with its done date and the next one of a repetition; and one that is not done after all.

use jiff::civil::Date;

use super::{
    ByteEdit, ChangeRefused, Repeat,
    lines::ending_near,
    sign::{NewValue, own_style},
    todo_update::{Signs, logseq_date},
};
use crate::{Sign, SignKind, SignStyle, Todo, TodoDate, TodoState};

/// The edits that end a todo, and what is to be told about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finished {
    /// The edits; none if it is done already.
    pub edits: Vec<ByteEdit>,
    /// A remark: why there is no next one, or that it was done already.
    pub remark: Option<String>,
    /// The line of the next one as it is written.
    pub next: Option<String>,
}

/// Marks a todo as done on a day. The next one of a repetition stands above it.
pub fn finish(text: &str, todo: &Todo, today: Date) -> Result<Finished, ChangeRefused> {
    if todo.state == TodoState::Done {
        return Ok(Finished { remark: Some("It is done already.".to_owned()), ..Finished::default() });
    }
    let rule = todo.words(SignKind::Repeat);
    let repeat = rule.and_then(Repeat::parse);
    let shifted = repeat.as_ref().map(|repeat| shifted(todo, repeat, today)).unwrap_or_default();
    let remark = match (rule, &repeat) {
        (Some(rule), None) => Some(format!("There is no next one: `{rule}` is no rule of repetition.")),
        (Some(_), Some(_)) if shifted.is_empty() => {
            Some("There is no next one: it repeats, but has no date.".to_owned())
        }
        _ => None,
    };
    let is_logseq = todo.signs.iter().any(|sign| sign.kind == SignKind::Repeat && sign.style == SignStyle::Logseq);
    if is_logseq && !shifted.is_empty() {
        let mut edits: Vec<ByteEdit> = shifted.iter().map(|(sign, date)| logseq_date(text, sign, *date)).collect();
        if todo.state != TodoState::Open {
            edits.push(ByteEdit::replace(todo.mark_range.clone(), if todo.word { "TODO" } else { " " }));
        }
        return Ok(Finished { edits, remark, next: None });
    }
    let mark = if todo.word { "DONE" } else { "x" };
    let style = own_style(todo).filter(|style| *style != SignStyle::Logseq);
    let mut signs = Signs {
        text,
        todo,
        style: style.unwrap_or(SignStyle::Emoji),
        inline: String::new(),
        lines: String::new(),
        edits: vec![ByteEdit::replace(todo.mark_range.clone(), mark)],
    };
    if style.is_some() {
        signs.set(SignKind::Done, Some(NewValue::Date(TodoDate { date: today, time: None })))?;
    }
    let mut edits = signs.ended();
    let next = (!shifted.is_empty()).then(|| next_line_of(text, todo, &shifted)).transpose()?;
    if let Some(next) = &next {
        let ending = ending_near(text, todo.range.start);
        let start = super::lines::line_start(text, todo.range.start);
        edits.push(ByteEdit::insert(start, format!("{next}{ending}")));
    }
    Ok(Finished { edits, remark, next })
}

/// Takes the mark and the done date of a done todo away.
pub fn reopen(text: &str, todo: &Todo) -> Finished {
    if todo.state != TodoState::Done {
        return Finished { remark: Some("It is not done.".to_owned()), ..Finished::default() };
    }
    let mark = if todo.word { "TODO" } else { " " };
    let edits = vec![ByteEdit::replace(todo.mark_range.clone(), mark)];
    let signs = Signs { text, todo, style: SignStyle::Emoji, inline: String::new(), lines: String::new(), edits };
    let gone = todo.signs.iter().filter(|sign| sign.kind == SignKind::Done).map(|sign| signs.with_space(sign));
    let gone: Vec<ByteEdit> = gone.map(ByteEdit::delete).collect();
    let mut edits = signs.ended();
    edits.extend(gone);
    Finished { edits, remark: None, next: None }
}

/// The dates of the next one: the first by the rule, the others moved on by as many days.
fn shifted<'a>(todo: &'a Todo, repeat: &Repeat, today: Date) -> Vec<(&'a Sign, TodoDate)> {
    let kinds = [SignKind::Due, SignKind::Scheduled, SignKind::Start];
    let dates = kinds.into_iter().filter_map(|kind| Some((todo.sign(kind)?, todo.date(kind)?)));
    let dates: Vec<(&Sign, TodoDate)> = dates.collect();
    let Some((_, first)) = dates.first() else { return Vec::new() };
    let Some(next) = repeat.next(first.date, today) else { return Vec::new() };
    let Ok(distance) = first.date.until(next) else { return Vec::new() };
    let moved = |date: TodoDate| date.date.checked_add(distance).ok().map(|day| TodoDate { date: day, ..date });
    dates.into_iter().filter_map(|(sign, date)| Some((sign, moved(date)?))).collect()
}

/// The todo's line, open and with other dates, without done date and ids.
fn next_line_of(text: &str, todo: &Todo, shifted: &[(&Sign, TodoDate)]) -> Result<String, ChangeRefused> {
    let start = super::lines::line_start(text, todo.range.start);
    let mark = if todo.word { "TODO" } else { " " };
    let mut edits = vec![ByteEdit::replace(todo.mark_range.clone(), mark)];
    for (sign, date) in shifted {
        let written = &text[sign.value_range.clone()];
        let new = super::sign::value_in_place(written, &NewValue::Date(*date), sign.style);
        edits.push(ByteEdit::replace(sign.value_range.clone(), new));
    }
    let signs =
        Signs { text, todo, style: SignStyle::Emoji, inline: String::new(), lines: String::new(), edits: vec![] };
    let gone = todo.signs.iter().filter(|sign| matches!(sign.kind, SignKind::Done | SignKind::Id));
    edits.extend(gone.map(|sign| ByteEdit::delete(signs.with_space(sign))));
    if let Some(block) = todo.block.as_ref().filter(|block| todo.body.contains(&block.range.start)) {
        let space = text[..block.range.start].len() - text[..block.range.start].trim_end().len();
        edits.push(ByteEdit::delete(block.range.start - space..block.range.end));
    }
    for edit in &mut edits {
        edit.range = edit.range.start - start..edit.range.end - start;
    }
    super::edited(&text[start..todo.range.end], &edits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::testing::{made, note, page};

    fn done(text: &str, line: u32) -> String {
        finished(text, line, &note(text))
    }

    fn finished(text: &str, line: u32, note: &crate::Note) -> String {
        let todo = note.todos.iter().find(|todo| todo.line == line).unwrap();
        made(text, &finish(text, todo, "2026-11-27".parse().unwrap()).unwrap().edits)
    }

    #[test]
    fn done_date_takes_the_notation_of_the_todo() {
        for (before, after) in [
            ("- [ ] buy milk", "- [x] buy milk"),
            ("* [ ] pay 📅 2026-12-01 ^id1\r\n", "* [x] pay 📅 2026-12-01 ✅ 2026-11-27 ^id1\r\n"),
            ("- [/] pay [due:: 2026-12-01]", "- [x] pay [due:: 2026-12-01] [completion:: 2026-11-27]"),
            ("1. [ ] pay (due 2026-12-01)", "1. [x] pay (due 2026-12-01) (done 2026-11-27)"),
            ("- [ ] pay @due(2026-12-01) now", "- [x] pay @due(2026-12-01) now (done 2026-11-27)"),
            ("> - [ ] quoted 🔼", "> - [x] quoted 🔼 ✅ 2026-11-27"),
            ("- [ ] hard break \\\nnext", "- [x] hard break \\\nnext"),
            ("- [x] done already", "- [x] done already"),
        ] {
            assert_eq!(done(before, 1), after);
        }
    }

    #[test]
    fn repeat_puts_the_next_one_above() {
        for (before, after) in [
            (
                "a\r\n- [ ] rent 🔁 every month 📅 2026-01-31 🆔 x ^b\r\n",
                "a\r\n- [ ] rent 🔁 every month 📅 2026-02-28\r\n\
                 - [x] rent 🔁 every month 📅 2026-01-31 🆔 x ✅ 2026-11-27 ^b\r\n",
            ),
            (
                "a\n  - [ ] water [repeat:: every 3 days when done] [due:: 2026-11-20] [start:: 2026-11-19]",
                "a\n  - [ ] water [repeat:: every 3 days when done] [due:: 2026-11-30] [start:: 2026-11-29]\n\
                 \u{20}\u{20}- [x] water [repeat:: every 3 days when done] [due:: 2026-11-20] [start:: 2026-11-19] [completion:: 2026-11-27]",
            ),
        ] {
            assert_eq!(done(before, 2), after);
        }
    }

    #[test]
    fn repeat_without_date_is_told() {
        let text = "- [ ] stretch 🔁 every day";
        let parsed = note(text);
        let finished = finish(text, &parsed.todos[0], "2026-11-27".parse().unwrap()).unwrap();
        assert!(finished.next.is_none() && finished.remark.is_some());
        assert_eq!(made(text, &finished.edits), "- [x] stretch 🔁 every day ✅ 2026-11-27");
    }

    #[test]
    fn logseq_dates_move_in_place() {
        let text = "- DOING water\n  SCHEDULED: <2026-11-20 Fri .+1w>\n- x";
        assert_eq!(finished(text, 1, &page(text)), "- TODO water\n  SCHEDULED: <2026-12-04 Fri .+1w>\n- x");
        let text = "- TODO [#A] call\n  DEADLINE: <2026-11-20 Fri>";
        assert_eq!(finished(text, 1, &page(text)), "- DONE [#A] call\n  DEADLINE: <2026-11-20 Fri>");
    }

    #[test]
    fn reopened_todo_loses_mark_and_done_date() {
        for (before, after) in [
            ("- [x] a ✅ 2026-11-27 📅 2026-12-01", "- [ ] a 📅 2026-12-01"),
            ("- [X] a (done 2026-11-27)", "- [ ] a"),
            ("- [/] a", "- [/] a"),
        ] {
            assert_eq!(made(before, &reopen(before, &note(before).todos[0]).edits), after);
        }
    }
}
