//! The actions that change one thread and are undone by the same change back: they differ in their arguments.

use std::{marker::PhantomData, sync::Arc};

use aside_core::{
    ActionRequest, Assessment, ChangeRow, Failure, ObjectRef, Observation, Preview, PreviewBody, Thread, ThreadId,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_store::Store;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{ThreadChange, actions::Protected, change, get};

/// The arguments of such an action.
pub(super) trait Changes: DeserializeOwned + JsonSchema + Send + Sync + 'static {
    /// The declaration of the action.
    fn declare() -> Declaration;

    /// The thread's id.
    fn thread(&self) -> &str;

    /// The change.
    fn change(&self) -> Result<ThreadChange, Failure>;

    /// The changed property of a thread, as a person reads it.
    fn shown(thread: &Thread) -> String;

    /// The same after the change.
    fn wanted(&self) -> String;

    /// The arguments that make a thread what it is now.
    fn back(thread: &Thread) -> Value;
}

/// An action that changes a thread.
pub(super) struct ChangesThread<A> {
    store: Arc<Store>,
    protected: Protected,
    args: PhantomData<fn() -> A>,
}

impl<A: Changes> ChangesThread<A> {
    pub(super) fn new(store: &Arc<Store>, protected: &Protected) -> Self {
        Self { store: store.clone(), protected: protected.clone(), args: PhantomData }
    }

    fn found(&self, args: &A) -> Result<Thread, Failure> {
        get(&self.store, &id(args.thread())?).map_err(|error| error.failure())
    }
}

impl<A: Changes> Action for ChangesThread<A> {
    type Args = A;

    fn declare(&self) -> Declaration {
        A::declare()
    }

    async fn assess(&self, context: &ActionContext, args: &A) -> Result<Assessment, Failure> {
        if !context.origin.is_person() {
            return Err(Failure::new("person_only", "only the user can change threads"));
        }
        args.change()?;
        Ok(Assessment { targets: vec![object(&self.found(args)?.id)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &A) -> Result<Preview, Failure> {
        let thread = self.found(args)?;
        let (before, after) = (Some(A::shown(&thread)), Some(args.wanted()));
        let row = ChangeRow { object: format!("Thread “{}”", thread.title), before, after };
        let summary = format!("{}: “{}”", A::declare().summary, thread.title);
        Ok(Preview { body: PreviewBody::Changes { rows: vec![row] }, ..Preview::summary(summary) })
    }

    async fn run(&self, _context: &ActionContext, args: &A) -> Result<Run, Failure> {
        let before = self.found(args)?;
        let after = change(&self.store, &before.id, args.change()?, &(self.protected)());
        let after = after.map_err(|error| error.failure())?;
        let words = format!("the thread “{}” is {} now", after.title, A::shown(&after));
        let observation =
            Observation { unchanged: A::shown(&before) == A::shown(&after), ..Observation::with(words, &after) };
        let name = A::declare().name.parse().expect("the names are `noun.verb`");
        let inverse = (!observation.unchanged).then(|| ActionRequest::new(name, A::back(&before)));
        Ok(Run { observation, inverse, changed: vec![object(&after.id)] })
    }
}

pub(super) fn id(text: &str) -> Result<ThreadId, Failure> {
    text.parse().map_err(|error| Failure::new("invalid_args", format!("{error}")))
}

pub(super) fn object(id: &ThreadId) -> ObjectRef {
    ObjectRef { kind: "thread".to_owned(), id: id.to_string() }
}
