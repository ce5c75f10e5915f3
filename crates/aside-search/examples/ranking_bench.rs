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
    // Memory that the making of the index has left behind counts, too.
    let before = resident();
    make(&path, &mut chance);

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
    words.figures("three words", "15");
    let both = measured(&mut chance, |chance| {
        let text = format!("{} {} {}", word(chance), word(chance), word(chance));
        let vector = vector(chance);
        timed(|| index.search(&Query::parse(&text).unwrap(), Some(&vector), 20).unwrap())
    });
    both.figures("words and meaning", "15");
    let frequent = measured(&mut chance, |chance| {
        let text = format!("word{} word{} word{}", 1 + chance.below(9), 1 + chance.below(9), 1 + chance.below(9));
        let vector = vector(chance);
        timed(|| index.search(&Query::parse(&text).unwrap(), Some(&vector), 20).unwrap())
    });
    frequent.figures("three of the most frequent words, words and meaning", "");
    let sentence = measured(&mut chance, |chance| {
        let some: Vec<_> = (0..8).map(|_| word(chance)).collect();
        let (text, vector) = (format!("how do i {}", some.join(" ")), vector(chance));
        timed(|| index.search(&Query::parse(&text).unwrap(), Some(&vector), 20).unwrap())
    });
    sentence.figures("a sentence of eight words, words and meaning", "");
    let mistyped = measured(&mut chance, |chance| {
        let text = format!("{} wrod{}", word(chance), 1000 + chance.below(WORDS - 1000));
        timed(|| index.search(&Query::parse(&text).unwrap(), None, 20).unwrap())
    });
    mistyped.figures("two words, one mistyped", "");
    let typing = measured(&mut chance, |chance| {
        let full = word(chance);
        let text = format!("{} {}", word(chance), &full[..full.len() - 1]);
        let query = Query { typing: true, ..Query::parse(&text).unwrap() };
        timed(|| index.search(&query, None, 20).unwrap())
    });
    typing.figures("typing, the last word not whole", "50");
    let changed = measured(&mut chance, |chance| {
        let document = document(chance.below(DOCUMENTS), chance);
        timed(|| index.put(std::slice::from_ref(&document)).unwrap())
    });
    changed.figures("a changed document of ten pieces", "");
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

/// Times of many searches, and the times that they took of a processor: others may use it, too.
struct Times {
    all: Vec<f64>,
    computing: Vec<f64>,
}

impl Times {
    /// Prints the medians and the 99th percentiles. The bound is one of the clock: people wait for it.
    fn figures(mut self, name: &str, limit: &str) {
        for (times, computing, limit) in [(&mut self.computing, ", computing", ""), (&mut self.all, "", limit)] {
            times.sort_by(f64::total_cmp);
            figure(&format!("{name}: p50{computing} (ms)"), times[SEARCHES / 2], "");
            figure(&format!("{name}: p99{computing} (ms)"), times[SEARCHES * 99 / 100], limit);
        }
    }
}

fn measured(chance: &mut Chance, mut run: impl FnMut(&mut Chance) -> (f64, f64)) -> Times {
    let (all, computing) = (0..SEARCHES).map(|_| run(chance)).unzip();
    Times { all, computing }
}

fn timed<T>(work: impl FnOnce() -> T) -> (f64, f64) {
    let (start, before) = (Instant::now(), computed());
    let _ = work();
    (millis(start), computed() - before)
}

/// Milliseconds for which this thread has had a processor.
fn computed() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    #[expect(unsafe_code, reason = "the system writes the time into a place that is there")]
    let answer = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(answer, 0, "a thread has a clock");
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
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
