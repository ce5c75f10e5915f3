//! The person's AI coding history, as pages show it. What models are told of it are the answers of the actions `history.…`.

use aside_core::TS;
use aside_core::Timestamp;
use serde::{Deserialize, Serialize};

/// How the history stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryStanding {
    /// Logs are read while servers run; the person can turn that off.
    pub import: bool,
    /// They are being read now.
    pub reading: bool,
    /// Logs that are known.
    pub files: u32,
    /// Messages that can't be searched yet.
    pub texts_left: u32,
    /// Lines, files and folders that could not be read: `GET history/problems` names them.
    pub problems: u32,
    /// Kinds of files that look like logs, and of records with tokens, that are not read.
    #[serde(default)]
    pub skipped: Vec<HistorySkip>,
    /// Why it can't be shown, or what is wrong with its settings.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// What the person pays a month.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<HistoryPlan>,
    /// The repositories of which a host told.
    pub repos: Vec<String>,
    /// What the workspace is a clone of.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clone: Option<HistoryClone>,
}

/// A kind of file or of record that is not read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HistorySkip {
    /// The program.
    pub program: String,
    /// The kind of file or record, for people.
    pub kind: String,
    /// How many there are.
    pub count: u32,
    /// Where one of them is.
    pub example: String,
    /// Advice on how to get it read.
    pub hint: String,
}

/// What a folder is a clone of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HistoryClone {
    /// `owner/name`.
    pub repo: String,
    /// Where it came from, such as `github.com`.
    pub host: String,
}

/// `GET history/problems?from=0`: what could not be read of logs. What stands beside it was.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HistoryProblems {
    /// Files and folders first, then lines.
    pub problems: Vec<HistoryProblem>,
    /// There are more after these.
    pub more: bool,
}

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HistoryProblem {
    /// The log, or the folder.
    pub path: String,
    /// Bytes before the line, in a database the number of the row; absent if it is all of it.
    #[ts(optional, type = "number")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    /// What is wrong with it.
    pub reason: String,
}

/// What the person pays a month.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct HistoryPlan {
    /// `claude-pro`, `claude-max`, `cursor-pro`, `cursor-max`, or any other with an amount.
    pub name: String,
    /// Dollars a month.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub monthly_usd: Option<f64>,
    /// The day of the month on which it begins anew.
    pub reset_day: i8,
}

/// What the person says of their history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct HistorySettings {
    /// Logs are read while servers run.
    pub import: bool,
    /// What they pay a month; none if they don't say.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<HistoryPlan>,
}

/// `POST history/pull`: pull requests, runs and commits of a repository are asked for at its host.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct HistoryPull {
    /// `owner/name`.
    pub repo: String,
    /// `github.com` if absent, `gitlab.com`, or the address of another one's interface.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The person lets this host be asked, from now on.
    #[serde(default)]
    pub allow: bool,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryPulled {
    /// Which repository.
    pub repo: String,
    /// Where it was asked about.
    pub host: String,
    /// Pull requests, runs and commits that were told.
    pub pull_requests: u32,
    /// Runs.
    pub runs: u32,
    /// Commits.
    pub commits: u32,
    /// Of all these, not known before.
    pub new: u32,
    /// Lists in which nothing had changed since the last time.
    pub unchanged: u32,
    /// Lists that the host refused; the others were asked for.
    pub refused: Vec<HistoryRefused>,
    /// Lists that go on after the latest rows, which were all that was asked for.
    pub longer: Vec<String>,
    /// Why not all was asked for; what came before that is kept.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}

/// A list that a host refused.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryRefused {
    /// `pull requests`, `runs` or `commits`.
    pub list: String,
    /// What the host said, and what to try.
    pub reason: String,
}

/// `GET history/pulls?repo=…&state=…&since=…&from=0`: a page of pull requests, the one that changed last first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HistoryPullRequests {
    /// The pull requests.
    pub pulls: Vec<HistoryPullRequest>,
    /// There are more.
    pub more: bool,
}

