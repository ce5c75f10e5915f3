//! `models/pull`: the action `model.pull`, with its progress as NDJSON. It goes on when nobody looks, and is found again.

use std::{convert::Infallible, sync::Arc};

use aside_agent::{PULL, UnderWay};
use aside_core::{ActionId, ActionRequest, ActionState, Decision};
use aside_gate::Submission;
use aside_llm::Pulled;
use aside_macros::boxed;
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
use crate::{access::Shown, app::App, problem::Body};

/// Lines that wait for a slow reader.
const WAITING: usize = 64;

/// Gets a model. If that is on its way already, what is said is of that.
#[boxed]
pub async fn pull(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Body(body): Body<PullModel>,
) -> Response {
    if let Some(known) = app.pulls.under_way().into_iter().find(|one| one.model == body.model) {
        return Pulling::lines(app, known, None);
    }
    let name = PULL.parse().expect("it is in the catalog under this name");
    let request = ActionRequest::new(name, json!({ "model": body.model }));
    let (id, submission) = (app.gate.new_id(), app.submission(shown));
    Pulling::lines(app, UnderWay { id, model: body.model, latest: None }, Some((request, submission)))
}

/// Says of the pull that goes on how far it is; says nothing if none does.
#[boxed]
pub async fn under_way(State(app): State<Arc<App>>) -> Response {
    match app.pulls.under_way().into_iter().next() {
        Some(known) => Pulling::lines(app, known, None),
        None => ndjson(Answer::empty()),
    }
}

fn ndjson(body: Answer) -> Response {
    ([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response()
}

/// How far it is.
fn far(Pulled { status, total, completed, .. }: Pulled) -> PullLine {
    PullLine::Progress(PullProgress { status, total, completed })
}

struct Pulling {
    app: Arc<App>,
    id: ActionId,
    sender: mpsc::Sender<Bytes>,
}

impl Pulling {
    /// Asks for the action, if it is not there already, and says line by line what comes of it.
    fn lines(app: Arc<App>, pull: UnderWay, ask: Option<(ActionRequest, Submission)>) -> Response {
        let news = app.pulls.news();
        let (sender, receiver) = mpsc::channel(WAITING);
        let UnderWay { id, model, latest } = pull;
        let pulling = Self { app, id, sender };
        tokio::spawn(async move {
            pulling.send(&PullLine::Begun { action: pulling.id.clone(), model }).await;
            if let Some(latest) = latest {
                pulling.send(&far(latest)).await;
            }
            let work = pulling.work(ask);
            tokio::pin!(work);
            tokio::select! {
                () = &mut work => {}
                () = pulling.progress(news) => work.await,
                () = pulling.sender.closed() => {
                    pulling.take_back().await;
                    work.await;
                }
            }
        });
        ndjson(Answer::from_stream(ReceiverStream::new(receiver).map(Ok::<Bytes, Infallible>)))
    }

    /// Says where it waits and how it ends.
    async fn work(&self, ask: Option<(ActionRequest, Submission)>) {
        let gate = &self.app.gate;
        let ended = |record| PullLine::Ended { record: Box::new(record) };
        let line = match ask {
            None => gate.settled(&self.id).await.map(ended),
            Some((request, submission)) => match gate.submit_as(self.id.clone(), request, submission).await {
                Ok(submitted) if submitted.record.state == ActionState::AwaitingConfirmation => {
                    self.send(&PullLine::Waiting { submitted: Box::new(answer(submitted.record, false)) }).await;
                    if self.sender.is_closed() {
                        self.take_back().await;
                    }
                    gate.settled(&self.id).await.map(ended)
                }
                Ok(submitted) => Ok(ended(submitted.record)),
                Err(error) => Err(error),
            },
        };
        self.send(&line.unwrap_or_else(|error| PullLine::Failed { failure: error.failure() })).await;
    }

    /// Passes on how far it is.
    async fn progress(&self, mut news: broadcast::Receiver<(ActionId, Pulled)>) {
        loop {
            match news.recv().await {
                Ok((id, pulled)) if id == self.id => self.send(&far(pulled)).await,
                Err(broadcast::error::RecvError::Closed) => return,
                Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => {}
            }
        }
    }

    /// The window is gone in which it was asked for: if it is a question still, nobody has to answer it. What runs goes on.
    async fn take_back(&self) {
        let rejected = Decision::reject(Some("the window that requested it was closed".to_owned()));
        if let Err(error) = self.app.gate.decide(&self.id, rejected, &self.app.user).await {
            tracing::debug!(%error, "a pull that nobody looks at is no question");
        }
    }

    async fn send(&self, line: &PullLine) {
        let mut text = serde_json::to_vec(line).expect("wire types serialise to JSON");
        text.push(b'\n');
        // The reader may be gone.
        let _ = self.sender.send(text.into()).await;
    }
}
