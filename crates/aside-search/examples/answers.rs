//! Indexes a folder and answers queries, one JSON line each: `answers FOLDER QUERIES INDEX`. For measuring the ranking on a corpus.
#![allow(clippy::disallowed_methods, reason = "it reads files that are given to it")]

use std::{fs, path::Path, time::Instant};

use aside_search::{Document, Index, Query, cells, markdown, plain};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, queries, index] = arguments.as_slice() else { panic!("answers FOLDER QUERIES INDEX") };
    let mut documents = Vec::new();
    walk(Path::new(folder), Path::new(folder), &mut documents);
    let start = Instant::now();
    let _ = fs::remove_file(index);
    let mut opened = Index::open(Path::new(index)).unwrap();
    for some in documents.chunks(200) {
        opened.put(some).unwrap();
    }
    let chunks: usize = documents.iter().map(|document| document.chunks.len()).sum();
    eprintln!("{} documents, {chunks} pieces in {:?}", documents.len(), start.elapsed());
    let mut took = Vec::new();
    for line in fs::read_to_string(queries).unwrap().lines() {
        let asked: serde_json::Value = serde_json::from_str(line).unwrap();
        let start = Instant::now();
        let hits = opened.search(&Query::parse(asked["query"].as_str().unwrap()).unwrap(), 50).unwrap();
        took.push(start.elapsed());
        println!("{}", serde_json::json!({ "id": asked["id"], "hits": hits }));
    }
    took.sort();
    eprintln!("median {:?}, 99 % {:?}", took[took.len() / 2], took[took.len() * 99 / 100]);
}

fn walk(top: &Path, folder: &Path, documents: &mut Vec<Document>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(top, &path, documents);
        } else if let Ok(text) = fs::read_to_string(&path) {
            documents.extend(document(path.strip_prefix(top).unwrap().to_str().unwrap(), &text));
        }
    }
}

fn document(path: &str, text: &str) -> Option<Document> {
    let stem = Path::new(path).file_stem()?.to_str()?.to_owned();
    let (kind, chunks) = match Path::new(path).extension()?.to_str()? {
        "md" | "mdx" => ("note", markdown(text)),
        "py" => ("code", plain(text)),
        "ipynb" => ("notebook", notebook(text)?),
        _ => return None,
    };
    let title = text.lines().take(40).find_map(|line| line.strip_prefix("title:")).map(|title| title.trim().to_owned());
    Some(Document {
        path: path.to_owned(),
        kind: kind.to_owned(),
        title: title.unwrap_or(stem),
        chunks,
        ..Document::default()
    })
}

fn notebook(text: &str) -> Option<Vec<aside_search::Chunk>> {
    let notebook: serde_json::Value = serde_json::from_str(text).ok()?;
    let source = |cell: &serde_json::Value| match &cell["source"] {
        serde_json::Value::Array(lines) => lines.iter().filter_map(|line| line.as_str()).collect(),
        source => source.as_str().unwrap_or_default().to_owned(),
    };
    let sources: Vec<String> = notebook["cells"].as_array()?.iter().map(source).collect();
    Some(cells(sources.iter().map(String::as_str)))
}
