//! A thread as NDJSON: one [`StreamLine`] a line.

use std::{convert::Infallible, sync::Arc};

use aside_core::{ActionState, Origin, ThreadEventBody, ThreadId, TurnId};
use aside_protocol::StreamLine;
use aside_store::Tail;
use axum::{
    body::Body,
    http::header,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use tokio::sync::{broadcast, mpsc};
use tokio_stream::{StreamExt as _, wrappers::ReceiverStream};

use crate::{app::App, problem::Problem, thread_tail::ThreadTail};

/// Lines that wait for a slow reader before the rest waits in the store.
const WAITING: usize = 256;

/// When a stream ends, if the reader stays.
pub enum Until {
    /// When what there is has been sent.
    CaughtUp,
    /// Never; the reader closes it.
    Closed,
    /// With the turn, or when it waits for a person. Nothing before the turn is sent.
    TurnEndsOrWaits(TurnId),
}

/// Answers with the lines as they come. `tail` was listened to before anything that must not be missed.
pub fn respond(
    app: &Arc<App>,
    tail: broadcast::Receiver<Tail>,
    thread: ThreadId,
    after: u64,
    deltas: bool,
    until: Until,
) -> Result<Response, Problem> {
    let (follower, backlog) = ThreadTail::begin(app.agents.clone(), thread, after)?;
    let (sender, receiver) = mpsc::channel(WAITING);
    let begun = !matches!(until, Until::TurnEndsOrWaits(_));
    let writer = Writer { app: app.clone(), sender, deltas, until, begun };
    tokio::spawn(writer.run(follower, backlog, tail));
    let body = Body::from_stream(ReceiverStream::new(receiver).map(Ok::<Bytes, Infallible>));
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response())
}

struct Writer {
    app: Arc<App>,
    sender: mpsc::Sender<Bytes>,
    deltas: bool,
    until: Until,
    /// The turn that is waited for has begun.
    begun: bool,
}

/// The stream is over.
struct Over;

impl Writer {
    async fn run(mut self, mut follower: ThreadTail, backlog: Vec<StreamLine>, mut tail: broadcast::Receiver<Tail>) {
        let app = self.app.clone();
        let ended = app.ended();
        tokio::pin!(ended);
        let mut lines = backlog;
        loop {
            for line in lines {
                if let Err(Over) = self.send(line).await {
                    return;
                }
            }
            if matches!(self.until, Until::CaughtUp) {
                return;
            }
            let heard = tokio::select! {
                () = &mut ended => return,
                () = self.sender.closed() => return,
                heard = tail.recv() => heard,
            };
            lines = match follower.hear(&heard) {
                Ok(lines) => lines,
                Err(error) => return tracing::warn!("the event stream of a thread failed: {error}"),
            };
        }
    }

    async fn send(&mut self, line: StreamLine) -> Result<(), Over> {
        if let StreamLine::Delta { .. } = line
            && !self.deltas
        {
            return Ok(());
        }
        self.begun |= self.begins(&line);
        if !self.begun {
            return Ok(());
        }
        let mut text = serde_json::to_vec(&line).expect("wire types serialise to JSON");
        text.push(b'\n');
        self.sender.send(text.into()).await.map_err(|_| Over)?;
        if self.ends(&line) { Err(Over) } else { Ok(()) }
    }

    fn begins(&self, line: &StreamLine) -> bool {
        let (Until::TurnEndsOrWaits(wanted), StreamLine::Event(event)) = (&self.until, line) else { return false };
        matches!(&event.body, ThreadEventBody::TurnStarted { turn, .. } if turn == wanted)
    }

    fn ends(&self, line: &StreamLine) -> bool {
        let (Until::TurnEndsOrWaits(wanted), StreamLine::Event(event)) = (&self.until, line) else { return false };
        match &event.body {
            ThreadEventBody::TurnEnded { turn, .. } => turn == wanted,
            ThreadEventBody::ActionChanged { record } => {
                record.state == ActionState::AwaitingConfirmation
                    && matches!(&record.origin, Origin::Turn { turn, .. } if turn == wanted)
            }
            _ => false,
        }
    }
}
