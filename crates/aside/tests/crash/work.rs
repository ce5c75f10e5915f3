//! What the clients ask for, and how they go on after the server was killed.

use std::{collections::BTreeMap, time::Duration};

use serde_json::{Value, json};

use crate::{
    Chance,
    server::{Gone, MOST, Server},
};

/// One in so many requests is rejected by the person.
const REJECTED: usize = 7;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Edit,
    Delete,
    Shell,
    Turn,
}

impl Kind {
    pub(crate) const ALL: [Self; 4] = [Self::Edit, Self::Delete, Self::Shell, Self::Turn];

    fn word(self) -> &'static str {
        match self {
            Self::Edit => "edit",
            Self::Delete => "delete",
            Self::Shell => "shell",
            Self::Turn => "turn",
        }
    }
}

/// One thing that is asked for, once in effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Item {
    pub(crate) kind: Kind,
    pub(crate) number: usize,
}

impl Item {
    /// Marks in one document.
    pub(crate) const IN_A_FILE: usize = 40;

    pub(crate) fn new(kind: Kind, number: usize) -> Self {
        Self { kind, number }
    }

    /// Finds the item again in anything that was made from it; no mark is a part of another.
    pub(crate) fn marked(text: &str) -> Option<Self> {
        let of = |kind: Kind| {
            let after = text.split_once(&format!("<{}-", kind.word()))?.1;
            Some(Self::new(kind, after.split_once('>')?.0.parse().ok()?))
        };
        Kind::ALL.into_iter().find_map(of)
    }

    pub(crate) fn mark(self) -> String {
        format!("<{}-{}>", self.kind.word(), self.number)
    }

    /// Where its mark is left, or goes.
    pub(crate) fn path(self) -> String {
        let part = self.number / Self::IN_A_FILE;
        match self.kind {
            Kind::Edit | Kind::Turn => format!("{}/{part}.txt", self.kind.word()),
            Kind::Delete => format!("delete/{part}/{}.txt", self.mark()),
            Kind::Shell => "shell/ran.txt".to_owned(),
        }
    }

    fn action(self) -> &'static str {
        match self.kind {
            Kind::Edit | Kind::Turn => "doc.edit",
            Kind::Delete => "file.delete",
            Kind::Shell => "shell.run",
        }
    }

    pub(crate) fn args(self) -> Value {
        match self.kind {
            Kind::Edit | Kind::Turn => {
                let edit = json!({ "start": 1, "old": "", "new": format!("{}\n", self.mark()) });
                json!({ "path": self.path(), "edits": [edit] })
            }
            Kind::Delete => json!({ "path": self.path() }),
            Kind::Shell => json!({ "command": format!("echo '{}' >> {}", self.mark(), self.path()) }),
        }
    }

    fn decision(self) -> &'static str {
        if self.number % REJECTED == REJECTED - 1 { "reject" } else { "approve" }
    }
}

/// What was asked for so far.
pub(crate) struct Work {
    next: BTreeMap<Kind, usize>,
    /// Asked for and not known to be at an end, with the thread of a turn.
    open: BTreeMap<Item, Option<String>>,
    /// How the server said that it ended.
    pub(crate) told: BTreeMap<Item, String>,
    has_shell: Option<bool>,
}

impl Work {
    pub(crate) fn new() -> Self {
        Self { next: BTreeMap::new(), open: BTreeMap::new(), told: BTreeMap::new(), has_shell: None }
    }

    pub(crate) fn asked(&self, kind: Kind) -> usize {
        self.next.get(&kind).copied().unwrap_or_default()
    }

    /// Lets the clients work for a while: first on what is open, then on something new.
    pub(crate) async fn go_on(&mut self, server: &Server, chance: &mut Chance, time: Duration) {
        self.look_for_shell(server).await;
        let queues = self.queues(|next| next + usize::try_from(chance.below(20)).unwrap() + 20);
        let clients = queues.into_iter().map(|items| client(server, items));
        // What a client did is kept even if it is cut off in the middle.
        let done = std::sync::Mutex::new(Vec::new());
        let all = futures_util::future::join_all(clients.map(|client| client(&done)));
        let _ = tokio::time::timeout(time, all).await;
        self.take(done.into_inner().unwrap());
    }

    /// Brings everything that is open to an end.
    pub(crate) async fn finish(&mut self, server: &Server) {
        let done = std::sync::Mutex::new(Vec::new());
        for items in self.queues(|next| next) {
            client(server, items)(&done).await;
        }
        self.take(done.into_inner().unwrap());
        assert!(self.open.is_empty(), "these came to no end: {:?}", self.open);
    }

    async fn look_for_shell(&mut self, server: &Server) {
        if self.has_shell.is_none()
            && let Ok(found) = server.get("catalog/shell.run").await
        {
            self.has_shell = Some(found["error"].is_null());
        }
    }

