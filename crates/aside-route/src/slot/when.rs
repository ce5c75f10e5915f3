//! Days and times: `tomorrow at 9`, `in two weeks`, `on Friday`, `2026-03-20`.

use super::{Meaning, SlotContext, Words};
use crate::words::number;

const TODAY: &[&str] = &["today", "heute", "aujourd'hui", "hoy", "今天", "今日"];
const TOMORROW: &[&str] = &["tomorrow", "morgen", "demain", "manana", "明天", "明日"];
const AFTER_TOMORROW: &[&str] = &["ubermorgen", "apres-demain", "后天", "明後日"];
/// Monday first.
const WEEKDAYS: [&[&str]; 7] = [
    &["monday", "mon", "montag", "lundi", "lunes", "周一", "星期一", "月曜日"],
    &["tuesday", "tue", "dienstag", "mardi", "martes", "周二", "星期二", "火曜日"],
    &["wednesday", "wed", "mittwoch", "mercredi", "miercoles", "周三", "星期三", "水曜日"],
    &["thursday", "thu", "donnerstag", "jeudi", "jueves", "周四", "星期四", "木曜日"],
    &["friday", "fri", "freitag", "vendredi", "viernes", "周五", "星期五", "金曜日"],
    &["saturday", "sat", "samstag", "samedi", "sabado", "周六", "星期六", "土曜日"],
    &["sunday", "sun", "sonntag", "dimanche", "domingo", "周日", "星期日", "日曜日"],
];
const MONTHS: [&[&str]; 12] = [
    &["january", "jan", "januar", "janvier", "enero"],
    &["february", "feb", "februar", "fevrier", "febrero"],
    &["march", "mar", "marz", "mars", "marzo"],
    &["april", "apr", "avril", "abril"],
    &["may", "mai", "mayo"],
    &["june", "jun", "juni", "juin", "junio"],
    &["july", "jul", "juli", "juillet", "julio"],
    &["august", "aug", "aout", "agosto"],
    &["september", "sep", "sept", "septembre", "septiembre"],
    &["october", "oct", "oktober", "octobre", "octubre"],
    &["november", "nov", "novembre", "noviembre"],
    &["december", "dec", "dezember", "decembre", "diciembre"],
];
/// Words that change nothing.
const FILLERS: &[&str] = &[
    "on", "by", "the", "of", "next", "coming", "this", "um", "am", "den", "uhr", "le", "el", "la", "a", "las", "de",
    "due", "for", ",", "の", "に", "at",
];
const MORNING: &[&str] = &["am", "a.m", "morning", "上午", "午前"];
const AFTERNOON: &[&str] = &["pm", "p.m", "afternoon", "evening", "下午", "午後"];

/// Reads a day or a time on the person's clock.
pub(super) fn when(words: Words<'_>, scene: SlotContext<'_>) -> Option<Meaning> {
    let now = Moment::read(&scene.situation.time)?;
    let joined = joined(words);
    let words: Vec<&str> = joined.iter().map(String::as_str).collect();
    let mut reader = Reader { words: &words, now, day: None, minute: None };
    reader.read()?;
    let Reader { day, minute, .. } = reader;
    match (day, minute) {
        (Some(day), None) => Some(Meaning::one(date(day))),
        (Some(day), Some(minute)) => Some(Meaning::one(format!("{}T{:02}:{:02}", date(day), minute / 60, minute % 60))),
        (None, Some(minute)) if minute > now.minute => {
            Some(Meaning::one(format!("{}T{:02}:{:02}", date(now.day), minute / 60, minute % 60)))
        }
        _ => None,
    }
}

/// A minute of a day, counted from 1970.
#[derive(Clone, Copy, Debug)]
struct Moment {
    day: i64,
    minute: i64,
}

impl Moment {
    fn read(text: &str) -> Option<Self> {
        let part = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
        Some(Self { day: day_of(part(0, 4)?, part(5, 7)?, part(8, 10)?)?, minute: part(11, 13)? * 60 + part(14, 16)? })
    }
}

