//! The values of the Host header that are ours; anything else may be a foreign name that was made to
//! point here (DNS rebinding).

use std::net::IpAddr;

/// The hosts a request may name, compared byte for byte.
#[derive(Clone, Debug)]
pub struct Hosts {
    names: Vec<String>,
    /// Bound to every address: any literal address with this port is ours, a name never is.
    any_address: Option<u16>,
}

impl Hosts {
    /// The hosts of a server that listens on `address` and `port`.
    pub fn of(address: IpAddr, port: u16) -> Self {
        let mut names: Vec<String> =
            ["localhost", "127.0.0.1", "[::1]"].iter().flat_map(|name| spellings(name, port)).collect();
        if !address.is_loopback() && !address.is_unspecified() {
            names.extend(spellings(&literal(address), port));
        }
        Self { names, any_address: address.is_unspecified().then_some(port) }
    }

    /// Tells whether a Host header names this server.
    pub fn allow(&self, host: &str) -> bool {
        self.names.iter().any(|name| name == host)
            || self.any_address.is_some_and(|port| {
                host.parse::<std::net::SocketAddr>()
                    .is_ok_and(|socket| socket.port() == port && !socket.ip().is_unspecified())
            })
    }

    /// Tells whether browsers take an allowed host for trustworthy without TLS.
    pub fn is_loopback(host: &str) -> bool {
        ["localhost", "127.0.0.1", "[::1]"]
            .iter()
            .any(|name| host.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':')))
    }
}

/// As it stands in a URL.
pub fn literal(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

fn spellings(name: &str, port: u16) -> Vec<String> {
    let mut spellings = vec![format!("{name}:{port}")];
    if port == 80 {
        spellings.push(name.to_owned());
    }
    spellings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_three_names_with_the_port() {
        let hosts = Hosts::of("127.0.0.1".parse().unwrap(), 4177);
        for good in ["localhost:4177", "127.0.0.1:4177", "[::1]:4177"] {
            assert!(hosts.allow(good), "{good}");
        }
        let bad = [
            "",
            "localhost",
            "localhost:80",
            "LOCALHOST:4177",
            "localhost.:4177",
            "localhost.evil.com:4177",
            "evil.com",
            "evil.com:4177",
            "127.0.0.1.nip.io:4177",
            "0.0.0.0:4177",
            "2130706433:4177",
            "127.1:4177",
            "[::ffff:127.0.0.1]:4177",
            "user@localhost:4177",
            "localhost:4177 ",
            "192.168.0.5:4177",
        ];
        for bad in bad {
            assert!(!hosts.allow(bad), "{bad}");
        }
    }

    #[test]
    fn a_server_on_every_address_takes_literal_addresses_and_no_names() {
        let hosts = Hosts::of("0.0.0.0".parse().unwrap(), 4177);
        assert!(hosts.allow("192.168.0.5:4177"));
        assert!(!hosts.allow("192.168.0.5:80"));
        assert!(!hosts.allow("0.0.0.0:4177"));
        assert!(!hosts.allow("evil.com:4177"));
    }
}
