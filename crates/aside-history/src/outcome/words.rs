//! Whether what a person said praises what was done, complains of it, or asks for it to be taken back. By words of some languages: what is
//! meant otherwise is not understood, and counts as nothing.

/// What a person makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mood {
    /// It is to be taken back.
    Revert,
    /// It is wrong.
    Negative,
    /// It is right.
    Positive,
    /// They don't say.
    None,
}

const REVERT: &[&str] = &[
    "undo",
    "revert",
    "reverted",
    "roll back",
    "rollback",
    "roll it back",
    "take that back",
    "try again",
    "put it back",
    "git reset",
    "git checkout",
    "git restore",
    "mach das rückgängig",
    "rückgängig",
    "zurücksetzen",
    "annule",
    "annuler",
    "deshacer",
    "deshaz",
    "revertir",
    "annulla",
];
const NEGATIVE: &[&str] = &[
    "no",
    "nope",
    "broke",
    "broken",
    "breaks",
    "still failing",
    "still fails",
    "still broken",
    "doesn't work",
    "does not work",
    "didn't work",
    "not working",
    "wrong",
    "tests fail",
    "test fails",
    "tests are failing",
    "not what i asked",
    "not what i wanted",
    "that's not right",
    "👎",
    "nein",
    "falsch",
    "kaputt",
    "funktioniert nicht",
    "geht nicht",
    "non",
    "faux",
    "cassé",
    "ne marche pas",
    "mal",
    "no funciona",
    "sbagliato",
    "non funziona",
];
const POSITIVE: &[&str] = &[
    "thanks",
    "thank you",
    "thx",
    "works now",
    "it works",
    "that works",
    "that worked",
    "works great",
    "tests pass",
    "all green",
    "fixed",
    "lgtm",
    "perfect",
    "great",
    "awesome",
    "excellent",
    "nice",
    "👍",
    "✅",
    "🎉",
    "danke",
    "passt",
    "super",
    "funktioniert",
    "merci",
    "parfait",
    "ça marche",
    "gracias",
    "perfecto",
    "funciona",
    "grazie",
    "perfetto",
    "funziona",
];
/// Words after which "no" is no complaint.
const NO_COMPLAINT: &[&str] = &["problem", "problems", "worries", "rush", "issue", "issues", "need"];

/// Reads the mood of a message. What was pasted into it (after a fence) is not the person's own word.
pub fn mood(text: &str) -> Mood {
    let own = text.split("```").next().unwrap_or(text).to_lowercase().replace('’', "'");
    let words = words(&own);
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| has(&words, phrase));
    if says(REVERT) {
        Mood::Revert
    } else if says(NEGATIVE) {
        Mood::Negative
    } else if says(POSITIVE) {
        Mood::Positive
    } else {
        Mood::None
    }
}

/// Words with their apostrophes, and each sign that is no letter alone.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for part in text.split(|char: char| char.is_whitespace() || char.is_ascii_punctuation() && char != '\'') {
        let part = part.trim_matches('\'');
        if !part.is_empty() {
            words.push(part);
        }
    }
    words
}

fn has(words: &[&str], phrase: &str) -> bool {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    let mut found = words.windows(phrase.len()).enumerate().filter(|(_, window)| *window == phrase);
    if phrase == ["no"] {
        return found.any(|(at, _)| words.get(at + 1).is_none_or(|next| !NO_COMPLAINT.contains(next)));
    }
    found.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taking_back_counts_before_complaints_and_these_before_praise() {
        let check = |text: &str, expected: Mood| assert_eq!(mood(text), expected, "{text}");
        check("Thanks, but revert that please", Mood::Revert);
        check("That broke the build, it is wrong.", Mood::Negative);
        check("Perfect, that worked. Thanks!", Mood::Positive);
        check("No problem, go on", Mood::None);
        check("no. not like this", Mood::Negative);
        check("It doesn’t work", Mood::Negative);
        check("👍", Mood::Positive);
        check("the unbroken address is in latest", Mood::None);
        check("What is this?\n```\nerror: wrong type\n```", Mood::None);
        check("Das funktioniert nicht", Mood::Negative);
    }
}
