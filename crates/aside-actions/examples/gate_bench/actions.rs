//! An allowed action from its request to its outcome, against the disk's own speed.

use std::{
    fs::{self, File},
    io::Write as _,
    path::Path,
    sync::Arc,
    time::Instant,
};

use aside_actions::Browser;
use aside_core::{ActionId, ActionName, ActionRequest, ActionState, Failure, Origin};
use aside_gate::{Gate, Policy, Submission};
use aside_store::{Store, StoreOptions};
use aside_workspace::Workspace;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use crate::{figure, median, milliseconds, timed};

const RUNS: usize = 300;
const CLIENTS: usize = 16;
/// Edits of each client.
const EACH: usize = 250;
const LINES: usize = 100;

/// No window is open.
struct NoWindow;

impl Browser for NoWindow {
    fn perform<'a>(
        &'a self,
        _: &'a ActionId,
        _: &'a ActionName,
        _: &'a Value,
    ) -> BoxFuture<'a, Result<Value, Failure>> {
        Box::pin(async { Err(Failure::new("no_window", "no window is open")) })
    }
}

pub(crate) async fn measure(folder: &Path) {
    let gate = gate(&folder.join("workspace"));
    one_after_the_other(&gate, folder).await;
    many_at_once(&gate).await;
}

/// A workspace with a document for each client.
fn gate(folder: &Path) -> Arc<Gate> {
    fs::create_dir_all(folder).expect("the folder can be made");
    for client in 0..CLIENTS {
        let text: String = (0..LINES).map(|line| format!("line {line} 0\n")).collect();
        fs::write(folder.join(format!("{client}.txt")), text).expect("a file can be written");
    }
    let store = Store::open(&folder.join(".aside"), StoreOptions::system()).expect("a store");
    let workspace = Workspace::open(folder, Arc::clone(&store)).expect("a workspace");
    let catalog = aside_actions::catalog(&workspace, Arc::new(NoWindow)).expect("the actions are declared well");
    Gate::new(store, catalog, Policy::builtin())
}

/// The `number`th edit of a document: one line, which then has that number.
async fn edit(gate: &Arc<Gate>, client: usize, number: usize) {
    let (line, round) = (number % LINES, number / LINES);
    let (old, new) = (format!("line {line} {round}\n"), format!("line {line} {}\n", round + 1));
    let edit = json!({ "start": line + 1, "end": line + 1, "old": old, "new": new });
    let args = json!({ "path": format!("{client}.txt"), "edits": [edit] });
    let request = ActionRequest::new("doc.edit".parse().expect("a name"), args);
    let submission = Submission::person(Origin::User { user: "bench".to_owned() });
    let record = gate.submit(request, submission).await.expect("it is taken in").record;
    assert_eq!(record.state, ActionState::Done, "{:?}", record.outcome);
}

async fn one_after_the_other(gate: &Arc<Gate>, folder: &Path) {
    let mut file = File::create(folder.join("fsync")).expect("a file");
    let (mut ours, mut disk) = (Vec::new(), Vec::new());
    for number in 0..RUNS {
        let (time, written) = timed(|| file.write_all(&[b'x'; 4096]).and_then(|()| file.sync_all()));
        written.expect("it is written");
        disk.push(milliseconds(time));
        let started = Instant::now();
        edit(gate, 0, number).await;
        ours.push(milliseconds(started.elapsed()));
    }
    let (ours, disk) = (median(ours), median(disk));
    figure("allowed doc.edit with durable audit (ms)", ours, "", Some((disk, "append 4 KiB and fsync")));
    figure("the same, in fsyncs", ours / disk, "<=1.3", None);
}

async fn many_at_once(gate: &Arc<Gate>) {
    let started = Instant::now();
    let clients = (0..CLIENTS).map(|client| {
        let gate = Arc::clone(gate);
        // The first document was edited before.
        let before = if client == 0 { RUNS } else { 0 };
        tokio::spawn(async move {
            for number in before..before + EACH {
                edit(&gate, client, number).await;
            }
        })
    });
    let clients: Vec<_> = clients.collect();
    for client in clients {
        client.await.expect("no edit failed");
    }
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    let rate = (CLIENTS * EACH) as f64 / started.elapsed().as_secs_f64();
    figure("doc.edit from 16 clients (actions/s)", rate, ">=1000", None);
}
