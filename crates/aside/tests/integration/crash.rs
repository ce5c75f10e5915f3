//! Kills the server with -9 in the middle of a transcript, again and again, and holds what is left against the audit.
//!
//! Seven clients work at once: edits, deletions that a person confirms, commands that a person confirms (where
//! `shell.run` exists), turns of a model whose edit is confirmed, or each of its parts on its own, plans of several
//! edits, and edits that are taken back. Each thing that is asked for leaves one mark of its own. After every kill the
//! clients ask again, under the same keys.
//!
//! `ASIDE_CRASH_POINTS` says how often it is killed, `ASIDE_CRASH_SEED` which transcript and moments are taken; the
//! machine's own scheduling is not fixed by it.
#![allow(clippy::disallowed_methods, reason = "starts and kills the program, and reads its workspace")]

mod check;
mod client;
mod server;
mod work;

use std::time::Duration;

use check::Ledger;
use server::Folder;
use work::{Kind, Work};

const POINTS: u64 = 6;
/// The longest time that a server works before it is killed, in milliseconds.
const LIVES_FOR: u64 = 500;
/// One of so many is killed while it starts.
const AT_START: u64 = 6;
/// The longest time for that.
const STARTS_FOR: u64 = 120;

/// A source of the same numbers for the same seed (SplitMix64).
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (bits ^ (bits >> 31)) % limit
    }
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_kill_at_any_moment_the_audit_says_what_is() {
    let (points, seed) = (number("ASIDE_CRASH_POINTS", POINTS), number("ASIDE_CRASH_SEED", 1));
    let (folder, mut chance) = (Folder::new(), Chance(seed));
    let (mut work, mut ledger) = (Work::new(), Ledger::default());
    let mut at_start = 0;
    for point in 0..points {
        if chance.below(AT_START) == 0 {
            folder.killed_while_it_starts(Duration::from_millis(chance.below(STARTS_FOR))).await;
            at_start += 1;
            continue;
        }
        let server = folder.serve();
        ledger.check(&server, &folder, &work, point).await;
        work.go_on(&server, &mut chance, Duration::from_millis(chance_of_life(point, seed))).await;
        server.kill();
    }
    let server = folder.serve();
    ledger.check(&server, &folder, &work, points).await;
    work.finish(&server).await;
    ledger.check(&server, &folder, &work, points).await;
    server.end();
    ledger.check_files(&folder);
    let asked: Vec<_> = Kind::ASKED.map(|kind| format!("{} {}", work.asked(kind), kind.word())).into();
    let asked = asked.join(", ");
    println!("{points} kills ({at_start} while it started), seed {seed}: {asked}; {ledger}");
}

/// Its own source, so that it does not depend on how far the clients came.
fn chance_of_life(point: u64, seed: u64) -> u64 {
    Chance(seed ^ (point << 32)).below(LIVES_FOR)
}
