//! The program in a process of its own, and how it is asked.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::crash::work::{Item, Kind, PIECES};

/// How many of each kind can be asked for at most.
pub(crate) const MOST: usize = 4000;

/// Lines between two parts of an edit.
const BETWEEN: usize = 20;

/// The server is gone.
#[derive(Debug)]
pub(crate) struct Gone;

/// A workspace with a file for each deletion, and a model that knows each message.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        for number in 0..MOST {
            let file = path.join(Item::new(Kind::Delete, number).path());
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "it goes\n").unwrap();
        }
        for kind in [Kind::Edit, Kind::Turn, Kind::Step, Kind::TakenBack] {
            write_files(path, kind, |_| "the end\n".to_owned());
        }
        let lines = |number| format!("{}{}", Item::new(Kind::Part, number).line(), ".\n".repeat(BETWEEN));
        write_files(path, Kind::Part, |first| (first..first + Item::IN_A_FILE).map(lines).collect());
        // Not every sandbox lets a command put a new file beside `.aside`.
        fs::create_dir(path.join("shell")).unwrap();
        fs::create_dir(path.join(".aside")).unwrap();
        fs::write(path.join(".aside/rehearsal.json"), rehearsal().to_string()).unwrap();
        let folder = Self(folder);
        assert!(folder.command().arg("trust").stdout(Stdio::null()).status().unwrap().success());
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    fn spawn(&self) -> Child {
        self.command()
            .args([".", "--no-open", "--port", "0", "--json"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aside"));
        command
            .current_dir(self.path())
            .env_clear()
            .envs(["PATH", "LLVM_PROFILE_FILE"].into_iter().filter_map(|name| Some((name, std::env::var_os(name)?))))
            .envs([("HOME", self.path().as_os_str()), ("USER", "ada".as_ref())])
            .envs([("OLLAMA_HOST", "127.0.0.1:1"), ("ASIDE_LOG", "error")]);
        command
    }

    pub(crate) fn serve(&self) -> Server {
        let mut child = self.spawn();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let serving: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: it said {line:?}"));
        let text = |name: &str| serving[name].as_str().unwrap().to_owned();
        // Somebody may have done it before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Server { child, http, api: format!("{}api/v1/", text("url")), token: text("token") }
    }

    pub(crate) async fn killed_while_it_starts(&self, after: Duration) {
        let mut child = self.spawn();
        tokio::time::sleep(after).await;
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// Writes the documents of a kind, each from the number of its first mark.
fn write_files(folder: &Path, kind: Kind, text: impl Fn(usize) -> String) {
    for first in (0..MOST * PIECES).step_by(Item::IN_A_FILE) {
        let file = folder.join(Item::new(kind, first).path());
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text(first)).unwrap();
    }
}

fn rehearsal() -> Value {
    let reply = |item: Item| {
        let call = json!({ "name": "doc.edit", "args": item.args() });
        let steps = json!([{ "text": "I'll change it.", "calls": [call] }, { "text": "Changed." }]);
        json!({ "when": item.mark(), "steps": steps })
    };
    let items = (0..MOST).flat_map(|number| [Kind::Turn, Kind::Parts].map(|kind| Item::new(kind, number)));
    json!({ "name": "rehearsal", "replies": items.map(reply).collect::<Vec<_>>() })
}

/// A server that runs.
pub(crate) struct Server {
    child: Child,
    http: reqwest::Client,
    api: String,
    token: String,
}

impl Server {
    pub(crate) async fn get(&self, path: &str) -> Result<Value, Gone> {
        self.ask(Method::GET, path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Result<Value, Gone> {
        self.ask(Method::POST, path, Some(body)).await
    }

    /// Returns what it answers, an error of its own too; it is gone when the answer does not come whole.
    async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Result<Value, Gone> {
        let request = self.http.request(method, format!("{}{path}", self.api)).bearer_auth(&self.token);
        let request = match &body {
            Some(body) => request.json(body),
            None => request,
        };
        let response = request.send().await.map_err(|_| Gone)?;
        let bytes = response.bytes().await.map_err(|_| Gone)?;
        serde_json::from_slice(&bytes).map_err(|_| Gone)
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Ends it as a person does, who then finds everything in the files.
    pub(crate) fn end(mut self) {
        let asked = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        assert!(asked.success());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
