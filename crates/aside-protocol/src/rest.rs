//! Bodies of the REST routes.

use std::collections::BTreeMap;

use aside_core::TS;
use aside_core::{
    ActionId, ActionName, ActionRecord, Consent, Envelope, Failure, FoundProgram, FoundPython, KeptVersionId,
    KeySource, Label, LanguageServer, LatexBuild, LatexMissing, ModelRef, OriginKind, Outcome, PageArea, Person,
    Preview, Problem, ReviewMode, Risks, SandboxLevel, SeedLog, ThreadId, Timestamp, Version, WorkspacePath,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{LocalOnly, OllamaFound};

/// Any answer that is not a success: `{"error": {code, message, hint?, data}}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct ErrorBody {
    /// What went wrong.
    pub error: Failure,
}

/// First line of `aside --json`, and what the server's lock file holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Serving {
    /// Where the server listens, with the base path, ending in `/`.
    pub url: String,
    /// The secret that opens it.
    pub token: String,
    /// The process.
    pub pid: u32,
    /// The workspace's folder.
    pub workspace: String,
}

/// `POST session`: exchanges the token (from the URL's fragment) for a cookie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct OpenSession {
    /// The token.
    pub token: String,
}

/// Answer of `POST session` and `GET session`: what a page of ours needs to make changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Session {
    /// Sent back in the header `X-Aside-CSRF` with every change.
    pub csrf: String,
    /// The person's name.
    pub user: String,
    /// Who looks at the page.
    pub person: Person,
    /// The workspace's name.
    pub workspace: String,
    /// Tells the workspace's folder from others that are served under the same address: a hash of its path.
    pub folder: Version,
}

/// `GET status`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Status {
    /// The server's version.
    pub version: String,
    /// The workspace's folder.
    pub workspace: String,
    /// The name shown for it.
    pub name: String,
    /// The process.
    pub pid: u32,
    /// Tells whether this is the sample workspace with the rehearsal model.
    pub demo: bool,
    /// What keeps commands from the rest of the machine.
    pub sandbox: SandboxLevel,
    /// Why nothing stronger does, one sentence each.
    pub sandbox_missing: Vec<String>,
}

/// `GET problems`, or `GET problems?path=` for one file: the gravest first, then by file and line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Problems {
    /// What is known to be wrong.
    pub problems: Vec<Problem>,
    /// Which of them, from 0, the log of a LaTeX build that found several errors tells first.
    pub first: Vec<u32>,
}

/// `GET latex?path=`: the LaTeX document that a file belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LatexState {
    /// Its main file.
    pub main: WorkspacePath,
    /// The program that sets it.
    pub engine: String,
    /// Why this one, in words.
    pub because: String,
    /// Programs that it needs and that are not there.
    pub missing: Vec<LatexMissing>,
    /// What a person should know before a build.
    pub notes: Vec<String>,
    /// The action that builds it now.
    pub running: Option<ActionId>,
    /// Its last build.
    pub last: Option<LatexBuild>,
}

/// `GET latex/output?path=`: what the stages of the last build put out that found something wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LatexOutput {
    /// The end of each, in the order in which they ran; none if nothing is known to be wrong there.
    pub stages: Vec<SeedLog>,
    /// The error that its log tells first, wherever that is.
    pub first: Option<Problem>,
}

/// `GET latex/areas?path=&line=`: where a line of the source is in the PDF.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct LatexAreas {
    /// The PDF.
    pub pdf: WorkspacePath,
    /// The places, in the order of the pages; none if the line put nothing on a page.
    pub areas: Vec<PageArea>,
}

/// `GET latex/source?path=&page=&x=&y=`: what a point of a PDF was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LatexSource {
    /// The source file; none if it is no file of the workspace.
    pub path: Option<WorkspacePath>,
    /// The line, from 1.
    pub line: Option<u32>,
}

/// `POST actions`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SubmitAction {
    /// Which action. A name of none is answered with `400`, and is in the audit like every request.
    #[ts(as = "ActionName")]
    pub action_type: String,
    /// Names of the objects it is about.
    #[serde(default)]
    #[ts(as = "Option<BTreeMap<String, String>>", optional)]
    pub target: BTreeMap<String, String>,
    /// The arguments.
    #[serde(default)]
    #[ts(type = "unknown")]
    pub args: Value,
    /// The same key with the same request runs once.
    #[serde(default)]
    #[ts(optional)]
    pub idempotency_key: Option<String>,
    /// Free words for the audit.
    #[serde(default)]
    #[ts(type = "unknown", optional)]
    pub audit_context: Option<Value>,
    /// The thread for which it is asked: groups of actions that are off there are refused.
    #[serde(default)]
    #[ts(optional)]
    pub thread: Option<ThreadId>,
    /// Shows what would happen, and does nothing.
    #[serde(default)]
    #[ts(as = "Option<bool>", optional)]
    pub dry_run: bool,
}

/// Where a submitted action stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SubmitState {
    /// It ran, or (dry run) would run.
    Done,
    /// A person has to decide.
    AwaitingConfirmation,
    /// It is at work.
    Running,
    /// It will not run.
    Refused,
    /// It could not.
    Failed,
}

