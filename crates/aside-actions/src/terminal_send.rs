//! `terminal.send`: types a line, or presses a key, in a terminal.

use std::{sync::Arc, time::Duration};

use aside_core::{
    Assessment, Completeness, EffectScope, Failure, Guard, Observation, Place, Preview, PreviewBody, Risk, Risks,
    SandboxLevel, UndoSupport, Warning, harmless,
};
use aside_gate::{Action, ActionContext, Declaration, Run, hosts_of_line};
use aside_terminal::Terminal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::time::{Instant, sleep_until};

use crate::{
    commands::{outside_sandbox, title},
    terminals::{PersonsTerminals, joined, printed_in, standing},
};

/// Bytes of a line: a person has to be able to read it.
const MOST_BYTES: usize = 32 * 1024;
/// Seconds that the output is waited for: if nobody says, and at most.
const USUAL_WAIT: u32 = 10;
const LONGEST_WAIT: u32 = 120;
/// How long a terminal has to be quiet for its output to be there.
const QUIET: Duration = Duration::from_millis(300);
/// Lines of output in the answer.
const MOST_LINES: usize = 200;
/// Clears what stands on the line of a shell, so that the line which was shown is the one that runs.
const CLEAR_LINE: u8 = 0x15;

/// Arguments of `terminal.send`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The id or name of the terminal.
    terminal: String,
    /// The line to type; Enter is pressed after it. Give this or `key`.
    #[serde(default)]
    text: Option<String>,
    /// A key to press instead.
    #[serde(default)]
    key: Option<TerminalKey>,
    /// Seconds to wait for the output at most. Default: 10, at most 120.
    #[serde(default)]
    #[schemars(range(min = 0, max = 120))]
    wait: Option<u32>,
}

/// A key that steers a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TerminalKey {
    /// Interrupts the program.
    CtrlC,
    /// Ends the input; a shell ends with it.
    CtrlD,
    /// Stops the program; `fg` goes on with it.
    CtrlZ,
    /// Escape.
    Escape,
}

/// The input that arguments mean.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wanted {
    Line(String),
    Key(TerminalKey),
}

impl TerminalKey {
    fn byte(self) -> u8 {
        match self {
            Self::CtrlC => 0x03,
            Self::CtrlD => 0x04,
            Self::CtrlZ => 0x1a,
            Self::Escape => 0x1b,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::CtrlC => "Ctrl+C",
            Self::CtrlD => "Ctrl+D",
            Self::CtrlZ => "Ctrl+Z",
            Self::Escape => "Escape",
        }
    }
}

impl Args {
    fn wanted(&self) -> Result<Wanted, Failure> {
        let invalid = |message: &str| Err(Failure::new("invalid_args", message));
        match (&self.text, self.key) {
            (None, Some(key)) => Ok(Wanted::Key(key)),
            (Some(text), None) => {
                if text.trim().is_empty() {
                    return invalid("`text` is empty");
                }
                if text.len() > MOST_BYTES {
                    return invalid("`text` is longer than 32 kB; write it into a file and run that");
                }
                if text.chars().any(|character| character.is_control() && character != '\n') {
                    return invalid("`text` may have no control characters but line ends; press a key with `key`");
                }
                Ok(Wanted::Line(text.clone()))
            }
            _ => invalid("give either `text` (a line to type) or `key` (a key to press)"),
        }
    }
}

impl Wanted {
    /// The bytes that a keyboard would send. A shell's line is cleared first.
    fn input(&self, at_prompt: bool) -> Vec<u8> {
        match self {
            Self::Key(key) => vec![key.byte()],
            Self::Line(text) => {
                let clear = at_prompt.then_some(CLEAR_LINE);
                let keys = text.bytes().map(|byte| if byte == b'\n' { b'\r' } else { byte });
                clear.into_iter().chain(keys).chain([b'\r']).collect()
            }
        }
    }
}

/// `terminal.send`.
pub(crate) struct TerminalSend(pub PersonsTerminals);

