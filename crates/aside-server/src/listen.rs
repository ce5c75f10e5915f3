//! Ports: loopback on both families, the next free one when the wanted one is taken.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

use tokio::net::TcpListener;

/// How many ports after a taken one are tried.
const TRIES: u16 = 20;

/// The port that is tried first when none is named.
pub const DEFAULT_PORT: u16 = 4177;

/// What a server listens on.
#[derive(Debug)]
pub struct Listening {
    /// The sockets, all on `port`.
    pub listeners: Vec<TcpListener>,
    /// The port.
    pub port: u16,
    /// The port that was wanted, if it was taken.
    pub taken: Option<u16>,
}

/// Listens on `address` and `port` or one of the next; 0 stands for any free port. A server on IPv4
/// loopback listens on IPv6 loopback too, where there is one.
pub async fn listen(address: IpAddr, wanted: u16) -> io::Result<Listening> {
    let last = if wanted == 0 { 0 } else { wanted.saturating_add(TRIES) };
    for port in wanted..=last {
        match bind(address, port).await {
            Ok(listeners) => {
                let found = listeners[0].local_addr()?.port();
                return Ok(Listening { listeners, port: found, taken: (port != wanted).then_some(wanted) });
            }
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && port != last => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AddrInUse.into())
}

async fn bind(address: IpAddr, port: u16) -> io::Result<Vec<TcpListener>> {
    let first = TcpListener::bind(SocketAddr::new(address, port)).await?;
    let twin = SocketAddr::new(Ipv6Addr::LOCALHOST.into(), first.local_addr()?.port());
    let mut listeners = vec![first];
    if address == Ipv4Addr::LOCALHOST {
        match TcpListener::bind(twin).await {
            Ok(listener) => listeners.push(listener),
            // Another program answers there: `localhost` could lead to it. A free choice is made again elsewhere.
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && port != 0 => return Err(error),
            Err(_) => {}
        }
    }
    Ok(listeners)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_taken_port_leads_to_a_later_one() {
        let first = listen(Ipv4Addr::LOCALHOST.into(), 0).await.unwrap();
        let second = listen(Ipv4Addr::LOCALHOST.into(), first.port).await.unwrap();
        assert_eq!(second.taken, Some(first.port));
        assert!(second.port > first.port);
    }

    #[tokio::test]
    async fn listens_on_loopback_only() {
        let found = listen(Ipv4Addr::LOCALHOST.into(), 0).await.unwrap();
        assert!(found.listeners.iter().all(|listener| listener.local_addr().unwrap().ip().is_loopback()));
    }
}
