//! What can be typed after `aside task` and `aside recipe`.

use std::path::PathBuf;

use aside_core::{ActionName, Sha256, TaskId, TaskState};
use clap::{Args, Subcommand};

use super::parse_word;

/// `aside task`.
#[derive(Debug, Subcommand)]
pub enum Task {
    /// List tasks, latest first
    List(TaskFilter),
    /// Show a task: its plan with previews, and its timeline
    Show {
        /// The task's id
        id: TaskId,
    },
    /// Plan several actions, preview them all, and run them after approval
    Run {
        /// A JSON file {"goal": …, "steps": [{"action_type": …, "args": …}]}; - for standard input
        file: PathBuf,
        #[command(flatten)]
        how: How,
    },
    /// Approve the plan of a waiting task
    Approve {
        /// The task's id
        id: TaskId,
        /// The hash of the plan that you reviewed; without it, the plan is shown and you are asked
        #[arg(long, value_name = "HASH", value_parser = parse_word::<Sha256>)]
        hash: Option<Sha256>,
        /// Approve only these steps, separated by commas; the task starts when all steps are approved
        #[arg(long, value_name = "N", value_delimiter = ',')]
        steps: Option<Vec<u32>>,
        /// Approve only these parts of the one step, by their numbers in the plan
        #[arg(long, value_name = "N", value_delimiter = ',', requires = "steps", requires = "hash")]
        parts: Option<Vec<u32>>,
        /// Approve only the steps of this action
        #[arg(long, value_name = "ACTION")]
        action: Option<ActionName>,
        /// Approve everything that waits now, without review
        #[arg(long, conflicts_with = "hash")]
        yes: bool,
    },
    /// Reject a plan, which ends the task, or reject only some steps or parts and preview the rest again
    Reject {
        /// The task's id
        id: TaskId,
        /// Reject only these steps, separated by commas
        #[arg(long, value_name = "N", value_delimiter = ',')]
        steps: Option<Vec<u32>>,
        /// Reject only these parts of the one step, by their numbers in the plan
        #[arg(long, value_name = "N", value_delimiter = ',', requires = "steps", requires = "hash")]
        parts: Option<Vec<u32>>,
        /// The hash of the plan that you reviewed
        #[arg(long, value_name = "HASH", value_parser = parse_word::<Sha256>)]
        hash: Option<Sha256>,
        /// Reject only the steps of this action
        #[arg(long, value_name = "ACTION")]
        action: Option<ActionName>,
        /// The reason, for the timeline
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Pause a task after its running step
    Pause {
        /// The task's id
        id: TaskId,
    },
    /// Resume a paused or interrupted task
    Resume {
        /// The task's id
        id: TaskId,
    },
    /// Cancel a task; completed steps stay
    Cancel {
        /// The task's id
        id: TaskId,
    },
    /// Undo a whole task, last action first, after a preview
    Undo {
        /// The task's id
        id: TaskId,
        /// Undo as much as possible if not everything can be undone
        #[arg(long)]
        partly: bool,
        #[command(flatten)]
        how: How,
    },
    /// Run a task again, unchanged or with edits, after a new preview
    Again {
        /// The earlier task's id
        id: TaskId,
        /// A JSON file with the list of steps to run instead; - for standard input
        #[arg(long, value_name = "FILE")]
        steps: Option<PathBuf>,
        /// Another goal
        #[arg(long, value_name = "TEXT")]
        goal: Option<String>,
        #[command(flatten)]
        how: How,
    },
}

/// Preview or approve.
#[derive(Clone, Copy, Debug, Args)]
pub struct How {
    /// Preview only, and store nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Approve the preview
    #[arg(long, conflicts_with = "dry_run")]
    pub yes: bool,
}

/// Filters of the list.
#[derive(Debug, Args)]
pub struct TaskFilter {
    /// Words that must all occur in the goal, the summary, the objects or the actions
    pub words: Vec<String>,
    /// Tasks of this person
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    /// Tasks that touch this file or folder
    #[arg(long, value_name = "PATH")]
    pub object: Option<String>,
    /// Tasks with this action, such as doc.edit, or noun, such as doc
    #[arg(long, value_name = "ACTION")]
    pub action: Option<String>,
    /// Tasks in this state, such as completed
    #[arg(long, value_name = "STATE", value_parser = parse_word::<TaskState>)]
    pub state: Option<TaskState>,
    /// Only tasks created before this one: pass the last id of a page to get the next page
    #[arg(long, value_name = "TASK")]
    pub before: Option<TaskId>,
    /// Maximum number of tasks
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub limit: u32,
}

/// `aside recipe`.
#[derive(Debug, Subcommand)]
pub enum Recipe {
    /// List recipes with their parameters
    List,
    /// Save a completed task as a recipe; saving it again renames parameters
    Save {
        /// The task's id
        task: TaskId,
        /// The recipe's name [default: from the goal]
        #[arg(long)]
        name: Option<String>,
        /// Rename a detected parameter
        #[arg(long, value_name = "OLD=NEW", value_parser = parse_pair)]
        rename: Vec<(String, String)>,
    },
    /// Preview a recipe, and run it after approval
    Run {
        /// The recipe's name
        name: String,
        /// The value of a parameter; other parameters keep their saved values
        #[arg(long, value_name = "NAME=VALUE", value_parser = parse_pair)]
        set: Vec<(String, String)>,
        #[command(flatten)]
        how: How,
    },
    /// Delete a recipe; tasks made from it stay
    Delete {
        /// The recipe's name
        name: String,
    },
}

fn parse_pair(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(name, _)| !name.is_empty());
    pair.map(|(name, value)| (name.to_owned(), value.to_owned())).ok_or_else(|| format!("`{text}` is not NAME=VALUE"))
}
