//! Nothing is lost of a run when the server is killed.

use super::*;

/// The lines that the code of these tests prints.
fn lines(count: usize) -> String {
    (0..count).map(|at| format!("line {at}\n")).collect()
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
async fn a_server_that_ends_writes_what_was_printed_and_leaves_the_rest_to_the_next() {
    let code = "import time\nfor i in range(600):\n    print('line', i, flush=True); time.sleep(0.002)\nx = 0";
    let Some(mut bench) = Bench::new(&[code, "x += 1\nx"]) else { return };
    let ids = bench.run(&[0, 1]).await;
    for at in [20, 200, 400] {
        until_printed(&bench.session(), &format!("line {at}\n")).await;
        bench.sessions.close().await;
        let file = fs::read_to_string(bench.folder.path().join("a.ipynb")).unwrap();
        assert!(file.contains(&format!("line {at}\\n")), "{file}");
        bench.store.rest().unwrap();
        // What the kernel says now nobody hears.
        tokio::time::sleep(std::time::Duration::from_millis(30)).await;
        bench = bench.started_again();
    }
    let session = bench.session();
    assert_eq!(printed(&session.ended(&ids[0]).await.unwrap()), lines(600));
    let last = session.ended(&ids[1]).await.unwrap();
    assert!(printed(&last).contains("\"1\""), "it ran once: {last:?}");
    bench.end().await;
}

#[tokio::test]
async fn what_the_store_did_not_take_is_told_again() {
    let code = "import time\nfor i in range(300):\n    print('line', i, flush=True); time.sleep(0.002)";
    let Some(bench) = Bench::new(&[code]) else { return };
    let ids = bench.run(&[0]).await;
    until_printed(&bench.session(), "line 20\n").await;
    bench.store.rest().unwrap();
    until_printed(&bench.session(), "line 100\n").await;
    let bench = bench.started_again();
    assert_eq!(printed(&bench.session().ended(&ids[0]).await.unwrap()), lines(300));
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
    let kept = bench.killed();
    fs::write(folder.join("go"), "").unwrap();
    while !folder.join("done").exists() {
        tokio::task::yield_now().await;
    }
    let bench = Bench::open(kept);
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

#[tokio::test]
async fn what_is_shown_by_a_name_is_updated_after_a_restart_of_the_server_too() {
    // What the code puts out does not stand in it: the file has that from the beginning.
    let show = "print('first')\nshown = display('o' + 'ld', display_id=True)";
    let Some(bench) = Bench::new(&[show, "'bet' + 'ween'", "shown.update('n' + 'ew')"]) else { return };
    bench.ended(&[0]).await;
    bench.file_with("'old'").await;
    // When this is in the file, it is known that the other one is.
    bench.ended(&[1]).await;
    bench.file_with("'between'").await;
    let bench = bench.started_again();
    bench.ended(&[2]).await;
    let file = bench.file_with("'new'").await;
    assert_eq!(file["cells"][0]["outputs"][0]["text"], json!(["first\n"]));
    assert_eq!(file["cells"][0]["outputs"][1]["data"]["text/plain"], json!(["'new'"]));
    bench.end().await;
}

/// Until something is so that nobody tells of.
async fn until_so(is_so: impl Fn() -> bool) {
    while !is_so() {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

/// The processes of kernels that work in a folder.
fn kernels_of(folder: &Path) -> Vec<String> {
    let is_one = |pid: &String| {
        let process = Path::new("/proc").join(pid);
        let line = fs::read_to_string(process.join("cmdline")).unwrap_or_default();
        line.contains("ipykernel_launcher") && fs::read_link(process.join("cwd")).is_ok_and(|found| found == folder)
    };
    let names = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(is_one).filter(|pid| is_alive(pid)).collect()
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
    let folder = bench.killed();
    fs::write(folder.path().join("go"), "").unwrap();
    until_so(|| fs::read_to_string(folder.path().join("pid")).is_ok_and(|pid| !pid.is_empty() && !is_alive(&pid)))
        .await;
    let bench = Bench::open(folder);
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
        let folder = bench.killed();
        let held = unreachable(file).await;
        bench = Bench::open(folder);
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
async fn a_kernel_that_was_being_started_is_found_again_and_runs_what_was_asked() {
    let Some(mut bench) = Bench::new(&["open('ran', 'a').write('1')", "print('ran', open('ran').read())"]) else {
        return;
    };
    for is_closed in [true, false] {
        let ids = bench.run(&[0, 1]).await;
        until(&mut bench.session().watch(), &mut Vec::new(), kernel_is(KernelState::Starting)).await;
        until_so(|| kernels_of(bench.folder.path()).len() == 1).await;
        if is_closed {
            bench.sessions.close().await;
        }
        bench = Bench::open(bench.killed());
        let ended = bench.session().ended(&ids[1]).await.unwrap();
        assert_eq!((printed(&ended).as_str(), ended.execution.state), ("ran 1\n", ExecutionState::Ok));
        assert_eq!(kernels_of(bench.folder.path()).len(), 1, "there is no other");
        bench.session().shut_down().await.unwrap();
        fs::remove_file(bench.folder.path().join("ran")).unwrap();
    }
}

#[tokio::test]
async fn what_was_asked_before_a_kernel_was_there_is_told_as_not_begun_after_a_restart_of_the_server() {
    let Some(bench) = Bench::new(&["1", "2"]) else { return };
    let ids = bench.run(&[0, 1]).await;
    let bench = bench.started_again();
    for id in ids {
        let ended = bench.session().ended(&id).await.unwrap();
        assert_eq!((ended.execution.state, ended.outputs.len()), (ExecutionState::Aborted, 0));
    }
    assert_eq!(states(&bench.ended(&[1]).await), [ExecutionState::Ok]);
    bench.end().await;
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
