//! Routes a sentence: to an action, to several in order, to a choice, or to a model.

use aside_core::ActionName;
use serde_json::Value;
use unicode_normalization::UnicodeNormalization as _;

use crate::{
    effects::foresee,
    grammar::Grammar,
    matching::matches,
    polite::{Courteous, forms},
    reading::{PhraseReading, Sentence, read},
    situation::Situation,
    token::{Token, tokens},
    words::JOINERS,
};

/// The longest sentence, in bytes and in tokens: a longer one is not a command.
const LONGEST: usize = 600;
const MOST_TOKENS: usize = 80;
/// The most commands of one sentence.
const MOST_STEPS: usize = 6;
/// The most objects to choose among.
const MOST_CANDIDATES: usize = 8;

/// An action with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct RoutedAction {
    /// The action.
    pub action_type: ActionName,
    /// Its arguments.
    pub args: Value,
}

/// The meaning of a sentence, as far as rules can tell.
#[derive(Clone, Debug, PartialEq)]
pub enum Route {
    /// One action.
    Action(RoutedAction),
    /// Several actions, in this order.
    Actions(Vec<RoutedAction>),
    /// One of these actions: the command is clear and its object is not.
    Choose(Vec<RoutedAction>),
    /// Nothing that rules can tell.
    Model,
}

/// Routes a sentence. Every word of it has to be understood: a sentence with a word left over is for a model.
pub fn route(text: &str, situation: &Situation, grammar: &Grammar) -> Route {
    if text.len() > LONGEST {
        return Route::Model;
    }
    let text: String = text.nfc().collect();
    match (routed(&text, situation, grammar), with_lines(&text)) {
        (Route::Model, Some(text)) => routed(&text, situation, grammar),
        (found, _) => found,
    }
}

/// Writes places in files out, as `src/a.py line 12` in place of `src/a.py:12`; none if there is no such place.
fn with_lines(text: &str) -> Option<String> {
    let place = |word: &str| {
        let (path, line) = word.rsplit_once(':')?;
        let is_line = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
        (is_line && path.contains(['.', '/'])).then(|| format!("{path} line {line}"))
    };
    let words: Vec<_> = text.split(' ').map(|word| (word, place(word))).collect();
    let has_place = words.iter().any(|(_, place)| place.is_some());
    has_place
        .then(|| words.into_iter().map(|(word, place)| place.unwrap_or(word.to_owned())).collect::<Vec<_>>().join(" "))
}

fn routed(text: &str, situation: &Situation, grammar: &Grammar) -> Route {
    let tokens = tokens(text);
    if tokens.is_empty() || tokens.len() > MOST_TOKENS {
        return Route::Model;
    }
    let all = forms(&tokens);
    let one = all.iter().find_map(|form| single(text, *form, situation, grammar, &[]));
    if let Some(found) = one {
        return if found.may_hold_command && several(text, &all, situation, grammar).is_some() {
            Route::Model
        } else {
            found.route()
        };
    }
    match several(text, &all, situation, grammar) {
        Some(actions) => Route::of(actions),
        None => Route::Model,
    }
}

impl Route {
    fn of(mut actions: Vec<RoutedAction>) -> Self {
        match actions.len() {
            0 => Self::Model,
            1 => Self::Action(actions.remove(0)),
            _ => Self::Actions(actions),
        }
    }
}

/// The meaning of one command.
struct Command {
    alternatives: Vec<Vec<RoutedAction>>,
    may_hold_command: bool,
}

impl Command {
    fn route(mut self) -> Route {
        let is_choice = self.alternatives.iter().all(|actions| actions.len() == 1);
        match self.alternatives.len() {
            1 => Route::of(self.alternatives.remove(0)),
            2..=MOST_CANDIDATES if is_choice => Route::Choose(self.alternatives.into_iter().flatten().collect()),
            _ => Route::Model,
        }
    }
}

/// Reads one command: the readings that explain most, if they agree with the form of the sentence.
fn single(
    text: &str,
    form: Courteous<'_>,
    situation: &Situation,
    grammar: &Grammar,
    previous: &[String],
) -> Option<Command> {
    let sentence = Sentence { text, tokens: form.tokens };
    let found = matches(grammar, form.tokens);
    let readings = found.iter().filter_map(|found| read(found, sentence, grammar, situation, previous));
    let readings: Vec<PhraseReading> = readings.filter(|reading| is_asked_for(reading, form)).collect();
    let best = readings.iter().map(|reading| reading.weight).max()?;
    let mut command = Command { alternatives: Vec::new(), may_hold_command: false };
    for reading in readings.into_iter().filter(|reading| reading.weight == best) {
        command.may_hold_command |= reading.may_hold_command;
        for alternative in reading.alternatives {
            if !command.alternatives.contains(&alternative) {
                command.alternatives.push(alternative);
            }
        }
    }
    Some(command)
}

/// Tells whether the form of the sentence asks to do it: a bare question asks for nothing but to show and read, and the
/// question for an ability has to name an object.
fn is_asked_for(reading: &PhraseReading, form: Courteous<'_>) -> bool {
    let asks = reading.is_gentle || (!form.is_wish && (form.is_polite || !form.is_question));
    let has_object = reading.names_object
        || form
            .tokens
            .iter()
            .any(|token| ["the", "this", "all", "my", "it", "这", "所"].contains(&token.folded.as_str()));
    asks && (!form.asks_ability || has_object)
}

/// Reads several commands, joined by `and`, `then` or a comma.
fn several(text: &str, all: &[Courteous<'_>], situation: &Situation, grammar: &Grammar) -> Option<Vec<RoutedAction>> {
    all.iter().find_map(|form| {
        let is_command = !form.is_wish && (form.is_polite || !form.is_question);
        if !is_command { None } else { steps(text, form.tokens, situation, grammar, &[], MOST_STEPS) }
    })
}

fn steps(
    text: &str,
    tokens: &[Token],
    situation: &Situation,
    grammar: &Grammar,
    previous: &[String],
    most: usize,
) -> Option<Vec<RoutedAction>> {
    let joiners = tokens.iter().enumerate().filter(|(_, token)| JOINERS.contains(&token.folded.as_str()));
    for (at, _) in joiners.filter(|(at, _)| *at > 0 && most > 1).take(MOST_STEPS) {
        let Some(first) = certain(text, &tokens[..at], situation, grammar, previous) else { continue };
        let (mut after, mut objects) = (situation.clone(), Vec::new());
        for action in &first {
            objects.extend(foresee(&mut after, action));
        }
        let rest = &tokens[at..];
        let joined = rest.iter().take_while(|token| JOINERS.contains(&token.folded.as_str())).count();
        let rest = &rest[joined..];
        let last = || certain(text, rest, &after, grammar, &objects);
        if let Some(then) = steps(text, rest, &after, grammar, &objects, most - 1).or_else(last) {
            return Some([first, then].concat());
        }
    }
    None
}

/// Reads one command whose objects are clear.
fn certain(
    text: &str,
    tokens: &[Token],
    situation: &Situation,
    grammar: &Grammar,
    previous: &[String],
) -> Option<Vec<RoutedAction>> {
    let found = forms(tokens).into_iter().find_map(|form| single(text, form, situation, grammar, previous))?;
    match &found.alternatives[..] {
        [actions] if !found.may_hold_command => Some(actions.clone()),
        _ => None,
    }
}
