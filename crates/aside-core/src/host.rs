//! Hosts in texts: those that a command or a request would reach, and those that a person has named.

use std::collections::BTreeSet;

/// Returns the hosts of all URLs in a text, in lower case, without user names and ports.
pub fn hosts_of_urls(text: &str) -> Vec<String> {
    let urls = text.match_indices("://").map(|(at, _)| &text[at + 3..]);
    urls.filter_map(host_of).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns every host that a person can have meant: those of URLs, and all words with a dot in them. It may be one too
/// many (`main.rs`), which only tells that nobody has to be asked about a host of that name.
pub fn named_hosts(text: &str) -> Vec<String> {
    let words = text.split(|c: char| c.is_whitespace() || "\"'`<>()[]{},;@/\\|?#*".contains(c));
    let bare = words.filter_map(host_of).filter(|host| host.contains('.') || host == "localhost");
    bare.chain(hosts_of_urls(text)).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns the host at the beginning of what follows `://`. What comes before the last `@` is a name, whatever it looks like.
pub fn host_of(text: &str) -> Option<String> {
    let ends = |c: char| c.is_whitespace() || c.is_control() || "/\\?#\"'`<>(){}|;,".contains(c);
    let authority = text.split(ends).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = match host.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let host = host.trim_matches('.').to_lowercase();
    (!host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_of_a_url_is_what_would_be_reached() {
        for (text, host) in [
            ("curl https://Example.ORG/a?b=c", "example.org"),
            ("https://typed.example@evil.example/x", "evil.example"),
            ("https://evil.example\\@typed.example", "evil.example"),
            ("https://user:pw@evil.example:8443/", "evil.example"),
            ("git+ssh://git@evil.example.:22/r", "evil.example"),
            ("http://[::1]:8080/", "::1"),
            ("\"ftp://evil.example\"", "evil.example"),
        ] {
            assert_eq!(hosts_of_urls(text), [host], "{text}");
        }
        assert!(hosts_of_urls("no address in model.py").is_empty());
        assert!(hosts_of_urls("://").is_empty());
    }

    #[test]
    fn a_person_names_hosts_with_or_without_a_scheme() {
        let named = named_hosts("get the table from data.example.org, or https://mirror.example/x; not (evil)");
        assert_eq!(named, ["data.example.org", "mirror.example"]);
        assert_eq!(named_hosts("mail ada@example.org"), ["example.org"]);
    }
}
