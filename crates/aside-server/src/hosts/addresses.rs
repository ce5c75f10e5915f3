//! Where a host of repositories is asked, and for which lists.

use aside_core::Failure;
use aside_history::hosts::{Fact, Host};
use serde_json::Value;

/// A list of a host, and what its rows say.
pub struct List {
    /// What it is a list of.
    pub name: &'static str,
    /// Where it is.
    pub path: String,
    /// What is asked of it.
    pub query: &'static str,
    /// What a page of it says.
    pub read: fn(Host, &str, &Value) -> Vec<Fact>,
}

/// What kind of host it is, and the address of its interface: `host` is that, or the name of one that says it.
pub fn interface(host: &str) -> Result<(Host, String), Failure> {
    let address = address(host)?;
    Ok((if address.ends_with("/api/v4") { Host::GitLab } else { Host::GitHub }, address))
}

/// The lists that a host is asked for of a repository.
pub fn lists(host: Host, repo: &str) -> Vec<List> {
    match host {
        Host::GitLab => {
            let of = |what: &str| format!("/projects/{}/{what}", repo.replace('/', "%2F"));
            vec![
                List {
                    name: "pull requests",
                    path: of("merge_requests"),
                    query: "scope=all&state=all&order_by=updated_at",
                    read: Host::pull_requests,
                },
                List { name: "runs", path: of("pipelines"), query: "order_by=updated_at", read: Host::runs },
                List { name: "commits", path: of("repository/commits"), query: "", read: Host::commits },
            ]
        }
        _ => {
            let of = |what: &str| format!("/repos/{repo}/{what}");
            vec![
                List {
                    name: "pull requests",
                    path: of("pulls"),
                    query: "state=all&sort=updated&direction=desc",
                    read: Host::pull_requests,
                },
                List { name: "runs", path: of("actions/runs"), query: "", read: Host::runs },
                List { name: "commits", path: of("commits"), query: "", read: Host::commits },
            ]
        }
    }
}

/// The reviews of a pull request.
pub fn reviews(repo: &str, number: i64) -> List {
    List { name: "reviews", path: format!("/repos/{repo}/pulls/{number}/reviews"), query: "", read: Host::reviews }
}

/// A commit by itself.
pub fn commit(host: Host, repo: &str, sha: &str) -> String {
    match host {
        Host::GitLab => format!("/projects/{}/repository/commits/{sha}", repo.replace('/', "%2F")),
        _ => format!("/repos/{repo}/commits/{sha}"),
    }
}

/// The address of an interface, as far as the name of its host says of what kind it is.
fn address(host: &str) -> Result<String, Failure> {
    let has = |word: &str| host.split(['.', '-']).any(|part| part.starts_with(word));
    match host {
        "github.com" => Ok("https://api.github.com".to_owned()),
        _ if host.contains("://") => Ok(host.to_owned()),
        _ if has("gitlab") => Ok(format!("https://{host}/api/v4")),
        _ if host.ends_with(".ghe.com") => Ok(format!("https://api.{host}")),
        _ if has("github") => Ok(format!("https://{host}/api/v3")),
        _ => {
            let hint = format!(
                "Pass the address of its API: https://{host}/api/v4 for GitLab, https://{host}/api/v3 for GitHub."
            );
            Err(Failure::new("bad_request", format!("cannot tell whether `{host}` is GitHub or GitLab")).hint(hint))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_s_name_may_say_what_it_is() {
        for (host, address) in [
            ("github.com", "https://api.github.com"),
            ("gitlab.com", "https://gitlab.com/api/v4"),
            ("gitlab.example.org", "https://gitlab.example.org/api/v4"),
            ("my-gitlab.example", "https://my-gitlab.example/api/v4"),
            ("github.example", "https://github.example/api/v3"),
            ("octo.ghe.com", "https://api.octo.ghe.com"),
            ("https://code.example/api/v4", "https://code.example/api/v4"),
        ] {
            assert_eq!(interface(host).unwrap().1, address);
        }
        let unknown = interface("code.example").unwrap_err();
        assert!(unknown.hint.unwrap().contains("https://code.example/api/v4"));
    }
}
