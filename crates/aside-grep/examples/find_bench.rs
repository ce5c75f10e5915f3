//! One search for `cargo xtask bench search`: `find_bench FOLDER TEXT literal|regex`. Prints the matching lines, and the
//! milliseconds until the first file with matches.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Instant,
};

use aside_grep::{FileMatches, FindQuery, LineLimits, Pattern, Source, Tree, search};
use ignore::WalkBuilder;

fn main() {
    let start = Instant::now();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [folder, text, kind] = &args[..] else { panic!("find_bench FOLDER TEXT literal|regex") };
    let query = FindQuery { text: text.clone(), regex: kind == "regex", match_case: true, ..FindQuery::default() };
    let pattern = Pattern::new(&query).expect("the pattern is good");
    let folder = PathBuf::from(folder);
    let mut walk = WalkBuilder::new(&folder);
    walk.hidden(false).require_git(false).follow_links(false);
    let is_hidden = Arc::new(|path: &Path| path.ends_with(".git"));
    let tree = Tree { folder: &folder, walk, within: None, is_hidden, source: &|_| Source::Disk };
    let (lines, first) = (AtomicUsize::new(0), OnceLock::new());
    let each = |_: &Path, found: FileMatches| {
        first.get_or_init(|| start.elapsed());
        lines.fetch_add(found.lines.len() + found.more, Ordering::Relaxed);
        ControlFlow::Continue(())
    };
    let limits = LineLimits { lines: 1_000, width: 400 };
    search(tree, &pattern, limits, &AtomicBool::new(false), &each).expect("the folder can be searched");
    let first = first.get().map_or(0.0, |first| first.as_secs_f64() * 1000.0);
    println!("{}\t{first:.1}", lines.into_inner());
}
