//! One answer as a stream of events: sent for, read in pieces, bounded in size and in silence.

use std::collections::VecDeque;

use bytes::Bytes;
use futures_util::{
    StreamExt as _,
    stream::{self, BoxStream},
};
use reqwest::{Response, header::CONTENT_TYPE};
use tokio::time::{sleep, timeout};

use super::{
    ask::{Question, network_words, send, wait_before},
    decode::{Decoder, Frame, Framing, WireProblem},
    endpoint::Endpoint,
    frames::Frames,
    refusal::{not_understood, other_kind},
};
use crate::{ModelEvent, ModelStream, ProviderError};

/// Returns the answer to a question. Nothing is sent before the first poll; dropping the stream drops the connection.
pub(crate) fn answer<D: Decoder>(endpoint: Endpoint, question: Question, framing: Framing, decoder: D) -> ModelStream {
    let answer = Answer {
        endpoint,
        question,
        framing,
        decoder,
        reading: None,
        ready: VecDeque::new(),
        attempt: 0,
        spoken: false,
        over: false,
    };
    stream::unfold(answer, |mut answer| async { answer.next().await.map(|event| (event, answer)) }).boxed()
}

struct Answer<D> {
    endpoint: Endpoint,
    question: Question,
    framing: Framing,
    /// As it was before the first frame.
    decoder: D,
    reading: Option<Reading<D>>,
    ready: VecDeque<Result<ModelEvent, ProviderError>>,
    attempt: u32,
    /// Something was handed out, so that it can't be asked again.
    spoken: bool,
    over: bool,
}

struct Reading<D> {
    pieces: BoxStream<'static, reqwest::Result<Bytes>>,
    frames: Frames,
    decoder: D,
    bytes: usize,
}

impl<D: Decoder> Answer<D> {
    async fn next(&mut self) -> Option<Result<ModelEvent, ProviderError>> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                self.spoken = true;
                return Some(event);
            }
            if self.over {
                return None;
            }
            if let Err(error) = self.advance().await {
                self.fail(error).await;
            }
        }
    }

    async fn advance(&mut self) -> Result<(), ProviderError> {
        let Some(reading) = &mut self.reading else {
            self.reading = Some(open(&self.endpoint, &self.question, self.framing, self.decoder.clone()).await?);
            return Ok(());
        };
        let silence = self.endpoint.limits.idle;
        let piece = timeout(silence, reading.pieces.next())
            .await
            .map_err(|_| ProviderError::Silent { endpoint: self.endpoint.shown(), silence })?;
        let events = match piece {
            Some(Ok(bytes)) => reading.piece(&self.endpoint, &bytes),
            Some(Err(error)) => reading.broken(&self.endpoint, network_words(error)),
            None => reading.end(&self.endpoint),
        };
        self.take(events)
    }

    /// Keeps events up to the one that stops; those before an error are still handed out.
    fn take(&mut self, events: Events) -> Result<(), ProviderError> {
        for event in events.good {
            self.over |= matches!(event, ModelEvent::Stop(_));
            self.ready.push_back(Ok(event));
        }
        if self.over {
            self.reading = None;
            return Ok(());
        }
        events.problem.map_or(Ok(()), Err)
    }

    /// Asks again where that can help and nothing was said yet; else hands out the error as the last thing.
    async fn fail(&mut self, error: ProviderError) {
        self.reading = None;
        let untouched = !self.spoken && self.ready.is_empty();
        match wait_before(self.attempt, &error, &self.endpoint).filter(|_| untouched) {
            Some(wait) => {
                tracing::debug!(endpoint = self.endpoint.shown(), ?wait, "busy; asking again");
                self.attempt += 1;
                sleep(wait).await;
            }
            None => {
                self.over = true;
                self.ready.push_back(Err(error));
            }
        }
    }
}

/// Events, and what went wrong after them.
struct Events {
    good: Vec<ModelEvent>,
    problem: Option<ProviderError>,
}

impl<D: Decoder> Reading<D> {
    fn piece(&mut self, endpoint: &Endpoint, bytes: &[u8]) -> Events {
        self.bytes += bytes.len();
        let limits = &endpoint.limits;
        let too_large = |of, limit| ProviderError::TooLarge { endpoint: endpoint.shown(), of, limit };
        if self.bytes > limits.answer {
            return Events { good: Vec::new(), problem: Some(too_large("answer", limits.answer)) };
        }
        match self.frames.push(bytes) {
            Ok(frames) => self.decode(endpoint, &frames),
            Err(_) => Events { good: Vec::new(), problem: Some(too_large("line", limits.line)) },
        }
    }

    fn decode(&mut self, endpoint: &Endpoint, frames: &[Frame]) -> Events {
        let mut good = Vec::new();
        for frame in frames {
            match self.decoder.accept(frame) {
                Ok(events) => good.extend(events),
                Err(problem) => return Events { good, problem: Some(explain(endpoint, problem)) },
            }
            if matches!(good.last(), Some(ModelEvent::Stop(_))) {
                break;
            }
        }
        Events { good, problem: None }
    }

    /// The connection was closed; a frame that can't be read now is one that did not come to its end.
    fn end(&mut self, endpoint: &Endpoint) -> Events {
        let rest = self.frames.rest().unwrap_or_default();
        let mut events = self.decode(endpoint, &rest);
        if let Some(ProviderError::NotUnderstood { detail, .. }) = &events.problem
            && self.bytes > 0
        {
            events.problem = Some(explain(endpoint, WireProblem::CutOff(detail.clone())));
        }
        if events.problem.is_none() && !matches!(events.good.last(), Some(ModelEvent::Stop(_))) {
            match self.decoder.end() {
                Ok(last) => events.good.extend(last),
                Err(problem) => events.problem = Some(explain(endpoint, problem)),
            }
        }
        events
    }

    /// The connection broke, which does not matter if all was said.
    fn broken(&mut self, endpoint: &Endpoint, detail: String) -> Events {
        match self.decoder.end() {
            Ok(good) => Events { good, problem: None },
            Err(_) => Events { good: Vec::new(), problem: Some(explain(endpoint, WireProblem::CutOff(detail))) },
        }
    }
}

async fn open<D>(
    endpoint: &Endpoint,
    question: &Question,
    framing: Framing,
    decoder: D,
) -> Result<Reading<D>, ProviderError> {
    let silence = endpoint.limits.start;
    let response = timeout(silence, send(endpoint, question))
        .await
        .unwrap_or_else(|_| Err(ProviderError::Silent { endpoint: endpoint.shown(), silence }))?;
    let response = of_the_kind(endpoint, response, framing).await?;
    let frames = Frames::new(framing, endpoint.limits.line);
    Ok(Reading { pieces: response.bytes_stream().boxed(), frames, decoder, bytes: 0 })
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

fn explain(endpoint: &Endpoint, problem: WireProblem) -> ProviderError {
    let shown = endpoint.shown();
    match problem {
        WireProblem::Failed(detail) => ProviderError::Failed { endpoint: shown, detail: endpoint.redact(&detail) },
        WireProblem::CutOff(detail) => ProviderError::CutOff { endpoint: shown, detail: endpoint.redact(&detail) },
        WireProblem::NotUnderstood(detail) => not_understood(endpoint, detail),
        WireProblem::Busy { reason, detail } => {
            let [reason, detail] = [reason, detail].map(|words| endpoint.redact(&words));
            ProviderError::Busy { endpoint: shown, reason, detail, retry_after: None }
        }
    }
}
