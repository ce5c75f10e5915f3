//! Starts, restarts and ends a notebook's kernel, and what is done when it dies.

use std::{sync::Arc, time::Duration};

use aside_core::{Failure, KernelState};
use aside_jupyter::{Execution, GoesOn, Kernel, KernelEnd, KernelError, KernelRecord, News};
use futures_util::future::BoxFuture;
use tokio::time::{Instant, timeout};

use super::{
    Runner, Shared,
    recover::UNREACHED,
    runner::{Done, Running},
    widgets::ask_for_widgets,
};
use crate::{SessionError, choose::choose, file};

/// How often a kernel that dies is started again, and how long one has to live to be taken for sound; what Jupyter does.
const MOST_DEATHS: u32 = 5;
const SOUND: Duration = Duration::from_secs(10);
/// How long a kernel that is looked for is waited for before it is ended.
const REACHED: Duration = Duration::from_secs(2);

/// The kernel is being started, found or ended.
pub(super) struct Change {
    done: BoxFuture<'static, Result<Option<Ready>, SessionError>>,
    /// It starts one: dropped, nothing is left of it, unless this is said.
    start: Option<GoesOn>,
    /// The kernel that was named.
    named: Option<String>,
}

/// A kernel that answers.
pub(super) struct Ready {
    pub kernel: Kernel,
    pub news: News,
    /// It was found again: with the run that is not at its end, if there is one.
    pub found: Option<Option<Execution>>,
}

impl Change {
    pub fn done(&mut self) -> &mut BoxFuture<'static, Result<Option<Ready>, SessionError>> {
        &mut self.done
    }

    pub fn find(done: BoxFuture<'static, Result<Option<Ready>, SessionError>>) -> Self {
        Self { done, start: None, named: None }
    }
}

impl Runner {
    /// Ends; what is being started goes on, and is found again.
    pub(super) fn leave(self) {
        self.change.iter().filter_map(|change| change.start.as_ref()).for_each(GoesOn::say);
    }

    pub(super) fn start(&mut self, kernel: Option<String>, done: Done) {
        let known = self.known();
        let differs = |known: Option<&str>| kernel.as_deref().is_some_and(|name| known != Some(name));
        match &self.change {
            Some(change) if !differs(change.named.as_deref().or(known.as_deref())) => return self.waiting.push(done),
            None if self.running.is_some() && !differs(known.as_deref()) => return answer(done, Ok(())),
            _ => self.lose(),
        }
        self.waiting.push(done);
        self.begin(kernel.or(known), KernelState::Starting, None);
    }

    pub(super) fn restart(&mut self, done: Done) {
        self.waiting.push(done);
        self.lose();
        self.deaths = 0;
        self.begin(self.known(), KernelState::Restarting, None);
    }

    pub(super) fn shut_down(&mut self, done: Done) {
        self.fail_waiting(|| SessionError::ShutDown);
        self.waiting.push(done);
        self.lose();
        let before = self.put_aside();
        let done = Box::pin(async move {
            end(before.await).await;
            Ok(None)
        });
        self.change = Some(Change { done, start: None, named: None });
    }

    /// Starts a kernel, after what is there was ended.
    pub(super) fn begin(&mut self, named: Option<String>, state: KernelState, problem: Option<Failure>) {
        let before = self.put_aside();
        self.shared.change_kernel(|kernel| (kernel.state, kernel.problem) = (state, problem));
        let (shared, wanted, goes_on) = (self.shared.clone(), named.clone(), GoesOn::default());
        let start = goes_on.clone();
        let done = Box::pin(async move {
            end(before.await).await;
            launch(&shared, wanted, &start).await.map(Some)
        });
        self.change = Some(Change { done, start: Some(goes_on), named });
    }

