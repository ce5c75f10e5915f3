//! How much of a thread's input a provider reads from its cache, by its own rules as the fake follows them.
//!
//! The path is the real one: agent, Gate, actions, workspace, adapters, HTTP. The rows that a test prints are those of
//! `cargo xtask bench models`.
#![allow(clippy::disallowed_methods, reason = "the tests prepare the workspace as another program would")]

mod thread;

use aside_testkit::fake_models::Wire;

use thread::play;

/// Of all input tokens of the thread, so many have to come from the cache.
const LEAST: f64 = 90.0;
const WIRES: [Wire; 4] = [Wire::Anthropic, Wire::Responses, Wire::Chat, Wire::Gemini];

#[test]
fn twenty_turns_of_work_are_read_again_from_the_cache() {
    for wire in WIRES {
        let played = play(wire, 200_000);
        let percent = 100.0 * played.read as f64 / played.input as f64;
        println!("input of 20 turns from the cache, {wire:?} (%)\t{percent:.1}\t>={LEAST}\t\t");
        assert!(percent >= LEAST, "{wire:?}: {played:?}");
        assert_eq!(
            (played.told_input, played.told_read),
            (played.input, played.read),
            "the thread says what was counted"
        );
        assert_eq!(played.left_out, 0);
        assert!(played.calls > 60 && played.input > 500_000, "{played:?}");
    }
}

#[test]
fn also_a_thread_that_is_cut_is_mostly_read_again() {
    for wire in WIRES {
        let played = play(wire, 40_000);
        let percent = 100.0 * played.read as f64 / played.input as f64;
        println!("input of 20 turns with a window of 40,000 tokens from the cache, {wire:?} (%)\t{percent:.1}\t\t\t");
        assert!(percent >= 75.0, "{wire:?}: {percent} {played:?}");
        assert!(played.left_out > 0, "{played:?}");
    }
}
