//! The questions, with what each takes: the one list that the command line, the catalog of actions and the sidebar's model are told.

use serde_json::{Map, Value, json};

use super::{
    Asking,
    args::Arguments,
    bounds::{COMMON, HANDLE},
    burn, changes, files, mode, money, playback, quality, risk, search, sessions, skills,
};
use crate::{HistoryError, Index};

/// A question.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it answers, in one line in the imperative.
    pub summary: &'static str,
    /// What a model has to know to ask it well.
    pub about: &'static str,
    /// What it takes.
    pub parameters: &'static [Parameter],
    /// Arguments of an example, as JSON.
    pub example: &'static str,
    /// What people say when they mean it.
    pub phrases: &'static [&'static str],
    pub(super) answer: fn(&Index, &Asking, &Arguments) -> Result<Value, HistoryError>,
}

/// What a question takes.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What may be given.
    pub kind: Kind,
    /// It has to be there.
    pub required: bool,
    /// What it means.
    pub about: &'static str,
}

/// What may be given.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Any text.
    Text,
    /// A number within bounds.
    Number {
        /// Taken if none is given.
        usual: u64,
        /// At most.
        most: u64,
    },
    /// One of these words.
    Word(&'static [&'static str]),
    /// Yes or no.
    Flag,
}

const fn text(name: &'static str, about: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Text, required: false, about }
}

const fn needed(name: &'static str, about: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Text, required: true, about }
}

const fn limit(usual: u64, most: u64) -> Parameter {
    number("limit", usual, most, "How many at most")
}

const fn number(name: &'static str, usual: u64, most: u64, about: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Number { usual, most }, required: false, about }
}

