//! What came of a command: in words that fit a model's window, and whole as data.

use std::time::Duration;

use aside_core::{Failure, FileDiff, SandboxLevel, Sha256, SnapshotId, WorkspacePath};
use aside_workspace::{
    Change, Compared,
    process::{CommandEnd, Finished, plain_text},
};
use serde::Serialize;

use super::{NotCompared, line::Wanted};
use crate::{file_diffs::FileDiffs, files::counted};

/// Bytes of the output among the words: from its beginning, and from its end, where errors are.
const HEAD: usize = 700;
const TAIL: usize = 2_000;
/// Bytes of the output among the data.
const SHOWN: usize = 32 * 1024;
/// Changed files that are named, in words and in data.
const NAMED: usize = 10;
const LISTED: usize = 500;

/// What is told, as it becomes known.
pub(super) struct Told {
    data: Data,
    head: String,
    output: String,
    notes: Vec<String>,
    stopped_by: Option<String>,
}

/// The result as data.
#[derive(Debug, Default, Serialize)]
pub(super) struct Data {
    command: String,
    /// How it ended and what else there is to know, in words.
    summary: String,
    sandbox: Option<SandboxLevel>,
    network: bool,
    /// Why it is at its end; none if nobody knows.
    ended: Option<CommandEnd>,
    exit: Option<i32>,
    signal: Option<i32>,
    /// It did not end by itself with exit status 0.
    failed: bool,
    duration_ms: u64,
    output: Option<Output>,
    changed: Vec<Changed>,
    /// How many more than are listed.
    more_changed: usize,
    /// The same, line by line.
    diffs: Vec<FileDiff>,
    /// There is more than the diffs show.
    diffs_cut: bool,
    snapshot: Option<SnapshotId>,
    put_back: Vec<WorkspacePath>,
    not_put_back: Vec<WorkspacePath>,
    left_behind: u32,
}

/// What it put out.
#[derive(Debug, Serialize)]
struct Output {
    /// Names the whole of it.
    handle: Option<Sha256>,
    /// Bytes, and how many of them were too many to be kept.
    bytes: u64,
    left_out: u64,
    lines: usize,
    /// The end of it, or all.
    text: String,
    /// There is more before that.
    cut: bool,
}

#[derive(Debug, Serialize)]
struct Changed {
    path: WorkspacePath,
    /// `added`, `changed` or `deleted`.
    change: &'static str,
}

impl Told {
    pub fn new(wanted: &Wanted, level: SandboxLevel, stopped_by: Option<String>) -> Self {
        let (command, network) = (wanted.line.clone(), wanted.network);
        let data = Data { command, sandbox: Some(level), network, failed: true, ..Data::default() };
        Self { data, head: String::new(), output: String::new(), notes: Vec::new(), stopped_by }
    }

    /// How it ended, and what it put out.
    pub fn ended(&mut self, finished: &Finished, bytes: &[u8], kept: Result<Sha256, Failure>) {
        let data = &mut self.data;
        (data.ended, data.exit, data.signal) = (Some(finished.why), finished.status, finished.signal);
        data.failed = finished.why != CommandEnd::Exited || finished.status != Some(0);
        data.duration_ms = u64::try_from(finished.duration.as_millis()).unwrap_or(u64::MAX);
        data.left_behind = finished.left_behind;
        self.head = ending(finished, self.stopped_by.as_deref());
        if finished.left_behind > 0 {
            self.notes.push(format!("It left {} running; they were ended with it.", processes(finished.left_behind)));
        }
        if finished.still_there > 0 {
            self.notes.push(format!("It left {} that could not be ended.", processes(finished.still_there)));
        }
        self.put_out(finished, bytes, kept);
    }

