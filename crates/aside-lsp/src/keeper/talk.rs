//! One conversation with a server that runs: what it says is heard, and it is told what it reads.

use std::collections::BTreeSet;

use aside_core::{LanguageServerState, harmless};
use aside_workspace::{
    Workspace,
    process::{Apart, CommandLine},
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    time::{Instant, sleep_until, timeout},
};

use super::{Done, Order, Task};
use crate::{
    framing::{Incoming, encoded},
    session::{Effect, Session},
};

/// Bytes that wait to be read by a server before it counts as stuck.
const MOST_WAITING: usize = 64 << 20;
/// Bytes of its last words that are kept, and characters that are told.
const MOST_SAID: usize = 16 << 10;
const MOST_TOLD: usize = 1_000;
/// Why a conversation is over.
pub(super) enum Ended {
    /// Nobody needs it, for now.
    Unused,
    /// Nobody will need it any more.
    Closed,
    /// A person wants it anew.
    Again,
    /// It died, or has to.
    Died(String),
}

impl Task {
    /// Speaks with it until one of the two has enough.
    pub(super) async fn talk(&mut self, line: &CommandLine) -> Ended {
        let apart = match self.workspace.processes().start(line).await {
            Ok(apart) => apart,
            Err(error) => return Ended::Died(format!("it can't be started: {error}")),
        };
        let (session, effects) = Session::begin(&self.server, self.workspace.folder());
        let mut talk = Talk { session, outbox: Vec::new(), ready: None, failed: None, over: false };
        talk.take(&self.workspace, &self.server.name, effects);
        for held in self.documents.values() {
            let effects = talk.session.open(&held.path, held.language.clone(), held.text.clone());
            talk.take(&self.workspace, &self.server.name, effects);
        }
        let (ended, mut said, apart) = self.go_on(&mut talk, apart).await;
        if talk.ready.is_some_and(|ready| ready.elapsed() >= self.patience.healthy) {
            self.deaths = 0;
        }
        let Apart { input, mut output, mut errors, own } = apart;
        drop(input);
        // Its last words, and its end, after which its folders can go.
        let mut rest = Vec::new();
        let _ = timeout(self.patience.goodbye, errors.read_to_end(&mut rest)).await;
        keep_last(&mut said, &rest);
        let _ = timeout(self.patience.goodbye, tokio::io::copy(&mut output, &mut tokio::io::sink())).await;
        drop(own);
        match ended {
            Ended::Died(why) => Ended::Died(with_last_words(&why, &said)),
            ended => ended,
        }
    }

    async fn go_on(&mut self, talk: &mut Talk, mut apart: Apart) -> (Ended, Vec<u8>, Apart) {
        let greeted_by = Instant::now() + self.patience.greeting;
        let mut unused_since: Option<Instant> = None;
        let mut leaving_by: Option<Instant> = None;
        let mut changed: BTreeSet<String> = BTreeSet::new();
        let mut incoming = Incoming::default();
        let (mut said, mut piece, mut complaint) = (Vec::new(), vec![0; 64 << 10], vec![0; 4 << 10]);
        let mut silent = false;
        let ended = loop {
            if let Some(why) = talk.failed.take() {
                break Ended::Died(why);
            }
            if talk.over && talk.outbox.is_empty() {
                break Ended::Unused;
            }
            if talk.outbox.len() > MOST_WAITING {
                break Ended::Died("it does not read its input".to_owned());
            }
            if talk.outbox.is_empty() && !changed.is_empty() {
                for epoch in std::mem::take(&mut changed) {
                    let Some(held) = self.documents.get(&epoch) else { continue };
                    let effects = talk.session.change(&held.path, held.text.clone());
                    talk.take(&self.workspace, &self.server.name, effects);
                }
                continue;
            }
            unused_since = self.documents.is_empty().then(|| unused_since.unwrap_or_else(Instant::now));
            let unused_at = unused_since.map(|since| since + self.patience.unused);
            tokio::select! {
                order = self.inbox.recv() => {
                    let Some(order) = order else { break Ended::Closed };
                    if matches!(order, Order::Again) {
                        break Ended::Again;
                    }
                    let done = self.note(order);
                    self.pass_on(talk, &mut changed, done);
                }
                read = apart.output.read(&mut piece) => match read {
                    Ok(0) | Err(_) => break ended(leaving_by),
                    Ok(count) => {
                        incoming.push(&piece[..count]);
                        if let Err(why) = self.hear(talk, &mut incoming) {
                            break Ended::Died(why);
                        }
                        if talk.ready.is_some_and(|_| self.is_starting()) {
                            self.stand(LanguageServerState::Ready, None, None);
                        }
                    }
                },
                read = apart.errors.read(&mut complaint), if !silent => match read {
                    Ok(0) | Err(_) => silent = true,
                    Ok(count) => keep_last(&mut said, &complaint[..count]),
                },
                written = apart.input.write(&talk.outbox), if !talk.outbox.is_empty() => match written {
                    Ok(count) => drop(talk.outbox.drain(..count)),
                    Err(_) => break ended(leaving_by),
                },
                () = sleep_until(greeted_by), if talk.ready.is_none() => {
                    break Ended::Died("it did not answer the first request".to_owned());
                }
                () = until(leaving_by), if leaving_by.is_some() => break Ended::Unused,
                () = until(unused_at), if unused_at.is_some() && leaving_by.is_none() => {
                    let effects = talk.session.leave();
                    talk.take(&self.workspace, &self.server.name, effects);
                    leaving_by = Some(Instant::now() + self.patience.goodbye);
                }
            }
        };
        (ended, said, apart)
    }

