//! The words of a heading, without its signs, and its anchor.

use super::{
    code_spans::run,
    destination::{closing, destination},
};

/// Bytes of a heading whose signs are read. A longer one keeps them.
const MOST_READ: usize = 4_096;

/// Returns the words without emphasis, code ticks, link syntax, comments and `{#id}` at the end.
pub(crate) fn heading_words(text: &str) -> String {
    if text.len() > MOST_READ {
        return text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let text = without_id(text.trim());
    let pieces = pieces(text);
    let words = without_emphasis(&pieces);
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the words as an anchor of a Markdown link: lower case, dashes for spaces, no other signs.
pub(crate) fn slug(words: &str) -> String {
    let mut slug = String::with_capacity(words.len());
    for character in words.trim().to_lowercase().chars() {
        match character {
            ' ' => slug.push('-'),
            '-' | '_' => slug.push(character),
            _ if character.is_alphanumeric() => slug.push(character),
            _ if unicode_normalization::char::is_combining_mark(character) => slug.push(character),
            _ => {}
        }
    }
    slug
}

fn without_id(text: &str) -> &str {
    let is_id = |id: &str| !id.is_empty() && !id.contains(char::is_whitespace) && !id.contains(['{', '}']);
    match text.strip_suffix('}').and_then(|rest| rest.rsplit_once("{#")) {
        Some((before, id)) if is_id(id) => before.trim_end(),
        _ => text,
    }
}

/// A piece of a heading: letters as they are, or a run of one sign of emphasis.
enum Piece {
    Text(String),
    Run { sign: char, count: usize, opens: bool, closes: bool },
}

fn pieces(text: &str) -> Vec<Piece> {
    let (mut pieces, mut plain, mut at) = (Vec::new(), String::new(), 0);
    while let Some(character) = text[at..].chars().next() {
        let rest = &text[at..];
        if let Some((words, length)) = code(rest).or_else(|| link(rest)).or_else(|| comment(rest)) {
            plain.push_str(&words);
            at += length;
        } else if character == '\\' && rest[1..].starts_with(|next: char| next.is_ascii_punctuation()) {
            plain.push_str(&rest[1..2]);
            at += 2;
        } else if matches!(character, '*' | '_' | '~' | '=') {
            let count = rest.chars().take_while(|next| *next == character).count();
            let before = text[..at].chars().next_back();
            let after = rest[count..].chars().next();
            let is_word = |side: Option<char>| character == '_' && side.is_some_and(char::is_alphanumeric);
            let opens = after.is_some_and(|after| !after.is_whitespace()) && !is_word(before);
            let closes = before.is_some_and(|before| !before.is_whitespace()) && !is_word(after);
            pieces.push(Piece::Text(std::mem::take(&mut plain)));
            pieces.push(Piece::Run { sign: character, count, opens, closes });
            at += count;
        } else {
            plain.push(character);
            at += character.len_utf8();
        }
    }
    pieces.push(Piece::Text(plain));
    pieces
}

/// Removes the runs that have a partner.
fn without_emphasis(pieces: &[Piece]) -> String {
    let mut left: Vec<usize> =
        pieces.iter().map(|piece| if let Piece::Run { count, .. } = piece { *count } else { 0 }).collect();
    let mut open: Vec<usize> = Vec::new();
    for (number, piece) in pieces.iter().enumerate() {
        let Piece::Run { sign, opens, closes, .. } = piece else { continue };
        let double = matches!(sign, '~' | '=');
        while *closes && left[number] > usize::from(double) {
            let same = |other: &usize| matches!(&pieces[*other], Piece::Run { sign: theirs, .. } if theirs == sign);
            let Some(partner) = open.iter().rposition(|other| same(other) && left[*other] > usize::from(double)) else {
                break;
            };
            let count = left[number].min(left[open[partner]]);
            left[number] -= count;
            left[open[partner]] -= count;
            // Runs between the two have no partner outside.
            open.truncate(if left[open[partner]] == 0 { partner } else { partner + 1 });
        }
        if *opens && left[number] > 0 {
            open.push(number);
        }
    }
    let shown = |(piece, left): (&Piece, &usize)| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Run { sign, .. } => sign.to_string().repeat(*left),
    };
    pieces.iter().zip(&left).map(shown).collect()
}

fn code(text: &str) -> Option<(String, usize)> {
    let length = run(text, 0);
    if length == 0 {
        return None;
    }
    let mut at = length;
    loop {
        let found = at + text[at..].find('`')?;
        let other = run(text, found);
        if other == length {
            return Some((text[length..found].to_owned(), found + other));
        }
        at = found + other;
    }
}

fn comment(text: &str) -> Option<(String, usize)> {
    let length = text.strip_prefix("<!--")?.find("-->")?;
    Some((String::new(), length + 7))
}

fn link(text: &str) -> Option<(String, usize)> {
    let after = text.strip_prefix('!').unwrap_or(text);
    let signs = text.len() - after.len();
    if let Some(inner) = after.strip_prefix("[[") {
        let close = inner.find("]]").filter(|close| !inner[..*close].contains('['))?;
        let content = &inner[..close];
        let words = content.split_once('|').map_or(content, |(_, alias)| alias);
        return Some((words.trim().to_owned(), signs + close + 4));
    }
    let close = bracket_end(after.strip_prefix('[')?)? + 1;
    let words = heading_words(&after[1..close]);
    let behind = &after[close + 1..];
    if let Some(inside) = behind.strip_prefix('(') {
        let start = inside.len() - inside.trim_start().len();
        let target = destination(inside, start, inside.len())?;
        let end = closing(inside, target.end, inside.len())?;
        return Some((words, signs + close + 2 + end));
    }
    let label = behind.strip_prefix('[').and_then(|label| label.find(']'))?;
    Some((words, signs + close + label + 3))
}

/// The byte of the `]` that closes a bracket whose text begins here. Few brackets may be in each other.
fn bracket_end(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, character) in text.char_indices().take(2_000) {
        match character {
            '[' if depth == 8 => return None,
            '[' => depth += 1,
            ']' if depth == 0 => return Some(at),
            ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_lose_their_signs() {
        for (text, words) in [
            ("Real *title* [[Beta|b]]", "Real title b"),
            ("A *title* with `co*de`", "A title with co*de"),
            ("**bold _and_** ~~gone~~ 2*3*4", "bold and gone 234"),
            ("snake_case_name and 2 * 3", "snake_case_name and 2 * 3"),
            ("[t [x] *u*](a.md \"v\") ![p](p.png) [r][s]", "t [x] u p r"),
            ("Plan {#plan-id}", "Plan"),
            ("a \\*b\\* <!-- c -->  d", "a *b* d"),
            ("***both*** ==marked== a=b", "both marked a=b"),
            ("[[a#b]] [[", "a#b [["),
            ("*open [x", "*open [x"),
        ] {
            assert_eq!(heading_words(text), words, "{text}");
        }
    }

    #[test]
    fn slugs_have_dashes_and_no_signs() {
        assert_eq!(slug("What a Wave is?"), "what-a-wave-is");
        assert_eq!(slug("Ünï_code: 2.0 – x"), "ünï_code-20--x");
    }
}
