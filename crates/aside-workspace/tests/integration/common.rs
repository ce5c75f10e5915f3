//! A workspace with its own state and a secret beside it, and commands in it at every level that holds here.
#![allow(dead_code, reason = "each test file uses some of it")]
#![allow(clippy::disallowed_methods, reason = "sets the scene, looks at it, and plays the server")]

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use aside_core::SandboxLevel;
use aside_workspace::process::{CommandLine, Finished, Processes, Stop, plain_text};

pub const LEVELS: [SandboxLevel; 3] = [SandboxLevel::Bubblewrap, SandboxLevel::Landlock, SandboxLevel::None];

/// A workspace with its own state, and a secret beside it.
pub struct Place {
    pub folder: tempfile::TempDir,
    pub processes: Processes,
}

impl Place {
    pub fn new(level: SandboxLevel) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        for path in ["work/.aside", "work/.git/hooks", "work/src", "private"] {
            fs::create_dir_all(folder.path().join(path)).unwrap();
        }
        for (path, text) in [
            ("work/.aside/server.json", "the token"),
            ("work/.git/config", "[core]"),
            ("work/.envrc", "export A=1"),
            ("work/src/a.txt", "one"),
            ("private/key", "the key"),
            ("secret", "the secret"),
        ] {
            put(&folder.path().join(path), text);
        }
        let work = folder.path().join("work").canonicalize().unwrap();
        let processes = Processes::at_most(&work, vec![folder.path().join("private")], level);
        let found = processes.found();
        if found.level != level {
            let missing = found.missing.join(" ");
            // `cargo xtask test` has seen it do its work here.
            let works = std::env::var("ASIDE_TEST_HAS").is_ok_and(|has| has.split(',').any(|one| one == "bubblewrap"));
            assert!(level != SandboxLevel::Bubblewrap || !works, "not run at {level}: {missing}");
            eprintln!("not run at {level}: {missing}");
            return None;
        }
        eprintln!("run at {level}");
        Some(Self { folder, processes })
    }

    pub fn work(&self) -> PathBuf {
        self.folder.path().join("work").canonicalize().unwrap()
    }

    pub fn line(&self, script: &str) -> CommandLine {
        let mut line = CommandLine::shell(script, &self.work());
        line.limits.time = Duration::from_secs(30);
        line
    }

    pub fn run(&self, script: &str) -> (Finished, String) {
        self.run_line(&self.line(script))
    }

    pub fn run_line(&self, line: &CommandLine) -> (Finished, String) {
        let finished = self.processes.run(line, &Stop::default(), |_| {}).unwrap();
        let text = plain_text(&finished.output.bytes());
        (finished, text)
    }

    pub fn outside(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }
}

pub fn put(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
}

pub fn text(path: impl AsRef<Path>) -> Option<String> {
    fs::read_to_string(path).ok()
}

/// Runs the same at every level that holds here.
pub fn everywhere(check: impl Fn(&Place)) {
    LEVELS.into_iter().filter_map(Place::new).for_each(|place| check(&place));
}

/// The same, where there is a sandbox.
pub fn kept_apart(check: impl Fn(&Place, SandboxLevel)) {
    for level in [SandboxLevel::Bubblewrap, SandboxLevel::Landlock] {
        if let Some(place) = Place::new(level) {
            check(&place, level);
        }
    }
}

/// A length of time that no other program waits.
pub fn sleep(seconds: u32, unique: u32) -> String {
    format!("sleep {seconds}.{unique}")
}

/// Looks for a command line among all processes: ids inside a namespace say nothing here.
pub fn is_alive(command: &str) -> bool {
    let wanted = command.replace(' ', "\0") + "\0";
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes.filter_map(|entry| text(entry.path().join("cmdline"))).any(|line| line == wanted)
}

pub fn until(mut condition: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it did not come");
        std::thread::yield_now();
    }
}
