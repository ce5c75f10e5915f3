//! `note.tag`: only the value of `tags` in the front matter changes. A tag in the text stays, and its line is told.

use std::collections::BTreeSet;

use super::{
    ByteEdit, ChangeRefused,
    lines::ending_near,
    tag_value::{TagValue, key, list},
};
use crate::{Entry, Flavour, FrontMatter, FrontMatterKind, Note, NoteProblemKind};

/// The edits of a change of tags, and the tags that stay in the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tagged {
    /// The edits; none if nothing changes.
    pub edits: Vec<ByteEdit>,
    /// Removed or renamed tags that the text has too, with their lines.
    pub in_text: Vec<(String, u32)>,
}

/// Adds tags to the front matter and removes others.
pub fn change_tags(text: &str, note: &Note, add: &[String], remove: &[String]) -> Result<Tagged, ChangeRefused> {
    check(note)?;
    let add: Vec<String> = add.iter().map(|tag| checked(tag)).collect::<Result<_, _>>()?;
    let remove: BTreeSet<String> = remove.iter().map(|tag| key(tag)).collect();
    let in_text = in_text(note, &remove);
    let entries = entries(note);
    let there: BTreeSet<String> = entries.iter().flat_map(|entry| keys_of(text, note, entry)).collect();
    let mut new: Vec<&str> = Vec::new();
    for tag in &add {
        let tag_key = key(tag);
        let is_there = there.contains(&tag_key) && !remove.contains(&tag_key);
        if !is_there && !new.iter().any(|other| key(other) == tag_key) {
            new.push(tag);
        }
    }
    let mut edits = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let value = TagValue::new(text, entry);
        let own: BTreeSet<String> = keys_of(text, note, entry).intersection(&remove).cloned().collect();
        let more: &[&str] = if at == 0 { &new } else { &[] };
        if !own.is_empty() || !more.is_empty() {
            let odd = |_| ChangeRefused::OddTags { path: note.path.clone() };
            let changed = match is_logseq(note) {
                true => logseq(text, entry, more, &own),
                false => value.changed(more, &own).map_err(odd)?,
            };
            edits.extend(changed);
        }
    }
    if entries.is_empty() && !new.is_empty() {
        edits.push(new_entry(text, note, &new));
    }
    Ok(Tagged { edits, in_text })
}

/// Gives a tag of the front matter another name.
pub fn rename_tag(text: &str, note: &Note, from: &str, to: &str) -> Result<Tagged, ChangeRefused> {
    let (from, to) = (key(from), checked(to)?);
    let in_text = in_text(note, &BTreeSet::from([from.clone()]));
    let entries = entries(note);
    let all: BTreeSet<String> = entries.iter().flat_map(|entry| keys_of(text, note, entry)).collect();
    if !all.contains(&from) {
        return Ok(Tagged { edits: Vec::new(), in_text });
    }
    if all.contains(&key(&to)) && key(&to) != from {
        // Both are there: one of them is enough.
        let Tagged { edits, .. } = change_tags(text, note, &[], &[from])?;
        return Ok(Tagged { edits, in_text });
    }
    if is_logseq(note) {
        let from = BTreeSet::from([from]);
        let with = entries.iter().filter(|entry| !keys_of(text, note, entry).is_disjoint(&from));
        let edits = with.flat_map(|entry| logseq(text, entry, &[&to], &from)).collect();
        return Ok(Tagged { edits, in_text });
    }
    let edits = entries.iter().flat_map(|entry| TagValue::new(text, entry).renamed(&from, &to)).collect();
    Ok(Tagged { edits, in_text })
}

/// Fails if the front matter can't be read.
pub(super) fn check(note: &Note) -> Result<(), ChangeRefused> {
    if note.not_utf8 {
        return Err(ChangeRefused::NotUtf8 { path: note.path.clone() });
    }
    match &note.front_matter {
        Some(FrontMatter { broken: true, .. }) => {
            let broken = note.problems.iter().find(|problem| problem.kind == NoteProblemKind::BrokenFrontMatter);
            let line = broken.map_or(1, |problem| problem.line);
            Err(ChangeRefused::BrokenFrontMatter { path: note.path.clone(), line })
        }
        _ => Ok(()),
    }
}

fn checked(tag: &str) -> Result<String, ChangeRefused> {
    let name = tag.trim().trim_start_matches('#').trim();
    let has_sign = name.chars().any(|character| !character.is_ascii_digit() && !"_-/".contains(character));
    if !has_sign || name.contains(char::is_control) {
        return Err(ChangeRefused::NoTag { tag: tag.to_owned() });
    }
    Ok(name.to_owned())
}

fn in_text(note: &Note, keys: &BTreeSet<String>) -> Vec<(String, u32)> {
    let there = note.tags.iter().filter(|tag| !tag.in_front_matter && keys.contains(&key(&tag.name)));
    there.map(|tag| (tag.name.clone(), tag.line)).collect()
}

