//! `models/pull`: the action `model.pull`, with its progress as NDJSON. Who goes away stops it.

use std::{convert::Infallible, sync::Arc};

use aside_agent::PULL;
use aside_core::{ActionId, ActionRequest, ActionState, Decision};
use aside_llm::Pulled;
use aside_protocol::{PullLine, PullModel, PullProgress};
use axum::{
    Extension,
    body::Body as Answer,
    extract::State,
    http::header,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use serde_json::json;
use tokio::sync::{broadcast, mpsc};
use tokio_stream::{StreamExt as _, wrappers::ReceiverStream};

use super::actions::answer;
use crate::{
    access::Shown,
    app::App,
    problem::{Body, Problem},
};

/// Lines that wait for a slow reader.
const WAITING: usize = 64;

/// Gets a model.
pub async fn pull(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Body(body): Body<PullModel>,
) -> Result<Response, Problem> {
    let news = app.pulls.news();
    let name = PULL.parse().expect("it is in the catalog under this name");
    let request = ActionRequest::new(name, json!({ "model": body.model }));
    let (sender, receiver) = mpsc::channel(WAITING);
    let (id, submission) = (app.gate.new_id(), app.submission(shown));
    let pulling = Pulling { app, id, sender };
    tokio::spawn(async move {
        let work = pulling.work(request, submission);
        tokio::pin!(work);
        tokio::select! {
            () = &mut work => {}
            () = pulling.progress(news) => work.await,
            () = pulling.sender.closed() => {
                pulling.give_up().await;
                work.await;
            }
        }
    });
    let body = Answer::from_stream(ReceiverStream::new(receiver).map(Ok::<Bytes, Infallible>));
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response())
}

struct Pulling {
    app: Arc<App>,
    id: ActionId,
    sender: mpsc::Sender<Bytes>,
}

impl Pulling {
    /// Asks for the action, and says where it waits and how it ends.
    async fn work(&self, request: ActionRequest, submission: aside_gate::Submission) {
        let gate = &self.app.gate;
        let line = match gate.submit_as(self.id.clone(), request, submission).await {
            Ok(submitted) if submitted.record.state == ActionState::AwaitingConfirmation => {
                self.send(&PullLine::Waiting { submitted: Box::new(answer(submitted.record, false)) }).await;
                gate.settled(&self.id).await.map(|record| PullLine::Ended { record: Box::new(record) })
            }
            Ok(submitted) => Ok(PullLine::Ended { record: Box::new(submitted.record) }),
            Err(error) => Err(error),
        };
        self.send(&line.unwrap_or_else(|error| PullLine::Failed { failure: error.failure() })).await;
    }

    /// Passes on how far it is.
    async fn progress(&self, mut news: broadcast::Receiver<(ActionId, Pulled)>) {
        loop {
            match news.recv().await {
                Ok((id, Pulled { status, total, completed, .. })) if id == self.id => {
                    self.send(&PullLine::Progress(PullProgress { status, total, completed })).await;
                }
                Err(broadcast::error::RecvError::Closed) => return,
                Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => {}
            }
        }
    }

    /// The reader is gone: nobody wants it any more, whether it runs or waits.
    async fn give_up(&self) {
        let (gate, user) = (&self.app.gate, &self.app.user);
        if gate.stop(&self.id, user).await.is_ok() {
            return;
        }
        let rejected = Decision::reject(Some("the window in which it was asked for was closed".to_owned()));
        if let Err(error) = gate.decide(&self.id, rejected, user).await {
            tracing::debug!(%error, "a pull that nobody waits for has ended");
        }
    }

    async fn send(&self, line: &PullLine) {
        let mut text = serde_json::to_vec(line).expect("wire types serialise to JSON");
        text.push(b'\n');
        // The reader may be gone.
        let _ = self.sender.send(text.into()).await;
    }
}
