//! Keys, seen from outside: the real program with two of them, talked to in every way while it logs all it can, and then
//! everything that it said, sent to a window, wrote or started is searched for them.
#![allow(clippy::disallowed_methods, reason = "starts the program and reads all that is left of it")]

mod common;

use std::{
    fs::{self, File},
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Command, Stdio},
    thread,
};

use common::{Server, Workspace, stderr, stdout, until};
use serde_json::json;

/// One of the environment, one that is kept in the file, and a password within an address.
const CANARIES: [&str; 3] = ["canary-1f6f6b3c-environment", "canary-1f6f6b3c-kept", "canary-1f6f6b3c-password"];

/// How the service says which key it heard: its own, or that of another service.
const QUOTED: &str = "canary-1f6f6b3c-environment and canary-1f6f6b3c-kept";

/// How the service answers a question, one after the other; nothing is an end in the middle of the line.
const ANSWERS: [&str; 4] = ["401 Unauthorized", "", "302 Found", "200 OK"];

/// A service that quotes whatever key it is asked with; returns its port.
fn service() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let mut answers = ANSWERS.into_iter().cycle();
        for mut socket in listener.incoming().flatten() {
            let mut bytes = vec![0; 1 << 16];
            let read = socket.read(&mut bytes).unwrap_or_default();
            let head = String::from_utf8_lossy(&bytes[..read]).into_owned();
            if !head.starts_with("POST") {
                let _ = socket.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
                continue;
            }
            let body = match answers.next() {
                Some("") | None => continue,
                Some("200 OK") => {
                    "data: {\"choices\":[{\"delta\":{\"content\":\"ready\"},\"finish_reason\":\"stop\"}]}\n\n\
                    data: [DONE]\n\n"
                        .to_owned()
                }
                Some(status) => {
                    let key = CANARIES.into_iter().find(|key| head.contains(key)).unwrap_or_default();
                    let message = json!({ "error": { "message": format!("wrong key: {key}, known: {QUOTED}") } });
                    let head = format!("HTTP/1.1 {status}\r\nlocation: /{key}\r\n");
                    let _ =
                        write!(socket, "{head}content-type: application/json\r\nconnection: close\r\n\r\n{message}");
                    continue;
                }
            };
            let _ =
                write!(socket, "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n{body}");
        }
    });
    port
}

/// A workspace whose person keeps their own folder elsewhere: keys are not kept in a workspace.
struct World {
    workspace: Workspace,
    own: tempfile::TempDir,
}

impl World {
    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.workspace.command(args);
        command.env("ASIDE_DATA_DIR", self.own.path());
        command
    }
}

/// A server that logs everything into `log`.
fn serve(workspace: &World, log: &Path, port: u16) -> Server {
    let base = format!("http://127.0.0.1:{port}/v1");
    let mut command = workspace.command(&[".", "--no-open", "--port", "0", "--json"]);
    command.env("ASIDE_LOG", "trace").env("VLLM_BASE_URL", &base).env("LMSTUDIO_BASE_URL", &base);
    // Nobody listens there, and what the network says of it is told.
    command.env("OPENAI_BASE_URL", format!("http://me:{}@127.0.0.1:1/v1", CANARIES[2]));
    command.env("VLLM_API_KEY", CANARIES[0]).env("PATH", "/usr/bin:/bin");
    let mut child = command.stdout(Stdio::piped()).stderr(File::create(log).unwrap()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    Server::watched(child, serde_json::from_str(&line).unwrap())
}

/// Opens the live connection as a window does; returns all bytes that come over it until the server ends.
fn window(server: &Server) -> thread::JoinHandle<Vec<u8>> {
    let host = server.serving["url"].as_str().unwrap().trim_start_matches("http://").trim_end_matches('/').to_owned();
    let mut socket = TcpStream::connect(&host).unwrap();
    let token = server.serving["token"].as_str().unwrap();
    let upgrade = "connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
                   sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==";
    let head = format!("GET /api/v1/connection HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\n{upgrade}");
    write!(socket, "{head}\r\n\r\n").unwrap();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // The end of a server that is ended may be a reset.
        let _ = socket.read_to_end(&mut bytes);
        bytes
    })
}

