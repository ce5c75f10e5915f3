//! `prices.json` in the person's own folder: the list of prices that was fetched last, with its source and its day.

use std::io;

use aside_llm::PriceTable;
use aside_store::TextFile;

/// Bytes of the file.
pub const LONGEST: u64 = 8 << 20;

/// Reads it; none if nothing was fetched yet. The error says what is wrong and what to do.
pub fn read(file: &TextFile) -> Result<Option<PriceTable>, String> {
    let text = file.read().map_err(|error| error.to_string());
    let table = text
        .and_then(|text| text.map(|text| serde_json::from_str(&text)).transpose().map_err(|error| error.to_string()));
    table.map_err(|error| {
        let path = file.path().display();
        format!("{path}: {error}; this file is ignored. Replace it with `aside models prices refresh`, or delete it")
    })
}

/// Puts a list in its place.
pub fn write(file: &TextFile, list: &PriceTable) -> io::Result<()> {
    let text = serde_json::to_string(list)?;
    if text.len() as u64 > LONGEST {
        return Err(io::Error::other(format!("the list is larger than {LONGEST} bytes")));
    }
    file.change(|_| Ok(text))
}
