//! Words of a question, as the index of words is asked for them, and what stands around them in a text.

use aside_store::sql::OptionalExtension as _;

use crate::{HistoryError, Index, index::bigrams};

/// Words of the index that a word may be the beginning of.
const MOST_WORDS: usize = 40;
/// Characters on each side of what was found.
const AROUND: usize = 100;
/// Shorter words have to be whole.
const SHORTEST_START: usize = 3;

/// All words of a text, as the index has them.
pub fn words(text: &str) -> Vec<String> {
    let words = text.split(|char: char| !char.is_alphanumeric()).flat_map(bigrams::runs);
    words.map(str::to_lowercase).take(20).collect()
}

/// Every word has to be there; a longer one may go on.
pub fn expression(index: &Index, words: &[String]) -> Result<String, HistoryError> {
    let all = words.iter().map(|word| {
        if word.starts_with(bigrams::is_unspaced) {
            let pairs: Vec<&str> = bigrams::pairs(word).collect();
            // One character may be the first of a pair, or the last of its row.
            return Ok(if pairs.is_empty() {
                format!("\"{word}\" *")
            } else {
                format!("(\"{}\")", pairs.join("\" AND \""))
            });
        }
        let goes_on = word.chars().count() >= SHORTEST_START;
        let known = if goes_on && word.is_ascii() { beginning(index, word)? } else { None };
        Ok(match known {
            Some(known) if !known.is_empty() => format!("(\"{}\")", known.join("\" OR \"")),
            _ if goes_on => format!("\"{word}\" *"),
            _ => format!("\"{word}\""),
        })
    });
    Ok(all.collect::<Result<Vec<_>, HistoryError>>()?.join(" AND "))
}

/// The words of the index that begin so; none if they are too many. Asked for a beginning, FTS5 first gathers all places of all of them,
/// while it goes from place to place of whole words and stops where it may.
fn beginning(index: &Index, start: &str) -> Result<Option<Vec<String>>, HistoryError> {
    let mut next =
        index.connection().prepare_cached("SELECT term FROM said_word WHERE term >= ? AND term < ? LIMIT 1")?;
    // Words have letters and digits of many alphabets, the last of which is far before that.
    let (mut from, end) = (start.to_owned(), format!("{start}\u{10ffff}"));
    let mut known: Vec<String> = Vec::new();
    while let Some(word) = next.query_row([&from, &end], |row| row.get::<_, String>(0)).optional()? {
        if known.len() == MOST_WORDS {
            return Ok(None);
        }
        from = format!("{word}\u{1}");
        known.push(word);
    }
    Ok(Some(known))
}

/// What stands around the words, in one line: around all of them in a row if they are, else around the first.
pub fn snippet(text: &str, words: &[String]) -> String {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let chars: Vec<char> = folded.chars().collect();
    // Of the same length as the text, whatever lower case does to single letters.
    let lower: Vec<char> = chars.iter().map(|char| char.to_lowercase().next().unwrap_or(*char)).collect();
    let find = |word: &str| {
        let word: Vec<char> = word.chars().collect();
        lower.windows(word.len().max(1)).position(|window| window == word)
    };
    let at = find(&words.join(" ")).or_else(|| words.iter().find_map(|word| find(word))).unwrap_or(0);
    let length = words.first().map_or(0, |word| word.chars().count());
    let (start, end) = (at.saturating_sub(AROUND), (at + length + AROUND).min(chars.len()));
    let piece: String = chars[start..end].iter().collect();
    let (before, after) = (if start > 0 { "..." } else { "" }, if end < chars.len() { "..." } else { "" });
    format!("{before}{}{after}", piece.trim())
}

#[cfg(test)]
mod tests {
    use aside_store::DataFolder;

    use super::*;

    #[test]
    fn a_question_is_words_and_no_syntax() {
        let folder = tempfile::tempdir().unwrap();
        let index = Index::open(&DataFolder::at(folder.path())).unwrap();
        let asked = |text: &str| expression(&index, &words(text)).unwrap();
        assert_eq!(
            asked("Zebra-quartz \"OR\" (x) NEAR/2*"),
            "\"zebra\" * AND \"quartz\" * AND \"or\" AND \"x\" AND \"near\" * AND \"2\""
        );
        assert!(words(" -*\" ").is_empty());
        let say = |text: &str| index.connection().execute("INSERT INTO said (text) VALUES (?)", [text]).unwrap();
        say("Quartz quartzes and Quartzähne, not quarts");
        assert_eq!(asked("quartz"), "(\"quartz\" OR \"quartzahne\" OR \"quartzes\")");
        assert_eq!(asked("修复数据 a"), "(\"修复\" AND \"复数\" AND \"数据\") AND \"a\"");
        assert_eq!(asked("修"), "\"修\" *");
        // Too many to name them.
        (0..=MOST_WORDS).for_each(|number| _ = say(&format!("zebra{number}")));
        assert_eq!(asked("zebra"), "\"zebra\" *");
    }

    #[test]
    fn a_piece_of_the_text_is_shown_around_what_was_found() {
        let text = format!("{}\n  the Webhook\tof Stripe {}", "a ".repeat(200), "b".repeat(300));
        let shown = snippet(&text, &["webhook".to_owned()]);
        assert!(
            shown.starts_with("...") && shown.ends_with("...") && shown.contains("the Webhook of Stripe"),
            "{shown}"
        );
        assert_eq!(snippet("İstanbul webhooks", &["webhook".to_owned()]), "İstanbul webhooks");
    }
}
