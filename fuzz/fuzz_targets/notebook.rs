//! Any bytes are a notebook or refused with a reason: unchanged they are written as they are, and what is written after a change can be read.
#![cfg_attr(fuzzing, no_main)]

use aside_fuzz::fuzz_target;
use aside_notebook::Notebook;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut notebook) = Notebook::read(bytes) else { return };
    assert_eq!(notebook.write().as_bytes(), bytes);
    for cell in &mut notebook.cells {
        let source = cell.source() + "\nmore";
        cell.set_source(&source);
    }
    notebook.cells.reverse();
    let again = Notebook::read(notebook.write().as_bytes()).expect("what was written can be read");
    assert_eq!(again.cells.len(), notebook.cells.len());
});
