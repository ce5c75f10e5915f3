//! Whether what a person said praises what was done, complains of it, or asks for it to be taken back. By words of some languages: what is
//! meant otherwise is not understood, and counts as nothing. Most words of that kind stand in requests, too ("add an undo button"): alone
//! they count only where they open a message or are nearly all of it.

mod lists;

use crate::commands::{Back, backs};
use lists::{ASKING, NEGATIVE, NO_COMPLAINT, POSITIVE, REVERT};

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

/// The words of a mood.
struct Words {
    /// They count anywhere.
    anywhere: &'static [&'static str],
    /// They count where they open the message.
    opening: &'static [&'static str],
    /// They count there, too, but only if nothing belongs to them: a stop follows, or the end.
    alone: &'static [&'static str],
    /// They count there, and in a message of a few words.
    short: &'static [&'static str],
    /// Of scripts without spaces: they count in a clause that has little else.
    unspaced: &'static [&'static str],
    /// Likewise: they count as a whole clause only, since most that have them are requests.
    clauses: &'static [&'static str],
}

/// A message of no more words is nearly all of what it says.
const SHORT: usize = 4;
/// Characters that a clause has beside one of those words at most; beside a short one it has no more than that has.
const REST_OF_CLAUSE: usize = 6;
/// How questions end in scripts without spaces.
const ASKS: [&str; 3] = ["吗", "呢", "か"];
/// Characters of a line that a person types; a longer one was pasted.
const LONGEST_LINE: usize = 400;

/// Reads the mood of a message. What was pasted into it is not the person's own word.
pub fn mood(text: &str) -> Mood {
    let own: Vec<&str> = text.split("```").step_by(2).flat_map(str::lines).collect();
    let own: Vec<&str> = own.into_iter().filter(|line| line.chars().count() <= LONGEST_LINE).collect();
    let takes_back = |line: &&str| {
        let command = line.find("git ").map_or("", |at| line[at..].trim_end_matches(['`', '"', '\'', '.']));
        backs(command).iter().any(|back| !matches!(back, Back::Stashed(_)))
    };
    let lower = own.join("\n").to_lowercase().replace('’', "'");
    let words = words(&lower);
    let clauses: Vec<&str> =
        lower.split(|char: char| char == '\n' || "。、，．！？,.!?；;".contains(char)).map(str::trim).collect();
    let are_in = |mood: &Words| mood.are_in(&words) || mood.are_in_clauses(&clauses);
    if are_in(&REVERT) || own.iter().any(takes_back) {
        Mood::Revert
    } else if are_in(&NEGATIVE) {
        Mood::Negative
    } else if are_in(&POSITIVE) {
        Mood::Positive
    } else {
        Mood::None
    }
}

/// A word, and whether a stop follows it.
#[derive(Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    stops: bool,
}

/// Words with their apostrophes. What has signs within, such as `super()` or `non-null`, is one word, and none of those that are known.
fn words(text: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    for part in text.split_inclusive(|char: char| char.is_whitespace() || ",;!?".contains(char)) {
        let bare = part.trim();
        let word = bare.trim_matches(|char: char| ".,;:!?\"'*_".contains(char));
        let stops = part.ends_with('\n') || bare.ends_with(['.', ',', ';', ':', '!', '?']);
        match words.last_mut() {
            _ if !word.is_empty() => words.push(Word { text: word, stops }),
            Some(last) => last.stops |= stops,
            None => {}
        }
    }
    words
}

