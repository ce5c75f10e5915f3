//! Matches tokens with the automaton of phrases: every way in which the whole sentence is a phrase.

use std::ops::Range;

use crate::{
    grammar::{Grammar, TypedSlot},
    token::Token,
    words::FILLERS,
};

/// The most matches of one sentence: more is not a command.
const MOST: usize = 256;
/// The most steps of the search.
const MOST_STEPS: usize = 20_000;

/// A phrase that fits the whole sentence.
#[derive(Clone, Debug)]
pub(crate) struct Match<'a> {
    pub rule: usize,
    /// The slots with the tokens in them.
    pub slots: Vec<(&'a TypedSlot, Range<usize>)>,
    /// Whether a word has a slip of the fingers.
    pub has_slip: bool,
}

/// Returns all phrases that fit; those with a slip of the fingers only if there is no other.
pub(crate) fn matches<'a>(grammar: &'a Grammar, tokens: &[Token]) -> Vec<Match<'a>> {
    let find = |with_slips| {
        let mut search =
            Search { grammar, tokens, with_slips, found: Vec::new(), slots: Vec::new(), slips: 0, steps: 0 };
        search.walk(0, 0, false);
        search.found
    };
    let exact = find(false);
    let may_have_slips = exact.is_empty() && tokens.len() <= 12;
    if may_have_slips { find(true) } else { exact }
}

struct Search<'a, 't> {
    grammar: &'a Grammar,
    tokens: &'t [Token],
    with_slips: bool,
    found: Vec<Match<'a>>,
    slots: Vec<(&'a TypedSlot, Range<usize>)>,
    slips: usize,
    steps: usize,
}

impl<'a> Search<'a, '_> {
    /// Goes on at a node and a token; `skipped` if the token before was left out.
    fn walk(&mut self, node: usize, at: usize, skipped: bool) {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.found.len() >= MOST {
            return;
        }
        let grammar = self.grammar;
        let branch = &grammar.nodes[node];
        let Some(token) = self.tokens.get(at) else {
            for rule in &branch.ends {
                self.found.push(Match { rule: *rule, slots: self.slots.clone(), has_slip: self.slips > 0 });
            }
            return;
        };
        match branch.words.get(&token.folded) {
            Some(next) => next.iter().for_each(|next| self.walk(*next, at + 1, false)),
            None if self.with_slips => self.walk_slips(node, at),
            None => {}
        }
        if FILLERS.contains(&token.folded.as_str()) && at + 1 < self.tokens.len() {
            self.walk(node, at + 1, true);
        }
        // `my plan.md` as a new name is not `plan.md`.
        for (slot, next) in branch.slots.iter().filter(|(slot, _)| !skipped || !slot.kind.is_new()) {
            for end in self.ends(*next, at) {
                self.slots.push((slot, at..end));
                self.walk(*next, end, false);
                self.slots.pop();
            }
        }
    }

    fn walk_slips(&mut self, node: usize, at: usize) {
        let word = &self.tokens[at].folded;
        if self.slips > 0 || self.grammar.vocabulary.contains(word) {
            return;
        }
        let grammar = self.grammar;
        for (known, next) in &grammar.nodes[node].words {
            if is_slip(word, known) {
                self.slips += 1;
                next.iter().for_each(|next| self.walk(*next, at + 1, false));
                self.slips -= 1;
            }
        }
    }

    /// Returns the ends that a slot from `at` on can have: before a word that follows it, or at the end.
    fn ends(&self, next: usize, at: usize) -> Vec<usize> {
        let branch = &self.grammar.nodes[next];
        let anything = !branch.slots.is_empty();
        let fits = |end: &usize| match self.tokens.get(*end) {
            None => !branch.ends.is_empty(),
            Some(token) => {
                anything
                    || branch.words.contains_key(&token.folded)
                    || FILLERS.contains(&token.folded.as_str())
                    || (self.with_slips && branch.words.keys().any(|known| is_slip(&token.folded, known)))
            }
        };
        (at + 1..=self.tokens.len()).filter(fits).filter(|end| are_quotes_paired(&self.tokens[at..*end])).collect()
    }
}

/// Tells whether every quote that opens within the tokens closes in them.
fn are_quotes_paired(tokens: &[Token]) -> bool {
    let count = |mark: &str| tokens.iter().filter(|token| token.folded == mark).count();
    ["\"", "`", "'"].into_iter().all(|mark| count(mark) % 2 == 0)
        && count("«") == count("»")
        && count("「") == count("」")
        && count("『") == count("』")
        && count("“") + count("„") <= count("”") + count("“")
}

/// Tells whether a word is a known one with two letters exchanged, one missing or one doubled, after the first letter.
fn is_slip(word: &str, known: &str) -> bool {
    let (word, known): (Vec<char>, Vec<char>) = (word.chars().collect(), known.chars().collect());
    if known.len() < 4 || word.first() != known.first() || !known.iter().all(char::is_ascii_lowercase) {
        return false;
    }
    let same = word.iter().zip(&known).take_while(|(one, other)| one == other).count();
    let (rest, wanted) = (&word[same..], &known[same..]);
    match (rest, wanted) {
        ([one, two, rest @ ..], [first, second, wanted @ ..]) if rest.len() == wanted.len() => {
            one == second && two == first && rest == wanted
        }
        (rest, [missing, wanted @ ..]) if known.len() > 5 && rest.len() == wanted.len() => {
            rest == wanted && *missing != 's'
        }
        ([doubled, rest @ ..], wanted) if known.len() > 4 && rest.len() == wanted.len() => {
            rest == wanted && same > 0 && word[same - 1] == *doubled
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanged_letters_are_slips() {
        assert!(
            is_slip("clsoe", "close")
                && is_slip("swtich", "switch")
                && is_slip("opne", "open")
                && is_slip("notebok", "notebook")
        );
        for other in ["clone", "closed", "close", "lcose", "hose", "form"] {
            assert!(!is_slip(other, "close"), "{other}");
        }
    }
}
