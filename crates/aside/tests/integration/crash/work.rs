//! What the clients ask for, and what of it is not at an end when the server was killed.

use std::{collections::BTreeMap, sync::Mutex, time::Duration};

use serde_json::{Value, json};

use crate::crash::{
    Chance,
    client::{Step, client},
    server::{MOST, Server},
};

/// One in so many requests is rejected by the person.
const REJECTED: usize = 7;

/// Steps of a plan, and parts of an edit that is decided part by part.
pub(crate) const PIECES: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Edit,
    Delete,
    Shell,
    Turn,
    /// A task of three edits, each a [`Kind::Step`].
    Plan,
    /// An edit of a model, of which each part is decided on its own, a [`Kind::Part`].
    Parts,
    /// An edit is taken back that was made before, a [`Kind::TakenBack`].
    Undo,
    Step,
    Part,
    TakenBack,
}

impl Kind {
    /// What the clients ask for, each for one of these.
    pub(crate) const ASKED: [Self; 7] =
        [Self::Edit, Self::Delete, Self::Shell, Self::Turn, Self::Plan, Self::Parts, Self::Undo];
    /// What leaves a mark of its own.
    pub(crate) const MARKING: [Self; 7] =
        [Self::Edit, Self::Delete, Self::Shell, Self::Turn, Self::Step, Self::Part, Self::TakenBack];

    /// No word begins another, but for what follows it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Edit => "edit",
            Self::Delete => "delete",
            Self::Shell => "shell",
            Self::Turn => "turn",
            Self::Plan => "plan",
            Self::Parts => "parts",
            Self::Undo => "undo",
            Self::Step => "step",
            Self::Part => "part",
            Self::TakenBack => "taken-back",
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
    pub(crate) const IN_A_FILE: usize = 42;

    pub(crate) fn new(kind: Kind, number: usize) -> Self {
        Self { kind, number }
    }

    /// Finds the item again in anything that was made from it; no mark is a part of another.
    pub(crate) fn marked(text: &str) -> Option<Self> {
        let of = |kind: Kind| {
            let after = text.split_once(&format!("<{}-", kind.word()))?.1;
            Some(Self::new(kind, after.split_once('>')?.0.parse().ok()?))
        };
        Kind::MARKING.into_iter().find_map(of)
    }

    /// What an entry of the audit is about.
    pub(crate) fn of(record: &Value) -> Option<Self> {
        let marked = Self::marked(&record["args"].to_string())?;
        Some(match marked.kind {
            Kind::TakenBack if !record["undoes"].is_null() => Self::new(Kind::Undo, marked.number),
            Kind::Part if record["parent"].is_null() => Self::new(Kind::Parts, marked.number / PIECES),
            _ => marked,
        })
    }

    pub(crate) fn is_in_a_document(self) -> bool {
        Kind::MARKING.contains(&self.kind) && !matches!(self.kind, Kind::Delete | Kind::Shell)
    }

    pub(crate) fn mark(self) -> String {
        format!("<{}-{}>", self.kind.word(), self.number)
    }

    /// The steps of a plan, or the parts of an edit.
    pub(crate) fn pieces(self) -> impl Iterator<Item = Self> {
        let kind = if self.kind == Kind::Plan { Kind::Step } else { Kind::Part };
        (0..PIECES).map(move |piece| Self::new(kind, self.number * PIECES + piece))
    }

    /// Where its mark is left, or goes.
    pub(crate) fn path(self) -> String {
        let part = self.number / Self::IN_A_FILE;
        match self.kind {
            Kind::Delete => format!("delete/{part}/{}.txt", self.mark()),
            Kind::Shell => "shell/ran.txt".to_owned(),
            Kind::Parts => self.pieces().map(Self::path).next().expect("it has parts"),
            _ => format!("{}/{part}.txt", self.kind.word()),
        }
    }

    /// The line of the file that a part of an edit replaces, far enough from the others to be a part of its own.
    pub(crate) fn line(self) -> String {
        format!("({})\n", self.number)
    }

    pub(crate) fn action(self) -> &'static str {
        match self.kind {
            Kind::Delete => "file.delete",
            Kind::Shell => "shell.run",
            _ => "doc.edit",
        }
    }

    pub(crate) fn args(self) -> Value {
        let marked = || format!("{}\n", self.mark());
        match self.kind {
            Kind::Delete => json!({ "path": self.path() }),
            Kind::Shell => json!({ "command": format!("echo '{}' >> {}", self.mark(), self.path()) }),
            Kind::Parts => {
                let edit = |part: Self| json!({ "old": part.line(), "new": format!("{}\n", part.mark()) });
                json!({ "path": self.path(), "edits": self.pieces().map(edit).collect::<Vec<_>>() })
            }
            _ => json!({ "path": self.path(), "edits": [{ "start": 1, "old": "", "new": marked() }] }),
        }
    }

    pub(crate) fn request(self) -> Value {
        json!({ "action_type": self.action(), "args": self.args() })
    }

    pub(crate) fn decision(self) -> &'static str {
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
        let done = Mutex::new(Vec::new());
        let all = futures_util::future::join_all(clients.map(|client| client(&done)));
        let _ = tokio::time::timeout(time, all).await;
        self.take(done.into_inner().unwrap());
    }

    /// Brings everything that is open to an end.
    pub(crate) async fn finish(&mut self, server: &Server) {
        let done = Mutex::new(Vec::new());
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
        let kinds = Kind::ASKED.into_iter().filter(|kind| *kind != Kind::Shell || self.has_shell == Some(true));
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
                Step::Told(item, end) => {
                    let before = self.told.insert(item, end.clone());
                    assert!(before.is_none_or(|before| before == end), "{item:?} was told otherwise before, now {end}");
                }
                Step::Ended(item) => {
                    self.open.remove(&item);
                }
            }
        }
    }
}