/// Keeps a key, typed on standard input.
fn keep(workspace: &World, service: &str, key: &str) -> String {
    let mut command = workspace.command(&["models", "key", "set", service]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(key.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    stdout(&output) + &stderr(&output)
}

fn said(command: &mut Command) -> String {
    let output = command.output().unwrap();
    stdout(&output) + &stderr(&output)
}

fn holds(bytes: &[u8]) -> bool {
    CANARIES.iter().any(|key| bytes.windows(key.len()).any(|part| part == key.as_bytes()))
}

/// The files below a folder that hold a key.
fn holding(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if kind.is_dir() {
            found.extend(holding(&path));
        } else if kind.is_file() && holds(&fs::read(&path).unwrap_or_default()) {
            found.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    found
}

/// The processes whose arguments, or environments, hold a key.
fn processes(file: &str) -> Vec<String> {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let hold = all.filter(|entry| fs::read(entry.path().join(file)).is_ok_and(|bytes| holds(&bytes)));
    hold.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn no_key_is_in_anything_that_is_said_logged_sent_kept_or_started() {
    let world = World { workspace: Workspace::new(), own: tempfile::tempdir().unwrap() };
    let log = world.workspace.path().join("log");
    let server = serve(&world, &log, service());
    let window = window(&server);
    let mut all = vec![keep(&world, "lmstudio", CANARIES[1])];
    for model in ["vllm/m", "lmstudio/m"] {
        for _ in ANSWERS {
            all.push(said(&mut world.command(&["ask", "hello", "--model", model])));
        }
        all.push(said(&mut world.command(&["models", "test", model])));
    }
    all.push(said(&mut world.command(&["ask", "hello", "--model", "openai/m"])));
    assert!(all.iter().any(|text| text.contains("cannot reach http://127.0.0.1:1/v1")), "{all:#?}");
    assert!(
        all.iter().any(|text| text.contains("ready")) && all.iter().any(|text| text.contains("[secret]")),
        "{all:#?}"
    );
    for args in [
        &["doctor"][..],
        &["doctor", "--json"],
        &["models", "list"],
        &["models", "list", "--json", "--ask", "vllm"],
        &["models", "key", "list", "--json"],
        &["models", "spending"],
        &["audit", "list"],
        &["audit", "export"],
    ] {
        all.push(said(&mut world.command(args)));
    }
    // A command that shows all it can see, and is looked at from outside while it runs.
    std::fs::create_dir(world.workspace.path().join("out")).unwrap();
    let line =
        "env; cat /proc/*/environ /proc/*/cmdline 2>/dev/null; echo > out/begun; while [ ! -e out/go ]; do :; done";
    let mut asking = world.command(&["do", "shell.run", "--yes", "--args", &json!({ "command": line }).to_string()]);
    let asking = asking.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    until("the command", || world.workspace.path().join("out/begun").exists().then_some(()));
    assert_eq!(processes("cmdline"), Vec::<String>::new());
    if cfg!(target_os = "linux") {
        assert_eq!(processes("environ"), [server.serving["pid"].to_string()], "only who was given it has it");
    }
    world.workspace.put("out/go", "");
    let ended = asking.wait_with_output().unwrap();
    all.push(stdout(&ended) + &stderr(&ended));
    server.end();
    let frames = window.join().unwrap();
    assert!(frames.windows(5).any(|part| part == b"hello") && !holds(&frames), "the window heard of it");
    assert!(all.iter().all(|text| !holds(text.as_bytes())), "{all:#?}");
    assert!(world.workspace.text("log").contains("TRACE"), "it logged all it can");
    assert_eq!(holding(world.workspace.path()), Vec::<String>::new());
    assert_eq!(holding(world.own.path()), ["keys.json"]);
}
