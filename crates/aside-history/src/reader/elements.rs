//! Where the elements of a list stand in a file that is one JSON value.

use crate::record::Place;

/// The places of the elements of one list, and of the whole.
#[derive(Clone, Debug, Default)]
pub struct Elements {
    places: Vec<Place>,
    whole: Place,
}

impl Elements {
    /// Finds them: those of the list that the file is, or of the list in a field of the object that it is. `base` bytes are before it.
    pub fn of(bytes: &[u8], field: Option<&str>, base: usize) -> Self {
        let whole = place(base, bytes.len());
        let places = ranges(bytes, field).into_iter().map(|(start, end)| place(base + start, end - start)).collect();
        Self { places, whole }
    }

    /// The place of an element, by its number; that of all where it is not known.
    pub fn at(&self, number: usize) -> Place {
        self.places.get(number).copied().unwrap_or(self.whole)
    }

    /// The place of the whole.
    pub fn whole(&self) -> Place {
        self.whole
    }
}

fn place(start: usize, length: usize) -> Place {
    Place { offset: start as u64, length: u32::try_from(length).unwrap_or(u32::MAX) }
}

/// The first and the last byte of each element. What is no JSON has elements of some kind, too: a parser says what is wrong with it.
fn ranges(bytes: &[u8], field: Option<&str>) -> Vec<(usize, usize)> {
    let level = usize::from(field.is_some());
    let (mut depth, mut at, mut word) = (0usize, 0, (0, 0));
    let (mut found, mut within, mut begun) = (Vec::new(), false, None);
    while let Some(byte) = bytes.get(at) {
        let start = at;
        match byte {
            b'"' => {
                at = end_of_text(bytes, at);
                word = (start, at);
            }
            b'[' | b'{' => {
                let named = field.is_none_or(|field| bytes.get(word.0 + 1..word.1) == Some(field.as_bytes()));
                if *byte == b'[' && depth == level && named && found.is_empty() && !within {
                    within = true;
                    (depth, at) = (depth + 1, at + 1);
                    continue;
                }
                depth += 1;
            }
            b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if within && depth == level {
                    found.extend(begun.take().map(|begun| (begun, last(bytes, begun, at))));
                    return found;
                }
            }
            b',' if within && depth == level + 1 => {
                found.extend(begun.take().map(|begun| (begun, last(bytes, begun, at))));
                at += 1;
                continue;
            }
            _ => {}
        }
        if within && begun.is_none() && !byte.is_ascii_whitespace() {
            begun = Some(start);
        }
        at += 1;
    }
    found
}

/// The last byte of a text that begins there: its second quote.
fn end_of_text(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(next) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += next;
        if bytes[at] == b'"' {
            return at;
        }
        at += 2;
    }
    bytes.len()
}

/// Where an element ends, without the white space after it.
fn last(bytes: &[u8], begun: usize, end: usize) -> usize {
    begun + bytes[begun..end].trim_ascii_end().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements<'a>(text: &'a str, field: Option<&str>) -> Vec<&'a str> {
        ranges(text.as_bytes(), field).into_iter().map(|(start, end)| &text[start..end]).collect()
    }

    #[test]
    fn each_element_is_found_where_it_stands() {
        let list = r#" [ {"a":[1,{"b":"]"}]} , "x,\"]" ,3, [] ]"#;
        let expected = [r#"{"a":[1,{"b":"]"}]}"#, r#""x,\"]""#, "3", "[]"];
        assert_eq!(elements(list, None), expected);
        let within = format!(r#"{{"id":"messages","other":[9],"messages":{list},"more":[1]}}"#);
        assert_eq!(elements(&within, Some("messages")), expected);
        assert_eq!(elements(&within, Some("none")), [""; 0]);
        for wrong in ["", "[", "[1,", "]]", "{\"messages\"", "[\"\\"] {
            ranges(wrong.as_bytes(), None);
            ranges(wrong.as_bytes(), Some("messages"));
        }
    }

    #[test]
    fn what_is_not_there_is_the_whole() {
        let found = Elements::of(b"[10]", None, 3);
        assert_eq!((found.at(0).offset, found.at(0).length, found.at(1)), (4, 2, found.whole()));
    }
}
