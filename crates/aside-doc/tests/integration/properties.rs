//! The promise of anchored edits, on random texts: the true edit or an error, never a third thing.

use std::ops::Range;

use aside_core::Version;
use aside_doc::{
    AnchoredEdit, BaseText, Lines, Plan, Reason, Report, TextDocument, apply_splices, decode, encode, invert, plan,
};
use proptest::{collection::vec, prelude::*, sample::select};

/// Few different lines, so that twins are common.
fn line() -> impl Strategy<Value = String> {
    select(vec![
        "", "}", "{", "x", "    x", "  go()", "  # note", "\tz", "it’s", "it's", "a – b", "👍", "e\u{301}", "שלום",
        "end", "return x", "  ", "x  ", "...",
    ])
    .prop_map(str::to_owned)
}

fn text() -> impl Strategy<Value = String> {
    let numbered = (0..40_u32).prop_map(|number| format!("line {number}"));
    (vec(prop_oneof![2 => line(), 1 => numbered], 0..25), any::<bool>()).prop_map(|(lines, ended)| {
        let text = lines.join("\n");
        let blank_end = lines.last().is_none_or(String::is_empty);
        if lines.is_empty() {
            text
        } else if ended || blank_end {
            text + "\n"
        } else {
            text
        }
    })
}

/// An edit as it is meant: these lines of the text become those.
#[derive(Clone, Debug)]
struct Truth {
    lines: Range<usize>,
    new: Vec<String>,
}

fn truth(count: usize) -> impl Strategy<Value = Truth> {
    (0..=count, 0..5_usize, vec(line(), 0..4)).prop_map(move |(start, length, new)| {
        let end = (start + length).min(count);
        Truth { lines: start..end, new }
    })
}

fn text_and_truth() -> impl Strategy<Value = (String, Truth)> {
    text().prop_flat_map(|text| {
        let count = Lines::new(&text).len();
        (Just(text), truth(count))
    })
}

impl Truth {
    /// Says it as an author does who makes no mistake.
    fn edit(&self, text: &str) -> AnchoredEdit {
        let lines = Lines::new(text);
        let number = |line: usize| u32::try_from(line).unwrap();
        AnchoredEdit {
            start: Some(number(self.lines.start + 1)),
            end: Some(number(self.lines.end)),
            old: (!self.lines.is_empty()).then(|| ended(&lines.owned(self.lines.clone()))),
            new: ended(&self.new),
        }
    }

    /// The lines of the text with the edit made.
    fn made(&self, text: &str) -> Vec<String> {
        let lines = Lines::new(text);
        let mut result = lines.owned(0..self.lines.start);
        result.extend_from_slice(&self.new);
        result.extend(lines.owned(self.lines.end..lines.len()));
        result
    }

    fn changes(&self, text: &str) -> bool {
        self.made(text) != Lines::new(text).owned(0..Lines::new(text).len())
    }
}

