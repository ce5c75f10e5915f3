//! Finds actions by words: the same query always gives the same list, without any model.
//!
//! A word counts by the field it is found in and by how few actions have it. What only begins with a wanted word counts
//! half. Among equals the name decides.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use aside_core::{Descriptor, Phrase, Risks};

/// What an action is worth whose name or phrase is the whole query: more than any words add up to.
const EXACT: u32 = 1_000_000;
/// A beginning is looked up from so many letters on.
const BEGINNING: usize = 3;
/// The longest query that is read, in words.
const WORDS: usize = 40;
/// The most wordings of one phrase that are found as a whole.
const WORDINGS: usize = 64;
/// What a word that all actions have is worth; each halving of the share that has it adds as much again.
const COMMON: u32 = 10;

/// Words that say nothing about which action is meant.
const FILLERS: &[&str] = &[
    "a", "an", "and", "can", "do", "for", "from", "how", "i", "in", "into", "is", "it", "its", "me", "my", "of", "on",
    "or", "please", "that", "the", "this", "to", "want", "what", "with", "you",
];

/// What is looked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Query<'a> {
    /// Words; all actions by name if there are none.
    pub words: &'a str,
    /// Only actions of this noun: `doc` for `doc.edit`.
    pub noun: Option<&'a str>,
    /// Only actions that always have no other risks than these.
    pub risks: Option<&'a Risks>,
    /// How many at most.
    pub limit: usize,
}

impl<'a> Query<'a> {
    /// Some words and no filter.
    pub fn words(words: &'a str, limit: usize) -> Self {
        Self { words, limit, ..Self::default() }
    }

    fn admits(&self, descriptor: &Descriptor) -> bool {
        self.noun.is_none_or(|noun| descriptor.name.noun() == noun)
            && self.risks.is_none_or(|risks| descriptor.risks.is_subset(risks))
    }
}

/// All descriptors by name, with the words in each.
#[derive(Debug, Default)]
pub(super) struct Index {
    descriptors: Vec<Arc<Descriptor>>,
    /// Which descriptors have a word, and the weight of the best field it is in.
    words: BTreeMap<String, Vec<(usize, u32)>>,
    /// Names and phrases, in lower case.
    whole: HashMap<String, Vec<usize>>,
}

impl Index {
    /// Indexes descriptors, which are in the order of their names.
    pub(super) fn new(descriptors: Vec<Arc<Descriptor>>) -> Self {
        let mut index = Self { descriptors, ..Self::default() };
        for (at, descriptor) in index.descriptors.iter().enumerate() {
            for (word, weight) in weights(descriptor) {
                index.words.entry(word).or_default().push((at, weight));
            }
            let names = std::iter::once(descriptor.name.as_str());
            let wordings = descriptor.phrases.iter().flat_map(|phrase| wordings(phrase));
            // A tag of several words is a sentence that only helps the search.
            let sentences = descriptor.tags.iter().filter(|tag| tag.contains(' ')).cloned();
            for whole in names.map(str::to_owned).chain(wordings).chain(sentences) {
                index.whole.entry(whole.to_lowercase()).or_default().push(at);
            }
        }
        index
    }

    /// Returns what fits best, best first.
    pub(super) fn search(&self, query: &Query<'_>) -> Vec<Arc<Descriptor>> {
        let wanted = wanted(query.words);
        let mut found: Vec<(u32, usize)> = match wanted.is_empty() {
            true => (0..self.descriptors.len()).map(|at| (0, at)).collect(),
            false => self.scores(query.words, &wanted).into_iter().map(|(at, score)| (score, at)).collect(),
        };
        found.retain(|(_, at)| query.admits(&self.descriptors[*at]));
        // By name among equals: that is the order of the positions.
        found.sort_unstable_by(|(one, first), (two, second)| two.cmp(one).then(first.cmp(second)));
        found.into_iter().take(query.limit).map(|(_, at)| self.descriptors[at].clone()).collect()
    }

    fn scores(&self, words: &str, wanted: &[String]) -> HashMap<usize, u32> {
        let mut scores = HashMap::new();
        for word in wanted {
            for (at, score) in self.scores_of(word) {
                *scores.entry(at).or_default() += score;
            }
        }
        let whole = words.trim().to_lowercase();
        for at in self.whole.get(&whole).into_iter().flatten() {
            *scores.entry(*at).or_default() += EXACT;
        }
        scores
    }

