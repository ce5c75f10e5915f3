//! A note with another body, title or set of tags; its front matter stays as it is otherwise.

use super::{
    ByteEdit, ChangeRefused, Tagged, change_tags,
    lines::ending_near,
    tag_value::key,
    tags::check,
    yaml_text::{in_block, quoted},
};
use crate::{FrontMatterKind, Note, Value};

/// Returns the edit that gives a note another body. The front matter stays.
pub fn replace_body(text: &str, note: &Note, body: &str) -> Result<Vec<ByteEdit>, ChangeRefused> {
    if note.not_utf8 {
        return Err(ChangeRefused::NotUtf8 { path: note.path.clone() });
    }
    let range = note.body..text.len();
    if text[range.clone()] == *body {
        return Ok(Vec::new());
    }
    let lead = if note.body > 0 && !text[..note.body].ends_with(['\n', '\u{feff}']) && !body.is_empty() {
        ending_near(text, note.body)
    } else {
        ""
    };
    Ok(vec![ByteEdit::replace(range, format!("{lead}{body}"))])
}

/// Returns the edits that give a note another title where it stands: in the front matter, or as the first heading. A note
/// that is named by its file only gets a heading.
pub fn set_title(text: &str, note: &Note, title: &str) -> Result<Vec<ByteEdit>, ChangeRefused> {
    check(note)?;
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.is_empty() {
        return Err(ChangeRefused::NoTitle { title });
    }
    if note.title == title && note.title_range.is_some() {
        return Ok(Vec::new());
    }
    let Some(range) = note.title_range.clone() else {
        let ending = ending_near(text, note.body.min(text.len()));
        let rest = if text[note.body..].trim().is_empty() { "" } else { ending };
        return Ok(vec![ByteEdit::insert(note.body, format!("# {title}{ending}{rest}"))]);
    };
    let front = note.front_matter.as_ref().filter(|front| front.range.contains(&range.start));
    let written = match front {
        Some(front) if front.kind == FrontMatterKind::Yaml => {
            let is_plain =
                front.entry("title").is_some_and(|entry| matches!(&entry.value, Value::Text(text) if text.plain));
            if is_plain { in_block(&title) } else { quoted(&title) }
        }
        _ => title,
    };
    Ok(vec![ByteEdit::replace(range, written)])
}

/// Returns the edits that leave exactly these tags in the front matter.
pub fn set_tags(text: &str, note: &Note, tags: &[String]) -> Result<Tagged, ChangeRefused> {
    let wanted: Vec<String> = tags.iter().map(|tag| key(tag)).collect();
    let there = note.tags.iter().filter(|tag| tag.in_front_matter);
    let gone: Vec<String> = there.filter(|tag| !wanted.contains(&key(&tag.name))).map(|tag| tag.name.clone()).collect();
    change_tags(text, note, tags, &gone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::testing::{made, note};

    #[test]
    fn title_changes_where_it_stands() {
        for (before, after) in [
            ("---\ntitle: Old # x\n---\n# H\n", "---\ntitle: New # x\n---\n# H\n"),
            ("---\ntitle: 'Old'\n---\n", "---\ntitle: \"New\"\n---\n"),
            ("a\n# Old #\n", "a\n# New #\n"),
            ("Old\n===\n", "New\n===\n"),
            ("text\n", "# New\n\ntext\n"),
            ("", "# New\n"),
        ] {
            assert_eq!(made(before, &set_title(before, &note(before), "New").unwrap()), after);
        }
    }

    #[test]
    fn front_matter_stays_when_the_body_changes() {
        let text = "---\ntitle: T # x\n---\nold\n";
        assert_eq!(made(text, &replace_body(text, &note(text), "new\n").unwrap()), "---\ntitle: T # x\n---\nnew\n");
        let tagged =
            set_tags("---\ntags: [a, b]\n---\n", &note("---\ntags: [a, b]\n---\n"), &["b".to_owned(), "c".to_owned()]);
        assert_eq!(made("---\ntags: [a, b]\n---\n", &tagged.unwrap().edits), "---\ntags: [b, c]\n---\n");
    }
}