/// The entries with tags that count: `tags` first, else `tag`.
fn entries(note: &Note) -> Vec<&Entry> {
    let front = note.front_matter.as_ref();
    ["tags", "tag"].into_iter().filter_map(|name| front?.entry(name)).collect()
}

fn new_entry(text: &str, note: &Note, tags: &[&str]) -> ByteEdit {
    let bom = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    match &note.front_matter {
        Some(front) if front.kind == FrontMatterKind::Logseq => {
            let at = front.range.end;
            let ending = ending_near(text, at.saturating_sub(1));
            let lead = if text[..at].ends_with('\n') { "" } else { ending };
            ByteEdit::insert(
                at,
                format!("{lead}tags:: {}{}", tags.join(", "), if lead.is_empty() { ending } else { "" }),
            )
        }
        Some(front) => {
            let ending = ending_near(text, front.range.start);
            ByteEdit::insert(front.content.end, format!("tags: {}{ending}", list(tags)))
        }
        None if note.flavour == Flavour::Logseq => {
            let ending = ending_near(text, bom);
            ByteEdit::insert(bom, format!("tags:: {}{ending}{ending}", tags.join(", ")))
        }
        None => {
            let ending = ending_near(text, bom);
            ByteEdit::insert(bom, format!("---{ending}tags: {}{ending}---{ending}", list(tags)))
        }
    }
}

fn is_logseq(note: &Note) -> bool {
    note.front_matter.as_ref().is_some_and(|front| front.kind == FrontMatterKind::Logseq)
}

/// The tags of an entry.
fn keys_of(text: &str, note: &Note, entry: &Entry) -> BTreeSet<String> {
    if !is_logseq(note) {
        return TagValue::new(text, entry).keys();
    }
    let parts = text[entry.value_range.clone()].split(',').map(logseq_key);
    parts.filter(|part| !part.is_empty()).collect()
}

fn logseq_key(part: &str) -> String {
    key(part.trim().trim_start_matches('#').trim_start_matches("[[").trim_end_matches("]]"))
}

