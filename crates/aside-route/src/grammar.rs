//! The grammar: the phrases of all actions in one automaton, whose steps are words and slots.

use std::collections::{HashMap, HashSet};

use aside_core::{ActionName, Descriptor, EffectScope, Implied, InvalidPhrase, Label, Phrase, PhrasePart, PhraseSlot};
use serde_json::{Map, Value};

use crate::{phrases, slot::SlotKind, token::tokens, words::FILLERS};

/// A mistake in a phrase, found when the grammar is built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidGrammar {
    /// The notation is wrong.
    #[error("{action}: {problem}")]
    Phrase {
        /// The action.
        action: ActionName,
        /// The mistake.
        problem: InvalidPhrase,
    },
    /// The phrase gives a value to an argument that the action does not take.
    #[error("{action} has no argument `{argument}`, which `{phrase}` sets")]
    Argument {
        /// The action.
        action: ActionName,
        /// The argument.
        argument: String,
        /// The phrase.
        phrase: String,
    },
    /// A slot has a kind that nothing resolves.
    #[error("{action}: `{kind}` in `{phrase}` is no kind of slot")]
    UnknownKind {
        /// The action.
        action: ActionName,
        /// The kind.
        kind: String,
        /// The phrase.
        phrase: String,
    },
}

/// The phrases of a catalog, ready to match.
#[derive(Debug, Default)]
pub struct Grammar {
    pub(crate) actions: Vec<GrammarAction>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) nodes: Vec<Node>,
    /// Every word of a phrase: none of them is a slip of the fingers for another one.
    pub(crate) vocabulary: HashSet<String>,
}

/// An action as far as sentences need it.
#[derive(Debug)]
pub(crate) struct GrammarAction {
    pub name: ActionName,
    /// Whether it only shows or reads: then names need not be right letter by letter.
    pub is_gentle: bool,
    pub schema: Value,
    pub required: Vec<String>,
}

/// A phrase of an action.
#[derive(Debug)]
pub(crate) struct Rule {
    pub action: usize,
    pub implied: Vec<(String, Given)>,
}

/// The value of an argument that a phrase does not ask for.
#[derive(Clone, Debug)]
pub(crate) enum Given {
    Value(Value),
    AtHand(SlotKind),
}

/// A state of the automaton, with the states after each word and slot.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub words: HashMap<String, Vec<usize>>,
    pub slots: Vec<(TypedSlot, usize)>,
    /// Rules whose wording ends here.
    pub ends: Vec<usize>,
}

/// A slot with the kind of its objects.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TypedSlot {
    pub argument: String,
    pub kind: SlotKind,
}

impl Grammar {
    /// Builds the grammar of a catalog. Phrases without a value for each required argument only help the search, and so
    /// do all phrases of another program's tools.
    pub fn new<'a>(descriptors: impl IntoIterator<Item = &'a Descriptor>) -> Result<Self, InvalidGrammar> {
        let mut grammar = Self { nodes: vec![Node::default()], ..Self::default() };
        for descriptor in descriptors {
            if descriptor.label == Label::Workspace {
                grammar.add(descriptor)?;
            }
        }
        Ok(grammar)
    }

    /// Tells whether an action only shows or reads: it may be done at once, without a card.
    pub fn is_gentle(descriptor: &Descriptor) -> bool {
        descriptor.effect == EffectScope::Ui || descriptor.risks.is_read_only()
    }

    fn add(&mut self, descriptor: &Descriptor) -> Result<(), InvalidGrammar> {
        let action = self.actions.len();
        self.actions.push(GrammarAction::new(descriptor));
        let english = descriptor.phrases.iter().cloned();
        let others = phrases::of(descriptor.name.as_str()).map(str::to_owned);
        for phrase in english.chain(others).collect::<Vec<_>>() {
            let phrase = phrase.as_str();
            let parsed = phrase.parse::<Phrase>();
            let parsed =
                parsed.map_err(|problem| InvalidGrammar::Phrase { action: descriptor.name.clone(), problem })?;
            self.add_phrase(action, phrase, parsed)?;
        }
        Ok(())
    }

    fn add_phrase(&mut self, action: usize, phrase: &str, parsed: Phrase) -> Result<(), InvalidGrammar> {
        let implied = parsed.implied.iter().map(|(argument, implied)| {
            self.actions[action].check(argument, phrase)?;
            let given = match implied {
                Implied::Value(value) => Given::Value(value.clone()),
                Implied::AtHand(kind) => Given::AtHand(self.actions[action].kind(argument, Some(kind), phrase)?),
            };
            Ok((argument.clone(), given))
        });
        let rule = Rule { action, implied: implied.collect::<Result<_, _>>()? };
        let at = self.rules.len();
        self.rules.push(rule);
        for end in self.extend(vec![0], &parsed.parts, action, phrase)? {
            // A phrase without words would be said by saying nothing.
            if end > 0 && !self.nodes[end].ends.contains(&at) {
                self.nodes[end].ends.push(at);
            }
        }
        Ok(())
    }

    /// Adds parts after some nodes, and returns the nodes after them.
    fn extend(
        &mut self,
        mut from: Vec<usize>,
        parts: &[PhrasePart],
        action: usize,
        phrase: &str,
    ) -> Result<Vec<usize>, InvalidGrammar> {
        for part in parts {
            match part {
                PhrasePart::Word(word) => {
                    let counting = tokens(word).into_iter().filter(|token| !FILLERS.contains(&token.folded.as_str()));
                    for token in counting {
                        from = vec![self.after_word(&from, token.folded)];
                    }
                }
                PhrasePart::Slot(slot) => {
                    let slot = self.actions[action].slot(slot, phrase)?;
                    from = vec![self.after_slot(&from, &slot)];
                }
                PhrasePart::OneOf(sequences) => {
                    let mut ends = Vec::new();
                    for sequence in sequences {
                        ends.extend(self.extend(from.clone(), sequence, action, phrase)?);
                    }
                    from = ends;
                }
            }
        }
        Ok(from)
    }

    fn after_word(&mut self, from: &[usize], word: String) -> usize {
        let next = self.nodes.len();
        self.nodes.push(Node::default());
        for node in from {
            self.nodes[*node].words.entry(word.clone()).or_default().push(next);
        }
        self.vocabulary.insert(word);
        next
    }

    fn after_slot(&mut self, from: &[usize], slot: &TypedSlot) -> usize {
        let next = self.nodes.len();
        self.nodes.push(Node::default());
        for node in from {
            self.nodes[*node].slots.push((slot.clone(), next));
        }
        next
    }
}

