//! Measures the notes of a workspace with 10,000 of them: first start, next start, one change, backlinks. Prints lines for
//! `cargo xtask bench notes`: `notes_bench FOLDER`.
#![expect(clippy::disallowed_methods, reason = "sets the scene and reads it once plainly")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use aside_core::WorkspacePath;
use aside_store::{Store, StoreOptions};
use aside_workspace::Workspace;

const NOTES: usize = 10_000;
const WORDS: &str = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau";

fn main() {
    let folder = PathBuf::from(std::env::args().nth(1).expect("a folder is given"));
    generate(&folder);
    let (plain, bytes) = timed(|| walk(&folder));
    let (first, _) = timed(|| known(&open(&folder)));
    let cache = folder.join(".aside/notes");
    while !cache.exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let workspace = open(&folder);
    let (next, _) = timed(|| known(&workspace));
    line("notes: first start, 10,000 notes (ms)", first, "<=3000", Some((plain, "plain walk and read")));
    line("notes: next start, 10,000 notes (ms)", next, "<=100", Some((plain, "plain walk and read")));
    println!("notes: text of the vault (MB)\t{:.1}\t\t\t", bytes as f64 / 1e6);
    let hub: WorkspacePath = path(0).parse().expect("it is a path");
    let (change, _) = timed(|| workspace.fresh_note(&hub).expect("the note is there"));
    line("notes: one note read again (ms)", change, "<=20", None);
    let vault = workspace.notes().vault();
    let (backlinks, count) = timed(|| vault.backlinks(&hub).len());
    line(&format!("notes: {count} backlinks of a note (ms)"), backlinks, "<=50", None);
    let (todos, count) = timed(|| vault.todos(&aside_notes::TodoFilter::default()).len());
    line(&format!("notes: {count} todos in order (ms)"), todos, "<=200", None);
}

fn line(name: &str, value: f64, limit: &str, peer: Option<(f64, &str)>) {
    let (peer, who) = peer.map_or_else(Default::default, |(value, name)| (format!("{value:.2}"), name));
    println!("{name}\t{value:.3}\t{limit}\t{peer}\t{who}");
}

fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let done = work();
    (start.elapsed().as_secs_f64() * 1000.0, done)
}

fn open(folder: &Path) -> Arc<Workspace> {
    let store = Store::open(&folder.join(".aside"), StoreOptions::default()).expect("the store opens");
    Workspace::open(folder, store).expect("the folder opens")
}

fn known(workspace: &Arc<Workspace>) {
    let notes = workspace.notes();
    assert!(notes.wait(Duration::from_secs(120)), "the notes are read");
    assert_eq!(notes.vault().len(), NOTES);
}

/// The same files, listed and read one after the other, and nothing else.
fn walk(folder: &Path) -> u64 {
    let mut bytes = 0;
    for entry in fs::read_dir(folder).expect("the folder can be read").flatten() {
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        bytes += match entry.path() {
            folder if folder.is_dir() => walk(&folder),
            file => fs::read(file).expect("the file can be read").len() as u64,
        };
    }
    bytes
}

fn path(number: usize) -> String {
    format!("part {}/note {number}.md", number % 100)
}

/// Writes notes of about 2 KB, each with front matter, links, tags and todos; every tenth links to the first.
fn generate(folder: &Path) {
    let words: Vec<&str> = WORDS.split(' ').collect();
    for number in 0..NOTES {
        let prose = |seed: usize| -> String {
            (0..60).map(|at| words[(seed * 7 + at * 5) % words.len()]).collect::<Vec<_>>().join(" ")
        };
        let hub = if number % 10 == 0 { "[[note 0]]" } else { "" };
        let text = format!(
            "---\ntags: [part{}, all]\naliases: [n{number}]\n---\n# Note {number}\n\n{} {hub}\n\n## One\n\n{} [[note {}]] \
             [m](<note {}.md>) #tag/{}\n\n- [ ] first {number} 📅 2027-01-{:02}\n- [x] second (done 2026-01-02)\n\n{}\n\n{}\n",
            number % 100,
            prose(number),
            prose(number + 1),
            (number * 31 + 7) % NOTES,
            (number + 100) % NOTES,
            number % 50,
            number % 28 + 1,
            prose(number + 2),
            prose(number + 3),
        );
        let place = folder.join(path(number));
        fs::create_dir_all(place.parent().expect("it has a folder")).expect("the folder can be made");
        fs::write(place, text).expect("the note can be written");
    }
}
