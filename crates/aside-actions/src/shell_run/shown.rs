//! What a person is told of a command before it runs.

use std::{collections::BTreeSet, time::Duration};

use aside_core::{Completeness, Guard, Preview, PreviewBody, SandboxLevel, Warning, WorkspacePath, harmless};
use aside_workspace::{Coverage, KEPT_FOR, MOST_FILES, process::Processes};

use super::line::Wanted;
use crate::commands::{no_sandbox, title};

/// Folders that are named.
const NAMED: usize = 6;

pub(super) fn preview(wanted: &Wanted, cwd: String, processes: &Processes, coverage: &Coverage) -> Preview {
    let level = processes.found().level;
    let mut notes = vec![reach(level).to_owned(), undo(coverage)];
    notes.push(format!("It ends after {}, with all processes it started.", seconds(wanted.time)));
    Preview {
        summary: format!("Run `{}`", title(&wanted.line)),
        body: PreviewBody::Command {
            argv: wanted.argv.clone(),
            cwd,
            network: wanted.network,
            sandbox: level,
            environment: processes.environment_names(),
            notes,
        },
        completeness: Completeness::Opaque,
        warnings: warnings(wanted, processes),
    }
}

fn warnings(wanted: &Wanted, processes: &Processes) -> Vec<Warning> {
    let mut warnings: Vec<_> = no_sandbox(processes).into_iter().collect();
    if wanted.argv.iter().any(|word| harmless(word) != *word) {
        let text = "The command contains invisible characters, or characters that change how the rest is displayed."
            .to_owned();
        warnings.push(Warning { guard: Guard::HiddenCharacters, text });
    }
    warnings
}

/// What it can write.
fn reach(level: SandboxLevel) -> &'static str {
    match level {
        SandboxLevel::Bubblewrap => {
            "It can write in this workspace and in a temporary folder, but not to files that control programs and \
                agents, such as git hooks."
        }
        SandboxLevel::Landlock => {
            "It can write in this workspace and in a temporary folder, but not to files that control programs and \
                agents, such as git hooks. Where this system allows no mounts, it can't create anything directly in a \
                folder that has such a file."
        }
        SandboxLevel::None => "It can write and send anything you can.",
    }
}

/// What can be taken back. No counts, which would change with every file and void an answer.
fn undo(coverage: &Coverage) -> String {
    if !coverage.is_possible() {
        let (thousands, rest) = (MOST_FILES / 1_000, MOST_FILES % 1_000);
        return format!(
            "Its changes can't be undone: this workspace has more than {thousands},{rest:03} files and folders, too \
                many to copy first. Files that git ignores don't count."
        );
    }
    let days = KEPT_FOR.as_secs() / (24 * 60 * 60);
    let what = format!("Changes in this workspace can be undone for {days} days");
    let folders = named(&coverage.left_out, "places").map(|folders| format!(", but not in {folders}"));
    let large = named(&coverage.too_large, "large files")
        .map(|files| format!(" Too large to copy, so changes to them can't be undone: {files}."));
    format!("{what}{}.{}", folders.unwrap_or_default(), large.unwrap_or_default())
}

/// Names places by their last name: a workspace can have hundreds of one.
fn named(paths: &[WorkspacePath], kind: &str) -> Option<String> {
    let names: BTreeSet<String> = paths.iter().map(|path| format!("`{}`", path.name())).collect();
    let more = names.len().saturating_sub(NAMED);
    let mut named: Vec<String> = names.into_iter().take(NAMED).collect();
    if more > 0 {
        named.push(format!("{more} more {kind}"));
    }
    let last = named.pop()?;
    Some(if named.is_empty() { last } else { format!("{} and {last}", named.join(", ")) })
}

fn seconds(time: Duration) -> String {
    match time.as_secs() {
        1 => "1 second".to_owned(),
        seconds if seconds >= 120 && seconds % 60 == 0 => format!("{} minutes", seconds / 60),
        seconds => format!("{seconds} seconds"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_not_be_taken_back_is_said_before() {
        let path = |text: &str| WorkspacePath::new(text).unwrap();
        let left_out = vec![path(".git"), path("a/node_modules"), path("b/node_modules")];
        let covered = Coverage { entries: 3, left_out, too_large: Vec::new() };
        assert_eq!(
            undo(&covered),
            "Changes in this workspace can be undone for 7 days, but not in `.git` and `node_modules`."
        );
        let all = Coverage { left_out: Vec::new(), ..covered.clone() };
        assert_eq!(undo(&all), "Changes in this workspace can be undone for 7 days.");
        let many = Coverage { left_out: (0..9).map(|n| path(&format!("d{n}"))).collect(), ..covered.clone() };
        assert!(undo(&many).ends_with("`d5` and 3 more places."));
        let large = undo(&Coverage { too_large: vec![path("data/a.csv"), path("b.csv")], ..all.clone() });
        assert!(
            large.ends_with("for 7 days. Too large to copy, so changes to them can't be undone: `a.csv` and `b.csv`."),
            "{large}"
        );
        let many = undo(&Coverage { entries: MOST_FILES + 1, ..covered });
        assert!(many.contains("this workspace has more than 20,000 files and folders,"), "{many}");
    }
}
