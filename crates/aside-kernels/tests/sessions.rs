//! Sessions with ipykernel, as a person meets them. `cargo xtask test` names a Python that has it in `ASIDE_TEST_PYTHON`;
//! without that the repository's own is used if it is there.
#![expect(clippy::disallowed_methods, reason = "sets the scene, and looks at the files")]

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use aside_core::{CellOutput, ExecutionId, ExecutionState, KernelState, NotebookKernel, ProblemSource, WorkspacePath};
use aside_jupyter::{Disk, NotebookSecret, Surroundings};
use aside_kernels::{
    AskedVariables, CellToRun, Ended, NotebookNews, NotebookWatch, Output, Session, SessionError, Sessions,
    cells_to_run,
};
use aside_notebook::CellKey;
use aside_store::{Store, StoreOptions};
use aside_workspace::Workspace;
use serde_json::{Value, json};

#[ctor::ctor(unsafe)]
fn enter() {
    aside_jupyter::enter_if_relay();
}

struct Bench {
    folder: tempfile::TempDir,
    workspace: Arc<Workspace>,
    sessions: Arc<Sessions>,
}

fn path() -> WorkspacePath {
    WorkspacePath::new("a.ipynb").unwrap()
}

fn key(at: usize) -> CellKey {
    CellKey(format!("c{at}"))
}

impl Bench {
    /// A notebook of these cells, and an environment that has a kernel.
    fn new(sources: &[&str]) -> Option<Self> {
        let cell = |(at, source): (usize, &&str)| json!({"cell_type": "code", "execution_count": null, "id": format!("c{at}"), "metadata": {}, "outputs": [], "source": [source]});
        Self::of(sources.iter().enumerate().map(cell).collect())
    }

    fn of(cells: Vec<Value>) -> Option<Self> {
        let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../.venv/bin/python");
        let named = env::var_os("ASIDE_TEST_PYTHON").map(PathBuf::from);
        let Some(python) = named.or(Some(own).filter(|python| python.exists())) else {
            eprintln!("NOT TESTED: there is no kernel in .venv (`cargo xtask test` makes it)");
            return None;
        };
        let prefix = python.parent()?.parent()?.canonicalize().unwrap();
        let folder = tempfile::tempdir().unwrap();
        symlink(prefix, folder.path().join(".venv")).unwrap();
        let notebook = json!({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5});
        fs::write(folder.path().join("a.ipynb"), serde_json::to_string_pretty(&notebook).unwrap()).unwrap();
        let (workspace, sessions) = sessions(&folder);
        Some(Self { folder, workspace, sessions })
    }

    fn session(&self) -> Arc<Session> {
        self.sessions.session(&path()).unwrap()
    }

    async fn run(&self, cells: &[usize]) -> Vec<ExecutionId> {
        let session = self.session();
        let keys: Vec<_> = cells.iter().copied().map(key).collect();
        let cells = cells_to_run(&session.notebook().await.unwrap(), &path(), &keys).unwrap();
        session.run(cells, true).unwrap()
    }

    async fn ended(&self, cells: &[usize]) -> Vec<Ended> {
        let mut ended = Vec::new();
        for id in self.run(cells).await {
            ended.push(self.session().ended(&id).await.unwrap());
        }
        ended
    }

    /// Whether the kernel's environment has a library.
    fn has(&self, library: &str) -> bool {
        let versions = fs::read_dir(self.folder.path().join(".venv/lib")).unwrap();
        versions.flatten().any(|version| version.path().join("site-packages").join(library).is_dir())
    }

    /// As after `kill -9` of the server: nothing is told to anybody.
    fn started_again(self) -> Self {
        let Self { folder, workspace, sessions: before } = self;
        drop((before, workspace));
        let (workspace, sessions) = sessions(&folder);
        Self { folder, workspace, sessions }
    }

    /// The notebook's file, when it has this.
    async fn file_with(&self, text: &str) -> Value {
        self.file_where(|file| serde_json::to_string(file).unwrap().contains(text)).await
    }

