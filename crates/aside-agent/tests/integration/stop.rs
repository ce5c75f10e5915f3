//! Stop ends a turn also while something is read for it that takes its time.

use std::{
    sync::{Arc, Mutex, mpsc},
    time::Duration,
};

use aside_agent::{Able, Agents, Book, Books, Instruction, Instructions, Message, NewThread, Page};
use aside_core::{ActionRequest, Descriptor, Failure, Thread, ThreadEventBody, ToolCall, TurnEnd, WorkspacePath};
use aside_gate::{Catalog, Gate, Policy};
use aside_llm::{Models, Script, ScriptedProvider, ToolSpec};
use aside_store::{Store, StoreOptions};
use futures_util::future::{BoxFuture, FutureExt as _, pending, ready};
use tokio::sync::watch;

/// Long enough for a slow machine; nothing waits for it when all is well.
const PATIENCE: Duration = Duration::from_secs(20);

/// Says that it is asked, and answers when the other end is dropped.
struct Slow {
    asked: watch::Sender<bool>,
    over: Mutex<mpsc::Receiver<()>>,
}

impl Instructions for Slow {
    fn of(&self, _document: Option<&WorkspacePath>) -> Vec<Instruction> {
        self.asked.send_replace(true);
        let _ = self.over.lock().unwrap().recv();
        Vec::new()
    }
}

/// Says that it is asked, and never answers from the given time on.
struct Endless {
    asked: watch::Sender<bool>,
    answers: Mutex<u32>,
}

impl Book for Endless {
    fn step_limit(&self) -> u32 {
        3
    }

    fn read(&self, _able: Able) -> BoxFuture<'_, Result<Page, Failure>> {
        let mut answers = self.answers.lock().unwrap();
        if *answers > 0 {
            *answers -= 1;
            return ready(Ok(Page::default())).boxed();
        }
        self.asked.send_replace(true);
        pending().boxed()
    }

    fn write<'a>(&'a self, _log: &'a [ThreadEventBody]) -> BoxFuture<'a, ()> {
        ready(()).boxed()
    }

    fn saying(&self, _log: &[ThreadEventBody], _text: &str) {}

    fn tools(&self, _offered: &[Arc<Descriptor>]) -> Vec<ToolSpec> {
        Vec::new()
    }

    fn request(&self, call: &ToolCall) -> Result<ActionRequest, String> {
        Err(format!("there is no {}", call.name))
    }
}

struct Shelf(Arc<Endless>);

impl Books for Shelf {
    fn book(&self, _thread: &Thread) -> Option<Arc<dyn Book>> {
        Some(self.0.clone())
    }
}

/// Sends a message, presses Stop when something is waited for, and returns how the turn ended.
async fn stopped(prepare: impl FnOnce(&Agents, watch::Sender<bool>)) -> TurnEnd {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
    let gate = Gate::new(store.clone(), Catalog::new([]).unwrap(), Policy::builtin());
    let script = Script { name: "demo".into(), replies: vec![], otherwise: "Hello.".into(), strict: false };
    let agents = Agents::new(store.clone(), gate, Arc::new(Models::of([Arc::new(ScriptedProvider::new(script)) as _])));
    let (asked, mut is_asked) = watch::channel(false);
    prepare(&agents, asked);
    let model = Some("rehearsal/demo".parse().unwrap());
    let thread = agents.create_thread(NewThread { model, ..NewThread::default() }).unwrap().id;
    agents.start_turn(&thread, Message::new("go", None), "ada", None).await.unwrap();
    let ending = async {
        is_asked.wait_for(|asked| *asked).await.unwrap();
        assert!(agents.stop(&thread));
        let mut tail = store.tail();
        while agents.is_busy(&thread) {
            let _ = tokio::time::timeout(Duration::from_millis(20), tail.recv()).await;
        }
    };
    tokio::time::timeout(PATIENCE, ending).await.expect("Stop ends the turn");
    let events = agents.events(&thread, 0).unwrap();
    let end = events.into_iter().rev().find_map(|event| match event.body {
        ThreadEventBody::TurnEnded { end, .. } => Some(end),
        _ => None,
    });
    end.expect("the turn has ended")
}

#[tokio::test]
async fn while_standing_instructions_are_read() {
    let (until, over) = mpsc::channel();
    let end = stopped(|agents, asked| agents.instruct(Arc::new(Slow { asked, over: Mutex::new(over) }))).await;
    assert_eq!(end, TurnEnd::Stopped);
    drop(until);
}

#[tokio::test]
async fn while_the_page_of_a_book_is_read() {
    // Before the first step, and for it.
    for answers in [0, 1] {
        let book = |asked| Arc::new(Shelf(Arc::new(Endless { asked, answers: Mutex::new(answers) })));
        let end = stopped(|agents, asked| agents.keep_books(book(asked))).await;
        assert_eq!(end, TurnEnd::Stopped, "{answers} pages before");
    }
}