impl Action for TerminalSend {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "terminal.send",
            summary: "Type a line in a terminal",
            description: "Types a line in a terminal and presses Enter, or presses one key, and returns the output \
                that follows. The terminal is the user's own shell, without a sandbox, so the user is asked each \
                time; use `shell.run` for a command that needs no terminal. What stood on the shell's line before \
                is cleared.",
            preconditions: &["the terminal is open", "the user approves"],
            effect: EffectScope::System,
            risks: [Risk::Write, Risk::Destructive].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![
                ("Run a command in a terminal", json!({"terminal": "bash", "text": "make test", "wait": 60})),
                ("Interrupt the program", json!({"terminal": "bash", "key": "ctrl_c"})),
            ],
            phrases: &["type in the terminal", "send to the terminal", "interrupt the program in the terminal"],
            tags: &["terminal", "shell", "console", "type", "input", "keys", "ctrl-c", "command"],
            safety: &[
                "the effects of a command can't be previewed or undone",
                "the shell's aliases, functions and history apply",
            ],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let wanted = args.wanted()?;
        self.0.find(&args.terminal)?;
        if self.0.workspace.processes().is_local_only() && !context.origin.is_person() {
            let message = "a terminal has a network, and Local only is on";
            return Err(Failure::new("local_only", message)
                .hint("use `shell.run` without `network`, or ask the user to turn Local only off"));
        }
        Ok(match wanted {
            Wanted::Key(_) => Assessment::default(),
            Wanted::Line(line) => {
                Assessment { risks: risks(), hosts: hosts_of_line(&line), command: Some(line), ..Assessment::default() }
            }
        })
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let terminal = self.0.find(&args.terminal)?.state();
        let name = &terminal.name;
        let line = match args.wanted()? {
            Wanted::Line(line) => line,
            Wanted::Key(key) => {
                let summary = format!("Press {} in the terminal {name} ({})", key.words(), standing(&terminal));
                return Ok(Preview::summary(summary));
            }
        };
        let reader = match &terminal.running {
            Some(program) => format!("`{program}` reads it, not the shell."),
            None => "The shell reads it: its aliases, functions and history apply.".to_owned(),
        };
        let mut warnings = vec![outside_sandbox()];
        if harmless(&line) != line {
            let text = "The line contains invisible characters, or characters that change how the rest is displayed.";
            warnings.push(Warning { guard: Guard::HiddenCharacters, text: text.to_owned() });
        }
        Ok(Preview {
            summary: format!("Type `{}` in the terminal {name}", title(&line)),
            body: PreviewBody::Command {
                argv: vec![line],
                cwd: terminal.cwd,
                network: true,
                sandbox: SandboxLevel::None,
                environment: Vec::new(),
                notes: vec![reader, "It can't be undone.".to_owned()],
            },
            completeness: Completeness::Opaque,
            warnings,
        })
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let wanted = args.wanted()?;
        let terminal = self.0.find(&args.terminal)?;
        let (before, running) = (terminal.end(), terminal.running());
        terminal.type_in(wanted.input(running.is_none())).map_err(|error| error.failure())?;
        let wait = Duration::from_secs(args.wait.unwrap_or(USUAL_WAIT).min(LONGEST_WAIT).into());
        settle(&terminal, running.as_deref(), wait, context).await;
        let state = terminal.state();
        let (output, cut) = joined(&terminal.text_from(before, MOST_LINES));
        let words = format!("{} ({})\n{output}", state.name, standing(&state));
        let source = printed_in(&state, &context.id);
        let data = json!({"terminal": state, "output": output, "cut": cut});
        Ok(Run::observed(Observation::with(words, data).from_source(source)))
    }
}

/// Waits until the terminal is quiet with the same program in front as before, or its shell has ended.
async fn settle(terminal: &Arc<Terminal>, running: Option<&str>, wait: Duration, context: &ActionContext) {
    let end = Instant::now() + wait;
    let mut changes = terminal.changes();
    let mut quiet_at = Instant::now() + QUIET;
    loop {
        tokio::select! {
            () = sleep_until(quiet_at.min(end)) => {
                let is_done = terminal.running().as_deref() == running || terminal.exit().is_some();
                if is_done || Instant::now() >= end {
                    return;
                }
                quiet_at = Instant::now() + QUIET;
            }
            changed = changes.changed() => {
                if changed.is_err() {
                    return;
                }
                quiet_at = Instant::now() + QUIET;
            }
            _ = context.progress.stopped() => return,
        }
    }
}

/// The risks of a command without a sandbox: it can do whatever the person can.
fn risks() -> Risks {
    [Risk::Network, Risk::Access, Risk::Install].into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(text: Option<&str>, key: Option<TerminalKey>) -> Args {
        Args { terminal: "sh".to_owned(), text: text.map(str::to_owned), key, wait: None }
    }

    #[test]
    fn a_line_is_typed_whole_and_alone() {
        let line = args(Some("echo a\necho b"), None).wanted().unwrap();
        assert_eq!(line.input(true), b"\x15echo a\recho b\r");
        assert_eq!(line.input(false), b"echo a\recho b\r");
        assert_eq!(args(None, Some(TerminalKey::CtrlC)).wanted().unwrap().input(true), [3]);
    }

    #[test]
    fn keys_can_not_hide_in_a_line() {
        let long = "x".repeat(MOST_BYTES + 1);
        for text in ["", " \n", "a\u{15}rm -rf ~", "a\tb", "\u{1b}[A", "a\rb", "a\u{9b}b", "a\0", &long] {
            assert_eq!(args(Some(text), None).wanted().unwrap_err().code, "invalid_args", "{text:?}");
        }
        assert!(args(None, None).wanted().is_err());
        assert!(args(Some("ls"), Some(TerminalKey::CtrlC)).wanted().is_err());
    }
}