/// A pull request, as its host told of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HistoryPullRequest {
    /// `github` or `gitlab`.
    pub provider: String,
    /// `owner/name`.
    pub repo: String,
    /// Its number there.
    #[ts(type = "number")]
    pub number: i64,
    /// Its title.
    pub title: String,
    /// `open`, `merged` or `closed`.
    pub state: String,
    /// It was taken back.
    pub reverted: bool,
    /// What its reviewers said: `approved`, `changes_requested` or `commented`.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<String>,
    /// Whose it is.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// When it was merged, else when it last changed.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// The address of its page.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
}

/// `GET history/runs?repo=…&state=…&since=…&from=0`: a page of runs of continuous integration, the one that began last first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HistoryRuns {
    /// The runs.
    pub runs: Vec<HistoryRun>,
    /// There are more.
    pub more: bool,
}

/// A run, as its host told of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HistoryRun {
    /// `github`, `gitlab` or `generic-ci`.
    pub provider: String,
    /// `owner/name`.
    pub repo: String,
    /// The host's own id of it.
    pub id: String,
    /// The commit that it is of.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// `success`, `failure`, `cancelled`, `skipped`, `pending` or `in_progress`.
    pub status: String,
    /// What it is called.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow: Option<String>,
    /// When it began.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Timestamp>,
    /// When it ended.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed: Option<Timestamp>,
    /// The address of its page.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
}

/// What past sessions speak for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryAdvice {
    /// Models that did such tasks as well for less.
    pub models: Vec<HistoryCheaper>,
    /// Habits that are worth writing down.
    pub skills: Vec<HistorySkill>,
}

/// A model that did tasks of a kind as well, for less than the one that mostly did them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryCheaper {
    /// The kind of task, in a word or two.
    pub task: String,
    /// The model that mostly did them.
    pub current: String,
    /// The other one.
    pub cheaper: String,
    /// What a session took with the first, in dollars: the middle one of all.
    pub current_dollars: f64,
    /// With the other one.
    pub cheaper_dollars: f64,
    /// Sessions of this kind.
    pub sessions: u32,
    /// Those with the cheaper model that did not fail.
    pub evidence: Vec<HistoryPlace>,
}

/// Something that comes again in the sessions of a folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HistorySkill {
    /// What it is, in a sentence.
    pub description: String,
    /// What the file of the skill would be called.
    pub name: String,
    /// The command that writes it, to look at and to run.
    pub command: String,
    /// In how many sessions it was seen.
    pub sessions: u32,
    /// Where it was seen last.
    pub evidence: Vec<HistoryPlace>,
}

/// Where something stands in the logs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryPlace {
    /// The session.
    pub session: String,
    /// The log.
    pub file: String,
    /// Bytes before it, or its row in a database.
    #[ts(type = "number")]
    pub offset: i64,
}

/// What went wrong with changes to a file before.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryRisk {
    /// Such as `reverted twice in June`; absent if nothing did.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
}

/// What answers took and cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct HistorySums {
    /// Answers of models.
    pub responses: u32,
    /// Tokens, by kind.
    #[ts(type = "number")]
    pub input: u64,
    /// Answered.
    #[ts(type = "number")]
    pub output: u64,
    /// Read from caches.
    #[ts(type = "number")]
    pub cache_read: u64,
    /// Written to caches.
    #[ts(type = "number")]
    pub cache_write: u64,
    /// Dollars, without what has no known price.
    pub dollars: f64,
    /// Answers whose cost was worked out without knowing all that counts.
    pub estimated: u32,
    /// Answers without a known price.
    pub unpriced: u32,
}

/// Sums of what has a name in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryGroup {
    /// A day, model, folder or program.
    pub name: String,
    /// Its sessions.
    pub sessions: u32,
    /// What it took and cost.
    pub sums: HistorySums,
}

/// An hour of the week.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryHour {
    /// From 0, Monday.
    pub weekday: i8,
    /// From 0.
    pub hour: i8,
    /// Answers in it.
    pub responses: u32,
    /// Dollars.
    pub dollars: f64,
}

