//! One answer as a stream of events: sent for, read in pieces, bounded in size and in silence.

use std::collections::VecDeque;

use bytes::Bytes;
use futures_util::{
    StreamExt as _,
    stream::{self, BoxStream},
};
use reqwest::{Response, header::CONTENT_TYPE};
use tokio::time::{Instant, sleep_until, timeout, timeout_at};

use super::{
    ask::{Question, network_words, send, wait_before},
    decode::{Decoder, Framing, WireProblem},
    endpoint::Endpoint,
    reading::{Read, Reading, Trouble},
    refusal::{not_understood, other_kind},
};
use crate::{Limits, ModelEvent, ModelStream, ProviderError};

/// Returns the answer to a question. Nothing is sent before the first poll; dropping the stream drops the connection.
pub(crate) fn answer<D: Decoder>(endpoint: Endpoint, question: Question, decoder: D) -> ModelStream {
    let answer = Answer {
        endpoint,
        question,
        decoder,
        open: None,
        ready: VecDeque::new(),
        attempt: 0,
        again: None,
        spoken: false,
        over: false,
    };
    stream::unfold(answer, |mut answer| async { answer.next().await.map(|event| (event, answer)) }).boxed()
}

struct Answer<D> {
    endpoint: Endpoint,
    question: Question,
    /// As it was before the first frame.
    decoder: D,
    open: Option<Open<D>>,
    ready: VecDeque<Result<ModelEvent, ProviderError>>,
    attempt: u32,
    /// When a busy server is asked again.
    again: Option<Instant>,
    /// Something of an answer was handed out, so that it can't be asked again.
    spoken: bool,
    over: bool,
}

/// A connection, and what has been read from it.
struct Open<D> {
    pieces: BoxStream<'static, reqwest::Result<Bytes>>,
    reading: Reading<D>,
    /// When something of the answer came last.
    heard: Instant,
}

impl<D: Decoder> Answer<D> {
    async fn next(&mut self) -> Option<Result<ModelEvent, ProviderError>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                self.spoken |= is_said(&event);
                return Some(event);
            }
            if self.over {
                return None;
            }
            if let Err(error) = self.advance().await {
                self.fail(error);
            }
        }
    }

    async fn advance(&mut self) -> Result<(), ProviderError> {
        if let Some(again) = self.again.take() {
            sleep_until(again).await;
        }
        let Some(Open { pieces, reading, heard }) = &mut self.open else {
            self.open = Some(open(&self.endpoint, &self.question, self.decoder.clone()).await?);
            return Ok(());
        };
        let Limits { idle, working, .. } = self.endpoint.limits;
        // Comments end the shorter silence only: a server may send them for ever.
        let end = (Instant::now() + idle).min(*heard + working);
        let piece = timeout_at(end, pieces.next()).await.map_err(|_| ProviderError::Silent {
            endpoint: self.endpoint.shown(),
            silence: if heard.elapsed() < working { idle } else { working },
        })?;
        let read = match piece {
            Some(Ok(bytes)) => reading.push(&bytes),
            Some(Err(error)) => reading.broken(network_words(error)),
            None => reading.end(),
        };
        if read.heard {
            *heard = Instant::now();
        }
        self.take(read)
    }

    /// Keeps events up to the one that stops; those before an error are still handed out.
    fn take(&mut self, read: Read) -> Result<(), ProviderError> {
        self.over = matches!(read.events.last(), Some(ModelEvent::Stop(_)));
        self.ready.extend(read.events.into_iter().map(Ok));
        if self.over {
            self.open = None;
            return Ok(());
        }
        read.trouble.map_or(Ok(()), |trouble| Err(explain(&self.endpoint, trouble)))
    }

    /// Asks again where that can help and nothing was said yet, and says so; else hands out the error as the last thing.
    fn fail(&mut self, error: ProviderError) {
        self.open = None;
        let untouched = !self.spoken && !self.ready.iter().any(is_said);
        match wait_before(self.attempt, &error, &self.endpoint).filter(|_| untouched) {
            Some(wait) => {
                tracing::debug!(endpoint = self.endpoint.shown(), ?wait, "busy; retrying");
                self.attempt += 1;
                self.ready.clear();
                self.again = Some(Instant::now() + wait);
                self.ready.push_back(Ok(ModelEvent::Waiting(wait)));
            }
            None => {
                self.over = true;
                self.ready.push_back(Err(error));
            }
        }
    }
}

/// It is of an answer, and not only about one that has begun.
fn is_said(event: &Result<ModelEvent, ProviderError>) -> bool {
    !matches!(event, Ok(ModelEvent::Waiting(_) | ModelEvent::UsageSoFar(_)))
}

async fn open<D: Decoder>(endpoint: &Endpoint, question: &Question, decoder: D) -> Result<Open<D>, ProviderError> {
    let silence = endpoint.limits.start;
    let response = timeout(silence, send(endpoint, question))
        .await
        .unwrap_or_else(|_| Err(ProviderError::Silent { endpoint: endpoint.shown(), silence }))?;
    let response = of_the_kind(endpoint, response, D::FRAMING).await?;
    let (pieces, reading) = (response.bytes_stream().boxed(), Reading::new(decoder, endpoint.limits));
    Ok(Open { pieces, reading, heard: Instant::now() })
}

/// Refuses a page or a plain text under HTTP 200, which a proxy or another program may send.
async fn of_the_kind(endpoint: &Endpoint, response: Response, framing: Framing) -> Result<Response, ProviderError> {
    let kind =
        response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default().to_lowercase();
    let json = kind.starts_with("application/json");
    if kind.starts_with("text/plain") || kind.contains("html") || (json && framing == Framing::Events) {
        return Err(other_kind(endpoint, response, &kind).await);
    }
    Ok(response)
}

fn explain(endpoint: &Endpoint, trouble: Trouble) -> ProviderError {
    let shown = endpoint.shown();
    let problem = match trouble {
        Trouble::Wire(problem) => problem,
        Trouble::TooLarge { of, limit } => return ProviderError::TooLarge { endpoint: shown, of, limit },
    };
    match problem {
        WireProblem::Failed(detail) => ProviderError::Failed { endpoint: shown, detail },
        WireProblem::CutOff(detail) => ProviderError::CutOff { endpoint: shown, detail },
        WireProblem::NotUnderstood(detail) => not_understood(endpoint, detail),
        WireProblem::Busy { reason, detail } => {
            ProviderError::Busy { endpoint: shown, reason, detail, retry_after: None }
        }
    }
}
