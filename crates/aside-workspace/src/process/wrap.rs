//! The command line that is really started: the one asked for, inside bubblewrap if that is the level.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use aside_core::SandboxLevel;

use super::plan::{Plan, Reach};

/// Where bubblewrap may be. Not looked for along the search path, on which a workspace could put another.
const BUBBLEWRAP: &[&str] =
    &["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap", "/run/current-system/sw/bin/bwrap"];

/// Returns where bubblewrap is.
pub(crate) fn bubblewrap() -> Option<&'static Path> {
    BUBBLEWRAP.iter().map(Path::new).find(|path| path.is_file())
}

/// Returns program and arguments to start.
pub(crate) fn wrapped(plan: &Plan) -> Vec<OsString> {
    let own = plan.argv.iter().map(OsString::from);
    match (plan.level, bubblewrap()) {
        (SandboxLevel::Bubblewrap, Some(program)) => {
            let mut wrap = Wrap(vec![program.into()]);
            wrap.namespaces(plan.network);
            wrap.files(&plan.reach);
            wrap.add(["--chdir".into(), plan.cwd.clone().into_os_string(), "--".into()]);
            wrap.0.extend(own);
            wrap.0
        }
        _ => own.collect(),
    }
}

struct Wrap(Vec<OsString>);

impl Wrap {
    fn add<const N: usize>(&mut self, arguments: [OsString; N]) {
        self.0.extend(arguments);
    }

    fn namespaces(&mut self, network: bool) {
        let flags = [
            "--die-with-parent",
            "--new-session",
            "--unshare-user",
            "--unshare-pid",
            "--unshare-ipc",
            "--unshare-uts",
            "--unshare-cgroup-try",
        ];
        self.0.extend(flags.map(OsString::from));
        self.add(["--cap-drop".into(), "ALL".into()]);
        if !network {
            self.add(["--unshare-net".into()]);
        }
    }

    /// Later arguments lie over earlier ones. Nothing that can be written lies in memory, where no limit would hold; and
    /// `/proc` is read-only as a whole, since the settings of the kernel in it belong to the superuser, who Aside may run
    /// as: a user namespace with that user alone takes no right to them away.
    fn files(&mut self, reach: &Reach) {
        self.add(["--proc".into(), "/proc".into(), "--dev".into(), "/dev".into()]);
        for (own, path) in [("shm", "/dev/shm"), ("tmp", "/tmp"), ("tmp", "/var/tmp")] {
            self.add(["--bind".into(), reach.temporary.join(own).into(), path.into()]);
        }
        self.add(["--dir".into(), "/run".into()]);
        // What lies in a tree that is there already is there too; a link can't be made over itself.
        let is_there = |path: &&PathBuf| reach.read.iter().any(|tree| tree != *path && path.starts_with(tree));
        reach.read.iter().filter(|path| !is_there(path)).for_each(|path| self.read_only(path));
        for path in &reach.write {
            self.add(["--bind".into(), path.into(), path.into()]);
        }
        reach.read_only.iter().for_each(|path| self.read_only(path));
        reach.hidden.iter().for_each(|path| self.hidden(path, &reach.temporary));
        for made in ["/proc", "/dev", "/"] {
            self.add(["--remount-ro".into(), made.into()]);
        }
    }

    fn read_only(&mut self, path: &Path) {
        match fs::read_link(path) {
            Ok(target) => self.add(["--symlink".into(), target.into_os_string(), path.into()]),
            Err(_) => self.add(["--ro-bind".into(), path.into(), path.into()]),
        }
    }

    fn hidden(&mut self, path: &PathBuf, temporary: &Path) {
        match path.is_dir() {
            true => self.add(["--ro-bind".into(), temporary.join("empty").into(), path.into()]),
            false => self.add(["--ro-bind".into(), "/dev/null".into(), path.into()]),
        }
    }
}
