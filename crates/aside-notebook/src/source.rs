//! Another text of a cell in the spelling of the one before: lines that stay keep their bytes, their line ends and the items
//! they stand in. Texts of open notebooks have LF endings, those of files any.

use imara_diff::{Algorithm, Diff, InternedInput};

use crate::{Raw, ends_line, multiline, python_lines};

/// One line as it is spelled.
#[derive(Clone, Debug, Default)]
struct Line {
    /// Without its end.
    text: String,
    /// The same inside of quotes; several where the items of the list end within the line.
    parts: Vec<String>,
    /// Its end, as it is spelled; empty if it has none.
    end: String,
    /// An item of the list ends with it.
    closes: bool,
    /// Empty items of the list come after it.
    empty_after: usize,
}

/// Writes a text like `before`, which is a string or a list of strings; none if it is neither.
pub(crate) fn respelled(text: &str, before: &Raw) -> Option<Raw> {
    let is_list = before.as_str().starts_with('[');
    let items = if is_list { before.items()? } else { vec![before.clone()] };
    let old = lines_of(&items)?;
    if old.is_empty() {
        return Some(if is_list { multiline(text) } else { Raw::of_text(text) });
    }
    let splits = !old.iter().any(has_unsplit_part);
    let new = fitted(&old, text, splits);
    Some(if is_list { as_list(&new) } else { as_string(&new) })
}

/// The lines of the new text: those that stay as they are, others with the ends of those that they replace.
fn fitted(old: &[Line], text: &str, splits: bool) -> Vec<Line> {
    let new = split(text);
    let mut input = InternedInput::default();
    input.update_before(old.iter().map(|line| line.text.as_str()));
    input.update_after(new.iter().map(|(line, _)| *line));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    let usual_end = old.iter().map(|line| &line.end).find(|end| !end.is_empty()).map_or("\\n", String::as_str);
    let mut lines: Vec<Line> = Vec::with_capacity(new.len());
    let mut add = |line: Option<&Line>, stays: bool, (text, end): (&str, &str)| {
        let above = lines.last();
        let mut fitted = match line {
            Some(line) if stays => line.clone(),
            _ => Line {
                text: text.to_owned(),
                parts: spelled(text, splits),
                end: line.or(above).map(|line| line.end.clone()).unwrap_or_default(),
                closes: line.or(above).is_none_or(|line| line.closes),
                empty_after: 0,
            },
        };
        match end {
            "" => fitted.end.clear(),
            "\n" if fitted.end.is_empty() => {
                fitted.end =
                    above.map(|above| above.end.as_str()).filter(|end| !end.is_empty()).unwrap_or(usual_end).to_owned();
            }
            "\n" => {}
            other => fitted.end = inside(other),
        }
        lines.push(fitted);
    };
    let (mut done, mut made) = (0, 0);
    for hunk in diff.hunks() {
        let (before, after) =
            (hunk.before.start as usize..hunk.before.end as usize, hunk.after.start as usize..hunk.after.end as usize);
        for (old, new) in old[done..before.start].iter().zip(&new[made..]) {
            add(Some(old), true, *new);
        }
        for (at, new) in new[after.clone()].iter().enumerate() {
            add(old[before.clone()].get(at), false, *new);
        }
        (done, made) = (before.end, after.end);
    }
    for (old, new) in old[done..].iter().zip(&new[made..]) {
        add(Some(old), true, *new);
    }
    lines
}

/// The lines in the items of a list; none if one is no string.
fn lines_of(items: &[Raw]) -> Option<Vec<Line>> {
    let mut lines: Vec<Line> = Vec::new();
    for item in items {
        item.text()?;
        let mut rest = &item.as_str()[1..item.as_str().len() - 1];
        let mut is_first = true;
        if rest.is_empty()
            && let Some(above) = lines.last_mut()
        {
            match above.end.is_empty() {
                true => above.parts.push(String::new()),
                false => above.empty_after += 1,
            }
        }
        while !rest.is_empty() {
            let (content, end) = first_line(rest);
            let goes_on = is_first && lines.last().is_some_and(|above| above.end.is_empty());
            if !goes_on {
                lines.push(Line::default());
            }
            let line = lines.last_mut().expect("one was pushed if there was none");
            line.text += &quoted(content).text().unwrap_or_default();
            line.parts.push(content.to_owned());
            end.clone_into(&mut line.end);
            rest = &rest[content.len() + end.len()..];
            line.closes = rest.is_empty();
            is_first = false;
        }
    }
    Some(lines)
}

/// Takes the first line off a spelled text: what is in it, and its end.
fn first_line(spelled: &str) -> (&str, &str) {
    let is = |token: &str, short: &str, code: &str| token == short || token.eq_ignore_ascii_case(code);
    let mut at = 0;
    while at < spelled.len() {
        let length = token_length(&spelled[at..]);
        let token = &spelled[at..at + length];
        let next = &spelled[at + length..];
        let next = &next[..token_length(next)];
        let is_lf = |token| is(token, "\\n", "\\u000a");
        if is_lf(token) {
            return (&spelled[..at], token);
        }
        if is(token, "\\r", "\\u000d") {
            let end = if is_lf(next) { length + next.len() } else { length };
            return (&spelled[..at], &spelled[at..at + end]);
        }
        at += length;
    }
    (spelled, "")
}

