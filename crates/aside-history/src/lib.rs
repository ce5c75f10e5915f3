//! Logs of AI coding programs: read, indexed and asked.
//!
//! Readers turn the bytes of a log into records, one file of code for each program; they touch no disk and never panic.
//! This crate knows no model service, no HTTP and no workspace of Aside: it reads what other programs left, and writes none of it.

mod again;
mod commands;
mod cost;
mod database;
mod error;
mod hash;
mod history;
pub mod hosts;
mod import;
mod index;
mod lenient;
mod lines;
mod outcome;
mod places;
mod plan;
mod playback;
mod reader;
mod record;
mod report;
mod resumed;
mod settings;
mod source;
mod statusline;
mod tool;
mod touch;
mod view;
mod watch;

pub use cost::{CostKind, Priced, Pricer};
pub use error::HistoryError;
pub use history::{History, retired};
pub use import::{Effort, Imported, Progress, import};
pub use index::{Delivery, Index, Noted, Origin, Unread};
pub use jiff::{civil::Weekday, tz::TimeZone};
pub use places::{LogFile, Places, Skipped, find};
pub use plan::{Course, Plan};
pub use playback::{Operation, Playback, Played, PlayedFile, Step};
pub use reader::{FileFacts, Reader};
pub use record::{
    Call, Details, Ending, Found, Message, Mode, Place, Problem, Response, ResponseKey, Role, Session, Tokens, Touch,
    Uncounted,
};
pub use report::{
    Block, BlockReport, Blocks, Burn, CostMode, Filter, ModelSums, Period, PeriodReport, PeriodRow, Projection,
    SessionReport, SessionRow, Sums, Until, blocks, day, minute, periods, sessions, zone,
};
pub use resumed::resumed_from;
pub use settings::{Settings, SettingsFile};
pub use source::{Source, UnknownSource};
pub use statusline::{ActiveBlock, Asked, Statusline, statusline};
pub use tool::{
    Asking, BUDGET, Cheaper, Evidence, Kind, Parameter, SessionMatch, TOOLS, Tool, advice, answer, by_id, check_bounds,
    risk_line,
};
pub use view::{
    Changes, Dashboard, Entry, Group, Hour, Listing, PullRequestRow, RunRow, Said, Timeline, dashboard, list,
    pull_requests, runs, timeline,
};
pub use watch::{Heard, Watcher, has_logs};
