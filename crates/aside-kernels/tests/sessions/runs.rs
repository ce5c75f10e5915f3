//! Cells that run, and how a window hears of it.

use super::*;

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
async fn the_counts_of_the_file_are_told_of_cells_that_were_not_run_here() {
    let cell = |at: usize, count: Option<u64>| json!({"cell_type": "code", "execution_count": count, "id": format!("c{at}"), "metadata": {}, "outputs": [], "source": ["1"]});
    let Some(bench) = Bench::of(vec![cell(0, Some(7)), cell(1, None)]) else { return };
    let (mut watch, mut told) = (bench.session().watch(), Vec::new());
    until(&mut watch, &mut told, |news| matches!(news, NotebookNews::CaughtUp)).await;
    let counts = told.iter().filter_map(|news| match news {
        NotebookNews::Outputs { cell, count, .. } => Some((cell.clone(), *count)),
        _ => None,
    });
    assert_eq!(counts.collect::<Vec<_>>(), [(key(0), Some(7))]);
    bench.end().await;
}

#[tokio::test]
async fn an_error_ends_the_queue_and_an_interrupt_what_runs() {
    // In one statement: an interrupt while the next one is compiled is told in another way.
    let sleeps = "import time\nfor word in ['go', 'on']:\n    print(word, flush=True)\n    time.sleep(60)";
    let Some(bench) = Bench::new(&["1/0", "2", sleeps]) else { return };
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
    Bench::open_with(bench.killed(), most_output)
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
            // What came meanwhile may be as much again.
            match session.kernel().holds {
                None => assert!(session.go_on(ids[0].clone()).await.is_err()),
                Some(again) => assert!(again.bytes > holds.bytes),
            }
        }
    }
    assert!(held[0] >= 1 && held[1] > held[0], "{held:?}");
    session.interrupt().await.unwrap();
    let ended = session.ended(&ids[0]).await.unwrap();
    let text = printed(&ended);
    assert_eq!(ended.execution.state, ExecutionState::Failed);
    assert!(text.contains("[output after this was dropped: too much output]") && text.ends_with("KeyboardInterrupt: "));
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
    assert!(matches!(&outputs[..], [Output::Stream { text, .. }] if text.starts_with("59 x")), "{outputs:.300?}");
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
    assert_eq!(failed.failure().message, "there is no kernel named `no-such`");
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

#[tokio::test]
async fn help_that_a_cell_asks_for_is_put_out_under_it() {
    let Some(bench) = Bench::new(&["print('a')\nlen?"]) else { return };
    let ended = bench.ended(&[0]).await;
    let [printed, page] = &ended[0].outputs[..] else { panic!("{:?}", ended[0].outputs) };
    assert!(matches!(printed, Output::Stream { text, .. } if text == "a\n"));
    assert!(page.write().as_str().contains("number of items in a container"));
    bench.file_with("number of items in a container").await;
    bench.end().await;
}

#[tokio::test]
async fn what_code_wants_to_have_written_next_is_told_with_its_run() {
    let too_long = "get_ipython().set_next_input('x' * (1 << 20) + 'x')";
    let Some(bench) = Bench::new(&["%load code.py", "get_ipython().set_next_input('x = 2')", too_long]) else { return };
    fs::write(bench.folder.path().join("code.py"), "x = 1\n").unwrap();
    let ended = bench.ended(&[0, 1, 2]).await;
    let next = |at: usize| ended[at].execution.next_input.as_ref().map(|next| (next.text.as_str(), next.replace));
    assert_eq!(next(0), Some(("# %load code.py\nx = 1\n", true)));
    assert_eq!(next(1), Some(("x = 2", false)));
    assert_eq!(next(2), None);
    assert!(printed(&ended[2]).contains("too long: 1048577 bytes"));
    bench.end().await;
}

#[tokio::test]
async fn a_kernel_that_has_run_something_has_something_to_lose_until_it_is_started_anew() {
    let Some(bench) = Bench::new(&["x = 1"]) else { return };
    let session = bench.session();
    session.start(None).await.unwrap();
    assert!(!session.kernel().has_run);
    bench.ended(&[0]).await;
    assert!(session.kernel().has_run);
    session.restart().await.unwrap();
    assert!(!session.kernel().has_run);
    bench.end().await;
}
