//! The conversation as the model gets it, folded from the thread log.
//!
//! Roles are what they were. Every call has exactly one result, told as things stood when the next step
//! began; what became of a proposal later is said when it is known. Nothing that was said once is ever said in other
//! words: the conversation of a step begins with that of every step before, byte by byte, so that providers can cache it.

mod words;

use std::collections::BTreeMap;

use aside_core::{
    ActionId, ActionRecord, ActionState, ContextChip, ModelRef, Origin, ShownImage, StepStop, ThreadEventBody,
    ToolCall, TurnId,
};
use aside_llm::{Image, Message};
use serde_json::Value;

pub(crate) use words::standing;
use words::{NOT_DONE, became, cut_off, images_of, sent_back, shown, subject};

use crate::{
    images::Eyes,
    observation::{Told, told_of},
    tools::{Tools, wire_name},
    turn::is_whole,
};

/// A message, and what it is to the conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// The message.
    pub message: Message,
    /// What it is.
    pub part: Part,
}

/// What a message is to a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The words of a person, which start an exchange.
    Words,
    /// What was shown beside them.
    Shown {
        /// What can stand for it later.
        instead: String,
    },
    /// Standing instructions; they stay as long as the thread does.
    Standing,
    /// An answer, a result, or something that Aside says.
    Other,
}

/// Returns the messages of a thread, oldest first; the log ends with a step that has just started.
/// Where only reading is left among the tools, what was asked for before beside that is told in plain words.
pub fn messages<'a>(
    log: impl IntoIterator<Item = &'a ThreadEventBody>,
    model: &ModelRef,
    eyes: Eyes<'_>,
    tools: &Tools,
) -> Vec<Said> {
    let mut folding = Folding::new(model, eyes, tools);
    log.into_iter().for_each(|event| folding.take(event));
    folding.flush();
    folding.messages
}

struct Folding<'a> {
    model: &'a ModelRef,
    eyes: Eyes<'a>,
    tools: &'a Tools,
    /// Tells whether the turn being read was answered by the model that is asked now.
    same_model: bool,
    messages: Vec<Said>,
    /// The person's words, until the context that goes before them is known.
    words: Option<String>,
    step: Option<Step>,
    /// What the model was told of each action, to see what has changed since.
    told: BTreeMap<ActionId, ActionState>,
    news: Vec<(ActionId, String)>,
    notices: Vec<String>,
}

/// The calls of the last answer, whose results come in.
struct Step {
    turn: TurnId,
    number: u32,
    calls: Vec<ToolCall>,
    actions: BTreeMap<String, Box<ActionRecord>>,
    refusals: BTreeMap<String, String>,
}

impl<'a> Folding<'a> {
    fn new(model: &'a ModelRef, eyes: Eyes<'a>, tools: &'a Tools) -> Self {
        Self {
            model,
            eyes,
            tools,
            same_model: true,
            messages: Vec::new(),
            words: None,
            step: None,
            told: BTreeMap::new(),
            news: Vec::new(),
            notices: Vec::new(),
        }
    }

    fn take(&mut self, event: &ThreadEventBody) {
        match event {
            ThreadEventBody::TurnStarted { text, model, .. } => {
                self.flush();
                self.same_model = model == self.model;
                self.words = Some(text.clone());
            }
            ThreadEventBody::ContextSent { turn, chips } => self.context(turn, chips),
            ThreadEventBody::StepStarted { .. } => self.flush(),
            ThreadEventBody::StepEnded { turn, step, text, calls, stop, echo, .. } => {
                self.answer(turn, *step, text, calls, stop, echo);
            }
            ThreadEventBody::ActionChanged { record } => self.action(record),
            ThreadEventBody::Notice { call: Some(call), text, .. } => {
                if let Some(step) = &mut self.step {
                    step.refusals.insert(call.clone(), text.clone());
                }
            }
            ThreadEventBody::Notice { call: None, text, .. } if self.tools.lets_say(text) => {
                self.notices.push(text.clone());
            }
            ThreadEventBody::Notice { .. } => {}
            ThreadEventBody::TurnEnded { .. } | ThreadEventBody::ThreadChanged { .. } => {}
        }
    }

    fn say(&mut self, message: Message, part: Part) {
        self.messages.push(Said { message, part });
    }

    fn user(&mut self, text: String) {
        self.say(Message::user(text), Part::Other);
    }

    /// Says everything that is known and not yet said.
    fn flush(&mut self) {
        if let Some(step) = self.step.take() {
            self.results(step);
        }
        let news = std::mem::take(&mut self.news).into_iter().map(|(_, text)| text);
        let said: Vec<String> = std::mem::take(&mut self.notices).into_iter().chain(news).collect();
        if !said.is_empty() {
            self.user(format!("[Aside] {}", said.join("\n")));
        }
        if let Some(words) = self.words.take() {
            self.say(Message::user(words), Part::Words);
        }
    }