struct Reader<'a> {
    words: &'a [&'a str],
    now: Moment,
    day: Option<i64>,
    minute: Option<i64>,
}

impl Reader<'_> {
    /// Reads all words; none if one has no meaning.
    fn read(&mut self) -> Option<()> {
        while !self.words.is_empty() {
            let used = self.day_words().or_else(|| self.time_words())?;
            self.words = self.words.get(used..)?;
        }
        Some(())
    }

    fn day_words(&mut self) -> Option<usize> {
        let word = self.words[0];
        let weekday = |word: &str| WEEKDAYS.iter().position(|names| names.contains(&word)).map(|at| at as i64);
        let (day, used) = match self.words {
            ["day", "after", "tomorrow", ..] => (self.now.day + 2, 3),
            ["in" | "dans" | "en", count, unit, ..] => (self.now.day + amount(count)? * days(unit)?, 3),
            [_, ..] if TODAY.contains(&word) => (self.now.day, 1),
            [_, ..] if TOMORROW.contains(&word) => (self.now.day + 1, 1),
            [_, ..] if AFTER_TOMORROW.contains(&word) => (self.now.day + 2, 1),
            ["next", "week", ..] => (self.now.day + 7, 2),
            [first, second, ..] if month(second).is_some() => (self.of_month(month(second)?, number(first)?)?, 2),
            [first, second, ..] if month(first).is_some() => (self.of_month(month(first)?, number(second)?)?, 2),
            [_, ..] if weekday(word).is_some() => {
                // 1 January 1970 was a Thursday, the fourth day from Monday.
                let ahead = (weekday(word)? - (self.now.day + 3).rem_euclid(7)).rem_euclid(7);
                (self.now.day + if ahead == 0 { 7 } else { ahead }, 1)
            }
            _ => (iso(word)?, 1),
        };
        self.day.replace(day).is_none().then_some(used)
    }

    fn time_words(&mut self) -> Option<usize> {
        let word = self.words[0];
        let next = self.words.get(1).copied().unwrap_or_default();
        let half = |words: &[&str]| words.contains(&next);
        if word == "noon" || word == "mittag" || word == "midi" {
            return self.minute.replace(12 * 60).is_none().then_some(1);
        }
        if let Some(minute) = clock(word) {
            let (minute, used) = match () {
                () if half(AFTERNOON) && minute < 12 * 60 => (minute + 12 * 60, 2),
                () if half(AFTERNOON) || half(MORNING) => (minute, 2),
                () if ["h", "heures", "uhr", "点", "時", "o'clock"].contains(&next) => (minute, 2),
                () => (minute, 1),
            };
            return self.minute.replace(minute).is_none().then_some(used);
        }
        FILLERS.contains(&word).then_some(1)
    }

    /// Returns the next such day of a month.
    fn of_month(&self, month: i64, day: u32) -> Option<i64> {
        let (year, ..) = civil(self.now.day);
        let this_year = day_of(year, month, i64::from(day))?;
        if this_year >= self.now.day { Some(this_year) } else { day_of(year + 1, month, i64::from(day)) }
    }
}

fn amount(word: &str) -> Option<i64> {
    match word {
        "a" | "an" => Some(1),
        _ => number(word).map(i64::from),
    }
}

fn days(unit: &str) -> Option<i64> {
    match unit {
        "day" | "days" | "tag" | "tagen" | "jour" | "jours" | "dia" | "dias" => Some(1),
        "week" | "weeks" | "woche" | "wochen" | "semaine" | "semaines" | "semana" | "semanas" => Some(7),
        _ => None,
    }
}

fn month(word: &str) -> Option<i64> {
    MONTHS.iter().position(|names| names.contains(&word)).map(|at| at as i64 + 1)
}

