//! Logs of AI coding programs: read, indexed and asked.
//!
//! Readers turn the bytes of a log into records, one file of code for each program; they touch no disk and never panic.
//! This crate knows no model service, no HTTP and no workspace of Aside: it reads what other programs left, and writes none of it.

mod cost;
mod error;
mod history;
mod import;
mod index;
mod lenient;
mod lines;
mod places;
mod reader;
mod record;
mod report;
mod source;
mod statusline;
mod tool;
mod touch;

pub use cost::{CostKind, Priced, Pricer};
pub use error::HistoryError;
pub use history::History;
pub use import::{Imported, Progress, import};
pub use index::Index;
pub use jiff::tz::TimeZone;
pub use places::{LogFile, Places, find};
pub use reader::{FileFacts, Reader};
pub use record::{
    Call, Ending, Found, Message, Mode, Place, Problem, Response, ResponseKey, Role, Session, Tokens, Touch,
};
pub use report::{
    Block, BlockReport, Blocks, Burn, CostMode, Filter, ModelSums, Period, PeriodReport, PeriodRow, Projection,
    SessionReport, SessionRow, Sums, Until, WeekStart, blocks, periods, sessions, zone,
};
pub use source::{Source, UnknownSource};
pub use statusline::{ActiveBlock, Asked, Statusline, statusline};
pub use tool::{Asking, BUDGET, TOOLS, answer};