    fn context(&mut self, turn: &TurnId, chips: &[ContextChip]) {
        let words = self.words.take();
        self.flush();
        self.words = words;
        let (standing, chips): (Vec<_>, Vec<_>) = chips.iter().partition(|chip| chip.instructions.is_some());
        if !standing.is_empty() {
            let text = standing.into_iter().map(|chip| shown(chip, turn.as_str())).collect::<Vec<_>>().join("\n\n");
            self.say(Message::user(text), Part::Standing);
        }
        if chips.is_empty() {
            return;
        }
        // The answers of another conversation teach as well as those of this one.
        let text = |chip: &&ContextChip| self.tools.said(&shown(chip, turn.as_str())).into_owned();
        let text = chips.iter().map(text).collect::<Vec<_>>().join("\n\n");
        let labels: Vec<&str> = chips.iter().map(|chip| chip.label.as_str()).collect();
        let instead = format!("[Aside] Shown here earlier, now omitted: {}.", labels.join("; "));
        self.show(text, chips.iter().filter_map(|chip| chip.image.clone()).collect(), instead);
    }

    /// Shows a file or an image; of one that the model can't see it is told so.
    fn show(&mut self, mut text: String, images: Vec<ShownImage>, instead: String) {
        let seen: Vec<Image> = images.iter().filter_map(self.eyes).collect();
        if seen.len() < images.len() {
            text.push_str("\n[Aside] You can't see images.");
        }
        self.say(Message::User { text, images: seen }, Part::Shown { instead });
    }

    fn answer(&mut self, turn: &TurnId, step: u32, text: &str, calls: &[ToolCall], stop: &StepStop, echo: &Value) {
        let calls = if is_whole(stop) { calls } else { &[] };
        let may = |call: &&ToolCall| !call.from_text && !self.tools.withholds(call);
        let native: Vec<ToolCall> = calls.iter().filter(may).map(sent_back).collect();
        let said = self.tools.said(text);
        if !said.is_empty() || !native.is_empty() {
            let is_whole = is_whole(stop) && said == text && !calls.iter().any(|call| self.tools.withholds(call));
            let echo = if self.same_model && is_whole { echo.clone() } else { Value::Null };
            self.say(Message::Assistant { text: said.into_owned(), calls: native, echo }, Part::Other);
        }
        self.notices.extend(cut_off(stop));
        self.step = Some(Step {
            turn: turn.clone(),
            number: step,
            calls: calls.to_vec(),
            actions: BTreeMap::new(),
            refusals: BTreeMap::new(),
        });
    }

    fn action(&mut self, record: &ActionRecord) {
        let Origin::Turn { turn, step: number, call, .. } = &record.origin else { return };
        let id = &record.envelope.id;
        if let Some(told) = self.told.get(id) {
            if record.state.is_final() {
                self.news.retain(|(known, _)| known != id);
                if *told != record.state {
                    self.news.push((id.clone(), self.news_of(record)));
                }
            }
            return;
        }
        if let Some(parent) = &record.parent {
            // A part that is done is told with the whole; a step of a plan comes after the plan was told of.
            let Some(told) = self.told.get(parent) else { return };
            if record.state == ActionState::Undone || (told.is_final() && record.state.is_final()) {
                self.news.retain(|(known, _)| known != id);
                self.news.push((id.clone(), self.news_of(record)));
            }
            return;
        }
        let current = self.step.as_mut().filter(|step| step.turn == *turn && step.number == *number);
        if let (Some(step), None) = (current, &record.undoes) {
            step.actions.insert(call.clone(), Box::new(record.clone()));
        }
    }

    fn news_of(&self, record: &ActionRecord) -> String {
        if self.tools.withholds_action(&record.envelope.action_type) {
            return format!("Since then, an earlier request of yours {}.", became(record.state));
        }
        let what = record.preview.as_ref().map_or(record.envelope.action_type.as_str(), |preview| &preview.summary);
        format!("Since then, “{what}”: {}", told_of(record).text)
    }

    fn results(&mut self, step: Step) {
        let (mut blocks, mut images, mut withheld) = (Vec::new(), Vec::new(), Vec::new());
        for call in &step.calls {
            if self.tools.withholds(call) {
                let record = step.actions.get(&call.id);
                self.told.extend(record.map(|record| (record.envelope.id.clone(), record.state)));
                withheld.push(record.map_or(NOT_DONE, |record| became(record.state)));
                continue;
            }
            let told = match (step.actions.get(&call.id), step.refusals.get(&call.id)) {
                (Some(record), _) => {
                    self.told.insert(record.envelope.id.clone(), record.state);
                    images.extend(images_of(record).into_iter().map(|image| (subject(call), image)));
                    told_of(record)
                }
                (None, Some(text)) => Told { text: text.clone(), failed: true },
                (None, None) => Told { text: "Not carried out: the turn ended first.".to_owned(), failed: true },
            };
            if call.from_text {
                blocks.push(format!("{} {}: {}", call.name, subject(call), told.text));
            } else {
                let (call, name) = (call.id.clone(), wire_name(&call.name));
                self.say(Message::ToolResult { call, name, text: told.text, failed: told.failed }, Part::Other);
            }
        }
        if !blocks.is_empty() {
            self.user(format!("[Aside] Results of your blocks:\n{}", blocks.join("\n")));
        }
        if !withheld.is_empty() {
            self.user(format!(
                "[Aside] You made a request there that is no longer possible in this conversation. It {}.",
                withheld.join("; the next ")
            ));
        }
        // No wire but one takes images in a result.
        for (path, image) in images {
            let instead = format!("[Aside] The image `{path}` was here, now omitted.");
            self.show(format!("[Aside] The image `{path}`:"), vec![image], instead);
        }
    }
}

#[cfg(test)]
mod tests;
