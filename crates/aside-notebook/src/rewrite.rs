//! Puts new values into the text of a file. Parts that stay keep their bytes, and what stands between the parts of an object
//! or an array stays as it is there; new parts are laid out like those beside them.

use std::{collections::HashSet, ops::Range, sync::Arc};

use crate::{
    Member, Raw,
    style::{Style, Writer},
};

/// Values that are nested deeper are written anew.
const DEEPEST: usize = 32;

/// Where in a file a value is to be written.
#[derive(Clone, Copy)]
pub(crate) struct Site<'a> {
    pub text: &'a Arc<str>,
    pub style: &'a Style,
    pub depth: usize,
    /// The beginning of the line on which it stands.
    pub line: Option<&'a str>,
    /// The parts beside it stand on one line.
    pub inline: bool,
}

/// A part of an object or an array: which one it was in the file, and what it is from now on.
pub(crate) type Slot = (Option<usize>, String);

impl Site<'_> {
    /// Writes a value in the place of one of the file.
    pub fn rewritten(self, old: &Raw, new: &Raw) -> String {
        if old == new || same_text(old, new) {
            return old.as_str().to_owned();
        }
        if self.depth < DEEPEST {
            if let (Some(before), Some(members)) = (old.members(), new.members()) {
                return self.object(old, &before, &members, |site, _, old, new| site.rewritten(old, new));
            }
            if let (Some(before), Some(items)) = (old.items(), new.items()) {
                return self.array(old, &before, &items);
            }
        }
        self.anew(new)
    }

    /// Writes an object in the place of one of the file. `part` writes a member that stays.
    pub fn object(
        self,
        old: &Raw,
        before: &[Member],
        members: &[Member],
        part: impl Fn(Site<'_>, &str, &Raw, &Raw) -> String,
    ) -> String {
        let Some(order) = order(before, members) else { return self.object_anew(members) };
        let parts = name_starts(self.text, old, before);
        let container = Container { text: self.text, whole: old.span(), parts };
        let site = container.site(self);
        let slot = |(old, new): (Option<usize>, usize)| {
            let member = &members[new];
            let text = match old {
                Some(at) => {
                    let head = &self.text[container.parts[at].start..before[at].value.span().start];
                    head.to_owned() + &part(site, &member.name, &before[at].value, &member.value)
                }
                None => Raw::of_text(&member.name).as_str().to_owned() + &self.style.colon + &site.anew(&member.value),
            };
            (old, text)
        };
        let slots: Vec<Slot> = order.into_iter().map(slot).collect();
        container.with(&slots, self.style)
    }

    /// Writes an array with these parts in the place of one of the file; none if that has no parts to go by.
    pub fn array_of(self, old: &Raw, before: &[Raw], slots: impl FnOnce(Site<'_>) -> Vec<Slot>) -> Option<String> {
        let container = Container { text: self.text, whole: old.span(), parts: before.iter().map(Raw::span).collect() };
        (!before.is_empty()).then(|| container.with(&slots(container.site(self)), self.style))
    }

    /// Writes a value that is not in the file, or elsewhere in it.
    pub fn anew(self, value: &Raw) -> String {
        if value.is_from(self.text) { value.as_str().to_owned() } else { self.writer().value(value) }
    }

    /// Writes an object that is not in the file. Its values may be.
    pub fn object_anew(self, members: &[Member]) -> String {
        let site = Site { depth: self.depth + 1, line: None, ..self };
        let members: Vec<_> = members.iter().map(|member| (member.name.as_str(), site.anew(&member.value))).collect();
        self.writer().object(&members)
    }

    fn array(self, old: &Raw, before: &[Raw], items: &[Raw]) -> String {
        let top = before.iter().zip(items).take_while(|(old, new)| old == new).count();
        let rest = before.len().min(items.len()) - top;
        let bottom = before.iter().rev().zip(items.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
        let (old_end, new_end) = (before.len() - bottom, items.len() - bottom);
        let slots = |site: Site<'_>| {
            let slot = |at: usize| {
                let stays = if at < top || at >= new_end { None } else { Some(at).filter(|at| *at < old_end) };
                match (at < top, at >= new_end, stays) {
                    (true, ..) => (Some(at), items[at].as_str().to_owned()),
                    (_, true, _) => (Some(at + old_end - new_end), items[at].as_str().to_owned()),
                    (.., Some(old)) => (Some(old), site.rewritten(&before[old], &items[at])),
                    _ => (None, site.anew(&items[at])),
                }
            };
            (0..items.len()).map(slot).collect()
        };
        self.array_of(old, before, slots).unwrap_or_else(|| self.writer().value(&Raw::of_items(items)))
    }

    fn writer(&self) -> Writer<'_> {
        Writer { style: self.style, depth: self.depth, line: self.line, inline: self.inline }
    }
}

