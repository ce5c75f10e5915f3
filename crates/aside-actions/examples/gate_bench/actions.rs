//! An allowed action from its request to its outcome, against the disk's own speed: one that changes a text in memory,
//! so that the Gate and its store are measured and nothing else, and an edit of a document.

use std::{
    fs::{self, File},
    io::{Seek as _, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};

use aside_actions::{Browser, WindowAnswer, WindowCall};
use aside_core::{ActionRequest, ActionState, Failure, Origin};
use aside_gate::{Catalog, Gate, Grants, Policy, Submission, handler};
use aside_store::{Store, StoreOptions};
use aside_workspace::Workspace;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use crate::{figure, median, milliseconds, put::Put, timed};

const RUNS: usize = 300;
const CLIENTS: usize = 16;
/// Edits of each client.
const EACH: usize = 250;
const LINES: usize = 100;
const BLOCK: [u8; 4096] = [b'x'; 4096];

/// No window is open.
struct NoWindow;

impl Browser for NoWindow {
    fn perform<'a>(&'a self, _: WindowCall<'a>) -> BoxFuture<'a, Result<WindowAnswer, Failure>> {
        Box::pin(async { Err(Failure::new("no_window", "no window is open")) })
    }
}

pub(crate) async fn measure(folder: &Path) {
    let (put, edits) = (put_gate(&folder.join("put")), edit_gate(&folder.join("workspace")));
    // In a task, as those who ask for actions are.
    let alone = one_after_the_other(put.clone(), edits.clone(), folder.to_owned());
    let Alone { one, whole, disk, over } = tokio::spawn(alone).await.expect("no action failed");
    figure("allowed action with durable audit (ms)", one, "", Some((disk, "append 4 KiB and fsync")));
    figure("the same, in fsyncs", one / disk, "<=1.3", None);
    figure("the least that a durable write costs (ms)", over, "", Some((disk, "append 4 KiB and fsync")));
    figure("allowed doc.edit with durable audit (ms)", whole, "", Some((disk, "append 4 KiB and fsync")));
    figure("actions from 16 clients (1/s)", many_at_once(&put, put_text).await, ">=1000", None);
    figure("doc.edit from 16 clients (1/s)", many_at_once(&edits, edit).await, "", None);
}

/// Only the action that changes a text in memory.
fn put_gate(folder: &Path) -> Arc<Gate> {
    let store = Store::open(folder, StoreOptions::system()).expect("a store");
    let catalog = Catalog::new([handler(Put::default())]).expect("it is declared well");
    Gate::new(store, catalog, Policy::builtin())
}

/// A workspace with a document for each client.
fn edit_gate(folder: &Path) -> Arc<Gate> {
    fs::create_dir_all(folder).expect("the folder can be made");
    for client in 0..CLIENTS {
        let text: String = (0..LINES).map(|line| format!("line {line} 0\n")).collect();
        fs::write(folder.join(format!("{client}.txt")), text).expect("a file can be written");
    }
    let store = Store::open(&folder.join(".aside"), StoreOptions::system()).expect("a store");
    let workspace = Workspace::open(folder, Arc::clone(&store)).expect("a workspace");
    let catalog = aside_actions::catalog(&workspace, Grants::new(store.clone()), Arc::new(NoWindow))
        .expect("the actions are declared well");
    Gate::new(store, catalog, Policy::builtin())
}

/// The `number`th edit of a document: one line, which then has that number.
async fn edit(gate: Arc<Gate>, client: usize, number: usize) {
    let (line, round) = (number % LINES, number / LINES);
    let (old, new) = (format!("line {line} {round}\n"), format!("line {line} {}\n", round + 1));
    let edit = json!({ "start": line + 1, "end": line + 1, "old": old, "new": new });
    submit(&gate, "doc.edit", json!({ "path": format!("{client}.txt"), "edits": [edit] })).await;
}

async fn put_text(gate: Arc<Gate>, client: usize, number: usize) {
    submit(&gate, "text.put", json!({ "text": format!("text {number} of client {client}") })).await;
}

async fn submit(gate: &Arc<Gate>, name: &str, args: Value) {
    let request = ActionRequest::new(name.parse().expect("a name"), args);
    let submission = Submission::person(Origin::User { user: "bench".to_owned() });
    let record = gate.submit(request, submission).await.expect("it is taken in").record;
    assert_eq!(record.state, ActionState::Done, "{:?}", record.outcome);
}

/// Medians, in milliseconds.
struct Alone {
    /// The small action.
    one: f64,
    /// The edit.
    whole: f64,
    /// The disk by itself, in a file that grows.
    disk: f64,
    /// The same where there was something before.
    over: f64,
}

async fn one_after_the_other(put: Arc<Gate>, edits: Arc<Gate>, folder: PathBuf) -> Alone {
    let mut file = File::create(folder.join("fsync")).expect("a file");
    let mut kept = File::create(folder.join("kept")).expect("a file");
    let [mut one, mut whole, mut disk, mut over] = [const { Vec::new() }; 4];
    for number in 0..RUNS {
        let (time, written) = timed(|| file.write_all(&BLOCK).and_then(|()| file.sync_all()));
        written.expect("it is written");
        disk.push(milliseconds(time));
        let (time, written) =
            timed(|| kept.rewind().and_then(|()| kept.write_all(&BLOCK)).and_then(|()| kept.sync_data()));
        written.expect("it is written");
        over.push(milliseconds(time));
        let started = Instant::now();
        put_text(put.clone(), 0, number).await;
        one.push(milliseconds(started.elapsed()));
        let started = Instant::now();
        edit(edits.clone(), 0, number).await;
        whole.push(milliseconds(started.elapsed()));
    }
    let [one, whole, disk, over] = [one, whole, disk, over].map(median);
    Alone { one, whole, disk, over }
}

/// Actions a second.
async fn many_at_once<F>(gate: &Arc<Gate>, act: fn(Arc<Gate>, usize, usize) -> F) -> f64
where
    F: Future<Output = ()> + Send + 'static,
{
    let started = Instant::now();
    let clients = (0..CLIENTS).map(|client| {
        let gate = Arc::clone(gate);
        // The first document was edited before.
        let before = if client == 0 { RUNS } else { 0 };
        tokio::spawn(async move {
            for number in before..before + EACH {
                act(gate.clone(), client, number).await;
            }
        })
    });
    let clients: Vec<_> = clients.collect();
    for client in clients {
        client.await.expect("no action failed");
    }
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    let rate = (CLIENTS * EACH) as f64 / started.elapsed().as_secs_f64();
    rate
}
