//! Runs the code cells of a notebook, one after the other, and writes what they put out into it.

use std::time::Duration;

use aside_doc::CellOutputs;
use aside_gate::Progress;
use aside_jupyter::{Execution, Kernel, KernelEvent, Reply, ReplyStatus, RunCode};
use aside_kernels::{MOST_OUTPUT, OutputEvent, Outputs, SqlCell, Widgets, changed, learned, why_not};
use aside_notebook::{Cell, CellKey, CellKind, Member, Notebook, Raw};
use tokio::time::timeout;

/// How long a cell may take to end after it was interrupted.
const HEED: Duration = Duration::from_secs(5);

/// What a cell may put out.
const MEGABYTES: usize = MOST_OUTPUT >> 20;

/// How the cells are run.
pub(super) struct Wishes {
    pub allow_errors: bool,
    /// For each cell.
    pub timeout: Option<Duration>,
    /// What the kernel speaks.
    pub language: String,
}

/// What came of it.
pub(super) struct Ran {
    /// How many cells were run.
    pub cells: usize,
    /// The keys of the cells for AI, which no kernel runs.
    pub asked: Vec<String>,
    /// Why it ended before the last cell: the cell, and in a line what happened.
    pub failed: Option<String>,
    /// What those have put out that were begun.
    pub outputs: Vec<CellOutputs>,
}

/// How one cell ended.
enum CellEnd {
    Done,
    Raised(String),
    Broken(String),
}

/// Runs them all, or until one fails.
pub(super) async fn run(kernel: &Kernel, notebook: &mut Notebook, wishes: &Wishes, progress: &Progress) -> Ran {
    let asked = asked(notebook);
    let mut ran = Ran { cells: 0, asked, failed: None, outputs: Vec::new() };
    let (mut outputs, mut widgets) = (Outputs::default(), Widgets::default());
    let all: Vec<usize> = (0..notebook.cells.len()).filter(|at| is_run(&notebook.cells[*at])).collect();
    for (number, at) in all.iter().copied().enumerate() {
        progress.line(&format!("cell {} of {}", number + 1, all.len()));
        let cell = &mut notebook.cells[at];
        let may_fail = wishes.allow_errors || has_tag(cell, "raises-exception");
        let key = cell.key().clone();
        outputs.begin(key.clone());
        let end = one(kernel, cell, &key, may_fail, wishes, progress, (&mut outputs, &mut widgets)).await;
        ran.cells += 1;
        let what = match end {
            CellEnd::Done => continue,
            CellEnd::Raised(_) if may_fail => continue,
            CellEnd::Raised(what) | CellEnd::Broken(what) => what,
        };
        ran.failed = Some(format!("cell {} of {} ({}): {what}", number + 1, all.len(), cell.key().0));
        break;
    }
    for (key, written) in outputs.written() {
        if let Some(cell) = notebook.cells.iter_mut().find(|cell| cell.key() == key) {
            let (key, count) = (key.clone(), cell.execution_count());
            ran.outputs.push(CellOutputs { key, outputs: written.clone(), count });
            cell.set("outputs", written);
        }
    }
    learn_language(kernel, notebook);
    if let (Some(value), Some(metadata)) = (widgets.saved(), notebook.get("metadata")) {
        notebook.set("metadata", changed(metadata, vec![Member { name: "widgets".to_owned(), value }]));
    }
    ran
}

/// The cells for AI that are not empty.
pub(super) fn asked(notebook: &Notebook) -> Vec<String> {
    let asked = notebook.cells.iter().filter(|cell| cell.kind() == CellKind::Ai && !cell.source().trim().is_empty());
    asked.map(|cell| cell.key().0.clone()).collect()
}

/// Code that is not empty, and not marked to be left out as nbclient has it.
fn is_run(cell: &Cell) -> bool {
    matches!(cell.kind(), CellKind::Code | CellKind::Sql)
        && !cell.source().trim().is_empty()
        && !has_tag(cell, "skip-execution")
}

fn has_tag(cell: &Cell, tag: &str) -> bool {
    let tags = cell.get("metadata").and_then(|metadata| metadata.get("tags")).and_then(|tags| tags.items());
    tags.unwrap_or_default().iter().any(|one| one.text().as_deref() == Some(tag))
}

