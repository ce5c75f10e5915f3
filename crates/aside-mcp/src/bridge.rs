//! Standard input and output for clients that start a program: every message goes on to `/mcp` of a running server.
//!
//! Nothing is decided here; who may do what is the server's matter.

use std::{
    collections::HashMap,
    future::ready,
    pin::Pin,
    task::{Context, Poll, Waker},
    time::Duration,
};

use ::http::{HeaderName, HeaderValue};
use futures_util::{FutureExt as _, StreamExt as _, future::BoxFuture, stream::FuturesUnordered};
use rmcp::{
    RoleServer,
    model::{ClientJsonRpcMessage, ErrorData, RequestId, ServerJsonRpcMessage},
    transport::{
        StreamableHttpClientTransport, Transport, async_rw::AsyncRwTransport,
        streamable_http_client::StreamableHttpClientTransportConfig,
    },
};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::server::CONNECTION;

/// Bytes of one line.
const LONGEST_LINE: usize = 4 << 20;

/// How long the server may take to hear that the client has gone.
const CLOSE_WITHIN: Duration = Duration::from_secs(1);

/// How long the server may take to say whether it takes a token.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// How long to wait before it is asked, each time.
const ASK_AGAIN_AFTER: [Duration; 3] = [Duration::ZERO, Duration::from_millis(50), Duration::from_millis(500)];

/// Why the bridge ended before its client did.
#[derive(Debug, thiserror::Error)]
pub enum BridgeError {
    /// HTTP can't be set up.
    #[error("cannot set up HTTP: {0}")]
    Http(#[from] reqwest::Error),
    /// The client does not read what it is sent.
    #[error("cannot write to the client: {0}")]
    Client(#[from] std::io::Error),
    /// There is no randomness.
    #[error("cannot name the connection: {0}")]
    Random(#[from] getrandom::Error),
    /// The server has gone.
    #[error("the workspace's server stopped")]
    Server,
    /// The token is refused.
    #[error("{ENDED}")]
    Refused,
}

/// What both ends are told when nothing is taken any more.
const ENDED: &str = "the session ended: its grant was revoked or expired, so the server rejects its token";

type Sent = BoxFuture<'static, Result<(), (Option<RequestId>, String)>>;

/// Carries messages between a client and the server at `url`, until the client closes its end.
#[expect(clippy::disallowed_methods, reason = "reaches the server of Aside itself")]
pub async fn bridge(
    url: &str,
    token: &str,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<(), BridgeError> {
    // Proxies are for the world outside; this never leaves the machine.
    let http = reqwest::Client::builder().no_proxy().build()?;
    let config = StreamableHttpClientTransportConfig::with_uri(url).auth_header(token).custom_headers(connection()?);
    let mut server = StreamableHttpClientTransport::with_client(http.clone(), config);
    let mut client = AsyncRwTransport::<RoleServer, _, _>::new(input, output).with_max_line_length(LONGEST_LINE);
    let mut sending = FuturesUnordered::<Sent>::new();
    let ended = loop {
        tokio::select! {
            message = client.receive() => {
                let Some(message) = message else { break Ok(()) };
                let id = request_id(&message);
                let sent = server.send(message).map(|sent| sent.map_err(|error| (id, error.to_string())));
                take_up(sent.boxed(), &mut sending);
            }
            message = server.receive() => {
                let Some(message) = message else {
                    let is_over = is_refused(&http, url, token).await;
                    break Err(if is_over { BridgeError::Refused } else { BridgeError::Server });
                };
                client.send(message).await?;
            }
            Some(sent) = sending.next() => {
                let Err((id, problem)) = sent else { continue };
                let is_over = is_refused(&http, url, token).await;
                if let Some(id) = id {
                    let error = ErrorData::internal_error(if is_over { ENDED.to_owned() } else { problem }, None);
                    client.send(ServerJsonRpcMessage::error(error, Some(id))).await?;
                }
                if is_over {
                    break Err(BridgeError::Refused);
                }
            }
        }
    };
    // A session that never came about is not closed either.
    match tokio::time::timeout(CLOSE_WITHIN, server.close()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!("the session was not closed: {error}"),
        Err(_) => tracing::debug!("the session was not closed in time"),
    }
    ended
}

/// Tells whether the server takes the token no more; why a message was not sent is not always told.
async fn is_refused(http: &reqwest::Client, url: &str, token: &str) -> bool {
    for pause in ASK_AGAIN_AFTER {
        tokio::time::sleep(pause).await;
        // With a grant its open connections end, and one of them may be the one on which this is asked.
        if let Ok(answer) = http.get(url).bearer_auth(token).timeout(ANSWER_WITHIN).send().await {
            return answer.status() == reqwest::StatusCode::UNAUTHORIZED;
        }
    }
    false
}

/// Names this connection, so that programs which share a token are not taken for one.
fn connection() -> Result<HashMap<HeaderName, HeaderValue>, getrandom::Error> {
    let name = getrandom::u64()?;
    Ok([(HeaderName::from_static(CONNECTION), HeaderValue::from(name))].into())
}

/// Begins to send, so that messages leave in the order in which they came; the answer may take long.
fn take_up(mut sent: Sent, sending: &mut FuturesUnordered<Sent>) {
    let mut context = Context::from_waker(Waker::noop());
    sending.push(match Pin::new(&mut sent).poll_unpin(&mut context) {
        Poll::Pending => sent,
        Poll::Ready(sent) => ready(sent).boxed(),
    });
}

fn request_id(message: &ClientJsonRpcMessage) -> Option<RequestId> {
    match message {
        ClientJsonRpcMessage::Request(request) => Some(request.id.clone()),
        _ => None,
    }
}
