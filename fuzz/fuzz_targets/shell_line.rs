//! A line for a shell is split into commands that, quoted and put together again, are split into the same; or it is
//! unclear. No letter of a line that is understood is lost.
#![cfg_attr(fuzzing, no_main)]

use aside_fuzz::fuzz_target;
use aside_gate::commands;

fuzz_target!(|line: &str| {
    let Ok(found) = commands(line) else { return };
    assert!(!found.is_empty() && found.iter().all(|words| !words.is_empty()));
    if found.iter().flatten().any(|word| word.contains('\'')) {
        return;
    }
    let quoted = |words: &Vec<String>| words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
    let again = found.iter().map(quoted).collect::<Vec<_>>().join(" ; ");
    // Quotes make a line longer, and there is a longest one.
    if again.len() <= line.len() {
        assert_eq!(commands(&again), Ok(found));
    }
});
