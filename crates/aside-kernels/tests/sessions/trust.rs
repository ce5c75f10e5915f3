//! Whose outputs are trusted.

use super::*;

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
    assert!(!now.said && now.waits, "{now:?}");
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
    fn of(bench: &Bench) -> Self {
        let around = SessionOptions::for_tests(bench.folder.path()).around;
        let folder = PathBuf::from(&around.variables["JUPYTER_DATA_DIR"]);
        fs::create_dir(&folder).unwrap();
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

#[tokio::test]
async fn what_was_signed_in_jupyter_stays_trusted_after_an_edit_and_is_signed_there_again() {
    let chart = |html: &str| {
        json!({"cell_type": "code", "execution_count": 1, "id": "c0", "metadata": {}, "source": ["x"],
        "outputs": [{"output_type": "display_data", "data": {"text/html": [html]}, "metadata": {}}]})
    };
    let Some(bench) = Bench::of(vec![chart("<script>1</script>")]) else { return };
    let (jupyter, file) = (Jupyter::of(&bench), bench.folder.path().join("a.ipynb"));
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
async fn a_notebook_is_of_its_own_runs_when_all_its_outputs_were_put_out_here() {
    let cell = |at: usize, source: &str, outputs: Value| json!({"cell_type": "code", "execution_count": null, "id": format!("c{at}"), "metadata": {}, "outputs": outputs, "source": [source]});
    let theirs = json!([{"output_type": "stream", "name": "stdout", "text": ["theirs\n"]}]);
    let cells = vec![cell(0, "print('o' + 'ne')", theirs.clone()), cell(1, "print('t' + 'wo')", json!([]))];
    let Some(bench) = Bench::of(cells) else { return };
    let is_own = |bench: &Bench| bench.workspace.label_of(&path()).runs_of == Some(path());
    bench.ended(&[1]).await;
    bench.file_with("two").await;
    assert!(!is_own(&bench), "the other cell's came with the file");
    bench.session().trust(true, None).await.unwrap();
    assert!(!is_own(&bench), "a person trusts its scripts, which does not make them its own");
    bench.ended(&[0]).await;
    bench.file_with("one").await;
    assert!(is_own(&bench));
    bench.ended(&[1]).await;
    let file = bench.file_where(|file| file["cells"][1]["execution_count"] == 3).await;
    let bench = bench.started_again();
    assert!(is_own(&bench), "also after a restart");
    let mut other = file;
    other["cells"][0]["outputs"] = theirs;
    fs::write(bench.folder.path().join("a.ipynb"), other.to_string()).unwrap();
    let bench = bench.started_again();
    assert!(!is_own(&bench), "another program wrote into it");
    bench.end().await;
}