    fn hear(&self, talk: &mut Talk, incoming: &mut Incoming) -> Result<(), String> {
        while let Some(message) = incoming.next().map_err(|broken| broken.words())? {
            let effects = talk.session.hear(&message);
            talk.take(&self.workspace, &self.server.name, effects);
        }
        Ok(())
    }

    /// Says to the server what has happened to a document. Of changes only the latest is told, once it reads.
    fn pass_on(&self, talk: &mut Talk, changed: &mut BTreeSet<String>, done: Done) {
        let effects = match done {
            Done::Nothing => Vec::new(),
            Done::Opened { epoch, before } => {
                let mut effects = before.map(|path| talk.session.close(&path)).unwrap_or_default();
                if let Some(held) = self.documents.get(&epoch) {
                    effects.extend(talk.session.open(&held.path, held.language.clone(), held.text.clone()));
                }
                effects
            }
            Done::Changed { epoch } => {
                changed.insert(epoch);
                Vec::new()
            }
            Done::Saved { epoch } => match self.documents.get(&epoch) {
                Some(held) => {
                    changed.remove(&epoch);
                    let mut effects = talk.session.change(&held.path, held.text.clone());
                    effects.extend(talk.session.saved(&held.path));
                    effects
                }
                None => Vec::new(),
            },
            Done::Closed { path } => talk.session.close(&path),
        };
        talk.take(&self.workspace, &self.server.name, effects);
    }
}

/// A conversation, and what waits to go out.
struct Talk {
    session: Session,
    outbox: Vec<u8>,
    ready: Option<Instant>,
    failed: Option<String>,
    over: bool,
}

impl Talk {
    fn take(&mut self, workspace: &Workspace, server: &str, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Send(message) => self.outbox.extend(encoded(&message)),
                Effect::Ready => self.ready = Some(Instant::now()),
                Effect::Failed(why) => self.failed = Some(format!("it failed to start: {}", harmless(&why))),
                Effect::Problems(path, problems) => workspace.show_problems(server, &path, problems),
                Effect::Over => self.over = true,
            }
        }
    }
}

/// It ended by itself, which is a death unless it was let go.
fn ended(leaving: Option<Instant>) -> Ended {
    leaving.map_or_else(|| Ended::Died("it ended".to_owned()), |_| Ended::Unused)
}

async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

fn keep_last(said: &mut Vec<u8>, piece: &[u8]) {
    said.extend_from_slice(piece);
    let over = said.len().saturating_sub(MOST_SAID);
    said.drain(..over);
}

fn with_last_words(why: &str, said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let text = harmless(text.trim());
    let skipped = text.chars().count().saturating_sub(MOST_TOLD);
    let text: String = text.chars().skip(skipped).collect();
    match text.is_empty() {
        true => why.to_owned(),
        false => format!("{why}: {text}"),
    }
}
