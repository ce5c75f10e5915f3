//! `cargo xtask bench NAME`: figures beside their peers, measured in the same go.

mod assistant;
mod figure;
mod gate;
mod history;
mod models;
mod notebook;
mod notes;
mod path;
mod ranking;
mod route;
mod script;
mod search;
mod table;
mod typing;

/// Runs one set of measurements, `path` if none is named.
pub fn bench(args: &[&str]) -> Result<(), String> {
    match args.first().copied().unwrap_or("path") {
        "assistant" => assistant::assistant(),
        "gate" => gate::gate(),
        "history" => history::history(&args[1..]),
        "models" => models::models(),
        "notebook" => notebook::notebook(),
        "notes" => notes::notes(),
        "path" => path::path(),
        "ranking" => ranking::ranking(),
        "route" => route::route(),
        "script" => script::script(),
        "search" => search::search().and_then(|()| ranking::ranking()),
        "table" => table::table(),
        "typing" => typing::typing(),
        other => Err(format!(
            "no such measurement: `{other}`\nhint: the names are: assistant, gate, history, models, notebook, notes, path, ranking, route, script, search, table, typing"
        )),
    }
}
