//! Measures a real kernel behind its relay, as the server has it: `notebook_bench PYTHON` prints `name<TAB>value` lines.
//! Run by `cargo xtask bench notebook`.

use std::{
    env,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use aside_jupyter::{Disk, Kernel, KernelEvent, Launch, RunCode, Surroundings, enter_if_relay, find_kernels};

const ROUNDS: usize = 500;
const CELLS: usize = 200;
const LINES: &str = "for i in range(100000): print('%06d' % i + 'x' * 73)";

fn main() {
    enter_if_relay();
    tokio::runtime::Runtime::new().expect("threads").block_on(measure());
}

async fn measure() {
    let python = PathBuf::from(env::args().nth(1).expect("the path of a Python with ipykernel"));
    let folder = tempfile::tempdir().expect("a folder for the kernel's files");
    let begun = Instant::now();
    let (kernel, news) = Kernel::start(launch(&python, folder.path())).await.expect("the kernel starts");
    drop(news);
    for _ in 0..20 {
        run(&kernel, "1").await;
    }
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        run(&kernel, "1").await;
        rounds.push(milliseconds(begun.elapsed()));
    }
    rounds.sort_by(f64::total_cmp);
    println!("round trip of `1`, p50 (ms)\t{}", rounds[ROUNDS / 2]);
    println!("round trip of `1`, p99 (ms)\t{}", rounds[ROUNDS * 99 / 100]);
    let flood = Instant::now();
    let lines = run(&kernel, LINES).await;
    println!("100,000 lines of 80 characters (s)\t{}", flood.elapsed().as_secs_f64());
    println!("lines of these that arrive\t{lines}");
    kernel.shut_down().await;
    // A new one, as the other program has.
    let (kernel, news) = Kernel::start(launch(&python, folder.path())).await.expect("the kernel starts");
    drop(news);
    let cells = Instant::now();
    for cell in 0..CELLS {
        run(&kernel, &format!("x{cell} = {cell}\nx{cell}")).await;
    }
    println!("a cell of 200, one after the other (ms)\t{}", milliseconds(cells.elapsed()) / CELLS as f64);
    kernel.shut_down().await;
    eprintln!("all of it: {:.1} s", begun.elapsed().as_secs_f64());
}

fn launch(python: &Path, folder: &Path) -> Launch {
    let prefix = python.parent().and_then(Path::parent).expect("PREFIX/bin/python");
    let mut around = Surroundings::of_process(folder);
    around.variables.insert("VIRTUAL_ENV".to_owned(), prefix.display().to_string());
    let kernels = find_kernels(&Disk, &around);
    let (found, spec) = kernels.get("python3").expect("ipykernel is installed");
    Launch {
        name: found.name.clone(),
        spec: spec.clone(),
        folder: folder.to_owned(),
        runtime: folder.to_owned(),
        environment: around.variables,
        patience: Duration::from_secs(60),
        outlives: true,
    }
}

/// Runs code to its end, and counts the lines that it prints.
async fn run(kernel: &Kernel, code: &str) -> usize {
    let mut execution = kernel.run(&RunCode { code, may_ask: false, stop_on_error: true }).await.expect("it runs");
    let mut lines = 0;
    while let Some(event) = execution.next().await {
        if let KernelEvent::Stream { text, .. } = event.expect("the kernel lives") {
            lines += text.matches('\n').count();
        }
    }
    lines
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
