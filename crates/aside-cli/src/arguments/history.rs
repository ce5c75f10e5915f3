//! `aside history …`, `aside report …` and `aside statusline`: what sessions of AI coding programs took and cost.

use std::str::FromStr;

use aside_history::{Source, Weekday};
use clap::{Args, Subcommand, ValueEnum};

use super::{
    Where,
    ccusage::{Understood, UnderstoodOfLine},
};

/// Commands about the history.
#[derive(Debug, Subcommand)]
pub enum HistoryCommand {
    /// Read new entries from the logs of AI coding programs; reports do this automatically
    Import {
        /// Summarise the activity in this folder and below; a name without a slash matches any folder of that name
        #[arg(long, short = 'p', value_name = "PATH", visible_alias = "project")]
        workspace: Option<String>,
        #[command(flatten)]
        part: Part,
    },
    /// Ask a local model a question about the history
    Ask {
        /// The question, such as "what did I spend this month?"
        question: String,
        /// The model's name in Ollama [default: the first model that can call tools]
        #[arg(long, value_name = "NAME")]
        model: Option<String>,
        /// Let the model answer without looking into the history
        #[arg(long)]
        no_tools: bool,
        #[command(flatten)]
        part: Part,
        #[command(flatten)]
        place: Where,
    },
    /// Fetch the state of pull requests and CI runs from a Git host
    Pull {
        /// The repository [default: the repository that this folder is a clone of]
        #[arg(long, value_name = "OWNER/NAME")]
        repo: Option<String>,
        /// The host: github.com, gitlab.com, or an address such as https://github.example/api/v3
        #[arg(long, value_name = "HOST")]
        host: Option<String>,
        /// Allow requests to this host, now and later
        #[arg(long)]
        allow: bool,
        #[command(flatten)]
        place: Where,
    },
    /// Report tokens and cost
    Report(Report),
    /// Prints one line for Claude Code's status line, from the JSON that it gives on standard input
    Statusline(StatuslineArguments),
    /// Run one query and print its answer as JSON; without a name, list the queries
    Tool {
        /// The query's name, such as find_sessions_touching_file
        name: Option<String>,
        /// The query's arguments, such as '{"file": "src/main.rs"}'
        #[arg(long, value_name = "JSON", default_value = "{}", value_parser = super::parse_json)]
        args: serde_json::Value,
        /// Only activity in this folder and below, which becomes the current folder of the query; a name without a
        /// slash matches any folder of that name
        #[arg(long, short = 'p', value_name = "PATH", visible_alias = "project")]
        workspace: Option<String>,
        #[command(flatten)]
        part: Part,
    },
}

/// The part of the history that a query covers.
#[derive(Debug, Args)]
pub struct Part {
    /// Start: a day, a time, or how long ago, such as 7d
    #[arg(long, value_name = "DAY")]
    pub since: Option<String>,
    /// Last day, included
    #[arg(long, value_name = "DAY")]
    pub until: Option<String>,
    /// Only these programs, such as claude,codex
    #[arg(long, value_name = "PROGRAM", value_delimiter = ',')]
    pub source: Vec<Source>,
    /// The time zone of days, such as Europe/Berlin [default: this computer's]
    #[arg(long, short = 'z', value_name = "ZONE")]
    pub timezone: Option<String>,
}

/// The report to make.
#[derive(Debug, Args)]
pub struct Report {
    #[command(subcommand)]
    pub by: Option<ReportBy>,
    #[command(flatten)]
    pub which: Which,
}

/// The grouping of a report.
#[derive(Clone, Debug, Subcommand)]
pub enum ReportBy {
    /// By day
    Daily,
    /// By week
    Weekly {
        /// The first day of the week
        #[arg(long, short = 'w', value_name = "DAY", default_value = "sunday", value_parser = weekday)]
        start_of_week: Weekday,
    },
    /// By month
    Monthly,
    /// By session, most expensive first
    Session {
        /// Only the session with this id
        #[arg(long, value_name = "ID")]
        id: Option<String>,
    },
    /// By five-hour block, as subscriptions count usage
    Blocks {
        /// Only the active block
        #[arg(long, short)]
        active: bool,
        /// Only blocks of the last three days, and the active one
        #[arg(long, short)]
        recent: bool,
        /// Length of a block in hours
        #[arg(long, short = 'n', value_name = "HOURS", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=168))]
        session_length: u32,
        /// The token limit of a block; max for the largest number of tokens used in a finished block
        #[arg(long, short = 't', value_name = "TOKENS")]
        token_limit: Option<TokenLimit>,
    },
}