    fn put_out(&mut self, finished: &Finished, bytes: &[u8], kept: Result<Sha256, Failure>) {
        let text = plain_text(bytes);
        let handle = kept.map_err(|failure| self.notes.push(format!("Its output was not stored: {failure}."))).ok();
        let excerpt = excerpt(&text);
        let cut_here = excerpt.len() < text.len();
        self.output = match (text.trim().is_empty(), cut_here, &handle) {
            (true, _, _) => "There was no output.".to_owned(),
            (_, true, Some(handle)) => format!("Full output: `shell.output` with `output` {handle}.\n{excerpt}"),
            _ => excerpt,
        };
        let from = text.ceil_char_boundary(text.len().saturating_sub(SHOWN));
        self.data.output = Some(Output {
            handle,
            bytes: finished.output.total(),
            left_out: finished.output.left_out(),
            lines: text.lines().count(),
            text: text[from..].to_owned(),
            cut: from > 0,
        });
    }

    /// The helper did not say how it ended.
    pub fn broke_off(&mut self, failure: &Failure) {
        self.head = format!("Interrupted: {failure}.");
    }

    /// What it changed. Returns the paths.
    pub fn changed(&mut self, diffs: FileDiffs, compared: Compared) -> Vec<WorkspacePath> {
        self.notes.extend(of_change(&compared));
        let files: Vec<&Change> = compared.changes.iter().filter(|change| !change.is_folder()).collect();
        (self.data.diffs, self.data.diffs_cut) = (diffs.files, diffs.cut);
        self.data.more_changed = files.len().saturating_sub(LISTED);
        let listed = files.iter().take(LISTED);
        self.data.changed = listed.map(|change| Changed { path: change.path.clone(), change: change.word() }).collect();
        let paths = compared.paths();
        self.data.snapshot = compared.snapshot.map(|snapshot| snapshot.id);
        (self.data.put_back, self.data.not_put_back) = (compared.put_back, compared.not_put_back);
        paths
    }

    /// Nobody knows what it changed.
    pub fn not_compared(&mut self, NotCompared { why, touched }: NotCompared) -> Vec<WorkspacePath> {
        self.notes.push(format!("Its changes are unknown and can't be undone: {why}."));
        self.notes.extend(written(&touched));
        touched
    }

    pub fn snapshot(&self) -> Option<&SnapshotId> {
        self.data.snapshot.as_ref()
    }

    /// The whole in words, and as data.
    pub fn finish(mut self) -> (String, Data) {
        self.data.summary = [vec![self.head], self.notes].concat().join("\n");
        let words = format!("{}\n{}", self.data.summary, self.output);
        (words.trim_end().to_owned(), self.data)
    }
}

/// What a command changed whose server was killed.
pub(super) fn cut_off(compared: &Compared) -> String {
    let notes = of_change(compared);
    if notes.is_empty() { "It had changed no files until then.".to_owned() } else { notes.join("\n") }
}

/// What a command changed, in a sentence each.
fn of_change(compared: &Compared) -> Vec<String> {
    let files: Vec<&Change> = compared.changes.iter().filter(|change| !change.is_folder()).collect();
    let undo = if compared.snapshot.is_some() { "" } else { " This can't be undone." };
    let changed = changes(&files).map(|words| format!("{words}{undo}"));
    let lost: Vec<_> = files.iter().filter(|change| change.is_lost()).map(|change| change.path.clone()).collect();
    let lost = named(&lost).filter(|_| compared.snapshot.is_some());
    let lost = lost.map(|paths| format!("There was no copy of {paths}, so the old content can't be restored."));
    let put_back = named(&compared.put_back)
        .map(|paths| format!("It also changed {paths}, which controls programs or agents; that change was reverted."));
    let not_put_back = named(&compared.not_put_back).map(|paths| {
        format!(
            "It changed {paths}, which controls programs or agents, and the change could not be reverted. Check \
            this file."
        )
    });
    let not_compared = compared.touched.as_ref().map(|touched| {
        let written = written(touched).unwrap_or_else(|| "No files were written meanwhile.".to_owned());
        format!("The files were not copied first, so its changes are unknown and can't be undone. {written}")
    });
    [changed, lost, put_back, not_put_back, not_compared].into_iter().flatten().collect()
}

