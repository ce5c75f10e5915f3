//! The running actions whose output one connection follows.

use std::{collections::HashSet, sync::Arc};

use aside_core::ActionId;
use aside_gate::{ActionOutput, Gate, OutputPiece};
use aside_protocol::ServerFrame;
use tokio::sync::broadcast::{self, error::RecvError};

use super::outbox::{Gone, Outbox};

/// Actions that may be followed at once on one connection.
const MOST: usize = 100;

/// What is followed.
pub struct Watching {
    gate: Arc<Gate>,
    outbox: Outbox,
    output: broadcast::Receiver<Arc<ActionOutput>>,
    actions: HashSet<ActionId>,
}

impl Watching {
    /// Nothing yet.
    pub fn new(gate: Arc<Gate>, outbox: Outbox) -> Self {
        Self { output: gate.output(), gate, outbox, actions: HashSet::new() }
    }

    /// Sends what an action has put out so far, and goes on with what comes.
    pub fn watch(&mut self, action: ActionId) -> Result<(), Gone> {
        if self.actions.len() >= MOST {
            let failure = aside_core::Failure::new(
                "too_many",
                format!("this connection already follows {MOST} actions, the maximum"),
            );
            return self.outbox.say(&ServerFrame::Problem { failure });
        }
        self.so_far(&action)?;
        self.actions.insert(action);
        Ok(())
    }

    /// Stops following.
    pub fn unwatch(&mut self, action: &ActionId) {
        self.actions.remove(action);
    }

    /// Returns what is put out next by any action.
    pub async fn heard(&mut self) -> Result<Arc<ActionOutput>, RecvError> {
        self.output.recv().await
    }

    /// Passes on what was heard.
    pub fn hear(&self, heard: Result<Arc<ActionOutput>, RecvError>) -> Result<(), Gone> {
        match heard {
            Ok(output) if self.actions.contains(&output.action) => self.say(&output.action, output.piece.clone()),
            Ok(_) => Ok(()),
            Err(RecvError::Lagged(_)) => self.actions.iter().try_for_each(|action| self.so_far(action)),
            Err(RecvError::Closed) => Err(Gone),
        }
    }

    fn so_far(&self, action: &ActionId) -> Result<(), Gone> {
        match self.gate.output_so_far(action) {
            Some(piece) if !piece.text.is_empty() => self.say(action, piece),
            _ => Ok(()),
        }
    }

    fn say(&self, action: &ActionId, piece: OutputPiece) -> Result<(), Gone> {
        let OutputPiece { offset, text } = piece;
        self.outbox.say(&ServerFrame::ActionOutput { action: action.clone(), offset, text })
    }
}
