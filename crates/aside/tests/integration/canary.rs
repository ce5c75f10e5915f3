//! Keys, seen from outside: the real program with two of them, talked to in every way while it logs all it can, and then
//! everything that it said, sent to a window, wrote or started is searched for them.
#![allow(clippy::disallowed_methods, reason = "starts the program and reads all that is left of it")]

use std::{
    fs::{self, File},
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Command, Stdio},
    sync::{Arc, Mutex},
    thread,
};

use serde_json::json;

use crate::common::{Server, Workspace, stderr, stdout, until};

/// One of the environment, one that is kept in the file, a password within an address, and one of a service of the
/// person's own.
const CANARIES: [&str; 4] =
    ["canary-1f6f6b3c-environment", "canary-1f6f6b3c-kept", "canary-1f6f6b3c-password", "canary-1f6f6b3c-own"];
/// What a cell is given on purpose, under a name of its own.
const GIVEN: &str = "given-1f6f6b3c-on-purpose";

/// How the service says which key it heard: its own, or that of another service.
const QUOTED: &str = "canary-1f6f6b3c-environment and canary-1f6f6b3c-kept";

/// How the service answers a question, one after the other; nothing is an end in the middle of the line.
const ANSWERS: [&str; 4] = ["401 Unauthorized", "", "302 Found", "200 OK"];

/// What a service was sent, one text a request.
type Sent = Arc<Mutex<Vec<String>>>;

