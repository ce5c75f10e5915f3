//! `search.find`: the best places of the workspace for a query.

use std::{collections::HashMap, fmt::Write as _, sync::Arc, time::Duration};

use aside_core::{
    Assessment, EffectScope, Failure, LabelSource, Observation, Place, Preview, Risk, UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, DryReading, Run, waiting};
use aside_index::{DocumentKind, FoundPlace, FoundPlaces, IndexProgress, SearchRequest, WorkspaceIndex};
use aside_workspace::{SeenNotebook, View, Workspace};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    cells::is_hidden,
    files::{counted, touching},
    kernels::said_by_code,
    known_notes::{MOST_FOUND, MOST_TOLD},
    trimmed::trimmed,
};

/// Places of an answer, if no number is asked for and at most.
const USUAL: usize = 20;
const MOST: usize = 100;

/// The longest wait for files that are being read for the first time.
const PATIENCE: Duration = Duration::from_secs(3);

/// Arguments of `search.find`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Words, a question, `"a phrase"`, and filters: `path:x`, `tag:x`, `kind:x`, `has:todo`, `before:2026-12-01`,
    /// `after:2026-12-01`, `related:note.md`. A `-` in front leaves out.
    #[schemars(length(max = 1000))]
    query: String,
    /// At most so many places. Default: 20.
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    limit: Option<u32>,
    /// Only documents of these kinds: `note`, `notebook`, `code`, `text`, `pdf`; for the user also `thread` and `chat`.
    #[serde(default)]
    kinds: Vec<String>,
}

impl Args {
    /// Conversations are found for a person only: models are shown no words that were not said to them.
    fn request(&self, context: &ActionContext) -> Result<SearchRequest, Failure> {
        let kind = |name: &String| {
            let unknown = || Failure::new("invalid_args", format!("`{name}` is no kind of documents"));
            DocumentKind::of_name(name).ok_or_else(unknown)
        };
        let mut kinds = self.kinds.iter().map(kind).collect::<Result<Vec<_>, _>>()?;
        if !context.origin.is_person() {
            if kinds.is_empty() {
                kinds = DocumentKind::ALL.to_vec();
            }
            kinds.retain(|kind| kind.is_file());
            if kinds.is_empty() {
                return Err(Failure::new("person_only", "only the user can search threads and chats"));
            }
        }
        Ok(SearchRequest { text: self.query.clone(), kinds, limit: MOST, ..SearchRequest::default() })
    }

    fn limit(&self) -> usize {
        self.limit.map_or(USUAL, |limit| limit as usize).clamp(1, MOST)
    }
}

/// `search.find`.
pub(crate) struct SearchFind {
    pub workspace: Arc<Workspace>,
    pub index: Arc<WorkspaceIndex>,
}

/// The places that are told.
struct Told {
    found: Vec<FoundPlace>,
    progress: IndexProgress,
    /// Notebooks of which a place is an output, with their labels.
    outputs: Vec<(WorkspacePath, LabelSource)>,
}

impl SearchFind {
    /// Finds the best places among the files that are admitted.
    pub async fn places(
        &self,
        context: &ActionContext,
        request: &SearchRequest,
        admits: impl Fn(&ActionContext, &Assessment) -> bool + Send + Sync + 'static,
    ) -> Result<FoundPlaces, Failure> {
        self.index.ready(PATIENCE).await;
        let (workspace, asker) = (self.workspace.clone(), context.clone());
        let may = move |path: &str, kind: DocumentKind| {
            let is_told =
                |path: WorkspacePath| admits(&asker, &touching(&workspace.view(&asker.would_be), &[&path], []));
            !kind.is_file() || path.parse().is_ok_and(is_told)
        };
        Ok(self.index.search_among(request, Arc::new(may)).await?)
    }

    async fn find(
        &self,
        context: &ActionContext,
        args: &Args,
        admits: impl Fn(&ActionContext, &Assessment) -> bool + Copy + Send + Sync + 'static,
    ) -> Result<Told, Failure> {
        let FoundPlaces { places, progress } = self.places(context, &args.request(context)?, admits).await?;
        let (workspace, context, limit) = (self.workspace.clone(), context.clone(), args.limit());
        let work = move || {
            let view = workspace.view(&context.would_be);
            let mut told = Told { found: Vec::new(), progress, outputs: Vec::new() };
            let mut notebooks = HashMap::new();
            for place in places {
                if told.found.len() == limit {
                    break;
                }
                let Some(path) = file_of(&place) else {
                    told.found.push(place);
                    continue;
                };
                let is_told = admits(&context, &touching(&view, &[&path], []));
                if is_told
                    && (place.kind != DocumentKind::Notebook
                        || told.admits_cell(&view, &context, &mut notebooks, &path, &place))
                {
                    told.found.push(place);
                }
            }
            told
        };
        waiting(work).await.map_err(|error| error.failure())
    }
}

