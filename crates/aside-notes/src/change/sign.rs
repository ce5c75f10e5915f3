//! Signs of todos as they are written: a date in the notation that a todo, its note or the workspace uses.

use super::ChangeRefused;
use crate::{Flavour, Note, Priority, SignKind, SignStyle, SignValue, Todo, TodoDate};

/// Returns the notation that most dates of a note have; none if it has no dates.
pub fn note_style(note: &Note) -> Option<SignStyle> {
    most_used_style(note.todos.iter().flat_map(|todo| &todo.signs).map(|sign| sign.style))
}

/// Returns the most used of some notations; of equally used ones, the one that comes first.
pub fn most_used_style(styles: impl IntoIterator<Item = SignStyle>) -> Option<SignStyle> {
    let mut counts: Vec<(SignStyle, usize)> = Vec::new();
    for style in styles {
        match counts.iter_mut().find(|(known, _)| *known == style) {
            Some((_, count)) => *count += 1,
            None => counts.push((style, 1)),
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max()?;
    counts.into_iter().find(|(_, count)| *count == most).map(|(style, _)| style)
}

/// Returns the notation of a new sign: the todo's own, else that of the note, else that of the workspace, else emoji.
pub(super) fn style_for(todo: Option<&Todo>, note: &Note, workspace: Option<SignStyle>) -> SignStyle {
    let own = todo.and_then(own_style);
    let logseq = (note.flavour == Flavour::Logseq).then_some(SignStyle::Logseq);
    own.or_else(|| note_style(note)).or(logseq).or(workspace).unwrap_or(SignStyle::Emoji)
}

/// Returns the notation of a todo's own signs: that of its first date, else of its first sign.
pub(super) fn own_style(todo: &Todo) -> Option<SignStyle> {
    let is_date = |value: &SignValue| matches!(value, SignValue::Date(_));
    let date = todo.signs.iter().find(|sign| is_date(&sign.value));
    date.or_else(|| todo.signs.first()).map(|sign| sign.style)
}

/// A value that a sign can get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NewValue {
    Date(TodoDate),
    Repeat(String),
    Priority(Priority),
}

/// Returns a sign in a notation, in line with the words of a todo. A notation without such a sign gives way to emoji.
pub(super) fn written(kind: SignKind, value: &NewValue, style: SignStyle, round: bool) -> String {
    let shown = match value {
        NewValue::Date(date) => date.to_string(),
        NewValue::Repeat(rule) => rule.clone(),
        NewValue::Priority(priority) => priority.name().to_owned(),
    };
    match (style, dataview_key(kind), plain_key(kind)) {
        (SignStyle::Dataview, Some(key), _) if round => format!("({key}:: {shown})"),
        (SignStyle::Dataview, Some(key), _) => format!("[{key}:: {shown}]"),
        (SignStyle::PlainAt, _, Some("due")) => format!("@due({shown})"),
        (SignStyle::PlainColon, _, Some("due")) => format!("due:{}", shown.replace(' ', "T")),
        (SignStyle::PlainRound | SignStyle::PlainAt | SignStyle::PlainColon, _, Some("")) => format!("({shown})"),
        (SignStyle::PlainRound | SignStyle::PlainAt | SignStyle::PlainColon, _, Some(key)) => {
            format!("({key} {shown})")
        }
        (SignStyle::Logseq, ..) if kind == SignKind::Priority => match value {
            NewValue::Priority(priority) => format!("[#{}]", logseq_priority(*priority)),
            _ => shown,
        },
        _ => match value {
            NewValue::Priority(priority) => emoji_of_priority(*priority).to_owned(),
            _ => format!("{} {shown}", emoji(kind)),
        },
    }
}

/// Returns the value of a sign in the form that it has there.
pub(super) fn value_in_place(old: &str, value: &NewValue, style: SignStyle) -> String {
    match value {
        NewValue::Date(date) if old.contains(' ') => date.to_string().replace('T', " "),
        NewValue::Date(date) => date.to_string(),
        NewValue::Repeat(rule) => rule.clone(),
        NewValue::Priority(priority) => match style {
            SignStyle::Emoji => emoji_of_priority(*priority).to_owned(),
            SignStyle::Logseq => logseq_priority(*priority).to_string(),
            _ => priority.name().to_owned(),
        },
    }
}

/// Returns the rule of repetition as it is written: `every …`.
pub(super) fn rule_text(rule: &str) -> Result<String, ChangeRefused> {
    let spaced = rule.split_whitespace().collect::<Vec<_>>().join(" ");
    let whole = if spaced.to_lowercase().starts_with("every") || spaced.starts_with(['+', '.']) {
        spaced
    } else {
        format!("every {spaced}")
    };
    super::Repeat::parse(&whole).map(|_| whole).ok_or_else(|| ChangeRefused::NoRepeat { rule: rule.to_owned() })
}

fn dataview_key(kind: SignKind) -> Option<&'static str> {
    Some(match kind {
        SignKind::Due => "due",
        SignKind::Scheduled => "scheduled",
        SignKind::Start => "start",
        SignKind::Done => "completion",
        SignKind::Cancelled => "cancelled",
        SignKind::Created => "created",
        SignKind::Repeat => "repeat",
        SignKind::Priority => "priority",
        SignKind::Id | SignKind::DependsOn | SignKind::OnCompletion => return None,
    })
}

/// A repeat has no word before it: `(every week)`.
fn plain_key(kind: SignKind) -> Option<&'static str> {
    Some(match kind {
        SignKind::Due => "due",
        SignKind::Scheduled => "scheduled",
        SignKind::Start => "start",
        SignKind::Done => "done",
        SignKind::Repeat => "",
        _ => return None,
    })
}

fn emoji(kind: SignKind) -> &'static str {
    match kind {
        SignKind::Due => "📅",
        SignKind::Scheduled => "⏳",
        SignKind::Start => "🛫",
        SignKind::Done => "✅",
        SignKind::Cancelled => "❌",
        SignKind::Created => "➕",
        SignKind::Repeat => "🔁",
        SignKind::Id => "🆔",
        SignKind::DependsOn => "⛔",
        SignKind::OnCompletion => "🏁",
        SignKind::Priority => "🔼",
    }
}

fn emoji_of_priority(priority: Priority) -> &'static str {
    match priority {
        Priority::Lowest => "⏬",
        Priority::Low => "🔽",
        Priority::Medium => "🔼",
        Priority::High => "⏫",
        Priority::Highest => "🔺",
    }
}

fn logseq_priority(priority: Priority) -> char {
    match priority {
        Priority::High | Priority::Highest => 'A',
        Priority::Medium => 'B',
        Priority::Low | Priority::Lowest => 'C',
    }
}