/// What was written while a command ran, where nothing more is known of it.
fn written(touched: &[WorkspacePath]) -> Option<String> {
    named(touched)
        .map(|paths| format!("While it ran, {paths} {} written.", if touched.len() == 1 { "was" } else { "were" }))
}

fn ending(finished: &Finished, stopped_by: Option<&str>) -> String {
    let after = duration(finished.duration);
    match (finished.why, finished.status, finished.signal) {
        (CommandEnd::Exited, Some(status), _) => format!("Exit status {status} after {after}."),
        (CommandEnd::Exited, _, Some(signal)) => format!("Ended by signal {signal} after {after}."),
        (CommandEnd::Exited, None, None) => format!("Ended after {after}."),
        (CommandEnd::Stopped, ..) => format!("Stopped by {} after {after}.", stopped_by.unwrap_or("somebody")),
        (CommandEnd::TimedOut, ..) => format!("Timed out and ended after {after}."),
        (CommandEnd::OutOfMemory, ..) => format!("It used too much memory and was ended after {after}."),
        (CommandEnd::TooMuchWritten, ..) => format!("It wrote too much to the disk and was ended after {after}."),
        (CommandEnd::TooManyProcesses, ..) => format!("It started too many processes and was ended after {after}."),
    }
}

fn duration(time: Duration) -> String {
    match time.as_millis() {
        0..10_000 => format!("{:.1} s", time.as_secs_f64()),
        _ => format!("{} s", time.as_secs()),
    }
}

fn changes(files: &[&Change]) -> Option<String> {
    let each = files.iter().take(NAMED).map(|change| format!("{} ({})", change.path, change.word()));
    let each = each.collect::<Vec<_>>().join(", ");
    match files.len() {
        0 => None,
        count @ 1..=NAMED => Some(format!("Changed {}: {each}.", counted(count, "file"))),
        count => Some(format!("Changed {}: {each} and {} more.", counted(count, "file"), count - NAMED)),
    }
}

fn named(paths: &[WorkspacePath]) -> Option<String> {
    let names: Vec<String> = paths.iter().take(NAMED).map(|path| format!("`{path}`")).collect();
    let more = paths.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!names.is_empty()).then(|| format!("{}{more}", names.join(", ")))
}

fn processes(count: u32) -> String {
    if count == 1 { "1 process".to_owned() } else { format!("{count} processes") }
}

/// The beginning and the end, cut between lines where there are lines.
fn excerpt(text: &str) -> String {
    if text.len() <= HEAD + TAIL {
        return text.to_owned();
    }
    let head = &text[..text.floor_char_boundary(HEAD)];
    let head = head.rfind('\n').map_or(head, |end| &head[..=end]);
    let tail = &text[text.ceil_char_boundary(text.len() - TAIL)..];
    let tail = tail.find('\n').filter(|end| *end < TAIL / 2).map_or(tail, |end| &tail[end + 1..]);
    let left_out = text.len() - head.len() - tail.len();
    format!("{}\n[{left_out} bytes omitted]\n{tail}", head.trim_end_matches('\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_has_the_beginning_and_the_end() {
        assert_eq!(excerpt("short\n"), "short\n");
        let text: String = (0..10_000).map(|line| format!("line {line}\n")).collect();
        let excerpt = excerpt(&text);
        assert!(excerpt.len() < HEAD + TAIL + 100);
        assert!(excerpt.starts_with("line 0\nline 1\n") && excerpt.ends_with("line 9998\nline 9999\n"));
        let (head, tail) = excerpt.split_once("\n[").unwrap();
        assert!(tail.split_once("omitted]\nline ").is_some() && head.lines().last().unwrap().starts_with("line "));
        assert!(super::excerpt(&"é".repeat(9_000)).len() < HEAD + TAIL + 100);
    }
}