    /// For each client what is open, and new items up to a number.
    fn queues(&self, until: impl FnMut(usize) -> usize) -> Vec<Vec<(Item, Option<String>)>> {
        let mut until = until;
        let kinds = Kind::ALL.into_iter().filter(|kind| *kind != Kind::Shell || self.has_shell == Some(true));
        kinds
            .map(|kind| {
                let next = self.asked(kind);
                let open = self.open.iter().filter(|(item, _)| item.kind == kind);
                let new = (next..until(next).min(MOST)).map(|number| (Item::new(kind, number), None));
                open.map(|(item, thread)| (*item, thread.clone())).chain(new).collect()
            })
            .collect()
    }

    fn take(&mut self, done: Vec<Step>) {
        for step in done {
            match step {
                Step::Begun(item, thread) => {
                    let next = self.next.entry(item.kind).or_default();
                    *next = (*next).max(item.number + 1);
                    self.open.insert(item, thread);
                }
                Step::Ended(item, end) => {
                    self.open.remove(&item);
                    let before = self.told.insert(item, end.clone());
                    assert!(before.is_none(), "{item:?} ended as {before:?} and then as {end}");
                }
            }
        }
    }
}

type Done = std::sync::Mutex<Vec<Step>>;

enum Step {
    Begun(Item, Option<String>),
    Ended(Item, String),
}

/// Works on its items, one after the other, until the server is gone.
fn client(server: &Server, items: Vec<(Item, Option<String>)>) -> impl AsyncFnOnce(&Done) {
    async move |done: &Done| {
        for (item, thread) in items {
            done.lock().unwrap().push(Step::Begun(item, thread.clone()));
            let ended = match item.kind {
                Kind::Turn => turn(server, item, thread, done).await,
                Kind::Edit | Kind::Delete | Kind::Shell => asked(server, item).await,
            };
            match ended {
                Ok(end) => done.lock().unwrap().push(Step::Ended(item, end)),
                Err(Gone) => return,
            }
        }
    }
}

/// Asks under the item's key, and decides if it has to be.
async fn asked(server: &Server, item: Item) -> Result<String, Gone> {
    let body = json!({ "action_type": item.action(), "args": item.args(), "idempotency_key": item.mark() });
    let answer = server.post("actions", body).await?;
    decided(server, item, answer["record"].clone()).await
}

async fn decided(server: &Server, item: Item, record: Value) -> Result<String, Gone> {
    if record["state"] != "awaiting_confirmation" {
        return Ok(state(&record, item));
    }
    let id = record["envelope"]["id"].as_str().unwrap();
    let decision = json!({ "decision": item.decision(), "hash": record["approval_hash"] });
    let answer = server.post(&format!("actions/{id}/decision"), decision).await?;
    if answer["error"].is_null() {
        return Ok(state(&answer["record"], item));
    }
    // What was shown is no longer what would happen: it is looked at again.
    let now = server.get(&format!("actions/{id}")).await?;
    assert_eq!(now["record"]["state"], "awaiting_confirmation", "{item:?}: {answer}");
    Box::pin(decided(server, item, now["record"].clone())).await
}

fn state(record: &Value, item: Item) -> String {
    let state = record["state"].as_str().unwrap_or_else(|| panic!("{item:?}: {record}"));
    assert!(["done", "refused", "failed", "interrupted"].contains(&state), "{item:?}: {record}");
    state.to_owned()
}

/// Sends the message in a thread of its own, unless it is there, and decides on what the model proposes.
async fn turn(server: &Server, item: Item, thread: Option<String>, done: &Done) -> Result<String, Gone> {
    let thread = match thread {
        Some(thread) => thread,
        None => {
            let made = server.post("threads", json!({ "title": item.mark(), "mode": "review_each" })).await?;
            made["id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned()
        }
    };
    done.lock().unwrap().push(Step::Begun(item, Some(thread.clone())));
    let path = format!("threads/{thread}");
    if of_type(&server.get(&path).await?, "turn_started").is_none() {
        let sent = server.post(&format!("{path}/turns"), json!({ "text": item.mark() })).await?;
        assert!(sent["error"].is_null(), "{sent}");
    }
    loop {
        let log = server.get(&path).await?;
        if let Some(changed) = of_type(&log, "action_changed") {
            let record = &changed["record"];
            if record["state"] != "running" {
                return decided(server, item, record.clone()).await;
            }
        } else if of_type(&log, "turn_ended").is_some() {
            return Ok("nothing".to_owned());
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The last event of a type.
fn of_type<'a>(log: &'a Value, wanted: &str) -> Option<&'a Value> {
    let events = log["events"].as_array().unwrap_or_else(|| panic!("{log}"));
    events.iter().map(|event| &event["body"]).rfind(|body| body["type"] == wanted)
}
