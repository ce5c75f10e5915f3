//! The signs of a todo: dates, repeats, priorities and ids, in the notations that people use.

use std::ops::Range;

use super::{
    Priority, Sign, SignKind, SignStyle, SignValue,
    repeat::{repeat_length, repeater_length},
};
use crate::{
    Flavour, date_at_start,
    scan::{Mask, mask_at},
    todo_date_at_start,
};

/// The emoji of the Tasks plugin.
const EMOJI: [(char, SignKind); 13] = [
    ('📅', SignKind::Due),
    ('📆', SignKind::Due),
    ('🗓', SignKind::Due),
    ('⏳', SignKind::Scheduled),
    ('⌛', SignKind::Scheduled),
    ('🛫', SignKind::Start),
    ('✅', SignKind::Done),
    ('❌', SignKind::Cancelled),
    ('➕', SignKind::Created),
    ('🔁', SignKind::Repeat),
    ('🆔', SignKind::Id),
    ('⛔', SignKind::DependsOn),
    ('🏁', SignKind::OnCompletion),
];

const PRIORITIES: [(char, Priority); 5] = [
    ('🔺', Priority::Highest),
    ('⏫', Priority::High),
    ('🔼', Priority::Medium),
    ('🔽', Priority::Low),
    ('⏬', Priority::Lowest),
];

/// Fields of Dataview.
const FIELDS: [(&str, SignKind); 8] = [
    ("due", SignKind::Due),
    ("scheduled", SignKind::Scheduled),
    ("start", SignKind::Start),
    ("completion", SignKind::Done),
    ("cancelled", SignKind::Cancelled),
    ("created", SignKind::Created),
    ("repeat", SignKind::Repeat),
    ("priority", SignKind::Priority),
];

/// Words of `(due D)`, `@due(D)` and `due:D`.
const PLAIN: [(&str, SignKind); 4] =
    [("due", SignKind::Due), ("scheduled", SignKind::Scheduled), ("start", SignKind::Start), ("done", SignKind::Done)];

/// A sign at the start of a text; its ranges count from there.
struct Read {
    kind: SignKind,
    style: SignStyle,
    length: usize,
    value_range: Range<usize>,
    value: SignValue,
}

/// Reads the signs of a part of a line; there are none in code, comments and formulas.
pub(crate) fn signs(text: &str, range: Range<usize>, masks: &[(Range<usize>, Mask)], flavour: Flavour) -> Vec<Sign> {
    let (mut signs, mut at) = (Vec::new(), range.start);
    while at < range.end {
        if let Some((mask, _)) = mask_at(masks, at) {
            at = mask.end;
            continue;
        }
        let rest = &text[at..range.end];
        let Some(character) = rest.chars().next() else { break };
        let before = text[range.start..at].chars().next_back();
        match sign(rest, character, before, flavour) {
            Some(found) => {
                let value_range = at + found.value_range.start..at + found.value_range.end;
                let range = at..at + found.length;
                signs.push(Sign { kind: found.kind, style: found.style, range, value_range, value: found.value });
                at += found.length;
            }
            None => at += character.len_utf8(),
        }
    }
    signs
}

/// Bytes of the longest sign: one without its closing bracket must not be looked for to the end of a long line.
const LONGEST: usize = 300;

fn sign(rest: &str, character: char, before: Option<char>, flavour: Flavour) -> Option<Read> {
    let rest = &rest[..rest.floor_char_boundary(LONGEST)];
    let begins = before.is_none_or(char::is_whitespace);
    match character {
        '[' if flavour == Flavour::Logseq => logseq_priority(rest).or_else(|| field(rest, ']')),
        '[' => field(rest, ']'),
        '(' => field(rest, ')').or_else(|| in_parentheses(rest)),
        '@' if before.is_none_or(|before| !before.is_alphanumeric()) => at_sign(rest),
        _ if character.is_ascii_alphabetic() && begins => with_colon(rest),
        _ if !character.is_ascii() => emoji(rest, character),
        _ => None,
    }
}