/// Reads `9`, `9:30`, `9h30`, `5pm`: minutes of the day.
fn clock(word: &str) -> Option<i64> {
    let (digits, shift) = match word {
        _ if word.ends_with("pm") => (word.trim_end_matches("pm"), 12),
        _ if word.ends_with("am") => (word.trim_end_matches("am"), 0),
        _ => (word.trim_end_matches('h'), 0),
    };
    let (hour, minute) = digits.split_once([':', 'h']).unwrap_or((digits, "0"));
    let read = |text: &str| (text.len() <= 2).then(|| text.parse::<i64>().ok()).flatten();
    let (hour, minute) = (read(hour)?, read(minute)?);
    let hour = if shift > 0 && hour < 12 { hour + shift } else { hour };
    ((0..24).contains(&hour) && (0..60).contains(&minute)).then_some(hour * 60 + minute)
}

fn iso(word: &str) -> Option<i64> {
    let mut parts = word.split('-').map(|part| part.parse::<i64>().ok());
    let found = day_of(parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_none() && word.len() == 10 { found } else { None }
}

/// Returns the words. The letters of a Chinese or Japanese word are one.
fn joined(words: Words<'_>) -> Vec<String> {
    let known = |text: &str| {
        [TODAY, TOMORROW, AFTER_TOMORROW, MORNING, AFTERNOON].concat().contains(&text)
            || WEEKDAYS.iter().any(|names| names.contains(&text))
    };
    let (mut found, mut at) = (Vec::new(), 0);
    while at < words.tokens.len() {
        let glued = |count: usize| {
            words
                .tokens
                .get(at..at + count)
                .map(|some| some.iter().map(|token| token.folded.as_str()).collect::<String>())
        };
        let longest = [3, 2].into_iter().filter_map(|count| Some((count, glued(count)?))).find(|(_, text)| known(text));
        let (used, text) = longest.unwrap_or_else(|| (1, words.tokens[at].folded.clone()));
        found.push(text);
        at += used;
    }
    found
}

/// Returns the day since 1970 of a date; none if there is no such day.
fn day_of(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let (shifted, moved) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    let (era, of_era) = (shifted.div_euclid(400), shifted.rem_euclid(400));
    let of_year = (153 * moved + 2) / 5 + day - 1;
    let found = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    (civil(found) == (year, month, day)).then_some(found)
}

/// Returns year, month and day of a day since 1970.
fn civil(day: i64) -> (i64, i64, i64) {
    let shifted = day + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let moved = (5 * of_year + 2) / 153;
    let month = if moved < 10 { moved + 3 } else { moved - 9 };
    (year + era * 400 + i64::from(month <= 2), month, of_year - (153 * moved + 2) / 5 + 1)
}

fn date(day: i64) -> String {
    let (year, month, day) = civil(day);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{situation::Situation, token::tokens};

    fn check(text: &str, expected: Option<&str>) {
        // A Wednesday.
        let situation = Situation { time: "2026-03-11T14:20:00+01:00".to_owned(), ..Situation::default() };
        let scene = SlotContext { situation: &situation, previous: &[], is_gentle: true };
        let found = when(Words { text, tokens: &tokens(text) }, scene).map(|meaning| meaning.values[0].clone());
        assert_eq!(found, expected.map(Into::into), "{text}");
    }

    #[test]
    fn days_and_times_are_read() {
        check("tomorrow at 9", Some("2026-03-12T09:00"));
        check("in two weeks", Some("2026-03-25"));
        check("on Friday", Some("2026-03-13"));
        check("next Wednesday at 5pm", Some("2026-03-18T17:00"));
        check("12 May", Some("2026-05-12"));
        check("January 3", Some("2027-01-03"));
        check("at 15:30", Some("2026-03-11T15:30"));
        check("2026-04-01", Some("2026-04-01"));
        check("明天上午9点", Some("2026-03-12T09:00"));
        check("morgen um 9 Uhr", Some("2026-03-12T09:00"));
    }

    #[test]
    fn unclear_times_have_no_meaning() {
        for text in ["at 9", "soon", "2026-02-30", "tomorrow Friday", "when it rains", "at 25"] {
            check(text, None);
        }
    }
}
