//! The user interface: its packages and its build, each done only when something changed.

use std::{
    fs,
    path::Path,
    time::{Duration, SystemTime},
};

use crate::run::{command, quiet_step, root};

/// Installs the npm packages of the user interface.
pub fn install() -> Result<(), String> {
    install_below("web", "install the packages of the user interface")
}

/// Installs a folder's npm packages unless `package.json` and the lock file are as they were.
pub fn install_below(folder: &str, what: &str) -> Result<(), String> {
    let place = root().join(folder);
    let named =
        || ["package.json", "package-lock.json"].map(|name| fs::read_to_string(place.join(name)).unwrap_or_default());
    let stamp = place.join("node_modules/.aside-stamp");
    if fs::read_to_string(&stamp).is_ok_and(|found| found == named().join("\n")) {
        return Ok(());
    }
    let quietly = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
    quiet_step(what, command("npm", folder).args(quietly))?;
    fs::write(&stamp, named().join("\n")).map_err(|error| format!("cannot write {}: {error}", stamp.display()))
}

/// Builds `web/dist` unless it is newer than every source.
pub fn build() -> Result<(), String> {
    let web = root().join("web");
    let built = modified(&web.join("dist/index.html"));
    let newest = ["src", "build", "index.html", "package.json", "vite.config.ts", "tsconfig.json", "public"]
        .into_iter()
        .map(|name| newest_below(&web.join(name)))
        .max()
        .unwrap_or(SystemTime::UNIX_EPOCH);
    if built.is_some_and(|built| built >= newest) {
        return Ok(());
    }
    quiet_step("build the user interface", command("npm", "web").args(["run", "--silent", "build"]))
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}

fn newest_below(path: &Path) -> SystemTime {
    let own = modified(path).unwrap_or(SystemTime::UNIX_EPOCH);
    let Ok(entries) = fs::read_dir(path) else { return own };
    entries.flatten().map(|entry| newest_below(&entry.path())).fold(own, SystemTime::max)
}

/// Waits that long at most for a condition; used by tasks that start a server.
pub fn wait_for(limit: Duration, mut ready: impl FnMut() -> bool) -> bool {
    let started = std::time::Instant::now();
    while started.elapsed() < limit {
        if ready() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    false
}
