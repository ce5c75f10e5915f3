//! Lines of a shell, as far as habits and outcomes need them: which programs they run, and how.

mod git;
mod line;

pub use git::{Back, backs, unstashes};
use line::pieces;

/// One command of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The program; with `python -m x` it is x.
    pub program: String,
    /// The first word after it that is neither an option nor a path.
    pub verb: Option<String>,
    /// Its options by name, sorted.
    pub options: Vec<String>,
}

/// Words before a program that only say how it is run.
const WRAPPERS: &[&str] = &["sudo", "time", "env", "nohup", "exec", "command"];

/// The commands of a line.
pub fn commands(line: &str) -> Vec<Command> {
    pieces(line).into_iter().filter_map(|(piece, _)| command(piece)).collect()
}

fn command(piece: &str) -> Option<Command> {
    let is_setting = |word: &str| {
        word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        })
    };
    let mut words = piece.split_whitespace().skip_while(|word| is_setting(word) || WRAPPERS.contains(word)).peekable();
    let mut program = words.next()?.rsplit('/').next().unwrap_or_default().to_owned();
    if program.starts_with("python") && words.next_if_eq(&"-m").is_some() {
        program = words.next()?.to_owned();
    }
    if program.is_empty() || !program.chars().all(|char| char.is_alphanumeric() || "._+-".contains(char)) {
        return None;
    }
    let words: Vec<&str> = words.collect();
    let plain = |word: &&&str| {
        !word.starts_with('-') && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b":_-".contains(&byte))
    };
    let verb =
        words.iter().take_while(|word| !word.starts_with(['"', '\''])).find(plain).map(|word| (*word).to_owned());
    let mut options: Vec<String> = words
        .iter()
        .filter(|word| word.len() > 1 && word.starts_with('-'))
        .map(|word| word.split('=').next().unwrap_or(word).to_owned())
        .collect();
    options.sort();
    options.dedup();
    Some(Command { program, verb, options })
}

impl Command {
    /// What it is, without what it is about: the program, what it is to do, and its options.
    pub fn signature(&self) -> String {
        let parts = std::iter::once(&self.program).chain(&self.verb).chain(&self.options);
        parts.map(String::as_str).collect::<Vec<_>>().join(" ")
    }

    /// Everybody runs it all the time.
    pub fn is_everyday(&self) -> bool {
        const EVERYDAY: &[&str] = &[
            "cd", "ls", "cat", "git", "grep", "rg", "find", "head", "tail", "echo", "pwd", "sed", "awk", "curl", "wc",
            "mkdir", "rm", "cp", "mv", "which", "sleep", "true", "test", "printf", "export", "source", "sort", "uniq",
            "xargs", "touch", "chmod", "tree", "less", "kill",
        ];
        EVERYDAY.contains(&self.program.as_str())
    }

    /// Tells whether it runs tests.
    pub fn tests(&self) -> bool {
        let verb = self.verb.as_deref().unwrap_or_default();
        match self.program.as_str() {
            "pytest" | "jest" | "vitest" | "mocha" | "rspec" | "phpunit" | "tox" | "ctest" => true,
            "cargo" => matches!(verb, "test" | "nextest"),
            "go" | "npm" | "yarn" | "pnpm" | "bun" | "make" | "dotnet" | "mvn" | "gradle" | "swift" | "deno"
            | "mix" => verb == "test" || verb.starts_with("test:"),
            "npx" => matches!(verb, "jest" | "vitest" | "mocha"),
            _ => false,
        }
    }
}

/// Tells whether how a line ends is how tests ended that it runs: they are its last command, and nothing takes in what they put out or stands
/// in for them.
pub fn ends_as_tests(line: &str) -> bool {
    let all = pieces(line.trim_end().trim_end_matches(';'));
    let is_alone = |before: &[(&str, &str)]| before.last().is_none_or(|(_, sign)| *sign != "||");
    match &all[..] {
        [before @ .., (last, "")] => is_alone(before) && command(last).is_some_and(|command| command.tests()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_its_program_and_what_it_does() {
        let signatures = |line: &str| commands(line).iter().map(Command::signature).collect::<Vec<_>>();
        assert_eq!(
            signatures("cd /x && RUST_LOG=1 sudo cargo test -p core --lib | head -5"),
            ["cd", "cargo test --lib -p", "head -5"]
        );
        assert_eq!(signatures("python3 -m pytest tests/a.py -x"), ["pytest -x"]);
        assert_eq!(signatures("  ;; $(x)"), Vec::<String>::new());
        assert_eq!(signatures("cargo test 2>&1 | tail"), ["cargo test", "tail"]);
    }

    #[test]
    fn a_line_ends_as_its_tests_if_they_come_last_and_alone() {
        for line in
            ["npm run build && npm test", "pytest -x", "cd /w; cargo test 2>&1", "pytest -k 'a|b'", "go test ./...;"]
        {
            assert!(ends_as_tests(line), "{line}");
        }
        for line in [
            "npm install",
            "cat latest",
            "cargo test 2>&1 | tail",
            "pytest || true",
            "pytest; echo done",
            "false || pytest",
            "pytest &",
        ] {
            assert!(!ends_as_tests(line), "{line}");
        }
    }
}
