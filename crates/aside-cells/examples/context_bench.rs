//! Measures how long it takes to say what an AI cell at the end of a notebook of 100 MB sends: `name<TAB>value` lines. Run by
//! `cargo xtask bench notebook`.

use std::time::Instant;

use aside_cells::{Reading, conversation};
use aside_notebook::{CellKey, Notebook};
use serde_json::{Value, json};

/// Bytes of what each cell has put out.
const EACH: usize = 500 << 10;
const CELLS: usize = 200;
const ROUNDS: usize = 9;

/// Makes the outputs of a cell.
type Make = fn() -> Value;

fn main() {
    let kinds: [(&str, Make); 5] = [
        ("lines", lines),
        ("one text", one_text),
        ("pictures", || display(json!({"image/png": "iVBORw0K".repeat(EACH / 8), "text/plain": "<Figure>"}))),
        ("charts", || display(json!({"application/vnd.plotly.v1+json": {"data": [{"y": vec![0.125; EACH / 6]}]}}))),
        ("small outputs", || {
            (0..EACH / 400).map(|_| display(json!({"text/plain": "x".repeat(300)}))[0].clone()).collect()
        }),
    ];
    let mut slowest = 0.0_f64;
    for (name, outputs) in kinds {
        let notebook = notebook(&outputs());
        let mut took: Vec<f64> = (0..ROUNDS).map(|_| measured(&notebook)).collect();
        took.sort_by(f64::total_cmp);
        eprintln!("{name}: {:.1} ms", took[ROUNDS / 2]);
        slowest = slowest.max(took[ROUNDS / 2]);
    }
    println!("the context of an AI cell below 100 MB of outputs, of any kind (ms)\t{slowest}");
}

fn measured(notebook: &Notebook) -> f64 {
    let reading = Reading { sees: true, calls: true, trusts: &|_| true };
    let begun = Instant::now();
    let told = conversation(notebook, &CellKey("ask".to_owned()), reading);
    let took = begun.elapsed().as_secs_f64() * 1000.0;
    assert_eq!(told.said.len(), CELLS + 1, "each cell is told");
    took
}

fn notebook(outputs: &Value) -> Notebook {
    let cell = |id: String, outputs: &Value| json!({"cell_type": "code", "id": id, "metadata": {}, "execution_count": 1, "source": "plot()", "outputs": outputs});
    let mut cells: Vec<Value> = (0..CELLS).map(|at| cell(format!("c{at}"), outputs)).collect();
    let mut ask = cell("ask".to_owned(), &json!([]));
    ask["metadata"] = json!({"aside": {"cell": "ai"}});
    ask["source"] = json!("why?");
    cells.push(ask);
    let file = json!({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5});
    Notebook::read(file.to_string().as_bytes()).expect("a notebook")
}

fn lines() -> Value {
    let lines: Vec<String> = (0..EACH / 84).map(|at| format!("{at:06}{}\n", "x".repeat(73))).collect();
    json!([{"output_type": "stream", "name": "stdout", "text": lines}])
}

fn one_text() -> Value {
    display(json!({"text/html": "<td>0.125</td>\n".repeat(EACH / 16)}))
}

fn display(data: Value) -> Value {
    json!([{"output_type": "display_data", "metadata": {}, "data": data}])
}
