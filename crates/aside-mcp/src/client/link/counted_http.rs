//! HTTP whose streams of messages are counted: a server that sends too many is left, as a program is.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use futures_util::{StreamExt as _, stream::BoxStream};
use http::{HeaderName, HeaderValue};
use rmcp::{
    model::ClientJsonRpcMessage,
    transport::streamable_http_client::{
        SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
    },
};
use sse_stream::Sse;

use crate::client::{
    allowance::Allowance,
    bounded::{Exceeded, TOO_MANY},
};

type Failed = StreamableHttpError<reqwest::Error>;
type Messages = BoxStream<'static, Result<Sse, SseError>>;
type Headers = HashMap<HeaderName, HeaderValue>;

/// A client, and how much the streams of one connection may still bring.
#[derive(Clone)]
pub(super) struct CountedHttp {
    http: reqwest::Client,
    allowance: Arc<Mutex<Allowance>>,
    exceeded: Exceeded,
}

impl CountedHttp {
    /// `exceeded` is set when there was too much.
    pub(super) fn new(http: reqwest::Client, exceeded: Exceeded) -> Self {
        Self { http, allowance: Arc::default(), exceeded }
    }

    fn counted(&self, stream: Messages) -> Messages {
        let counted = self.clone();
        stream.take_while(move |_| std::future::ready(counted.takes_one())).boxed()
    }

    fn takes_one(&self) -> bool {
        let mut allowance = self.allowance.lock().unwrap_or_else(PoisonError::into_inner);
        allowance.make_up();
        let taken = allowance.take().is_ok();
        if !taken {
            let _ = self.exceeded.set(TOO_MANY);
        }
        taken
    }
}

impl StreamableHttpClient for CountedHttp {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        let most = usize::MAX;
        self.post_message_with_max_sse_event_size(uri, message, session, token, headers, most).await
    }

    async fn post_message_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        token: Option<String>,
        headers: Headers,
        most: usize,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        let post = self.http.post_message_with_max_sse_event_size(uri, message, session, token, headers, most);
        Ok(match post.await? {
            StreamableHttpPostResponse::Sse(stream, session) => {
                StreamableHttpPostResponse::Sse(self.counted(stream), session)
            }
            other => other,
        })
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<(), Failed> {
        self.http.delete_session(uri, session, token, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last: Option<String>,
        token: Option<String>,
        headers: Headers,
    ) -> Result<Messages, Failed> {
        self.get_stream_with_max_sse_event_size(uri, session, last, token, headers, usize::MAX).await
    }

    async fn get_stream_with_max_sse_event_size(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last: Option<String>,
        token: Option<String>,
        headers: Headers,
        most: usize,
    ) -> Result<Messages, Failed> {
        let stream = self.http.get_stream_with_max_sse_event_size(uri, session, last, token, headers, most).await?;
        Ok(self.counted(stream))
    }
}
