//! The scripts of the sample workspace, each on files as people have them: seen before, run, and asked about.
#![allow(clippy::disallowed_methods, reason = "these tests start the program and read its workspace")]

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::common::{Server, Workspace};

const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../aside-cli/demo/scripts");

/// A workspace with these files and the scripts.
fn workspace(files: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::new();
    fs::create_dir(workspace.path().join("scripts")).unwrap();
    for entry in fs::read_dir(SCRIPTS).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, workspace.path().join("scripts").join(path.file_name().unwrap())).unwrap();
    }
    for (path, text) in files {
        let whole = workspace.path().join(path);
        fs::create_dir_all(whole.parent().unwrap()).unwrap();
        fs::write(whole, text).unwrap();
    }
    workspace
}

/// Shows a script's changes, checks that it makes none, then runs it; returns the changes that were shown and the end of the run.
fn shown_and_run(workspace: &Workspace, name: &str, args: &Value) -> (Vec<Value>, Value) {
    let (file, args) = (format!("scripts/{name}.ts"), args.to_string());
    assert_eq!(workspace.json(&["script", "check", &file]), (0, json!({ "findings": [] })));
    let before = files_of(workspace.path());
    let (ended, shown) = workspace.json(&["script", "run", &file, "--args", &args, "--dry-run"]);
    assert_eq!((ended, &shown["state"]), (0, &json!("completed")), "{shown}");
    assert_eq!(files_of(workspace.path()), before, "a dry run of {name} changes nothing");
    let (_, run) = workspace.json(&["script", "run", &file, "--args", &args]);
    (shown["changes"].as_array().unwrap().clone(), run)
}

