//! `aside history …`, `aside report …` and `aside statusline`: what sessions of AI coding programs took and cost.

use std::str::FromStr;

use aside_history::{Source, Weekday};
use clap::{Args, Subcommand, ValueEnum};

use super::{
    Where,
    ccusage::{Understood, UnderstoodOfLine},
};

/// What to do with the history.
#[derive(Debug, Subcommand)]
pub enum HistoryCommand {
    /// Reads what is new in the logs of AI coding programs; reports do so by themselves
    Import {
        /// Adds up what was done in this folder or below; a name without a slash is that of a folder, wherever it is
        #[arg(long, short = 'p', value_name = "PATH", visible_alias = "project")]
        workspace: Option<String>,
        #[command(flatten)]
        part: Part,
    },
    /// Asks a model of this machine, which looks into the history to answer
    Ask {
        /// Such as "what did I spend this month?"
        question: String,
        /// The model, as Ollama names it; the first that it has that can call tools if absent
        #[arg(long, value_name = "NAME")]
        model: Option<String>,
        /// The model answers without looking into the history
        #[arg(long)]
        no_tools: bool,
        #[command(flatten)]
        part: Part,
        #[command(flatten)]
        place: Where,
    },
    /// Asks a host of repositories what became of pull requests and runs
    Pull {
        /// Which repository; the one that this folder is a clone of if absent
        #[arg(long, value_name = "OWNER/NAME")]
        repo: Option<String>,
        /// github.com, gitlab.com, or an address such as https://github.example/api/v3
        #[arg(long, value_name = "HOST")]
        host: Option<String>,
        /// Lets this host be asked, from now on
        #[arg(long)]
        allow: bool,
        #[command(flatten)]
        place: Where,
    },
    /// Adds up tokens and cost
    Report(Report),
    /// Prints one line for Claude Code's status line, from the JSON that it gives on standard input
    Statusline(StatuslineArguments),
    /// Asks one question, with an answer as JSON; without a name, lists the questions
    Tool {
        /// Such as find_sessions_touching_file
        name: Option<String>,
        /// Its arguments, such as '{"file": "src/main.rs"}'
        #[arg(long, value_name = "JSON", default_value = "{}", value_parser = super::parse_json)]
        args: serde_json::Value,
        /// Only what was done in this folder or below, which is also the one that is meant; a name without a slash is that of a folder, wherever it is
        #[arg(long, short = 'p', value_name = "PATH", visible_alias = "project")]
        workspace: Option<String>,
        #[command(flatten)]
        part: Part,
    },
}

/// Which part of the history a question may look at, or is added up when it was read.
#[derive(Debug, Args)]
pub struct Part {
    /// Only what was from then on: a day, a time, or how long ago, such as 7d
    #[arg(long, value_name = "DAY")]
    pub since: Option<String>,
    /// Only what was up to this day, which is included
    #[arg(long, value_name = "DAY")]
    pub until: Option<String>,
    /// Only these programs, such as claude,codex
    #[arg(long, value_name = "PROGRAM", value_delimiter = ',')]
    pub source: Vec<Source>,
    /// Days of this time zone, such as Europe/Berlin; else of this machine's
    #[arg(long, short = 'z', value_name = "ZONE")]
    pub timezone: Option<String>,
}

/// What to add up.
#[derive(Debug, Args)]
pub struct Report {
    #[command(subcommand)]
    pub by: Option<ReportBy>,
    #[command(flatten)]
    pub which: Which,
}

/// By what to add up.
#[derive(Clone, Debug, Subcommand)]
pub enum ReportBy {
    /// By day
    Daily,
    /// By week
    Weekly {
        /// The day on which a week begins
        #[arg(long, short = 'w', value_name = "DAY", default_value = "sunday", value_parser = weekday)]
        start_of_week: Weekday,
    },
    /// By month
    Monthly,
    /// By session, the dearest first
    Session {
        /// Only the one with this id
        #[arg(long, value_name = "ID")]
        id: Option<String>,
    },
    /// By block of five hours, as subscriptions count them
    Blocks {
        /// Only the one that is active
        #[arg(long, short)]
        active: bool,
        /// Only those of the last three days, and the active one
        #[arg(long, short)]
        recent: bool,
        /// Hours of a block
        #[arg(long, short = 'n', value_name = "HOURS", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=168))]
        session_length: u32,
        /// How many tokens a block may take; max for as many as the fullest one took
        #[arg(long, short = 't', value_name = "TOKENS")]
        token_limit: Option<TokenLimit>,
    },
}