    /// Lets go of the kernel. Returns what has to be ended.
    fn put_aside(&mut self) -> BoxFuture<'static, Option<Kernel>> {
        let sought = self.shared.change(|state| {
            state.handle = None;
            state.widgets.clear(state.now);
            state.sought.take()
        });
        let running = self.running.take().map(|running| running.kernel);
        match self.change.take() {
            // Nothing is left of a start that nobody waits for.
            Some(change) if change.start.is_none() => Box::pin(async move {
                let Some(sought) = sought else { return change.done.await.ok().flatten().map(|ready| ready.kernel) };
                // One that can't be reached is ended without a word.
                match timeout(REACHED, change.done).await {
                    Ok(found) => found.ok().flatten().map(|ready| ready.kernel),
                    Err(_) => {
                        sought.end().await;
                        None
                    }
                }
            }),
            _ => Box::pin(std::future::ready(running)),
        }
    }

    pub(super) async fn changed(&mut self, changed: Result<Option<Ready>, SessionError>) {
        self.change = None;
        match changed {
            Ok(Some(ready)) => self.ready(ready).await,
            Ok(None) => {
                self.shared.change_kernel(|kernel| (kernel.state, kernel.problem) = (KernelState::Absent, None));
                self.shared.keep();
                self.waiting.drain(..).for_each(|done| answer(done, Ok(())));
            }
            Err(error) => {
                let sought = self.shared.change(|state| state.sought.take());
                if let (Some(record), SessionError::Kernel(KernelError::Gone)) = (sought, &error) {
                    self.take_left(record).await;
                }
                self.not_ready(&error);
            }
        }
    }

    async fn ready(&mut self, ready: Ready) {
        let Ready { kernel, news, found } = ready;
        self.shared.change(|state| {
            (state.handle, state.sought) = (Some(kernel.clone()), None);
            // Of one that was found again it is not known: there may be something to lose.
            (state.kernel.state, state.kernel.has_run) = (KernelState::Idle, found.is_some());
            state.kernel.problem.take_if(|problem| problem.code == UNREACHED);
            state.kernel_changed = state.now;
            state.used = self.shared.store.now();
        });
        self.shared.keep();
        self.running = Some(Running { kernel: kernel.clone(), news, since: Instant::now(), current: None });
        self.waiting.drain(..).for_each(|done| answer(done, Ok(())));
        match found {
            Some(execution) => {
                self.go_on(execution);
                ask_for_widgets(&kernel).await;
            }
            None => self.note_kernel(),
        }
        self.next().await;
    }

    fn not_ready(&mut self, error: &SessionError) {
        let failure = error.failure();
        self.shared.change_kernel(|kernel| {
            (kernel.state, kernel.problem) = (KernelState::Absent, Some(failure.clone()));
        });
        self.shared.keep();
        self.shared.blame_open(&failure);
        self.lose();
        self.fail_waiting(|| SessionError::Told(failure.clone()));
    }

    /// What is done when it died by itself.
    pub(super) fn died(&mut self, died: &KernelEnd) {
        self.shared.blame_open(&SessionError::Kernel(KernelError::Died(died.clone())).failure());
        self.lose();
        let is_sound = self.running.take().is_some_and(|running| running.since.elapsed() >= SOUND);
        self.deaths = if is_sound { 1 } else { self.deaths + 1 };
        let again = self.deaths <= MOST_DEATHS;
        let what = if again { "was restarted: variables are lost" } else { "was not restarted" };
        let problem = Failure::new("kernel_died", format!("the kernel died ({died}) and {what}"));
        if again {
            return self.begin(self.known(), KernelState::Restarting, Some(problem));
        }
        drop(self.put_aside());
        self.shared.keep();
        self.shared.change_kernel(|kernel| (kernel.state, kernel.problem) = (KernelState::Dead, Some(problem)));
    }

    /// The name of the kernel that was last chosen.
    fn known(&self) -> Option<String> {
        self.shared.lock().kernel.kernel.as_ref().map(|kernel| kernel.name.clone())
    }

    fn fail_waiting(&mut self, error: impl Fn() -> SessionError) {
        self.waiting.drain(..).for_each(|done| answer(done, Err(error())));
    }
}

pub(super) fn answer(done: Done, result: Result<(), SessionError>) {
    // Who asked may have gone.
    let _ = done.send(result);
}

async fn end(kernel: Option<Kernel>) {
    if let Some(kernel) = kernel {
        // Beside this task: it has to be ended also if nobody waits for it any more.
        let _ = tokio::spawn(async move { kernel.shut_down().await }).await;
    }
}

async fn launch(shared: &Arc<Shared>, named: Option<String>, goes_on: &GoesOn) -> Result<Ready, SessionError> {
    let path = shared.lock().path.clone();
    let notebook = file::read(&shared.workspace, &path).await?;
    let folder = shared.workspace.folder().to_owned();
    let chosen = file::blocking(move || choose(&folder, named.as_deref(), &notebook)).await?;
    let kernel = chosen.kernel.clone();
    shared.change_kernel(|now| now.kernel = Some(kernel));
    let launch = chosen.launch(&shared.workspace, &path, true)?;
    let note = |record: &KernelRecord| {
        shared.change(|state| state.sought = Some(record.clone()));
        shared.keep();
    };
    let (kernel, news) = Kernel::start_noting(launch, note, goes_on).await?;
    Ok(Ready { kernel, news, found: None })
}
