//! Jupyter notebook files: every byte kept that nobody changed.
//!
//! Pure: no disk, no kernel, no clock. A notebook is read as the JSON text it is, looked at through [`Raw`] values that know their place in it, and
//! written by putting new values into that text. What this crate does not know (keys, kinds of cells, spellings of numbers) survives by not being touched.

mod cell;
mod error;
mod html;
mod kind;
mod legacy;
mod lines;
mod notebook;
mod output;
mod raw;
mod rewrite;
mod same;
mod signed;
mod source;
mod style;
mod write;

pub use cell::*;
pub use error::*;
pub use html::html_text;
pub use kind::*;
pub use lines::*;
pub use notebook::*;
pub use output::{best_text, output_text};
pub use raw::*;
pub use signed::signed_parts;