/// Filters and options of a report.
#[derive(Debug, Args)]
pub struct Which {
    /// First day: 2026-06-30, 20260630, a time, or how long ago, such as 7d
    #[arg(long, short, value_name = "DAY", global = true)]
    pub since: Option<String>,
    /// Last day, included
    #[arg(long, short, value_name = "DAY", global = true)]
    pub until: Option<String>,
    /// Only usage in this folder and below; a name without a slash matches any folder of that name
    #[arg(long, short = 'p', value_name = "PATH", visible_alias = "project", global = true)]
    pub workspace: Option<String>,
    /// Only these programs, such as claude,codex
    #[arg(long, value_name = "PROGRAM", value_delimiter = ',', global = true)]
    pub source: Vec<Source>,
    /// The time zone of days, such as Europe/Berlin [default: this computer's]
    #[arg(long, short = 'z', value_name = "ZONE", global = true)]
    pub timezone: Option<String>,
    /// The source of costs: the log or else the price list (auto), only the price list (calculate), or only the log
    /// (display)
    #[arg(long, short, value_enum, default_value = "auto", global = true)]
    pub mode: Mode,
    /// Add a line for each model
    #[arg(long, short, global = true)]
    pub breakdown: bool,
    /// Group by folder as well
    #[arg(long, short, global = true)]
    pub instances: bool,
    /// Earliest or latest first; for sessions, cheapest or most expensive first [default: asc, for sessions desc]
    #[arg(long, short, value_enum, global = true)]
    pub order: Option<Order>,
    /// Only the last N lines, or the lines since a time ago, such as 7d
    #[arg(long, value_name = "COUNT", global = true, conflicts_with = "since")]
    pub last: Option<Last>,
    /// Show fewer columns, as in a terminal narrower than 100 columns
    #[arg(long, global = true)]
    pub compact: bool,
    /// Show tokens only
    #[arg(long, global = true)]
    pub no_cost: bool,
    #[command(flatten)]
    pub understood: Understood,
}

/// The last lines of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Last {
    /// A number.
    Lines(usize),
    /// The lines since this long ago.
    Since(String),
}

impl FromStr for Last {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(0) => Err("expected a number above 0, or how long ago, such as 7d".to_owned()),
            Ok(lines) => Ok(Self::Lines(lines)),
            Err(_) => Ok(Self::Since(text.to_owned())),
        }
    }
}

/// The token limit of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenLimit {
    /// A number.
    Tokens(u64),
    /// The largest number of tokens used in a finished block.
    Max,
}

impl FromStr for TokenLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            _ if text == "max" => Ok(Self::Max),
            Ok(tokens) if tokens > 0 => Ok(Self::Tokens(tokens)),
            _ => Err("expected a number of tokens, or max".to_owned()),
        }
    }
}

/// The source of costs.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Mode {
    Auto,
    Calculate,
    Display,
}

/// The order of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Order {
    Asc,
    Desc,
}

fn weekday(text: &str) -> Result<Weekday, String> {
    let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let place = (1..).zip(names).find(|(_, name)| name.eq_ignore_ascii_case(text));
    let day = place.and_then(|(number, _)| Weekday::from_monday_one_offset(number).ok());
    day.ok_or_else(|| format!("expected one of {}", names.join(", ")))
}

/// Options of the status line.
#[derive(Debug, Args)]
pub struct StatuslineArguments {
    /// The time zone of days [default: this computer's]
    #[arg(long, short = 'z', value_name = "ZONE")]
    pub timezone: Option<String>,
    /// The source of the session's cost: Aside's own sum (aside), Claude Code's (cc), both, or whichever is available
    /// (auto)
    #[arg(long, value_enum, default_value = "auto")]
    pub cost_source: CostSource,
    /// Show the burn rate as an emoji, a word, or both
    #[arg(long, short = 'B', value_enum, default_value = "off")]
    pub visual_burn_rate: VisualBurnRate,
    /// Show context use in green below this percentage
    #[arg(long, value_name = "PERCENT", default_value_t = 50, value_parser = clap::value_parser!(u64).range(0..=100))]
    pub context_low_threshold: u64,
    /// Show context use in yellow below this percentage, else in red
    #[arg(long, value_name = "PERCENT", default_value_t = 80, value_parser = clap::value_parser!(u64).range(0..=100))]
    pub context_medium_threshold: u64,
    /// Count today and the block only in this folder and below; a name without a slash matches any folder of that name
    #[arg(long, short = 'p', value_name = "PATH", visible_alias = "project")]
    pub workspace: Option<String>,
    /// Count today and the block from this time on: a day, a time, or how long ago, such as 2h
    #[arg(long, value_name = "DAY")]
    pub since: Option<String>,
    /// Count today and the block up to this day or time
    #[arg(long, value_name = "DAY")]
    pub until: Option<String>,
    /// Count today and the block only for these programs, such as claude,codex
    #[arg(long, value_name = "PROGRAM", value_delimiter = ',')]
    pub source: Vec<Source>,
    #[command(flatten)]
    pub understood: UnderstoodOfLine,
}

/// The display of the burn rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VisualBurnRate {
    Off,
    Emoji,
    Text,
    EmojiText,
}

/// The source of a session's cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CostSource {
    Auto,
    #[value(alias = "ccusage")]
    Aside,
    Cc,
    Both,
}
