//! Compares vectors with reference ones: `compare MODEL_FOLDER REFERENCE.json`, a list of `{text, vector}`. Prints the largest difference.
#![allow(clippy::disallowed_methods, reason = "it reads files that are given to it")]

use std::{path::Path, time::Instant};

use aside_embed::LocalModel;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, reference] = arguments.as_slice() else { panic!("compare MODEL_FOLDER REFERENCE.json") };
    let model = LocalModel::open(Path::new(folder)).unwrap_or_else(|error| panic!("{error}"));
    let wanted: Vec<serde_json::Value> = serde_json::from_slice(&std::fs::read(reference).unwrap()).unwrap();
    let texts: Vec<&str> = wanted.iter().map(|one| one["text"].as_str().unwrap()).collect();
    let start = Instant::now();
    let vectors = model.embed(&texts);
    eprintln!("{} texts in {:?}", texts.len(), start.elapsed());
    for (one, vector) in wanted.iter().zip(vectors) {
        let numbers = one["vector"].as_array().unwrap().iter().map(|number| number.as_f64().unwrap());
        let most = numbers.zip(vector).map(|(wanted, found)| (wanted - f64::from(found)).abs()).fold(0.0, f64::max);
        println!("{most:.7} {:?}", one["text"].as_str().unwrap().chars().take(40).collect::<String>());
    }
}
