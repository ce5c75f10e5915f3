use aside_core::FileKind;
use serde_json::json;

use super::*;

fn path(name: &str) -> WorkspacePath {
    WorkspacePath::new(name).unwrap()
}

/// A conversation, and what was sent in it.
struct Talk {
    session: Session,
    sent: Vec<Value>,
    shown: Vec<(String, Vec<String>)>,
}

impl Talk {
    fn begin(settings: Value) -> Self {
        let server = Configured {
            name: "lab".to_owned(),
            command: vec!["lab".to_owned()],
            languages: vec![FileKind::Python],
            settings,
            options: json!({"fast": true}),
            read: Vec::new(),
        };
        let (session, effects) = Session::begin(&server, Path::new("/w/lab"));
        let mut talk = Self { session, sent: Vec::new(), shown: Vec::new() };
        talk.take(effects);
        talk
    }

    /// One that is ready, with `a.py` open.
    fn ready(capabilities: Value) -> Self {
        let mut talk = Self::begin(Value::Null);
        talk.open("a.py", "x = 1\n");
        talk.hear(json!({"id": 1, "result": {"capabilities": capabilities}}));
        talk
    }

    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Send(message) => self.sent.push(message),
                Effect::Problems(path, problems) => {
                    let told = problems.into_iter().map(|problem| problem.message).collect();
                    self.shown.push((path.to_string(), told));
                }
                Effect::Ready => self.sent.push(json!("ready")),
                Effect::Failed(why) => self.sent.push(json!({"failed": why})),
                Effect::Over => self.sent.push(json!("over")),
            }
        }
    }

    fn hear(&mut self, message: Value) {
        let effects = self.session.hear(&message);
        self.take(effects);
    }

    fn open(&mut self, name: &str, text: &str) {
        let effects = self.session.open(&path(name), "python".to_owned(), text.into());
        self.take(effects);
    }

    fn change(&mut self, name: &str, text: &str) {
        let effects = self.session.change(&path(name), text.into());
        self.take(effects);
    }

    fn publish(&mut self, uri: &str, version: Option<i64>, messages: &[&str]) {
        let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}});
        let list: Vec<_> = messages.iter().map(|message| json!({"range": range, "message": message})).collect();
        let mut params = json!({"uri": uri, "diagnostics": list});
        if let Some(version) = version {
            params["version"] = json!(version);
        }
        self.hear(json!({"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params}));
    }

    /// What was sent since this was asked last, by method.
    fn methods(&mut self) -> Vec<String> {
        let name = |sent: &Value| sent["method"].as_str().or(sent.as_str()).unwrap_or("answer").to_owned();
        std::mem::take(&mut self.sent).iter().map(name).collect()
    }
}

const CHANGES: u32 = 2;

#[test]
fn it_is_greeted_and_then_told_what_is_open() {
    let mut talk = Talk::begin(json!({"python": {"strict": true}}));
    talk.open("sub/a b.py", "x = 1\n");
    talk.change("sub/a b.py", "x = 2\n");
    assert_eq!(talk.sent.len(), 1, "nothing goes to it before it has answered");
    let greeting = &talk.sent[0]["params"];
    assert_eq!(
        (&greeting["rootUri"], &greeting["initializationOptions"]),
        (&json!("file:///w/lab"), &json!({"fast": true}))
    );
    talk.sent.clear();
    talk.hear(json!({"id": 1, "result": {"capabilities": {"textDocumentSync": CHANGES}}}));
    let opened = talk.sent[3]["params"]["textDocument"].clone();
    assert_eq!(talk.methods(), ["ready", "initialized", "workspace/didChangeConfiguration", "textDocument/didOpen"]);
    let expected =
        json!({"uri": "file:///w/lab/sub/a%20b.py", "languageId": "python", "version": 1, "text": "x = 2\n"});
    assert_eq!(opened, expected);
}

#[test]
fn it_hears_of_changes_as_it_wants_to() {
    let mut talk = Talk::ready(json!({"textDocumentSync": CHANGES}));
    talk.sent.clear();
    talk.change("a.py", "x = 12\n");
    let params = talk.sent[0]["params"].clone();
    assert_eq!(params["textDocument"]["version"], 2);
    let place = json!({"line": 0, "character": 5});
    assert_eq!(params["contentChanges"], json!([{"range": {"start": place, "end": place}, "text": "2"}]));
    talk.sent.clear();
    talk.change("a.py", "x = 12\n");
    assert!(talk.sent.is_empty(), "the same text is no change");

    let mut whole = Talk::ready(json!({"textDocumentSync": 1}));
    whole.sent.clear();
    whole.change("a.py", "y\n");
    assert_eq!(whole.sent[0]["params"]["contentChanges"], json!([{"text": "y\n"}]));

    let mut deaf = Talk::ready(json!({}));
    deaf.change("a.py", "y\n");
    assert_eq!(deaf.methods(), ["initialize", "ready", "initialized"]);
}

#[test]
fn what_it_tells_is_shown_until_it_tells_otherwise_or_the_document_is_closed() {
    let mut talk = Talk::ready(json!({"textDocumentSync": CHANGES}));
    talk.publish("file:///w/lab/a.py", Some(1), &["one", "two"]);
    talk.change("a.py", "x = 3\n");
    talk.publish("file:///w/lab/a.py", Some(1), &["of a text that is gone"]);
    talk.publish("file:///w/lab/a.py", None, &["three"]);
    talk.publish("file:///etc/passwd", None, &["elsewhere"]);
    let effects = talk.session.close(&path("a.py"));
    talk.take(effects);
    let shown: Vec<_> = talk.shown.iter().map(|(_, told)| told.join(" ")).collect();
    assert_eq!(shown, ["one two", "three", ""]);
    assert_eq!(talk.methods().last().map(String::as_str), Some("textDocument/didClose"));
}

#[test]
fn one_that_can_be_asked_is_asked_after_each_change() {
    let mut talk = Talk::ready(json!({"textDocumentSync": CHANGES, "diagnosticProvider": {"identifier": "py"}}));
    let asked = talk.sent.last().unwrap().clone();
    assert_eq!((&asked["method"], &asked["params"]["identifier"]), (&json!("textDocument/diagnostic"), &json!("py")));
    let item = |message: &str| json!({"range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}, "message": message});
    let full = |id: &Value, message: &str| json!({"id": id, "result": {"kind": "full", "resultId": message, "items": [item(message)]}});
    talk.hear(full(&asked["id"], "one"));
    talk.change("a.py", "y\n");
    let second = talk.sent.last().unwrap().clone();
    assert_eq!(second["params"]["previousResultId"], "one");
    talk.change("a.py", "z\n");
    talk.hear(full(&second["id"], "of a text that is gone"));
    let third = talk.sent.last().unwrap().clone();
    talk.hear(json!({"id": third["id"], "result": {"kind": "unchanged", "resultId": "one"}}));
    assert_eq!(talk.shown, [("a.py".to_owned(), vec!["one".to_owned()])]);
    // What it tells by itself stands beside.
    talk.publish("file:///w/lab/a.py", None, &["told"]);
    assert_eq!(talk.shown[1].1, ["told", "one"]);
}

#[test]
fn a_question_that_it_gave_up_is_asked_again() {
    let mut talk = Talk::ready(json!({"textDocumentSync": 1, "diagnosticProvider": true}));
    let id = talk.sent.last().unwrap()["id"].clone();
    talk.methods();
    talk.hear(json!({"id": id, "error": {"code": CANCELLED, "message": "later"}}));
    assert_eq!(talk.methods(), ["textDocument/diagnostic"]);
    talk.hear(json!({"id": id, "error": {"code": CANCELLED, "message": "an answer to nothing"}}));
    assert!(talk.methods().is_empty());
    talk.hear(json!({"id": 7, "method": "workspace/diagnostic/refresh"}));
    assert_eq!(talk.methods(), ["answer", "textDocument/diagnostic"]);
}

#[test]
fn what_it_asks_is_answered_and_it_may_change_nothing() {
    let mut talk = Talk::begin(json!({"python": {"analysis": {"strict": true}}}));
    talk.sent.clear();
    let items = json!([{"section": "python.analysis"}, {"section": "go"}, {}]);
    talk.hear(json!({"id": "a", "method": "workspace/configuration", "params": {"items": items}}));
    talk.hear(json!({"id": 2, "method": "workspace/applyEdit", "params": {"edit": {}}}));
    talk.hear(json!({"id": 3, "method": "some/thing", "params": {}}));
    talk.hear(json!({"id": 4, "method": "workspace/workspaceFolders"}));
    assert_eq!(
        talk.sent[0],
        json!({"jsonrpc": "2.0", "id": "a", "result": [{"strict": true}, null, {"python": {"analysis": {"strict": true}}}]})
    );
    assert_eq!(talk.sent[1]["result"]["applied"], false);
    assert_eq!(talk.sent[2]["error"]["code"], NO_METHOD);
    assert_eq!(talk.sent[3]["result"], json!([{"uri": "file:///w/lab", "name": "lab"}]));
}

#[test]
fn one_that_does_not_want_to_work_says_why() {
    let mut talk = Talk::begin(Value::Null);
    talk.sent.clear();
    talk.hear(json!({"id": 1, "error": {"code": 1, "message": "no licence"}}));
    assert_eq!(talk.sent, [json!({"failed": "no licence"})]);
}

#[test]
fn it_is_let_go_in_order() {
    let mut talk = Talk::ready(json!({"textDocumentSync": 1}));
    talk.methods();
    let effects = talk.session.leave();
    talk.take(effects);
    let id = talk.sent[0]["id"].clone();
    talk.publish("file:///w/lab/a.py", None, &["late"]);
    talk.hear(json!({"id": id, "result": null}));
    assert_eq!(talk.methods(), ["shutdown", "exit", "over"]);
    assert!(talk.shown.is_empty());
}

#[test]
fn what_makes_no_sense_is_not_heard() {
    let mut talk = Talk::ready(json!({"textDocumentSync": 1}));
    talk.methods();
    for nonsense in [
        json!(null),
        json!([]),
        json!("x"),
        json!({"id": 99, "result": {}}),
        json!({"id": {}, "result": {}}),
        json!({"method": "textDocument/publishDiagnostics"}),
        json!({"method": "textDocument/publishDiagnostics", "params": {"uri": 7, "diagnostics": {}}}),
        json!({"method": "$/progress", "params": {"token": 1}}),
        json!({"id": 1, "result": {"capabilities": {}}}),
    ] {
        talk.hear(nonsense);
    }
    assert!(talk.methods().is_empty() && talk.shown.is_empty());
}

#[test]
fn files_that_are_not_open_are_bounded() {
    let mut talk = Talk::ready(json!({"textDocumentSync": 1}));
    for number in 0..2 * MOST_FILES {
        talk.publish(&format!("file:///w/lab/{number}.py"), None, &["wrong"]);
    }
    assert_eq!(talk.shown.len(), MOST_FILES);
    talk.publish("file:///w/lab/a.py", None, &["wrong"]);
    assert_eq!(talk.shown.last().unwrap().0, "a.py", "an open document is always heard of");
}
