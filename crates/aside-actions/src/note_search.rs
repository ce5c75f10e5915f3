//! `note.search`: notes by words, tags and dates.

use std::{collections::HashSet, fmt::Write as _};

use aside_core::{Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_index::{DocumentKind, FoundPlace, FoundPlaces, SearchRequest};
use aside_notes::Vault;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    files::{counted, touching},
    known_notes::{MOST_FOUND, MOST_TOLD, with_notes},
    search_find::SearchFind,
    trimmed::trimmed,
};

/// Notes of an answer, if no number is asked for and at most.
const USUAL: usize = 20;
const MOST: usize = 200;

/// Arguments of `note.search`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Words, `"a phrase"`, `/an expression/`, and filters: `path:x`, `tag:x`, `has:todo`, `before:2026-12-01`, `after:2026-12-01`,
    /// `related:note.md`. A `-` in front leaves out.
    #[schemars(length(max = 1000))]
    query: String,
    /// At most so many notes. Default: 20.
    #[serde(default)]
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u32>,
}

/// The notes that were found, each with the hit as it is told.
struct Found {
    hits: Vec<(WorkspacePath, Value)>,
    total: usize,
}

/// `note.search`.
pub(crate) struct NoteSearch(pub SearchFind);

impl NoteSearch {
    async fn find(
        &self,
        context: &ActionContext,
        args: &Args,
        admits: impl Fn(&ActionContext, &Assessment) -> bool + Send + Sync + 'static,
    ) -> Result<Found, Failure> {
        let request = SearchRequest {
            text: args.query.clone(),
            kinds: vec![DocumentKind::Note],
            limit: MOST,
            per_document: Some(1),
            ..SearchRequest::default()
        };
        let FoundPlaces { places, .. } = self.0.places(context, &request, admits).await?;
        let most = args.limit.map_or(USUAL, |limit| limit as usize).min(MOST);
        with_notes(&self.0.workspace, move |_, vault| {
            let mut told = HashSet::new();
            let notes = places.into_iter().filter(|place| told.insert(place.path.clone()));
            let mut hits: Vec<_> = notes.filter_map(|place| hit(vault, &place)).collect();
            let total = hits.len();
            hits.truncate(most);
            Ok(Found { hits, total })
        })
        .await
    }
}

/// A place as it is told; none if the note has gone since.
fn hit(vault: &Vault, place: &FoundPlace) -> Option<(WorkspacePath, Value)> {
    let path: WorkspacePath = place.path.parse().ok()?;
    let note = vault.note(&path)?;
    let heading = note.headings.iter().rev().find(|heading| heading.line <= place.line).map(|heading| &heading.text);
    let told = json!({
        "path": note.path, "title": note.title, "tags": note.tag_names(), "line": place.line, "heading": heading,
        "excerpt": place.text, "marks": place.marks, "why": place.why,
    });
    Some((path, told))
}

impl Action for NoteSearch {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "note.search",
            summary: "Search notes by words, tags and dates",
            description: "Returns the best notes, each with its best place. A note need not have all words; accents, forms of \
                words and small mistakes don't matter. With filters alone, the newest notes come first. Read the notes with \
                `note.read`.",
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
        Ok(touching(&self.0.workspace.view(&context.would_be), &paths, []))
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
            let line =
                format!("\n{path}:{}\t{}", hit["line"], hit["excerpt"].as_str().unwrap_or_default().replace('\n', " "));
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
