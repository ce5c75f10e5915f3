//! From a matched phrase to actions: fills in the arguments, object by object.

use std::ops::Range;

use serde_json::{Map, Value};

use crate::{
    grammar::{Given, Grammar, GrammarAction, TypedSlot},
    matching::Match,
    route::RoutedAction,
    situation::{Situation, join},
    slot::{Meaning, SlotContext, SlotKind, Words, at_hand, meanings},
    token::Token,
    words::JOINERS,
};

/// The most readings that are followed.
const MOST: usize = 12;

/// One reading of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PhraseReading {
    /// The actions of each alternative: more than one if the object is unclear.
    pub alternatives: Vec<Vec<RoutedAction>>,
    /// How much of the sentence is understood for certain: no free text, whole names, words of the phrase, little free text.
    pub weight: (bool, bool, usize, usize),
    /// Whether free text holds a word that may begin another command.
    pub may_hold_command: bool,
    /// Whether the sentence names an object.
    pub names_object: bool,
    /// Whether the action only shows or reads.
    pub is_gentle: bool,
}

/// A sentence in its tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sentence<'a> {
    pub text: &'a str,
    pub tokens: &'a [Token],
}

impl<'a> Sentence<'a> {
    /// Returns the words of some tokens.
    pub(crate) fn words(&self, range: Range<usize>) -> Words<'a> {
        let tokens = &self.tokens[range];
        let bytes = match tokens {
            [] => 0..0,
            [first, .., last] | [first @ last] => first.bytes.start..last.bytes.end,
        };
        Words { text: &self.text[bytes], tokens }
    }
}

/// An argument with the words or the phrase that give it.
enum Source<'a> {
    Said(&'a TypedSlot, Words<'a>),
    Given(&'a str, &'a Given),
}

/// Arguments of the actions of one alternative, one map each.
type Draft = (Vec<Map<String, Value>>, bool);

/// Returns the reading of a match, if its words name objects that are there.
pub(crate) fn read(
    found: &Match<'_>,
    sentence: Sentence<'_>,
    grammar: &Grammar,
    situation: &Situation,
    previous: &[String],
) -> Option<PhraseReading> {
    let rule = &grammar.rules[found.rule];
    let action = &grammar.actions[rule.action];
    if found.has_slip && !action.is_gentle {
        return None;
    }
    let scene = SlotContext { situation, previous, is_gentle: action.is_gentle };
    let said = found.slots.iter().map(|(slot, range)| Source::Said(slot, sentence.words(range.clone())));
    let given = rule.implied.iter().map(|(argument, given)| Source::Given(argument, given));
    let mut sources: Vec<_> = given.chain(said).collect();
    sources.sort_by_key(Source::rank);
    let mut drafts: Vec<Draft> = vec![(vec![Map::new()], false)];
    for source in &sources {
        drafts = drafts.iter().flat_map(|draft| source.fill(draft, action, scene)).take(MOST + 1).collect();
    }
    let is_complete = drafts.iter().flat_map(|(maps, _)| maps).all(|args| action.is_complete(args));
    if drafts.is_empty() || drafts.len() > MOST || !is_complete {
        return None;
    }
    let names_whole = drafts.iter().any(|(_, is_whole_name)| *is_whole_name);
    let in_slots: usize = found.slots.iter().map(|(_, range)| range.len()).sum();
    let mut free = found.slots.iter().filter(|(slot, _)| slot.kind.is_free());
    let in_free: usize = free.clone().map(|(_, range)| range.len()).sum();
    let may_hold_command = free
        .any(|(_, range)| sentence.tokens[range.clone()].iter().any(|token| JOINERS.contains(&token.folded.as_str())));
    Some(PhraseReading {
        weight: (in_free == 0, names_whole, sentence.tokens.len() - in_slots, sentence.tokens.len() - in_free),
        alternatives: drafts.into_iter().map(|(maps, _)| actions(action, maps)).collect(),
        may_hold_command,
        names_object: !found.slots.is_empty(),
        is_gentle: action.is_gentle,
    })
}

fn actions(action: &GrammarAction, maps: Vec<Map<String, Value>>) -> Vec<RoutedAction> {
    let one = |args| RoutedAction { action_type: action.name.clone(), args: Value::Object(args) };
    maps.into_iter().map(one).collect()
}

impl Source<'_> {
    fn rank(&self) -> u8 {
        match self {
            Self::Said(slot, _) => slot.kind.rank(),
            Self::Given(_, Given::AtHand(kind)) => kind.rank(),
            Self::Given(_, Given::Value(_)) => 0,
        }
    }

    /// Returns the drafts with this argument, one for each meaning.
    fn fill(&self, draft: &Draft, action: &GrammarAction, scene: SlotContext<'_>) -> Vec<Draft> {
        let (maps, is_whole_name) = draft;
        let mut filled: Vec<Draft> = vec![(Vec::new(), *is_whole_name)];
        for map in maps {
            let (argument, kind, found) = self.meanings(map, scene);
            let with = |(before, is_whole): &Draft| {
                let each = |meaning: &Meaning| {
                    let maps = with_values(map, argument, kind, meaning, action)?;
                    Some(([before.clone(), maps].concat(), *is_whole || meaning.is_whole_name))
                };
                found.iter().filter_map(each).collect::<Vec<_>>()
            };
            filled = filled.iter().flat_map(with).take(MOST + 1).collect();
        }
        filled
    }

    fn meanings(&self, known: &Map<String, Value>, scene: SlotContext<'_>) -> (&str, Option<&SlotKind>, Vec<Meaning>) {
        match self {
            Self::Said(slot, words) => (&slot.argument, Some(&slot.kind), meanings(&slot.kind, *words, known, scene)),
            Self::Given(argument, Given::AtHand(kind)) => (argument, Some(kind), at_hand(kind, argument, known, scene)),
            Self::Given(argument, Given::Value(value)) => (argument, None, vec![Meaning::one(value.clone())]),
        }
    }
}

/// Returns a map for each value, or one map with the list of them.
fn with_values(
    map: &Map<String, Value>,
    argument: &str,
    kind: Option<&SlotKind>,
    meaning: &Meaning,
    action: &GrammarAction,
) -> Option<Vec<Map<String, Value>>> {
    let with = |value: Value| {
        let mut map = map.clone();
        set(&mut map, argument, value);
        map
    };
    if kind == Some(&SlotKind::Into) {
        let (folder, name) = (meaning.values.first()?.as_str()?, map.get(argument)?.as_str()?);
        return (meaning.values.len() == 1 && !name.contains('/')).then(|| vec![with(join(folder, name).into())]);
    }
    match (kind, action.is_list(argument)) {
        (Some(_), true) => Some(vec![with(Value::Array(meaning.values.clone()))]),
        (None, _) => Some(vec![with(meaning.values.first()?.clone())]),
        (Some(_), false) => Some(meaning.values.iter().cloned().map(with).collect()),
    }
}

/// Sets an argument; a dot leads into an object.
fn set(map: &mut Map<String, Value>, argument: &str, value: Value) {
    match argument.split_once('.') {
        None => {
            map.insert(argument.to_owned(), value);
        }
        Some((object, inner)) => {
            let object = map.entry(object).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(object) = object {
                set(object, inner, value);
            }
        }
    }
}
