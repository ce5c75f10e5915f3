//! The edit as it is meant.

use std::ops::Range;

use crate::chance::Chance;

/// Lines of a true edit, at most.
const LONGEST: usize = 40;

/// These lines become those.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    pub lines: Range<usize>,
    pub new: Vec<String>,
}

impl Truth {
    /// Draws an edit as people ask for: a name changed, lines added, taken out or written anew, often with a line
    /// or two around them that stay. None if it comes out as nothing, or on blank lines alone.
    pub fn draw(text: &[String], chance: &mut Chance) -> Option<Self> {
        let length = match chance.below(3) {
            0 => chance.within(1..=3),
            1 => chance.within(2..=10),
            _ => chance.within(4..=LONGEST),
        };
        let length = length.min(text.len() / 2);
        let start = chance.below(text.len() - length);
        let old = &text[start..start + length];
        if old.iter().all(|line| line.trim().len() < 3) {
            return None;
        }
        let new = match chance.below(5) {
            0 => renamed(old, chance),
            1 => added(old, text, chance),
            2 => taken_out(old, chance),
            3 => anew(old, chance),
            _ => wrapped(old),
        };
        (new != old).then_some(Self { lines: start..start + length, new })
    }

    /// What the lines become now that they are others than those that were `seen`; none if one that was spoken of is.
    /// What is typed into a line that was `left_out` stays.
    pub fn made(&self, seen: &[String], now: &[String], left_out: &Range<usize>) -> Option<Vec<String>> {
        let mut new = self.new.clone();
        for line in (0..seen.len()).filter(|line| seen[*line] != now[*line]) {
            new[left_out.contains(&line).then_some(line)?].clone_from(&now[line]);
        }
        Some(new)
    }
}

fn renamed(old: &[String], chance: &mut Chance) -> Vec<String> {
    let words = old.iter().flat_map(|line| line.split(|one: char| !one.is_alphanumeric() && one != '_'));
    let words: Vec<&str> = words.filter(|word| word.len() > 3).collect();
    if words.is_empty() {
        return old.to_vec();
    }
    let word = *chance.of(&words);
    old.iter().map(|line| line.replace(word, &format!("{word}_again"))).collect()
}

/// Lines of the same text come again, changed a little, as models like to write.
fn added(old: &[String], text: &[String], chance: &mut Chance) -> Vec<String> {
    let from = chance.below(text.len());
    let come = text[from..].iter().take(chance.within(1..=8)).enumerate();
    let come: Vec<String> = come.map(|(number, line)| format!("{line}{}", ["", " // new"][number % 2])).collect();
    let at = chance.within(0..=old.len());
    [&old[..at], &come, &old[at..]].concat()
}

fn taken_out(old: &[String], chance: &mut Chance) -> Vec<String> {
    if old.len() < 3 {
        return Vec::new();
    }
    let from = chance.within(1..=old.len() - 2);
    let end = chance.within(from + 1..=old.len() - 1);
    [&old[..from], &old[end..]].concat()
}

fn anew(old: &[String], chance: &mut Chance) -> Vec<String> {
    let indent = indent(old);
    let lines = chance.within(1..=old.len() + 2);
    (0..lines).map(|line| format!("{indent}written anew {line};")).collect()
}

fn wrapped(old: &[String]) -> Vec<String> {
    let indent = indent(old);
    let inside = old.iter().map(|line| if line.is_empty() { String::new() } else { format!("    {line}") });
    [format!("{indent}if wrapped {{")].into_iter().chain(inside).chain([format!("{indent}}}")]).collect()
}

fn indent(lines: &[String]) -> String {
    let told = lines.iter().find(|line| !line.trim().is_empty());
    told.map_or_else(String::new, |line| line.chars().take_while(|one| one.is_whitespace()).collect())
}
