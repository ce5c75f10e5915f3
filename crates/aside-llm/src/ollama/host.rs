//! The spellings of `OLLAMA_HOST`.

use reqwest::Url;

const PORT: u16 = 11434;

/// Returns the base URL that `OLLAMA_HOST` means: `host`, `host:port`, `:port`, or a URL. An address to listen on
/// everywhere is, for a client, this machine.
pub(super) fn base_url(host: &str) -> String {
    let host = host.trim().trim_end_matches('/');
    if host.contains("://") {
        return here(host).unwrap_or_else(|| host.to_owned());
    }
    let host = if host.is_empty() || host.starts_with(':') { format!("127.0.0.1{host}") } else { host.to_owned() };
    let url = format!("http://{host}");
    let with_port = match Url::parse(&url) {
        // Port 80 is left out by the parser, but not by one who wrote it.
        Ok(parsed) if parsed.port().is_none() && !host.ends_with(":80") => with_port(parsed).unwrap_or(url),
        _ => url,
    };
    here(&with_port).unwrap_or(with_port)
}

fn with_port(mut url: Url) -> Option<String> {
    url.set_port(Some(PORT)).ok()?;
    Some(url.as_str().trim_end_matches('/').to_owned())
}

fn here(url: &str) -> Option<String> {
    let mut url = Url::parse(url).ok()?;
    let this_machine = match url.host_str()? {
        "0.0.0.0" => "127.0.0.1",
        "[::]" => "[::1]",
        _ => return None,
    };
    url.set_host(Some(this_machine)).ok()?;
    Some(url.as_str().trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_spelling() {
        let cases = [
            ("", "http://127.0.0.1:11434"),
            (":1234", "http://127.0.0.1:1234"),
            ("0.0.0.0", "http://127.0.0.1:11434"),
            ("0.0.0.0:80", "http://127.0.0.1"),
            ("[::]:99", "http://[::1]:99"),
            ("models.example", "http://models.example:11434"),
            ("models.example:99/", "http://models.example:99"),
            ("https://models.example/ollama/", "https://models.example/ollama"),
            ("http://0.0.0.0:99", "http://127.0.0.1:99"),
        ];
        for (host, url) in cases {
            assert_eq!(base_url(host), url, "{host}");
        }
    }
}
