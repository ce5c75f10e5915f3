//! The processes below the helper, read from `/proc`, and how all of them are ended.

use std::{
    collections::HashMap,
    fs,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

/// How long it is tried to end processes that keep coming.
const TRY_FOR: Duration = Duration::from_secs(5);

/// What runs below a process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Below {
    /// Those that are not dead, children before grandchildren.
    pub alive: Vec<Pid>,
    /// Bytes of memory in use.
    pub memory: u64,
}

struct Entry {
    parent: i32,
    dead: bool,
    pages: u64,
}

/// Returns the processes that this one started, and what they started.
pub(crate) fn below() -> Below {
    let entries = entries();
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for (pid, entry) in &entries {
        children.entry(entry.parent).or_default().push(*pid);
    }
    let mut below = Below::default();
    let mut ahead = vec![rustix::process::getpid().as_raw_nonzero().get()];
    while let Some(parent) = ahead.pop() {
        for child in children.remove(&parent).unwrap_or_default() {
            ahead.push(child);
            let entry = &entries[&child];
            if let Some(pid) = Pid::from_raw(child).filter(|_| !entry.dead) {
                below.alive.push(pid);
                below.memory += entry.pages * rustix::param::page_size() as u64;
            }
        }
    }
    below
}

/// Bytes that these processes have written to a disk, and all that were waited for by one of them or by this one. Those
/// that the kernel does not tell of count nothing.
pub(crate) fn written(below: &Below) -> u64 {
    let of = |process: &str| {
        let counts = read(&format!("/proc/{process}/io"))?;
        counts.lines().find_map(|line| line.strip_prefix("write_bytes:"))?.trim().parse::<u64>().ok()
    };
    let alive = below.alive.iter().map(|pid| pid.as_raw_nonzero().to_string());
    alive.chain(["self".to_owned()]).filter_map(|process| of(&process)).fold(0, u64::saturating_add)
}

/// Ends everything below this process, whatever group or session it put itself into. Returns how many would not go.
pub(crate) fn end_all() -> u32 {
    let begun = Instant::now();
    loop {
        let below = below();
        if below.alive.is_empty() || begun.elapsed() > TRY_FOR {
            return count(below.alive.len());
        }
        for pid in below.alive {
            // It may be gone already.
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// Tells whether a process is the first of a process namespace that lies directly in ours: what bubblewrap leaves to
/// reap the orphans of a command, and no part of the command. None if it is dead. See `NSpid` in proc(5).
pub(crate) fn is_first_of_namespace(pid: Pid) -> Option<bool> {
    let status = |of: &str| read(&format!("/proc/{of}/status"));
    let own = namespace_ids(&status("self")?).len();
    let status = status(&pid.as_raw_nonzero().to_string())?;
    let dead = status.lines().any(|line| line.starts_with("State:\tZ") || line.starts_with("State:\tX"));
    let ids = namespace_ids(&status);
    (!dead && !ids.is_empty()).then(|| ids.len() == own + 1 && ids.last() == Some(&"1"))
}

/// Returns the ids that a process has, from our namespace inwards.
fn namespace_ids(status: &str) -> Vec<&str> {
    let line = status.lines().find_map(|line| line.strip_prefix("NSpid:"));
    line.map(|ids| ids.split_whitespace().collect()).unwrap_or_default()
}

/// How many threads the machine has now: the second number after the loads, see proc(5).
pub(crate) fn threads_of_machine() -> u64 {
    let total = |text: String| text.split_whitespace().nth(3)?.split_once('/')?.1.parse().ok();
    read("/proc/loadavg").and_then(total).unwrap_or_default()
}

/// How many threads the person has now.
pub(crate) fn threads_of_user() -> u64 {
    let own = rustix::process::getuid().as_raw();
    let of_user = |status: &str| {
        let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name));
        let uid = field("Uid:")?.split_whitespace().next()?.parse::<u32>().ok()?;
        let threads = field("Threads:")?.trim().parse::<u64>().ok()?;
        Some(if uid == own { threads } else { 0 })
    };
    pids().filter_map(|pid| of_user(&read(&format!("/proc/{pid}/status"))?)).sum()
}

fn entries() -> HashMap<i32, Entry> {
    pids().filter_map(|pid| Some((pid, entry(&read(&format!("/proc/{pid}/stat"))?)?))).collect()
}

fn pids() -> impl Iterator<Item = i32> {
    let folder = fs::read_dir("/proc").into_iter().flatten().flatten();
    folder.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

#[expect(clippy::disallowed_methods, reason = "what the kernel says of processes")]
fn read(path: &str) -> Option<String> {
    // It may be gone already.
    fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads `pid (name) state parent …`; the name may hold anything, the last parenthesis ends it. See proc(5).
fn entry(stat: &str) -> Option<Entry> {
    let fields: Vec<&str> = stat[stat.rfind(')')? + 1..].split_whitespace().collect();
    let dead = matches!(*fields.first()?, "Z" | "X");
    Some(Entry { parent: fields.get(1)?.parse().ok()?, dead, pages: fields.get(21)?.parse().unwrap_or_default() })
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_not_lie_about_its_parent() {
        let stat = "12 (evil) S 1 (x) R 7 12 12 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 100 8192 33 18446744073709551615";
        let entry = entry(stat).unwrap();
        assert_eq!((entry.parent, entry.dead, entry.pages), (7, false, 33));
        assert!(super::entry("12 (no end").is_none());
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "plays a command")]
    fn what_an_ended_process_wrote_still_counts() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let before = written(&Below::default());
        let mut program = std::process::Command::new("head");
        program.args(["-c", "3000000", "/dev/zero"]).stdout(file.reopen().unwrap());
        assert!(program.status().unwrap().success());
        let more = written(&Below::default()) - before;
        assert!(more >= 3_000_000, "{more}");
    }

    #[test]
    fn ids_are_read_from_outside_inwards() {
        assert_eq!(namespace_ids("Name:\tbwrap\nNSpid:\t812\t1\nThreads:\t1\n"), ["812", "1"]);
        assert!(namespace_ids("Name:\tNSpid:\n").is_empty());
        assert_eq!(is_first_of_namespace(rustix::process::getpid()), Some(false));
    }
}
