//! The grammar of repeats: `every 2 weeks on Monday when done`, and `.+1w` of Logseq.

/// Words of a rule that can't be its last.
const INNER: [&str; 7] = ["every", "on", "the", "and", "when", "other", "in"];

/// Words of a rule.
const WORDS: [&str; 44] = [
    "day",
    "days",
    "weekday",
    "weekdays",
    "week",
    "weeks",
    "month",
    "months",
    "year",
    "years",
    "hour",
    "hours",
    "last",
    "first",
    "second",
    "third",
    "fourth",
    "done",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "mondays",
    "tuesdays",
    "wednesdays",
    "thursdays",
    "fridays",
    "saturdays",
    "sundays",
    "mon",
    "tue",
    "wed",
    "thu",
    "fri",
    "sat",
    "sun",
    "january",
    "february",
    "march",
    "april",
    "may",
];

const MORE_WORDS: [&str; 7] = ["june", "july", "august", "september", "october", "november", "december"];

/// Bytes of the rule `every …` at the start of a text. It ends where a word is none of a rule.
pub(crate) fn repeat_length(text: &str) -> Option<usize> {
    let (mut length, mut at, mut words) = (0, 0, 0);
    loop {
        let word_length = text[at..].find(|sign: char| !sign.is_ascii_alphanumeric()).unwrap_or(text.len() - at);
        let word = text[at..at + word_length].to_ascii_lowercase();
        if words == 0 && word != "every" {
            return None;
        }
        let is_word = WORDS.contains(&&*word) || MORE_WORDS.contains(&&*word) || is_number(&word);
        if !is_word && !INNER.contains(&&*word) {
            break;
        }
        words += 1;
        at += word_length;
        // `every 2` is no rule yet: a number counts only with a word behind it, an ordinal by itself.
        if is_word && !word.bytes().all(|byte| byte.is_ascii_digit()) {
            length = at;
        }
        let rest = &text[at..];
        let gap = rest.len() - rest.trim_start_matches([' ', ',', '\t']).len();
        if gap == 0 {
            break;
        }
        at += gap;
    }
    (length > "every".len()).then_some(length)
}

/// `2`, `1st`, `22nd`.
fn is_number(word: &str) -> bool {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    (1..=4).contains(&digits) && matches!(&word[digits..], "" | "st" | "nd" | "rd" | "th")
}

/// Bytes of `+1w`, `.+1w` or `++1w` at the start of a text.
pub(crate) fn repeater_length(text: &str) -> Option<usize> {
    let signs = [".+", "++", "+"].iter().find(|signs| text.starts_with(**signs))?.len();
    let digits = text[signs..].bytes().take_while(u8::is_ascii_digit).count();
    let unit = text[signs + digits..].bytes().next()?;
    (digits > 0 && b"hdwmy".contains(&unit)).then_some(signs + digits + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_end_where_other_words_begin() {
        for (text, rule) in [
            ("every week", "every week"),
            ("every 2 weeks 📅", "every 2 weeks"),
            ("every month on the 1st when done 📅 2026", "every month on the 1st when done"),
            ("every week on Monday, Friday #tag", "every week on Monday, Friday"),
            ("every day water the plants", "every day"),
            ("every weekday when needed", "every weekday"),
            ("Every other day and more", "Every other day"),
            ("every January on the 15th", "every January on the 15th"),
        ] {
            assert_eq!(repeat_length(text).map(|length| &text[..length]), Some(rule), "{text}");
        }
        for text in ["every", "every now", "everyday", "week", "", "every 2"] {
            assert_eq!(repeat_length(text), None, "{text}");
        }
    }

    #[test]
    fn repeaters_of_logseq_have_a_unit() {
        assert_eq!(repeater_length(".+1w>"), Some(4));
        assert_eq!(repeater_length("++12m"), Some(5));
        assert_eq!(repeater_length("+w"), None);
        assert_eq!(repeater_length("1w"), None);
    }
}
