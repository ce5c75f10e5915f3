//! Terminals with real shells.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use aside_core::{Id as _, TerminalId, TerminalSize, Timestamp};
use aside_terminal::{FoundTerminal, Start, Terminal, TerminalError, Terminals, environment};

/// How long something may take on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(20);

struct World {
    terminals: Terminals,
    folder: tempfile::TempDir,
    next: i64,
}

impl World {
    fn new() -> Self {
        Self { terminals: Terminals::default(), folder: tempfile::tempdir().unwrap(), next: 0 }
    }

    fn start(&mut self, shell: &str) -> Start {
        self.next += 1;
        let own = [("PATH", "/usr/bin:/bin"), ("ASIDE_TOKEN", "secret"), ("PS1", "> "), ("ENV", "")];
        Start {
            id: TerminalId::from_parts(Timestamp(self.next), 1),
            name: None,
            shell: shell.to_owned(),
            folder: self.folder.path().to_owned(),
            cwd: String::new(),
            size: TerminalSize::USUAL,
            environment: environment(own.map(|(name, value)| (name.into(), value.into())), &Default::default(), shell),
            opened_at: Timestamp(self.next),
        }
    }

    fn open(&mut self) -> Arc<Terminal> {
        let start = self.start("/bin/sh");
        let terminal = self.terminals.open(start).unwrap();
        shows(&terminal, ">");
        terminal
    }

    /// Opens a terminal whose shell is a script.
    fn open_script(&mut self, script: &str) -> Result<Arc<Terminal>, TerminalError> {
        let path = self.folder.path().join("shell");
        put_script(&path, script);
        let start = self.start(path.to_str().unwrap());
        self.terminals.open(start)
    }
}