/// A whole request.
fn request(socket: &mut TcpStream) -> String {
    let (mut bytes, mut buffer) = (Vec::new(), vec![0; 1 << 16]);
    loop {
        let read = socket.read(&mut buffer).unwrap_or_default();
        bytes.extend_from_slice(&buffer[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let length = |head: &str| {
            let of = |line: &str| line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok();
            head.lines().find_map(of).unwrap_or(0)
        };
        match text.split_once("\r\n\r\n") {
            Some((head, body)) if body.len() >= length(head) => return text,
            _ if read == 0 => return text,
            _ => {}
        }
    }
}

/// A service that quotes whatever key it is asked with; returns its port.
fn service(sent: Sent) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let mut answers = ANSWERS.into_iter().cycle();
        for mut socket in listener.incoming().flatten() {
            let head = request(&mut socket);
            sent.lock().unwrap().push(head.clone());
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

/// A keyring that keeps each secret in a file, and in another what it was told and what it was given to see.
const KEYRING: &str = "#!/bin/sh\ncd \"$(dirname \"$0\")\"\necho \"$@\" >> told; env >> told\nfor last; do :; done\n\
    case $1 in\nstore) cat > \"$last.key\";;\nlookup) test -e \"$last.key\" || exit 1; cat \"$last.key\";;\n\
    clear) rm \"$last.key\";;\nesac\n";

/// A workspace whose person keeps their own folder elsewhere: keys are not kept in a workspace.
struct World {
    workspace: Workspace,
    own: tempfile::TempDir,
    /// Where the stand-in for the system's keyring is, if there is one.
    keyring: Option<tempfile::TempDir>,
}

impl World {
    fn new(keyring: Option<tempfile::TempDir>) -> Self {
        Self { workspace: Workspace::new(), own: tempfile::tempdir().unwrap(), keyring }
    }

    /// Programs are found where the system has its own, and the keyring's beside it.
    fn path(&self) -> String {
        let keyring = self.keyring.iter().map(|folder| folder.path().display().to_string());
        keyring.chain(["/usr/bin:/bin".to_owned()]).collect::<Vec<_>>().join(":")
    }

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
    command.env("VLLM_API_KEY", CANARIES[0]).env("LAB_KEY", CANARIES[3]).env("PATH", workspace.path());
    command.env("GIVEN_TO_CELLS", GIVEN);
    if workspace.keyring.is_some() {
        command.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
    }
    if let Some(prefix) = aside_testkit::python() {
        command.env("VIRTUAL_ENV", prefix);
    }
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

/// Runs a cell that shows all that it can see; its kernel goes on.
fn cell(world: &World) -> String {
    let source = "import os\nprint(dict(os.environ))\nopen('cell-ran', 'w').write(repr(dict(os.environ)))";
    let cell = json!({ "cell_type": "code", "id": "c1", "metadata": {}, "source": source, "outputs": [], "execution_count": null });
    let notebook = json!({ "cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5 });
    world.workspace.put("n.ipynb", &notebook.to_string());
    let args = json!({ "path": "n.ipynb", "part": "all" }).to_string();
    said(&mut world.command(&["do", "cell.run", "--yes", "--args", &args]))
}

fn holds(bytes: &[u8]) -> bool {
    CANARIES.iter().any(|key| memchr::memmem::find(bytes, key.as_bytes()).is_some())
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

/// One test of both ways to keep a key: each looks at all processes there are.
#[test]
fn no_key_is_in_anything_that_is_said_logged_sent_kept_or_started() {
    let world = World::new(None);
    check(&world);
    assert_eq!(holding(world.own.path()), ["keys.json"]);
    if cfg!(target_os = "linux") {
        let world = World::new(Some(keyring()));
        check(&world);
        assert_eq!(holding(world.own.path()), Vec::<String>::new());
        assert_eq!(holding(world.keyring.as_ref().unwrap().path()), ["lmstudio.key"]);
    }
}

/// Installs the keyring. It is written by another process: a file that was open here could not be run.
fn keyring() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let install = "cat > secret-tool && chmod 755 secret-tool";
    let mut command = Command::new("sh");
    let mut child = command.args(["-c", install]).current_dir(folder.path()).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(KEYRING.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    folder
}

/// Uses the keys in every way, and looks for them in all that is said, logged, sent, kept in the workspace and started.
fn check(world: &World) {
    let log = world.workspace.path().join("log");
    let (sent, has_kernel) = (Sent::default(), aside_testkit::python().is_some());
    let port = service(sent.clone());
    let lab =
        format!("[services.lab]\nbase_url = \"http://127.0.0.1:{port}/v1\"\napi = \"chat\"\nkey_env = \"LAB_KEY\"\n");
    fs::write(world.own.path().join("services.toml"), lab).unwrap();
    let server = serve(world, &log, port);
    let window = window(&server);
    let mut all = vec![keep(world, "lmstudio", CANARIES[1])];
    for model in ["vllm/m", "lmstudio/m", "lab/m"] {
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
    if has_kernel {
        all.push(cell(world));
        let seen = world.workspace.text("cell-ran");
        assert!(seen.contains(GIVEN) && !holds(seen.as_bytes()), "{seen} {all:#?}");
        // What cells put out goes to a model when it is asked about them.
        all.push(said(&mut world.command(&["ask", "what does n.ipynb print?", "--model", "vllm/m"])));
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
    if has_kernel {
        let args = json!({ "path": "n.ipynb" }).to_string();
        all.push(said(&mut world.command(&["do", "kernel.shutdown", "--yes", "--args", &args])));
    }
    world.workspace.put("out/go", "");
    let ended = asking.wait_with_output().unwrap();
    all.push(stdout(&ended) + &stderr(&ended));
    server.end();
    let frames = window.join().unwrap();
    assert!(frames.windows(5).any(|part| part == b"hello") && !holds(&frames), "the window heard of it");
    assert!(all.iter().all(|text| !holds(text.as_bytes())), "{all:#?}");
    assert!(world.workspace.text("log").contains("TRACE"), "it logged all it can");
    let sent = sent.lock().unwrap().clone();
    let keyless = |request: &String| {
        let lines = request.lines().filter(|line| !line.to_ascii_lowercase().starts_with("authorization:"));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert!(sent.len() > 12 && sent.iter().any(|request| holds(request.as_bytes())), "the key is in its header");
    assert!(sent.iter().all(|request| !holds(keyless(request).as_bytes())), "and nowhere else: {sent:#?}");
    assert_eq!(holding(world.workspace.path()), Vec::<String>::new());
}
