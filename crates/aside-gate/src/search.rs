//! Finds actions by words. The same query always gives the same list.

use aside_core::Descriptor;

/// Returns the best descriptors for some words, best first; all by name if there are no words.
pub(crate) fn search<'a>(
    descriptors: impl Iterator<Item = &'a Descriptor>,
    query: &str,
    limit: usize,
) -> Vec<&'a Descriptor> {
    let wanted = words(query);
    let mut found: Vec<_> = descriptors
        .map(|descriptor| (score(descriptor, query, &wanted), descriptor))
        .filter(|(score, _)| *score > 0 || wanted.is_empty())
        .collect();
    found.sort_by(|(one, first), (two, second)| two.cmp(one).then_with(|| first.name.cmp(&second.name)));
    found.into_iter().map(|(_, descriptor)| descriptor).take(limit).collect()
}

fn score(descriptor: &Descriptor, query: &str, wanted: &[String]) -> u32 {
    let query = query.trim().to_lowercase();
    let phrase = descriptor.phrases.iter().any(|phrase| phrase.to_lowercase() == query);
    let exact = if descriptor.name.as_str() == query || phrase { 100 } else { 0 };
    let fields = [
        (10, words(descriptor.name.as_str())),
        (6, words(&descriptor.phrases.join(" "))),
        (5, words(&descriptor.tags.join(" "))),
        (3, words(&descriptor.summary)),
        (1, words(&descriptor.description)),
    ];
    exact + wanted.iter().map(|word| best(word, &fields)).sum::<u32>()
}

/// A whole word counts twice as much as its beginning.
fn best(word: &str, fields: &[(u32, Vec<String>)]) -> u32 {
    let weight = |(weight, words): &(u32, Vec<String>)| {
        if words.iter().any(|other| other == word) {
            2 * weight
        } else if word.len() > 2 && words.iter().any(|other| other.starts_with(word)) {
            *weight
        } else {
            0
        }
    };
    fields.iter().map(weight).max().unwrap_or_default()
}

fn words(text: &str) -> Vec<String> {
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::catalog;

    fn names(query: &str, limit: usize) -> Vec<String> {
        catalog().search(query, limit).into_iter().map(|found| found.name.to_string()).collect()
    }

    #[test]
    fn finds_by_name_phrase_tag_and_beginning_of_a_word() {
        assert_eq!(names("text.replace", 1), ["text.replace"]);
        assert_eq!(names("swap words", 1), ["text.replace"]);
        assert_eq!(names("destr", 5), ["text.clear"]);
        assert!(names("nothing like it", 5).is_empty());
    }

    #[test]
    fn no_words_list_everything_by_name() {
        let all = names("", 100);
        assert!(all.is_sorted());
        assert!(all.len() > 3);
        assert_eq!(names("", 2).len(), 2);
    }
}
