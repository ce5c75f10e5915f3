//! The places of scripts: a browser needs a window, and calls that a place can't reach are refused before anything runs.

use aside_protocol::{ClientFrame, ServerFrame};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::{
    harness::Server,
    navigator::window,
    socket::{Heard, Socket},
};

async fn refused(server: &Server, body: Value) -> (u16, Value) {
    let (status, answer) = server.ask("POST", "scripts", Some(body)).await;
    let (_, tasks) = server.ask("GET", "tasks", None).await;
    assert_eq!(tasks["tasks"], json!([]), "nothing has begun");
    (status, answer["error"].clone())
}

async fn run(server: &Server, body: Value) -> Value {
    let task = server.post("scripts", body).await["id"].as_str().unwrap().to_owned();
    let (_, detail) = server.ask("GET", &format!("tasks/{task}?settled=true"), None).await;
    detail["script"].clone()
}

/// A window that goes away when it is asked to close tabs.
async fn leaving(server: &Server) -> JoinHandle<()> {
    let mut socket = Socket::connect(server.serving()).await;
    socket.say(&ClientFrame::Focused).await;
    tokio::spawn(async move {
        loop {
            match socket.hear().await {
                Heard::Frame(ServerFrame::UiAction { action_type, .. }) if action_type.as_str() == "ui.tabs.close" => {
                    return;
                }
                Heard::Frame(ServerFrame::UiAction { action, .. }) => {
                    let tab = json!({ "id": "tab-1", "path": "a.txt", "shows": "file", "pane": 1, "used": 5 });
                    let result = Some(json!({ "tabs": [tab] }));
                    socket.say(&ClientFrame::UiResult { action, result, failure: None }).await;
                }
                Heard::Closed => return,
                _ => {}
            }
        }
    })
}

#[tokio::test]
async fn script_of_the_browser_needs_a_window() {
    let server = Server::new().await;
    for dry_run in [false, true] {
        let body = json!({ "source": "return 1;", "place": "browser", "dry_run": dry_run });
        let (status, error) = refused(&server, body).await;
        assert_eq!((status, &error["code"]), (409, &json!("no_window")), "{error}");
        assert!(error["hint"].as_str().unwrap().contains("Open the workspace in a browser"), "{error}");
    }
    window::open(server.serving(), window::tabs(&[])).await;
    let source = "const tabs = (await aside.ui.tabs.list()).data.tabs.length;
await aside.file.create({ path: 'made.txt', text: 'x' });
return tabs;";
    let ended = run(&server, json!({ "source": source, "place": "browser" })).await;
    assert_eq!(ended["result"], json!(4), "{ended}");
    assert!(server.folder.path().join("made.txt").exists(), "it reaches the workspace, too");
}

#[tokio::test]
async fn calls_beyond_a_place_refuse_the_script() {
    let server = Server::new().await;
    let source = "await aside.file.create({ path: 'made.txt', text: 'x' });
if (args.close) await aside.ui.tabs.close({ which: 'all' });";
    for (place, line) in [("host", json!(2)), ("hub", Value::Null)] {
        let (status, error) = refused(&server, json!({ "source": source, "place": place })).await;
        assert_eq!((status, &error["code"], &error["data"]["line"]), (400, &json!("wrong_place"), &line), "{error}");
        assert_eq!(error["hint"].as_str().unwrap().trim_end_matches('.'), hint(place));
    }
    assert!(!server.folder.path().join("made.txt").exists());
    // A name that only the run knows is refused by the Gate, and the script can catch it.
    let hidden =
        "const { tabs } = aside.ui; try { await tabs.close({ which: 'all' }); } catch (error) { return error.code; }";
    assert_eq!(run(&server, json!({ "source": hidden, "place": "host" })).await["result"], "wrong_place");
}

#[tokio::test]
async fn recipe_keeps_the_place_of_its_script() {
    let server = Server::new().await;
    let source = "try { await aside.ui[args.verb]({ path: 'a.txt' }); } catch (error) { return error.code; }";
    let body = json!({ "source": source, "args": { "verb": "open" }, "place": "host" });
    let task = server.post("scripts", body).await["id"].as_str().unwrap().to_owned();
    let ended = |task: Value| format!("tasks/{}?settled=true", task.as_str().unwrap());
    server.ask("GET", &ended(json!(task)), None).await;
    let kept = server.post("recipes", json!({ "task": task, "name": "opening" })).await;
    assert_eq!(kept["script"]["place"], "host", "{kept}");
    let again = server.post("recipes/opening/run", json!({ "set": {} })).await;
    let (_, detail) = server.ask("GET", &ended(again["id"].clone()), None).await;
    assert_eq!(detail["script"]["result"], "wrong_place", "{detail}");
}

fn hint(place: &str) -> &'static str {
    if place == "hub" { "Run it in the workspace" } else { "Run the script in the workspace" }
}

#[tokio::test]
async fn window_that_goes_away_is_named() {
    let server = Server::new().await;
    let gone = leaving(&server).await;
    let source = "const said = [];
for (let i = 0; i < 2; i++) {
  try { await aside.ui.tabs.close({ which: 'all' }); } catch (error) { said.push([error.code, error.message, error.hint]); }
}
await aside.file.create({ path: 'made.txt', text: JSON.stringify(said) });
return said;";
    let ended = run(&server, json!({ "source": source, "place": "browser" })).await;
    gone.await.unwrap();
    let said = &ended["result"];
    assert_eq!(said[0][0], "window_closed", "{ended}");
    assert!(said[0][1].as_str().unwrap().contains("nobody knows whether it did the action"), "{said}");
    assert_eq!(said[1][0], "no_window", "{said}");
    assert!(server.folder.path().join("made.txt").exists(), "the script goes on without a window");
}

#[tokio::test]
async fn script_can_stay_in_one_of_several_windows() {
    let server = Server::new().await;
    let (first, second) = (window::tabs(&[]), window::tabs(&["more.md".to_owned()]));
    window::open(server.serving(), first.clone()).await;
    window::open(server.serving(), second.clone()).await;
    let source = "const { data, text } = await aside.ui.tabs.list();
const other = data.windows.find((window) => window !== data.window);
const there = await aside.ui.tabs.list({ window: other });
await aside.ui.tabs.close({ which: 'paths', paths: ['plan.md'], window: other });
return { count: data.windows.length, here: data.tabs.length, there: there.data.tabs.length, text };";
    let ended = run(&server, json!({ "source": source })).await;
    let result = &ended["result"];
    assert_eq!(result["count"], 2, "{ended}");
    assert!(result["text"].as_str().unwrap().contains("one of 2"), "{result}");
    let counts = [first, second].map(|tabs| tabs.lock().unwrap().len());
    let listed = (result["here"].as_u64().unwrap(), result["there"].as_u64().unwrap());
    assert!(matches!((counts, listed), ([3, 5], (5, 4)) | ([4, 4], (4, 5))), "{counts:?} {listed:?}");
}
