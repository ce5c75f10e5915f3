//! Any bytes are a note: its ranges lie within the text, on characters, and its lines count from 1.
#![cfg_attr(fuzzing, no_main)]

use aside_fuzz::fuzz_target;
use aside_notes::{Flavour, parse};

fuzz_target!(|bytes: &[u8]| {
    let path = "n.md".parse().expect("it is a path");
    for flavour in [Flavour::Markdown, Flavour::Logseq] {
        let note = parse(&path, bytes, flavour);
        let text = if note.not_utf8 { "" } else { std::str::from_utf8(bytes).expect("it was read") };
        assert_eq!(note.wrong_range(text), None);
    }
});
