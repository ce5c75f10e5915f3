//! Thoughts that a server leaves in the text of an answer, as `<think>…</think>` before its first word.

use crate::ModelEvent;

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Tells thoughts from words while an answer comes.
#[derive(Clone, Debug, Default)]
pub(crate) struct ThinkTags {
    at: At,
    /// Read, and not yet known what it is.
    open: String,
}

#[derive(Clone, Copy, Debug, Default)]
enum At {
    #[default]
    Start,
    Thought,
    /// Between a thought and the first word.
    Gap,
    Words,
}

impl ThinkTags {
    /// Takes more of the text.
    pub(crate) fn push(&mut self, text: String, events: &mut Vec<ModelEvent>) {
        if matches!(self.at, At::Words) {
            return events.extend(word(text));
        }
        self.open.push_str(&text);
        loop {
            match self.at {
                At::Start => {
                    let begun = self.open.trim_start();
                    if let Some(thought) = begun.strip_prefix(OPEN) {
                        self.open = thought.to_owned();
                        self.at = At::Thought;
                    } else if OPEN.starts_with(begun) {
                        return;
                    } else {
                        self.at = At::Words;
                    }
                }
                At::Thought => match self.open.split_once(CLOSE) {
                    Some((thought, rest)) => {
                        events.extend(self::thought(thought.to_owned()));
                        self.open = rest.to_owned();
                        self.at = At::Gap;
                    }
                    None => {
                        let rest = self.open.split_off(self.open.len() - begun_tag(&self.open));
                        events.extend(self::thought(std::mem::replace(&mut self.open, rest)));
                        return;
                    }
                },
                At::Gap => {
                    self.open = self.open.trim_start().to_owned();
                    if self.open.is_empty() {
                        return;
                    }
                    self.at = At::Words;
                }
                At::Words => return events.extend(word(std::mem::take(&mut self.open))),
            }
        }
    }

    /// Takes the end of the text.
    pub(crate) fn end(&mut self, events: &mut Vec<ModelEvent>) {
        let open = std::mem::take(&mut self.open);
        events.extend(match self.at {
            At::Thought => thought(open),
            At::Start | At::Gap | At::Words => word(open),
        });
    }
}

/// Bytes at the end of a text with which its closing tag may begin.
fn begun_tag(text: &str) -> usize {
    (1..CLOSE.len()).rev().find(|length| text.ends_with(&CLOSE[..*length])).unwrap_or(0)
}

fn word(text: String) -> Option<ModelEvent> {
    (!text.is_empty()).then_some(ModelEvent::Text(text))
}

fn thought(text: String) -> Option<ModelEvent> {
    (!text.is_empty()).then_some(ModelEvent::Thinking(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares thoughts and words of a text, however it is cut.
    fn check(text: &str, thought: &str, said: &str) {
        for size in [1, 2, 3, 5, 8, 100] {
            let (mut tags, mut events) = (ThinkTags::default(), Vec::new());
            let letters: Vec<char> = text.chars().collect();
            letters.chunks(size).for_each(|piece| tags.push(piece.iter().collect(), &mut events));
            tags.end(&mut events);
            let (mut thoughts, mut words) = (String::new(), String::new());
            for event in events {
                match event {
                    ModelEvent::Thinking(text) => thoughts.push_str(&text),
                    ModelEvent::Text(text) => words.push_str(&text),
                    other => panic!("{other:?}"),
                }
            }
            assert_eq!((thoughts.as_str(), words.as_str()), (thought, said), "{text:?} by {size}");
        }
    }

    #[test]
    fn thoughts_are_told_from_words() {
        check("<think>\nI should.\n</think>\n\nDone.", "\nI should.\n", "Done.");
        check("\n<think>a < b </thin é</think>x <think>y</think>", "a < b </thin é", "x <think>y</think>");
        check("<think></think>", "", "");
        check("<think>never closed", "never closed", "");
        for words in ["Hello", " <thinking>", "<thi", "< think>", "", "a <think>b</think>"] {
            check(words, "", words);
        }
    }
}
