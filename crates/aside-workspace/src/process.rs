//! Runs command lines apart from the rest of the machine.
//!
//! ```text
//! server ──starts──> helper (this program again) ──restricts a thread of its own, starts──> bwrap or /bin/sh
//!    │  stdin: the plan, then a lifeline        │  is the subreaper: whatever a command leaves behind becomes its child,
//!    │  stderr: what the command puts out       │  and is killed when the command ends, when the lifeline breaks
//!    │  stdout: how it ended                    │  (stop, or the server is gone, also by kill -9), or at a limit
//! ```
//!
//! Landlock, seccomp and resource limits are inherited, so that the helper can set them without `unsafe` code between
//! fork and exec: the kernel restricts the thread that asks, and what it starts.

mod apart;
mod ask;
mod companion;
mod environment;
mod helper;
mod limits;
#[cfg(target_os = "linux")]
mod lock_in;
#[cfg(target_os = "linux")]
mod mounts;
mod plan;
mod probe;
pub(crate) mod protect;
mod reach;
mod run;
mod tail;
mod terminal;
#[cfg(target_os = "linux")]
mod tree;
#[cfg(not(target_os = "linux"))]
#[path = "process/tree_elsewhere.rs"]
mod tree;
mod withheld;
mod wrap;
mod written;

pub use apart::Apart;
#[cfg(test)]
pub(crate) use ask::tests::make;
pub(crate) use ask::{Answer, AskError, Question, ask};
pub(crate) use companion::keyring_environment;
pub use companion::{Companion, CompanionLine, companion_environment, find_program};
pub use helper::{HELPER, enter_if_helper};
pub use plan::{CommandEnd, Limits};
pub use run::{CommandLine, Finished, Live, ProcessError, Stop};
pub use tail::{Captured, MOST_OUTPUT};
pub use terminal::plain_text;

use std::{
    collections::BTreeSet,
    fs::File,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
    thread,
    time::{Duration, Instant},
};

use aside_core::{SandboxLevel, Switch};

use crate::PRIVATE_FOLDER;
use withheld::Withheld;

/// How long a command may outlive its server, and how often it is looked for.
const GONE_WITHIN: Duration = Duration::from_secs(10);
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// What the commands of a workspace run in.
#[derive(Clone, Debug)]
pub struct Processes {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    /// The workspace.
    folder: PathBuf,
    /// Folders of Aside itself outside the workspace: unreadable.
    private: Vec<PathBuf>,
    /// The strongest level that may be used.
    strongest: SandboxLevel,
    found: OnceLock<Found>,
    /// Whether no command gets a network.
    local_only: OnceLock<Switch>,
    /// The variables that hold keys.
    withheld: OnceLock<Withheld>,
    /// One command at a time, so that what changes belongs to one of them.
    turn: tokio::sync::Mutex<()>,
}

/// The level that holds on this machine, found by trying it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The level.
    pub level: SandboxLevel,
    /// Why the stronger ones do not hold, one sentence each.
    pub missing: Vec<String>,
}

impl Processes {
    /// Commands of a workspace.
    ///
    /// The program that calls this must call [`enter_if_helper`] at its start.
    pub fn new(folder: &Path) -> Self {
        Self::at_most(folder, reach::own_folders(), SandboxLevel::Bubblewrap)
    }

    /// The same with other private folders, and a level that is not exceeded: how the weaker ones are tested.
    pub fn at_most(folder: &Path, private: Vec<PathBuf>, strongest: SandboxLevel) -> Self {
        let shared = Shared {
            folder: folder.to_owned(),
            private,
            strongest,
            found: OnceLock::new(),
            local_only: OnceLock::new(),
            withheld: OnceLock::new(),
            turn: tokio::sync::Mutex::default(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Says which switch keeps all commands from a network; counts the first time.
    pub fn follow_local_only(&self, switch: Switch) {
        let _ = self.shared.local_only.set(switch);
    }

    /// Tells whether no command gets a network now.
    pub fn is_local_only(&self) -> bool {
        self.shared.local_only.get().is_some_and(Switch::is_on)
    }

    /// Says which variables hold keys, by a function that is asked each time; counts the first time. Commands get none but
    /// a few variables anyway.
    pub fn withhold(&self, names: impl Fn() -> BTreeSet<String> + Send + Sync + 'static) {
        let _ = self.shared.withheld.set(Withheld::by(names));
    }

    /// The names of variables that hold keys: what is started with all others, such as a kernel, does not get these.
    pub fn withheld(&self) -> BTreeSet<String> {
        self.shared.withheld.get().map(Withheld::names).unwrap_or_default()
    }

    /// Looks for the level in the background, so that the first command finds it known.
    pub fn look_ahead(&self) {
        let looking = self.clone();
        // If no thread can be started now, the first command looks.
        let _ = thread::Builder::new().name("aside-sandbox".to_owned()).spawn(move || looking.found().level);
    }

    /// The level that holds here. Waits until it was tried, which takes a moment after the start.
    pub fn found(&self) -> &Found {
        self.shared.found.get_or_init(|| probe::probe(self))
    }

    /// Waits until no other command runs. Held from before the snapshot to after the comparison.
    pub async fn turn(&self) -> tokio::sync::MutexGuard<'_, ()> {
        self.shared.turn.lock().await
    }

    /// Waits until no command runs that a server started before us: it ends with its server, a moment later.
    #[expect(clippy::disallowed_methods, reason = "Aside's own folder")]
    pub(crate) fn wait_for_the_last(&self) {
        let begun = Instant::now();
        // Without the file no command has run.
        let Ok(file) = File::open(self.running_file()) else { return };
        while file.try_lock().is_err() {
            if begun.elapsed() > GONE_WITHIN {
                tracing::warn!("a command of the previous server is still running");
                return;
            }
            thread::sleep(LOOK_EVERY);
        }
    }

    /// Where the lock lies that is held while a command runs.
    fn running_file(&self) -> PathBuf {
        self.shared.folder.join(PRIVATE_FOLDER).join("command.lock")
    }

    /// The names of what a command gets in its environment.
    pub fn environment_names(&self) -> Vec<String> {
        environment::environment(Path::new("/")).into_keys().collect()
    }
}
