//! The built user interface, `web/dist`, embedded in a release; a debug build reads it from disk.
//!
//! Only the program depends on this crate, so that a change of a page compiles nothing but a table of bytes.

use std::borrow::Cow;

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "$ASIDE_WEB_DIST"]
#[allow_missing = true]
struct Dist;

/// Returns a file's bytes and their SHA-256. Files that compress well are there once, with `.br` after their name.
pub fn file(path: &str) -> Option<(Cow<'static, [u8]>, [u8; 32])> {
    let file = Dist::get(path)?;
    let hash = file.metadata.sha256_hash();
    Some((file.data, hash))
}
