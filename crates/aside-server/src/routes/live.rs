//! An answer that comes while an action runs: one [`ActionLine`] a line.

use std::{convert::Infallible, future::Future, sync::Arc};

use aside_core::ActionId;
use aside_gate::{ActionOutput, OutputPiece};
use aside_protocol::{ActionLine, Submitted};
use axum::{
    body::Body,
    http::header,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use serde::Deserialize;
use tokio::sync::{
    broadcast::{self, error::RecvError},
    mpsc,
};
use tokio_stream::{StreamExt as _, wrappers::ReceiverStream};

use crate::{app::App, problem::Problem};

/// Lines that wait for a slow reader; what comes meanwhile is told as a whole afterwards.
const WAITING: usize = 16;

/// How an answer comes.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct How {
    #[serde(default)]
    pub stream: bool,
}

/// Does some work for an action and answers with what that puts out. The work goes on if the reader goes away.
pub fn respond(
    app: &Arc<App>,
    id: ActionId,
    work: impl Future<Output = Result<Submitted, Problem>> + Send + 'static,
) -> Response {
    let (sender, receiver) = mpsc::channel(WAITING);
    let output = app.gate.output();
    let follower = Follower { app: app.clone(), id, sender };
    tokio::spawn(async move { follower.run(output, work).await });
    let body = Body::from_stream(ReceiverStream::new(receiver).map(Ok::<Bytes, Infallible>));
    ([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response()
}

struct Follower {
    app: Arc<App>,
    id: ActionId,
    sender: mpsc::Sender<Bytes>,
}

impl Follower {
    async fn run(
        &self,
        mut output: broadcast::Receiver<Arc<ActionOutput>>,
        work: impl Future<Output = Result<Submitted, Problem>>,
    ) {
        tokio::pin!(work);
        self.send(&ActionLine::Begun(self.id.clone())).await;
        let result = loop {
            tokio::select! {
                // What was put out before the end is told before it.
                biased;
                heard = output.recv() => self.hear(heard).await,
                result = &mut work => break result,
            }
        };
        while let Ok(heard) = output.try_recv() {
            self.hear(Ok(heard)).await;
        }
        self.send(&match result {
            Ok(submitted) => ActionLine::Ended(Box::new(submitted)),
            Err(problem) => ActionLine::Failed(problem.failure),
        })
        .await;
    }

    async fn hear(&self, heard: Result<Arc<ActionOutput>, RecvError>) {
        let piece = match heard {
            Ok(output) if output.action == self.id => Some(output.piece.clone()),
            Err(RecvError::Lagged(_)) => self.app.gate.output_so_far(&self.id),
            Ok(_) | Err(RecvError::Closed) => None,
        };
        if let Some(OutputPiece { offset, text }) = piece {
            self.send(&ActionLine::Output { offset, text }).await;
        }
    }

    async fn send(&self, line: &ActionLine) {
        let mut text = serde_json::to_vec(line).expect("wire types serialise to JSON");
        text.push(b'\n');
        // The reader may be gone.
        let _ = self.sender.send(text.into()).await;
    }
}
