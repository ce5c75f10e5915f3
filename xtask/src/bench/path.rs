//! The figures of the main path: start, memory, size of the UI, typing, streaming, planning an edit.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use super::figure::{Figure, report, scratch};
use crate::{
    run::{command, quiet, step, target},
    tools, web,
};

/// Builds everything for release, measures, prints the table.
pub fn path() -> Result<(), String> {
    tools::require_node()?;
    web::install()?;
    web::build()?;
    step("build", command(env!("CARGO"), ".").args(["build", "--release", "--package", "aside", "--locked"]))?;
    let python = tools::python_with(&["jupyter_server"])?;
    let chromium = tools::chromium()?;
    let mut figures = server_figures(&python)?;
    figures.push(initial_script()?);
    figures.extend(plan_figures()?);
    figures.extend(browser_figures(&chromium)?);
    report(&figures)
}

/// Start and memory of both servers, in turn, on the same empty folder.
fn server_figures(python: &Path) -> Result<Vec<Figure>, String> {
    let mut ours = (Vec::new(), Vec::new());
    let mut theirs = (Vec::new(), Vec::new());
    for _ in 0..5 {
        let (start, memory) = measure_aside()?;
        ours.0.push(start);
        ours.1.push(memory);
        let (start, memory) = measure_jupyter(python)?;
        theirs.0.push(start);
        theirs.1.push(memory);
    }
    Ok(vec![
        Figure::at_most("cold start to HTTP 200 (ms)", median(ours.0), 100.0)
            .beside(median(theirs.0), "jupyter server"),
        Figure::at_most("idle memory (MiB)", median(ours.1), 40.0).beside(median(theirs.1), "jupyter server"),
    ])
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

fn measure_aside() -> Result<(f64, f64), String> {
    let folder = scratch(std::env::temp_dir(), "aside")?;
    let started = Instant::now();
    let mut child = Command::new(target("release/aside"))
        .arg(&folder)
        .args(["--no-open", "--port", "0", "--json"])
        .env("HOME", &folder)
        .env("ASIDE_DATA_DIR", folder.join("data"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot start aside: {error}"))?;
    let mut line = String::new();
    let stdout = child.stdout.take().expect("standard output is piped");
    BufReader::new(stdout).read_line(&mut line).map_err(|error| format!("aside printed nothing: {error}"))?;
    let url = field(&line, "url").ok_or_else(|| format!("aside did not print its url: {line}"))?;
    let token = field(&line, "token").unwrap_or_default();
    let address = url.trim_start_matches("http://").trim_end_matches('/').to_owned();
    finish(child, started, &address, "/api/v1/status", &token)
}

fn measure_jupyter(python: &Path) -> Result<(f64, f64), String> {
    let folder = scratch(std::env::temp_dir(), "jupyter")?;
    let port = 18_900 + u16::try_from(std::process::id() % 90).expect("less than 90 fits");
    let started = Instant::now();
    let child = Command::new(python)
        .args(["-m", "jupyter_server", "--no-browser", "--allow-root", "--IdentityProvider.token=measure"])
        .arg(format!("--port={port}"))
        .arg(format!("--ServerApp.root_dir={}", folder.display()))
        .env("HOME", &folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot start jupyter server: {error}"))?;
    finish(child, started, &format!("127.0.0.1:{port}"), "/api/status", "measure")
}

/// Waits for HTTP 200, then for two idle seconds; returns milliseconds and MiB.
fn finish(mut child: Child, started: Instant, address: &str, path: &str, token: &str) -> Result<(f64, f64), String> {
    let ready = web::wait_for(Duration::from_secs(30), || answers(address, path, token));
    let start = started.elapsed().as_secs_f64() * 1000.0;
    std::thread::sleep(Duration::from_secs(2));
    let memory = resident(child.id());
    let _ = child.kill();
    let _ = child.wait();
    if ready { Ok((start, memory?)) } else { Err(format!("http://{address}{path} did not answer with 200")) }
}

fn answers(address: &str, path: &str, token: &str) -> bool {
    let Ok(mut stream) = TcpStream::connect(address) else { return false };
    let _ = stream.set_read_timeout(Some(Duration::from_secs(2)));
    // Both spellings of the header's scheme: Jupyter says `token`, Aside says `Bearer`.
    let scheme = if path.contains("/v1/") { "Bearer" } else { "token" };
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: {scheme} {token}\r\nConnection: close\r\n\r\n"
    );
    let mut head = [0; 12];
    stream.write_all(request.as_bytes()).is_ok() && stream.read_exact(&mut head).is_ok() && head.ends_with(b" 200")
}

/// Resident memory in MiB, from the kernel's own account.
fn resident(pid: u32) -> Result<f64, String> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))
        .map_err(|error| format!("cannot read the process status: {error}"))?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).ok_or("VmRSS is missing")?;
    let kib: f64 = line.split_whitespace().nth(1).and_then(|word| word.parse().ok()).ok_or("VmRSS is not a number")?;
    Ok(kib / 1024.0)
}

/// A string field of one line of JSON that we wrote ourselves.
fn field(line: &str, name: &str) -> Option<String> {
    let rest = line.split_once(&format!("\"{name}\":"))?.1.trim_start().strip_prefix('"')?;
    rest.split_once('"').map(|(value, _)| value.to_owned())
}

fn initial_script() -> Result<Figure, String> {
    let text = quiet("size", command("npm", "web").args(["run", "--silent", "size"]))?;
    let kilobytes = text
        .lines()
        .find_map(|line| line.strip_prefix("initial js: ")?.split(' ').next()?.parse().ok())
        .ok_or_else(|| format!("`npm run size` did not print `initial js`:\n{text}"))?;
    Ok(Figure::at_most("initial JavaScript (KB gz)", kilobytes, 110.0)
        .beside(4851.0, "JupyterLab 4.6, uncompressed as served"))
}

fn plan_figures() -> Result<Vec<Figure>, String> {
    let mut example = command(env!("CARGO"), ".");
    example.args(["run", "--quiet", "--release", "--package", "aside-doc", "--example", "plan_bench"]);
    let text = quiet("plan_bench", &mut example)?;
    let figure = |line: &str| {
        let (name, value) = line.split_once('\t')?;
        let (title, value) = (format!("10 MB text, {name} (ms)"), value.trim().parse().ok()?);
        // Applying is not planning.
        let is_planning = name.starts_with("plan:");
        Some(if is_planning { Figure::at_most(&title, value, 20.0) } else { Figure::plain(&title, value) })
    };
    Ok(text.lines().filter_map(figure).collect())
}

fn browser_figures(chromium: &Path) -> Result<Vec<Figure>, String> {
    let mut script = command("node", "web");
    script.arg("tests/perf/main.mjs").env("CHROMIUM", chromium);
    script.env("ASIDE_BIN", target("release/aside"));
    let text = quiet("browser measurements", &mut script)?;
    Ok(text.lines().filter_map(Figure::read).collect())
}
