//! A Python to start kernels with.
#![allow(dead_code, reason = "not every test needs all of it")]

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use aside_jupyter::{
    Disk, Execution, Kernel, KernelError, KernelEvent, KernelSpec, Launch, News, RunCode, Surroundings, find_kernels,
};

/// Says that it runs, and sleeps, in one statement: an interrupt while the next one is compiled is told in another way.
pub const SLEEPS: &str = "import time\nfor word in ['go', 'on']:\n    print(word, flush=True)\n    time.sleep(60)";

/// The interpreter, if there is one.
pub fn python() -> Option<PathBuf> {
    aside_testkit::python().map(|prefix| prefix.join("bin/python"))
}

/// How the real kernel of a Python is started.
pub fn real(python: &Path, runtime: &Path) -> Launch {
    let prefix = python.parent().and_then(Path::parent).expect("PREFIX/bin/python");
    let mut around = Surroundings::of_process(runtime);
    around.variables.insert("VIRTUAL_ENV".to_owned(), prefix.canonicalize().unwrap().display().to_string());
    let kernels = find_kernels(&Disk, &around);
    let (found, spec) = kernels.get("python3").expect("ipykernel is in the environment of the tests");
    launch(&found.name, spec.clone(), around, runtime)
}

/// How the kernel that does one thing wrong is started.
pub fn fake(python: &Path, how: &str, runtime: &Path) -> Launch {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fake_kernel.py");
    let around = Surroundings::of_process(runtime);
    let mut spec = real(python, runtime).spec;
    let words = [&python.display().to_string(), &script.display().to_string(), how, "{connection_file}"];
    spec.argv = words.map(str::to_owned).into();
    launch("fake", spec, around, runtime)
}

fn launch(name: &str, spec: KernelSpec, around: Surroundings, runtime: &Path) -> Launch {
    Launch {
        name: name.to_owned(),
        spec,
        folder: runtime.to_owned(),
        runtime: runtime.to_owned(),
        environment: around.variables,
        patience: Duration::from_secs(60),
        outlives: false,
    }
}

pub async fn start(launch: Launch) -> (Kernel, News) {
    Kernel::start(launch).await.unwrap()
}

/// Runs code, and says in a word or line each what came; or what went wrong.
pub async fn run(kernel: &Kernel, code: &str) -> Vec<String> {
    let execution = kernel.run(&RunCode { code, may_ask: false, stop_on_error: true }).await;
    match execution {
        Ok(execution) => told(execution).await,
        Err(error) => vec![format!("ERROR {error}")],
    }
}

/// What comes of something that runs; the reply, which comes by a way of its own, as the last but one.
pub async fn told(mut execution: Execution) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some(event) = execution.next().await {
        lines.push(line(event));
    }
    if let (Some(reply), Some("idle" | "reply Ok" | "reply Failed" | "reply Aborted")) =
        (lines.iter().position(|line| line.starts_with("reply")), lines.last().map(String::as_str))
    {
        let reply = lines.remove(reply);
        let before_idle = lines.iter().rposition(|line| line == "idle").unwrap_or(lines.len());
        lines.insert(before_idle, reply);
    }
    lines
}

/// One event in a line.
pub fn line(event: Result<KernelEvent, KernelError>) -> String {
    match event {
        Ok(KernelEvent::Status(state)) => state,
        Ok(KernelEvent::Begun { count, .. }) => format!("begun {}", count.unwrap_or(0)),
        Ok(KernelEvent::Stream { name, text }) => format!("{name} {text:?}"),
        Ok(KernelEvent::Display(display)) => format!("display {} {:?}", display.data, display.display_id),
        Ok(KernelEvent::UpdateDisplay(display)) => format!("update {} {:?}", display.data, display.display_id),
        Ok(KernelEvent::Result(display)) => format!("result {} {}", display.count.unwrap_or(0), display.data),
        Ok(KernelEvent::Error(raised)) => format!("error {}: {}", raised.name, raised.value),
        Ok(KernelEvent::Clear { wait }) => format!("clear {wait}"),
        Ok(KernelEvent::AsksInput { prompt, password }) => format!("asks {prompt:?} {password}"),
        Ok(KernelEvent::Reply(reply)) => format!("reply {}", format!("{:?}", reply.status).split('(').next().unwrap()),
        Ok(KernelEvent::Other { kind, .. }) => format!("other {kind}"),
        Err(error) => format!("ERROR {error}"),
    }
}