/// Sums for charts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryDashboard {
    /// All of it.
    pub totals: HistorySums,
    /// Sessions in which a model answered.
    pub sessions: u32,
    /// The earliest first.
    pub days: Vec<HistoryGroup>,
    /// The dearest first.
    pub models: Vec<HistoryGroup>,
    /// The dearest first.
    pub workspaces: Vec<HistoryGroup>,
    /// The dearest first.
    pub programs: Vec<HistoryGroup>,
    /// Hours of the week that saw any answer.
    pub hours: Vec<HistoryHour>,
    /// Models of these that are served no more: they are priced as their makers last published it.
    pub retired: Vec<String>,
    /// How the month of the person's plan goes.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub course: Option<HistoryCourse>,
}

/// How a month of a plan goes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryCourse {
    /// Its first day.
    pub start: String,
    /// Its last day.
    pub end: String,
    /// Dollars of the plan.
    pub budget: f64,
    /// Dollars so far.
    pub used: f64,
    /// Dollars at the end, if it goes on like this.
    pub projected: f64,
    /// `ok`, `warn` or `over`.
    pub status: String,
    /// What to tell the person.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alert: Option<String>,
}

/// A session of another program, or of Aside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HistorySession {
    /// The program's own id.
    pub id: String,
    /// The program.
    pub program: String,
    /// The folder that it ran in.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<String>,
    /// Its name.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// When it began.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// When it was last written to.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// What was said in it.
    pub messages: u32,
    /// Dollars; absent if no price is known.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
    /// Some of that is a guess.
    pub estimated: bool,
    /// Answers without a known price, which are not in it.
    pub unpriced: u32,
    /// What was found in it, or what the person said first.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
}

/// A page of sessions, the newest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct HistorySessions {
    /// The sessions.
    pub sessions: Vec<HistorySession>,
    /// There are more.
    pub more: bool,
}

/// A page of what happened in a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryPage {
    /// The session.
    pub session: HistorySession,
    /// Where it was taken up, if it goes on from another one; what its log repeats of that one is told there.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resumed_from: Option<HistoryResumed>,
    /// What happened, in order.
    pub entries: Vec<HistoryEntry>,
    /// There is more.
    pub more: bool,
}

/// Where a session was taken up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryResumed {
    /// The session before.
    pub session: HistorySession,
    /// The log in which its last record stands that is repeated.
    pub file: String,
    /// Bytes before that record.
    #[ts(type = "number")]
    pub offset: i64,
}

/// Something that was said or done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryEntry {
    /// When.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// The log that it stands in.
    pub file: String,
    /// Bytes before it.
    #[ts(type = "number")]
    pub offset: i64,
    /// By or to a model that another had started.
    pub side: bool,
    /// What it was.
    pub what: HistoryWhat,
}

/// What was said or done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum HistoryWhat {
    /// Something was said.
    Message {
        /// By the person; else by a model.
        user: bool,
        /// What; absent if the log is gone.
        #[ts(optional)]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        /// There is more of it.
        cut: bool,
    },
    /// Something was done.
    Call {
        /// What the program calls it.
        name: String,
        /// The line of a shell.
        #[ts(optional)]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        command: Option<String>,
        /// The files that it is about.
        paths: Vec<String>,
        /// Whether it went well, as far as is known.
        #[ts(optional)]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ok: Option<bool>,
    },
}

/// What a session did to files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryPlayback {
    /// Each single thing, in order.
    pub steps: Vec<HistoryStep>,
    /// The files after one of them.
    pub files: Vec<HistoryFile>,
    /// What the last change of the wanted file did until then; empty if all of its text is known.
    pub change: Vec<HistoryPiece>,
    /// What can't be known.
    pub warnings: Vec<String>,
}

/// A piece of a file that was replaced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryPiece {
    /// What was there.
    pub before: String,
    /// What is there then.
    pub after: String,
}

/// One thing that was done to a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryStep {
    /// When.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// The file.
    pub path: String,
    /// What the program calls it.
    pub name: String,
}

/// A file at a moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct HistoryFile {
    /// Its path.
    pub path: String,
    /// It was changed, and not only read.
    pub changed: bool,
    /// It is there no more.
    pub deleted: bool,
    /// All of its text is known.
    pub complete: bool,
    /// Its text, if this file was asked for and it is known.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Its text before it was first changed, likewise; absent if not all of that is known, empty if it was not there.
    #[ts(optional)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
}