impl Told {
    /// Tells whether a place in a notebook may be told: a person keeps some cells from models. Notes the notebook if the place is
    /// an output.
    fn admits_cell(
        &mut self,
        view: &View<'_>,
        context: &ActionContext,
        notebooks: &mut HashMap<WorkspacePath, Option<SeenNotebook>>,
        path: &WorkspacePath,
        place: &FoundPlace,
    ) -> bool {
        let seen = notebooks.entry(path.clone()).or_insert_with(|| view.notebook(path).ok());
        // It has changed since, or can't be read.
        let Some(cell) = seen.as_ref().and_then(|seen| seen.cells.get(place.line as usize - 1)) else { return false };
        if !context.origin.is_person() && is_hidden(cell) {
            return false;
        }
        let is_output = !place.text.lines().all(|line| cell.source.contains(line.trim()));
        if is_output && !self.outputs.iter().any(|(known, _)| known == path) {
            self.outputs.push((path.clone(), view.label_of(path)));
        }
        true
    }
}

/// The file of a place; none of a conversation.
fn file_of(place: &FoundPlace) -> Option<WorkspacePath> {
    place.kind.is_file().then(|| place.path.parse().ok())?
}

fn data(place: &FoundPlace) -> Value {
    let FoundPlace { path, kind, line, title, headings, text, marks, why } = place;
    json!({
        "path": path, "kind": kind, "line": line, "title": title, "headings": headings, "text": text, "marks": marks, "why": why,
    })
}

impl Action for SearchFind {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "search.find",
            summary: "Search the whole workspace by words and meaning",
            description: "Returns the best places in notes, notebooks, code and other texts, each with its path, line and an \
                excerpt. A place need not have all words; accents, forms of words and small mistakes don't matter. The line is \
                the cell in a notebook and the page in a PDF. Use `file.search` for every line with an exact text. Read the places with \
                `doc.read`, `note.read` or `notebook.read`.",
            preconditions: &[],
            effect: EffectScope::Workspace,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![
                ("Find places about a subject", json!({"query": "how the tide is measured"})),
                ("Find code and notebooks", json!({"query": "heights", "kinds": ["code", "notebook"], "limit": 5})),
            ],
            phrases: &[
                "search everything by meaning",
                "find what I have about a subject",
                "where did I write about something",
                "(find|show|show me|search for|look for) (anything|everything) (about|on) {query:text}",
                "what do I (have|know) (about|on) {query:text}",
                "where (did|have) I (write|written|wrote) [anything|something] (about|on) {query:text}",
            ],
            tags: &["search", "notes", "code", "notebooks", "meaning", "question", "find"],
            safety: &[],
        }
    }

    /// The index knows the files as they are.
    fn in_dry_runs(&self) -> DryReading {
        DryReading::Now
    }

    /// The files that it finds are its targets, so that rules and labels of each hold. A file that the asker may not read is not found.
    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let told = self.find(context, args, |context, found| context.admits.all(&found.targets)).await?;
        let files: Vec<_> = told.found.iter().filter_map(file_of).collect();
        Ok(touching(&self.workspace.view(&context.would_be), &files.iter().collect::<Vec<_>>(), []))
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Search the workspace for “{}”", args.query)))
    }

    /// A file that fits only since is not told of: nobody has judged it.
    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let judged = |context: &ActionContext, found: &Assessment| {
            found.targets.iter().all(|target| context.touches.contains(target))
        };
        let told = self.find(context, args, judged).await?;
        let mut observation = Observation::with(words(args, &told), answer(&told));
        for (path, label) in told.outputs {
            let source = LabelSource::external(format!("outputs of {path}"), "output of its code");
            observation = observation.from_source(said_by_code(&label, &path, source).by(&context.id));
        }
        Ok(Run::observed(observation))
    }
}

fn words(args: &Args, told: &Told) -> String {
    let mut text = format!("“{}”: {}", args.query, counted(told.found.len(), "place"));
    for place in &told.found {
        let line = format!("\n{}:{}\t{}", place.path, place.line, place.text.replace('\n', " "));
        if text.len() + line.len() > MOST_TOLD {
            break;
        }
        write!(text, "{line}").expect("writing to a string does not fail");
    }
    if told.progress.reading {
        text.push_str("\nSome files are still being read: search again later for more.");
    }
    text
}

fn answer(told: &Told) -> Value {
    let hits: Vec<Value> = told.found.iter().map(data).collect();
    trimmed(json!({"hits": hits, "reading": told.progress.reading}), MOST_FOUND)
}
