//! `aside ask TEXT`: a command that rules understand, else one message to the assistant; its answer as it comes, its
//! proposals with y/n.

use aside_core::{
    ActionRecord, ActionState, Focus, HandOff, LeftOut, LiveDelta, ModelRef, NavigatorBudget, ThreadEvent,
    ThreadEventBody, ThreadId, TurnEnd, TurnId, WorkspacePath, harmless,
};
use aside_protocol::{NewThread, StartTurn, StreamLine, Submitted, TurnStarted};
use serde::Serialize;

use super::{
    ask_fast,
    decide::{Consent, settle, words},
    do_action::show,
};
use crate::{
    arguments::Where,
    client::Client,
    ended::Ended,
    follow::skip,
    output::{Colour, Output},
    workspace,
};

/// What is asked.
pub struct Question {
    /// The message.
    pub text: String,
    /// The file it is about.
    pub file: Option<WorkspacePath>,
    /// Which model; else the workspace's choice.
    pub model: Option<ModelRef>,
    /// Yes to every change.
    pub yes: bool,
    /// Whether rules may understand it.
    pub route: SentencePath,
}

/// The way that a sentence takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SentencePath {
    /// Rules first, and a model if they don't understand it.
    Fast,
    /// A model.
    Model,
}

/// Starts a thread with the message, and follows the turn to its end or to the first undecided action.
pub async fn ask(question: Question, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let client = workspace::open(place).await?;
    let result = answer(&client, question, output).await;
    client.finish().await;
    result
}

async fn answer(client: &Client, question: Question, output: &Output) -> anyhow::Result<Ended> {
    if question.route == SentencePath::Fast
        && let Some(ended) = ask_fast::ask(client, &question.text, question.yes, output).await?
    {
        return Ok(ended);
    }
    let consent = Consent::new(question.yes, output);
    let answer = follow(client, question, consent, output).await?;
    if output.json {
        output.result(&answer, String::new);
    }
    Ok(answer.ended())
}

/// The whole answer, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Answer {
    thread: ThreadId,
    turn: TurnId,
    /// What the model said, all steps.
    text: String,
    /// Aside's own words beside it.
    notices: Vec<String>,
    /// The actions as they ended.
    actions: Vec<ActionRecord>,
    /// The action that waits for a decision, if that is where it stopped.
    pending: Option<Box<Submitted>>,
    /// How the turn ended, if it did.
    end: Option<TurnEnd>,
}

impl Answer {
    fn ended(&self) -> Ended {
        match (&self.pending, &self.end) {
            (Some(_), _) => Ended::NeedsDecision,
            (None, Some(TurnEnd::Done)) => Ended::Done,
            (None, Some(TurnEnd::HandOff { .. })) => Ended::NeedsDecision,
            _ => Ended::Failed,
        }
    }
}

async fn follow(client: &Client, question: Question, consent: Consent, output: &Output) -> anyhow::Result<Answer> {
    // A file brings the agent for it; a sentence alone is for the Navigator.
    let navigator = question.file.is_none().then(NavigatorBudget::default);
    let document = question.file.clone();
    let new = NewThread { document, model: question.model, navigator, ..NewThread::default() };
    let thread: aside_core::Thread = client.post("threads", &new).await?;
    let focus = question.file.map(Focus::file);
    let path = format!("threads/{}", thread.id);
    let turn = StartTurn { text: question.text, focus, seed: None, attached: Vec::new(), window: None, key: None };
    let started: TurnStarted = client.post(&format!("{path}/turns"), &turn).await?;
    let mut lines = client.lines(&format!("{path}/events?follow=true&deltas=true")).await?;
    let answer = Answer {
        thread: thread.id,
        turn: started.turn,
        text: String::new(),
        notices: Vec::new(),
        actions: Vec::new(),
        pending: None,
        end: None,
    };
    let mut turn = Following { client, consent, output, answer, printed: 0 };
    while let Some(line) = lines.next::<StreamLine>().await? {
        let more = match line {
            StreamLine::Delta { delta } => turn.delta(&delta),
            StreamLine::Event(event) => turn.event(*event).await?,
        };
        if !more {
            break;
        }
    }
    Ok(turn.answer)
}

struct Following<'a> {
    client: &'a Client,
    consent: Consent,
    output: &'a Output,
    answer: Answer,
    /// UTF-16 units of the running step that are on the screen.
    printed: usize,
}

