//! A server of tools, as another program that speaks the Model Context Protocol over its input and output: this test
//! program, started again. What it says is read from a file each time, so that it can change its words.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The argument that makes this test program the server; the folder with its words follows.
const SERVER: &str = "server-of-tides";
/// Its words.
const VOICES: &str = "voices.json";
/// The calls it got, one a line.
const CALLS: &str = "calls";

/// What it says; nothing of it is anybody's order but its own.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Voices {
    /// What `forecast` answers.
    pub result: Option<String>,
    /// How `soundings` fails.
    pub error: Option<String>,
    /// What `forecast` says of itself.
    pub description: Option<String>,
    /// What `forecast` says of its argument.
    pub argument: Option<String>,
    /// What it says in place of its list of tools.
    pub instead: Option<String>,
    /// What it writes for people as it ends, before it says who it is.
    pub last_words: Option<String>,
}

impl Voices {
    /// Writes them where the server reads them.
    pub fn keep(&self, folder: &Path) {
        std::fs::write(folder.join(VOICES), serde_json::to_string(self).unwrap()).unwrap();
    }

    fn read(folder: &Path) -> Self {
        serde_json::from_str(&std::fs::read_to_string(folder.join(VOICES)).unwrap()).unwrap()
    }
}

/// How it is started.
pub fn launch(folder: &Path) -> Value {
    json!({ "kind": "program", "argv": [std::env::current_exe().unwrap(), SERVER, folder] })
}

/// The calls it got: tool and arguments.
pub fn calls(folder: &Path) -> Vec<(String, Value)> {
    let calls = std::fs::read_to_string(folder.join(CALLS)).unwrap_or_default();
    calls.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Is the server, if this program was started as one.
pub fn enter_if_server() {
    let arguments: Vec<_> = std::env::args().collect();
    if arguments.get(1).is_some_and(|first| first == SERVER) {
        let folder = PathBuf::from(&arguments[2]);
        if let Some(words) = Voices::read(&folder).last_words {
            eprintln!("{words}");
            std::process::exit(1);
        }
        std::io::stdin().lines().map_while(Result::ok).for_each(|line| hear(&folder, &line));
        std::process::exit(0);
    }
}

fn hear(folder: &Path, line: &str) {
    let Ok(message) = serde_json::from_str::<Value>(line) else { return };
    let id = &message["id"];
    if id.is_null() {
        return;
    }
    let answer = match message["method"].as_str().unwrap_or_default() {
        "initialize" => Ok(json!({
            "protocolVersion": "2025-11-25", "capabilities": { "tools": {} },
            "serverInfo": { "name": "tides", "version": "1" },
        })),
        "tools/list" => tools(&Voices::read(folder)),
        "tools/call" => Ok(called(folder, &message["params"])),
        _ => Err("unknown method".to_owned()),
    };
    say(&match answer {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(message) => json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32601, "message": message } }),
    });
}

fn tools(voices: &Voices) -> Result<Value, String> {
    if let Some(instead) = &voices.instead {
        return Err(instead.clone());
    }
    let tool = |name: &str, description: &str, argument: &str| {
        let place = json!({ "type": "string", "description": argument });
        let schema = json!({ "type": "object", "properties": { "place": place } });
        json!({ "name": name, "description": description, "inputSchema": schema })
    };
    let description = voices.description.as_deref().unwrap_or("The tides of a place");
    let argument = voices.argument.as_deref().unwrap_or("Which place");
    Ok(json!({ "tools": [tool("forecast", description, argument), tool("soundings", "The depths", "Which place")] }))
}

fn called(folder: &Path, params: &Value) -> Value {
    let mut calls = std::fs::OpenOptions::new().create(true).append(true).open(folder.join(CALLS)).unwrap();
    writeln!(calls, "{}", json!([params["name"], params["arguments"]])).unwrap();
    let voices = Voices::read(folder);
    let (text, failed) = match (params["name"].as_str(), &voices.error) {
        (Some("soundings"), Some(error)) => (error.as_str(), true),
        _ => (voices.result.as_deref().unwrap_or("high at noon"), false),
    };
    json!({ "content": [{ "type": "text", "text": text }], "isError": failed })
}

fn say(message: &Value) {
    let mut out = std::io::stdout().lock();
    // Whoever asked may be gone; then so is this program.
    let _ = writeln!(out, "{message}").and_then(|()| out.flush());
}