/// `tags:: a, [[two words]], #c`: parts between commas.
fn logseq(text: &str, entry: &Entry, add: &[&str], remove: &BTreeSet<String>) -> Vec<ByteEdit> {
    let range = entry.value_range.clone();
    let written = &text[range.clone()];
    let kept = written.split(',').filter(|part| !part.trim().is_empty() && !remove.contains(&logseq_key(part)));
    let mut parts: Vec<&str> = kept.map(str::trim).collect();
    if remove.is_empty() && !parts.is_empty() {
        let more: String = add.iter().map(|tag| format!(", {tag}")).collect();
        return vec![ByteEdit::insert(range.start + written.trim_end().len(), more)];
    }
    parts.extend(add);
    let space = if text[..range.start].ends_with(' ') || parts.is_empty() { "" } else { " " };
    vec![ByteEdit::replace(range, format!("{space}{}", parts.join(", ")))]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::change::testing::{made, note, page};

    fn tagged(text: &str, add: &[&str], remove: &[&str]) -> String {
        let owned = |tags: &[&str]| tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>();
        let tagged = change_tags(text, &note(text), &owned(add), &owned(remove)).unwrap();
        made(text, &tagged.edits)
    }

    #[test]
    fn added_tag_takes_the_form_of_the_value() {
        for (before, after) in [
            ("---\ntags: [a, b] # mine\n---\nx", "---\ntags: [a, b, new] # mine\n---\nx"),
            ("---\ntags: []\n---\n", "---\ntags: [new]\n---\n"),
            ("---\ntags:\n  - a\n  - b # b\nz: 1\n---\n", "---\ntags:\n  - a\n  - b # b\n  - new\nz: 1\n---\n"),
            ("---\r\ntags:\r\n- a\r\n---\r\n", "---\r\ntags:\r\n- a\r\n- new\r\n---\r\n"),
            ("---\ntags: a, b\n---\n", "---\ntags: a, b, new\n---\n"),
            ("---\ntags: a b\n---\n", "---\ntags: a b new\n---\n"),
            ("---\ntags: \"a, b\"\n---\n", "---\ntags: \"a, b, new\"\n---\n"),
            ("---\ntags:\n---\n", "---\ntags: [new]\n---\n"),
            ("---\ntitle: t\n---\nx", "---\ntitle: t\ntags: [new]\n---\nx"),
            ("\u{feff}x\r\ny", "\u{feff}---\r\ntags: [new]\r\n---\r\nx\r\ny"),
            ("", "---\ntags: [new]\n---\n"),
            ("---\ntags: [New]\n---\n", "---\ntags: [New]\n---\n"),
        ] {
            assert_eq!(tagged(before, &["new"], &[]), after);
        }
    }

    #[test]
    fn removed_tag_leaves_the_others() {
        for (before, after) in [
            ("---\ntags: [a, b, c]\n---\n", "---\ntags: [b, c]\n---\n"),
            ("---\ntags: [b, a, c]\n---\n", "---\ntags: [b, c]\n---\n"),
            ("---\ntags: [b, a]\n---\n", "---\ntags: [b]\n---\n"),
            ("---\ntags: [ \"#a\" ]\n---\n", "---\ntags: []\n---\n"),
            ("---\ntags:\n- b\n- A\n# c\n- c\n---\n", "---\ntags:\n- b\n# c\n- c\n---\n"),
            ("---\ntags: # mine\n  - a\nz: 1\n---\n", "---\ntags: [] # mine\nz: 1\n---\n"),
            ("---\ntags: a, b\n---\n", "---\ntags: b\n---\n"),
            ("---\ntags: b a\n---\n", "---\ntags: b\n---\n"),
            ("---\ntag: a\n---\n", "---\ntag: []\n---\n"),
            ("---\ntags: [b]\n---\n", "---\ntags: [b]\n---\n"),
        ] {
            assert_eq!(tagged(before, &[], &["#a"]), after);
        }
        assert_eq!(tagged("---\ntags: [a]\n---\n", &["two words", "b"], &["a"]), "---\ntags: [two words, b]\n---\n");
    }

    #[test]
    fn tag_in_the_text_stays_and_is_told() {
        let text = "---\ntags: [a]\n---\nsee #A and #a/b\n";
        let tagged = change_tags(text, &note(text), &[], &["a".to_owned()]).unwrap();
        assert_eq!(tagged.in_text, [("A".to_owned(), 4)]);
        assert_eq!(made(text, &tagged.edits), "---\ntags: []\n---\nsee #A and #a/b\n");
    }

    #[test]
    fn renamed_tag_keeps_its_place_and_quotes() {
        for (before, after) in [
            ("---\ntags: [x, \"old\", y]\n---\n", "---\ntags: [x, \"new\", y]\n---\n"),
            ("---\ntags:\n  - '#Old'\n---\n", "---\ntags:\n  - \"#new\"\n---\n"),
            ("---\ntags: old, older\n---\n", "---\ntags: new, older\n---\n"),
            ("---\ntags: [old, new]\n---\n", "---\ntags: [new]\n---\n"),
            ("---\ntags: [other]\n---\n#old", "---\ntags: [other]\n---\n#old"),
        ] {
            let tagged = rename_tag(before, &note(before), "old", "new").unwrap();
            assert_eq!(made(before, &tagged.edits), after);
        }
    }

    #[test]
    fn broken_front_matter_is_refused() {
        for text in ["---\ntags: [a\n---\n", "---\na: b: c\n---\n"] {
            let refused = change_tags(text, &note(text), &["x".to_owned()], &[]).unwrap_err();
            assert_eq!(refused.failure().code, "broken_front_matter", "{text}");
        }
        for tag in ["", "#", "2024", "a\nb", "_/-"] {
            assert!(change_tags("x", &note("x"), &[tag.to_owned()], &[]).is_err(), "{tag:?}");
        }
    }

    #[test]
    fn pages_of_a_graph_keep_their_properties() {
        for (before, after) in [
            ("tags:: a, [[two words]]\n\n- x", "tags:: a, [[two words]], new\n\n- x"),
            ("title:: T\n\n- x", "title:: T\ntags:: new\n\n- x"),
            ("- x", "tags:: new\n\n- x"),
        ] {
            let tagged = change_tags(before, &page(before), &["new".to_owned()], &[]).unwrap();
            assert_eq!(made(before, &tagged.edits), after);
        }
        let text = "tags:: a, [[two words]]\n\n- x";
        let tagged = change_tags(text, &page(text), &[], &["Two words".to_owned()]).unwrap();
        assert_eq!(made(text, &tagged.edits), "tags:: a\n\n- x");
    }

    proptest! {
        #[test]
        fn only_the_value_of_tags_changes(
            front in "(title: t\n)?(tags: (\\[[ab, ]{0,5}\\]|[ab]( [cd])?)\n)?(other: 1 # x\n)?",
            body in "[a-z# \\n\\r]{0,20}",
            add in "[a-e]{1,2}",
            remove in "[a-e]",
        ) {
            let text = format!("---\n{front}---\n{body}");
            let parsed = note(&text);
            if let Ok(tagged) = change_tags(&text, &parsed, std::slice::from_ref(&add), &[remove]) {
                let after = made(&text, &tagged.edits);
                prop_assert!(after.ends_with(&body));
                prop_assert_eq!(after.contains("title: t\n"), front.contains("title: t\n"));
                prop_assert_eq!(after.contains("other: 1 # x\n"), front.contains("other: 1 # x\n"));
                let there = note(&after).tags.iter().any(|tag| tag.in_front_matter && tag.name == add);
                prop_assert!(there, "{after:?}");
            }
        }
    }
}
