//! HTTP to a server of Aside: the one in another process, or one in ours.

use std::{io, time::Duration};

use anyhow::{Context as _, anyhow};
use aside_core::Failure;
use aside_protocol::{ErrorBody, MetaAgentAsked, Serving};
use aside_server::Running;
use futures_util::StreamExt as _;
use reqwest::{Method, Response};
use serde::{Serialize, de::DeserializeOwned};

/// How often a change is asked for before its answer is given up.
const TRIES: u32 = 3;
/// How long it is waited before it is asked for again.
const PAUSE: Duration = Duration::from_millis(200);

/// A way to talk to the server of one workspace.
pub struct Client {
    http: reqwest::Client,
    serving: Serving,
    own: Option<Running>,
}

impl Client {
    /// Talks to a running server.
    #[expect(clippy::disallowed_methods, reason = "reaches the server of Aside itself")]
    pub fn to(serving: Serving) -> anyhow::Result<Self> {
        // Proxies are for the world outside; this never leaves the machine.
        let http = reqwest::Client::builder().no_proxy().build().context("cannot set up HTTP")?;
        Ok(Self { http, serving, own: None })
    }

    /// Talks to a server in this process, which ends with [`Client::finish`].
    pub fn own(running: Running) -> anyhow::Result<Self> {
        Ok(Self { own: Some(running.clone()), ..Self::to(running.serving().clone())? })
    }

    /// Where the server is.
    pub fn serving(&self) -> &Serving {
        &self.serving
    }

    /// Tells whether the server ends with this program.
    pub fn is_own(&self) -> bool {
        self.own.is_some()
    }

    /// Ends the server if it is ours.
    pub async fn finish(self) {
        if let Some(running) = self.own {
            running.stop().await;
        }
    }

    /// Asks for something.
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        self.answer(self.request(Method::GET, path).send().await, path).await
    }

    /// Asks for something that is plain text.
    pub async fn text(&self, path: &str) -> anyhow::Result<String> {
        let response = self.request(Method::GET, path).send().await.with_context(|| self.unreachable(path))?;
        succeeded(response).await?.text().await.with_context(|| format!("unexpected answer to `{path}`"))
    }

    /// Asks for what a question describes.
    pub async fn find<T: DeserializeOwned>(&self, path: &str, question: &impl Serialize) -> anyhow::Result<T> {
        self.answer(self.request(Method::GET, path).query(question).send().await, path).await
    }

    /// Copies an answer that is one JSON value a line, as it comes.
    pub async fn copy(&self, path: &str, question: &impl Serialize, to: &mut impl io::Write) -> anyhow::Result<()> {
        let sent = self.request(Method::GET, path).query(question).send().await;
        let mut pieces = succeeded(sent.with_context(|| self.unreachable(path))?).await?.bytes_stream();
        let mut whole = true;
        while let Some(piece) = pieces.next().await {
            let piece = piece.context("the answer was interrupted")?;
            to.write_all(&piece).context("cannot write to standard output")?;
            whole = piece.ends_with(b"\n");
        }
        if whole { Ok(()) } else { Err(anyhow!("the answer was interrupted")) }
    }

    /// Asks for a change.
    pub async fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> anyhow::Result<T> {
        self.answer(self.request(Method::POST, path).json(body).send().await, path).await
    }

    /// Puts something in its place.
    pub async fn put<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> anyhow::Result<T> {
        self.answer(self.request(Method::PUT, path).json(body).send().await, path).await
    }

    /// Deletes something.
    pub async fn delete<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        self.answer(self.request(Method::DELETE, path).send().await, path).await
    }

    /// Reads an answer that is one JSON value a line, as it comes.
    pub async fn lines(&self, path: &str) -> anyhow::Result<Lines> {
        let response = self.request(Method::GET, path).send().await.with_context(|| self.unreachable(path))?;
        let response = succeeded(response).await?;
        Ok(Lines { response: Box::pin(response.bytes_stream()), buffer: Vec::new() })
    }

    /// Asks for a change whose answer is one JSON value a line, as it comes.
    pub async fn post_lines(&self, path: &str, body: &impl Serialize) -> anyhow::Result<Lines> {
        let sent = self.request(Method::POST, path).json(body).send().await;
        let response = succeeded(sent.with_context(|| self.unreachable(path))?).await?;
        Ok(Lines { response: Box::pin(response.bytes_stream()), buffer: Vec::new() })
    }

    /// Asks a model about the history; the answer is one JSON value a line, as it comes.
    pub async fn ask_history(&self, asked: &MetaAgentAsked) -> anyhow::Result<Lines> {
        let address = format!("{}api/meta-agent/chat", self.serving.url);
        let sent = self.http.post(address).bearer_auth(&self.serving.token).json(asked).send().await;
        let response = succeeded(sent.with_context(|| self.unreachable("meta-agent/chat"))?).await?;
        Ok(Lines { response: Box::pin(response.bytes_stream()), buffer: Vec::new() })
    }

    fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}api/v1/{path}", self.serving.url)).bearer_auth(&self.serving.token)
    }

    async fn answer<T: DeserializeOwned>(&self, sent: reqwest::Result<Response>, path: &str) -> anyhow::Result<T> {
        let response = succeeded(sent.with_context(|| self.unreachable(path))?).await?;
        response.json().await.with_context(|| format!("unexpected answer to `{path}`"))
    }

    fn unreachable(&self, path: &str) -> String {
        format!("cannot ask the server at {} for `{path}`", self.serving.url)
    }
}

/// Makes the key of a change. Sent again under it, the change is made once.
///
/// # Panics
/// If the system has no random bytes.
pub fn new_key() -> String {
    let half = || getrandom::u64().expect("the system gives random bytes");
    format!("{:016x}{:016x}", half(), half())
}

/// Asks for a change that has a key, and again if the connection breaks before its answer is there.
pub async fn until_answered<T>(ask: impl AsyncFn() -> anyhow::Result<T>) -> anyhow::Result<T> {
    for _ in 1..TRIES {
        match ask().await {
            Err(error) if error.downcast_ref::<reqwest::Error>().is_some() => tokio::time::sleep(PAUSE).await,
            answered => return answered,
        }
    }
    ask().await
}

/// Turns an error answer into the failure it carries.
async fn succeeded(response: Response) -> anyhow::Result<Response> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    match response.json::<ErrorBody>().await {
        Ok(body) => Err(body.error.into()),
        Err(_) => Err(Failure::new("http", format!("the server answered with {status}")).into()),
    }
}

/// Lines of an answer that is still coming.
pub struct Lines {
    response: futures_util::stream::BoxStream<'static, reqwest::Result<bytes::Bytes>>,
    buffer: Vec<u8>,
}

impl Lines {
    /// Returns the next line as a value; none at the end.
    pub async fn next<T: DeserializeOwned>(&mut self) -> anyhow::Result<Option<T>> {
        loop {
            if let Some(end) = self.buffer.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.buffer.drain(..=end).collect();
                return serde_json::from_slice(&line).map(Some).context("unexpected line in the answer");
            }
            match self.response.next().await {
                Some(piece) => self.buffer.extend_from_slice(&piece.context("the answer was interrupted")?),
                None if self.buffer.is_empty() => return Ok(None),
                None => return Err(anyhow!("the answer was interrupted in the middle of a line")),
            }
        }
    }
}
