//! Any bytes are output of a terminal: all is kept up to the limit, and its text is bounded and steers nothing. Where it
//! is cut changes neither.
#![cfg_attr(fuzzing, no_main)]

use aside_core::TerminalSize;
use aside_fuzz::fuzz_target;
use aside_terminal::{Scrollback, is_answer};

fuzz_target!(|output: &[u8]| {
    let Some((&[cols, rows, cut], output)) = output.split_first_chunk::<3>() else { return };
    let size = TerminalSize { cols: cols.into(), rows: rows.into() };
    let mut whole = Scrollback::default();
    whole.push(output);
    let text = whole.text(size, 50);
    assert!(text.lines.len() <= 50.max(usize::from(rows)));
    assert!(text.lines.iter().all(|line| !line.chars().any(char::is_control)));
    let kept = whole.read(whole.oldest(), usize::MAX).expect("it is kept");
    assert!(output[..usize::try_from(whole.end()).expect("it is short")].ends_with(&kept));
    let mut parts = Scrollback::default();
    output.chunks(usize::from(cut) + 1).for_each(|part| parts.push(part));
    assert_eq!(parts.end(), whole.end());
    assert_eq!(parts.text(size, 50), text);
    is_answer(output);
});
