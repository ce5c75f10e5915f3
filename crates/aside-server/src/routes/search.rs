//! `search`: the best places of the workspace for a query, and documents like one. They only read.

use std::sync::Arc;

use aside_core::Failure;
use aside_index::{
    DocumentKind, FoundPlace, FoundPlaces, IndexError, IndexProgress, LearningProgress, LeftOut, SearchRequest, Why,
};
use aside_macros::boxed;
use aside_protocol::{
    LeftOutFile, SearchAnswer, SearchHit, SearchIndex, SearchIndexState, SearchKind, SearchMeaning, SearchQuery,
    SearchWhy,
};
use axum::{Json, extract::State};
use serde::Deserialize;

use crate::{
    app::{App, blocking},
    conversations::said_at,
    problem::{Asked, Body, Problem},
};

/// Hits of an answer, if no number is asked for and at most.
const USUAL: u32 = 20;
const MOST: u32 = 100;
/// Bytes of a query.
const LONGEST: usize = 4_000;

/// Searches.
#[boxed]
pub async fn search(
    State(app): State<Arc<App>>,
    Body(asked): Body<SearchQuery>,
) -> Result<Json<SearchAnswer>, Problem> {
    let SearchQuery { query, limit, kinds, typing } = asked;
    if query.len() > LONGEST {
        return Err(Failure::new("invalid_args", "the query is too long").hint("search for a part of it").into());
    }
    let has_none = |kinds: &[SearchKind], found: &[DocumentKind]| !kinds.is_empty() && found.is_empty();
    let found: Vec<DocumentKind> = kinds.iter().filter_map(|kind| kind_of(*kind)).collect();
    if has_none(&kinds, &found) {
        let nothing = FoundPlaces { progress: app.index.progress().await?, ..FoundPlaces::default() };
        return Ok(Json(answer(nothing, app.index.learning().await)));
    }
    let request = SearchRequest { text: query, kinds: found, typing, limit: limit_of(limit), per_document: None };
    let found = app.index.search(&request, None).await?;
    let mut answer = answer(found, app.index.learning().await);
    let conversations = move || {
        for hit in &mut answer.hits {
            if matches!(hit.kind, SearchKind::Thread | SearchKind::Chat) {
                hit.said = said_at(&app.agents, &app.chats, app.access.people.clone(), &hit.path, hit.line);
            }
        }
        answer
    };
    Ok(Json(blocking(conversations).await?))
}

/// A document.
#[derive(Debug, Deserialize)]
pub struct Related {
    path: String,
    #[serde(default)]
    limit: Option<u32>,
}

/// Finds documents like one.
#[boxed]
pub async fn related(State(app): State<Arc<App>>, Asked(asked): Asked<Related>) -> Result<Json<SearchAnswer>, Problem> {
    let found = app.index.related(&asked.path, limit_of(asked.limit)).await?;
    Ok(Json(answer(found, app.index.learning().await)))
}

fn limit_of(limit: Option<u32>) -> usize {
    limit.unwrap_or(USUAL).clamp(1, MOST) as usize
}

impl From<IndexError> for Problem {
    fn from(error: IndexError) -> Self {
        Failure::from(error).into()
    }
}

fn answer(FoundPlaces { places, progress }: FoundPlaces, learning: LearningProgress) -> SearchAnswer {
    SearchAnswer { hits: places.into_iter().map(hit).collect(), index: state(progress, learning) }
}

fn hit(place: FoundPlace) -> SearchHit {
    let FoundPlace { path, kind, line, title, headings, text, marks, why } = place;
    let why = match why {
        Why::Words => SearchWhy::Words,
        Why::Meaning => SearchWhy::Meaning,
        Why::Both => SearchWhy::Both,
    };
    SearchHit { path, kind: on_the_wire(kind), line, title, headings, text, marks, why, said: None }
}

fn state(progress: IndexProgress, learning: LearningProgress) -> SearchIndex {
    let IndexProgress { reading, done, of, problem, left_out, named } = progress;
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    SearchIndex {
        state: if reading { SearchIndexState::Reading } else { SearchIndexState::Ready },
        done: count(done),
        of: count(of),
        meaning: SearchMeaning {
            model: learning.model,
            done: count(learning.done),
            of: count(learning.of),
            problem: learning.problem,
        },
        problem,
        left_out: count(left_out),
        left_out_files: named.into_iter().map(|LeftOut { path, reason }| LeftOutFile { path, reason }).collect(),
    }
}

const fn on_the_wire(kind: DocumentKind) -> SearchKind {
    match kind {
        DocumentKind::Note => SearchKind::Note,
        DocumentKind::Notebook => SearchKind::Notebook,
        DocumentKind::Code => SearchKind::Code,
        DocumentKind::Text => SearchKind::Text,
        DocumentKind::Pdf => SearchKind::Pdf,
        DocumentKind::Thread => SearchKind::Thread,
        DocumentKind::Chat => SearchKind::Chat,
    }
}

fn kind_of(kind: SearchKind) -> Option<DocumentKind> {
    DocumentKind::ALL.into_iter().find(|known| on_the_wire(*known) == kind)
}
