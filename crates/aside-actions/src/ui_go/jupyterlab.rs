//! The address of a JupyterLab beside Aside.

use std::env;

use aside_core::Failure;

/// Bytes of an address.
const LONGEST: usize = 2_000;

/// Returns the address, as the environment of the server has it.
pub(super) fn address() -> Result<String, Failure> {
    address_in(|name| env::var(name).ok())
}

/// `JUPYTERLAB_URL` counts first. Under JupyterHub, JupyterLab has its own place in the user's server.
fn address_in(read: impl Fn(&str) -> Option<String>) -> Result<String, Failure> {
    let set = |name: &str| read(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
    if let Some(url) = set("JUPYTERLAB_URL") {
        return match is_address(&url) {
            true => Ok(url),
            false => Err(Failure::new("no_jupyterlab", "JUPYTERLAB_URL is no address of a web page")
                .hint("start Aside with one such as http://localhost:8888/lab")),
        };
    }
    if let Some(prefix) = set("JUPYTERHUB_SERVICE_PREFIX").filter(|prefix| prefix.starts_with('/')) {
        return Ok(match prefix.trim_matches('/') {
            "" => "/lab".to_owned(),
            prefix => format!("/{prefix}/lab"),
        });
    }
    let message = "Aside doesn't know where JupyterLab runs";
    Err(Failure::new("no_jupyterlab", message)
        .hint("run `jupyter lab` in a terminal, then start Aside with its address in JUPYTERLAB_URL"))
}

fn is_address(url: &str) -> bool {
    let host = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"));
    let is_plain = url.len() <= LONGEST && !url.contains(|letter: char| letter.is_control() || letter.is_whitespace());
    is_plain && host.is_some_and(|host| !host.is_empty() && !host.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(variables: &[(&str, &str)], expected: Option<&str>) {
        let read =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        let found = address_in(read);
        assert_eq!(found.as_deref().ok(), expected, "{found:?}");
        assert!(found.err().is_none_or(|failure| failure.code == "no_jupyterlab" && failure.hint.is_some()));
    }

    #[test]
    fn address_comes_from_the_environment() {
        let hub = ("JUPYTERHUB_SERVICE_PREFIX", "/user/ada/");
        check(&[], None);
        check(&[("JUPYTERLAB_URL", " ")], None);
        check(&[hub], Some("/user/ada/lab"));
        check(&[("JUPYTERHUB_SERVICE_PREFIX", "/")], Some("/lab"));
        check(&[("JUPYTERLAB_URL", "http://localhost:8888/lab"), hub], Some("http://localhost:8888/lab"));
        for wrong in ["localhost:8888", "javascript:alert(1)", "http://", "http:///x", "http://a b"] {
            check(&[("JUPYTERLAB_URL", wrong), hub], None);
        }
    }
}
