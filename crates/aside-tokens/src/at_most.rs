//! The most tokens that a text can have, for holding a request against a limit.
//!
//! Text is counted by its kind. The rule was held against five tokenizers (cl100k, o200k, Llama 2, Llama 3 and
//! Mistral) over prose, code, JSON, lock files, CSV, base64, hexadecimal, identifiers made by chance, blanks and eleven
//! scripts: none made more tokens of anything than this counts, and English prose and code have about half of them.
//! A fixed number of bytes a token is no bound: base64 has 1.2 of them, digits and rare characters have one.

/// A longer run of small letters is no word, but something made by chance.
const LONGEST_WORD: u64 = 16;

/// The most tokens of a text: a word has one for its first letter and one for every two more, a blank before a word none,
/// and every other byte one, since no tokenizer splits a byte.
pub fn at_most(text: &str) -> u64 {
    let (mut tokens, mut rest) = (2, text.as_bytes());
    while let Some(first) = rest.first() {
        let run = match first {
            b'a'..=b'z' => length(rest, u8::is_ascii_lowercase),
            b' ' => length(rest, |byte| *byte == b' '),
            _ => 1,
        };
        let (taken, left) = rest.split_at(run);
        tokens += match (first, taken.len() as u64) {
            (b'a'..=b'z', letters) if letters <= LONGEST_WORD => 1 + letters / 2,
            (b' ', 1) if left.first().is_some_and(u8::is_ascii_alphabetic) => 0,
            (b' ', blanks) => blanks.div_ceil(2),
            (_, bytes) => bytes,
        };
        rest = left;
    }
    tokens
}

fn length(bytes: &[u8], belongs: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().position(|byte| !belongs(byte)).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Texts, and the most tokens that one of the five tokenizers makes of them.
    const MEASURED: &[(&str, u64)] = &[
        ("0123456789", 12),
        ("龘靐齉爩麤龗灪厵爨癵驫麣钀饢鱻", 47),
        ("qx zj kv wp yq xz", 11),
        ("这是一个用来测试分词器的中文句子", 22),
        ("\n\n\n\n\n\n\n\n", 10),
    ];

    #[test]
    fn no_tokenizer_makes_more_of_a_text() {
        for (text, tokens) in MEASURED {
            assert!(at_most(text) >= *tokens, "{text}: {}", at_most(text));
        }
        let base64 = "kJ3x9QmZ0pLr7VtYw2Hn8aBcD1eFgUiO5sT4vRqX6yNzMhEoKjPlCbWdGfSuAI+/";
        assert!(at_most(base64) * 10 >= base64.len() as u64 * 9, "chance has hardly more than a byte a token");
    }

    #[test]
    fn prose_is_counted_about_twice() {
        let prose = "The editor keeps what was written, and says what a model may read of it. ".repeat(20);
        assert!(at_most(&prose) * 10 < prose.len() as u64 * 6);
    }

    proptest! {
        #[test]
        fn text_counts_at_most_its_bytes(text in ".{0,200}") {
            prop_assert!(at_most(&text) <= text.len() as u64 + 2);
        }
    }
}
