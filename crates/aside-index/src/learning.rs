//! Search by meaning: a thread that gives the texts of the index to a model, a few at a time, and rests in between.
//!
//! ```text
//! choose: open the model -> its set of vectors, or the older one until the new is whole
//! then:   texts without a vector -> model -> index, until none is left; then it looks for changes
//! order:  open documents, then the newest; while somebody types, open documents only
//! ```

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak, mpsc},
    thread,
    time::{Duration, Instant},
};

use aside_core::WorkspacePath;
use aside_embed::{EmbedError, Embedder};
use aside_search::{Index, Query, SearchError, Small, TextHash, Unlearned, VectorProgress};
use aside_workspace::Workspace;
use tokio::sync::oneshot;

use crate::{errand::Errand, typing::Typing};

/// How often the thread looks for changed texts: a change is found by its meaning within two seconds.
const LOOK: Duration = Duration::from_millis(700);
/// A model that is gone or fails is asked again after so long.
const RETRY: Duration = Duration::from_secs(60);
/// The time that a search waits for its vector.
const PATIENCE: Duration = Duration::from_millis(1_500);
/// Texts that are taken from the index at once.
const TAKEN: usize = 64;
/// The longest rest after a batch: as long as the batch took, so that half of one processor is left to the user.
const LONGEST_REST: Duration = Duration::from_secs(2);

/// The priority of the thread: below all that the user waits for.
const NICENESS: i32 = 15;

/// Opens a model; none turns the search by meaning off. Its error is a sentence for people.
pub type OpenModel = Box<dyn FnOnce() -> Result<Option<Arc<dyn Embedder>>, String> + Send>;

/// The search by meaning of a workspace.
#[derive(Debug)]
pub(crate) struct Learning {
    models: mpsc::Sender<OpenModel>,
    state: Arc<Mutex<State>>,
    errands: mpsc::Sender<Errand>,
}

/// How far the search by meaning is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LearningProgress {
    /// The model; none if only words count.
    pub model: Option<String>,
    /// Pieces of texts that have a vector.
    pub done: usize,
    /// All pieces.
    pub of: usize,
    /// The reason why it does not go on, for people.
    pub problem: Option<String>,
}

#[derive(Default)]
struct State {
    /// The chosen model.
    model: Option<String>,
    /// The model whose vectors answer: the chosen one, or the older one.
    answering: Option<Arc<dyn Embedder>>,
    problem: Option<String>,
}

impl std::fmt::Debug for State {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("State")
            .field("model", &self.model)
            .field("problem", &self.problem)
            .finish_non_exhaustive()
    }
}

impl Learning {
    /// Starts the thread, without a model. It ends with the thread of the index.
    pub fn start(workspace: Weak<Workspace>, errands: mpsc::Sender<Errand>, typing: Arc<Typing>) -> Self {
        let (models, inbox) = mpsc::channel();
        let state = Arc::<Mutex<State>>::default();
        let (own, shown) = (errands.clone(), state.clone());
        let worker = Worker { workspace, errands: own, typing, state: shown, embedder: None, retry: None };
        let started = thread::Builder::new().name("aside-meaning".to_owned()).spawn(move || worker.run(&inbox));
        drop(started.expect("the system can start a thread"));
        Self { models, state, errands }
    }

    /// Changes the model. Returns at once: the thread opens it.
    pub fn choose(&self, open: OpenModel) {
        // Nobody takes it if the workspace is closed.
        let _ = self.models.send(open);
    }

    /// Returns the vector of a search; none without a model, or if that gives none in time: then words alone answer.
    pub async fn vector(&self, text: &str) -> Option<Vec<f32>> {
        let embedder = lock(&self.state).answering.clone()?;
        let words = Query::parse(text).ok()?.text;
        if words.is_empty() {
            return None;
        }
        let asked = tokio::task::spawn_blocking(move || embedder.query(&words));
        tokio::time::timeout(PATIENCE, asked).await.ok()?.ok()?.ok()
    }

    /// Returns how far the model is.
    pub async fn progress(&self) -> LearningProgress {
        let (model, problem) = {
            let state = lock(&self.state);
            (state.model.clone(), state.problem.clone())
        };
        let Some(name) = model.clone() else { return LearningProgress { problem, ..LearningProgress::default() } };
        let (sender, asked) = oneshot::channel();
        let work = move |index: &mut Index| {
            // Nobody waits for it any more.
            let _ = sender.send(index.progress(&name));
        };
        let _ = self.errands.send(Errand::Use(Box::new(work)));
        let VectorProgress { done, of } = asked.await.unwrap_or_default();
        LearningProgress { model, done, of, problem }
    }
}

struct Worker {
    workspace: Weak<Workspace>,
    typing: Arc<Typing>,
    errands: mpsc::Sender<Errand>,
    state: Arc<Mutex<State>>,
    embedder: Option<Arc<dyn Embedder>>,
    /// When a model that failed is asked again.
    retry: Option<Instant>,
}

/// The thread of the index has ended.
struct Ended;

