//! The golden sentences: `CONTEXT | sentence => action {arguments}; …`, `=> choose …`, or nothing for a sentence that is for
//! a model. The catalog is the one of the program, written by `cargo xtask codegen`.
#![allow(clippy::disallowed_methods, reason = "reads the sentences")]

use std::{collections::BTreeMap, fs, path::Path};

use aside_core::Descriptor;
use aside_route::{Grammar, Route, RoutedAction, Situation, route};
use serde_json::Value;

/// The answers to the sentences of one file.
#[derive(Default)]
struct Tally {
    right: usize,
    /// A model was asked where a rule would do.
    missed: Vec<String>,
    /// A clear sentence was answered by a choice.
    asked: Vec<String>,
    wrong: Vec<String>,
}

impl Tally {
    fn total(&self) -> usize {
        self.right + self.missed.len() + self.asked.len() + self.wrong.len()
    }

    /// Tells whether at least this many in a hundred are right.
    fn reaches(&self, percent: usize) -> bool {
        self.right * 100 >= self.total() * percent
    }
}

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)).unwrap()
}

fn grammar() -> Grammar {
    let catalog: Vec<Descriptor> = serde_json::from_str(&read("catalog.json")).unwrap();
    Grammar::new(&catalog).unwrap()
}

fn actions(text: &str) -> Vec<RoutedAction> {
    let one = |text: &str| {
        let (name, args) = text.trim().split_once(' ').unwrap();
        RoutedAction { action_type: name.parse().unwrap(), args: serde_json::from_str::<Value>(args).unwrap() }
    };
    text.split("; ").map(one).collect()
}

fn expected(text: Option<&str>) -> Route {
    match text {
        None => Route::Model,
        Some(text) => match text.strip_prefix("choose ") {
            Some(text) => Route::Choose(actions(text)),
            None => match actions(text) {
                one if one.len() == 1 => Route::Action(one[0].clone()),
                several => Route::Actions(several),
            },
        },
    }
}

fn is_same(found: &Route, wanted: &Route) -> bool {
    match (found, wanted) {
        (Route::Choose(found), Route::Choose(wanted)) => {
            found.len() == wanted.len() && wanted.iter().all(|action| found.contains(action))
        }
        _ => found == wanted,
    }
}

/// Routes every sentence of a file.
fn check(file: &str) -> Tally {
    let (grammar, mut tally) = (grammar(), Tally::default());
    let contexts: BTreeMap<String, Situation> = serde_json::from_str(&read("golden/contexts.json")).unwrap();
    for line in read(&format!("golden/{file}.txt")).lines().filter(|line| !line.starts_with('#')) {
        let (context, rest) = line.split_once(" | ").unwrap();
        let (sentence, wanted) = rest.split_once(" => ").map_or((rest, None), |(said, wanted)| (said, Some(wanted)));
        let (found, wanted) = (route(sentence, &contexts[context], &grammar), expected(wanted));
        match &found {
            _ if is_same(&found, &wanted) => tally.right += 1,
            Route::Model => tally.missed.push(line.to_owned()),
            Route::Choose(candidates) if matches!(&wanted, Route::Action(action) if candidates.contains(action)) => {
                tally.asked.push(line.to_owned());
            }
            _ => tally.wrong.push(format!("{line}\n      got {found:?}")),
        }
    }
    tally
}

/// Nothing may be wrong, and so many in a hundred have to be right.
fn holds(file: &str, percent: usize) {
    let tally = check(file);
    assert!(tally.wrong.is_empty(), "wrong:\n{}", tally.wrong.join("\n"));
    let open = [tally.missed.clone(), tally.asked.clone()].concat().join("\n");
    assert!(tally.reaches(percent), "{} of {} are right; not understood:\n{open}", tally.right, tally.total());
}

#[test]
fn english_commands_are_understood() {
    holds("en", 95);
}

#[test]
fn commands_in_other_languages_are_understood() {
    holds("others", 90);
}

#[test]
fn unclear_objects_give_a_choice() {
    holds("choices", 100);
}

#[test]
fn traps_are_left_to_a_model() {
    holds("traps", 100);
}

#[test]
fn long_text_is_left_to_a_model() {
    let grammar = grammar();
    for text in ["close all tabs ".repeat(700), "a".repeat(10_000), "关".repeat(4_000), "\"`«(".repeat(2_500)] {
        assert_eq!(route(&text, &Situation::default(), &grammar), Route::Model);
    }
}
