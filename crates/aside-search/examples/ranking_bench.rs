//! The figures of the ranking over 100,000 pieces with vectors of 384 numbers: `ranking_bench FOLDER`, an empty one. One figure a line, for `cargo xtask bench ranking`.
#![allow(clippy::disallowed_methods, reason = "it reads what the system says of this process")]

use std::{fs, path::Path, time::Instant};

use aside_search::{Document, Index, Query, Small, markdown};

const DOCUMENTS: usize = 10_000;
/// Sections of a document, each a piece.
const SECTIONS: usize = 10;
/// Different words; the n-th is found in about one of n places.
const WORDS: usize = 30_000;
const NUMBERS: usize = 384;
const SEARCHES: usize = 300;
/// The model whose vectors these are.
const MODEL: &str = "chance";

fn main() {
    let folder = std::env::args().nth(1).expect("ranking_bench FOLDER");
    let path = Path::new(&folder).join("search.db");
    let mut chance = Chance(7);
    make(&path, &mut chance);

    let before = resident();
    let start = Instant::now();
    let mut index = Index::open(&path).unwrap();
    index.search(&Query::parse("word7 word400").unwrap(), None, 20).unwrap();
    figure("start: first answer by words (ms)", millis(start), "50");
    let start = Instant::now();
    index.use_model(Some(MODEL)).unwrap();
    figure("start: vectors in memory (ms)", millis(start), "");

    let words = measured(&mut chance, |chance| {
        let text = format!("{} {} {}", word(chance), word(chance), word(chance));
        timed(|| index.search(&Query::parse(&text).unwrap(), None, 20).unwrap())
    });
    figure("three words: p50 (ms)", words.0, "");
    figure("three words: p99 (ms)", words.1, "15");
    let both = measured(&mut chance, |chance| {
        let text = format!("{} {} {}", word(chance), word(chance), word(chance));
        let vector = vector(chance);
        timed(|| index.search(&Query::parse(&text).unwrap(), Some(&vector), 20).unwrap())
    });
    figure("words and meaning: p50 (ms)", both.0, "");
    figure("words and meaning: p99 (ms)", both.1, "15");
    let sentence = measured(&mut chance, |chance| {
        let some: Vec<_> = (0..8).map(|_| word(chance)).collect();
        let (text, vector) = (format!("how do i {}", some.join(" ")), vector(chance));
        timed(|| index.search(&Query::parse(&text).unwrap(), Some(&vector), 20).unwrap())
    });
    figure("a sentence of eight words, words and meaning: p99 (ms)", sentence.1, "");
    let typing = measured(&mut chance, |chance| {
        let full = word(chance);
        let text = format!("{} {}", word(chance), &full[..full.len() - 1]);
        let query = Query { typing: true, ..Query::parse(&text).unwrap() };
        timed(|| index.search(&query, None, 20).unwrap())
    });
    figure("typing, the last word not whole: p99 (ms)", typing.1, "50");
    let changed = measured(&mut chance, |chance| {
        let document = document(chance.below(DOCUMENTS), chance);
        timed(|| index.put(std::slice::from_ref(&document)).unwrap())
    });
    figure("a changed document of ten pieces: p99 (ms)", changed.1, "");
    figure("memory (MB)", (resident() - before).max(0.0), "150");
}

/// Makes the index with all vectors, unless it is there.
fn make(path: &Path, chance: &mut Chance) {
    let mut index = Index::open(path).unwrap();
    for some in (0..DOCUMENTS).collect::<Vec<_>>().chunks(500) {
        let documents: Vec<_> = some.iter().map(|number| document(*number, chance)).collect();
        index.put(&documents).unwrap();
    }
    index.use_model(Some(MODEL)).unwrap();
    loop {
        let wanted = index.wanted(MODEL, &[], 10_000).unwrap();
        if wanted.is_empty() {
            break;
        }
        let learned: Vec<_> = wanted.iter().map(|one| (one.hash, Small::of(&vector(chance)))).collect();
        index.learn(MODEL, &learned).unwrap();
    }
}

fn document(number: usize, chance: &mut Chance) -> Document {
    let mut text = String::new();
    for section in 0..SECTIONS {
        text += &format!("# Part {section}\n\n");
        for _ in 0..60 {
            text += &word(chance);
            text.push(' ');
        }
        text += "\n\n";
    }
    Document {
        path: format!("notes/{number}.md"),
        kind: "note".to_owned(),
        title: format!("Note {number}"),
        day: 20_260_101,
        chunks: markdown(&text),
        ..Document::default()
    }
}

/// Numbers that look like chance, the same in each run.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() % most as u64).expect("it is below a size")
    }

    fn share(&mut self) -> f64 {
        (self.next() % 1_000_000) as f64 / 1e6
    }
}

/// A word by Zipf's law.
fn word(chance: &mut Chance) -> String {
    format!("word{}", (WORDS as f64).powf(chance.share()) as usize)
}

fn vector(chance: &mut Chance) -> Vec<f32> {
    (0..NUMBERS).map(|_| (chance.share() - 0.5) as f32).collect()
}

/// The median and the 99th percentile of many times.
fn measured(chance: &mut Chance, mut run: impl FnMut(&mut Chance) -> f64) -> (f64, f64) {
    let mut times: Vec<_> = (0..SEARCHES).map(|_| run(chance)).collect();
    times.sort_by(f64::total_cmp);
    (times[SEARCHES / 2], times[SEARCHES * 99 / 100])
}

fn timed<T>(work: impl FnOnce() -> T) -> f64 {
    let start = Instant::now();
    let _ = work();
    millis(start)
}

fn millis(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1000.0
}

/// Megabytes of this process that are in memory, without those of files.
fn resident() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|number| number.parse::<f64>().ok()).unwrap_or_default() / 1024.0
}

fn figure(name: &str, value: f64, limit: &str) {
    println!("ranking: {name}\t{value:.2}\t{limit}\t\t");
}
