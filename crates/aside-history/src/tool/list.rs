//! The questions, with what each takes: the one list that the command line, the catalog of actions and the sidebar's model are told.

use serde_json::{Map, Value, json};

use super::{
    Asking,
    args::{self, Arguments},
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

/// The project that a relative path is in.
const PATH_IN: Parameter =
    text(args::PROJECT, "The project of a relative path: a folder, its name or its slug. Default: the workspace");

const fn limit(usual: u64, most: u64) -> Parameter {
    number("limit", usual, most, "Maximum number of results")
}

const fn number(name: &'static str, usual: u64, most: u64, about: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Number { usual, most }, required: false, about }
}

const fn word(name: &'static str, words: &'static [&'static str], about: &'static str) -> Parameter {
    Parameter { name, kind: Kind::Word(words), required: false, about }
}

const SINCE: Parameter = text("since", "Start of the period: 24h, 7d, 1w, 1m for 30 days, or a date");
const PROJECT: Parameter =
    text("project", "A folder, including its subfolders, or the name of one. Default: all folders");

/// All questions, in the order in which people are told of them.
pub const TOOLS: &[Tool] = &[
    Tool {
        name: "search_past_decisions",
        summary: "Search the messages of past AI sessions",
        about: "Searches the messages of people and models in the logs of AI coding programs for all given words. Returns the newest sessions first, each with an excerpt.",
        parameters: &[needed("query", "Words that must all occur"), limit(5, 20), PROJECT, SINCE],
        example: r#"{"query": "stripe webhooks"}"#,
        phrases: &["have I dealt with this before", "what did we decide about", "search my past sessions"],
        answer: search::past,
    },
    Tool {
        name: "find_sessions_in_path",
        summary: "List past AI sessions that ran in a folder",
        about: "Returns sessions that ran in the folder of the path or in a parent of it; with `descendants` also those in subfolders.",
        parameters: &[
            needed("path", "A file or folder, absolute or relative to the project or workspace"),
            PATH_IN,
            SINCE,
            limit(5, 20),
            Parameter {
                name: "descendants",
                kind: Kind::Flag,
                required: false,
                about: "Include sessions in subfolders",
            },
        ],
        example: r#"{"path": "."}"#,
        phrases: &["sessions in this directory", "past sessions in this folder"],
        answer: sessions::in_path,
    },
    Tool {
        name: "find_sessions_touching_file",
        summary: "List past AI sessions that read or wrote a file",
        about: "Matches the parsed arguments of tool calls. In mode `any`, also matches mentions in text, marked as such. `cost.py` does not match `cost.py.bak`.",
        parameters: &[
            needed("file", "A path, or a bare name to match any file of that name"),
            PATH_IN,
            word("mode", &["any", "read", "write"], "The kind of access. Default: any, which includes mentions"),
            SINCE,
            limit(5, 20),
        ],
        example: r#"{"file": "src/main.rs", "mode": "write"}"#,
        phrases: &[
            "who touched this file",
            "which AI session changed this file",
            "who (touched|changed) {file:one_file}",
            "(which|what) [ai] (session|sessions) (changed|touched|edited|wrote) {file:one_file}",
        ],
        answer: files::touching,
    },
    Tool {
        name: "get_project_summary",
        summary: "Summarise the AI sessions of one folder",
        about: "Returns the sessions, responses, cost, first and last time of a folder. Default: the current folder.",
        parameters: &[text("slug", "A folder, or the name of one")],
        example: "{}",
        phrases: &["state of this project's AI history", "AI sessions of this project in numbers"],
        answer: money::project,
    },
    Tool {
        name: "get_cost_summary",
        summary: "Summarise the cost of AI coding in a period",
        about: "Returns the total cost, responses and sessions, and the most expensive folders. Responses without a known price are counted separately by model, and estimated parts of the sum are marked.",
        parameters: &[
            word(
                "period",
                &["today", "7days", "30days", "month", "all"],
                "The period. Default: this month, or the time between `since` and `until`",
            ),
            limit(10, 25),
        ],
        example: r#"{"period": "month"}"#,
        phrases: &[
            "what did I spend on AI this month",
            "AI coding costs",
            "(what did i spend|how much did i spend|how much have i spent|what have i spent) on ai [this month]",
            "(what did i spend|how much did i spend|how much have i spent|what have i spent) on ai today => period=today",
            "[show|show me] ai [coding] (costs|cost|spending) [this month|of this month]",
            "[show|show me] ai [coding] (costs|cost|spending) of today => period=today",
            "(what did i spend|how much did i spend) on ai in the last (week|7 days|seven days) => period=7days",
        ],
        answer: money::summary,
    },
    Tool {
        name: "get_session_playback",
        summary: "Show the files of a past AI session at a point in time",
        about: "Rebuilds files from the session's reads and writes up to `at`, and marks whether each file is complete.",
        parameters: &[needed("session_id", "The session"), text("at", "A time. Default: the end of the session")],
        example: r#"{"session_id": "demo"}"#,
        phrases: &["what did the agent change in session", "play back a session"],
        answer: playback::session,
    },
    Tool {
        name: "recommend_mode",
        summary: "Recommend a cheaper model for a task",
        about: "Compares past sessions whose first message is similar to the prompt, except sessions that failed or were reverted.",
        parameters: &[needed("prompt", "The task, in words"), text("current_model", "The model that you would use")],
        example: r#"{"prompt": "fix the failing test in src/main.rs"}"#,
        phrases: &["could a cheaper model do this", "recommend a model for this task"],
        answer: mode::recommend,
    },
    Tool {
        name: "get_burn_projection",
        summary: "Project this month's AI spending against the plan",
        about: "Uses the plan that the user has set. Without a plan, returns how to set one.",
        parameters: &[],
        example: "{}",
        phrases: &["will I overrun this month", "projected AI spending"],
        answer: burn::projection,
    },
    Tool {
        name: "list_recent_sessions",
        summary: "List the latest AI sessions",
        about: "Returns the newest sessions first, of all programs.",
        parameters: &[PROJECT, limit(10, 25)],
        example: r#"{"limit": 5}"#,
        phrases: &[
            "what did I work on lately with AI",
            "recent AI sessions",
            "[list|show|show me] [my] (recent|latest|last) ai sessions",
            "what did i work on lately with ai",
        ],
        answer: sessions::recent,
    },
    Tool {
        name: "recommend_skills",
        summary: "Find recurring habits in AI sessions worth recording",
        about: "Returns commands and corrections that recur in several sessions of a folder. Default: the current folder.",
        parameters: &[
            text("project", "A folder, including its subfolders, or the name of one"),
            number("threshold", 5, 50, "Minimum number of sessions"),
            number("window_days", 30, 365, "Number of past days"),
        ],
        example: r#"{"threshold": 3}"#,
        phrases: &["what should I automate in this project", "recommend skills"],
        answer: skills::recommend,
    },
    Tool {
        name: "get_pr_outcomes",
        summary: "List the outcomes of a repository's pull requests",
        about: "Uses data received by webhooks from GitHub, GitLab or another service, or fetched with `aside history pull`. Without either, nothing is known about a repository.",
        parameters: &[
            needed("repo", "owner/name"),
            word("state", &["open", "merged", "closed"], "Only this state"),
            SINCE,
            limit(10, 50),
        ],
        example: r#"{"repo": "octo/site"}"#,
        phrases: &["what PRs landed", "pull request outcomes"],
        answer: changes::pull_requests,
    },
    Tool {
        name: "get_ci_runs",
        summary: "List CI runs",
        about: "Uses data received by webhooks from GitHub, GitLab or another service, or fetched with `aside history pull`. Without either, nothing is known about a repository.",
        parameters: &[
            text("commit_sha", "A commit, or the beginning of its hash"),
            word(
                "status",
                &["success", "failure", "cancelled", "skipped", "pending", "in_progress"],
                "Only this state",
            ),
            text("repo", "owner/name"),
            limit(10, 50),
        ],
        example: "{}",
        phrases: &["did CI pass on this commit", "CI runs"],
        answer: changes::ci_runs,
    },
    Tool {
        name: "get_file_risk",
        summary: "Count the outcomes of past AI changes to a file",
        about: "Counts sessions that wrote the file and were then reverted, failed, or worked, judged by later messages and commands.",
        parameters: &[needed("path", "The file"), PATH_IN, SINCE],
        example: r#"{"path": "src/main.rs"}"#,
        phrases: &["have I broken this file before", "is this a risky file to edit"],
        answer: risk::of_file,
    },
    Tool {
        name: "get_session_quality",
        summary: "Measure the files of an AI session before and after",
        about: "Returns how the number of branches of each written file changed, as far as the session shows its text.",
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
            HistoryError::Asked(format!("no query `{name}`: the queries are {}", known.join(", ")))
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
                "type": "integer", "minimum": 1, "maximum": most, "description": format!("{about}. Default: {usual}"),
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
