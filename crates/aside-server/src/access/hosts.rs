//! The values of the Host header that are ours; anything else may be a foreign name that was made to
//! point here (DNS rebinding).

use std::{net::IpAddr, str::FromStr};

/// The hosts a request may name, compared byte for byte.
#[derive(Clone, Debug)]
pub struct Hosts {
    names: Vec<String>,
    /// Bound to every address: any literal address with this port is ours, a name never is.
    any_address: Option<u16>,
    /// Names of tunnels and proxies that lead here, as the person said.
    allowed: Vec<AllowedHost>,
}

/// A host that the person allows: a name or an address, with a port or with any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedHost(String);

impl FromStr for AllowedHost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, port) = name_and_port(text);
        let is_name = !name.is_empty()
            && name.len() <= 253
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.:[]".contains(&byte));
        match is_name && port.is_none_or(|port| port.parse::<u16>().is_ok()) {
            true => Ok(Self(text.to_ascii_lowercase())),
            false => Err("a host is a name or address, such as `my-tunnel.example.org` or `box.local:8443`".to_owned()),
        }
    }
}

impl AllowedHost {
    fn is(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        match name_and_port(&self.0) {
            // Browsers leave out the port that their protocol has by default.
            (name, Some("80" | "443")) if name_and_port(&host) == (name, None) => true,
            (_, Some(_)) => self.0 == host,
            (name, None) => name_and_port(&host).0 == name,
        }
    }
}

/// Splits a host from its port; an address of IPv6 stands in brackets.
fn name_and_port(host: &str) -> (&str, Option<&str>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') && (!name.contains(':') || name.ends_with(']')) => (name, Some(port)),
        _ => (host, None),
    }
}

impl Hosts {
    /// The hosts of a server that listens on `address` and `port`.
    pub fn of(address: IpAddr, port: u16) -> Self {
        let mut names: Vec<String> =
            ["localhost", "127.0.0.1", "[::1]"].iter().flat_map(|name| spellings(name, port)).collect();
        if !address.is_loopback() && !address.is_unspecified() {
            names.extend(spellings(&literal(address), port));
        }
        Self { names, any_address: address.is_unspecified().then_some(port), allowed: Vec::new() }
    }

    /// The same, and the hosts that the person allows.
    #[must_use]
    pub fn and(self, allowed: Vec<AllowedHost>) -> Self {
        Self { allowed, ..self }
    }

    /// Tells whether pages come from a host that the person allows. Tunnels speak TLS in front of this server.
    pub fn allow_origin(&self, origin: &str) -> bool {
        let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
        host.is_some_and(|host| self.allowed.iter().any(|allowed| allowed.is(host)))
    }

    /// Tells whether a Host header names this server.
    pub fn allow(&self, host: &str) -> bool {
        self.names.iter().any(|name| name == host)
            || self.allowed.iter().any(|allowed| allowed.is(host))
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

    #[test]
    fn allowed_host_includes_its_port_and_origin() {
        let allowed = ["Tunnel.example.org", "box.local:8443", "web.example.org:443"];
        let allowed = allowed.map(|host| host.parse().unwrap()).to_vec();
        let hosts = Hosts::of("127.0.0.1".parse().unwrap(), 4177).and(allowed);
        for good in [
            "tunnel.example.org",
            "tunnel.example.org:443",
            "box.local:8443",
            "localhost:4177",
            "web.example.org",
            "web.example.org:443",
        ] {
            assert!(hosts.allow(good), "{good}");
        }
        for bad in [
            "web.example.org:80",
            "x.tunnel.example.org",
            "tunnel.example.org.evil.com",
            "box.local",
            "box.local:1",
            "evil.com",
            "",
        ] {
            assert!(!hosts.allow(bad), "{bad}");
        }
        assert!(hosts.allow_origin("https://tunnel.example.org") && hosts.allow_origin("http://box.local:8443"));
        for bad in
            ["https://evil.com", "null", "tunnel.example.org", "https://tunnel.example.org/", "https://localhost:4177"]
        {
            assert!(!hosts.allow_origin(bad), "{bad}");
        }
    }

    #[test]
    fn only_names_and_addresses_are_allowed() {
        for good in ["a.b", "localhost", "10.0.0.1:80", "[::1]:443", "[fe80::1]"] {
            assert!(good.parse::<AllowedHost>().is_ok(), "{good}");
        }
        for bad in ["", "*", "*.example.org", "https://a.b", "a.b/", "a b", "a.b:x", "a.b:99999", ":80"] {
            assert!(bad.parse::<AllowedHost>().is_err(), "{bad}");
        }
    }
}