/// Answer of `POST actions`, `POST actions/{id}/decision` and `POST actions/{id}/undo`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct Submitted {
    /// The action.
    pub id: ActionId,
    /// Where it stands.
    pub state: SubmitState,
    /// The request as taken in.
    pub envelope: Envelope,
    /// What would change.
    #[ts(optional)]
    pub preview: Option<Preview>,
    /// How it ended.
    #[ts(optional)]
    pub outcome: Option<Outcome>,
    /// Set when a stored outcome was returned for a key that was used before.
    #[serde(default)]
    pub replayed: bool,
    /// The whole record.
    pub record: Box<ActionRecord>,
}

/// `GET files?folder=`: one folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Listing {
    /// The folder, `""` for the top.
    pub folder: String,
    /// What is in it, folders first, then by name.
    pub entries: Vec<FileEntry>,
}

/// One file or folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FileEntry {
    /// Its path.
    pub path: WorkspacePath,
    /// Tells whether it is a folder.
    pub folder: bool,
    /// Bytes; 0 for a folder.
    #[ts(type = "number")]
    pub size: u64,
    /// Git ignores it.
    pub ignored: bool,
    /// It is a symbolic link.
    pub link: bool,
}

/// `POST files/uploads`: the bytes of a file are kept. `file.upload` puts them in their place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Uploaded {
    /// The hash of the bytes, for `file.upload`.
    pub blob: aside_core::Sha256,
    /// How many bytes there are.
    pub size: u64,
}

/// `GET labels?path=`: whose content is in a file or folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FileLabel {
    /// The writer: `workspace` (the user), `model` (the assistant) or `external`.
    pub label: Label,
    /// Once a model has read it, riskier requests need approval each time.
    pub untrusted: bool,
    /// Why, as a part of a sentence: "a log, which programs write".
    pub why: String,
    /// Something was said of this very place: by a person, or because of what was written into it.
    pub said: bool,
}

/// One of `GET files/versions?path=`: a version of a document that is kept, the latest first. `doc.restore` brings one back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DocumentVersion {
    /// Names it.
    pub id: KeptVersionId,
    /// Since when the document had this text.
    pub at: Timestamp,
    /// How long it is.
    #[ts(type = "number")]
    pub bytes: u64,
    /// What has led to it since the version before, in words: "typing, doc.edit by the assistant".
    pub made_by: String,
}

/// `GET files/names`: every path that is not ignored, for the quick-open list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FileNames {
    /// The paths, sorted.
    pub paths: Vec<WorkspacePath>,
    /// Set when there were more than the limit.
    pub truncated: bool,
}

/// `GET models`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Models {
    /// What was found.
    pub providers: Vec<ProviderStatus>,
    /// The workspace's choice, or the first usable one.
    pub chosen: Option<ModelRef>,
    /// What was found of Ollama on this machine.
    pub ollama: OllamaFound,
    /// Whether anything elsewhere may be reached.
    pub local_only: LocalOnly,
    /// Why what the person said of other machines can't be read; until it can, nothing goes out.
    pub outside_problem: Option<String>,
}

/// `GET programs`: what the server finds on this machine, now, of the programs it works with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Programs {
    /// For notebooks.
    pub python: FoundPython,
    /// For LaTeX: all that are looked for.
    pub latex: Vec<FoundProgram>,
}

/// `GET language-servers`: those that the person set up, and how they stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct LanguageServers {
    /// The file in which they are named; absent where the person has no folder of their own.
    pub file: Option<String>,
    /// What is wrong with it.
    pub problem: Option<String>,
    /// Each of them.
    pub servers: Vec<LanguageServer>,
}

/// `PUT models/chosen`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct ChooseModel {
    /// The model.
    pub model: ModelRef,
}

/// One provider as it was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProviderStatus {
    /// `ollama`, `openai`, `anthropic`, `rehearsal`, or what the person calls a service of their own.
    pub id: String,
    /// For people.
    pub name: String,
    /// On this machine: nothing leaves it.
    pub local: bool,
    /// Where it is, or where it was looked for.
    pub endpoint: String,
    /// Where what is sent to it goes: `HOST` or `HOST:PORT`; absent if that is this machine.
    pub host: Option<String>,
    /// Whether the person let content go there.
    pub consent: Consent,
    /// Where its key is from.
    pub key: KeySource,
    /// It is one of those that a key can be set for.
    pub takes_key: bool,
    /// It is elsewhere, and *Local only* is on; `problem` says so too.
    pub off: bool,
    /// Why it can't be used, with what to do; absent if it can.
    pub problem: Option<String>,
    /// It gets models that it does not have yet (`POST models/pull`): it is an Ollama.
    pub pulls: bool,
    /// Something is set for it; else it is only named, as one that could be.
    pub set_up: bool,
    /// It was asked for its models since the server started or it was set up; `models` is empty before. One on this machine
    /// is asked each time.
    pub asked: bool,
    /// Why a service elsewhere gave no list when it was asked last, with what to do. `models` are those it named before.
    pub list_problem: Option<String>,
    /// Its models.
    pub models: Vec<ModelStatus>,
}

