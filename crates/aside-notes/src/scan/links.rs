//! Wiki links: `[[note#heading|alias]]`.

use crate::{Link, LinkKind};

/// Makes a link of the text between `[[` and `]]`, which begins at `inner` and ends at `close`; none if it names nothing.
pub(crate) fn wiki_link(text: &str, start: usize, inner: usize, close: usize, line: u32) -> Option<Link> {
    let content = &text[inner..close];
    let (mut named, alias) = match content.split_once('|') {
        Some((named, alias)) => (named, Some(alias.trim().to_owned())),
        None => (content, None),
    };
    if alias.is_some() {
        // In a table, the divider is written `\|`.
        named = named.strip_suffix('\\').unwrap_or(named);
    }
    let hash = named.find('#').unwrap_or(named.len());
    let target = named[..hash].trim();
    let anchor = named.get(hash + 1..).map(str::trim).filter(|anchor| !anchor.is_empty());
    if (target.is_empty() && anchor.is_none()) || target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let place = |part: &str| {
        let at = part.as_ptr() as usize - text.as_ptr() as usize;
        at..at + part.len()
    };
    Some(Link {
        kind: if start < inner - 2 { LinkKind::Embed } else { LinkKind::Wiki },
        line,
        range: start..close + 2,
        target_range: place(target),
        target: target.to_owned(),
        anchor: anchor.map(str::to_owned),
        anchor_range: anchor.map(place),
        alias,
        angle: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_wiki_link_are_trimmed() {
        let text = "![[ a b # C#D \\| e ]]";
        let link = wiki_link(text, 0, 3, text.len() - 2, 1).unwrap();
        assert_eq!((link.kind, &*link.target, link.anchor.as_deref()), (LinkKind::Embed, "a b", Some("C#D")));
        assert_eq!(&text[link.target_range], "a b");
        assert_eq!(&text[link.anchor_range.unwrap()], "C#D");
        assert_eq!(link.alias.as_deref(), Some("e"));
        for text in ["[[]]", "[[ ]]", "[[|a]]", "[[#]]", "[[https://x]]"] {
            assert_eq!(wiki_link(text, 0, 2, text.len() - 2, 1), None, "{text}");
        }
    }
}
