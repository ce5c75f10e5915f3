//! Polite words around a command: `could you … please?`. They change nothing about it.

use std::sync::LazyLock;

use crate::token::{Token, tokens};

/// Words before a command.
#[rustfmt::skip]
const BEFORE: &[&str] = &[
    "please", "pls", "plz", "kindly", "hey", "hi", "hello", "ok", "okay", "now", "just", "then", "also", "aside", "hey aside", "could you",
    "would you", "let's", "lets", "let us", "go ahead and", "i'd like you to", "i want you to", "i would like you to", "quickly", "would you please",
    "could you please", "bitte", "kannst du", "konntest du", "wurdest du", "konnen sie", "konnten sie", "kannst du bitte", "hey", "jetzt", "dann",
    "und", "mal", "s'il te plait", "s'il vous plait", "stp", "svp", "peux-tu", "pourrais-tu", "peux tu", "pouvez-vous", "pourriez-vous", "merci de",
    "maintenant", "puis", "veuillez", "por favor", "puedes", "podrias", "puede", "podria", "ahora", "luego", "¿", "¡", "me puedes", "me podrias", "请",
    "请帮我", "帮我", "麻烦", "麻烦你", "请你", "麻烦帮我", "帮忙", "然后", "再", "请把", "现在", "すみません", "ちょっと", "今すぐ", "では",
];
/// Words before a command that ask for nothing: a question stays a question.
#[rustfmt::skip]
const CALLS: &[&str] = &[
    "hey", "hi", "hello", "ok", "okay", "now", "just", "then", "also", "aside", "quickly", "jetzt", "dann", "und", "mal", "maintenant", "puis", "ahora", "luego", "¿", "¡",
];
/// Words that ask for an ability, unless an object follows.
const ABILITY: &[&str] = &["can you", "can you please", "你能", "你可以"];
/// Words that tell of a wish: enough to show something.
const WISH: &[&str] = &[
    "i want to",
    "i'd like to",
    "i would like to",
    "i need to",
    "ich mochte",
    "ich will",
    "je veux",
    "je voudrais",
    "quiero",
    "quisiera",
    "我想",
    "我要",
];
/// Words after a command.
#[rustfmt::skip]
const AFTER: &[&str] = &[
    "please", "pls", "plz", "now", "right now", "thanks", "thank you", "thx", "ty", "for me", "would you", "will you", "could you", "ok", "okay",
    "immediately", "at once", ".", "!", "?", "。", "！", "？", "…", ",", "bitte", "jetzt", "danke", "sofort", "mal", "mal bitte", "bitte mal",
    "s'il te plait", "s'il vous plait", "stp", "svp", "merci", "maintenant", "tout de suite", "por favor", "gracias", "ahora", "ya", "porfa", "吧",
    "一下", "谢谢", "好吗", "可以吗", "，", "ください", "下さい", "くれ", "くれる", "くれますか", "くれませんか", "もらえますか", "もらえる", "お願いします", "お願い", "ね", "よ", "、",
];

struct Courtesies {
    before: Vec<Vec<String>>,
    ability: Vec<Vec<String>>,
    wish: Vec<Vec<String>>,
    after: Vec<Vec<String>>,
}

static COURTESIES: LazyLock<Courtesies> = LazyLock::new(|| {
    let words = |list: &[&str]| {
        let mut all: Vec<Vec<String>> =
            list.iter().map(|text| tokens(text).into_iter().map(|token| token.folded).collect()).collect();
        all.sort_by_key(|words| std::cmp::Reverse(words.len()));
        all
    };
    Courtesies { before: words(BEFORE), ability: words(ABILITY), wish: words(WISH), after: words(AFTER) }
});

/// The command within a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Courteous<'a> {
    /// Its tokens.
    pub tokens: &'a [Token],
    /// Whether it is asked for politely, as a question.
    pub is_polite: bool,
    /// Whether it may ask for an ability only.
    pub asks_ability: bool,
    /// Whether it is only wished for.
    pub is_wish: bool,
    /// Whether it ends as a question.
    pub is_question: bool,
}

/// Takes polite words off. Returns each form from the whole sentence to the barest: a polite word may be a name.
pub(crate) fn forms(tokens: &[Token]) -> Vec<Courteous<'_>> {
    let is_mark = |token: &Token| [".", "!", "?", "。", "！", "？"].contains(&token.folded.as_str());
    let is_question = tokens
        .iter()
        .rev()
        .take_while(|token| is_mark(token))
        .any(|token| ["?", "？"].contains(&token.folded.as_str()));
    let mut form = Courteous { tokens, is_polite: false, asks_ability: false, is_wish: false, is_question };
    let mut all = vec![form];
    while let Some(next) = shorter(form) {
        all.push(next);
        form = next;
    }
    all
}

/// Takes one polite word off, from the end first.
fn shorter(form: Courteous<'_>) -> Option<Courteous<'_>> {
    let Courteous { tokens, .. } = form;
    let is_last =
        |words: &&Vec<String>| tokens.len() > words.len() && is_same(&tokens[tokens.len() - words.len()..], words);
    if let Some(words) = COURTESIES.after.iter().find(is_last) {
        return Some(Courteous { tokens: &tokens[..tokens.len() - words.len()], ..form });
    }
    if let ([rest @ .., last], true) = (tokens, form.asks_ability)
        && last.folded == "吗"
    {
        return Some(Courteous { tokens: rest, ..form });
    }
    let is_first = |words: &&Vec<String>| tokens.len() > words.len() && is_same(&tokens[..words.len()], words);
    if let Some(words) = COURTESIES.ability.iter().find(is_first) {
        return Some(Courteous { tokens: &tokens[words.len()..], asks_ability: true, is_polite: true, ..form });
    }
    if let Some(words) = COURTESIES.wish.iter().find(is_first) {
        return Some(Courteous { tokens: &tokens[words.len()..], is_wish: true, ..form });
    }
    let words = COURTESIES.before.iter().find(is_first)?;
    let mut rest = &tokens[words.len()..];
    if rest.len() > 1 && rest[0].folded == "," {
        rest = &rest[1..];
    }
    let is_call = matches!(&words[..], [word] if CALLS.contains(&word.as_str()));
    Some(Courteous { tokens: rest, is_polite: form.is_polite || !is_call, ..form })
}

fn is_same(tokens: &[Token], words: &[String]) -> bool {
    tokens.iter().map(|token| &token.folded).eq(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn barest(text: &str) -> (String, bool, bool) {
        let tokens = tokens(text);
        let form = *forms(&tokens).last().unwrap();
        let words: Vec<_> = form.tokens.iter().map(|token| token.folded.as_str()).collect();
        (words.join(" "), form.is_polite, form.asks_ability)
    }

    #[test]
    fn polite_words_are_taken_off() {
        assert_eq!(barest("Could you please close it, thanks!"), ("close it".to_owned(), true, false));
        assert_eq!(barest("can you open a.py?"), ("open a.py".to_owned(), true, true));
        assert_eq!(barest("请打开 a.py 吧"), ("打 开 a.py".to_owned(), true, false));
        assert_eq!(barest("please"), ("please".to_owned(), false, false));
    }
}
