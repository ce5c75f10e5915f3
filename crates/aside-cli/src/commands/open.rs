//! `aside [PATH]`: serve a folder until told to stop, and open it in a browser.

use anyhow::Context as _;
use aside_core::RunningKernel;
use aside_protocol::{OpenSession, Serving};
use aside_server::{ServeOptions, Started, Ui};
use tokio::signal::unix::{SignalKind, signal};

use crate::{
    arguments::{Open, Serve},
    client::Client,
    ended::Ended,
    output::Output,
};

/// Serves the folder, or joins the server that has it open.
pub async fn open(arguments: Open, ui: Ui, output: &Output) -> anyhow::Result<Ended> {
    let folder = arguments.path.unwrap_or_else(|| ".".into());
    serve(options(ServeOptions { ui, ..ServeOptions::new(folder) }, &arguments.serve), arguments.serve.no_open, output)
        .await
}

/// The options as typed.
pub fn options(options: ServeOptions, typed: &Serve) -> ServeOptions {
    ServeOptions {
        host: typed.host,
        allow_hosts: typed.allow_host.clone(),
        port: typed.port,
        base_path: typed.base_path.clone(),
        model: typed.model.clone(),
        assistant: typed.ai.or(options.assistant),
        local_only: typed.local_only || options.local_only,
        ..options
    }
}

/// Serves until a signal comes.
pub async fn serve(options: ServeOptions, no_open: bool, output: &Output) -> anyhow::Result<Ended> {
    // Listened for before the address is printed: whoever reads it may end us at once.
    let mut interrupt = signal(SignalKind::interrupt()).context("cannot listen for signals")?;
    let mut terminate = signal(SignalKind::terminate()).context("cannot listen for signals")?;
    let running = match aside_server::serve(options).await? {
        Started::Joined(serving) => {
            say(&serving, "Aside is already open here:", output);
            if !no_open {
                show(&serving).await;
            }
            return Ok(Ended::Done);
        }
        Started::Serving(running) => running,
    };
    if let Some(taken) = running.port_taken() {
        eprintln!("port {taken} is in use; using the next free port");
    }
    say(running.serving(), "Aside is open at", output);
    if !no_open {
        show(running.serving()).await;
    }
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    let kernels = running.kernels();
    if !kernels.is_empty() {
        output.notice(&going_on(&kernels));
    }
    running.stop().await;
    Ok(Ended::Done)
}

/// Which kernels outlive this server, and how they are ended.
fn going_on(kernels: &[RunningKernel]) -> String {
    let paths: Vec<&str> = kernels.iter().map(|kernel| kernel.path.as_str()).collect();
    let what = if kernels.len() == 1 { "the kernel of" } else { "the kernels of" };
    let (go, them) = if kernels.len() == 1 { ("is", "it") } else { ("are", "them") };
    format!("{what} {} {go} still running; stop {them} with `aside kernels stop NOTEBOOK` or `--all`", paths.join(", "))
}

fn say(serving: &Serving, words: &str, output: &Output) {
    output.result(serving, || format!("{words} {}#token={}", serving.url, serving.token));
}

/// Opens a browser. What it is told works once: command lines can be read by other users of the machine.
async fn show(serving: &Serving) {
    let shown = async {
        let once: OpenSession = Client::to(serving.clone())?.post("session/once", &serde_json::json!({})).await?;
        start_browser(&format!("{}#token={}", serving.url, once.token))
    };
    if let Err(error) = shown.await {
        tracing::info!("cannot open a browser: {error:#}");
    }
}

#[expect(clippy::disallowed_methods, reason = "the person's browser, not a program of the workspace")]
fn start_browser(url: &str) -> anyhow::Result<()> {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    if !cfg!(target_os = "macos") && !["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].into_iter().any(set) {
        anyhow::bail!("no display found");
    }
    let mut child = std::process::Command::new(program)
        .arg(url)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .with_context(|| format!("cannot start {program}"))?;
    // Reaped when it ends, which may be when the browser is closed.
    std::thread::spawn(move || child.wait());
    Ok(())
}

#[cfg(test)]
mod tests {
    use aside_core::{FoundKernel, KernelPlace, KernelState, Timestamp, WorkspacePath};

    use super::*;

    #[test]
    fn kernels_that_go_on_are_named() {
        let kernel = |path: &str| RunningKernel {
            path: WorkspacePath::new(path).unwrap(),
            kernel: FoundKernel {
                name: "python3".into(),
                display_name: "Python 3".into(),
                language: "python".into(),
                place: KernelPlace::System,
                path: String::new(),
            },
            state: KernelState::Idle,
            has_run: false,
            used: Timestamp(0),
        };
        let one = going_on(&[kernel("a.ipynb")]);
        assert!(one.starts_with("the kernel of a.ipynb is still running; stop it with `aside kernels"), "{one}");
        let two = going_on(&[kernel("a.ipynb"), kernel("b.ipynb")]);
        assert!(two.starts_with("the kernels of a.ipynb, b.ipynb are still running;"), "{two}");
    }
}
