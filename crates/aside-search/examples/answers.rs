//! Indexes a folder and answers queries, one JSON line each: `answers FOLDER QUERIES INDEX [MODEL]`, with a model folder by meaning too. For measuring
//! the ranking on a corpus. An index that is there is used again, with its vectors.
#![allow(clippy::disallowed_methods, reason = "it reads files that are given to it")]

use std::{fs, path::Path, time::Instant};

use aside_embed::LocalModel;
use aside_search::{Document, Index, Query, Small, cells, markdown, plain};

/// Texts that a model reads at once.
const BATCH: usize = 16;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, queries, index, model @ ..] = arguments.as_slice() else {
        panic!("answers FOLDER QUERIES INDEX [MODEL]")
    };
    let model = model.first().map(|folder| LocalModel::open(Path::new(folder)).unwrap());
    let mut documents = Vec::new();
    walk(Path::new(folder), Path::new(folder), &mut documents);
    let start = Instant::now();
    let mut opened = Index::open(Path::new(index)).unwrap();
    if opened.stamps().unwrap().len() != documents.len() {
        documents.chunks(200).for_each(|some| opened.put(some).unwrap());
    }
    let chunks: usize = documents.iter().map(|document| document.chunks.len()).sum();
    eprintln!("{} documents, {chunks} pieces in {:?}", documents.len(), start.elapsed());
    if let Some(model) = &model {
        learn(&mut opened, model);
    }
    let mut took = Vec::new();
    for line in fs::read_to_string(queries).unwrap().lines() {
        let asked: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = asked["query"].as_str().unwrap();
        let meaning = model.as_ref().and_then(|model| model.embed(&[text]).pop());
        let start = Instant::now();
        let hits = opened.search(&Query::parse(text).unwrap(), meaning.as_deref(), 50).unwrap();
        took.push(start.elapsed());
        println!("{}", serde_json::json!({ "id": asked["id"], "hits": hits }));
    }
    took.sort();
    eprintln!("median {:?}, 99 % {:?}", took[took.len() / 2], took[took.len() * 99 / 100]);
}

fn learn(index: &mut Index, model: &LocalModel) {
    let start = Instant::now();
    index.use_model(Some(model.id())).unwrap();
    loop {
        let wanted = index.wanted(model.id(), &[], 50 * BATCH).unwrap();
        if wanted.is_empty() {
            break;
        }
        for some in wanted.chunks(BATCH) {
            let texts: Vec<&str> = some.iter().map(|one| one.text.as_str()).collect();
            let vectors = model.embed(&texts);
            let learned: Vec<_> =
                some.iter().zip(vectors).map(|(one, vector)| (one.hash, Small::of(&vector))).collect();
            index.learn(model.id(), &learned).unwrap();
        }
        eprintln!("{:?} after {:?}", index.progress(model.id()), start.elapsed());
    }
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
