//! Prints what the fast path costs on the golden sentences, for `cargo xtask bench route`.
//!
//! Each line is `name<TAB>value<TAB>limit<TAB><TAB>`. With the argument `phrases` it prints the same sentences, and the phrases of
//! the catalog as regular expressions, as JSON: for another program that reads sentences by such a list.
#![allow(clippy::disallowed_methods, reason = "reads the sentences and measures time")]

use std::{collections::BTreeMap, fs, path::Path, time::Instant};

use aside_core::{Descriptor, Phrase, PhrasePart};
use aside_route::{Grammar, Situation, route};
use serde_json::json;

/// How often each sentence is read.
const ROUNDS: usize = 40;

fn main() {
    let catalog: Vec<Descriptor> = serde_json::from_str(&read("catalog.json")).expect("the catalog is JSON");
    let contexts: BTreeMap<String, Situation> =
        serde_json::from_str(&read("golden/contexts.json")).expect("the contexts are JSON");
    let files = ["en", "others", "choices", "traps"].map(|name| read(&format!("golden/{name}.txt")));
    let sentences: Vec<(&Situation, &str)> =
        files.iter().flat_map(|file| file.lines()).filter_map(|line| sentence(line, &contexts)).collect();
    if std::env::args().nth(1).as_deref() == Some("phrases") {
        let phrases = catalog.iter().flat_map(|action| &action.phrases).filter_map(|phrase| pattern(phrase));
        let texts: Vec<&str> = sentences.iter().map(|(_, text)| *text).collect();
        println!("{}", json!({ "patterns": phrases.collect::<Vec<_>>(), "sentences": texts }));
        return;
    }
    let begun = Instant::now();
    let grammar = Grammar::new(&catalog).expect("the phrases of the catalog are well formed");
    let built = begun.elapsed().as_secs_f64() * 1e3;
    let mut times = Vec::with_capacity(ROUNDS * sentences.len());
    for _ in 0..ROUNDS {
        for (situation, text) in &sentences {
            let begun = Instant::now();
            std::hint::black_box(route(text, situation, &grammar));
            times.push(begun.elapsed().as_secs_f64() * 1e6);
        }
    }
    times.sort_by(f64::total_cmp);
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    println!("read a sentence, median µs\t{:.2}\t\t\t", at(50));
    println!("read a sentence, 95 % µs\t{:.2}\t\t\t", at(95));
    println!("read a sentence, 99 % µs\t{:.2}\t<=2000\t\t", at(99));
    println!("make the grammar, once, ms\t{built:.2}\t\t\t");
}

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}

/// Splits `CONTEXT | sentence => …`.
fn sentence<'a>(line: &'a str, contexts: &'a BTreeMap<String, Situation>) -> Option<(&'a Situation, &'a str)> {
    let (context, rest) = line.split_once(" | ").filter(|_| !line.starts_with('#'))?;
    Some((contexts.get(context)?, rest.split_once(" => ").map_or(rest, |(said, _)| said)))
}

/// Returns a phrase as a regular expression over words; none for a text that is no phrase.
fn pattern(phrase: &str) -> Option<String> {
    let parsed: Phrase = phrase.parse().ok()?;
    Some(format!("^(?:please )?{}$", sequence(&parsed.parts)))
}

fn sequence(parts: &[PhrasePart]) -> String {
    let one = |part: &PhrasePart| match part {
        PhrasePart::Word(word) => format!("{}\\s*", escaped(word)),
        PhrasePart::Slot(_) => "(.+?)\\s*".to_owned(),
        PhrasePart::OneOf(sequences) => {
            format!("(?:{})", sequences.iter().map(|parts| sequence(parts)).collect::<Vec<_>>().join("|"))
        }
    };
    parts.iter().map(one).collect()
}

fn escaped(word: &str) -> String {
    let mut text = String::new();
    for letter in word.chars() {
        if !letter.is_alphanumeric() {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}
