//! A command that a model asks for, by a tool or in its text: what it put out is what the model is told next.
#![allow(clippy::disallowed_methods, reason = "these tests start the program and play the service of a model")]

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    process::Stdio,
    sync::mpsc,
    thread,
};

use serde_json::{Value, json};

use crate::common::{self, Server, Workspace, until};

/// An Ollama whose model asks for a command first and is content then; returns where it is and what it is asked.
fn ollama(tools: bool) -> (String, mpsc::Receiver<Value>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (sender, asked) = mpsc::channel();
    thread::spawn(move || {
        let mut first = true;
        for socket in listener.incoming().flatten() {
            let Some((path, body)) = request(&socket) else { continue };
            let answer = match &*path {
                "/api/chat" => {
                    let _ = sender.send(body);
                    json!({ "message": said(tools, std::mem::take(&mut first)), "done": true, "done_reason": "stop" })
                }
                "/api/show" if tools => json!({ "capabilities": ["completion", "tools"] }),
                "/api/show" => json!({ "capabilities": ["completion"] }),
                _ => json!({ "models": [{ "name": "m", "digest": "d" }] }),
            };
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n";
            let _ = writeln!(&socket, "{head}{answer}");
        }
    });
    (address, asked)
}

fn said(tools: bool, first: bool) -> Value {
    let command = "printf 'T%sDE\\n' 1; exit 3";
    match (first, tools) {
        (false, _) => json!({ "role": "assistant", "content": "It failed." }),
        (true, true) => {
            let call = json!({ "function": { "name": "shell_run", "arguments": { "command": command } } });
            json!({ "role": "assistant", "content": "", "tool_calls": [call] })
        }
        (true, false) => {
            json!({ "role": "assistant", "content": format!("I'll run it:\n\n```exec\n{command}\n```\n") })
        }
    }
}

/// The path and the body of a request.
fn request(socket: &TcpStream) -> Option<(String, Value)> {
    let mut reader = BufReader::new(socket);
    let (mut line, mut path, mut length) = (String::new(), String::new(), 0);
    while reader.read_line(&mut line).ok()? > 2 {
        if path.is_empty() {
            path = line.split(' ').nth(1)?.to_owned();
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        line.clear();
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((path, serde_json::from_slice(&body).unwrap_or_default()))
}

fn serve(workspace: &Workspace, address: &str) -> Server {
    let mut command = workspace.command(&[".", "--no-open", "--port", "0", "--json", "--model", "ollama/m"]);
    let mut child = command.env("OLLAMA_HOST", address).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    Server::watched(child, serde_json::from_str(&line).unwrap())
}

#[test]
fn what_a_command_put_out_and_how_it_ended_is_told_to_the_model_that_asked_for_it() {
    for tools in [true, false] {
        let workspace = Workspace::new();
        let (address, asked) = ollama(tools);
        let server = serve(&workspace, &address);
        let thread = server.ask("POST", "threads", "{}")["id"].as_str().unwrap().to_owned();
        server.ask("POST", &format!("threads/{thread}/turns"), r#"{ "text": "run it" }"#);
        let before = asked.recv_timeout(common::PATIENCE).unwrap();
        assert!(!before.to_string().contains("T1DE"), "{before}");
        // One without tools has to be told how a command is written.
        assert_eq!(before.to_string().contains("```exec"), !tools, "{before}");
        let waits =
            until("the question", || server.ask("GET", "actions?state=awaiting_confirmation", "").get(0).cloned());
        let yes = json!({ "decision": "approve", "hash": waits["approval_hash"] }).to_string();
        server.ask("POST", &format!("actions/{}/decision", waits["envelope"]["id"].as_str().unwrap()), &yes);
        let told = asked.recv_timeout(common::PATIENCE).unwrap();
        let last = told["messages"].as_array().unwrap().last().unwrap().to_string();
        assert!(last.contains("T1DE") && last.contains("Exit status 3"), "tools: {tools}: {last}");
    }
}