    /// The notebook's file, when this holds.
    async fn file_where(&self, holds: impl Fn(&Value) -> bool) -> Value {
        loop {
            let file = fs::read(self.folder.path().join("a.ipynb")).unwrap();
            match serde_json::from_slice(&file) {
                Ok(file) if holds(&file) => return file,
                _ => (),
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }

    async fn end(self) {
        self.session().shut_down().await.unwrap();
    }
}

/// Bytes that a run may put out in these tests before it is held back.
const MOST: usize = 40 << 20;

fn sessions(folder: &tempfile::TempDir) -> (Arc<Workspace>, Arc<Sessions>) {
    sessions_with(folder, MOST)
}

fn sessions_with(folder: &tempfile::TempDir, most_output: usize) -> (Arc<Workspace>, Arc<Sessions>) {
    let store = Store::open(&folder.path().join(".aside"), StoreOptions::for_tests()).unwrap();
    let workspace = Workspace::open(folder.path(), store.clone()).unwrap();
    let sessions = Sessions::open_with(workspace.clone(), store, most_output).unwrap();
    (workspace, sessions)
}

fn states(ended: &[Ended]) -> Vec<ExecutionState> {
    ended.iter().map(|ended| ended.execution.state).collect()
}

fn printed(ended: &Ended) -> String {
    let text = |output: &Output| match output {
        Output::Stream { text, .. } => text.clone(),
        Output::Error(raised) => format!("{}: {}", raised.name, raised.value),
        other => other.write().as_str().to_owned(),
    };
    ended.outputs.iter().map(text).collect()
}

/// Watches until something holds of what was told so far.
async fn until(watch: &mut NotebookWatch, told: &mut Vec<NotebookNews>, holds: impl Fn(&NotebookNews) -> bool) {
    loop {
        if told.iter().any(&holds) {
            return;
        }
        told.extend(watch.next().await.unwrap());
    }
}

fn kernel_is(state: KernelState) -> impl Fn(&NotebookNews) -> bool {
    move |news| matches!(news, NotebookNews::Kernel(kernel) if kernel.state == state)
}

#[tokio::test]
async fn cells_run_in_order_and_what_they_put_out_is_in_the_file() {
    let Some(bench) = Bench::new(&["print('a'); x = 41", "x + 1"]) else { return };
    let ended = bench.ended(&[0, 1]).await;
    assert_eq!(states(&ended), [ExecutionState::Ok; 2]);
    assert_eq!(printed(&ended[0]), "a\n");
    assert_eq!(ended.iter().map(|ended| ended.execution.count).collect::<Vec<_>>(), [Some(1), Some(2)]);
    let file = bench.file_with("\"42\"").await;
    assert_eq!(file["cells"][0]["outputs"][0]["text"], json!(["a\n"]));
    assert_eq!(file["cells"][1]["execution_count"], json!(2));
    let file = bench.file_with("language_info").await;
    assert_eq!(file["metadata"]["kernelspec"]["name"], "python3");
    assert_eq!(bench.sessions.running()[0].state, KernelState::Idle);
    bench.end().await;
}

#[tokio::test]
async fn an_error_ends_the_queue_and_an_interrupt_what_runs() {
    let Some(bench) = Bench::new(&["1/0", "2", "print('go', flush=True)\nimport time\ntime.sleep(60)"]) else { return };
    let ended = bench.ended(&[0, 1]).await;
    assert_eq!(states(&ended), [ExecutionState::Failed, ExecutionState::Aborted]);
    assert_eq!(printed(&ended[0]), "ZeroDivisionError: division by zero");
    let ids = bench.run(&[2, 1]).await;
    let (session, mut told) = (bench.session(), Vec::new());
    until(&mut session.watch(), &mut told, |news| {
        matches!(news, NotebookNews::Outputs { cell, outputs, .. } if *cell == key(2)
            && matches!(&outputs[..], [CellOutput::Stream { text, .. }] if text == "go\n"))
    })
    .await;
    session.interrupt().await.unwrap();
    let first = session.ended(&ids[0]).await.unwrap();
    assert_eq!((first.execution.state, printed(&first).as_str()), (ExecutionState::Failed, "go\nKeyboardInterrupt: "));
    assert_eq!(session.ended(&ids[1]).await.unwrap().execution.state, ExecutionState::Aborted);
    bench.end().await;
}

#[tokio::test]
async fn code_that_takes_no_notice_of_an_interrupt_is_said_until_it_ends() {
    let deaf = "import os, signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('go', flush=True)\n\
                while not os.path.exists('go'): time.sleep(0.01)";
    let Some(bench) = Bench::new(&[deaf]) else { return };
    let (session, id) = (bench.session(), bench.run(&[0]).await.remove(0));
    until_printed(&session, "go\n").await;
    session.interrupt().await.unwrap();
    until(&mut session.watch(), &mut Vec::new(), |news| {
        matches!(news, NotebookNews::Kernel(kernel) if kernel.problem.as_ref().is_some_and(|problem| problem.code == "unheeded"))
    })
    .await;
    fs::write(bench.folder.path().join("go"), "").unwrap();
    session.ended(&id).await.unwrap();
    assert_eq!(session.kernel().problem, None);
    bench.end().await;
}

#[tokio::test]
async fn a_problem_is_over_when_a_run_ends_well() {
    let Some(bench) = Bench::new(&["import os; os._exit(3)", "1/0", "1"]) else { return };
    bench.ended(&[0]).await;
    bench.session().answers().await.unwrap();
    bench.ended(&[1]).await;
    assert_eq!(bench.session().kernel().problem.unwrap().code, "kernel_died", "what it knew is still gone");
    bench.ended(&[2]).await;
    assert_eq!(bench.session().kernel().problem, None);
    bench.end().await;
}

#[tokio::test]
async fn a_flood_is_kept_whole_and_shown_in_bounds() {
    let Some(bench) = Bench::new(&["for i in range(100000): print('%06d' % i + 'x' * 73)"]) else { return };
    let (session, mut told) = (bench.session(), Vec::new());
    let mut watch = session.watch();
    let id = bench.run(&[0]).await.remove(0);
    let ended = session.ended(&id).await.unwrap();
    let text = printed(&ended);
    assert_eq!(text.len(), 8_000_000);
    assert!(text.lines().enumerate().all(|(at, line)| line.starts_with(&format!("{at:06}x"))));
    until(&mut watch, &mut told, |news| {
        matches!(news, NotebookNews::Outputs { outputs, .. }
            if matches!(&outputs[..], [CellOutput::Stream { text, omitted, tail, .. }]
                if text.len() + *omitted as usize + tail.len() == 8_000_000 && tail.ends_with('\n')))
    })
    .await;
    bench.file_with("099999x").await;
    bench.end().await;
}

/// The same with runs that may put out so much.
fn bounded(bench: Bench, most_output: usize) -> Bench {
    let Bench { folder, workspace, sessions } = bench;
    drop((workspace, sessions));
    let (workspace, sessions) = sessions_with(&folder, most_output);
    Bench { folder, workspace, sessions }
}

#[tokio::test]
async fn what_puts_out_without_end_waits_for_a_person() {
    let code = "import time\nwhile True:\n    print('x' * 99_999); time.sleep(0.01)";
    let Some(bench) = Bench::new(&[code, "2"]) else { return };
    let bench = bounded(bench, 1 << 20);
    let (session, mut watch) = (bench.session(), bench.session().watch());
    let ids = bench.run(&[0, 1]).await;
    let mut held = Vec::new();
    for _ in 0..2 {
        until(
            &mut watch,
            &mut Vec::new(),
            |news| matches!(news, NotebookNews::Kernel(kernel) if kernel.holds.is_some()),
        )
        .await;
        let holds = session.kernel().holds.unwrap();
        assert_eq!(holds.execution, ids[0]);
        held.push(holds.bytes >> 20);
        if held.len() == 1 {
            session.go_on(ids[0].clone()).await.unwrap();
            assert!(session.kernel().holds.is_none() && session.go_on(ids[0].clone()).await.is_err());
        }
    }
    assert!(held[0] >= 1 && held[1] > held[0], "{held:?}");
    session.interrupt().await.unwrap();
    let ended = session.ended(&ids[0]).await.unwrap();
    let text = printed(&ended);
    assert_eq!(ended.execution.state, ExecutionState::Failed);
    assert!(
        text.contains("[what was put out after this was not kept: it was too much]")
            && text.ends_with("KeyboardInterrupt: ")
    );
    assert!(text.len() < 8 << 20, "{}", text.len());
    assert_eq!(session.kernel().holds, None);
    bench.end().await;
}

#[tokio::test]
async fn what_takes_the_place_of_other_outputs_is_not_held_back() {
    let code = "from IPython.display import clear_output\nfor i in range(60):\n    clear_output(wait=True); print(i, 'x' * 99_999, flush=True)";
    let Some(bench) = Bench::new(&[code]) else { return };
    let mut bench = bounded(bench, 1 << 20);
    let ended = bench.ended(&[0]).await;
    assert_eq!(states(&ended), [ExecutionState::Ok]);
    assert!(printed(&ended[0]).starts_with("59 x"));
    bench = bench.started_again();
    let outputs = bench.session().outputs(&key(0)).await.unwrap();
    assert!(matches!(&outputs[..], [Output::Stream { text, .. }] if text.starts_with("59 x")), "{}", outputs.len());
    bench.session().answers().await.unwrap();
    bench.end().await;
}

#[tokio::test]
async fn what_comes_together_with_the_end_of_a_large_piece_is_not_lost() {
    let code = "import sys\nfor i in range(20):\n    print('x' * 1_500_000, flush=True)\n    print(i, flush=True)";
    let Some(bench) = Bench::new(&["1", code]) else { return };
    bench.ended(&[0]).await;
    let id = bench.run(&[1]).await.remove(0);
    until(
        &mut bench.session().watch(),
        &mut Vec::new(),
        |news| matches!(news, NotebookNews::Outputs { cell, .. } if *cell == key(1)),
    )
    .await;
    // Nobody here hears anything for a while, so that much has come when somebody does.
    std::thread::sleep(std::time::Duration::from_secs(1));
    let text = printed(&bench.session().ended(&id).await.unwrap());
    let small: Vec<_> = text.lines().filter(|line| !line.starts_with('x')).map(str::to_owned).collect();
    assert_eq!(small, (0..20).map(|line| line.to_string()).collect::<Vec<_>>());
    assert_eq!(text.bytes().filter(|byte| *byte == b'x').count(), 20 * 1_500_000);
    bench.end().await;
}

#[tokio::test]
async fn a_kernel_that_dies_is_started_again_and_says_so() {
    let Some(bench) = Bench::new(&["import os; os._exit(3)", "1"]) else { return };
    let ended = bench.ended(&[0, 1]).await;
    assert_eq!(states(&ended), [ExecutionState::Lost, ExecutionState::Aborted]);
    let (session, mut told) = (bench.session(), Vec::new());
    until(&mut session.watch(), &mut told, kernel_is(KernelState::Idle)).await;
    let NotebookKernel { problem, .. } = session.kernel();
    assert!(problem.unwrap().message.starts_with("the kernel died (exit code 3"));
    assert_eq!(states(&bench.ended(&[1]).await), [ExecutionState::Ok]);
    bench.end().await;
}

/// The lines that the code of these tests prints.
fn lines(count: usize) -> String {
    (0..count).map(|at| format!("line {at}\n")).collect()
}

/// Until a cell has printed this.
async fn until_printed(session: &Arc<Session>, wanted: &str) {
    until(&mut session.watch(), &mut Vec::new(), |news| {
        matches!(news, NotebookNews::Outputs { outputs, .. }
            if matches!(&outputs[..], [CellOutput::Stream { text, .. }] if text.contains(wanted)))
    })
    .await;
}

#[tokio::test]
async fn after_each_restart_of_the_server_a_run_goes_on_and_no_line_is_lost() {
    let code = "import time\nfor i in range(30):\n    print('line', i, flush=True); time.sleep(0.05)";
    let Some(mut bench) = Bench::new(&["x = 1", code, "x"]) else { return };
    bench.ended(&[0]).await;
    let ids = bench.run(&[1, 2]).await;
    for at in [2, 7, 16] {
        until_printed(&bench.session(), &format!("line {at}\n")).await;
        bench = bench.started_again();
    }
    let session = bench.session();
    let first = session.ended(&ids[0]).await.unwrap();
    assert_eq!((printed(&first), first.execution.state), (lines(30), ExecutionState::Ok));
    let last = session.ended(&ids[1]).await.unwrap();
    assert!(printed(&last).contains("\"1\""), "the kernel is the same: {last:?}");
    bench.file_with("line 29").await;
    bench.end().await;
}

#[tokio::test]
async fn what_ended_and_what_was_asked_while_no_server_ran_is_seen_when_one_does() {
    let wait = "import time, os\nwhile not os.path.exists('go'): time.sleep(0.01)\n";
    let code = format!("{wait}for i in range(30): print('line', i, flush=True)\nopen('done', 'w').close()");
    let Some(bench) = Bench::new(&[&code, "print(input('name? '))"]) else { return };
    let ids = bench.run(&[0, 1]).await;
    until(&mut bench.session().watch(), &mut Vec::new(), kernel_is(KernelState::Busy)).await;
    let folder = bench.folder.path().to_owned();
    let Bench { folder: kept, workspace, sessions: before } = bench;
    drop((before, workspace));
    fs::write(folder.join("go"), "").unwrap();
    while !folder.join("done").exists() {
        tokio::task::yield_now().await;
    }
    let (workspace, sessions) = sessions(&kept);
    let bench = Bench { folder: kept, workspace, sessions };
    let first = bench.session().ended(&ids[0]).await.unwrap();
    assert_eq!((printed(&first), first.execution.state), (lines(30), ExecutionState::Ok));
    let asks = |news: &NotebookNews| matches!(news, NotebookNews::Kernel(kernel) if kernel.asks.is_some());
    until(&mut bench.session().watch(), &mut Vec::new(), asks).await;
    let bench = bench.started_again();
    until(&mut bench.session().watch(), &mut Vec::new(), asks).await;
    let question = bench.session().kernel().asks.unwrap().question;
    bench.session().answer(ids[1].clone(), question, "Ada".to_owned()).await.unwrap();
    assert_eq!(printed(&bench.session().ended(&ids[1]).await.unwrap()), "name? Ada\nAda\n");
    bench.end().await;
}

/// Until something is so that nobody tells of.
async fn until_so(is_so: impl Fn() -> bool) {
    while !is_so() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

fn is_alive(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty() && !rest.trim_start().starts_with(['Z', 'X']))
}

#[tokio::test]
async fn what_a_kernel_said_before_it_ended_while_no_server_ran_is_there() {
    let wait = "import time, os\nwhile not os.path.exists('go'): time.sleep(0.01)\n";
    let end = "time.sleep(0.2)\nopen('pid', 'w').write(str(os.getpid()))\nos._exit(3)";
    let code = format!("{wait}for i in range(30): print('line', i, flush=True); time.sleep(0.002)\n{end}");
    let Some(bench) = Bench::new(&[&code, "2"]) else { return };
    let ids = bench.run(&[0, 1]).await;
    until(&mut bench.session().watch(), &mut Vec::new(), kernel_is(KernelState::Busy)).await;
    let Bench { folder, workspace, sessions: before } = bench;
    drop((before, workspace));
    fs::write(folder.path().join("go"), "").unwrap();
    until_so(|| fs::read_to_string(folder.path().join("pid")).is_ok_and(|pid| !pid.is_empty() && !is_alive(&pid)))
        .await;
    let (workspace, sessions) = sessions(&folder);
    let bench = Bench { folder, workspace, sessions };
    let first = bench.session().ended(&ids[0]).await.unwrap();
    assert_eq!((printed(&first), first.execution.state), (lines(30), ExecutionState::Lost));
    assert_eq!(bench.session().ended(&ids[1]).await.unwrap().execution.state, ExecutionState::Aborted);
    bench.file_with("line 29").await;
    assert_eq!(bench.session().kernel().state, KernelState::Absent);
}

/// The relay of a kernel is killed, and for as long as this is held there can be no other.
async fn unreachable(connection_file: &str) -> fs::File {
    let held = fs::File::open(connection_file).unwrap();
    while held.try_lock().is_err() {
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let line = fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
            if line.contains("kernel-relay") && line.contains(connection_file) {
                Command::new("kill").arg("-9").arg(entry.file_name()).status().unwrap();
            }
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    held
}

#[tokio::test]
async fn a_kernel_that_can_not_be_reached_is_looked_for_until_it_is_found_or_ended() {
    let file = "import os, ipykernel; print(ipykernel.get_connection_file(), os.getpid(), sep='\\n'); x = 41";
    let Some(mut bench) = Bench::new(&[file, "x + 1"]) else { return };
    let told = printed(&bench.ended(&[0]).await[0]);
    let (file, pid) = told.trim().split_once('\n').unwrap();
    bench.file_with(pid).await;
    let unreached = |bench: &Bench| bench.session().kernel().problem.is_some_and(|problem| problem.code == "unreached");
    for is_found in [true, false] {
        let Bench { folder, workspace, sessions: before } = bench;
        drop((before, workspace));
        let held = unreachable(file).await;
        let (workspace, sessions) = sessions(&folder);
        bench = Bench { folder, workspace, sessions };
        until_so(|| unreached(&bench)).await;
        assert_eq!(bench.sessions.running().len(), 1, "it is listed");
        if is_found {
            drop(held);
            assert!(printed(&bench.ended(&[1]).await[0]).contains("42"), "it is the same");
            assert_eq!(bench.session().kernel().problem, None);
        } else {
            bench.session().shut_down().await.unwrap();
            assert!(!is_alive(pid) && bench.sessions.running().is_empty());
        }
    }
}

#[tokio::test]
async fn what_was_not_begun_before_a_restart_of_the_server_keeps_what_it_had_put_out() {
    let Some(bench) = Bench::new(&["1/0", "print('kept')"]) else { return };
    bench.ended(&[1]).await;
    bench.file_with("kept\\n").await;
    let ended = bench.ended(&[0, 1]).await;
    assert_eq!(states(&ended), [ExecutionState::Failed, ExecutionState::Aborted]);
    bench.file_with("ZeroDivisionError").await;
    let bench = bench.started_again();
    bench.session().answers().await.unwrap();
    // Something else is written, and with it everything that is not in the file.
    bench.ended(&[0]).await;
    bench.file_with("\"execution_count\":3").await;
    let printed: String =
        bench.session().outputs(&key(1)).await.unwrap().iter().map(|one| one.write().as_str().to_owned()).collect();
    assert!(printed.contains("kept"), "{printed}");
    bench.end().await;
}

#[tokio::test]
async fn input_is_asked_for_and_passwords_are_kept_nowhere() {
    let Some(bench) =
        Bench::new(&["a = input('name? '); import getpass; b = getpass.getpass('word? '); print(a, len(b))"])
    else {
        return;
    };
    let (session, mut told) = (bench.session(), Vec::new());
    let mut watch = session.watch();
    let id = bench.run(&[0]).await.remove(0);
    let mut before = None;
    for (value, is_password) in [("Ada", false), ("very secret", true)] {
        until(&mut watch, &mut told, |news| {
            matches!(news, NotebookNews::Kernel(kernel) if kernel.asks.as_ref().is_some_and(|asks| asks.password == is_password))
        })
        .await;
        let asked = session.kernel().asks.unwrap().question;
        if let Some(before) = before.replace(asked) {
            assert!(before < asked);
            let late = session.answer(id.clone(), before, "late".to_owned()).await.unwrap_err();
            assert!(matches!(late, SessionError::NotAsked), "it is of the question before: {late}");
        }
        session.answer(id.clone(), asked, value.to_owned()).await.unwrap();
        assert!(session.answer(id.clone(), asked, "twice".to_owned()).await.is_err());
    }
    let ended = session.ended(&id).await.unwrap();
    assert_eq!(printed(&ended), "name? Ada\nword? ········\nAda 11\n");
    bench.end().await;
}

const MANY: &str = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000005) select i from n";

#[tokio::test]
async fn sql_cells_ask_a_file_and_leave_a_table_and_a_variable() {
    let cell = |at: usize, ours: Value, source: &str| {
        let metadata = if ours.is_null() { json!({}) } else { json!({ "aside": ours }) };
        json!({"cell_type": "code", "execution_count": null, "id": format!("c{at}"), "metadata": metadata, "outputs": [], "source": [source]})
    };
    let of_file = |result: &str| json!({"cell": "sql", "connection": "tides.db", "result": result});
    let code = Value::Null;
    let Some(bench) = Bench::of(vec![
        cell(
            0,
            code.clone(),
            "import sqlite3; sqlite3.connect('tides.db').executescript('create table t(a, b)')\nlow = 2",
        ),
        cell(1, of_file("x"), "insert into t values (1, 'a;''b'), (2, null), (3, '); import os');"),
        cell(2, of_file("tides"), "select a, b from t where a >= :low -- ;"),
        cell(3, code, "print(len(tides), sorted(name for name in dir() if 'aside' in name or name == 'm'))"),
        cell(4, of_file("x"), "select nope from t"),
        cell(5, json!({"cell": "sql", "connection": "no.db"}), "select 1"),
        cell(6, json!({"cell": "sql"}), "select 'a' || 1 as word"),
        cell(7, of_file("not a name"), "select 1"),
        cell(8, of_file("many"), MANY),
        cell(9, of_file(""), MANY),
    ]) else {
        return;
    };
    let ended = bench.ended(&[0, 1, 2, 3, 4]).await;
    let told: Vec<_> = ended.iter().map(printed).collect();
    assert!(told[1].contains("3 rows changed"), "{told:?}");
    for part in ["application/vnd.dataresource+json", "text/html", "2 rows, also in tides", "); import os", "NULL"] {
        assert!(told[2].contains(part), "{part}: {}", told[2]);
    }
    assert_eq!(told[3], "2 []\n", "nothing but the result is left behind");
    assert_eq!(told[4], "SQLError: OperationalError: no such column: nope");
    let alone = async |at: usize| printed(&bench.ended(&[at]).await[0]);
    let missing = alone(5).await;
    assert!(missing.starts_with("SQLError: there is no database 'no.db'") && missing.ends_with("here are tides.db"));
    assert!(alone(6).await.contains("a1"), "without a file it asks the kernel");
    assert!(alone(7).await.starts_with("SQLError: 'not a name' can be no variable"));
    assert!(alone(8).await.starts_with("SQLError: more than 1000000 rows: add a LIMIT"));
    assert!(alone(9).await.contains("1000005 rows"), "what no variable holds is counted and let go");
    bench.end().await;
}

#[tokio::test]
async fn sql_cells_ask_data_frames_and_files_of_duckdb_and_leave_data_frames() {
    let cell = |at: usize, ours: Value, source: &str| {
        let metadata = if ours.is_null() { json!({}) } else { json!({ "aside": ours }) };
        json!({"cell_type": "code", "execution_count": null, "id": format!("c{at}"), "metadata": metadata, "outputs": [], "source": [source]})
    };
    let of = |connection: &str, result: &str| json!({"cell": "sql", "connection": connection, "result": result});
    let code = Value::Null;
    let begin = "import duckdb, pandas\nleast = 1.0\nbase = duckdb.connect('tides.duckdb')\nbase.execute('create table t(a integer, day date)'); base.close()\n\
        heights = pandas.DataFrame({'station': ['a', 'b', 'b', 'c'], 'height': [1.5, 2.0, 3.5, 0.5]})";
    let sum = "select station, sum(height) as total, '$nope' as word from heights where height > $least group by station order by station";
    let Some(bench) = Bench::of(vec![
        cell(0, code.clone(), begin),
        cell(1, of("", "sums"), sum),
        cell(2, code.clone(), "print(type(sums).__name__, list(sums.columns), sums.total.tolist())"),
        cell(3, of("tides.duckdb", "days"), "insert into t values (1, '2026-01-02'), (2, null)"),
        cell(4, code.clone(), "print('days' in globals())"),
        cell(5, of("tides.duckdb", "days"), "begin; delete from t where a > 5; commit; select * from t order by a"),
        cell(6, code, "print(type(days).__name__, days.a.tolist(), days.day.isna().tolist())"),
        cell(7, of("tides.duckdb", ""), "update t set a = 7 where a = 1 returning a"),
        cell(8, of("tides.duckdb", ""), "select nope from t"),
    ]) else {
        return;
    };
    if !bench.has("duckdb") || !bench.has("pandas") {
        eprintln!("NOT TESTED: there are no pandas and duckdb beside the kernel (`cargo xtask test` installs them)");
        return;
    }
    let ended = bench.ended(&[0, 1, 2, 3, 4, 5, 6, 7, 8]).await;
    let told: Vec<_> = ended.iter().map(printed).collect();
    assert!(
        told[1].contains("2 rows, also in sums") && told[1].contains("5.5") && told[1].contains("$nope"),
        "{told:?}"
    );
    assert_eq!(told[2], "DataFrame ['station', 'total', 'word'] [1.5, 5.5]\n");
    assert!(
        told[3].contains("2 rows changed") && told[4] == "False\n",
        "what changes rows leaves no variable: {told:?}"
    );
    assert!(
        told[5].contains("2 rows, also in days") && told[5].contains("2026-01-02") && told[5].contains("NULL"),
        "{told:?}"
    );
    assert_eq!(told[6], "DataFrame [1, 2] [False, True]\n");
    assert!(told[7].contains("1 row") && !told[7].contains("changed"), "{told:?}");
    assert!(told[8].starts_with("SQLError: BinderException"), "{told:?}");
    bench.end().await;
}

#[tokio::test]
async fn what_another_program_makes_of_outputs_is_told_and_is_not_of_a_run_here() {
    let Some(bench) = Bench::new(&["print('ours')", "2"]) else { return };
    bench.ended(&[0]).await;
    let file = bench.file_with("ours\\n").await;
    let session = bench.session();
    let (mut watch, mut told) = (session.watch(), Vec::new());
    until(&mut watch, &mut told, |news| matches!(news, NotebookNews::CaughtUp)).await;
    let text = serde_json::to_string_pretty(&file).unwrap().replace("\"ours\\n\"", "\"theirs\\n\"");
    fs::write(bench.folder.path().join("a.ipynb"), text).unwrap();
    until(&mut watch, &mut told, |news| {
        matches!(news, NotebookNews::Outputs { cell, execution: None, outputs, .. } if *cell == key(0)
            && matches!(&outputs[..], [CellOutput::Stream { text, .. }] if text == "theirs\n"))
    })
    .await;
    bench.end().await;
}

#[tokio::test]
async fn trust_is_kept_and_goes_with_the_notebook() {
    let Some(bench) = Bench::new(&["1"]) else { return };
    assert!(!bench.session().is_trusted().await.unwrap());
    bench.session().trust(true, None).await.unwrap();
    let bench = bench.started_again();
    assert!(bench.session().is_trusted().await.unwrap());
    let to = WorkspacePath::new("b.ipynb").unwrap();
    bench.sessions.moved(&path(), &to);
    fs::rename(bench.folder.path().join("a.ipynb"), bench.folder.path().join("b.ipynb")).unwrap();
    let moved = bench.sessions.session(&to).unwrap();
    assert!(moved.is_trusted().await.unwrap() && !bench.session().is_trusted().await.unwrap());
    moved.trust(false, None).await.unwrap();
    assert!(!moved.is_trusted().await.unwrap());
}

#[tokio::test]
async fn trust_is_of_what_was_looked_at_and_also_of_prompts_and_answers_of_models() {
    let answer = |text: &str| {
        json!({"cell_type": "code", "execution_count": null, "id": "c0", "metadata": {"aside": {"cell": "ai"}},
        "source": ["why?"], "outputs": [{"output_type": "display_data", "metadata": {}, "data": {"text/markdown": [text]}}]})
    };
    let Some(bench) = Bench::of(vec![answer("Because.")]) else { return };
    let first = bench.session().trust_now().await.unwrap();
    assert!(!first.outputs && !first.said && first.waits, "somebody's answers: {first:?}");
    let file = bench.folder.path().join("a.ipynb");
    let other = json!({"cells": [answer("Obey.")], "metadata": {"user_saved_prompt": "Rhyme."}, "nbformat": 4, "nbformat_minor": 5});
    fs::write(&file, other.to_string()).unwrap();
    let bench = bench.started_again();
    let error = bench.session().trust(true, Some(first.seen.as_str())).await.unwrap_err();
    assert!(matches!(&error, SessionError::Changed(_)), "{error}");
    let now = bench.session().trust_now().await.unwrap();
    assert!(!now.said && now.waits);
    bench.session().trust(true, Some(now.seen.as_str())).await.unwrap();
    let now = bench.session().trust_now().await.unwrap();
    assert!(now.outputs && now.said && !now.waits, "{now:?}");
    // Another prompt is another question, whatever the outputs are.
    bench.workspace.document(&path()).unwrap().set_notebook_metadata("user_saved_prompt", Some("\"Swear.\"")).unwrap();
    let now = bench.session().trust_now().await.unwrap();
    assert!(now.outputs && now.waits, "{now:?}");
}

#[tokio::test]
async fn trust_is_of_what_stood_there_and_not_of_what_another_program_writes() {
    let shown = |html: &str| {
        let data = json!({"text/html": [html]});
        json!([{"output_type": "display_data", "data": data, "metadata": {}}])
    };
    let cell = |id: &str, outputs: Value| json!({"cell_type": "code", "execution_count": 1, "id": id, "metadata": {}, "outputs": outputs, "source": ["print('own')"]});
    let Some(bench) = Bench::of(vec![cell("c0", shown("<b>theirs</b>")), cell("c1", json!([]))]) else { return };
    bench.session().trust(true, None).await.unwrap();
    bench.ended(&[1]).await;
    let mut file = bench.file_with("own\\n").await;
    assert!(bench.session().is_trusted().await.unwrap(), "what was run here takes nothing away");
    bench.session().shut_down().await.unwrap();

    let bench = bench.started_again();
    let own = async |bench: &Bench| told(&mut bench.session().watch()).await;
    assert!(bench.session().is_trusted().await.unwrap() && own(&bench).await["c1"]);
    // Nobody watches while another program writes.
    file["cells"][0]["outputs"] = shown("<script>evil()</script>");
    file["cells"][1]["outputs"] = shown("<script>more()</script>");
    fs::write(bench.folder.path().join("a.ipynb"), serde_json::to_string(&file).unwrap()).unwrap();
    let bench = bench.started_again();
    assert!(!bench.session().is_trusted().await.unwrap(), "the path is the same, the content is not");
    assert!(!own(&bench).await["c1"], "it was not put out here");
    let mut other_window = bench.session().watch();
    told(&mut other_window).await;
    bench.session().trust(true, None).await.unwrap();
    while !other_window.next().await.unwrap().contains(&NotebookNews::Trust) {}
    assert!(bench.session().is_trusted().await.unwrap());
}

/// A person's folder of Jupyter, as `nbformat.sign` leaves it.
struct Jupyter(NotebookSecret);

impl Jupyter {
    fn of_this_process() -> Self {
        let around = Surroundings::of_process(Path::new("/"));
        let folder = PathBuf::from(&around.variables["JUPYTER_DATA_DIR"]);
        fs::write(folder.join("notebook_secret"), "c2VjcmV0\n").unwrap();
        let tables = "CREATE TABLE nbsignatures (id integer PRIMARY KEY AUTOINCREMENT, algorithm text, signature text, \
            path text, last_seen timestamp)";
        aside_store::open_tables(&folder.join("nbsignatures.db"), &[tables]).unwrap();
        Self(NotebookSecret::read(&Disk, &around).unwrap())
    }

    fn signature(&self, file: &Path) -> String {
        let text = fs::read_to_string(file).unwrap();
        self.0.sign(|feed| aside_notebook::signed_parts(&text, feed)).unwrap()
    }

    fn sign(&self, file: &Path) {
        let insert = "INSERT INTO nbsignatures (algorithm, signature) VALUES ('sha256', ?1)";
        let database = aside_store::open_shared(self.0.database()).unwrap();
        database.execute(insert, [self.signature(file)]).unwrap();
    }

    fn knows(&self, file: &Path) -> bool {
        let database = aside_store::open_shared(self.0.database()).unwrap();
        let mut found = database.prepare("SELECT 1 FROM nbsignatures WHERE signature = ?1").unwrap();
        found.exists([self.signature(file)]).unwrap()
    }
}

/// Runs a test once more in a process whose person has used Jupyter; tells whether this is that process.
fn has_used_jupyter(test: &str) -> bool {
    const HERE: &str = "ASIDE_TEST_JUPYTER";
    if env::var_os(HERE).is_some() {
        return true;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut again = Command::new(env::current_exe().unwrap());
    again.args(["--exact", test, "--nocapture"]).env("JUPYTER_DATA_DIR", folder.path()).env(HERE, "1");
    let output = again.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    false
}

#[tokio::test]
async fn what_was_signed_in_jupyter_stays_trusted_after_an_edit_and_is_signed_there_again() {
    if !has_used_jupyter("what_was_signed_in_jupyter_stays_trusted_after_an_edit_and_is_signed_there_again") {
        return;
    }
    let chart = |html: &str| {
        json!({"cell_type": "code", "execution_count": 1, "id": "c0", "metadata": {}, "source": ["x"],
        "outputs": [{"output_type": "display_data", "data": {"text/html": [html]}, "metadata": {}}]})
    };
    let Some(bench) = Bench::of(vec![chart("<script>1</script>")]) else { return };
    let (jupyter, file) = (Jupyter::of_this_process(), bench.folder.path().join("a.ipynb"));
    assert!(!bench.session().is_trusted().await.unwrap());
    jupyter.sign(&file);
    assert!(bench.session().is_trusted().await.unwrap());

    let mut watch = bench.session().watch();
    told(&mut watch).await;
    let watching = tokio::spawn(async move { while watch.next().await.is_ok() {} });
    for value in ["1", "2", "3"] {
        bench.workspace.document(&path()).unwrap().set_notebook_metadata("edited", Some(value)).unwrap();
        assert!(bench.session().is_trusted().await.unwrap(), "an edit takes nothing away");
        bench.workspace.save_all();
        bench.file_with(&format!("\"edited\":{value}")).await;
        while !jupyter.knows(&file) {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
    watching.abort();
}

/// Whether what stands under each cell was put out here.
async fn told(watch: &mut NotebookWatch) -> std::collections::BTreeMap<String, bool> {
    let mut own = std::collections::BTreeMap::new();
    loop {
        for news in watch.next().await.unwrap() {
            match news {
                NotebookNews::Outputs { cell, execution, .. } => _ = own.insert(cell.0, execution.is_some()),
                NotebookNews::CaughtUp => return own,
                _ => (),
            }
        }
    }
}

#[tokio::test]
async fn late_outputs_and_updates_reach_their_cells() {
    let thread = "import threading, time\nprint('soon')\ndef late():\n    time.sleep(1); print('la' + 'te', flush=True)\nthreading.Thread(target=late).start()";
    let Some(bench) = Bench::new(&["h = display('old', display_id='d')", "h.update('new')", thread]) else { return };
    bench.ended(&[0]).await;
    bench.file_with("'old'\"").await;
    bench.ended(&[1]).await;
    bench.file_with("'new'\"").await;
    bench.ended(&[2]).await;
    bench.file_with("\"soon\\n\"").await;
    let file = bench.file_with("\"late\\n\"").await;
    assert_eq!(file["cells"][0]["outputs"][0]["data"]["text/plain"], json!(["'new'"]));
    assert_eq!(file["cells"][2]["outputs"][0]["text"], json!(["soon\n", "late\n"]));
    bench.end().await;
}

#[tokio::test]
async fn it_knows_what_could_stand_there_and_what_is_there() {
    let Some(bench) = Bench::new(&["somewhere = 41"]) else { return };
    bench.ended(&[0]).await;
    let completions = bench.session().complete("'😀'; somewh", 12).await.unwrap();
    assert_eq!((completions.matches, completions.start, completions.end), (vec!["somewhere".to_owned()], 6, 12));
    let text = bench.session().inspect("somewhere", 3).await.unwrap().unwrap();
    assert!(text.contains("41"), "{text}");
    bench.end().await;
}

fn asked(names: &[&str]) -> AskedVariables {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    AskedVariables { names, find: String::new(), apart: ["kept".to_owned()].into(), most: 20, each: 40 }
}

#[tokio::test]
async fn what_is_defined_is_listed_in_short_and_nothing_is_changed_by_that() {
    let define = "import json\nkept = 'secret'\n_hidden = 1\nnumber = 41\nmany = list(range(100_000))\nwords = 'w' * 10**7\n\
        class Odd:\n    shape = (2, 3)\n    def __repr__(self): raise ValueError\nodd = Odd()\n\
        class Plain: pass\nplain = Plain()\nhuge = 10 ** 10_000\ndef double(x, y=1): return x\nnumber + 1";
    let Some(bench) = Bench::new(&[define, "_, len(In), number"]) else { return };
    assert!(matches!(bench.session().variables(&asked(&[])).await, Err(SessionError::NotRunning(_))));
    bench.ended(&[0]).await;
    let found = bench.session().variables(&asked(&[])).await.unwrap();
    let of = |name: &str| found.variables.iter().find(|one| one.name == name).cloned().unwrap();
    let value = |name: &str| of(name).value.unwrap();
    let names: Vec<_> = found.variables.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["json", "number", "many", "words", "Odd", "odd", "Plain", "plain", "huge", "double"]);
    assert_eq!((found.more, found.kept), (0, 1));
    assert_eq!((value("number"), value("json"), value("double")), ("41".into(), "json".into(), "(x, y=1)".into()));
    assert_eq!(
        (of("many").length, of("words").length, of("odd").shape),
        (Some(100_000), Some(10_000_000), Some(vec![2, 3]))
    );
    assert!(value("many").starts_with("[0, 1, 2, ") && value("many").ends_with('…'), "{}", value("many"));
    assert!(value("words").chars().count() <= 41 && value("odd").is_empty() && value("plain").is_empty());
    assert_eq!(value("huge"), "a number of 33220 bits");
    let one = bench.session().variables(&asked(&["number", "kept"])).await.unwrap();
    assert_eq!((one.variables.len(), one.kept), (1, 1));
    // The history, the count and the last value are what they were.
    let after = bench.ended(&[1]).await;
    assert!(printed(&after[0]).contains("(42, 3, 41)"), "{}", printed(&after[0]));
    assert_eq!(after[0].execution.count, Some(2));
    bench.end().await;
}

#[tokio::test]
async fn a_kernel_that_runs_something_is_not_asked_what_it_has() {
    let Some(bench) = Bench::new(&["print('go', flush=True)\nimport time; time.sleep(60)"]) else { return };
    bench.run(&[0]).await;
    until_printed(&bench.session(), "go").await;
    assert!(matches!(bench.session().variables(&asked(&[])).await, Err(SessionError::Busy)));
    bench.end().await;
}

#[tokio::test]
async fn what_is_cleared_is_gone_and_a_moved_notebook_keeps_its_kernel() {
    let Some(bench) = Bench::new(&["print('a'); x = 1", "x"]) else { return };
    bench.ended(&[0]).await;
    bench.file_with("a\\n").await;
    let kept = bench.session().kept(&[key(0), key(1)]).await.unwrap();
    assert_eq!(kept.len(), 1, "what has put out nothing is not kept");
    bench.session().clear(&[key(0)]).await.unwrap();
    bench.file_where(|file: &Value| file["cells"][0]["outputs"] == json!([])).await;
    bench.session().put_back(kept).await.unwrap();
    let file = bench.file_with("a\\n").await;
    assert_eq!(file["cells"][0]["execution_count"], 1);
    bench.session().clear(&[key(0)]).await.unwrap();
    let cleared = |file: &Value| file["cells"][0]["outputs"] == json!([]);
    let file = bench.file_where(cleared).await;
    assert_eq!((&file["cells"][0]["outputs"], &file["cells"][0]["execution_count"]), (&json!([]), &Value::Null));
    let to = WorkspacePath::new("b.ipynb").unwrap();
    fs::rename(bench.folder.path().join("a.ipynb"), bench.folder.path().join("b.ipynb")).unwrap();
    bench.sessions.moved(&path(), &to);
    let session = bench.sessions.session(&to).unwrap();
    let id = session.run(vec![CellToRun { key: key(1), code: "x".into(), sql: None }], true).unwrap().remove(0);
    assert_eq!(session.ended(&id).await.unwrap().execution.state, ExecutionState::Ok);
    session.shut_down().await.unwrap();
    assert!(bench.sessions.running().is_empty());
}

#[tokio::test]
async fn a_kernel_that_is_not_there_is_said_and_the_one_that_runs_goes_on() {
    let Some(bench) = Bench::new(&["1"]) else { return };
    assert!(bench.session().interrupt().await.is_err(), "none runs");
    bench.ended(&[0]).await;
    let failed = bench.session().start(Some("no-such".to_owned())).await.unwrap_err();
    assert_eq!(failed.failure().message, "there is no kernel called `no-such`");
    assert_eq!(
        (bench.session().kernel().state, bench.ended(&[0]).await[0].execution.count),
        (KernelState::Idle, Some(2))
    );
    bench.end().await;
}

#[tokio::test]
async fn an_error_in_a_file_of_the_workspace_is_a_problem_of_its_line_until_a_run_ends_well() {
    let Some(bench) = Bench::new(&["import model; model.go()", "1"]) else { return };
    fs::write(bench.folder.path().join("model.py"), "def go():\n    return 1 / 0\n").unwrap();
    let mut changes = bench.workspace.events();
    assert_eq!(states(&bench.ended(&[0]).await), [ExecutionState::Failed]);
    let problems = || bench.workspace.problems(None).unwrap();
    while problems().is_empty() {
        changes.recv().await.unwrap();
    }
    let problem = problems().remove(0);
    assert_eq!((problem.path.unwrap().as_str(), problem.line), ("model.py", Some(2)));
    assert_eq!((problem.source, problem.program.as_deref()), (ProblemSource::Kernel, Some("a.ipynb")));
    assert_eq!(problem.message, "ZeroDivisionError: division by zero");
    bench.ended(&[1]).await;
    assert_eq!(problems(), []);
    bench.end().await;
}
