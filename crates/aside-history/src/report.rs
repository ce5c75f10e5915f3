//! What the sessions took and cost, added up by day, week, month, session or block of hours.

mod block;
mod filter;
mod period;
mod rows;
mod session;
mod sums;

pub(crate) use block::blocks_within;
pub use block::{Block, BlockReport, Blocks, Burn, Projection, blocks};
pub use filter::{CostMode, Filter, Until, day, minute, zone};
pub(crate) use filter::{day_start, slug};
pub use period::{Period, PeriodReport, PeriodRow, periods};
pub(crate) use rows::{Names, Row, each_row, names};
pub use session::{SessionReport, SessionRow, sessions};
pub use sums::{ModelSums, Sums};