/// `📅 2026-12-01`.
fn emoji(rest: &str, character: char) -> Option<Read> {
    let mut from = character.len_utf8();
    from += if rest[from..].starts_with('\u{fe0f}') { 3 } else { 0 };
    if let Some((_, priority)) = PRIORITIES.iter().find(|(sign, _)| *sign == character) {
        let (kind, value) = (SignKind::Priority, SignValue::Priority(*priority));
        return Some(Read { kind, style: SignStyle::Emoji, length: from, value_range: 0..from, value });
    }
    let (_, kind) = EMOJI.iter().find(|(sign, _)| *sign == character)?;
    from += spaces(&rest[from..]);
    let (length, value) = emoji_value(*kind, &rest[from..])?;
    let value_range = from..from + length;
    Some(Read { kind: *kind, style: SignStyle::Emoji, length: from + length, value_range, value })
}

fn emoji_value(kind: SignKind, rest: &str) -> Option<(usize, SignValue)> {
    let text = |length: usize| Some((length, SignValue::Text(rest[..length].to_owned())));
    let word = |text: &str| {
        text.find(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_' && sign != '-').unwrap_or(text.len())
    };
    match kind {
        SignKind::Repeat => text(repeat_length(rest)?),
        SignKind::Id | SignKind::OnCompletion => text(Some(word(rest)).filter(|length| *length > 0)?),
        SignKind::DependsOn => {
            let mut length = Some(word(rest)).filter(|length| *length > 0)?;
            while let Some(more) = rest[length..].strip_prefix(',') {
                let next = word(more.trim_start());
                if next == 0 {
                    break;
                }
                length += 1 + spaces(more) + next;
            }
            text(length)
        }
        _ => date(rest),
    }
}

fn date(text: &str) -> Option<(usize, SignValue)> {
    let (date, length) = todo_date_at_start(text)?;
    let ends = !text[length..].starts_with(char::is_alphanumeric);
    ends.then_some((length, SignValue::Date(date)))
}

/// `[due:: 2026-12-01]` or `(due:: 2026-12-01)`.
fn field(rest: &str, close: char) -> Option<Read> {
    let inside = rest[1..].split_once(close)?.0;
    let (name, value) = inside.split_once("::")?;
    let (_, kind) = FIELDS.iter().find(|(field, _)| field.eq_ignore_ascii_case(name.trim()))?;
    let trimmed = value.trim();
    let start = 1 + name.len() + 2 + spaces(value);
    let value = match kind {
        SignKind::Priority => SignValue::Priority(Priority::of_name(trimmed)?),
        SignKind::Repeat => whole_repeat(trimmed)?,
        _ => whole_date(trimmed)?,
    };
    let value_range = start..start + trimmed.len();
    Some(Read { kind: *kind, style: SignStyle::Dataview, length: inside.len() + 2, value_range, value })
}

/// `(due 2026-12-01)` or `(every week)`.
fn in_parentheses(rest: &str) -> Option<Read> {
    let inside = rest[1..].split_once(')')?.0;
    let length = inside.len() + 2;
    if let Some(value) = whole_repeat(inside.trim()) {
        let start = 1 + spaces(inside);
        let value_range = start..start + inside.trim().len();
        return Some(Read { kind: SignKind::Repeat, style: SignStyle::PlainRound, length, value_range, value });
    }
    let (word, value) = inside.split_once(char::is_whitespace)?;
    let kind = plain_kind(word)?;
    let start = 1 + word.len() + 1 + spaces(value);
    let value_range = start..start + value.trim().len();
    Some(Read { kind, style: SignStyle::PlainRound, length, value_range, value: whole_date(value.trim())? })
}

/// `@due(2026-12-01)`.
fn at_sign(rest: &str) -> Option<Read> {
    let (word, inside) = rest[1..].split_once('(')?;
    let kind = plain_kind(word)?;
    let inside = inside.split_once(')')?.0;
    let start = 1 + word.len() + 1;
    let value_range = start + spaces(inside)..start + spaces(inside) + inside.trim().len();
    let length = start + inside.len() + 1;
    Some(Read { kind, style: SignStyle::PlainAt, length, value_range, value: whole_date(inside.trim())? })
}

/// `due:2026-12-01`, with white space on both sides.
fn with_colon(rest: &str) -> Option<Read> {
    let length = rest.find(|sign: char| !sign.is_ascii_alphabetic())?;
    let kind = plain_kind(&rest[..length])?;
    let value = rest[length..].strip_prefix(':')?;
    let (date, taken) = todo_date_at_start(value).filter(|(_, taken)| ends(&value[*taken..]))?;
    let (start, value) = (length + 1, SignValue::Date(date));
    Some(Read { kind, style: SignStyle::PlainColon, length: start + taken, value_range: start..start + taken, value })
}

/// `[#A]`.
fn logseq_priority(rest: &str) -> Option<Read> {
    let priority = match rest.get(..4)? {
        "[#A]" => Priority::High,
        "[#B]" => Priority::Medium,
        "[#C]" => Priority::Low,
        _ => return None,
    };
    let (kind, value) = (SignKind::Priority, SignValue::Priority(priority));
    Some(Read { kind, style: SignStyle::Logseq, length: 4, value_range: 2..3, value })
}

/// Reads a line `DEADLINE: <2026-12-01 Tue 14:30 .+1w>` of a Logseq graph: a date, and a repeat if there is one.
pub(crate) fn read_planning(text: &str, line: Range<usize>) -> Vec<Sign> {
    let mut signs = Vec::new();
    for (word, kind) in [("DEADLINE:", SignKind::Due), ("SCHEDULED:", SignKind::Scheduled)] {
        let Some(at) = text[line.clone()].find(word).map(|at| line.start + at) else { continue };
        let open = at + word.len() + spaces(&text[at + word.len()..line.end]);
        let Some(inside) = text[open..line.end].strip_prefix('<').and_then(|rest| rest.split_once('>')) else {
            continue;
        };
        let (inside, start) = (inside.0, open + 1);
        let Some((date, _)) = date_at_start(inside) else { continue };
        let part = |wanted: &dyn Fn(&str) -> bool| {
            inside.split(' ').find(|part| wanted(part)).map(|part| part.as_ptr() as usize - inside.as_ptr() as usize)
        };
        let time = part(&|part| part.len() == 5 && part.as_bytes()[2] == b':')
            .and_then(|at| todo_date_at_start(&format!("{date} {}", &inside[at..at + 5])));
        let value = time.map_or(crate::TodoDate { date, time: None }, |(date, _)| date);
        let range = at..start + inside.len() + 1;
        let style = SignStyle::Logseq;
        signs.push(Sign { kind, style, range, value_range: start..start + 10, value: SignValue::Date(value) });
        if let Some(at) = part(&|part| repeater_length(part) == Some(part.len())) {
            let length = inside[at..].find(' ').unwrap_or(inside.len() - at);
            let range = start + at..start + at + length;
            let value = SignValue::Text(text[range.clone()].to_owned());
            signs.push(Sign { kind: SignKind::Repeat, style, value_range: range.clone(), range, value });
        }
    }
    signs.sort_by_key(|sign| sign.range.start);
    signs
}

fn plain_kind(word: &str) -> Option<SignKind> {
    PLAIN.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)).map(|(_, kind)| *kind)
}

fn whole_date(text: &str) -> Option<SignValue> {
    text.parse().ok().map(SignValue::Date)
}

fn whole_repeat(text: &str) -> Option<SignValue> {
    (repeat_length(text)? == text.len()).then(|| SignValue::Text(text.to_owned()))
}

fn ends(rest: &str) -> bool {
    rest.chars().next().is_none_or(char::is_whitespace)
}

fn spaces(text: &str) -> usize {
    text.len() - text.trim_start().len()
}