/// Which responses count.
#[derive(Debug, Args)]
pub struct Which {
    /// From this day on: 2026-06-30, 20260630, a time, or how long ago, such as 7d
    #[arg(long, short, value_name = "DAY", global = true)]
    pub since: Option<String>,
    /// Up to this day, which is included
    #[arg(long, short, value_name = "DAY", global = true)]
    pub until: Option<String>,
    /// Only what was asked in this folder or below; a name without a slash is that of a folder, wherever it is
    #[arg(long, short = 'p', value_name = "PATH", visible_alias = "project", global = true)]
    pub workspace: Option<String>,
    /// Only of these programs, such as claude,codex
    #[arg(long, value_name = "PROGRAM", value_delimiter = ',', global = true)]
    pub source: Vec<Source>,
    /// Days of this time zone, such as Europe/Berlin; else of this machine's
    #[arg(long, short = 'z', value_name = "ZONE", global = true)]
    pub timezone: Option<String>,
    /// Which cost counts: what the log says, else the list of prices; the list only; or the log only
    #[arg(long, short, value_enum, default_value = "auto", global = true)]
    pub mode: Mode,
    /// A line for each model, too
    #[arg(long, short, global = true)]
    pub breakdown: bool,
    /// By folder, too
    #[arg(long, short, global = true)]
    pub instances: bool,
    /// The earliest first, or the latest; of sessions the cheapest or the dearest [default: asc, of sessions desc]
    #[arg(long, short, value_enum, global = true)]
    pub order: Option<Order>,
    /// Only the latest lines, this many; or from so long ago on, such as 7d
    #[arg(long, value_name = "COUNT", global = true, conflicts_with = "since")]
    pub last: Option<Last>,
    /// Fewer columns, as in a terminal with fewer than 100
    #[arg(long, global = true)]
    pub compact: bool,
    /// Tokens only
    #[arg(long, global = true)]
    pub no_cost: bool,
    #[command(flatten)]
    pub understood: Understood,
}

/// The latest lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Last {
    /// So many.
    Lines(usize),
    /// Those since so long ago.
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

/// How many tokens a block may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenLimit {
    /// So many.
    Tokens(u64),
    /// As many as the fullest block that has ended.
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

/// Which cost counts.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Mode {
    Auto,
    Calculate,
    Display,
}

/// In which order.
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

/// How the line is made.
#[derive(Debug, Args)]
pub struct StatuslineArguments {
    /// Days of this time zone; else of this machine's
    #[arg(long, short = 'z', value_name = "ZONE")]
    pub timezone: Option<String>,
    /// Whose cost of the session is shown: what was added up here (aside), what Claude Code says (cc), both, or what there is
    #[arg(long, value_enum, default_value = "auto")]
    pub cost_source: CostSource,
    /// Says whether tokens go slowly, faster or fast, too: by a sign, a word, or both
    #[arg(long, short = 'B', value_enum, default_value = "off")]
    pub visual_burn_rate: VisualBurnRate,
    /// Below this many percent of the context in use it is shown in green
    #[arg(long, value_name = "PERCENT", default_value_t = 50, value_parser = clap::value_parser!(u64).range(0..=100))]
    pub context_low_threshold: u64,
    /// Below this many in yellow, else in red
    #[arg(long, value_name = "PERCENT", default_value_t = 80, value_parser = clap::value_parser!(u64).range(0..=100))]
    pub context_medium_threshold: u64,
    /// Today and the block are of this folder and those below only; a name without a slash is that of a folder, wherever it is
    #[arg(long, short = 'p', value_name = "PATH", visible_alias = "project")]
    pub workspace: Option<String>,
    /// Today and the block are of what was from then on: a day, a time, or how long ago, such as 2h
    #[arg(long, value_name = "DAY")]
    pub since: Option<String>,
    /// Today and the block are of what was up to this day or time
    #[arg(long, value_name = "DAY")]
    pub until: Option<String>,
    /// Today and the block are of these programs only, such as claude,codex
    #[arg(long, value_name = "PROGRAM", value_delimiter = ',')]
    pub source: Vec<Source>,
    #[command(flatten)]
    pub understood: UnderstoodOfLine,
}

/// How it is said how fast tokens go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VisualBurnRate {
    Off,
    Emoji,
    Text,
    EmojiText,
}

/// Whose cost of a session is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CostSource {
    Auto,
    #[value(alias = "ccusage")]
    Aside,
    Cc,
    Both,
}
