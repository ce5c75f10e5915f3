//! Where a server is, and how it is shown to people.

use reqwest::{
    Client, Url,
    header::{HeaderName, HeaderValue},
};

use super::client;
use crate::{Limits, ProviderError, Secret};

/// A server, with the key it wants.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    base: Url,
    key: Option<Key>,
    /// Bounds on what is exchanged with it.
    pub(crate) limits: Limits,
    /// What to do when it can't be reached.
    pub(crate) when_unreachable: String,
    /// What to do when it refuses the key.
    pub(crate) when_unauthorised: String,
    /// What to do when it knows nothing at the address.
    pub(crate) when_not_found: String,
    /// What to do when it sends requests on to another address.
    pub(crate) when_moved: String,
}

#[derive(Clone, Debug)]
struct Key {
    header: HeaderName,
    value: HeaderValue,
}

impl Endpoint {
    /// Takes the base URL of a server; the error says what is wrong with it, without repeating its credentials.
    pub(crate) fn parse(base: &str, limits: Limits) -> Result<Self, String> {
        let base = Url::parse(base).map_err(|error| format!("its address is not a URL ({error})"))?;
        if !matches!(base.scheme(), "http" | "https") || base.host().is_none() {
            return Err("its address is not an http or https URL".to_owned());
        }
        let [when_unreachable, when_unauthorised, when_not_found] = [const { String::new() }; 3];
        let when_moved =
            "The server redirects requests to another address, and Aside does not follow redirects: set that address.";
        let when_moved = when_moved.to_owned();
        Ok(Self { base, key: None, limits, when_unreachable, when_unauthorised, when_not_found, when_moved })
    }

    /// Adds a key, sent in `header` after `scheme`; the error says that the key has characters no header can carry.
    pub(crate) fn with_key(mut self, header: HeaderName, scheme: &str, secret: Secret) -> Result<Self, String> {
        let mut value = HeaderValue::from_str(&format!("{scheme}{}", secret.expose()))
            .map_err(|_| "its key contains invalid characters".to_owned())?;
        value.set_sensitive(true);
        self.key = Some(Key { header, value });
        Ok(self)
    }

    /// Adds the version that the paths begin with, unless the base URL ends in one: they are given with and without.
    pub(crate) fn versioned(mut self, version: &str) -> Self {
        let (path, ends_in_version) = self.path();
        if !ends_in_version {
            let path = format!("{path}/{version}");
            self.base.set_path(&path);
        }
        self
    }

    /// The same server without the version that its path ends in: what it has beside the wire that it speaks there.
    pub(crate) fn unversioned(&self) -> Self {
        let mut endpoint = self.clone();
        if let (path, true) = self.path() {
            endpoint.base.set_path(path.rsplit_once('/').map_or("", |(before, _)| before));
        }
        endpoint
    }

    /// Its path without a slash at the end, and whether a version is the last of it.
    fn path(&self) -> (&str, bool) {
        let path = self.base.path().trim_end_matches('/');
        let last = path.rsplit('/').next().unwrap_or_default();
        (path, last.strip_prefix('v').is_some_and(|rest| rest.starts_with(|char: char| char.is_ascii_digit())))
    }

    /// The address of one of its paths, with a query after that of the base URL.
    pub(crate) fn url(&self, path: &str, query: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path().trim_end_matches('/')));
        let both = [self.base.query().unwrap_or_default(), query].into_iter().filter(|part| !part.is_empty());
        let both = both.collect::<Vec<_>>().join("&");
        url.set_query((!both.is_empty()).then_some(&both));
        url
    }

    /// Its host name.
    pub(crate) fn host(&self) -> &str {
        self.base.host_str().unwrap_or_default()
    }

    /// Its address for people: no user, no password, no query.
    pub(crate) fn shown(&self) -> String {
        let port = self.base.port().map(|port| format!(":{port}")).unwrap_or_default();
        format!("{}://{}{port}{}", self.base.scheme(), self.host(), self.base.path().trim_end_matches('/'))
    }

    /// Where what is sent to it goes, `HOST` or `HOST:PORT`; none if that is this machine.
    pub(crate) fn elsewhere(&self) -> Option<String> {
        (!self.local()).then(|| place(&self.base))
    }

    /// Tells whether it is on this machine, by what its address says.
    pub(crate) fn local(&self) -> bool {
        let host = self.host().trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
    }

    /// Tells whether what is said to it is encrypted on the way.
    pub(crate) fn is_https(&self) -> bool {
        self.base.scheme() == "https"
    }

    /// The key's header.
    pub(super) fn key_header(&self) -> Option<(HeaderName, HeaderValue)> {
        self.key.as_ref().map(|key| (key.header.clone(), key.value.clone()))
    }

    /// The client that reaches it.
    pub(super) fn client(&self) -> Result<&'static Client, ProviderError> {
        let client = if self.local() { client::local() } else { client::remote() };
        client.map_err(|detail| self.unreachable(detail))
    }

    /// The error of a server that is not there.
    pub(super) fn unreachable(&self, detail: String) -> ProviderError {
        ProviderError::Unreachable { endpoint: self.shown(), detail, hint: self.when_unreachable.clone() }
    }
}

/// The host of a URL, with its port where that is not the usual one.
pub(crate) fn place(url: &Url) -> String {
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!("{}{port}", url.host_str().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(base: &str) -> Endpoint {
        Endpoint::parse(base, Limits::default()).unwrap()
    }

    #[test]
    fn shows_no_credentials() {
        let endpoint = endpoint("https://user:pass-canary@models.example:8443/v1/?api-version=2");
        assert_eq!(endpoint.shown(), "https://models.example:8443/v1");
        let url = endpoint.url("/chat/completions", "");
        assert_eq!(url.as_str(), "https://user:pass-canary@models.example:8443/v1/chat/completions?api-version=2");
    }

    #[test]
    fn a_version_is_added_where_there_is_none() {
        for (base, shown) in [
            ("https://models.example", "https://models.example/v1beta"),
            ("https://models.example/proxy/", "https://models.example/proxy/v1beta"),
            ("https://models.example/v1", "https://models.example/v1"),
            ("https://models.example/v1alpha/", "https://models.example/v1alpha"),
        ] {
            assert_eq!(endpoint(base).versioned("v1beta").shown(), shown);
        }
        let url = endpoint("https://models.example/?a=1").url("/models", "b=2");
        assert_eq!(url.as_str(), "https://models.example/models?a=1&b=2");
    }

    #[test]
    fn knows_what_is_on_this_machine() {
        for local in ["http://127.0.0.1:1", "http://localhost", "http://[::1]:8080/v1", "http://127.9.9.9"] {
            assert!(endpoint(local).local(), "{local}");
        }
        for remote in ["http://10.0.0.1", "https://localhost.example", "https://api.example/127.0.0.1"] {
            assert!(!endpoint(remote).local(), "{remote}");
        }
    }

    #[test]
    fn refuses_what_is_no_address() {
        for wrong in ["", "models", "ftp://models.example", "unix:/tmp/socket"] {
            assert!(Endpoint::parse(wrong, Limits::default()).is_err(), "{wrong}");
        }
    }
}
