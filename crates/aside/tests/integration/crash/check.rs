//! What the audit says of each item, held against the documents, the files and what the clients were told.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs,
};

use serde_json::{Value, json};

use crate::crash::{
    server::{Folder, Server},
    work::{Item, Kind, PIECES, Work},
};

/// What the audit says of one item.
#[derive(Debug, Default)]
struct Account {
    actions: BTreeSet<String>,
    intents: usize,
    /// The state with which it ended.
    ended: Option<String>,
}

/// All of the audit so far.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    read: u64,
    head: Option<String>,
    accounts: BTreeMap<Item, Account>,
}

impl fmt::Display for Ledger {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count =
            |state: &str| self.accounts.values().filter(|account| account.ended.as_deref() == Some(state)).count();
        let [done, refused, failed, interrupted] = ["done", "refused", "failed", "interrupted"].map(count);
        let entries = self.read;
        write!(
            formatter,
            "{done} done, {refused} refused, {failed} failed, {interrupted} interrupted; {entries} records"
        )
    }
}

impl Ledger {
    /// Checks everything a server knows after its start.
    pub(crate) async fn check(&mut self, server: &Server, folder: &Folder, work: &Work, point: u64) {
        let verified = server.post("audit/verify", json!({ "head": self.head })).await.unwrap();
        assert!(verified["problem"].is_null(), "after {point} kills: {verified}");
        self.head = verified["head"].as_str().map(str::to_owned);
        self.read_on(server).await;
        let mut texts = BTreeMap::new();
        for (item, account) in &self.accounts {
            assert!(account.intents <= 1, "after {point} kills {item:?} ran again: {account:?}");
            let ended = account.intents == 0 || account.ended.is_some();
            assert!(ended, "after {point} kills {item:?} was begun and has no end: {account:?}");
            if item.is_in_a_document() && !texts.contains_key(&item.path()) {
                texts.insert(item.path(), document(server, &item.path()).await);
            }
        }
        let ran = Item::new(Kind::Shell, 0).path();
        let text = fs::read_to_string(folder.path().join(&ran)).unwrap_or_default();
        texts.insert(ran, text);
        self.hold_against(folder, &texts);
        check_tasks(server, work).await;
        for (item, told) in &work.told {
            let known = self.accounts.get(item).and_then(|account| account.ended.as_deref()).unwrap_or("nothing");
            assert_eq!(known, told, "after {point} kills: {item:?} was told otherwise");
        }
    }

    /// Checks the files after the server has ended.
    pub(crate) fn check_files(&self, folder: &Folder) {
        let text = |item: &Item| fs::read_to_string(folder.path().join(item.path())).unwrap_or_default();
        let marked = self.accounts.keys().filter(|item| item.is_in_a_document() || item.kind == Kind::Shell);
        let texts = marked.map(|item| (item.path(), text(item))).collect();
        self.hold_against(folder, &texts);
    }

    fn hold_against(&self, folder: &Folder, texts: &BTreeMap<String, String>) {
        for (item, account) in &self.accounts {
            let found = match item.kind {
                // They leave no mark: their parts do, and what is taken back is held against this below.
                Kind::Parts | Kind::Undo => continue,
                Kind::Delete => usize::from(!folder.path().join(item.path()).exists()),
                _ => texts[&item.path()].matches(&item.mark()).count(),
            };
            let right = match (account.ended.as_deref(), self.undone(item)) {
                (Some("done"), None) => found == 1,
                (Some("done"), Some("done")) => found == 0,
                // Nobody knows how far it came; twice is wrong in any case.
                (Some("interrupted"), _) | (_, Some("interrupted")) => found <= 1,
                _ => found == 0,
            };
            assert!(right, "{item:?} is there {found} times: {account:?}");
        }
        for (path, text) in texts {
            let unknown = text.lines().filter_map(Item::marked).find(|item| !self.accounts.contains_key(item));
            assert!(unknown.is_none(), "{path} has {unknown:?}, of which the audit knows nothing");
        }
    }

    /// How it ended that this was taken back, if that was begun.
    fn undone(&self, item: &Item) -> Option<&str> {
        let undo = Item::new(Kind::Undo, item.number);
        let undo = self.accounts.get(&undo).filter(|undo| item.kind == Kind::TakenBack && undo.intents > 0)?;
        undo.ended.as_deref()
    }

    async fn read_on(&mut self, server: &Server) {
        loop {
            let page = server.get(&format!("audit?after={}&limit=1000", self.read)).await.unwrap();
            let entries = page.as_array().unwrap_or_else(|| panic!("{page}"));
            let Some(last) = entries.last() else { return };
            self.read = last["seq"].as_u64().unwrap();
            entries.iter().for_each(|entry| self.enter(&entry["body"]));
        }
    }

    fn enter(&mut self, record: &Value) {
        // Looking leaves no mark, and showing neither.
        if record["risks"] == json!(["read"]) || record["kind"] == "dry_run" {
            return;
        }
        // A change by a route of its own, such as a new thread: it is told of beside the actions.
        if record["rule"] == "person/set" {
            return;
        }
        let Some(item) = Item::of(record) else { return };
        // A step that is no longer what was shown does not become an action; when it was shown anew it may.
        if item.kind == Kind::Step && record["kind"] == "stale" {
            return;
        }
        let account = self.accounts.entry(item).or_default();
        account.actions.insert(record["action"].as_str().unwrap().to_owned());
        let kind = record["kind"].as_str().unwrap();
        account.intents += usize::from(kind == "intent");
        let state = record["state"].as_str().unwrap();
        if ["outcome", "failed", "refused", "interrupted", "decision"].contains(&kind)
            && ["done", "failed", "refused", "interrupted"].contains(&state)
        {
            let before = account.ended.replace(state.to_owned());
            assert!(before.is_none_or(|before| before == state), "{item:?} ended twice: {account:?}");
        }
        assert_eq!(account.actions.len(), 1, "{item:?} became several actions: {account:?}");
    }
}

/// Each key of a plan has made one task, and those that were told of are there.
async fn check_tasks(server: &Server, work: &Work) {
    let mut goals = BTreeMap::<String, usize>::new();
    let mut path = "tasks?limit=1000".to_owned();
    loop {
        let page = server.get(&path).await.unwrap();
        let tasks = page["tasks"].as_array().unwrap_or_else(|| panic!("{page}"));
        for task in tasks {
            *goals.entry(task["goal"].as_str().unwrap().to_owned()).or_default() += 1;
        }
        let Some(last) = tasks.last() else { break };
        path = format!("tasks?limit=1000&before={}", last["id"].as_str().unwrap());
    }
    let planned = |number| Item::new(Kind::Plan, number).mark();
    let twice = goals.iter().find(|(goal, count)| goal.starts_with("<plan-") && **count > 1);
    assert!(twice.is_none(), "a key made several tasks: {twice:?}");
    let told = work.told.keys().filter(|item| item.kind == Kind::Step).map(|item| planned(item.number / PIECES));
    let lost: Vec<_> = told.filter(|goal| !goals.contains_key(goal)).collect();
    assert!(lost.is_empty(), "these tasks are lost: {lost:?}");
}

/// The text of a document as the server has it.
async fn document(server: &Server, path: &str) -> String {
    let read = json!({ "action_type": "doc.read", "args": { "path": path } });
    let answer = server.post("actions", read).await.unwrap();
    let text = answer["outcome"]["observation"]["text"].as_str();
    text.unwrap_or_else(|| panic!("{path}: {answer}")).to_owned()
}