/// All files but those of Aside, with their texts.
fn files_of(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().to_string_lossy().into_owned();
        match entry.file_type().unwrap() {
            _ if name.starts_with('.') => {}
            kind if kind.is_dir() => found.extend(files_of(&entry.path())),
            kind if kind.is_file() => found.push((entry.path().display().to_string(), read(&entry.path()))),
            _ => {}
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

fn completed(run: &Value) -> &Value {
    assert_eq!(run["state"], "completed", "{run}");
    &run["result"]
}

fn notebook(sources: &[&str], output: &str) -> String {
    let outputs = match output {
        "" => json!([]),
        text => json!([{"output_type": "stream", "name": "stdout", "text": [text]}]),
    };
    let cell = |(at, source): (usize, &&str)| json!({"cell_type": "code", "execution_count": null, "id": format!("c{at}"), "metadata": {}, "outputs": outputs, "source": [source]});
    let cells: Vec<Value> = sources.iter().enumerate().map(cell).collect();
    serde_json::to_string_pretty(&json!({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})).unwrap()
}

/// Approves what waits in a task, all of its kind; waits for the end.
fn approve_all(server: &Server, task: &str) -> Value {
    let mut detail = server.ask("GET", &format!("tasks/{task}?settled=true"), "");
    for _ in 0..5 {
        if detail["state"] != "awaiting_confirmation" {
            break;
        }
        let (id, hash) = (detail["pending"]["id"].as_str().unwrap(), &detail["pending"]["hash"]);
        let decision = json!({ "decision": "approve", "scope": "class", "hash": hash });
        server.ask("POST", &format!("actions/{id}/decision"), &decision.to_string());
        detail = server.ask("GET", &format!("tasks/{task}?settled=true"), "");
    }
    assert_eq!(detail["state"], "completed", "{detail}");
    detail["script"].clone()
}

#[test]
fn column_is_renamed_in_forty_notebooks() {
    let workspace = workspace(&[]);
    fs::create_dir_all(workspace.path().join("weeks/late")).unwrap();
    let source =
        "import pandas\ndf = pandas.read_csv('a.csv')\ndf[\"depth\"].plot(title=\"depth of it\")\ndf['depth'] + depth";
    for week in 0..40 {
        let folder = if week < 20 { "weeks" } else { "weeks/late" };
        workspace.put(&format!("{folder}/{week}.ipynb"), &notebook(&["depth = 1", source], "kept\n"));
    }
    let (shown, run) =
        shown_and_run(&workspace, "rename-column", &json!({"from": "depth", "to": "depth_m", "folder": "weeks"}));
    assert_eq!(completed(&run), &json!({ "notebooks": 40, "cells": 40 }));
    assert!(shown.len() == 40 && shown.iter().all(|change| change["completeness"] == "full"), "{shown:?}");
    let renamed = workspace.text("weeks/late/39.ipynb");
    assert!(
        renamed.contains("df[\\\"depth_m\\\"].plot(title=\\\"depth of it\\\")")
            && renamed.contains("df['depth_m'] + depth"),
        "{renamed}"
    );
    assert!(renamed.contains("kept"));
}

#[test]
fn outputs_of_large_notebooks_are_cleared_once_approved() {
    let large = "x".repeat(700_000);
    let workspace = workspace(&[
        ("a.ipynb", &notebook(&["1", "2"], &large)),
        ("b.ipynb", &notebook(&["1", "2"], &large)),
        ("c.ipynb", &notebook(&["1"], "small\n")),
    ]);
    let server = workspace.serve();
    let (shown, run) = shown_and_run(&workspace, "clear-large-outputs", &json!({}));
    assert_eq!(shown.iter().map(|change| change["path"].as_str().unwrap()).collect::<Vec<_>>(), ["a.ipynb", "b.ipynb"]);
    assert_eq!(
        (&run["state"], &run["pending"]["action_type"]),
        (&json!("awaiting_confirmation"), &json!("cell.clear_outputs"))
    );
    let script = approve_all(&server, run["task"].as_str().unwrap());
    assert_eq!(script["result"].as_array().unwrap().len(), 2);
    server.end();
    assert!(!workspace.text("a.ipynb").contains("xxx") && !workspace.text("b.ipynb").contains("xxx"));
    assert!(workspace.text("c.ipynb").contains("small"));
}

#[test]
fn todos_are_collected_into_one_note() {
    let workspace = workspace(&[
        ("notes/a.md", "# A\n\n- [ ] measure 📅 2026-12-01\n- [x] done\n"),
        ("b.md", "- [ ] call [[a]]\n"),
    ]);
    let (shown, run) = shown_and_run(&workspace, "collect-todos", &json!({}));
    assert_eq!((completed(&run), shown.len()), (&json!({ "notes": 2, "todos": 2 }), 1));
    let note = workspace.text("notes/open-todos.md");
    assert!(
        note.contains("## [[notes/a]]\n\n- measure (due 2026-12-01)\n") && note.contains("- call [[a]]\n"),
        "{note}"
    );
    workspace.put("b.md", "- [x] call [[a]]\n");
    // The whole text of a note is replaced only with a person's yes.
    let server = workspace.serve();
    let (_, again) = shown_and_run(&workspace, "collect-todos", &json!({}));
    let script = approve_all(&server, again["task"].as_str().unwrap());
    assert_eq!(script["result"], json!({ "notes": 1, "todos": 1 }));
    server.end();
    assert!(!workspace.text("notes/open-todos.md").contains("call"));
}

#[test]
fn notebooks_run_into_a_table() {
    let Some(prefix) = aside_testkit::python() else { return };
    let files = [("one.ipynb", notebook(&["x = 41", "print(x + 1)"], "")), ("two.ipynb", notebook(&["1/0", "2"], ""))];
    let workspace = workspace(&files.each_ref().map(|(path, text)| (*path, text.as_str())));
    std::os::unix::fs::symlink(prefix, workspace.path().join(".venv")).unwrap();
    let server = workspace.serve();
    let args = json!({ "notebooks": ["one.ipynb", "two.ipynb"] });
    let (shown, run) = shown_and_run(&workspace, "last-outputs", &args);
    assert_eq!(
        shown.iter().map(|change| change["completeness"].as_str().unwrap()).collect::<Vec<_>>(),
        ["opaque", "opaque", "partial"]
    );
    let script = approve_all(&server, run["task"].as_str().unwrap());
    assert_eq!(script["result"][0], json!({ "notebook": "one.ipynb", "state": "done", "last": "42" }), "{script}");
    assert_eq!(script["result"][1]["state"], "failed");
    server.end();
    let table = workspace.text("results.md");
    assert!(table.contains("| one.ipynb | done | 42 |") && table.contains("ZeroDivisionError"), "{table}");
}

#[test]
fn headings_of_chapters_are_fixed() {
    let chapter = "---\ntags: [x]\n# no heading\n---\n# One\n\n# Two\n\n#### Deep\n\n```sh\n# comment\n```\n\n# Three\n### Deeper\n";
    let workspace =
        workspace(&[("book/1.md", chapter), ("book/2.md", "# Right\n\n## So\n"), ("book/3.md", "## Low\n\n## Next\n")]);
    let (shown, run) = shown_and_run(&workspace, "fix-headings", &json!({ "folder": "book" }));
    assert_eq!((completed(&run), shown.len()), (&json!({ "chapters": 3, "headings": 4 }), 2));
    let fixed = "---\ntags: [x]\n# no heading\n---\n# One\n\n## Two\n\n### Deep\n\n```sh\n# comment\n```\n\n## Three\n### Deeper\n";
    assert_eq!(
        (workspace.text("book/1.md").as_str(), workspace.text("book/3.md").as_str()),
        (fixed, "# Low\n\n## Next\n")
    );
}

#[test]
fn tables_with_problems_are_moved_aside() {
    let workspace = workspace(&[
        ("data/good.csv", "a,b\n1,2\n3,4\n\"5, five\",6\n"),
        ("data/uneven.csv", "a,b\n1,2\n3\n4,5\n"),
        ("data/missing.csv", "a,b\n1,2\n,4\n5,6\n"),
        ("data/empty.csv", ""),
    ]);
    let (shown, run) = shown_and_run(&workspace, "triage-csv", &json!({}));
    assert_eq!(shown.iter().filter(|change| change["action_type"] == "file.move").count(), 3);
    let problems =
        completed(&run).as_array().unwrap().iter().map(|row| row["problem"].as_str().unwrap()).collect::<Vec<_>>();
    assert_eq!(problems, ["empty", "", "1 missing values", "line 3 has 1 columns, the head has 2"]);
    assert_eq!(workspace.text("data/check/missing.csv"), "a,b\n1,2\n,4\n5,6\n");
    assert!(workspace.text("data/triage.md").contains("| good.csv | 3 | 2 | – |"));
}

#[test]
fn figures_are_numbered_with_their_references() {
    let paper = "\\includegraphics[width=3cm]{figures/map} % \\includegraphics{figures/old}\n\\includegraphics{figures/plot.pdf}\n\\includegraphics{figures/map}\n\\includegraphics{figures/none}\n";
    let workspace =
        workspace(&[("paper/paper.tex", paper), ("paper/figures/map.png", "m"), ("paper/figures/plot.pdf", "p")]);
    let (shown, run) = shown_and_run(&workspace, "number-figures", &json!({}));
    assert_eq!((completed(&run).as_array().unwrap().len(), shown.len()), (2, 3));
    let numbered = "\\includegraphics[width=3cm]{figures/fig-01-map} % \\includegraphics{figures/old}\n\\includegraphics{figures/fig-02-plot.pdf}\n\\includegraphics{figures/fig-01-map}\n\\includegraphics{figures/none}\n";
    assert_eq!(workspace.text("paper/paper.tex"), numbered);
    assert_eq!(
        (workspace.text("paper/figures/fig-01-map.png"), workspace.text("paper/figures/fig-02-plot.pdf")),
        ("m".to_owned(), "p".to_owned())
    );
    let (shown, again) = shown_and_run(&workspace, "number-figures", &json!({}));
    assert_eq!((completed(&again), shown.len()), (&json!([]), 0), "a second run finds nothing to do");
}

#[test]
fn daily_note_takes_over_open_todos() {
    let yesterday =
        "# Thursday\n\nA long day with a walk.\n\nThe boat is back.\n\n- [ ] open one\n- [x] done\n- [ ] open two\n";
    let workspace =
        workspace(&[("daily/2026-11-26.md", yesterday), ("templates/Daily.md", "# {{title}}\n\n## Todos\n\n## Log\n")]);
    let server = workspace.serve();
    let (shown, run) = shown_and_run(&workspace, "daily-note", &json!({ "day": "2026-11-27" }));
    assert_eq!(
        shown.iter().map(|change| change["action_type"].as_str().unwrap()).collect::<Vec<_>>(),
        ["note.create", "todo.move"]
    );
    let script = approve_all(&server, run["task"].as_str().unwrap());
    assert_eq!(script["result"], json!({ "path": "daily/2026-11-27.md", "from": "daily/2026-11-26.md", "todos": 2 }));
    server.end();
    assert_eq!(
        workspace.text("daily/2026-11-27.md"),
        "# 2026-11-27\n\n## Todos\n\n- [ ] open one\n- [ ] open two\n\n## Log\n"
    );
    assert!(!workspace.text("daily/2026-11-26.md").contains("open"));
}

#[test]
fn function_is_renamed_in_code_and_notebooks() {
    let workspace = workspace(&[
        ("tides/sums.py", "def total(x):\n    return subtotal(x)\n"),
        ("use.py", "from tides.sums import total\nprint(total(1), totals)\n"),
        ("use.ipynb", &notebook(&["from tides.sums import total", "total(1) + subtotal"], "total\n")),
        ("readme.txt", "total\n"),
    ]);
    let (shown, run) = shown_and_run(&workspace, "rename-function", &json!({ "from": "total", "to": "height" }));
    assert_eq!((completed(&run), shown.len()), (&json!({ "files": 2, "cells": 2 }), 3));
    assert_eq!(workspace.text("tides/sums.py"), "def height(x):\n    return subtotal(x)\n");
    assert_eq!(workspace.text("use.py"), "from tides.sums import height\nprint(height(1), totals)\n");
    let changed = workspace.text("use.ipynb");
    assert!(changed.contains("height(1) + subtotal") && changed.contains("\"total\\n\""), "{changed}");
    assert_eq!(workspace.text("readme.txt"), "total\n");
    let (_, wrong) = workspace.json(&["script", "run", "scripts/rename-function.ts", "--args", r#"{"to": "a b"}"#]);
    assert_eq!((&wrong["state"], &wrong["error"]["code"]), (&json!("failed"), &json!("invalid_args")));
}

#[test]
fn tabs_without_a_window_are_an_error() {
    let workspace = workspace(&[]);
    let (ended, run) = workspace.json(&["script", "run", "scripts/archive-tabs.ts"]);
    assert_eq!((ended, &run["error"]["code"]), (1, &json!("no_window")), "{run}");
}