async fn one(
    kernel: &Kernel,
    cell: &mut Cell,
    key: &CellKey,
    may_fail: bool,
    wishes: &Wishes,
    progress: &Progress,
    (outputs, widgets): (&mut Outputs, &mut Widgets),
) -> CellEnd {
    let limit = wishes.timeout;
    cell.set("execution_count", Raw::of(&serde_json::Value::Null));
    let source = match SqlCell::of(cell) {
        None => cell.source(),
        Some(sql) => match why_not(&wishes.language) {
            None => sql.python(&cell.source()),
            Some(why) => return CellEnd::Broken(why),
        },
    };
    let run = RunCode { code: &source, may_ask: false, stop_on_error: !may_fail };
    let mut execution = match kernel.run(&run).await {
        Ok(execution) => execution,
        Err(error) => return CellEnd::Broken(error.to_string()),
    };
    let mut is_full = false;
    let why = tokio::select! {
        end = follow(kernel, &mut execution, cell, key, (outputs, widgets), &mut is_full) => match end {
            Ok(end) => return end,
            Err(why) => why,
        },
        () = after(limit) => format!("it took longer than {} s and was interrupted", limit.unwrap_or_default().as_secs()),
        by = progress.stopped() => format!("stopped by {by}"),
    };
    if let Err(error) = kernel.interrupt().await {
        return CellEnd::Broken(format!("{why}; {error}"));
    }
    match timeout(HEED, follow(kernel, &mut execution, cell, key, (outputs, widgets), &mut is_full)).await {
        Ok(_) => CellEnd::Broken(why),
        Err(_) => CellEnd::Broken(format!("{why}, but the kernel ignored the interrupt")),
    }
}

async fn after(limit: Option<Duration>) {
    match limit {
        Some(limit) => tokio::time::sleep(limit).await,
        None => std::future::pending().await,
    }
}

/// Takes what the cell puts out until its end, or until it has to be interrupted: then it says why.
async fn follow(
    kernel: &Kernel,
    execution: &mut Execution,
    cell: &mut Cell,
    key: &CellKey,
    (outputs, widgets): (&mut Outputs, &mut Widgets),
    is_full: &mut bool,
) -> Result<CellEnd, String> {
    let mut end = CellEnd::Done;
    while let Some(event) = execution.next().await {
        match event {
            Ok(KernelEvent::Reply(reply)) => {
                count(cell, reply.count);
                end = ended(&reply);
            }
            Ok(KernelEvent::Begun { count: number, .. }) => count(cell, number),
            // It was told that nobody would answer; not every kernel heeds that.
            Ok(KernelEvent::AsksInput { .. }) => {
                return Err("it asks for input, which only a run in a window can give".to_owned());
            }
            // A widget that code closes stays in the file, as nbclient has it.
            Ok(KernelEvent::Other { kind, .. }) if kind == "comm_close" => (),
            Ok(KernelEvent::Other { kind, content, buffers, .. }) if kind.starts_with("comm_") => {
                widgets.hear(&kind, &content, buffers, 0);
            }
            // It is heard to its end, and not kept.
            Ok(_) if *is_full => (),
            Ok(event) => {
                // What is no output is not kept.
                let Ok(event) = OutputEvent::of(event) else { continue };
                if let Some(widget) = widgets.catcher(execution.id()) {
                    widgets.catch(&widget, event, 0);
                    for content in widgets.take_caught() {
                        // That the kernel is dead is told as the end of the cell.
                        let _ = kernel.say("comm_msg", &content).await;
                    }
                    continue;
                }
                let (event, is_cut) = within(event, MOST_OUTPUT.saturating_sub(outputs.bytes_of(key)));
                outputs.take(key, event, 0);
                if is_cut || outputs.bytes_of(key) > MOST_OUTPUT {
                    *is_full = true;
                    let text = format!("\n[output after this was dropped: more than {MEGABYTES} MB]\n");
                    outputs.take(key, OutputEvent::Stream { name: "stderr".to_owned(), text }, 0);
                    return Err(format!(
                        "the cell was interrupted because its output exceeded {MEGABYTES} MB, the limit for a \
                            notebook; write large output to a file instead"
                    ));
                }
            }
            Err(error) => return Ok(CellEnd::Broken(error.to_string())),
        }
    }
    Ok(end)
}

/// What of an output there is room for, and whether that is less than all: code can print very much in one message.
fn within(event: OutputEvent, room: usize) -> (OutputEvent, bool) {
    match event {
        OutputEvent::Stream { name, mut text } if text.len() > room => {
            let end = (0..=room).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
            text.truncate(end);
            (OutputEvent::Stream { name, text }, true)
        }
        event => (event, false),
    }
}

fn count(cell: &mut Cell, number: Option<u64>) {
    if let Some(number) = number {
        cell.set("execution_count", Raw::of(&number.into()));
    }
}

fn ended(reply: &Reply) -> CellEnd {
    match &reply.status {
        ReplyStatus::Ok => CellEnd::Done,
        ReplyStatus::Aborted => CellEnd::Broken("the kernel did not run it".to_owned()),
        ReplyStatus::Failed(raised) => CellEnd::Raised(match &*raised.value {
            "" => raised.name.clone(),
            value => format!("{}: {value}", raised.name),
        }),
    }
}

/// Notes what language the kernel says it runs, if the notebook says something else.
fn learn_language(kernel: &Kernel, notebook: &mut Notebook) {
    let Some(metadata) = notebook.get("metadata").cloned() else { return };
    let said = kernel.info().map(|info| info.language_info.as_str());
    let changes = learned(&metadata, None, said);
    if !changes.is_empty() {
        notebook.set("metadata", changed(&metadata, changes));
    }
}
