//! A long answer that is one JSON value a line.

use std::collections::VecDeque;

use bytes::Bytes;
use futures_util::{
    StreamExt as _,
    stream::{self, BoxStream},
};
use serde_json::Value;
use tokio::time::timeout;

use super::{
    ask::{Question, network_words, send},
    decode::Framing,
    endpoint::Endpoint,
    frames::Frames,
    refusal::not_understood,
};
use crate::ProviderError;

/// The values of an answer. Nothing is sent before the first poll; dropping the stream drops the connection.
pub(crate) type Values = BoxStream<'static, Result<Value, ProviderError>>;

struct Reading {
    endpoint: Endpoint,
    question: Question,
    pieces: Option<BoxStream<'static, reqwest::Result<Bytes>>>,
    frames: Frames,
    ready: VecDeque<Value>,
    over: bool,
}

/// Asks, and returns the values as they come; an error is the last.
pub(crate) fn values(endpoint: Endpoint, question: Question) -> Values {
    let frames = Frames::new(Framing::Lines, endpoint.limits.line);
    let reading = Reading { endpoint, question, pieces: None, frames, ready: VecDeque::new(), over: false };
    stream::unfold(reading, |mut reading| async { reading.next().await.map(|value| (value, reading)) }).boxed()
}

impl Reading {
    async fn next(&mut self) -> Option<Result<Value, ProviderError>> {
        loop {
            if let Some(value) = self.ready.pop_front() {
                return Some(Ok(value));
            }
            if self.over {
                return None;
            }
            if let Err(error) = self.advance().await {
                self.over = true;
                return Some(Err(error));
            }
        }
    }

    async fn advance(&mut self) -> Result<(), ProviderError> {
        let (endpoint, silence) = (&self.endpoint, self.endpoint.limits.start);
        let silent = || ProviderError::Silent { endpoint: endpoint.shown(), silence };
        let Some(pieces) = &mut self.pieces else {
            let response = timeout(silence, send(endpoint, &self.question)).await.map_err(|_| silent())??;
            self.pieces = Some(response.bytes_stream().boxed());
            return Ok(());
        };
        let mut lines = Vec::new();
        let read = match timeout(silence, pieces.next()).await.map_err(|_| silent())? {
            Some(Ok(bytes)) => self.frames.push(&bytes, |frame| lines.push(frame.data.to_owned())),
            Some(Err(error)) => {
                let detail = network_words(error);
                return Err(ProviderError::CutOff { endpoint: endpoint.shown(), detail });
            }
            None => {
                self.over = true;
                self.frames.rest(|frame| lines.push(frame.data.to_owned()))
            }
        };
        let (of, limit) = ("line", endpoint.limits.line);
        read.map_err(|_| ProviderError::TooLarge { endpoint: endpoint.shown(), of, limit })?;
        for line in lines {
            let value = serde_json::from_str(&line);
            self.ready.push_back(value.map_err(|error| not_understood(endpoint, format!("not JSON ({error})")))?);
        }
        Ok(())
    }
}