impl Following<'_> {
    fn delta(&mut self, delta: &LiveDelta) -> bool {
        if let LiveDelta::Text { turn, offset, text, .. } = delta
            && *turn == self.answer.turn
        {
            let offset = usize::try_from(*offset).unwrap_or(usize::MAX);
            self.print_from(offset, text);
        }
        true
    }

    /// Prints what of `text`, which starts at `offset` of the step, is not on the screen yet.
    fn print_from(&mut self, offset: usize, text: &str) {
        let end = offset + text.encode_utf16().count();
        if offset > self.printed || end <= self.printed {
            return;
        }
        let rest = skip(text, self.printed - offset);
        if !self.output.json {
            self.output.piece(rest);
        }
        self.printed = end;
    }

    /// Returns false at the end.
    async fn event(&mut self, event: ThreadEvent) -> anyhow::Result<bool> {
        match event.body {
            ThreadEventBody::StepStarted { .. } => self.printed = 0,
            ThreadEventBody::StepEnded { turn, text, left_out, .. } if turn == self.answer.turn => {
                let left_out = left_out.filter(|_| !self.output.json).map(left_out_words);
                if let Some(words) = left_out {
                    self.output.notice(&words);
                }
                self.print_from(0, &text);
                if self.printed > 0 && !self.output.json {
                    self.output.piece("\n");
                }
                self.answer.text.push_str(&text);
            }
            ThreadEventBody::Notice { turn, text, .. } if turn == self.answer.turn => {
                if !self.output.json {
                    self.output.notice(&text);
                }
                self.answer.notices.push(text);
            }
            ThreadEventBody::ActionChanged { record } => return self.action(*record).await,
            ThreadEventBody::TurnEnded { turn, end, .. } if turn == self.answer.turn => {
                self.say_end(&end);
                self.answer.end = Some(end);
                return Ok(false);
            }
            _ => {}
        }
        Ok(true)
    }

    async fn action(&mut self, record: ActionRecord) -> anyhow::Result<bool> {
        let id = record.envelope.id.clone();
        if record.state.is_final() {
            if !record.envelope.risk_level.is_read_only() {
                self.line(
                    &self.output.paint(Colour::Dim, &format!("{}: {}", record.envelope.action_type, words(&record))),
                );
            }
            self.answer.actions.retain(|known| known.envelope.id != id);
            self.answer.actions.push(record);
            return Ok(true);
        }
        if record.state != ActionState::AwaitingConfirmation {
            return Ok(true);
        }
        // The log may be behind what was decided already, here or in a window.
        let waiting: Submitted = self.client.get(&format!("actions/{id}")).await?;
        let settled = settle(self.client, waiting, self.consent.clone(), self.output).await?;
        if settled.record.state == ActionState::AwaitingConfirmation {
            self.line(&show(&settled, false, self.output));
            self.answer.pending = Some(Box::new(settled));
            return Ok(false);
        }
        Ok(true)
    }

    fn say_end(&self, end: &TurnEnd) {
        match end {
            // A notice has said that the limit was reached.
            TurnEnd::Done | TurnEnd::StepLimit { .. } | TurnEnd::OutOfBudget { .. } => {}
            TurnEnd::HandOff { offer } => self.line(&hand_off_words(offer)),
            TurnEnd::Stopped => self.line("stopped"),
            TurnEnd::Interrupted => self.line("interrupted"),
            TurnEnd::Failed { failure } if !self.output.json => {
                self.output.error(&failure.clone().into());
            }
            TurnEnd::Failed { .. } => {}
        }
    }

    fn line(&self, text: &str) {
        if !self.output.json {
            self.output.line(text);
        }
    }
}

/// The offer to hand the work over, with the command that follows it.
fn hand_off_words(offer: &HandOff) -> String {
    let file = offer.objects.iter().find(|object| object.kind == "file");
    let file = file.map_or_else(|| "FILE".to_owned(), |file| harmless(&file.id).into_owned());
    format!(
        "needs the coding agent: {}\n{}\nhint: `aside ask --file {file} TEXT` asks it",
        harmless(&offer.reason),
        harmless(&offer.summary)
    )
}

/// What a call was not given, as the thread says it in a window.
fn left_out_words(left_out: LeftOut) -> String {
    let LeftOut { messages, shortened, .. } = left_out;
    let gone = (messages > 0).then(|| format!("omitted {messages} earlier {}", plural(messages, "message")));
    let short = (shortened > 0).then(|| format!("shortened {shortened} {}", plural(shortened, "result")));
    let what: Vec<String> = gone.into_iter().chain(short).collect();
    format!("this is too long for the model: {}", what.join(", "))
}

fn plural(count: u32, word: &str) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_off_names_its_command() {
        let offer = HandOff {
            reason: "many edits".to_owned(),
            summary: "Port it.".to_owned(),
            objects: vec![aside_core::ObjectRef { kind: "file".to_owned(), id: "a.py".to_owned() }],
            waiting: vec![],
            grant: aside_core::Grant::full("Navigator"),
        };
        let words = hand_off_words(&offer);
        assert_eq!(words, "needs the coding agent: many edits\nPort it.\nhint: `aside ask --file a.py TEXT` asks it");
    }

    #[test]
    fn what_was_left_out_is_said() {
        let words = |messages, shortened| left_out_words(LeftOut { messages, shortened, ..LeftOut::default() });
        assert_eq!(words(3, 1), "this is too long for the model: omitted 3 earlier messages, shortened 1 result");
        assert_eq!(words(0, 2), "this is too long for the model: shortened 2 results");
    }
}
