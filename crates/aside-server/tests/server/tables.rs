//! `tables` as a page asks for them.

use std::fs;

use serde_json::{Value, json};

use crate::harness::Server;

async fn server() -> Server {
    Server::with(|folder| {
        fs::write(folder.join("tides.csv"), "place,height\nKiel,3\nHamburg,10\nBremen,\n").unwrap();
        fs::write(folder.join("a.bin"), [0; 100]).unwrap();
        fs::write(folder.join("torn.parquet"), "PAR1 and no more").unwrap();
    })
    .await
}

fn fields(answer: &Value) -> Vec<String> {
    let rows = answer["rows"].as_array().unwrap();
    rows.iter().map(|row| format!("{} {}", row["row"], row["fields"][0].as_str().unwrap())).collect()
}

#[tokio::test]
async fn rows_come_in_parts_with_columns_once() {
    let server = server().await;
    let mut asked = json!({ "path": "tides.csv", "rows": 2, "from": 1 });
    let first = server.post("tables/rows", asked.clone()).await;
    assert_eq!(fields(&first), ["1 Hamburg", "2 Bremen"]);
    assert_eq!(first["columns"][1], json!({ "name": "height", "kind": "number", "width": 9 }));
    asked["known"] = first["version"].clone();
    assert_eq!(server.post("tables/rows", asked.clone()).await.get("columns"), None);
    asked["view"] = json!({ "header": false });
    let plain = server.post("tables/rows", asked).await;
    assert_eq!(
        (&plain["columns"][1]["name"], fields(&plain)),
        (&json!("Column 2"), vec!["1 Kiel".into(), "2 Hamburg".into()])
    );
    server.stop().await;
}

#[tokio::test]
async fn views_summaries_and_cells_are_answered() {
    let server = server().await;
    let view = json!({ "order": { "column": 1, "descending": true }, "filters": [{ "column": 1, "text": "!" }] });
    let sorted = server.post("tables/rows", json!({ "path": "tides.csv", "rows": 9, "view": view })).await;
    assert_eq!((fields(&sorted), &sorted["work"]), (vec!["1 Hamburg".into(), "0 Kiel".into()], &json!(1.0)));
    let summary = server.post("tables/summary", json!({ "path": "tides.csv", "column": 1 })).await;
    assert_eq!((&summary["facts"]["empty"], &summary["facts"]["numbers"]["max"]), (&json!(1), &json!(10.0)));
    let cell = server.post("tables/cell", json!({ "path": "tides.csv", "row": 1, "column": 0 })).await;
    assert_eq!(cell, json!({ "text": "Hamburg" }));
    server.stop().await;
}

#[tokio::test]
async fn files_without_rows_are_refused() {
    let server = server().await;
    let refused = async |path: &str| {
        let (status, body) = server.ask("POST", "tables/rows", Some(json!({ "path": path, "rows": 1 }))).await;
        (status, body["error"]["code"].as_str().unwrap().to_owned())
    };
    assert_eq!(refused("a.bin").await, (409, "not_a_table".to_owned()));
    assert_eq!(refused("torn.parquet").await, (409, "damaged_table".to_owned()));
    assert_eq!(refused("none.csv").await, (404, "not_found".to_owned()));
    assert_eq!(refused("../tides.csv").await.0, 400);
    assert_eq!(refused(".aside/store.db").await, (403, "private".to_owned()));
    let column = json!({ "path": "tides.csv", "column": 7 });
    assert_eq!(server.ask("POST", "tables/summary", Some(column)).await.0, 400);
    server.stop().await;
}
