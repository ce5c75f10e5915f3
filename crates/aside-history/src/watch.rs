//! Hears from the system which logs were written to.

use std::path::PathBuf;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _, event::ModifyKind};

use crate::places::{Places, Roots};

/// Watches the folders of logs while it is there.
pub struct Watcher {
    watcher: RecommendedWatcher,
    roots: Roots,
    watched: Vec<PathBuf>,
}

/// Tells whether any program has a folder for logs.
pub fn has_logs(environment: impl Fn(&str) -> Option<String>) -> bool {
    Roots::of(environment).folders().iter().any(|folder| folder.is_dir())
}

impl std::fmt::Debug for Watcher {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Watcher({:?})", self.watched)
    }
}

impl Watcher {
    /// Watches the folders that an environment leads to. `heard` is told of files that changed, on a thread of its own. The error says
    /// what the system says.
    pub fn new(
        environment: impl Fn(&str) -> Option<String>,
        heard: impl Fn(Vec<PathBuf>) + Send + 'static,
    ) -> Result<Self, String> {
        let told = move |event: notify::Result<Event>| {
            if let Ok(event) = event
                && is_change(event.kind)
            {
                heard(event.paths);
            }
        };
        let watcher = notify::recommended_watcher(told).map_err(|error| error.to_string())?;
        let mut watcher = Self { watcher, roots: Roots::of(environment), watched: Vec::new() };
        watcher.look_again();
        Ok(watcher)
    }

    /// Watches folders that came since the last time; returns whether there were any.
    pub fn look_again(&mut self) -> bool {
        let before = self.watched.len();
        for root in self.roots.folders() {
            if !self.watched.contains(&root) && root.is_dir() {
                match self.watcher.watch(&root, RecursiveMode::Recursive) {
                    Ok(()) => self.watched.push(root),
                    // What is not heard of is read at the next start, or when somebody asks for it.
                    Err(_) => return false,
                }
            }
        }
        self.watched.len() > before
    }

    /// Which of some files are logs.
    pub fn logs(&self, paths: &[PathBuf]) -> Places {
        self.roots.logs(paths)
    }
}

fn is_change(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::Create(_) | EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Name(_) | ModifyKind::Any)
    )
}