#[expect(clippy::disallowed_methods, reason = "a test's own folder")]
fn put_script(path: &Path, script: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::write(path, script).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn until<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        match found() {
            Some(found) => return found,
            None if Instant::now() > end => panic!("{what} did not happen"),
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

fn shows(terminal: &Terminal, line: &str) {
    let shown = || terminal.text(500).lines;
    let found = || shown().iter().any(|shown| shown == line).then_some(());
    let end = Instant::now() + PATIENCE;
    while found().is_none() {
        assert!(Instant::now() < end, "`{line}` is not shown: {:#?}", shown());
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn type_line(terminal: &Terminal, line: &str) {
    terminal.type_in(format!("{line}\r").into_bytes()).unwrap();
}

#[test]
fn a_shell_answers_and_ends() {
    let mut world = World::new();
    let terminal = world.open();
    type_line(&terminal, "echo $((6 * 7)) $TERM $ASIDE_TOKEN; pwd");
    shows(&terminal, "42 xterm-256color");
    shows(&terminal, world.folder.path().canonicalize().unwrap().to_str().unwrap());
    type_line(&terminal, "exit 3");
    let exit = terminal.wait(PATIENCE).unwrap();
    assert_eq!((exit.status, exit.signal), (Some(3), None));
    assert!(exit.said.ends_with("exit 3"), "{}", exit.said);
    assert!(matches!(terminal.type_in(b"x".to_vec()), Err(TerminalError::Ended)));
}

#[test]
fn dying_shell_leaves_its_last_words() {
    let mut world = World::new();
    let terminal = world.open_script("#!/bin/sh\necho no such profile\nexit 7\n").unwrap();
    let exit = terminal.wait(PATIENCE).unwrap();
    assert_eq!((exit.status, exit.said.as_str()), (Some(7), "no such profile"));
    assert_eq!(world.terminals.list()[0].exit.as_ref(), Some(&exit));
}

#[test]
fn a_shell_that_is_missing_is_named() {
    let mut world = World::new();
    let start = world.start("/nowhere/shell");
    let error = world.terminals.open(start).unwrap_err();
    assert!(error.to_string().starts_with("cannot start `/nowhere/shell` in a terminal: "), "{error}");
    assert_eq!(error.failure().code, "not_started");
    assert!(world.terminals.list().is_empty());
}

#[test]
fn a_flood_stays_within_bounds_and_ends() {
    let mut world = World::new();
    let terminal = world.open();
    type_line(&terminal, "yes $(printf %079d 0) | head -c 8000000; echo; echo over");
    let end = Instant::now() + PATIENCE;
    while terminal.text(3).lines.iter().all(|line| line != "over") {
        assert!(Instant::now() < end, "{:?}", terminal.text(3));
        let kept = terminal.output(|output| output.end() - output.oldest());
        assert!(kept < 3 << 20, "{kept}");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(terminal.end() > 8_000_000, "{}", terminal.end());
}

#[test]
fn ctrl_c_reaches_the_program_in_front() {
    let mut world = World::new();
    let terminal = world.open();
    assert_eq!(terminal.running(), None);
    type_line(&terminal, "sleep 1000; echo after $?");
    until("sleep", || terminal.running().filter(|name| name == "sleep"));
    terminal.type_in(vec![3]).unwrap();
    until("the shell", || terminal.running().is_none().then_some(()));
    type_line(&terminal, "echo back");
    shows(&terminal, "back");
}

#[test]
fn the_size_is_that_of_the_window() {
    let mut world = World::new();
    let terminal = world.open();
    let viewer = terminal.come(TerminalSize { cols: 100, rows: 30 });
    type_line(&terminal, "stty size");
    shows(&terminal, "30 100");
    terminal.resize(viewer, TerminalSize { cols: 57, rows: 11 });
    type_line(&terminal, "stty size");
    shows(&terminal, "11 57");
    assert_eq!(world.terminals.list()[0].size, TerminalSize { cols: 57, rows: 11 });
}

#[test]
fn a_title_is_harmless() {
    let mut world = World::new();
    let terminal = world.open();
    type_line(&terminal, "printf '\\033]0;b\\342\\200\\256uild\\007'");
    until("a title", || Some(terminal.title()).filter(|title| title == "b\\u{202e}uild"));
    assert_eq!(world.terminals.list()[0].title.as_deref(), Some("b\\u{202e}uild"));
}

#[test]
fn input_that_nobody_reads_is_refused() {
    let mut world = World::new();
    let terminal = world.open();
    type_line(&terminal, "stty raw -echo; echo ready; sleep 1000");
    shows(&terminal, "ready");
    let piece = || terminal.type_in(vec![b'x'; 60_000]);
    let taken = (0..100).take_while(|_| piece().is_ok()).count();
    assert!((10..30).contains(&taken), "{taken}");
    assert_eq!(piece().unwrap_err().failure().code, "input_full");
}

#[test]
fn closing_ends_programs_that_ignore_a_hang_up() {
    let mut world = World::new();
    let terminal = world.open();
    type_line(&terminal, "trap '' HUP; echo ready; sleep 1000");
    shows(&terminal, "ready");
    let id = terminal.state().id;
    assert_eq!(world.terminals.close(&id).unwrap().exit, None);
    assert!(matches!(world.terminals.find(&id), FoundTerminal::Closed));
    assert!(terminal.wait(PATIENCE).is_some());
    assert!(world.terminals.close(&id).is_none());
}

#[test]
fn background_program_does_not_delay_the_end() {
    let mut world = World::new();
    let terminal = world.open();
    type_line(&terminal, "trap '' HUP; sleep 1000 & exit");
    assert!(terminal.wait(PATIENCE).is_some());
    world.terminals.close_all();
}

#[test]
fn names_are_unique_and_all_end_together() {
    let mut world = World::new();
    let all: Vec<_> = (0..3).map(|_| world.open()).collect();
    let names: Vec<_> = world.terminals.list().into_iter().map(|terminal| terminal.name).collect();
    assert_eq!(names, ["sh", "sh 2", "sh 3"]);
    world.terminals.close_all();
    assert!(all.iter().all(|terminal| terminal.exit().is_some()));
    assert!(world.terminals.list().is_empty());
    assert!(matches!(world.terminals.find(&TerminalId::from_parts(Timestamp(99), 1)), FoundTerminal::Unknown));
}

#[test]
fn output_wakes_a_reader() {
    let mut world = World::new();
    let terminal = world.open();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let mut changes = terminal.changes();
    type_line(&terminal, "echo hello");
    runtime.block_on(async {
        let woken = async {
            while !terminal.text(5).lines.iter().any(|line| line == "hello") {
                changes.changed().await.unwrap();
            }
        };
        tokio::time::timeout(PATIENCE, woken).await.unwrap();
    });
}