/// An object or an array as it stands in the file, and where its parts are.
struct Container<'a> {
    text: &'a str,
    whole: Range<usize>,
    parts: Vec<Range<usize>>,
}

impl<'a> Container<'a> {
    /// The place of its parts.
    fn site<'site>(&'site self, around: Site<'site>) -> Site<'site> {
        let (indent, line) = (self.indent(), self.indent().or(around.line));
        let inline = indent.is_none() && (around.inline || !self.parts.is_empty());
        Site { depth: around.depth + 1, line, inline, ..around }
    }

    /// The container with these parts.
    fn with(&self, slots: &[Slot], style: &Style) -> String {
        let [open, close] = [self.whole.start..self.whole.start + 1, self.whole.end - 1..self.whole.end];
        if slots.is_empty() {
            return format!("{}{}", &self.text[open], &self.text[close]);
        }
        let mut text = self.text[open].to_owned();
        text.push_str(self.lead());
        for (at, (old, part)) in slots.iter().enumerate() {
            if at > 0 {
                match old.and_then(|old| self.gap(old)) {
                    Some(gap) => text.push_str(gap),
                    None => text.push_str(&self.usual_gap(style)),
                }
            }
            text.push_str(part);
        }
        text.push_str(self.parts.last().map_or("", |last| &self.text[last.end..close.start]));
        text.push_str(&self.text[close]);
        text
    }

    /// Before the first part.
    fn lead(&self) -> &'a str {
        self.parts.first().map_or("", |first| &self.text[self.whole.start + 1..first.start])
    }

    /// The indent of its parts, if each stands on a line of its own.
    fn indent(&self) -> Option<&'a str> {
        let lead = self.lead();
        lead.rfind('\n').map(|at| &lead[at + 1..])
    }

    /// Before a part that is not the first.
    fn gap(&self, part: usize) -> Option<&'a str> {
        let above = self.parts.get(part.checked_sub(1)?)?;
        Some(&self.text[above.end..self.parts[part].start])
    }

    fn usual_gap(&self, style: &Style) -> String {
        match (self.gap(self.parts.len().saturating_sub(1).min(1)), self.lead()) {
            (Some(gap), _) => gap.to_owned(),
            (None, lead) if lead.contains('\n') => format!(",{lead}"),
            _ => style.comma.clone(),
        }
    }
}

/// For each new member which one it was: in the new order, or where the ones that stay would change places in the old one.
/// None if names are there twice, or nothing stays.
fn order(before: &[Member], members: &[Member]) -> Option<Vec<(Option<usize>, usize)>> {
    let names = |members: &[Member]| members.iter().map(|member| member.name.clone()).collect::<Vec<_>>();
    let (old_names, new_names) = (names(before), names(members));
    if old_names == new_names {
        return Some((0..members.len()).map(|at| (Some(at), at)).collect());
    }
    let is_unique = |names: &[String]| names.iter().collect::<HashSet<_>>().len() == names.len();
    if !is_unique(&old_names) || !is_unique(&new_names) {
        return None;
    }
    let old_place = |name: &String| old_names.iter().position(|old| old == name);
    let mut order: Vec<_> = new_names.iter().enumerate().map(|(at, name)| (old_place(name), at)).collect();
    let stays: Vec<usize> = order.iter().filter_map(|(old, _)| *old).collect();
    if !stays.is_sorted() {
        order.sort_by_key(|(old, at)| (old.is_none(), *old, *at));
    }
    (!stays.is_empty()).then_some(order)
}

/// Where each member starts: at its name.
fn name_starts(text: &str, whole: &Raw, members: &[Member]) -> Vec<Range<usize>> {
    let mut above = whole.span().start + 1;
    let start = |member: &Member| {
        let value = member.value.span();
        let name = text[above..value.start].find('"').map_or(value.start, |at| above + at);
        above = value.end;
        name..value.end
    };
    members.iter().map(start).collect()
}

/// Two strings that stand for one text, so that only their spelling differs.
fn same_text(old: &Raw, new: &Raw) -> bool {
    match (old.text(), new.text()) {
        (Some(old), Some(new)) => old == new && !old.contains('\u{fffd}'),
        _ => false,
    }
}
