//! The routes about notes and todos, and the actions that read them.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::harness::Server;

fn scene(folder: &Path) {
    let notes = [
        ("a.md", "---\ntags: [sea]\n---\n# Tide\n[[b#Low]] [[nobody]]\n- [ ] sail 📅 2020-01-02 #boat\n"),
        ("x/b.md", "# Bay\n## Low\nsee [[a]] and tide here\n- [x] done\n"),
        ("x/c.md", "The tide is out.\n"),
    ];
    for (path, text) in notes {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Asks until the notes are all known.
async fn get(server: &Server, path: &str) -> Value {
    loop {
        let (status, body) = server.ask("GET", path, None).await;
        assert_eq!(status, 200, "{path}: {body}");
        if body["complete"] != json!(false) {
            return body;
        }
    }
}

#[tokio::test]
async fn notes_name_their_links_todos_and_mentions() {
    let server = Server::with(scene).await;
    let note = get(&server, "notes/of?path=a.md&mentions=true").await;
    assert_eq!((&note["title"], &note["tags"]), (&json!("Tide"), &json!(["sea", "boat"])));
    assert_eq!(note["links"][0]["to"], json!("x/b.md"));
    assert_eq!((&note["links"][0]["anchor_line"], &note["links"][1]["to"]), (&json!(2), &Value::Null));
    assert_eq!((&note["todos"][0]["text"], &note["todos"][0]["due"]), (&json!("sail #boat"), &json!("2020-01-02")));
    let backlink = json!({
        "path": "x/b.md", "title": "Bay", "line": 3, "text": "see [[a]] and tide here", "place": [4, 9],
    });
    assert_eq!(note["backlinks"], json!([backlink]));
    let lines: Vec<_> = note["mentions"].as_array().unwrap().iter().map(|one| (&one["path"], &one["line"])).collect();
    assert_eq!(lines, [(&json!("x/b.md"), &json!(3)), (&json!("x/c.md"), &json!(1))]);
    let (status, _) = server.ask("GET", "notes/of?path=none.md", None).await;
    assert_eq!(status, 404);
    server.stop().await;
}

#[tokio::test]
async fn links_resolve_complete_and_form_a_graph() {
    let server = Server::with(scene).await;
    get(&server, "todos").await;
    let found = get(&server, "notes/resolve?from=a.md&target=b%23Low").await;
    assert_eq!((&found["to"], &found["line"], &found["anchor_found"]), (&json!("x/b.md"), &json!(2), &json!(true)));
    assert!(found["excerpt"].as_str().unwrap().starts_with("## Low"));
    let found = get(&server, "notes/resolve?from=x/b.md&target=../a.md&kind=markdown").await;
    assert_eq!(found["to"], json!("a.md"));
    let offers = get(&server, "notes/complete?kind=note&text=bay&from=a.md").await;
    assert_eq!(offers["items"][0]["insert"], json!("b"));
    let offers = get(&server, "notes/complete?kind=heading&target=b&from=a.md").await;
    assert_eq!(offers["items"].as_array().unwrap().len(), 2);
    let offers = get(&server, "notes/complete?kind=file&text=a&from=x/c.md").await;
    assert_eq!(offers["items"][0]["insert"], json!("../a.md"));
    let offers = get(&server, "notes/complete?kind=tag&text=bo").await;
    assert_eq!(offers["items"][0]["label"], json!("boat"));
    let graph = get(&server, "notes/graph?path=a.md&depth=1").await;
    assert_eq!((graph["nodes"].as_array().unwrap().len(), graph["edges"].as_array().unwrap().len()), (2, 2));
    let tags = get(&server, "notes/tags").await;
    assert_eq!(tags, json!([{"tag": "boat", "notes": 1}, {"tag": "sea", "notes": 1}]));
    server.stop().await;
}

#[tokio::test]
async fn todos_are_filtered_on_the_way() {
    let server = Server::with(scene).await;
    let todos = get(&server, "todos?state=open,doing&overdue=true&tag=boat").await;
    assert_eq!((&todos["total"], &todos["todos"][0]["note"]), (&json!(1), &json!("Tide")));
    let todos = get(&server, "todos?path=x/").await;
    assert_eq!((&todos["total"], &todos["todos"][0]["state"]), (&json!(1), &json!("done")));
    let (status, _) = server.ask("GET", "todos?state=lost", None).await;
    assert_eq!(status, 400);
    server.stop().await;
}

#[tokio::test]
async fn actions_read_search_and_list() {
    let server = Server::with(scene).await;
    let act = async |action: &str, args: Value| {
        let body = json!({"action_type": action, "args": args});
        server.post("actions", body).await["outcome"]["observation"]["data"].clone()
    };
    let read = act("note.read", json!({"notes": [{"path": "x/b.md"}, {"path": "none.md"}], "backlinks": true})).await;
    assert_eq!((&read["notes"][0]["title"], &read["notes"][0]["backlinks"][0]["line"]), (&json!("Bay"), &json!(5)));
    assert!(read["notes"][1]["error"].is_string());
    let hits = act("note.search", json!({"query": "tide -tag:sea"})).await;
    assert_eq!((&hits["total"], &hits["hits"][0]["why"]), (&json!(2), &json!("words")));
    let todos = act("todo.list", json!({"overdue": true})).await;
    assert_eq!((&todos["total"], &todos["todos"][0]["path"]), (&json!(1), &json!("a.md")));
    server.stop().await;
}
