//! The fixtures of MCP's conformance suite on a port of their own. No workspace is opened and no secret asked for,
//! because there is nothing to protect; where a request comes from is looked at as everywhere.

use std::{io, net::Ipv4Addr, sync::Arc};

use aside_mcp::{Fixtures, http_service};
use axum::{Router, middleware::from_fn_with_state};
use tokio::task::JoinSet;

use crate::{
    access::{Hosts, guard_open},
    listen::listen,
};

/// Serves the fixtures until the task set is dropped; returns where.
pub async fn serve_mcp_fixtures(port: u16) -> io::Result<(String, JoinSet<io::Result<()>>)> {
    let address = Ipv4Addr::LOCALHOST.into();
    let listening = listen(address, port).await?;
    let hosts = Arc::new(Hosts::of(address, listening.port));
    let router = Router::new()
        .route_service("/mcp", http_service(Fixtures::default(), std::future::pending()))
        .layer(from_fn_with_state(hosts, guard_open));
    let mut tasks = JoinSet::new();
    for listener in listening.listeners {
        let router = router.clone();
        tasks.spawn(async move { axum::serve(listener, router).await });
    }
    Ok((format!("http://127.0.0.1:{}/mcp", listening.port), tasks))
}