/// One model as its provider describes it; absent means the provider does not say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelStatus {
    /// Its name.
    pub model: ModelRef,
    /// Takes tools.
    pub tools: Option<bool>,
    /// Takes images.
    pub vision: Option<bool>,
    /// Thinks aloud.
    pub thinking: Option<bool>,
    /// Context length in tokens.
    pub context: Option<u32>,
    /// Its provider is on this machine, but passes what it gets on to a service.
    pub elsewhere: bool,
    /// Where what is sent to it goes, `HOST` or `HOST:PORT`; absent if that is this machine.
    pub host: Option<String>,
    /// Whether the person let content go there.
    pub consent: Consent,
    /// What it costs; absent if nobody knows, or if it is on this machine.
    pub price: Option<ModelPrice>,
}

/// What a model costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModelPrice {
    /// What a call costs as a rule.
    pub rates: TokenRates,
    /// What longer calls cost, the shortest first.
    pub above: Vec<RatesAbove>,
    /// Which list says so, with its day.
    pub source: String,
}

/// What a long call costs, all of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RatesAbove {
    /// It has more input tokens than this.
    #[ts(type = "number")]
    pub tokens: u64,
    /// What it costs.
    pub rates: TokenRates,
}

/// What tokens cost, each in US dollars of 10⁻¹²: a token of a dollar per million is 1,000,000. Absent is what costs as
/// much as its kind does otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TokenRates {
    /// Of input.
    #[ts(type = "number")]
    pub input: u64,
    /// Of output.
    #[ts(type = "number")]
    pub output: u64,
    /// Of input read from the provider's cache.
    #[ts(type = "number | null")]
    pub cache_read: Option<u64>,
    /// Of input written to the provider's cache for some minutes.
    #[ts(type = "number | null")]
    pub cache_write: Option<u64>,
    /// Of input written to the provider's cache for an hour.
    #[ts(type = "number | null")]
    pub cache_write_hour: Option<u64>,
    /// Of output that is reasoning.
    #[ts(type = "number | null")]
    pub reasoning: Option<u64>,
}

/// One action of `GET catalog/search`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct CatalogHit {
    /// Its name.
    pub name: ActionName,
    /// What it does.
    pub summary: String,
    /// The risks it always has.
    pub risks: Risks,
}

/// The question of `GET audit`, in the address. What is absent is not asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct FindAudit {
    /// The person who asked or decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub by: Option<String>,
    /// The kind of origin: `user`, `cli`, `turn` …
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub origin: Option<String>,
    /// A path or id of what it touches or changed; `src/` stands for all below that folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub object: Option<String>,
    /// An action's id, with what undid it, or an action's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub action: Option<String>,
    /// One or several states with commas between; `done,failed,refused,interrupted` gives one entry for each action
    /// that ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub state: Option<String>,
    /// Whole words that all occur.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub text: Option<String>,
    /// Not before this time: a date, RFC 3339, or milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub from: Option<String>,
    /// Before this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub to: Option<String>,
    /// Before this position: the last `seq` of the page before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub before: Option<u64>,
    /// After this position. With it the oldest come first, else the newest.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "number")]
    pub after: Option<u64>,
    /// At most so many; 100 if absent, 1,000 at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub limit: Option<u32>,
}

/// How `GET audit/export?format=&from=&to=` is written, one JSON value a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum AuditFormat {
    /// One [`AuditEntry`] a line.
    #[default]
    Jsonl,
    /// OpenTelemetry: one `LogsData` of many log records a line.
    Otlp,
}

/// One record of `GET audit`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
pub struct AuditEntry {
    /// Position in the chain, from 1.
    #[ts(type = "number")]
    pub seq: u64,
    /// The entry as it is hashed: an `AuditRecord`, or a text if it is not readable as JSON.
    #[ts(type = "unknown")]
    pub body: Value,
    /// SHA-256 over the previous hash and the body.
    pub hash: aside_core::Sha256,
}

/// `POST audit/verify`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct VerifyAudit {
    /// A hash that was the last one at some time: it has to be in the chain still.
    #[serde(default)]
    #[ts(optional)]
    pub head: Option<String>,
}

/// Answer of `POST audit/verify`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AuditCheck {
    /// How many entries hold together.
    #[ts(type = "number")]
    pub entries: u64,
    /// The hash of the last of them; noted elsewhere, it shows later that nothing before it was changed or cut off.
    pub head: Option<aside_core::Sha256>,
    /// The first thing that is wrong, if anything is.
    pub problem: Option<String>,
}

/// Body of `POST policy/check`: what would become of a request, and which rules say so. Nothing runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct CheckPolicy {
    /// Which action.
    pub action_type: ActionName,
    /// The arguments.
    #[serde(default)]
    #[ts(type = "unknown")]
    pub args: Value,
    /// As if this one asked; the one who does if absent.
    #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
    #[ts(rename = "as", optional)]
    pub asked_as: Option<OriginKind>,
    /// As if the thread reviewed edits in this way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub review: Option<ReviewMode>,
    /// As if content of this label had led to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub label: Option<Label>,
}
