//! Prints what the Gate costs: `gate_bench FOLDER`, on whose disk it writes. For `cargo xtask bench gate`.
//!
//! Each line is `name<TAB>value<TAB>limit<TAB>peer's value<TAB>peer`; a limit begins with `<=` or `>=`, and the last
//! three may be empty. What is compared was measured in turn, so that other work beside it hits both.
#![allow(clippy::disallowed_methods, reason = "measures the disk")]

mod actions;
mod audit;
mod put;
mod rules;
mod search;

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

fn main() {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).expect("a folder on the disk to measure");
    let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
    runtime.block_on(actions::measure(&folder));
    rules::measure(&folder);
    search::measure();
    audit::measure(&folder);
}

/// Prints one figure.
fn figure(name: &str, value: f64, limit: &str, peer: Option<(f64, &str)>) {
    let (peer, who) = peer.map_or_else(Default::default, |(value, who)| (format!("{value:.4}"), who));
    println!("{name}\t{value:.4}\t{limit}\t{peer}\t{who}");
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let started = Instant::now();
    let done = work();
    (started.elapsed(), done)
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