impl GrammarAction {
    fn new(descriptor: &Descriptor) -> Self {
        let required = descriptor.args_schema["required"].as_array().into_iter().flatten();
        Self {
            name: descriptor.name.clone(),
            is_gentle: Grammar::is_gentle(descriptor),
            schema: descriptor.args_schema.clone(),
            required: required.filter_map(Value::as_str).map(str::to_owned).collect(),
        }
    }

    /// Returns the schema of an argument; one within another has the schema of its object.
    pub(crate) fn property(&self, argument: &str) -> Option<&Value> {
        let first = argument.split('.').next().unwrap_or(argument);
        self.schema["properties"].get(first)
    }

    /// Tells whether an argument takes a list.
    pub(crate) fn is_list(&self, argument: &str) -> bool {
        // The lists within `except` are lists, too: its two arguments are `kind` and `paths`.
        let last = argument.rsplit('.').next().unwrap_or(argument);
        match argument.contains('.') {
            true => last.ends_with('s'),
            false => self.property(argument).is_some_and(is_array),
        }
    }

    fn check(&self, argument: &str, phrase: &str) -> Result<(), InvalidGrammar> {
        match self.property(argument) {
            Some(_) => Ok(()),
            None => Err(InvalidGrammar::Argument {
                action: self.name.clone(),
                argument: argument.to_owned(),
                phrase: phrase.to_owned(),
            }),
        }
    }

    fn slot(&self, slot: &PhraseSlot, phrase: &str) -> Result<TypedSlot, InvalidGrammar> {
        self.check(&slot.argument, phrase)?;
        let kind = self.kind(&slot.argument, slot.kind.as_deref(), phrase)?;
        Ok(TypedSlot { argument: slot.argument.clone(), kind })
    }

    /// Returns the kind that a phrase names, else the one of the schema.
    fn kind(&self, argument: &str, named: Option<&str>, phrase: &str) -> Result<SlotKind, InvalidGrammar> {
        let found = match named {
            Some(name) => SlotKind::named(name),
            None => self.property(argument).and_then(|schema| SlotKind::of_schema(schema, &self.schema)),
        };
        found.ok_or_else(|| InvalidGrammar::UnknownKind {
            action: self.name.clone(),
            kind: named.unwrap_or(argument).to_owned(),
            phrase: phrase.to_owned(),
        })
    }

    /// Tells whether every required argument has a value.
    pub(crate) fn is_complete(&self, args: &Map<String, Value>) -> bool {
        self.required.iter().all(|name| args.contains_key(name))
    }
}

fn is_array(schema: &Value) -> bool {
    match &schema["type"] {
        Value::String(name) => name == "array",
        Value::Array(names) => names.iter().any(|name| name == "array"),
        _ => false,
    }
}
