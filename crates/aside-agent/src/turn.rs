//! The turn as a pure state machine: one message, the model's steps, the actions they ask for, the end.
//!
//! ```text
//!   Started -> Preparing --Context--> Calling --Answered--> Acting --every call settled--> Calling …
//!                                        |                    |  waits here for a person's decision
//!                                        +---- no calls ------+--> TurnEnded
//! ```
//!
//! The state is a fold over the thread log, so that a restart folds and goes on. What the Gate writes into
//! the log (`ActionChanged`) comes in by `Input::Acted`; everything else that is written comes out of
//! [`handle`]. No I/O, no clock.

mod answer;
mod budget;
mod dropped;
mod state;

use aside_core::{
    ActionId, ActionRecord, ActionState, Attached, ContextChip, Cost, Failure, Focus, GrantRef, HandOff, Lifecycle,
    ModelRef, Origin, ReviewMode, StepStop, ThreadEventBody, ToolCall, TurnEnd, TurnId, has_review_card,
};

pub use answer::Answer;
use dropped::CANCELED;
pub(crate) use dropped::DROPPED;
pub(crate) use state::is_whole;
pub use state::{Awaited, CallState, Phase, State, Turn};

/// Steps without any usable call before a turn is given up.
const IDLE_STEPS: u32 = 3;

/// What a model is told after changes of cells of which none failed: it is not to look at its own work again and again.
const MADE: &str = "Your last answer was carried out, as far as the user agreed. Don't read the cells again to check, \
    and don't undo it: say in one or two sentences what was done, and stop, unless something is still to do.";

/// What has happened.
#[derive(Clone, Debug)]
pub enum Input {
    /// A person sent a message.
    Started {
        /// The new turn.
        turn: TurnId,
        /// The message.
        text: String,
        /// Where they were looking.
        focus: Option<Focus>,
        /// The model that is to answer.
        model: ModelRef,
        /// Who sent it.
        by: String,
        /// The grant of the program that sent it for them, if one did.
        program: Option<GrantRef>,
        /// What they sent along.
        attached: Vec<Attached>,
    },
    /// The focus was read.
    Context(Vec<ContextChip>),
    /// The model has answered, or was cut off.
    Answered(Box<Answer>),
    /// A call became an action, or an action changed.
    Acted(Box<ActionRecord>),
    /// A call can't become an action.
    NotAsked {
        /// The call's id.
        call: String,
        /// Why, for the model and the person.
        text: String,
    },
    /// The time of the turn is used up, as a model is to be called.
    TimeUp,
    /// The model offers to hand the work over.
    HandedOff(Box<HandOff>),
    /// The person pressed Stop between two model calls.
    Stop,
    /// Everything that was asked to be cancelled is.
    Cancelled,
    /// The server has started again in the middle of the turn.
    Resumed {
        /// What had come of the running answer.
        text: String,
        /// What had come of what it thought aloud.
        thinking: String,
        /// What it cost, as far as that is known.
        cost: Cost,
    },
    /// Something that no one can answer went wrong around the turn.
    Broken(Failure),
}

/// What is to be done about it: first write the events, then do the one thing.
#[derive(Clone, Debug)]
pub struct Reaction {
    /// To be appended to the thread log, in order.
    pub events: Vec<ThreadEventBody>,
    /// What is next.
    pub next: Next,
}

/// The one thing that is next.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// Read what the person looks at; answered by [`Input::Context`].
    ReadFocus(Option<Focus>),
    /// Call the model; answered by [`Input::Answered`].
    CallModel,
    /// Ask the Gate for an action; answered by [`Input::Acted`] or [`Input::NotAsked`].
    Submit(ToolCall),
    /// Wait until an action is final; answered by [`Input::Acted`].
    Settle(ActionId),
    /// Reject these actions, which wait for a decision; answered by [`Input::Cancelled`].
    Cancel(Vec<ActionId>),
    /// The turn is over.
    End,
}

/// Takes in what has happened and says what to do. The state already includes the returned events.
pub fn handle(state: &mut State, input: Input) -> Reaction {
    let mut reacting = Reacting { state, events: Vec::new() };
    let next = reacting.react(input);
    Reaction { events: reacting.events, next }
}

struct Reacting<'a> {
    state: &'a mut State,
    events: Vec<ThreadEventBody>,
}

