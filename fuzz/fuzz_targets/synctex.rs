//! Any text is a SyncTeX file that can be asked, or a typed error.
#![cfg_attr(fuzzing, no_main)]

use aside_fuzz::fuzz_target;
use aside_latex::parse_synctex;

fuzz_target!(|asked: (&str, u32, u32, f64, f64)| {
    let (text, line, page, x, y) = asked;
    if let Ok(found) = parse_synctex(text) {
        let file = found.files().next().unwrap_or("a.tex").to_owned();
        for area in found.areas(&file, line) {
            assert!(area.width >= 0.0 || area.width.is_nan());
        }
        found.source(page, x, y);
    }
});