impl Worker {
    fn run(mut self, inbox: &mpsc::Receiver<OpenModel>) {
        // Where it is not allowed, the rests alone have to do.
        let _ = rustix::process::setpriority_process(None, NICENESS);
        let mut rest = LOOK;
        loop {
            let next = match inbox.recv_timeout(rest) {
                // Only the latest choice counts.
                Ok(open) => self.choose(inbox.try_iter().last().unwrap_or(open)),
                Err(mpsc::RecvTimeoutError::Timeout) => self.step(),
                Err(mpsc::RecvTimeoutError::Disconnected) => return,
            };
            match next {
                Ok(next) => rest = next,
                Err(Ended) => return,
            }
        }
    }

    /// Opens a model; its vectors answer from the next step on.
    fn choose(&mut self, open: OpenModel) -> Result<Duration, Ended> {
        let older = self.embedder.take();
        self.retry = None;
        let opened = open();
        let embedder = opened.as_ref().ok().cloned().flatten();
        let id = embedder.as_ref().map(|embedder| embedder.id().to_owned());
        let (wanted, known) = (id.clone(), older.as_ref().map(|older| older.id().to_owned()));
        let answering = self.with(move |index| {
            index.use_model(wanted.as_deref())?;
            match wanted {
                // The older vectors are of no use without their model.
                Some(model) if index.answering() != Some(&*model) && index.answering() != known.as_deref() => {
                    index.answer_with(&model)?;
                }
                _ => {}
            }
            Ok(index.answering().map(str::to_owned))
        })?;
        let mut state = lock(&self.state);
        state.problem = opened.err();
        state.model = id;
        let answering = answering.flatten();
        state.answering =
            [embedder.clone(), older].into_iter().flatten().find(|one| answering.as_deref() == Some(one.id()));
        drop(state);
        self.embedder = embedder;
        Ok(Duration::ZERO)
    }

    /// Gives some texts to the model, if there are any; returns how long to rest.
    fn step(&mut self) -> Result<Duration, Ended> {
        let Some(embedder) = self.embedder.clone() else { return Ok(LOOK) };
        if self.retry.is_some_and(|retry| Instant::now() < retry) {
            return Ok(LOOK);
        }
        let (model, typing) = (embedder.id().to_owned(), self.typing.goes_on());
        let open: Vec<String> =
            self.workspace.upgrade().ok_or(Ended)?.open_paths().iter().map(WorkspacePath::to_string).collect();
        let wanted = self.with(move |index| {
            // An index that was made again knows no model.
            if index.answering().is_none() {
                index.use_model(Some(&model))?;
            }
            let VectorProgress { done, of } = index.progress(&model);
            let wanted = match (done >= of, typing) {
                (true, _) => Vec::new(),
                (false, true) => index.wanted_of(&model, &open, TAKEN)?,
                (false, false) => index.wanted(&model, &open, TAKEN)?,
            };
            Ok((index.answering() == Some(&*model), wanted))
        })?;
        let Some((answers, wanted)) = wanted else { return Ok(LOOK) };
        if answers {
            lock(&self.state).answering = Some(embedder.clone());
        }
        if wanted.is_empty() {
            return Ok(LOOK);
        }
        for some in wanted.chunks(embedder.batch().max(1)) {
            let started = Instant::now();
            match vectors(&*embedder, some) {
                Ok(learned) => self.learn(embedder.id().to_owned(), learned)?,
                Err(error) => {
                    lock(&self.state).problem = Some(sentence(&error));
                    self.retry = Some(Instant::now() + RETRY);
                    return Ok(LOOK);
                }
            }
            thread::sleep(started.elapsed().min(LONGEST_REST));
            if !typing && self.typing.goes_on() {
                break;
            }
        }
        Ok(Duration::ZERO)
    }

    fn learn(&self, model: String, learned: Vec<(TextHash, Small)>) -> Result<(), Ended> {
        lock(&self.state).problem = None;
        self.with(move |index| {
            index.learn(&model, &learned)?;
            let VectorProgress { done, of } = index.progress(&model);
            if done >= of { index.forget_unused() } else { Ok(()) }
        })?;
        Ok(())
    }

    /// Works with the index on its thread; none if that is not open, or fails.
    fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Index) -> Result<T, SearchError> + Send + 'static,
    ) -> Result<Option<T>, Ended> {
        let (sender, done) = oneshot::channel();
        let work = move |index: &mut Index| drop(sender.send(work(index)));
        self.errands.send(Errand::Use(Box::new(work))).map_err(|_| Ended)?;
        match done.blocking_recv() {
            Ok(Ok(value)) => Ok(Some(value)),
            Ok(Err(error)) => {
                lock(&self.state).problem = Some(error.to_string());
                Ok(None)
            }
            Err(_) => Ok(None),
        }
    }
}

fn sentence(error: &EmbedError) -> String {
    match error {
        EmbedError::Refused { message, hint: Some(hint) } => format!("{message}. {hint}"),
        other => other.to_string(),
    }
}

/// Returns a small vector for each text.
fn vectors(embedder: &dyn Embedder, some: &[Unlearned]) -> Result<Vec<(TextHash, Small)>, EmbedError> {
    let texts: Vec<&str> = some.iter().map(|one| one.text.as_str()).collect();
    let vectors = embedder.passages(&texts)?;
    Ok(some.iter().zip(vectors).map(|(one, vector)| (one.hash, Small::of(&vector))).collect())
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