impl Words {
    fn are_in(&self, words: &[Word<'_>]) -> bool {
        let all = |phrases: &[&str], fits: &dyn Fn(usize, usize) -> bool| {
            phrases.iter().any(|phrase| {
                let length = phrase.split(' ').count();
                (0..words.len().saturating_sub(length - 1)).any(|at| is_at(words, at, phrase) && fits(at, length))
            })
        };
        let follows = |at: usize, one: &[&str]| at > 0 && !words[at - 1].stops && one.contains(&words[at - 1].text);
        let ends = |at: usize, length: usize| words[at + length - 1].stops || words.len() == at + length;
        all(self.anywhere, &|at, _| !follows(at, ASKING))
            || all(self.opening, &|at, _| at == 0)
            || all(self.alone, &|at, length| at == 0 && ends(at, length))
            || words.len() <= SHORT && all(self.short, &|at, _| !follows(at, ASKING) && !follows(at, &["is"]))
    }
}

impl Words {
    fn are_in_clauses(&self, clauses: &[&str]) -> bool {
        let is_in = |clause: &str, phrase: &str| {
            let length = phrase.chars().count();
            clause.contains(phrase) && clause.chars().count() <= length + length.min(REST_OF_CLAUSE)
        };
        let is_told = |clause: &&&str| !ASKS.iter().any(|end| clause.ends_with(end));
        clauses
            .iter()
            .filter(is_told)
            .any(|clause| self.clauses.contains(clause) || self.unspaced.iter().any(|phrase| is_in(clause, phrase)))
    }
}

/// Tells whether a phrase stands at a place, and means what it says there.
fn is_at(words: &[Word<'_>], at: usize, phrase: &str) -> bool {
    let is_there = phrase.split(' ').enumerate().all(|(next, word)| words[at + next].text == word);
    let next = words.get(at + 1).map(|word| word.text);
    is_there && !(phrase == "no" && next.is_some_and(|next| NO_COMPLAINT.contains(&next)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taking_back_counts_before_complaints_and_these_before_praise() {
        let check = |text: &str, expected: Mood| assert_eq!(mood(text), expected, "{text}");
        check("Thanks, but revert that please", Mood::Revert);
        check("undo", Mood::Revert);
        check("Undo the last change.", Mood::Revert);
        check("can you revert this and keep the tests", Mood::Revert);
        check("please try again", Mood::Revert);
        check("just do `git checkout -- src/cost.py`", Mood::Revert);
        check("That broke the build, it is wrong.", Mood::Negative);
        check("no. not like this", Mood::Negative);
        check("No, I meant the other file, the one in src", Mood::Negative);
        check("It doesn’t work", Mood::Negative);
        check("still wrong", Mood::Negative);
        check("Here:\n```\nok\n```\nthat is not what I wanted", Mood::Negative);
        check("Das funktioniert nicht", Mood::Negative);
        check("Perfect, that worked. Thanks!", Mood::Positive);
        check("👍", Mood::Positive);
        check("Great, now add one for the other", Mood::Positive);
        check("ok, tests pass", Mood::Positive);
        check("Super, danke", Mood::Positive);
        check("No problem, go on", Mood::None);
        check("the unbroken address is in latest", Mood::None);
        check("What is this?\n```\nerror: wrong type\n```", Mood::None);
    }

    #[test]
    fn short_forms_of_many_languages_are_understood() {
        let check =
            |mood_of: Mood, texts: &[&str]| texts.iter().for_each(|text| assert_eq!(mood(text), mood_of, "{text}"));
        check(
            Mood::Positive,
            &[
                "good",
                "Good job!",
                "ty",
                "works",
                "working now",
                "looks good",
                "+1",
                "👌",
                "💯",
                "❤️",
                "klappt",
                "Läuft!",
                "Prima, danke",
                "jetzt geht es",
                "sehr gut",
                "vielen Dank",
                "ça marche",
                "ça fonctionne",
                "nickel",
                "génial !",
                "c'est bon",
                "bien joué",
                "muchas gracias",
                "ahora funciona",
                "genial",
                "muy bien",
                "ありがとう",
                "ありがとうございます！",
                "完璧です",
                "動きました",
                "助かりました。次は",
                "いいね",
                "谢谢",
                "可以了",
                "完美！",
                "修好了",
                "감사합니다",
                "고마워요",
                "잘 됩니다",
            ],
        );
        check(
            Mood::Negative,
            &[
                "nah",
                "not good",
                "same error",
                "still no",
                "👎",
                "❌",
                "not fixed",
                "klappt nicht",
                "läuft nicht",
                "geht immer noch nicht",
                "nee",
                "das stimmt nicht",
                "so nicht",
                "ça ne marche pas",
                "ne fonctionne pas",
                "toujours pas",
                "pas bon",
                "c'est faux",
                "no sirve",
                "sigue fallando",
                "eso no",
                "no va",
                "está roto",
                "動かない",
                "まだ動きません",
                "違います",
                "間違っている",
                "ダメです",
                "不对",
                "还是不行",
                "没有用",
                "안 돼요",
                "틀렸어요",
            ],
        );
        check(
            Mood::Revert,
            &[
                "mach es rückgängig",
                "nimm das zurück",
                "annule ça",
                "reviens en arrière",
                "deshazlo",
                "vuelve atrás",
                "元に戻して",
                "取り消してください",
                "撤销刚才的修改",
                "请回滚",
                "되돌려 주세요",
            ],
        );
        check(
            Mood::None,
            &[
                "make it look good",
                "add a good example",
                "füge einen Knopf hinzu, der alles zurücksetzt",
                "ajoute un test pour la fonction qui ne marche que le lundi",
                "añade una función nueva",
                "動かない場合のテストを追加してください",
                "给编辑器添加一个撤销按钮",
                "エラー処理を追加して",
                "how it works",
                "explain what works",
            ],
        );
    }

    #[test]
    fn whole_clauses_count_where_requests_do_not() {
        for (text, expected) in [
            ("geht jetzt, danke", Mood::Positive),
            ("pas mal !", Mood::Positive),
            ("Ja, genau. Jetzt die Tests", Mood::Positive),
            ("很好，下一个", Mood::Positive),
            ("うまくいきました。", Mood::Positive),
            ("stimmt so nicht", Mood::Negative),
            ("toujours la même erreur", Mood::Negative),
            ("sigue sin funcionar", Mood::Negative),
            ("違う、もう一つの方", Mood::Negative),
            ("还是一样", Mood::Negative),
            ("that's worse", Mood::Negative),
            ("rückgängig bitte", Mood::Revert),
            ("revierte eso, por favor", Mood::Revert),
            ("戻して", Mood::Revert),
            ("撤销", Mood::Revert),
            ("撤销按钮放到左边", Mood::None),
            ("可以吗？", Mood::None),
            ("違うファイルを開いて", Mood::None),
            ("geht das auch schneller?", Mood::None),
            ("restore it from the backup table when the import fails", Mood::None),
            ("失敗したテストを一覧にして", Mood::None),
        ] {
            assert_eq!(mood(text), expected, "{text}");
        }
    }

    #[test]
    fn a_request_is_no_mood() {
        for text in [
            "add an undo button",
            "Undo button: make it larger",
            "implement undo and redo for the editor",
            "add rollback support to the migrations",
            "write a revert command",
            "git checkout main and pull",
            "show a message to try again later",
            "make it non-null",
            "there is no test for this",
            "No tests exist for the parser yet, write some",
            "what is wrong with the test?",
            "fix the broken link",
            "rename it to mal_count",
            "call super()",
            "super() has to be called first",
            "use a fixed width",
            "Fixed columns would be better here",
            "explain how it works",
            "make sure it works on windows",
            "add a thanks page",
            "could you rename this to total, thanks in advance for the help",
            "a no-op would do",
            "nice to have: a progress bar",
        ] {
            assert_eq!(mood(text), Mood::None, "{text}");
        }
        let pasted = format!("what is this: {} wrong, it doesn't work", "x ".repeat(300));
        assert_eq!(mood(&pasted), Mood::None);
    }
}
