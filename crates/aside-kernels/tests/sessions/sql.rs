//! Cells of SQL.

use std::time::Duration;

use super::*;

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
        cell(
            10,
            of_file("many"),
            "insert into t values (4, 'd'); select * from t, (select 1 union all select 2), nope",
        ),
        cell(11, of_file(""), "insert into t values (5, 'e')"),
        cell(12, of_file("class"), "select 1"),
        cell(13, json!({"cell": "sql", "connection": "."}), "select 1"),
        cell(14, json!({"cell": "sql"}), "select * from t"),
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
    assert!(
        missing.starts_with("SQLError: there is no database 'no.db'") && missing.ends_with("databases here: tides.db")
    );
    assert!(alone(6).await.contains("a1"), "without a file it asks the kernel");
    assert!(alone(7).await.starts_with("SQLError: 'not a name' is not a valid variable name"));
    assert!(alone(8).await.starts_with("SQLError: more than 1000000 rows: add a LIMIT"));
    assert!(alone(9).await.contains("1000005 rows"), "what no variable holds is counted and let go");
    assert!(alone(10).await.contains("no such table"));
    assert!(alone(11).await.contains("1 row changed"), "what failed locks nothing, and was taken back");
    assert!(alone(12).await.ends_with("no Python keyword"));
    assert_eq!(alone(13).await, "SQLError: '.' is a folder, not a database");
    assert!(alone(14).await.ends_with("No database is set above: this query runs on the kernel's data frames."));
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
        assert!(
            env::var_os("ASIDE_TEST_PYTHON").is_none(),
            "there are no pandas and duckdb beside the kernel that is named"
        );
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
async fn an_interrupt_ends_a_statement_that_would_not_end() {
    let endless =
        "create table begun(a); with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n";
    let ours = json!({"cell": "sql", "connection": "tides.db", "result": ""});
    let cell = json!({"cell_type": "code", "execution_count": null, "id": "c0", "metadata": {"aside": ours}, "outputs": [], "source": [endless]});
    let Some(bench) = Bench::of(vec![cell]) else { return };
    let base = bench.folder.path().join("tides.db");
    fs::write(&base, "").unwrap();
    let id = bench.run(&[0]).await.remove(0);
    // What makes a table is in the file at once: then the statement after it runs.
    while fs::metadata(&base).unwrap().len() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    bench.session().interrupt().await.unwrap();
    let ended = bench.session().ended(&id).await.unwrap();
    assert_eq!((ended.execution.state, printed(&ended).as_str()), (ExecutionState::Failed, "KeyboardInterrupt: "));
    bench.end().await;
}
