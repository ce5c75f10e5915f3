//! A workspace of its own, and the program as it is typed there.
#![allow(dead_code, reason = "each test file uses some of it")]
#![allow(clippy::disallowed_methods, reason = "starts the program and reads its workspace")]

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

use serde_json::Value;
use tempfile::TempDir;

/// Long enough for a slow machine; nothing waits for it when all is well.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A folder with a file `a.txt`, which is the person's home as well.
pub struct Workspace(TempDir);

impl Workspace {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.txt"), "one\ntwo\n").unwrap();
        Self(folder)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn text(&self, file: &str) -> String {
        fs::read_to_string(self.path().join(file)).unwrap_or_else(|_| "(none)".to_owned())
    }

    pub fn put(&self, file: &str, text: &str) {
        fs::write(self.path().join(file), text).unwrap();
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aside"));
        command.args(args).current_dir(self.path()).stdin(Stdio::null());
        command.env_clear().env("HOME", self.path()).env("OLLAMA_HOST", "127.0.0.1:1").env("USER", "ada");
        command
    }

    pub fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Runs with `--json`; returns the exit code and the answer.
    pub fn json(&self, args: &[&str]) -> (i32, Value) {
        let output = self.command(args).arg("--json").output().unwrap();
        let text = stdout(&output);
        let value = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{error}: {text:?} {:?} {args:?}", stderr(&output)));
        (code(&output), value)
    }

    pub fn serve(&self) -> Server {
        let args = [".", "--no-open", "--port", "0", "--json"];
        let mut child = self.command(&args).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Server { child, serving: serde_json::from_str(&line).unwrap() }
    }
}

/// A server in a process of its own, which ends with this value.
pub struct Server {
    child: Child,
    /// What it says of itself: its address, token and process.
    pub serving: Value,
}

impl Server {
    /// A server that was started by a program which watches it.
    pub fn watched(child: Child, serving: Value) -> Self {
        Self { child, serving }
    }

    /// Ends it as a person does, and waits for whoever started it.
    pub fn end(mut self) {
        let pid = self.serving["pid"].to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        self.child.wait().unwrap();
    }

    /// Sends a signal and waits for the end; returns the exit code if it ended by itself.
    pub fn signal(mut self, name: &str) -> Option<i32> {
        let killed = Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        self.child.wait().unwrap().code()
    }

    /// As a power cut would: nobody is asked.
    pub fn kill(self) {
        assert_eq!(self.signal("-KILL"), None);
    }

    pub fn ask(&self, method: &str, path: &str, body: &str) -> Value {
        let answer = self.raw(method, &format!("/api/v1/{path}"), body);
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }

    /// The body of an answer, of whatever form.
    pub fn raw(&self, method: &str, path: &str, body: &str) -> String {
        let url = self.serving["url"].as_str().unwrap();
        let host = url.trim_start_matches("http://").trim_end_matches('/');
        let token = self.serving["token"].as_str().unwrap();
        let mut socket = TcpStream::connect(host).unwrap();
        let head = format!(
            "host: {host}\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\nconnection: close"
        );
        write!(socket, "{method} {path} HTTP/1.1\r\n{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        let start = answer.find("\r\n\r\n").unwrap() + 4;
        answer[start..].to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Asks again until there is an answer that is wanted.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "waited for {what}");
        std::thread::yield_now();
    }
}

/// Looks for a command line among all processes.
pub fn is_alive(command: &str) -> bool {
    let wanted = command.replace(' ', "\0") + "\0";
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes.filter_map(|entry| fs::read_to_string(entry.path().join("cmdline")).ok()).any(|line| line == wanted)
}

pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
