//! How a server may be reached, checked before a person is asked.

mod code;

use std::{collections::BTreeMap, env, net::IpAddr, path::Path};

use aside_core::{Failure, McpLaunch, McpServerName, hosts_of_urls};
use aside_workspace::process::{CompanionLine, companion_environment, find_program};

use super::kept::Files;
pub(crate) use code::{is_of_folder, notes};

/// Arguments, variables and bytes of one launch, at most.
const MOST_WORDS: usize = 200;
const MOST_BYTES: usize = 16 * 1024;

fn invalid(message: impl Into<String>) -> Failure {
    Failure::new("invalid_args", message)
}

/// Checks a launch and completes it: the program by its whole path, as it will be started.
pub(crate) fn checked(launch: &McpLaunch) -> Result<McpLaunch, Failure> {
    if serde_json::to_string(launch).map_or(usize::MAX, |text| text.len()) > MOST_BYTES {
        return Err(invalid(format!("the launch settings of a server may have at most {MOST_BYTES} bytes")));
    }
    match launch {
        McpLaunch::Program { argv, cwd, environment, inherit } => {
            let mut argv = argv.clone();
            let program = argv.first().ok_or_else(|| invalid("no program is given"))?;
            if argv.len() > MOST_WORDS || environment.len() + inherit.len() > MOST_WORDS {
                return Err(invalid(format!("at most {MOST_WORDS} arguments and variables are allowed")));
            }
            if argv.iter().chain(environment.values()).any(|word| word.contains('\0')) {
                return Err(invalid("arguments can't contain NUL"));
            }
            let found = find_program(program).and_then(|path| path.to_str().map(str::to_owned));
            argv[0] = found.ok_or_else(|| {
                invalid(format!("there is no program `{program}`")).hint("pass a program on PATH, or its full path")
            })?;
            environment.keys().chain(inherit).try_for_each(|name| check_variable(name))?;
            environment.iter().try_for_each(|(name, value)| check_open_value(name, value))?;
            if let Some(cwd) = cwd.as_deref().filter(|cwd| !Path::new(cwd).is_absolute() || !Path::new(cwd).is_dir()) {
                return Err(invalid(format!("`{cwd}` is not the absolute path of a folder")));
            }
            let (cwd, environment) = (cwd.clone(), environment.clone());
            Ok(McpLaunch::Program { argv, cwd, environment, inherit: inherit.clone() })
        }
        McpLaunch::Http { url, headers } => {
            check_url(url)?;
            headers.values().try_for_each(|name| check_variable(name))?;
            for name in headers.keys() {
                http::HeaderName::try_from(name).map_err(|_| invalid(format!("`{name}` is not a valid header")))?;
            }
            Ok(launch.clone())
        }
    }
}

pub(crate) fn check_variable(name: &str) -> Result<(), Failure> {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    match !name.is_empty() && name.bytes().all(word) && !name.starts_with(|first: char| first.is_ascii_digit()) {
        true => Ok(()),
        false => Err(invalid(format!("`{name}` is not a valid variable name"))),
    }
}

/// What a request holds is shown, stored and logged: a secret is no part of it.
pub(crate) fn check_open_value(name: &str, value: &str) -> Result<(), Failure> {
    let upper = name.to_ascii_uppercase();
    let secret =
        ["TOKEN", "SECRET", "PASSWORD", "PASSWD", "APIKEY", "API_KEY", "ACCESS_KEY", "PRIVATE_KEY", "CREDENTIAL"];
    if value.is_empty() || !secret.iter().any(|word| upper.contains(word)) {
        return Ok(());
    }
    Err(invalid(format!("`{name}` looks like a secret, but this request is shown and logged"))
        .hint(format!("name it under `inherit`, and set it in Aside's environment or in `mcp/secrets.env` of Aside's data folder: {name}=…")))
}

fn check_url(url: &str) -> Result<(), Failure> {
    let parsed: http::Uri = url.parse().map_err(|_| invalid(format!("`{url}` is not an address")))?;
    let authority = parsed.authority().ok_or_else(|| invalid(format!("`{url}` has no host")))?;
    let host = bare_host(authority);
    let address = host.parse::<IpAddr>().ok();
    let linked = match address {
        Some(IpAddr::V4(four)) => four.is_link_local() || four.is_unspecified() || four.is_multicast(),
        Some(IpAddr::V6(six)) => {
            let mapped = six.to_ipv4_mapped().is_some_and(|four| four.is_link_local() || four.is_loopback());
            mapped || six.is_unicast_link_local() || six.is_unspecified() || six.is_multicast()
        }
        None => false,
    };
    if authority.as_str().contains('@') {
        return Err(invalid("the address must not contain a user name or password"));
    }
    if linked {
        return Err(invalid(format!("`{host}` is a private network address")));
    }
    match parsed.scheme_str() {
        Some("https") => Ok(()),
        Some("http") if is_own(&host) => Ok(()),
        _ => Err(invalid(format!("`{url}` must use https, unless it is on this computer"))),
    }
}

