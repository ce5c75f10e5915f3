//! A kernel of another language: it is spoken to over TCP, names no error that was raised, prints values, and says `abort`.

use super::*;

/// A notebook of these cells, of a kind each, and an environment that has the kernel.
fn bench(cells: &[(&str, &str)]) -> Option<Bench> {
    let spec = aside_testkit::typescript()?;
    let folder = tempfile::tempdir().unwrap();
    let kernel = folder.path().join(".conda/share/jupyter/kernels/tslab");
    for folder in [&kernel, &folder.path().join(".conda/conda-meta")] {
        fs::create_dir_all(folder).unwrap();
    }
    fs::write(folder.path().join(".conda/conda-meta/history"), "").unwrap();
    fs::write(kernel.join("kernel.json"), spec.to_string()).unwrap();
    // It knows `console` by the types of Node that a project has.
    let packages = Path::new(spec["argv"][1].as_str().unwrap()).ancestors().nth(3).unwrap();
    symlink(packages.canonicalize().unwrap(), folder.path().join("node_modules")).unwrap();
    let cell = |(at, (kind, source)): (usize, &(&str, &str))| json!({"cell_type": "code", "execution_count": null, "id": format!("c{at}"), "metadata": {"aside": {"cell": kind}}, "outputs": [], "source": [source]});
    let cells: Vec<Value> = cells.iter().enumerate().map(cell).collect();
    let metadata = json!({"kernelspec": {"display_name": "TypeScript", "language": "typescript", "name": "tslab"}});
    Some(Bench::over(folder, json!({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})))
}

#[tokio::test]
async fn cells_of_another_language_run_fail_and_are_completed_and_interrupted() {
    let Some(bench) = bench(&[
        ("code", "const x: number = 41; console.log('a')"),
        ("code", "x + 1"),
        ("code", "throw new RangeError('deep')"),
        // It says so when the kernel waits for it: what interrupts it between the two is lost.
        ("code", "setTimeout(() => console.log('go')); await new Promise(done => setTimeout(done, 60_000))"),
    ]) else {
        return;
    };
    let (session, ended) = (bench.session(), bench.ended(&[0, 1]).await);
    assert_eq!(states(&ended), [ExecutionState::Ok; 2]);
    assert_eq!(ended.iter().map(printed).collect::<String>(), "a\n42\n");
    assert_eq!(ended.iter().map(|ended| ended.execution.count).collect::<Vec<_>>(), [Some(1), Some(2)]);
    let file = bench.file_with("language_info").await;
    assert_eq!(file["metadata"]["kernelspec"]["name"], "tslab");
    assert_eq!(file["metadata"]["language_info"]["name"], "typescript");

    let ended = bench.ended(&[2, 1]).await;
    assert_eq!(states(&ended), [ExecutionState::Failed, ExecutionState::Aborted]);
    assert!(printed(&ended[0]).contains("RangeError: deep"), "{}", printed(&ended[0]));

    let completions = session.complete("x.toFix", 7).await.unwrap();
    assert_eq!((&completions.matches[..], completions.start, completions.end), (&["toFixed".to_owned()][..], 2, 7));
    assert!(session.inspect("x", 1).await.unwrap().is_some_and(|said| said.contains("const x: number")));

    assert_eq!(printed(&begun(&bench, 1).await), "42\n");
    let ids = bench.run(&[3, 1]).await;
    until_printed(&session, "go\n").await;
    session.interrupt().await.unwrap();
    for (id, state) in ids.iter().zip([ExecutionState::Failed, ExecutionState::Aborted]) {
        assert_eq!(session.ended(id).await.unwrap().execution.state, state);
    }
    assert_eq!(printed(&begun(&bench, 1).await), "42\n", "what it knows is still there");
    bench.end().await;
}

/// For a moment after an error the kernel begins nothing, whenever it was asked.
async fn begun(bench: &Bench, cell: usize) -> Ended {
    loop {
        let ended = bench.ended(&[cell]).await.remove(0);
        if ended.execution.state != ExecutionState::Aborted {
            return ended;
        }
    }
}

#[tokio::test]
async fn what_only_python_can_do_is_refused_in_words() {
    let Some(bench) = bench(&[("code", "1"), ("sql", "select 1")]) else { return };
    let ended = bench.ended(&[0, 1]).await;
    assert_eq!(states(&ended), [ExecutionState::Ok, ExecutionState::Failed]);
    let wanted = "SQL cells need a Python kernel; the kernel of this notebook is for typescript";
    assert!(printed(&ended[1]).ends_with(wanted), "{}", printed(&ended[1]));
    let asked = AskedVariables { names: vec![], find: String::new(), apart: Default::default(), most: 9, each: 99 };
    let refused = bench.session().variables(&asked).await.unwrap_err();
    assert_eq!(refused.to_string(), "variables can be listed only for Python kernels; this is a kernel of typescript");
    bench.end().await;
}
