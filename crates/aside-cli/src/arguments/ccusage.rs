//! Words of ccusage that change nothing here: scripts and settings made for it go on to work.

use clap::Args;

/// Those of a report.
#[derive(Debug, Args)]
#[group(skip)]
pub struct Understood {
    /// Accepted for compatibility: reports never use the network
    #[arg(long, short = 'O', global = true)]
    offline: bool,
    #[arg(long, global = true, hide = true)]
    no_offline: bool,
    #[arg(long, short, value_name = "LOCALE", global = true, hide = true)]
    locale: Option<String>,
    #[arg(long, value_name = "FILE", global = true, hide = true)]
    config: Option<String>,
    #[arg(long, short, global = true, hide = true)]
    debug: bool,
    #[arg(long, value_name = "COUNT", global = true, hide = true)]
    debug_samples: Option<u32>,
    #[arg(long, global = true, hide = true)]
    single_thread: bool,
    #[arg(long, global = true, hide = true)]
    all: bool,
    #[arg(long, global = true, hide = true)]
    color: bool,
    #[arg(long, global = true, hide = true)]
    no_color: bool,
    /// Would change what is printed, and is told to be the work of another program.
    #[arg(long, short = 'q', value_name = "FILTER", global = true, hide = true)]
    pub jq: Option<String>,
}

/// Those of a status line.
#[derive(Debug, Args)]
#[group(skip)]
pub struct UnderstoodOfLine {
    /// Accepted for compatibility: the status line never uses the network
    #[arg(long, short = 'O')]
    offline: bool,
    #[arg(long, hide = true)]
    no_offline: bool,
    #[arg(long, hide = true)]
    cache: bool,
    #[arg(long, hide = true)]
    no_cache: bool,
    #[arg(long, value_name = "SECONDS", hide = true)]
    refresh_interval: Option<u32>,
    #[arg(long, value_name = "FILE", hide = true)]
    config: Option<String>,
    #[arg(long, short, hide = true)]
    debug: bool,
}
