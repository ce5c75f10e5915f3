//! Messages to bytes on a connection: cut, delayed, broken off, and watched for the client going away.

use std::{io, sync::Arc, time::Duration};

use axum::body::Body;
use bytes::Bytes;
use futures_util::{
    FutureExt as _, Stream, StreamExt as _, future,
    stream::{self, BoxStream},
};
use tokio::sync::watch;

use super::{
    anthropic, chat, gemini, ollama, responses,
    script::{Answer, Delivery, Ending, Quirk, Wire},
};

/// Splits after white space.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(char::is_whitespace)
}

/// Splits into fragments of at most `size` bytes, at characters; one empty fragment if there is nothing.
pub(super) fn fragments(text: &str, size: Option<usize>) -> Vec<String> {
    let size = size.unwrap_or(usize::MAX).max(1);
    let mut fragments = vec![String::new()];
    for char in text.chars() {
        if fragments.last().is_some_and(|last| !last.is_empty() && last.len() + char.len_utf8() > size) {
            fragments.push(String::new());
        }
        fragments.last_mut().expect("there is one from the start").push(char);
    }
    fragments
}

/// Counts the clients that went away before they had their whole answer.
#[derive(Clone)]
pub(super) struct Departures(Arc<watch::Sender<usize>>);

/// Counts a departure when it is dropped before it is told that all was sent.
pub(super) struct Present(Option<Departures>);

impl Departures {
    pub(super) fn new() -> Self {
        Self(Arc::new(watch::Sender::new(0)))
    }

    pub(super) fn present(&self) -> Present {
        Present(Some(self.clone()))
    }

    pub(super) fn watch(&self) -> watch::Receiver<usize> {
        self.0.subscribe()
    }
}

impl Present {
    pub(super) fn served(&mut self) {
        self.0 = None;
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        if let Some(departures) = self.0.take() {
            departures.0.send_modify(|count| *count += 1);
        }
    }
}

/// Returns the body of an answer; `begun` is called when it is asked for, which is after the head.
pub(super) fn body(
    wire: Wire,
    answer: &Answer,
    delivery: &Delivery,
    present: Present,
    begun: impl FnOnce() + Send + 'static,
) -> Body {
    let messages = messages(wire, answer, delivery);
    let (messages, ending) = (cut(messages, delivery), delivery.ending.clone());
    let pause = delivery.pause;
    let written = pieces(messages, &ending).then(move |piece| async move {
        // Even without a pause the write is let out before the next one.
        if pause.is_zero() {
            tokio::task::yield_now().await
        } else {
            tokio::time::sleep(pause).await
        }
        Ok(piece)
    });
    let begun = stream::once(async { begun() }).filter_map(|()| future::ready(None));
    Body::from_stream(watched(begun.chain(written).chain(tail(wire, &ending)), present))
}

/// Returns the bytes of an answer as the fake would send them, for what needs no connection.
pub fn rendered(wire: Wire, answer: &Answer, delivery: &Delivery) -> Vec<u8> {
    messages(wire, answer, delivery).concat().into_bytes()
}

fn messages(wire: Wire, answer: &Answer, delivery: &Delivery) -> Vec<String> {
    let mut messages = match wire {
        Wire::Ollama => ollama::render(answer, delivery),
        Wire::Chat => chat::render(answer, delivery),
        Wire::Responses => responses::render(answer, delivery),
        Wire::Anthropic => anthropic::render(answer, delivery),
        Wire::Gemini => gemini::render(answer, delivery),
    };
    match &delivery.ending {
        Ending::Whole | Ending::Endless => {}
        Ending::Close(after) | Ending::Break(after) | Ending::Hang(after) | Ending::Working(after) => {
            messages.truncate(*after);
        }
        Ending::Error { after, kind, message } => {
            messages.truncate(*after);
            messages.push(match wire {
                Wire::Ollama => ollama::error(message),
                Wire::Chat => chat::error(kind, message),
                Wire::Responses => responses::error(kind, message),
                Wire::Anthropic => anthropic::error(kind, message),
                Wire::Gemini => gemini::error(kind, message),
            });
        }
    }
    if wire != Wire::Ollama {
        return events_with_quirks(messages, delivery);
    }
    let crlf = delivery.quirks.contains(&Quirk::CrLf);
    messages.into_iter().map(|line| if crlf { line.replace('\n', "\r\n") } else { line }).collect()
}

fn events_with_quirks(messages: Vec<String>, delivery: &Delivery) -> Vec<String> {
    let has = |quirk| delivery.quirks.contains(&quirk);
    let habit = |mut message: String| {
        // No server pads this one: OpenAI's own client would not know it again.
        if has(Quirk::Padding) && !message.contains("[DONE]") {
            message = message.replace("data: ", "data:    ").replace("\n\n", "   \n\n");
        }
        if has(Quirk::Comments) {
            message = format!(": PROCESSING\n\n{message}");
        }
        if has(Quirk::CrLf) { message.replace('\n', "\r\n") } else { message }
    };
    messages.into_iter().map(habit).collect()
}

fn cut(messages: Vec<String>, delivery: &Delivery) -> Vec<Bytes> {
    match delivery.piece {
        None => messages.into_iter().map(Bytes::from).collect(),
        Some(size) => messages.concat().as_bytes().chunks(size.max(1)).map(Bytes::copy_from_slice).collect(),
    }
}

fn pieces(pieces: Vec<Bytes>, ending: &Ending) -> BoxStream<'static, Bytes> {
    match ending {
        // All but the last message, which would end the answer.
        Ending::Endless => {
            let again = pieces.len().saturating_sub(3).max(1);
            stream::iter(pieces.into_iter().take(again).collect::<Vec<_>>().into_iter().cycle()).boxed()
        }
        _ => stream::iter(pieces).boxed(),
    }
}

fn tail(wire: Wire, ending: &Ending) -> BoxStream<'static, io::Result<Bytes>> {
    match ending {
        Ending::Break(_) => stream::iter([Err(io::Error::other("the fake breaks off"))]).boxed(),
        Ending::Hang(_) => stream::pending().boxed(),
        Ending::Working(_) => {
            let word = if wire == Wire::Ollama { "\n" } else { ": PROCESSING\n\n" };
            let words = stream::repeat(Bytes::from_static(word.as_bytes()));
            let slowly = words.then(|word| async {
                tokio::time::sleep(Duration::from_millis(20)).await;
                Ok(word)
            });
            slowly.boxed()
        }
        _ => stream::empty().boxed(),
    }
}

fn watched(
    body: impl Stream<Item = io::Result<Bytes>> + Send + 'static,
    present: Present,
) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
    let state = (body.boxed(), present);
    stream::unfold(state, |(mut body, mut present)| {
        async move {
            let next = body.next().await;
            if next.is_none() {
                present.served();
            }
            next.map(|piece| (piece, (body, present)))
        }
        .boxed()
    })
}
