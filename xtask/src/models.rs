//! Other people's programs against our model adapters and our fake model server: neither is only consistent with itself.

use std::{
    io::{BufRead as _, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use crate::{
    run::{command, step, target},
    test::ignored,
    tools, web,
};

/// Where the programs are named, each with its version.
pub const SUITE: &str = "crates/aside-llm/suite";

/// Runs the official clients against the fake, which was built with the tests, and our adapters against another project's mock.
pub fn suite() -> Result<(), String> {
    let python = clients()?;
    for habits in [&[][..], &["--quirks"], &["--crlf"], &["--busy"], &["--failing"]] {
        let fake = target("debug/examples/fake_models");
        let fake = Server::start("the fake model server", command(&fake.to_string_lossy(), ".").args(habits))?;
        let mut clients = command(&python.to_string_lossy(), SUITE);
        step(
            &format!("official clients read the fake {}", habits.join(" ")),
            clients.arg("clients.py").arg(&fake.url).args(habits),
        )?;
    }
    web::install_below(SUITE, "install the mock of model providers")?;
    let mock = Server::start("the mock of model providers", command("node", SUITE).arg("mock.mjs"))?;
    let mut tests = ignored("aside-llm", "mock");
    step("model adapters read the mock", tests.env("ASIDE_MODEL_MOCK", &mock.url))
}

/// Returns a Python that has the official clients.
pub fn clients() -> Result<PathBuf, String> {
    tools::python_with_requirements(&format!("{SUITE}/requirements.txt"))
}

/// A program that serves until it is dropped, and says first where.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(what: &str, command: &mut Command) -> Result<Self, String> {
        let mut child = command
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{what}: cannot start {command:?}: {error}"))?;
        let mut url = String::new();
        let stdout = child.stdout.take().expect("standard output is piped");
        let read = BufReader::new(stdout).read_line(&mut url);
        let server = Self { child, url: url.trim().to_owned() };
        match read {
            Ok(count) if count > 0 => Ok(server),
            _ => Err(format!("{what} did not print its address")),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
