//! A notebook as a document of the index: sources and text outputs of its cells. Lines count cells, from 1.

use aside_notebook::{Cell, Notebook, output_text};
use aside_search::{Chunk, plain};

/// Bytes of the outputs of a cell that are looked at, and bytes of their text that are searched.
const MOST_OF_OUTPUTS: usize = 2 << 20;
const MOST_OF_TEXT: usize = 64 << 10;

/// Returns all that is searched of a notebook, to tell one state from the next.
pub(super) fn text(notebook: &Notebook) -> String {
    let mut text = String::new();
    for cell in &notebook.cells {
        text += &cell.source();
        text += "\n\u{1}\n";
        text += &outputs(cell);
    }
    text
}

/// Returns the pieces of a notebook.
pub(super) fn chunks(notebook: &Notebook) -> Vec<Chunk> {
    let mut all = Vec::new();
    for (number, cell) in (1..).zip(&notebook.cells) {
        let pieces = plain(&cell.source()).into_iter().chain(plain(&outputs(cell)));
        all.extend(pieces.map(|piece| Chunk { line: number, end: number, text_line: number, ..piece }));
    }
    all
}

/// The text of a cell's outputs.
fn outputs(cell: &Cell) -> String {
    let is_small = cell.get("outputs").is_some_and(|outputs| outputs.as_str().len() <= MOST_OF_OUTPUTS);
    let outputs = if is_small { cell.outputs() } else { Vec::new() };
    let mut text = outputs.iter().filter_map(output_text).collect::<Vec<_>>().join("\n");
    text.truncate(text.floor_char_boundary(MOST_OF_TEXT));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_and_text_outputs_are_searched_by_cell() {
        let json = r##"{"cells": [
            {"cell_type": "markdown", "metadata": {}, "source": ["# Tides"]},
            {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": ["mean(heights)"], "outputs": [
                {"output_type": "stream", "name": "stdout", "text": ["2.5 metres\n"]},
                {"output_type": "display_data", "metadata": {}, "data": {"image/png": "AAAA"}}]}
        ], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}"##;
        let notebook = Notebook::read(json.as_bytes()).unwrap();
        let chunks = chunks(&notebook);
        let shape: Vec<_> = chunks.iter().map(|chunk| (chunk.line, chunk.text.as_str())).collect();
        assert_eq!(shape, [(1, "# Tides"), (2, "mean(heights)"), (2, "2.5 metres")]);
        assert!(!text(&notebook).contains("AAAA"));
    }
}
