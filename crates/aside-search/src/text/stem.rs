//! Stems of English words by Porter's rules (M. F. Porter, An algorithm for suffix stripping, 1980): `rises` and `rising` are found as one.

/// Longer runs of letters are no words.
const LONGEST: usize = 64;

/// Endings and their replacements, the longer ones first: the first that fits counts, and is replaced only if its condition holds.
type Endings = [(&'static str, &'static str)];

const STEP_2: &Endings = &[
    ("ational", "ate"),
    ("ization", "ize"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("tional", "tion"),
    ("biliti", "ble"),
    ("entli", "ent"),
    ("ousli", "ous"),
    ("ation", "ate"),
    ("alism", "al"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("abli", "able"),
    ("alli", "al"),
    ("ator", "ate"),
    ("eli", "e"),
];

const STEP_3: &Endings =
    &[("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ness", ""), ("ful", "")];

const STEP_4: &Endings = &[
    ("ement", ""),
    ("ance", ""),
    ("ence", ""),
    ("able", ""),
    ("ible", ""),
    ("ment", ""),
    ("ant", ""),
    ("ent", ""),
    ("ion", ""),
    ("ism", ""),
    ("ate", ""),
    ("iti", ""),
    ("ous", ""),
    ("ive", ""),
    ("ize", ""),
    ("al", ""),
    ("er", ""),
    ("ic", ""),
    ("ou", ""),
];

/// Returns the stem of a folded word. Words of other alphabets, and very short or long ones, are their own.
pub fn stem(word: &str) -> String {
    if !(3..LONGEST).contains(&word.len()) || !word.is_ascii() {
        return word.to_owned();
    }
    let mut word = word.to_owned();
    plural(&mut word);
    past(&mut word);
    if has_vowel(word.strip_suffix('y').unwrap_or_default()) {
        replace(&mut word, 1, "i");
    }
    ending(&mut word, STEP_2, |stem| measure(stem) > 0);
    ending(&mut word, STEP_3, |stem| measure(stem) > 0);
    let is_long = |stem: &str| measure(stem) > 1;
    // `ion` falls behind `s` and `t` only.
    if !word.ends_with("ion") || word.ends_with("sion") || word.ends_with("tion") {
        ending(&mut word, STEP_4, is_long);
    }
    if let Some(rest) = word.strip_suffix('e')
        && (is_long(rest) || (measure(rest) == 1 && !ends_open(rest)))
    {
        word.pop();
    }
    if word.ends_with("ll") && is_long(&word[..word.len() - 1]) {
        word.pop();
    }
    word
}

fn plural(word: &mut String) {
    if word.ends_with("sses") || word.ends_with("ies") {
        replace(word, 2, "");
    } else if word.ends_with('s') && !word.ends_with("ss") {
        word.pop();
    }
}

fn past(word: &mut String) {
    if let Some(rest) = word.strip_suffix("eed") {
        if measure(rest) > 0 {
            word.pop();
        }
        return;
    }
    let rest = word.strip_suffix("ed").or_else(|| word.strip_suffix("ing"));
    let Some(length) = rest.filter(|rest| has_vowel(rest)).map(str::len) else { return };
    word.truncate(length);
    if ["at", "bl", "iz"].iter().any(|ending| word.ends_with(ending)) {
        word.push('e');
    } else if ends_double(word) && !word.ends_with(['l', 's', 'z']) {
        word.pop();
    } else if measure(word) == 1 && ends_open(word) {
        word.push('e');
    }
}

fn ending(word: &mut String, endings: &Endings, holds: impl Fn(&str) -> bool) {
    let found = endings.iter().find_map(|(from, to)| word.strip_suffix(*from).map(|rest| (rest, from.len(), *to)));
    if let Some((_, length, to)) = found.filter(|(rest, ..)| holds(rest)) {
        replace(word, length, to);
    }
}

fn replace(word: &mut String, bytes: usize, by: &str) {
    word.truncate(word.len() - bytes);
    word.push_str(by);
}

fn is_consonant(word: &[u8], at: usize) -> bool {
    match word[at] {
        b'a' | b'e' | b'i' | b'o' | b'u' => false,
        b'y' => at == 0 || !is_consonant(word, at - 1),
        _ => true,
    }
}

/// How many times consonants follow vowels.
fn measure(word: &str) -> usize {
    let word = word.as_bytes();
    let mut turns = 0;
    let mut after_vowel = false;
    for at in 0..word.len() {
        let consonant = is_consonant(word, at);
        turns += usize::from(after_vowel && consonant);
        after_vowel = !consonant;
    }
    turns
}

fn has_vowel(word: &str) -> bool {
    (0..word.len()).any(|at| !is_consonant(word.as_bytes(), at))
}

fn ends_double(word: &str) -> bool {
    let word = word.as_bytes();
    matches!(word, [.., one, other] if one == other) && is_consonant(word, word.len() - 1)
}

/// Consonant, vowel, consonant, the last of them not `w`, `x` or `y`: the word had an `e`.
fn ends_open(word: &str) -> bool {
    let bytes = word.as_bytes();
    let Some(first) = bytes.len().checked_sub(3) else { return false };
    let shape = [first, first + 1, first + 2].map(|at| is_consonant(bytes, at));
    shape == [true, false, true] && !word.ends_with(['w', 'x', 'y'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for forms in [
            &["rise", "rises", "rising"][..],
            &["connect", "connected", "connecting", "connection", "connections"],
            &["pony", "ponies"],
            &["hop", "hopped", "hopping"],
            &["relate", "related", "relational"],
            &["agree", "agreed", "agrees"],
            &["control", "controlled", "controlling"],
        ] {
            let stems: std::collections::BTreeSet<_> = forms.iter().map(|form| stem(form)).collect();
            assert_eq!(stems.len(), 1, "{stems:?}");
        }
    }

    #[test]
    fn stems_are_those_of_the_paper() {
        for (word, expected) in [
            ("caresses", "caress"),
            ("cats", "cat"),
            ("feed", "feed"),
            ("sing", "sing"),
            ("conflated", "conflat"),
            ("filing", "file"),
            ("falling", "fall"),
            ("happy", "happi"),
            ("sky", "sky"),
            ("vietnamization", "vietnam"),
            ("hopefulness", "hope"),
            ("electriciti", "electr"),
            ("adoption", "adopt"),
            ("replacement", "replac"),
            ("probate", "probat"),
            ("cease", "ceas"),
            ("roll", "roll"),
            ("generalizations", "gener"),
            ("oscillators", "oscil"),
        ] {
            assert_eq!(stem(word), expected, "{word}");
        }
    }

    #[test]
    fn other_alphabets_and_short_words_stay() {
        for word in ["is", "größes", "所有", ""] {
            assert_eq!(stem(word), word);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_word_has_a_stem(word in "[a-z0-9_]{0,70}") {
            proptest::prop_assert!(stem(&word).len() <= word.len() + 1);
        }
    }
}