const fn word(name: &'static str, words: &'static [&'static str], about: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Word(words), required: false, about }
}

const SINCE: Parameter = text("since", "From then on: 24h, 7d, 1w, 1m for 30 days, or a date");
const PROJECT: Parameter = text("project", "A folder with all below it, or the name of one; all if absent");

/// All questions, in the order in which people are told of them.
pub const TOOLS: &[Tool] = &[
    Tool {
        name: "search_past_decisions",
        summary: "Find past AI sessions by what was said in them",
        about: "Searches what people and models said in the logs of AI coding programs, for all the given words; the newest sessions first, with a piece of the text.",
        parameters: &[
            needed("query", "Words that were said; all of them have to be there"),
            limit(5, 20),
            PROJECT,
            SINCE,
        ],
        example: r#"{"query": "stripe webhooks"}"#,
        phrases: &["have I dealt with this before", "what did we decide about", "search my past sessions"],
        answer: search::past,
    },
    Tool {
        name: "find_sessions_in_path",
        summary: "List past AI sessions that ran in a folder",
        about: "Sessions whose folder is the path or above it; with `descendants` those below it too.",
        parameters: &[
            needed("path", "A file or folder; from the workspace if it is not absolute"),
            SINCE,
            limit(5, 20),
            Parameter {
                name: "descendants",
                kind: Kind::Flag,
                required: false,
                about: "Also sessions in folders below",
            },
        ],
        example: r#"{"path": "."}"#,
        phrases: &["sessions in this directory", "past sessions in this folder"],
        answer: sessions::in_path,
    },
    Tool {
        name: "find_sessions_touching_file",
        summary: "List past AI sessions that read or wrote a file",
        about: "By the parsed arguments of their calls; if any way will do, then by text, marked so. `cost.py` is not `cost.py.bak`.",
        parameters: &[
            needed("file", "A path; a bare name means any file that is called so"),
            word(
                "mode",
                &["any", "read", "write"],
                "What was done to it; any, which is also that it was only named, if absent",
            ),
            SINCE,
            limit(5, 20),
        ],
        example: r#"{"file": "src/main.rs", "mode": "write"}"#,
        phrases: &["who touched this file", "which AI session changed this file"],
        answer: files::touching,
    },
    Tool {
        name: "get_project_summary",
        summary: "Sum up the AI sessions of one folder",
        about: "Sessions, responses, cost, first and last time of a folder; of the current one if none is named.",
        parameters: &[text("slug", "A folder, or the name of one")],
        example: "{}",
        phrases: &["state of this project's AI history", "AI sessions of this project in numbers"],
        answer: money::project,
    },
    Tool {
        name: "get_cost_summary",
        summary: "Sum up what AI coding cost in a period",
        about: "Total cost, responses and sessions, and the folders that cost most. What has no known price is counted apart and named, and what of the sum is a guess is said.",
        parameters: &[
            word(
                "period",
                &["today", "7days", "30days", "month", "all"],
                "The period; if absent this month, or with since or until all between them",
            ),
            limit(10, 25),
        ],
        example: r#"{"period": "month"}"#,
        phrases: &["what did I spend on AI this month", "AI coding costs"],
        answer: money::summary,
    },
    Tool {
        name: "get_session_playback",
        summary: "Show the files of a past AI session at a moment",
        about: "Rebuilds files from the session's own reads and writes up to `at`, and says of each whether it is complete.",
        parameters: &[needed("session_id", "The session"), text("at", "A time; the end of the session if absent")],
        example: r#"{"session_id": "demo"}"#,
        phrases: &["what did the agent change in session", "play back a session"],
        answer: playback::session,
    },
    Tool {
        name: "recommend_mode",
        summary: "Say which model did tasks like this well for less",
        about: "Compares past sessions whose first message is like the prompt, leaving out those that failed or were reverted.",
        parameters: &[needed("prompt", "The task, in words"), text("current_model", "The model that would be used")],
        example: r#"{"prompt": "fix the failing test in src/main.rs"}"#,
        phrases: &["could a cheaper model do this", "recommend a model for this task"],
        answer: mode::recommend,
    },
    Tool {
        name: "get_burn_projection",
        summary: "Project this month's AI spending against the plan",
        about: "Needs the plan that the person said they have; else it says how to set one.",
        parameters: &[],
        example: "{}",
        phrases: &["will I overrun this month", "projected AI spending"],
        answer: burn::projection,
    },
    Tool {
        name: "list_recent_sessions",
        summary: "List the latest AI sessions",
        about: "The newest first, of all programs.",
        parameters: &[PROJECT, limit(10, 25)],
        example: r#"{"limit": 5}"#,
        phrases: &["what did I work on lately with AI", "recent AI sessions"],
        answer: sessions::recent,
    },
    Tool {
        name: "recommend_skills",
        summary: "Find habits in AI sessions that are worth writing down",
        about: "Commands and corrections that come again in several sessions of a folder: the current one if none is named.",
        parameters: &[
            text("project", "A folder with all below it, or the name of one"),
            number("threshold", 5, 50, "In how many sessions it has to be"),
            number("window_days", 30, 365, "How many days back"),
        ],
        example: r#"{"threshold": 3}"#,
        phrases: &["what should I automate in this project", "recommend skills"],
        answer: skills::recommend,
    },
    Tool {
        name: "get_pr_outcomes",
        summary: "List what became of pull requests of a repository",
        about: "What GitHub, GitLab or another service told by a webhook, or when they were asked with `aside history pull`; of a repository of which none of that happened, nothing is known.",
        parameters: &[
            needed("repo", "owner/name"),
            word("state", &["open", "merged", "closed"], "Only these"),
            SINCE,
            limit(10, 50),
        ],
        example: r#"{"repo": "octo/site"}"#,
        phrases: &["what PRs landed", "pull request outcomes"],
        answer: changes::pull_requests,
    },
    Tool {
        name: "get_ci_runs",
        summary: "List runs of continuous integration",
        about: "What GitHub, GitLab or another service told by a webhook, or when they were asked with `aside history pull`; of a repository of which none of that happened, nothing is known.",
        parameters: &[
            text("commit_sha", "Of this commit, or of those that begin so"),
            word("status", &["success", "failure", "cancelled", "skipped", "pending", "in_progress"], "Only these"),
            text("repo", "owner/name"),
            limit(10, 50),
        ],
        example: "{}",
        phrases: &["did CI pass on this commit", "CI runs"],
        answer: changes::ci_runs,
    },
    Tool {
        name: "get_file_risk",
        summary: "Count how AI changes to a file turned out before",
        about: "Sessions that wrote the file and were then reverted, failed, or worked, by what was said and run after.",
        parameters: &[needed("path", "The file"), SINCE],
        example: r#"{"path": "src/main.rs"}"#,
        phrases: &["have I broken this file before", "is this a risky file to edit"],
        answer: risk::of_file,
    },
    Tool {
        name: "get_session_quality",
        summary: "Measure the files of an AI session before and after",
        about: "How the branching of each written file changed, as far as its text is known from the session.",
        parameters: &[needed("session_id", "The session")],
        example: r#"{"session_id": "demo"}"#,
        phrases: &["quality of a past session", "did the session make the code more complex"],
        answer: quality::of_session,
    },
];

impl Tool {
    /// The question with this name; the error names all.
    pub fn named(name: &str) -> Result<&'static Self, HistoryError> {
        TOOLS.iter().find(|tool| tool.name == name).ok_or_else(|| {
            let known: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            HistoryError::Asked(format!("no tool `{name}`: known are {}", known.join(", ")))
        })
    }

    /// What it takes, as JSON Schema.
    pub fn schema(&self) -> Value {
        self.schema_with(COMMON)
    }

    /// What a model of this machine is told that it takes: its own parameters, since such a model has little room.
    pub fn short_schema(&self) -> Value {
        self.schema_with(&[HANDLE])
    }

    fn schema_with(&self, common: &[Parameter]) -> Value {
        let own = |one: &&Parameter| self.parameters.iter().any(|own| own.name == one.name);
        let all = || self.parameters.iter().chain(common.iter().filter(|one| !own(one)));
        let properties: Map<String, Value> = all().map(|one| (one.name.to_owned(), one.schema())).collect();
        let required: Vec<&str> = all().filter(|one| one.required).map(|one| one.name).collect();
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
    }

    /// The arguments of its example.
    pub fn example(&self) -> Value {
        serde_json::from_str(self.example).expect("a test reads the examples of all questions")
    }
}

impl Parameter {
    fn schema(&self) -> Value {
        let about = self.about;
        match self.kind {
            Kind::Text => json!({ "type": "string", "description": about }),
            Kind::Flag => json!({ "type": "boolean", "description": about }),
            Kind::Word(words) => json!({ "type": "string", "enum": words, "description": about }),
            Kind::Number { usual, most } => json!({
                "type": "integer", "minimum": 1, "maximum": most, "description": format!("{about}; {usual} if absent"),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_question_has_an_example_that_gives_what_it_needs() {
        assert_eq!(TOOLS.len(), 14);
        for tool in TOOLS {
            let (schema, example) = (tool.schema(), tool.example());
            for name in schema["required"].as_array().unwrap() {
                assert!(example.get(name.as_str().unwrap()).is_some(), "{}", tool.name);
            }
            for name in example.as_object().unwrap().keys() {
                assert!(schema["properties"].get(name).is_some(), "{} {name}", tool.name);
            }
        }
    }
}