    /// The best that each action has for one word.
    fn scores_of(&self, word: &str) -> HashMap<usize, u32> {
        let mut best = HashMap::<usize, u32>::new();
        let mut note = |list: &[(usize, u32)], times: u32| {
            let rarity = self.rarity(list.len());
            for (at, weight) in list {
                let score = best.entry(*at).or_default();
                *score = (*score).max(times * weight * rarity);
            }
        };
        if let Some(list) = self.words.get(word) {
            note(list, 2);
        }
        if word.len() >= BEGINNING {
            let longer = self.words.range(word.to_owned()..).take_while(|(other, _)| other.starts_with(word));
            longer.filter(|(other, _)| *other != word).for_each(|(_, list)| note(list, 1));
        }
        best
    }

    fn rarity(&self, having: usize) -> u32 {
        let share = self.descriptors.len() / having.max(1);
        COMMON * (share.max(1).ilog2() + 1)
    }
}

/// The words of a descriptor with the weight of the best field each is in.
fn weights(descriptor: &Descriptor) -> HashMap<String, u32> {
    let phrases: Vec<_> = descriptor.phrases.iter().map(String::as_str).filter(|phrase| is_plain(phrase)).collect();
    let phrases = phrases.join(" ");
    let tags = descriptor.tags.join(" ");
    let fields = [
        (10, descriptor.name.as_str()),
        (6, phrases.as_str()),
        (5, tags.as_str()),
        (3, descriptor.summary.as_str()),
        (1, descriptor.description.as_str()),
    ];
    let mut weights = HashMap::new();
    for (weight, text) in fields {
        for word in stems(text) {
            // The first field is the best.
            weights.entry(word).or_insert(weight);
        }
    }
    weights
}

/// Tells whether a phrase is a sentence as it is said. The alternatives of the others would outweigh the words of an action's
/// name: they are found as a whole only.
fn is_plain(phrase: &str) -> bool {
    !phrase.contains(['(', '[', '{', '=', '$'])
}

/// The first ways to say a phrase that has no slot.
fn wordings(phrase: &str) -> Vec<String> {
    match phrase.contains('{') {
        true => Vec::new(),
        false => phrase.parse::<Phrase>().map_or_else(|_| vec![phrase.to_owned()], |phrase| phrase.texts(WORDINGS)),
    }
}

/// The words that count, each once; the fillers only if there is nothing else.
fn wanted(query: &str) -> Vec<String> {
    let all: Vec<String> = stems(query).take(WORDS).collect();
    let mut seen = HashSet::new();
    let telling: Vec<String> = all.iter().filter(|word| !FILLERS.contains(&word.as_str())).cloned().collect();
    let mut words = if telling.is_empty() { all } else { telling };
    words.retain(|word| seen.insert(word.clone()));
    words
}

fn stems(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| stem(&word.to_lowercase()).to_owned())
}

/// Cuts the endings off that make no other word of a noun or a verb: `files`, `renamed`, `moving`.
fn stem(word: &str) -> &str {
    let cut = |ending: &str| word.strip_suffix(ending).filter(|rest| rest.len() >= BEGINNING);
    let plural = |rest: &&str| !rest.ends_with(['s', 'u', 'i']);
    let stem = cut("ing").or_else(|| cut("ed")).or_else(|| cut("s").filter(plural)).unwrap_or(word);
    stem.strip_suffix('e').filter(|rest| rest.len() >= BEGINNING).unwrap_or(stem)
}

#[cfg(test)]
mod tests {
    use aside_core::Risk;

    use super::*;
    use crate::testing::catalog;

    fn names(query: &Query<'_>) -> Vec<String> {
        catalog().search(query).into_iter().map(|found| found.name.to_string()).collect()
    }

    fn found(words: &str) -> Vec<String> {
        names(&Query::words(words, 5))
    }

    #[test]
    fn finds_by_name_phrase_tag_and_beginning_of_a_word() {
        assert_eq!(found("text.replace")[0], "text.replace");
        assert_eq!(found("swap words")[0], "text.replace");
        assert_eq!(found("destr"), ["text.clear"]);
        assert!(found("nothing like it").is_empty());
    }

    #[test]
    fn endings_and_fillers_make_no_difference() {
        assert_eq!(found("please swap the words"), found("swapping word"));
        assert_eq!(["files", "filing", "filed", "file"].map(stem), ["fil"; 4]);
        assert_eq!(["class", "status", "this"].map(stem), ["class", "status", "this"]);
    }

    #[test]
    fn filters_narrow() {
        let none = Query { noun: Some("doc"), ..Query::words("", 100) };
        assert!(names(&none).is_empty());
        let reading = Risks::from([Risk::Read]);
        let query = Query { noun: Some("text"), risks: Some(&reading), ..Query::words("", 100) };
        assert_eq!(names(&query), ["text.read"]);
    }

    #[test]
    fn no_words_list_everything_by_name() {
        let all = names(&Query::words(" , ", 100));
        assert!(all.is_sorted());
        assert!(all.len() > 3);
        assert_eq!(names(&Query::words("", 2)).len(), 2);
    }
}
