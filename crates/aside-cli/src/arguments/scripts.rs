//! The arguments of `aside script`.

use std::path::PathBuf;

use aside_core::{Place, TaskId};
use clap::{Args, Subcommand};
use serde_json::{Map, Value};

use super::parse_word;

/// `aside script`.
#[derive(Debug, Subcommand)]
pub enum Script {
    /// Run a script; each of its calls is checked like any other action
    Run(ScriptToRun),
    /// Find unknown actions and wrong arguments without running the script
    Check {
        /// The script; - for standard input
        file: PathBuf,
    },
    /// Print aside.d.ts: the types of all actions, for your editor
    Types,
}

/// `aside script run`.
#[derive(Debug, Args)]
pub struct ScriptToRun {
    /// The script: the body of an async TypeScript function; - for standard input
    pub file: PathBuf,
    /// The input: a JSON object, which the script finds in `args`
    #[arg(long, value_name = "JSON", value_parser = parse_object)]
    pub args: Option<Map<String, Value>>,
    /// Show all changes as one table and make none
    #[arg(long)]
    pub dry_run: bool,
    /// The task of a dry run that you have seen: a change that it did not show pauses the run
    #[arg(long, value_name = "TASK", conflicts_with = "dry_run")]
    pub shown: Option<TaskId>,
    /// Where it runs: workspace, browser, host or hub
    #[arg(long, value_name = "PLACE", value_parser = parse_word::<Place>)]
    pub place: Option<Place>,
    /// The same key with the same script starts one run
    #[arg(long, value_name = "KEY")]
    pub key: Option<String>,
    /// Stop after this many seconds of computing [default: 10]
    #[arg(long, value_name = "SECONDS")]
    pub compute: Option<f64>,
    /// Stop after this many seconds, without waits for you [default: 600]
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<f64>,
    /// Stop above this many MiB of memory [default: 64]
    #[arg(long, value_name = "MIB")]
    pub memory: Option<u32>,
}

fn parse_object(text: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(text) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err("the input must be a JSON object, such as {\"year\": 2026}".to_owned()),
        Err(error) => Err(format!("the input is not JSON: {error}")),
    }
}