/// Tells whether an address is one of this machine.
pub(crate) fn is_on_this_machine(url: &str) -> bool {
    let url: Option<http::Uri> = url.parse().ok();
    url.as_ref().and_then(http::Uri::authority).is_some_and(|authority| is_own(&bare_host(authority)))
}

fn bare_host(authority: &http::uri::Authority) -> String {
    authority.host().trim_matches(['[', ']']).to_ascii_lowercase()
}

fn is_own(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The host that is reached, if it is not this machine's program.
pub(crate) fn host(launch: &McpLaunch) -> Option<String> {
    match launch {
        McpLaunch::Program { .. } => None,
        McpLaunch::Http { url, .. } => hosts_of_urls(url).into_iter().next(),
    }
}

/// The values of named variables.
pub(crate) fn values<'a>(
    names: impl IntoIterator<Item = &'a String>,
    files: &Files,
) -> Result<BTreeMap<String, String>, Failure> {
    let secrets = files
        .secrets()
        .map_err(|error| Failure::new("io", format!("cannot read {}: {error}", files.secrets_path().display())))?;
    let value = |name: &String| secrets.get(name).cloned().or_else(|| env::var(name).ok());
    let found = names.into_iter().map(|name| match value(name) {
        Some(value) => Ok((name.clone(), value)),
        None => Err(Failure::new("no_value", format!("the variable `{name}` has no value")).hint(format!(
            "set it in Aside's environment, or add a line {name}=… to {}",
            files.secrets_path().display()
        ))),
    });
    found.collect()
}

/// The program as it is started, with all that it gets.
pub(crate) fn line(server: &McpServerName, launch: &McpLaunch, files: &Files) -> Result<CompanionLine, Failure> {
    let McpLaunch::Program { argv, cwd, environment, inherit } = launch else {
        return Err(invalid("this is not a program"));
    };
    let mut all = companion_environment();
    all.extend(environment.clone());
    all.extend(values(inherit, files)?);
    let cwd = cwd.as_ref().map_or_else(|| files.own_folder(server), Into::into);
    Ok(CompanionLine { argv: argv.clone(), cwd, environment: all })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn check(launch: Value) -> Result<McpLaunch, Failure> {
        checked(&serde_json::from_value(launch).unwrap())
    }

    #[test]
    fn a_program_is_shown_by_its_whole_path_and_its_arguments_stay_as_they_are() {
        let hostile = "$(touch /tmp/x); `id` && rm -rf ~ | sh";
        let McpLaunch::Program { argv, .. } = check(json!({ "kind": "program", "argv": ["sh", hostile] })).unwrap()
        else {
            panic!("another kind")
        };
        assert!(argv[0].starts_with('/') && argv[0].ends_with("/sh"));
        assert_eq!(argv[1], hostile);
        for argv in
            [json!([]), json!(["./sh"]), json!(["no-such-program"]), json!(["sh -c id"]), json!(["sh", "a\u{0}b"])]
        {
            assert_eq!(check(json!({ "kind": "program", "argv": argv })).unwrap_err().code, "invalid_args", "{argv}");
        }
    }

    #[test]
    fn a_secret_is_named_and_never_told() {
        let told = |name: &str| check(json!({ "kind": "program", "argv": ["sh"], "environment": { name: "x" } }));
        assert!(told("MODE").is_ok());
        assert!(told("GITHUB_TOKEN").unwrap_err().hint.unwrap().contains("inherit"));
        assert!(told("db_password").is_err() && told("A=B").is_err() && told("").is_err());
        assert!(check(json!({ "kind": "program", "argv": ["sh"], "inherit": ["GITHUB_TOKEN"] })).is_ok());
    }

    #[test]
    fn an_address_is_https_or_on_this_machine() {
        let url = |url: &str| check(json!({ "kind": "http", "url": url }));
        for good in ["https://mcp.example/mcp", "http://127.0.0.1:8080/mcp", "http://localhost/mcp", "http://[::1]:1/"]
        {
            assert!(url(good).is_ok(), "{good}");
        }
        for bad in [
            "http://mcp.example/mcp",
            "file:///etc/passwd",
            "https://169.254.169.254/latest",
            "https://u:p@mcp.example/",
            "https://[fe80::1]/",
            "https://[::ffff:169.254.169.254]/",
            "http://localhost.evil.example/",
            "https://0.0.0.0/",
            "x",
        ] {
            assert!(url(bad).is_err(), "{bad}");
        }
    }
}