/// How long one character is as it is spelled.
fn token_length(spelled: &str) -> usize {
    match spelled.as_bytes() {
        [b'\\', b'u', ..] => 6,
        [b'\\', ..] => 2,
        _ => spelled.chars().next().map_or(0, char::len_utf8),
    }
}

/// Lines of a text, each with its end.
fn split(text: &str) -> Vec<(&str, &str)> {
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let content = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let end = match &rest.as_bytes()[content..] {
            [b'\r', b'\n', ..] => 2,
            [] => 0,
            _ => 1,
        };
        lines.push((&rest[..content], &rest[content..content + end]));
        rest = &rest[content + end..];
    }
    lines
}

/// Tells whether the list keeps in one item what Python takes for two lines.
fn has_unsplit_part(line: &Line) -> bool {
    line.parts.iter().filter_map(|part| quoted(part).text()).any(|part| {
        let mut characters = part.chars();
        characters.next_back();
        characters.any(ends_line)
    })
}

fn spelled(text: &str, splits: bool) -> Vec<String> {
    if !splits || text.is_empty() {
        return vec![inside(text)];
    }
    let mut parts: Vec<String> = python_lines(text).into_iter().map(inside).collect();
    if text.ends_with(ends_line) {
        // The end of the line is one of its own for Python.
        parts.push(String::new());
    }
    parts
}

fn inside(text: &str) -> String {
    let quoted = Raw::of_text(text);
    quoted.as_str()[1..quoted.as_str().len() - 1].to_owned()
}

fn quoted(spelled: &str) -> Raw {
    Raw::written(format!("\"{spelled}\""))
}

fn as_string(lines: &[Line]) -> Raw {
    let lines = lines.iter().map(|line| line.parts.concat() + &line.end);
    quoted(&lines.collect::<String>())
}

fn as_list(lines: &[Line]) -> Raw {
    let mut items: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in lines {
        for (at, part) in line.parts.iter().enumerate() {
            match items.last_mut().filter(|_| is_open && at == 0) {
                Some(item) => item.push_str(part),
                None => items.push(part.clone()),
            }
        }
        if let Some(item) = items.last_mut() {
            item.push_str(&line.end);
        }
        is_open = !line.closes;
        items.extend(std::iter::repeat_n(String::new(), line.empty_after));
    }
    Raw::of_items(&items.iter().map(|item| quoted(item)).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, text: &str, after: &str) {
        let before = Raw::parse(before).unwrap();
        let raw = respelled(text, &before).unwrap();
        assert_eq!(raw.as_str(), after, "{before:?} -> {text:?}");
    }

    #[test]
    fn lines_that_stay_keep_their_spelling() {
        check(r#"["h\u00e9\n", "b"]"#, "hé\nç", r#"["h\u00e9\n","ç"]"#);
        check(r#""h\u00e9\nb\u000ac""#, "hé\nB\nc", r#""h\u00e9\nB\u000ac""#);
        check(r#"["half \ud800\n","b"]"#, "half \u{fffd}\u{fffd}\u{fffd}\nc", r#"["half \ud800\n","c"]"#);
        check(r#"["a\n","b\n","c\n","d"]"#, "A\nb\nC\nd", r#"["A\n","b\n","C\n","d"]"#);
    }

    #[test]
    fn lines_end_as_they_did() {
        check(r#"["a\r","b\r\n","c\n","d"]"#, "a\nB\nc\nD", r#"["a\r","B\r\n","c\n","D"]"#);
        check(r#"["a\r\n","b"]"#, "a\nx\nb\n", r#"["a\r\n","x\r\n","b\r\n"]"#);
        check(r#""a\rb""#, "a\nb\nc", r#""a\rb\rc""#);
        check(r#"["a\n","b"]"#, "a", r#"["a"]"#);
        check("[]", "a\r\nb", r#"["a\r\n","b"]"#);
        check(r#""""#, "a\nb", r#""a\nb""#);
    }

    #[test]
    fn items_end_where_they_did() {
        let separators = "a\u{2028}b\u{b}c\u{1c}d\u{85}e";
        check(
            &format!(r#"["{0}\n","x"]"#, separators.escape_json()),
            &format!("{separators}\ny"),
            &format!(r#"["{}\n","y"]"#, separators.escape_json()),
        );
        check(r#"["a\u2028","b\n","x"]"#, "a\u{2028}b\ny", r#"["a\u2028","b\n","y"]"#);
        check(r#"["a\u2028","b\n","x"]"#, "a\u{2028}b\ny\u{2028}z", "[\"a\\u2028\",\"b\\n\",\"y\u{2028}\",\"z\"]");
        check(r#"["a\u2028b\n","x"]"#, "a\u{2028}b\ny\u{2028}z", "[\"a\\u2028b\\n\",\"y\u{2028}z\"]");
        check(r#"["a","b\n","c\n"]"#, "ab\nC\n", r#"["a","b\n","C\n"]"#);
        check(r#"["a\nb\nc\n","d"]"#, "a\nB\nc\nx\nd", r#"["a\nB\nc\n","x\n","d"]"#);
        check(r#"["a\n","","b"]"#, "a\nc", r#"["a\n","","c"]"#);
        check(r#"["a"]"#, "", "[]");
    }

    trait EscapeJson {
        fn escape_json(&self) -> String;
    }

    impl EscapeJson for str {
        fn escape_json(&self) -> String {
            inside(self)
        }
    }
}
