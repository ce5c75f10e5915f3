//! `note.search`: notes by words, tags and dates.

use std::{fmt::Write as _, sync::Arc};

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_notes::{Note, NoteHit, NoteQuery, Vault};
use aside_workspace::Workspace;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    files::{counted, touching},
    known_notes::{MOST_FOUND, MOST_TOLD, with_notes},
    trimmed::trimmed,
};

/// Notes of an answer, if no number is asked for and at most; bytes of an excerpt.
const USUAL: usize = 20;
const MOST: usize = 200;
const EXCERPT: usize = 240;

/// Arguments of `note.search`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Words, `"a phrase"`, and filters: `path:x`, `tag:x`, `has:todo`, `before:2026-12-01`, `after:2026-12-01`,
    /// `related:note.md`. A `-` in front leaves out.
    #[schemars(length(max = 1000))]
    query: String,
    /// At most so many notes. Default: 20.
    #[serde(default)]
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u32>,
}

/// The notes that were found.
struct Found {
    hits: Vec<(WorkspacePath, Value)>,
    total: usize,
}

/// `note.search`.
pub(crate) struct NoteSearch {
    pub workspace: Arc<Workspace>,
}

impl NoteSearch {
    async fn find(
        &self,
        context: &ActionContext,
        args: &Args,
        admits: impl Fn(&ActionContext, &Assessment) -> bool + Send + 'static,
    ) -> Result<Found, Failure> {
        let query = NoteQuery::parse(&args.query).map_err(|reason| Failure::new("invalid_args", reason))?;
        let (most, context) = (args.limit.map_or(USUAL, |limit| limit as usize).min(MOST), context.clone());
        with_notes(&self.workspace, move |workspace, vault| {
            let view = workspace.view(&context.would_be);
            let mut found = ranked(workspace, vault, &query);
            found.retain(|(note, ..)| admits(&context, &touching(&view, &[&note.path], [])));
            let total = found.len();
            let hits =
                found.into_iter().take(most).map(|(note, text, hit)| (note.path.clone(), shown(&note, &text, &hit)));
            Ok(Found { hits: hits.collect(), total })
        })
        .await
    }
}

/// The notes that fit, the best first; with filters alone the newest first.
fn ranked(workspace: &Workspace, vault: &Vault, query: &NoteQuery) -> Vec<(Arc<Note>, String, NoteHit)> {
    if query.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for note in vault.sorted_notes().into_iter().filter(|note| query.admits(vault, note)) {
        // A note that can't be read is not found by its text.
        let text = workspace.note_text(&note.path).ok().flatten().unwrap_or_default();
        found.extend(query.hit(note, &text).map(|hit| (Arc::clone(note), text, hit)));
    }
    if query.has_only_filters() {
        found.sort_by(|(one, ..), (two, ..)| two.date.cmp(&one.date).then_with(|| one.path.cmp(&two.path)));
    } else {
        found.sort_by(|(one, _, a), (two, _, b)| b.score.cmp(&a.score).then_with(|| one.path.cmp(&two.path)));
    }
    found
}

fn shown(note: &Note, text: &str, hit: &NoteHit) -> Value {
    let line = text.lines().nth(hit.line as usize - 1).unwrap_or_default();
    let first = hit.marks.first().map_or(0, |mark| mark.start);
    let start = line.floor_char_boundary(if line.len() > EXCERPT { first.saturating_sub(EXCERPT / 3) } else { 0 });
    let end = line.floor_char_boundary((start + EXCERPT).min(line.len())).max(start);
    let inside = hit.marks.iter().filter(|mark| mark.start >= start && mark.end <= end);
    let units = |from: usize, to: usize| line[from..to].encode_utf16().count();
    let marks: Vec<_> = inside.map(|mark| [units(start, mark.start), units(start, mark.end)]).collect();
    let heading = note.headings.iter().rev().find(|heading| heading.line <= hit.line).map(|heading| &heading.text);
    json!({
        "path": note.path, "title": note.title, "tags": note.tag_names(), "line": hit.line, "heading": heading,
        "excerpt": &line[start..end], "marks": marks, "why": "words",
    })
}

impl Action for NoteSearch {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "note.search",
            summary: "Search notes by words, tags and dates",
            description: "Returns the notes that have all words in their text, title, tags or path, the best first, each with \
                its best line. Case and accents do not matter. With filters alone, the newest notes come first. Read the notes \
                with `note.read`.",
            preconditions: &[],
            effect: EffectScope::Workspace,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![
                ("Find notes with a word", json!({"query": "tide"})),
                ("Find notes by tag and date", json!({"query": "tag:work after:2026-01-01", "limit": 5})),
            ],
            phrases: &[
                "search my notes",
                "find the note about something",
                "(search|find|look) [for] [a|the] [text|word] {query:text} in [my|the|all] notes",
                "(find|search|show) [my|the|all] notes (about|with|on|that mention|mentioning) {query:text}",
            ],
            tags: &["note", "words", "tag", "find"],
            safety: &[],
        }
    }

    /// The notes that it finds are its targets, so that rules and labels of each hold.
    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let found = self.find(context, args, |context, found| context.admits.all(&found.targets)).await?;
        let paths: Vec<_> = found.hits.iter().map(|(path, _)| path).collect();
        Ok(touching(&self.workspace.view(&context.would_be), &paths, []))
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Search notes for “{}”", args.query)))
    }

    /// A note that fits only since is not told of: nobody has judged it.
    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let judged = |context: &ActionContext, found: &Assessment| {
            found.targets.iter().all(|target| context.touches.contains(target))
        };
        let found = self.find(context, args, judged).await?;
        let mut text = format!("“{}”: {}", args.query, counted(found.total, "note"));
        for (path, hit) in &found.hits {
            let line = format!("\n{path}:{}\t{}", hit["line"], hit["excerpt"].as_str().unwrap_or_default());
            if text.len() + line.len() > MOST_TOLD {
                break;
            }
            write!(text, "{line}").expect("writing to a string does not fail");
        }
        let hits: Vec<Value> = found.hits.into_iter().map(|(_, hit)| hit).collect();
        let data = trimmed(json!({"hits": hits, "total": found.total}), MOST_FOUND);
        Ok(Run::observed(Observation::with(text, data)))
    }
}
