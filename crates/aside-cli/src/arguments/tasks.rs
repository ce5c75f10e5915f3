//! What can be typed after `aside task` and `aside recipe`.

use std::path::PathBuf;

use aside_core::{ActionName, Sha256, TaskId, TaskState};
use clap::{Args, Subcommand};

use super::parse_word;

/// `aside task`.
#[derive(Debug, Subcommand)]
pub enum Task {
    /// One line a task, the latest first
    List(TaskFilter),
    /// One task: its plan with all it would do, and what happened
    Show {
        /// The task
        id: TaskId,
    },
    /// Plans some actions, shows all they would do, and does them on a yes
    Run {
        /// A JSON file {"goal": …, "steps": [{"action_type": …, "args": …}]}; - for standard input
        file: PathBuf,
        #[command(flatten)]
        how: How,
    },
    /// Says yes to the plan of a task that waits, as it was shown
    Approve {
        /// The task
        id: TaskId,
        /// The hash of the plan that was shown; without it the plan is shown and you are asked
        #[arg(long, value_name = "HASH", value_parser = parse_word::<Sha256>)]
        hash: Option<Sha256>,
        /// Only these steps, with commas between them; it starts when all were said yes to
        #[arg(long, value_name = "N", value_delimiter = ',')]
        steps: Option<Vec<u32>>,
        /// Only these parts of the one step, as they are numbered in the plan that was shown
        #[arg(long, value_name = "N", value_delimiter = ',', requires = "steps", requires = "hash")]
        parts: Option<Vec<u32>>,
        /// Only the steps of this action
        #[arg(long, value_name = "ACTION")]
        action: Option<ActionName>,
        /// Says yes to what waits now, whatever it is
        #[arg(long, conflicts_with = "hash")]
        yes: bool,
    },
    /// Says no: the task ends, or leaves some steps or changes out and shows the rest anew
    Reject {
        /// The task
        id: TaskId,
        /// Leaves only these steps out, with commas between them
        #[arg(long, value_name = "N", value_delimiter = ',')]
        steps: Option<Vec<u32>>,
        /// Leaves only these parts of the one step out, as they are numbered in the plan that was shown
        #[arg(long, value_name = "N", value_delimiter = ',', requires = "steps", requires = "hash")]
        parts: Option<Vec<u32>>,
        /// The hash of the plan that was shown
        #[arg(long, value_name = "HASH", value_parser = parse_word::<Sha256>)]
        hash: Option<Sha256>,
        /// Leaves only the steps of this action out
        #[arg(long, value_name = "ACTION")]
        action: Option<ActionName>,
        /// Why, for the timeline
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
    /// Lets a task wait after its running step
    Pause {
        /// The task
        id: TaskId,
    },
    /// Lets a paused or interrupted task go on
    Resume {
        /// The task
        id: TaskId,
    },
    /// Ends a task; what is done stays done
    Cancel {
        /// The task
        id: TaskId,
    },
    /// Takes a whole task back, the last action first, after showing what that would do
    Undo {
        /// The task
        id: TaskId,
        /// Takes back what can be, although not all can
        #[arg(long)]
        partly: bool,
        #[command(flatten)]
        how: How,
    },
    /// Does the same again, or with edits, after showing what that would do now
    Again {
        /// The earlier task
        id: TaskId,
        /// A JSON file with the list of steps to do instead; - for standard input
        #[arg(long, value_name = "FILE")]
        steps: Option<PathBuf>,
        /// Another goal
        #[arg(long, value_name = "TEXT")]
        goal: Option<String>,
        #[command(flatten)]
        how: How,
    },
}

/// How far to go.
#[derive(Clone, Copy, Debug, Args)]
pub struct How {
    /// Only shows what it would do, and keeps nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Says yes to what is shown
    #[arg(long, conflicts_with = "dry_run")]
    pub yes: bool,
}

/// Which tasks are listed.
#[derive(Debug, Args)]
pub struct TaskFilter {
    /// Words that all occur in the goal, the summary, the objects or the actions
    pub words: Vec<String>,
    /// For this person
    #[arg(long, value_name = "NAME")]
    pub by: Option<String>,
    /// About this file, or something in this folder
    #[arg(long, value_name = "PATH")]
    pub object: Option<String>,
    /// With an action such as doc.edit, or of a noun such as doc
    #[arg(long, value_name = "ACTION")]
    pub action: Option<String>,
    /// In this state, such as completed
    #[arg(long, value_name = "STATE", value_parser = parse_word::<TaskState>)]
    pub state: Option<TaskState>,
    /// Made before this one: the next page begins after the last of the page before
    #[arg(long, value_name = "TASK")]
    pub before: Option<TaskId>,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub limit: u32,
}

/// `aside recipe`.
#[derive(Debug, Subcommand)]
pub enum Recipe {
    /// The recipes, with their parameters
    List,
    /// Keeps what a completed task did; the same task again renames parameters
    Save {
        /// The task
        task: TaskId,
        /// The recipe's name; else one from the goal
        #[arg(long)]
        name: Option<String>,
        /// Another name for a parameter that is found
        #[arg(long, value_name = "OLD=NEW", value_parser = parse_pair)]
        rename: Vec<(String, String)>,
    },
    /// Shows what a recipe would do, and does it on a yes
    Run {
        /// Its name
        name: String,
        /// The value of a parameter; the others are what they were
        #[arg(long, value_name = "NAME=VALUE", value_parser = parse_pair)]
        set: Vec<(String, String)>,
        #[command(flatten)]
        how: How,
    },
    /// Deletes a recipe; the tasks that came from it stay
    Delete {
        /// Its name
        name: String,
    },
}

fn parse_pair(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(name, _)| !name.is_empty());
    pair.map(|(name, value)| (name.to_owned(), value.to_owned())).ok_or_else(|| format!("`{text}` is not NAME=VALUE"))
}
