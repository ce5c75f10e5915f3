//! How often edits land where they were meant, on this repository's own files: anchored edits beside the two
//! habits of other programs, on the same cases.
//!
//! Prints a table by mistake and one by what happened meanwhile, then figures as `name<TAB>value<TAB>limit<TAB><TAB>`.

mod case;
mod chance;
mod mistake;
mod peers;
mod sources;
mod tally;
mod truth;
mod typing;

use case::Case;
use chance::Chance;
use tally::{Outcome, Tally, Way};

/// What the cases are drawn from; any number does.
const SEED: u64 = 20_260;
const CASES: usize = 2_400;

fn main() {
    let cases = cases(CASES, SEED);
    let mut tally = Tally::default();
    for case in &cases {
        for way in Way::ALL {
            let outcome = case.judge(way);
            if outcome == Outcome::Wrong && way.is_ours() && std::env::args().any(|arg| arg == "--wrong") {
                eprintln!("{}", case.told(way));
            }
            tally.add(case, way, outcome);
        }
    }
    println!("{tally}");
    tally.figures().for_each(|line| println!("{line}"));
}

/// Draws cases, half of them with something happening to the text meanwhile.
fn cases(count: usize, seed: u64) -> Vec<Case> {
    let sources = sources::read();
    let mut chance = Chance::new(seed);
    let mut cases = Vec::with_capacity(count);
    while cases.len() < count {
        let source = chance.of(&sources);
        cases.extend(Case::draw(source, &mut chance));
    }
    cases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_anchored_edit_lands_in_a_wrong_place() {
        for case in cases(CASES, SEED) {
            for way in Way::ALL.into_iter().filter(|way| way.is_ours()) {
                assert_ne!(case.judge(way), Outcome::Wrong, "{}", case.told(way));
            }
        }
    }

    #[test]
    fn the_peers_are_what_they_are_said_to_be() {
        let cases = cases(400, SEED);
        let count = |way, outcome| cases.iter().filter(|case| case.judge(way) == outcome).count();
        // Both do the plain cases, and both do some harm: otherwise the table would say nothing.
        for way in [Way::FirstMatch, Way::LineNumbers] {
            assert!(count(way, Outcome::Right) > 50 && count(way, Outcome::Wrong) > 10, "{way:?}");
        }
    }
}
