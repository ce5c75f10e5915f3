//! The HTTP clients of this process.

use std::{
    net::{Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::OnceLock,
    time::Duration,
};

use reqwest::{Client, redirect::Policy};

/// A server on this machine is there, or it is not.
const CONNECT_LOCAL: Duration = Duration::from_millis(300);
const CONNECT_REMOTE: Duration = Duration::from_secs(10);

/// Returns the client for servers on this machine: no proxy gets to see what stays here.
pub(super) fn local() -> Result<&'static Client, String> {
    static CLIENT: OnceLock<Result<Client, String>> = OnceLock::new();
    // Nobody is asked what that name means.
    let here = [SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), SocketAddr::from((Ipv6Addr::LOCALHOST, 0))];
    shared(&CLIENT, |builder| builder.connect_timeout(CONNECT_LOCAL).no_proxy().resolve_to_addrs("localhost", &here))
}

/// Returns the client for servers elsewhere, by way of the proxy that the environment names.
pub(super) fn remote() -> Result<&'static Client, String> {
    static CLIENT: OnceLock<Result<Client, String>> = OnceLock::new();
    shared(&CLIENT, |builder| builder.connect_timeout(CONNECT_REMOTE))
}

#[expect(clippy::disallowed_methods, reason = "what goes to a provider elsewhere has passed `Guarded`")]
fn shared(
    client: &'static OnceLock<Result<Client, String>>,
    configure: impl FnOnce(reqwest::ClientBuilder) -> reqwest::ClientBuilder,
) -> Result<&'static Client, String> {
    let build = || {
        // A second installation is refused, which is fine: one is there.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // A redirect would carry the key and the conversation to wherever the server likes.
        let builder =
            Client::builder().redirect(Policy::none()).user_agent(concat!("aside/", env!("CARGO_PKG_VERSION")));
        configure(builder).build().map_err(|error| error.to_string())
    };
    client.get_or_init(build).as_ref().map_err(Clone::clone)
}
