//! A small program of the system that is asked one thing: what it says is short, and it ends soon.

use std::{
    collections::BTreeMap,
    io::{self, Read as _, Write as _},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// How often it is looked whether it has ended.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// Bytes of its answer that are read. A pipe holds more, so that it never waits for us.
const LONGEST: u64 = 16 << 10;

/// What is asked.
pub(crate) struct Question<'a> {
    pub(crate) arguments: &'a [&'a str],
    /// All that it gets in its environment.
    pub(crate) environment: BTreeMap<String, String>,
    /// What it reads from its standard input.
    pub(crate) input: &'a str,
    pub(crate) patience: Duration,
}

/// How it ended, and what it said.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// None if it was killed.
    pub(crate) code: Option<i32>,
    /// Without the ends of lines after it.
    pub(crate) said: String,
    pub(crate) complaint: String,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AskError {
    /// It took too long, and was killed.
    #[error("it did not answer in time")]
    Silent,
    /// It can't be run.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Runs a program in the root folder, where no file of anybody's lies, and waits for its end.
#[expect(clippy::disallowed_methods, reason = "processes belong to this crate")]
pub(crate) fn ask(program: &Path, question: Question<'_>) -> Result<Answer, AskError> {
    let mut child = Command::new(program)
        .args(question.arguments)
        .env_clear()
        .envs(question.environment)
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    // Dropped, so that it has an end.
    let written = child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(question.input.as_bytes()));
    let begun = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if begun.elapsed() > question.patience => {
                child.kill()?;
                child.wait()?;
                return Err(AskError::Silent);
            }
            None => thread::sleep(LOOK_EVERY),
        }
    };
    let (said, complaint) = (text(child.stdout.take())?, text(child.stderr.take())?);
    // Whoever failed need not have read to the end.
    if status.success() {
        written?;
    }
    Ok(Answer { code: status.code(), said, complaint })
}

fn text(from: Option<impl io::Read>) -> io::Result<String> {
    let mut bytes = Vec::new();
    if let Some(from) = from {
        from.take(LONGEST).read_to_end(&mut bytes)?;
    }
    Ok(String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_owned())
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "makes the program that is asked")]
pub(crate) mod tests {
    use super::*;

    /// Writes a program, by another program: a file that this one has open for writing, or a fork of it, can't be run.
    pub(crate) fn make(program: &Path, script: &str) {
        let write = "printf '%s' \"$1\" > \"$0\"; chmod 700 \"$0\"";
        let made = Command::new("sh").args(["-c", write]).arg(program).arg(script).status().unwrap();
        assert!(made.success());
    }

    fn asked(program: &Path, patience: Duration) -> Result<Answer, AskError> {
        let environment = [("PATH".to_owned(), "/usr/bin:/bin".to_owned())].into();
        ask(program, Question { arguments: &["a b"], environment, input: "in\n", patience })
    }

    #[test]
    fn an_answer_is_what_it_said_and_how_it_ended() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        make(&program, "#!/bin/sh\nread line\necho \"$1 $line $(pwd) $SECRET\"\necho no >&2\nexit 3\n");
        let answer = asked(&program, Duration::from_secs(20)).unwrap();
        assert_eq!(answer, Answer { code: Some(3), said: "a b in / ".to_owned(), complaint: "no".to_owned() });
        assert!(matches!(asked(Path::new("/nowhere/x"), Duration::ZERO), Err(AskError::Io(_))));
    }

    #[test]
    fn who_says_nothing_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        make(&program, "#!/bin/sh\nexec sleep 600\n");
        assert!(matches!(asked(&program, Duration::ZERO), Err(AskError::Silent)));
    }
}
