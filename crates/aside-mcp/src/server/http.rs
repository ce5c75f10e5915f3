//! The address `/mcp`, as a service to be put below whatever checks who comes in.

use std::{future::Future, sync::Arc};

use rmcp::{
    ServerHandler,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};

/// Bytes of one message.
const MOST_BYTES: usize = 2 << 20;

/// A service of HTTP requests.
pub type HttpService<S> = StreamableHttpService<S, LocalSessionManager>;

/// Serves a handler on one address, with and without sessions. Host, Origin and token are checked by whoever mounts
/// it, once for every address. Open streams end with the server.
pub fn http_service<S: ServerHandler + Clone>(
    handler: S,
    ended: impl Future<Output = ()> + Send + 'static,
) -> HttpService<S> {
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .disable_allowed_origins()
        .with_max_request_body_bytes(MOST_BYTES);
    let streams = config.cancellation_token.clone();
    tokio::spawn(async move {
        ended.await;
        streams.cancel();
    });
    StreamableHttpService::new(move || Ok(handler.clone()), Arc::new(LocalSessionManager::default()), config)
}