impl Reacting<'_> {
    fn react(&mut self, input: Input) -> Next {
        if let Input::Started { turn, text, focus, model, by, program, attached } = input {
            let asked = focus.clone();
            self.append(ThreadEventBody::TurnStarted { turn, text, focus, model, by, program, attached });
            return Next::ReadFocus(asked);
        }
        if self.state.turn.is_none() {
            return Next::End;
        }
        match input {
            Input::Started { .. } => Next::End,
            Input::Context(chips) => self.context(chips),
            Input::Answered(answer) => self.answered(*answer),
            Input::Acted(record) => self.acted(record),
            Input::NotAsked { call, text } => self.not_asked(call, text),
            Input::TimeUp => self.time_up(),
            Input::HandedOff(offer) => self.end(TurnEnd::HandOff { offer }),
            Input::Stop => self.stop(),
            Input::Cancelled => self.end(TurnEnd::Stopped),
            Input::Resumed { text, thinking, cost } => self.resumed(text, thinking, cost),
            Input::Broken(failure) => self.broken(failure),
        }
    }

    fn append(&mut self, event: ThreadEventBody) {
        self.state.apply(&event);
        self.events.push(event);
    }

    /// Callers have made sure that there is one.
    fn turn(&self) -> &Turn {
        self.state.turn.as_ref().expect("a turn is running: `react` has checked it")
    }

    fn notice(&mut self, call: Option<String>, text: impl Into<String>) {
        let (turn, step) = (self.turn().id.clone(), self.turn().step);
        self.append(ThreadEventBody::Notice { turn, step, call, text: text.into() });
    }

    fn end(&mut self, end: TurnEnd) -> Next {
        if let Some(words) = self.done_before(&end) {
            self.notice(None, words);
        }
        let (turn, usage, cost) = (self.turn().id.clone(), self.turn().usage.clone(), self.turn().cost);
        self.append(ThreadEventBody::TurnEnded { turn, end, usage, cost });
        Next::End
    }

    fn context(&mut self, chips: Vec<ContextChip>) -> Next {
        if !chips.is_empty() {
            let turn = self.turn().id.clone();
            self.append(ThreadEventBody::ContextSent { turn, chips });
        }
        self.next_step()
    }

    fn next_step(&mut self) -> Next {
        let (turn, step) = (self.turn().id.clone(), self.turn().step);
        if self.state.wraps_up {
            if self.turn().last.is_some() || step >= self.state.step_limit {
                return self.out_of_budget(None);
            }
            if step + 1 == self.state.step_limit {
                self.notice(None, budget::LAST_STEP);
            }
        } else if step >= self.state.step_limit {
            self.notice(None, format!("Stopped after {step} steps, the limit. Send “continue” to continue."));
            return self.end(TurnEnd::StepLimit { steps: step });
        }
        let provenance = self.state.provenance.clone();
        self.append(ThreadEventBody::StepStarted { turn, step: step + 1, provenance });
        Next::CallModel
    }

    fn answered(&mut self, answer: Answer) -> Next {
        let (problems, stop, failure) = (answer.problems.clone(), answer.stop.clone(), answer.failure.clone());
        let (notices, text) = (answer.notices.clone(), answer.text.clone());
        let (is_silent, thought) = (answer.text.trim().is_empty(), !answer.thinking.trim().is_empty());
        self.step_ended(answer);
        for notice in notices {
            self.notice(None, notice);
        }
        for problem in &problems {
            self.notice(None, problem.as_str());
        }
        match stop {
            StepStop::Stopped => self.stop(),
            StepStop::Interrupted => self.end(TurnEnd::Interrupted),
            StepStop::Failed { message } => {
                let failure = failure.unwrap_or_else(|| Failure::new("provider", message));
                self.end(TurnEnd::Failed { failure })
            }
            _ if self.turn().last.is_some() => self.wrapped_up(&text),
            _ if !self.turn().calls.is_empty() => self.next_call(),
            StepStop::Length if !problems.is_empty() || !is_silent => {
                if problems.is_empty() {
                    self.notice(None, "The answer reached its length limit and may be incomplete.");
                }
                self.end(TurnEnd::Done)
            }
            stop if problems.is_empty() && is_silent => self.silent(&stop, thought),
            _ if problems.is_empty() => self.end(TurnEnd::Done),
            _ if self.turn().idle_steps >= IDLE_STEPS => {
                let failure = Failure::new("nothing_usable", format!("{IDLE_STEPS} answers in a row were not usable"))
                    .hint("rephrase the message, or choose another model");
                self.end(TurnEnd::Failed { failure })
            }
            _ => self.next_step(),
        }
    }

    /// Ends a turn whose last answer has no words: after steps that did something a person is told, else it has failed.
    fn silent(&mut self, stop: &StepStop, thought: bool) -> Next {
        let (code, message) = match stop {
            StepStop::Refusal => ("refused", "the model refused to answer"),
            StepStop::Length => ("empty_answer", "the model reached its length limit before it answered"),
            _ if thought => ("empty_answer", "the model thought, but did not answer"),
            _ => ("empty_answer", "the model returned an empty answer"),
        };
        if self.turn().step > 1 {
            self.notice(None, format!("After these steps, {message}."));
            return self.end(TurnEnd::Done);
        }
        let failure = Failure::new(code, message).hint("send the message again, or choose another model");
        self.end(TurnEnd::Failed { failure })
    }

    fn step_ended(&mut self, answer: Answer) {
        let (turn, step) = (self.turn().id.clone(), self.turn().step);
        let Answer { text, thinking, calls, usage, cost, stop, left_out, echo, .. } = answer;
        self.append(ThreadEventBody::StepEnded {
            turn,
            step,
            text,
            thinking,
            calls,
            usage,
            cost,
            stop,
            left_out,
            echo,
        });
    }

    fn acted(&mut self, record: Box<ActionRecord>) -> Next {
        let (id, state) = (record.envelope.id.clone(), record.state);
        let is_own = matches!(&record.origin, Origin::Turn { turn, .. } if *turn == self.turn().id);
        let card = is_own && record.undoes.is_none() && has_review_card(&record.envelope.action_type);
        let ended = card.then(|| Lifecycle::of(Some(&record)));
        // The Gate has written this one.
        self.state.apply(&ThreadEventBody::ActionChanged { record });
        match ended {
            Some(Lifecycle::Canceled) => {
                self.notice(None, CANCELED);
                self.drop_rest();
                return self.end(TurnEnd::Done);
            }
            Some(Lifecycle::Error) => self.drop_rest(),
            _ => {}
        }
        if state.is_final() || self.is_collected(&id) { self.after_call() } else { Next::Settle(id) }
    }

    /// Tells whether an action is one of the changes that a person looks at when the turn is over. What comes of anything
    /// else the model has to hear before it goes on.
    fn is_collected(&self, id: &ActionId) -> bool {
        self.state.mode == ReviewMode::ReviewAtEnd && self.turn().awaiting.get(id) == Some(&Awaited::Change)
    }

    fn not_asked(&mut self, call: String, text: String) -> Next {
        self.notice(Some(call), text);
        self.after_call()
    }

    /// The commonest waste is the same failing call again and again.
    fn after_call(&mut self) -> Next {
        match self.turn().repeated {
            0 | 1 => self.next_call(),
            2 => {
                self.notice(
                    None,
                    "The same call has failed twice. Read the affected lines again before you retry, and change the \
                     call.",
                );
                self.next_call()
            }
            times => {
                let failure = Failure::new("repeated_failure", format!("the same call has failed {times} times"))
                    .hint("rephrase the message, or make the change by hand");
                self.end(TurnEnd::Failed { failure })
            }
        }
    }

    fn next_call(&mut self) -> Next {
        let unasked = self.turn().calls.iter().find(|(_, state)| *state == CallState::Unasked);
        match unasked {
            Some((call, _)) => Next::Submit(call.clone()),
            None => {
                if self.turn().made_cells() {
                    self.notice(None, MADE);
                }
                self.next_step()
            }
        }
    }

    fn stop(&mut self) -> Next {
        if self.turn().phase == Phase::Calling {
            self.step_ended(Answer::cut_off(String::new(), String::new(), StepStop::Stopped));
        }
        let open: Vec<ActionId> = self.turn().awaiting.keys().cloned().collect();
        if open.is_empty() { self.end(TurnEnd::Stopped) } else { Next::Cancel(open) }
    }

    fn resumed(&mut self, text: String, thinking: String, cost: Cost) -> Next {
        if self.turn().phase == Phase::Calling {
            self.step_ended(Answer { cost, ..Answer::cut_off(text, thinking, StepStop::Interrupted) });
        } else if let Some(id) = self.parked_at() {
            return Next::Settle(id);
        }
        self.end(TurnEnd::Interrupted)
    }

    /// The action whose decision the turn waits for.
    fn parked_at(&self) -> Option<ActionId> {
        let current = self.turn().calls.iter().rev().find(|(_, state)| *state != CallState::Unasked);
        match current {
            Some((_, CallState::Action(id, ActionState::AwaitingConfirmation))) if !self.is_collected(id) => {
                Some(id.clone())
            }
            _ => None,
        }
    }

    fn broken(&mut self, failure: Failure) -> Next {
        if self.turn().phase == Phase::Calling {
            let stop = StepStop::Failed { message: failure.message.clone() };
            self.step_ended(Answer::cut_off(String::new(), String::new(), stop));
        }
        self.end(TurnEnd::Failed { failure })
    }
}

#[cfg(test)]
mod tests;
