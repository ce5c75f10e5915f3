//! What LaTeX said, in plain words and with its place.
//!
//! Pure: no disk, no processes, no clock. The caller reads the log and runs the programs.

mod balance;
mod concordance;
mod log;
mod plan;
mod problem;
mod synctex;

pub use balance::*;
pub use concordance::*;
pub use log::*;
pub use plan::*;
pub use problem::*;
pub use synctex::*;