fn ended(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn all(text: &str) -> Vec<String> {
    let lines = Lines::new(text);
    lines.owned(0..lines.len())
}

fn planned(current: &str, base: Option<&str>, edits: &[AnchoredEdit]) -> Result<Plan, Report> {
    let base = base.map(|text| BaseText { version: Version::of(text), text });
    plan(current, &Version::of(current), base.as_ref(), edits)
}

/// What models get wrong.
#[derive(Clone, Debug)]
enum Mistake {
    JumpedHunk(i64),
    WrongCount(i64),
    NoNumbers,
    NoVersion,
    LostLine(usize),
    LostComment,
    TrailingBlanks,
    Stripped,
    Outdented,
    PlainQuotes,
    CarriageReturns,
}

fn mistake() -> impl Strategy<Value = Mistake> {
    prop_oneof![
        (-3..4_i64).prop_map(Mistake::JumpedHunk),
        (-2..3_i64).prop_map(Mistake::WrongCount),
        Just(Mistake::NoNumbers),
        Just(Mistake::NoVersion),
        (0..4_usize).prop_map(Mistake::LostLine),
        Just(Mistake::LostComment),
        Just(Mistake::TrailingBlanks),
        Just(Mistake::Stripped),
        Just(Mistake::Outdented),
        Just(Mistake::PlainQuotes),
        Just(Mistake::CarriageReturns),
    ]
}

fn each_line(text: &str, change: impl Fn(&str) -> String) -> String {
    text.lines().map(|line| change(line) + "\n").collect()
}

fn both(edit: &mut AnchoredEdit, change: impl Fn(&str) -> String) {
    edit.old = edit.old.as_deref().map(|old| each_line(old, &change));
    edit.new = each_line(&edit.new, &change);
}

fn plain(text: &str) -> String {
    text.replace('’', "'").replace('–', "-")
}

fn shifted(line: Option<u32>, by: i64) -> Option<u32> {
    line.map(|line| u32::try_from(i64::from(line) + by).unwrap_or(0))
}

fn with_mistake(mut edit: AnchoredEdit, mistake: &Mistake) -> AnchoredEdit {
    match mistake {
        Mistake::JumpedHunk(by) => {
            edit.start = shifted(edit.start, *by);
            edit.end = shifted(edit.end, *by);
        }
        Mistake::WrongCount(by) => edit.end = shifted(edit.end, *by),
        Mistake::NoNumbers => (edit.start, edit.end) = (None, None),
        Mistake::NoVersion => {}
        Mistake::LostLine(at) => {
            let old = edit.old.take().unwrap_or_default();
            let kept = old.lines().enumerate().filter(|(line, _)| line != at);
            edit.old = Some(kept.map(|(_, line)| format!("{line}\n")).collect());
        }
        Mistake::LostComment => {
            let old = edit.old.take().unwrap_or_default();
            edit.old = Some(old.lines().filter(|line| !line.contains('#')).map(|line| format!("{line}\n")).collect());
        }
        Mistake::TrailingBlanks => both(&mut edit, |line| format!("{line} ")),
        Mistake::Stripped => both(&mut edit, |line| line.trim_end().to_owned()),
        Mistake::Outdented => both(&mut edit, |line| line.strip_prefix("  ").unwrap_or(line).to_owned()),
        Mistake::PlainQuotes => both(&mut edit, plain),
        Mistake::CarriageReturns => {
            edit.old = edit.old.map(|old| old.replace('\n', "\r\n"));
            edit.new = edit.new.replace('\n', "\r\n");
        }
    }
    edit
}

/// Lines as they compare after a mistake that itself changes what comes.
fn alike(lines: &[String], mistake: &Mistake) -> Vec<String> {
    let compared = |line: &String| match mistake {
        Mistake::TrailingBlanks | Mistake::Stripped => line.trim_end().to_owned(),
        // Blanks at the ends of lines stand for an outdent of blank lines.
        Mistake::Outdented => line.trim().to_owned(),
        Mistake::PlainQuotes => plain(line.trim_end()),
        _ => line.clone(),
    };
    lines.iter().map(compared).collect()
}

/// Tells whether the named lines hold the old text although they are not those that were meant.
fn names_a_twin(text: &str, edit: &AnchoredEdit, truth: &Truth) -> bool {
    let (Some(start), Some(old)) = (edit.start, &edit.old) else { return edit.old.is_none() };
    let old: Vec<&str> = old.lines().collect();
    let start = (start as usize).saturating_sub(1);
    let lines = Lines::new(text);
    start != truth.lines.start
        && start + old.len() <= lines.len()
        && lines.range(start..start + old.len()).map(str::trim).eq(old.iter().map(|line| line.trim()))
}

/// Tells whether a text has some of its lines a second time.
fn has_twin(lines: &[String], block: &Range<usize>) -> bool {
    let twins = |line: &String| lines.iter().filter(|other| *other == line).count() > 1;
    !block.is_empty() && lines[block.clone()].iter().all(twins)
}

fn check_untouched(current: &str, plan: &Plan) -> Result<(), TestCaseError> {
    let (before, after_text) = (all(current), plan.text_after(current));
    let after = all(&after_text);
    let (mut from_before, mut from_after) = (0, 0);
    for hunk in &plan.hunks {
        let start = hunk.range_before.start as usize - 1;
        let length = start - from_before;
        prop_assert_eq!(&before[from_before..start], &after[from_after..from_after + length]);
        prop_assert_eq!(&before[start..start + hunk.old.len()], &hunk.old[..]);
        let start_after = hunk.range_after.start as usize - 1;
        prop_assert_eq!(start_after, from_after + length);
        prop_assert_eq!(&after[start_after..start_after + hunk.new.len()], &hunk.new[..]);
        (from_before, from_after) = (start + hunk.old.len(), start_after + hunk.new.len());
    }
    prop_assert_eq!(&before[from_before..], &after[from_after..]);
    Ok(())
}

/// `PROPTEST_CASES` asks for more.
fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    let cases = default.cases.max(500);
    ProptestConfig { cases, max_global_rejects: cases * 20, failure_persistence: None, ..default }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_true_edit_is_made((text, truth) in text_and_truth()) {
        prop_assume!(truth.changes(&text));
        let plan = planned(&text, Some(&text), &[truth.edit(&text)]).unwrap();
        check_untouched(&text, &plan)?;
        prop_assert_eq!(all(&plan.text_after(&text)), truth.made(&text));
    }

    #[test]
    fn an_edit_with_mistakes_is_the_true_one_or_an_error(
        (text, truth) in text_and_truth(),
        mistake in mistake(),
    ) {
        prop_assume!(truth.changes(&text));
        let edit = with_mistake(truth.edit(&text), &mistake);
        prop_assume!(!matches!(mistake, Mistake::JumpedHunk(_)) || !names_a_twin(&text, &edit, &truth));
        // Without old text the numbers are all there is; an author who loses lines of `old` means fewer lines.
        prop_assume!(!matches!(mistake, Mistake::WrongCount(_)) || edit.old.is_some());
        let base = (!matches!(mistake, Mistake::NoVersion)).then_some(&text[..]);
        if let Ok(plan) = planned(&text, base, std::slice::from_ref(&edit)) {
            check_untouched(&text, &plan)?;
            let made = alike(&all(&plan.text_after(&text)), &mistake);
            let lost = matches!(mistake, Mistake::LostLine(_) | Mistake::LostComment);
            if plan.changes_nothing() {
                prop_assert!(plan.report.applied[0].already);
            } else if !lost {
                prop_assert_eq!(made, alike(&truth.made(&text), &mistake), "{:?}", edit);
            }
        }
    }

    #[test]
    fn an_edit_of_an_earlier_version_is_the_true_one_or_an_error(
        (base, truth) in text_and_truth(),
        above in vec((0..1000_usize, 0..3_usize, vec(line(), 0..3)), 0..3),
        below in vec((0..1000_usize, 0..3_usize, vec(line(), 0..3)), 0..3),
    ) {
        prop_assume!(truth.changes(&base));
        let lines = all(&base);
        // Of `a a`, where the first went and another came below, nobody can tell which of the two is which.
        prop_assume!(above.is_empty() || below.is_empty() || !has_twin(&lines, &truth.lines));
        let mut head = lines[..truth.lines.start].to_vec();
        let mut tail = lines[truth.lines.end..].to_vec();
        for (part, changes) in [(&mut head, &above), (&mut tail, &below)] {
            for (at, length, new) in changes {
                let at = at * part.len() / 1000;
                let end = (at + length).min(part.len());
                part.splice(at..end, new.iter().cloned());
            }
        }
        let now = [&head[..], &lines[truth.lines.clone()], &tail[..]].concat();
        // Nor where what came is the second.
        let block = head.len()..head.len() + truth.lines.len();
        prop_assume!(above.is_empty() || below.is_empty() || !has_twin(&now, &block));
        let current = ended(&now);
        let expected = [&head[..], &truth.new[..], &tail[..]].concat();
        if let Ok(plan) = planned(&current, Some(&base), &[truth.edit(&base)]) {
            check_untouched(&current, &plan)?;
            let made = all(&plan.text_after(&current));
            // An insertion next to lines that came since may go to either side of them.
            let insertion = truth.lines.is_empty();
            prop_assert!(plan.changes_nothing() || insertion || made == expected, "{:?} instead of {:?}", made, expected);
        }
    }

    #[test]
    fn an_edit_of_lines_that_went_is_not_made_elsewhere((base, truth) in text_and_truth(), retyped in vec("[qw]{1,3}", 0..3)) {
        prop_assume!(truth.changes(&base) && !truth.lines.is_empty());
        let lines = all(&base);
        let current = ended(&[&lines[..truth.lines.start], &retyped[..], &lines[truth.lines.end..]].concat());
        prop_assume!(retyped != truth.new);
        if let Ok(plan) = planned(&current, Some(&base), &[truth.edit(&base)]) {
            prop_assert!(plan.changes_nothing(), "{:?} from {:?}", plan.text_after(&current), current);
        }
    }

    #[test]
    fn asking_twice_does_it_once((text, truth) in text_and_truth()) {
        prop_assume!(truth.changes(&text));
        let edit = truth.edit(&text);
        let once = planned(&text, Some(&text), std::slice::from_ref(&edit)).unwrap().text_after(&text);
        if let Ok(again) = planned(&once, Some(&text), &[edit]) {
            prop_assert_eq!(again.text_after(&once), once);
        }
    }

    #[test]
    fn an_edit_and_its_inverse_change_nothing(text in text(), edits in vec((0..1000_usize, 0..4_usize, "[ab\n]{0,6}", 0..3_usize), 1..4)) {
        let count = Lines::new(&text).len();
        let edits = edits.into_iter().map(|(at, length, new, form)| {
            let start = at * count / 1000;
            let lines = Lines::new(&text);
            let old = lines.slice(start..(start + length).min(count)).to_owned();
            AnchoredEdit {
                start: Some(u32::try_from(start + 1).unwrap()),
                end: None,
                old: Some(if form == 0 { old.trim_end_matches('\n').to_owned() } else { old }),
                new,
            }
        });
        let edits: Vec<_> = edits.collect();
        if let Ok(plan) = planned(&text, Some(&text), &edits) {
            check_untouched(&text, &plan)?;
            let after = plan.text_after(&text);
            let back = planned(&after, Some(&after), &invert(&plan, &text));
            prop_assert!(back.is_ok(), "{:?}", back);
            let back = back.unwrap();
            prop_assert_eq!(back.text_after(&after), text.clone());
            let again = planned(&text, Some(&text), &invert(&back, &after)).unwrap();
            prop_assert_eq!(again.text_after(&text), after);
        }
    }

    #[test]
    fn an_inverse_keeps_what_was_typed_since((text, truth) in text_and_truth(), above in 0..3_usize, below in 0..3_usize) {
        prop_assume!(truth.changes(&text));
        let plan = planned(&text, Some(&text), &[truth.edit(&text)]).unwrap();
        let after = plan.text_after(&text);
        // In an empty text there is no above and below.
        prop_assume!(!after.is_empty());
        let typed = |count: usize, mark: &str| (0..count).map(|line| format!("{mark} {line}\n")).collect::<String>();
        let (above, below) = (typed(above, "typed above"), typed(below, "typed below"));
        let gap = if after.is_empty() || after.ends_with('\n') || below.is_empty() { "" } else { "\n" };
        let now = format!("{above}{after}{gap}{below}");
        match planned(&now, Some(&after), &invert(&plan, &text)) {
            Ok(back) => prop_assert_eq!(all(&back.text_after(&now)), all(&format!("{above}{}{below}", ended(&all(&text))))),
            Err(report) => prop_assert_eq!(report.failed[0].reason, Reason::Stale),
        }
    }

    #[test]
    fn the_bytes_of_other_lines_stay((pieces, truth) in pieces_and_truth()) {
        let bytes: Vec<u8> = pieces.iter().flat_map(|(line, ending)| [line.as_bytes(), ending.as_bytes()].concat()).collect();
        let (text, shape) = decode(&bytes).unwrap();
        prop_assume!(all(&text).len() == pieces.len() && truth.changes(&text));
        let plan = planned(&text, Some(&text), &[truth.edit(&text)]).unwrap();
        let written = encode(&plan.text_after(&text), &shape);
        let (again, _) = decode(&written).unwrap();
        prop_assert_eq!(all(&again), truth.made(&text));
        let raw = |lines: &[(String, &str)]| -> Vec<u8> {
            lines.iter().flat_map(|(line, ending)| [line.as_bytes(), ending.as_bytes()].concat()).collect()
        };
        // The line at the end may get or lose a terminator; a blank line after a lone CR has to choose CR.
        let head = raw(&pieces[..truth.lines.start.saturating_sub(1)]);
        prop_assert!(written.starts_with(&head));
    }

    #[test]
    fn an_edit_of_a_live_text_and_typing_meanwhile_meet((text, truth) in text_and_truth(), at in 0..1000_usize, typed in "[qw\n👍]{1,4}") {
        prop_assume!(truth.changes(&text));
        let mut agent = TextDocument::from_text(&text);
        let mut person = TextDocument::from_updates([agent.replica().encode_state()]).unwrap();
        let at = (0..=at * text.len() / 1000).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let typing = person.apply(&[aside_doc::Splice { range: at..at, insert: typed }], "typing").unwrap();
        let plan = planned(&text, Some(&text), &[truth.edit(&text)]).unwrap();
        prop_assert_eq!(apply_splices(&text, &plan.splices), plan.text_after(&text));
        let change = agent.apply(&plan.splices, "agent").unwrap();
        prop_assert_eq!(&*agent.text(), &plan.text_after(&text));
        agent.replica_mut().merge(&typing.update).unwrap();
        person.replica_mut().merge(&change.update).unwrap();
        prop_assert_eq!(agent.text(), person.text());
    }
}

fn pieces_and_truth() -> impl Strategy<Value = (Vec<(String, &'static str)>, Truth)> {
    let piece = (select(vec!["a", "bb", "c c", "👍", "d"]), select(vec!["\n", "\r\n", "\r"]));
    vec(piece.prop_map(|(line, ending)| (line.to_owned(), ending)), 1..15).prop_flat_map(|pieces| {
        let count = pieces.len();
        (Just(pieces), truth(count))
    })
}
