//! Writing routes in the activity log: each is an action that asks, or leaves an entry of its own.

use serde_json::{Value, json};

use crate::{harness::Server, program::Program};

/// The entries of the activity log about one kind of action, the oldest first.
async fn audited(server: &Server, action: &str) -> Vec<Value> {
    let (_, audit) = server.ask("GET", &format!("audit?action={action}&after=0&limit=1000"), None).await;
    audit.as_array().unwrap().iter().map(|entry| entry["body"].clone()).collect()
}

#[tokio::test]
async fn guest_link_asks_first_and_is_audited() {
    let server = Server::new().await;
    let invite = json!({ "action_type": "guest.invite", "args": { "name": "Ben" } });
    let asked = server.post("actions", invite.clone()).await;
    assert_eq!(asked["state"], "awaiting_confirmation");
    let shown = asked["preview"].to_string();
    for words in ["Let Ben in as a guest", "Ben can change", "Ben cannot"] {
        assert!(shown.contains(words), "{shown}");
    }
    let (_, people) = server.ask("GET", "people", None).await;
    assert_eq!(people.as_array().unwrap().len(), 1, "nobody is let in before a yes");
    let id = asked["id"].as_str().unwrap();
    let yes = json!({ "decision": "approve", "hash": asked["record"]["approval_hash"] });
    let done = server.post(&format!("actions/{id}/decision"), yes).await;
    let guest = done["outcome"]["observation"]["data"]["id"].as_str().unwrap().to_owned();
    let link = server.post(&format!("people/{guest}/link"), json!({})).await;
    let (status, again) = server.ask("POST", &format!("people/{guest}/link"), Some(json!({}))).await;
    assert_eq!((status, &again["error"]["code"]), (409, &json!("handed_out")));
    let outcome = audited(&server, "guest.invite").await.pop().unwrap();
    assert_eq!((&outcome["kind"], &outcome["args"]["name"]), (&json!("outcome"), &json!("Ben")));
    assert_eq!(audited(&server, "guest.make_link").await[0]["args"]["id"], *guest);
    let (status, _) = server.ask("DELETE", &format!("people/{guest}"), None).await;
    assert_eq!(status, 200);
    assert_eq!(audited(&server, "guest.remove").await.last().unwrap()["kind"], "outcome");
    let (_, all) = server.ask("GET", "audit?after=0&limit=1000", None).await;
    assert!(!all.to_string().contains(link["token"].as_str().unwrap()), "the link's secret is nowhere");
}

#[tokio::test]
async fn program_lets_nobody_in() {
    let server = Server::new().await;
    let program = Program::new(&server, json!({})).await;
    let invite = json!({ "action_type": "guest.invite", "args": { "name": "Ben" } });
    let (_, refused) = program.ask("POST", "actions", Some(invite)).await;
    assert!(refused.to_string().contains("person_only"), "{refused}");
}

#[tokio::test]
async fn noted_routes_are_in_the_activity_log() {
    let server = Server::new().await;
    let thread = server.post("threads", json!({ "title": "Plans" })).await;
    let thread = format!("threads/{}", thread["id"].as_str().unwrap());
    let step = json!({ "action_type": "file.create", "args": { "path": "new", "folder": true } });
    let task = server.post("tasks", json!({ "goal": "Make a folder", "steps": [step] })).await;
    let task = format!("tasks/{}", task["task"]["id"].as_str().unwrap());
    let cases = [
        ("POST", "session/once".to_owned(), json!({}), "session.make_link"),
        ("PATCH", thread.clone(), json!({ "archived": true }), "thread.change"),
        ("POST", format!("{thread}/stop"), json!({}), "thread.stop"),
        ("POST", format!("{task}/cancel"), json!({}), "task.cancel"),
        ("PUT", "people/me".to_owned(), json!({ "name": "Ada L." }), "person.rename"),
        ("PUT", "spending/limits".to_owned(), json!({}), "spending.set_limits"),
    ];
    for (method, path, body, name) in cases {
        let (status, answer) = server.ask(method, &path, Some(body)).await;
        assert_eq!(status, 200, "{path}: {answer}");
        let noted = audited(&server, name).await;
        assert_eq!((noted.len(), &noted[0]["decided_by"]), (1, &json!("ada")), "{name}");
    }
    assert_eq!(audited(&server, "task.create").await[0]["args"]["goal"], "Make a folder");
    assert_eq!(audited(&server, "thread.create").await[0]["args"]["title"], "Plans");
    let (status, _) = server.ask("POST", "tasks/tsk_00000000000000000000000000/cancel", Some(json!({}))).await;
    assert_eq!((status, audited(&server, "task.cancel").await.len()), (404, 1), "a failure is not noted as done");
}

#[tokio::test]
async fn unknown_action_is_a_bad_request_on_record() {
    let server = Server::new().await;
    for name in ["doc.explode", "explode", "Doc.Edit", "doc.edit; rm -rf x", ""] {
        for dry_run in [false, true] {
            let request = json!({ "action_type": name, "args": {}, "dry_run": dry_run });
            let (status, answer) = server.ask("POST", "actions", Some(request)).await;
            assert_eq!((status, &answer["error"]["code"]), (400, &json!("unknown_action")), "{name}: {answer}");
        }
    }
    let kinds = async |action: &str| {
        let entries = audited(&server, action).await;
        entries.iter().map(|entry| entry["kind"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(kinds("doc.explode").await, ["refused", "dry_run"]);
    assert_eq!(kinds("action.misnamed").await, ["refused"; 8]);
    assert_eq!(audited(&server, "action.misnamed").await[0]["args"]["action_type"], "explode");
}
