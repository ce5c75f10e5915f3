//! What the author of an action writes: [`Action`], with typed arguments. The Gate sees it as a [`Handler`].

use std::{future::Future, sync::Arc, time::Duration};

use aside_core::{
    ActionExample, ActionId, ActionName, ActionRequest, Assessment, Descriptor, EffectScope, Effects, Failure, Grant,
    GrantNeeded, Inverse, Label, ObjectRef, Observation, Origin, Place, Preview, Risks, Sha256, Timestamp, UndoSupport,
    WouldBe,
};
use futures_util::future::BoxFuture;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::{Deserialize as _, de::DeserializeOwned};
use serde_json::Value;

use crate::{Admits, Progress};

/// What a handler is told beside the arguments.
#[derive(Clone, Debug)]
pub struct ActionContext {
    /// The action's id.
    pub id: ActionId,
    /// Who asked.
    pub origin: Origin,
    /// What they may do: what they make others able to do is never more.
    pub grant: Grant,
    /// When it was asked for.
    pub now: Timestamp,
    /// The action that this takes back, if it is an undo.
    pub undoes: Option<ActionId>,
    /// What it may tell of, where it finds out by itself what it touches.
    pub admits: Admits,
    /// What it was found to touch, and was allowed or approved: nothing before it runs.
    pub touches: Vec<ObjectRef>,
    /// What a person was shown and approved, by its [`Preview::essence`]: a run that finds something else by
    /// then does nothing. None if nobody was asked.
    pub approved: Option<Sha256>,
    /// Where a run says what it is doing, and hears that it should stop.
    pub progress: Progress,
    /// How the files differ from the disk when it would run: not at all, unless it is a step of a plan that is
    /// only looked at. `assess`, `preview` and `effects` read through it; `run` finds it empty.
    pub would_be: Arc<WouldBe>,
}

/// What an action's author declares; the schema comes from the type of the arguments.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// `noun.verb`; checked when the catalog is built.
    pub name: &'static str,
    /// One line in the imperative.
    pub summary: &'static str,
    /// What a model or a person has to know to use it well.
    pub description: &'static str,
    /// What has to hold before it can run.
    pub preconditions: &'static [&'static str],
    /// What its effect reaches.
    pub effect: EffectScope,
    /// The risks it always has.
    pub risks: Risks,
    /// Where it may run.
    pub place: Place,
    /// Whether it can be taken back.
    pub undo: UndoSupport,
    /// At least one, each with a title.
    pub examples: Vec<(&'static str, Value)>,
    /// Sentences that people say for it, in the notation of [`aside_core::Phrase`]. One without a value for each required
    /// argument only helps the search.
    pub phrases: &'static [&'static str],
    /// Words for the search.
    pub tags: &'static [&'static str],
    /// What to be careful about.
    pub safety: &'static [&'static str],
}

/// What a run leaves behind.
#[derive(Clone, Debug)]
pub struct Run {
    /// What came of it.
    pub observation: Observation,
    /// The way back, for an action that can be undone and did change something.
    pub inverse: Option<ActionRequest>,
    /// What it changed.
    pub changed: Vec<ObjectRef>,
}

impl Run {
    /// A run that changed nothing.
    pub fn observed(observation: Observation) -> Self {
        Self { observation, inverse: None, changed: Vec::new() }
    }

    /// The recorded inverse.
    pub fn into_inverse(self) -> Option<Inverse> {
        self.inverse.map(|request| Inverse { request })
    }
}

/// How a dry run treats a call that only reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DryReading {
    /// It is answered from the files as the calls before would leave them.
    WouldBe,
    /// It is answered from the files as they are now, so the dry run is partial once a call before would change a file.
    Now,
    /// It moves something in the person's window, so it is only shown.
    Shown,
}

/// A typed thing that can be done. `preview` and `run` share the code that computes the change.
pub trait Action: Send + Sync + 'static {
    /// The arguments; derive `Deserialize` with `deny_unknown_fields` and `JsonSchema`.
    type Args: DeserializeOwned + JsonSchema + Send + Sync;

    /// What is known of it before it is asked for.
    fn declare(&self) -> Declaration;

    /// Says what these arguments would touch and risk. Must not change anything.
    ///
    /// Every file or folder that could change or be read belongs among the targets, under the path it has
    /// once symbolic links are followed: policy protects paths by them.
    fn assess(
        &self,
        context: &ActionContext,
        args: &Self::Args,
    ) -> impl Future<Output = Result<Assessment, Failure>> + Send;

    /// Shows what would change. Must not change anything.
    fn preview(
        &self,
        context: &ActionContext,
        args: &Self::Args,
    ) -> impl Future<Output = Result<Preview, Failure>> + Send;

    /// Says what it would leave of the workspace's files, by the code that `run` uses too. Must not change anything.
    ///
    /// In a plan, what comes after an action that doesn't say is shown as if this one had changed nothing, and says so.
    fn effects(
        &self,
        _context: &ActionContext,
        _args: &Self::Args,
    ) -> impl Future<Output = Result<Effects, Failure>> + Send {
        async { Ok(Effects::Unknown) }
    }

    /// Says what is left of a run that the end of the server cut off, and the way back; none if that is not known. Called
    /// at the next start, before anything else runs. Must not go on with it.
    fn cut_off(
        &self,
        _context: &ActionContext,
        _args: &Self::Args,
    ) -> impl Future<Output = Result<Option<Run>, Failure>> + Send {
        async { Ok(None) }
    }

    /// Does it. Only the Gate calls this, after the intent is on disk.
    fn run(&self, context: &ActionContext, args: &Self::Args) -> impl Future<Output = Result<Run, Failure>> + Send;

    /// Says how long what its way back needs is kept from the moment it begins; for good if none. Where that is given up
    /// before, such as for want of room, the way back fails with the code `not_kept`.
    fn kept_for(&self) -> Option<Duration> {
        None
    }

    /// Says how a dry run treats a call of it, if it only reads.
    fn in_dry_runs(&self) -> DryReading {
        DryReading::WouldBe
    }

    /// Returns the arguments that do only some parts of what a preview showed, given in its order.
    fn parts(&self, _args: &Self::Args, _preview: &Preview, parts: &[u32]) -> Result<Value, Failure> {
        Err(all_or_nothing(parts))
    }

    /// Returns the arguments that ask for the same another day: without versions and places of that moment.
    fn again(&self, args: &Value) -> Value {
        args.clone()
    }
}

/// An [`Action`] whose arguments are still JSON.
pub trait Handler: Send + Sync {
    /// All that is known of it.
    fn descriptor(&self) -> &Descriptor;
    /// See [`Action::assess`].
    fn assess<'a>(&'a self, context: &'a ActionContext, args: &'a Value) -> BoxFuture<'a, Result<Assessment, Failure>>;
    /// See [`Action::preview`].
    fn preview<'a>(&'a self, context: &'a ActionContext, args: &'a Value) -> BoxFuture<'a, Result<Preview, Failure>>;
    /// See [`Action::run`].
    fn run<'a>(&'a self, context: &'a ActionContext, args: &'a Value) -> BoxFuture<'a, Result<Run, Failure>>;
    /// See [`Action::cut_off`].
    fn cut_off<'a>(
        &'a self,
        _context: &'a ActionContext,
        _args: &'a Value,
    ) -> BoxFuture<'a, Result<Option<Run>, Failure>> {
        Box::pin(async { Ok(None) })
    }
    /// See [`Action::effects`].
    fn effects<'a>(&'a self, _context: &'a ActionContext, _args: &'a Value) -> BoxFuture<'a, Result<Effects, Failure>> {
        Box::pin(async { Ok(Effects::Unknown) })
    }
    /// See [`Action::kept_for`].
    fn kept_for(&self) -> Option<Duration> {
        None
    }
    /// See [`Action::in_dry_runs`].
    fn in_dry_runs(&self) -> DryReading {
        DryReading::WouldBe
    }
    /// See [`Action::parts`].
    fn parts(&self, _args: &Value, _preview: &Preview, parts: &[u32]) -> Result<Value, Failure> {
        Err(all_or_nothing(parts))
    }
    /// See [`Action::again`].
    fn again(&self, args: &Value) -> Value {
        args.clone()
    }
}

/// Says that parts can't be decided on their own.
pub fn all_or_nothing(parts: &[u32]) -> Failure {
    let first = parts.first().copied().unwrap_or_default();
    Failure::new("no_parts", format!("part {first} can't be decided on its own: this action is all or nothing"))
}

/// Returns the handler of a typed action.
///
/// # Panics
/// If the declared name is not `noun.verb` or there is no example: both are mistakes in the program,
/// found by the first test that builds the catalog.
pub fn handler(action: impl Action) -> Arc<dyn Handler> {
    let declared = action.declare();
    let name: ActionName = declared.name.parse().expect("declared action names are noun.verb");
    assert!(!declared.examples.is_empty(), "{name} has no example");
    let words = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect();
    let descriptor = Descriptor {
        grant_needed: GrantNeeded::of(&name, &declared.risks),
        name,
        summary: declared.summary.to_owned(),
        description: declared.description.to_owned(),
        args_schema: schema_of(&action),
        preconditions: words(declared.preconditions),
        effect: declared.effect,
        risks: declared.risks,
        places: vec![declared.place],
        undo: declared.undo,
        examples: declared
            .examples
            .into_iter()
            .map(|(title, args)| ActionExample { title: title.to_owned(), args })
            .collect(),
        phrases: words(declared.phrases),
        tags: words(declared.tags),
        safety: words(declared.safety),
        label: Label::Workspace,
    };
    Arc::new(Typed { action, descriptor })
}

/// Sub-schemas stay inline: some providers refuse `$ref`.
fn schema_of<A: Action>(_action: &A) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    settings.into_generator().into_root_schema_for::<A::Args>().to_value()
}

struct Typed<A> {
    action: A,
    descriptor: Descriptor,
}

impl<A: Action> Typed<A> {
    fn args(&self, args: &Value) -> Result<A::Args, Failure> {
        A::Args::deserialize(args).map_err(|error| {
            Failure::new("invalid_args", format!("the arguments of {} are invalid: {error}", self.descriptor.name))
                .hint("`catalog.describe` shows the schema and an example")
        })
    }
}

impl<A: Action> Handler for Typed<A> {
    fn descriptor(&self) -> &Descriptor {
        &self.descriptor
    }

    fn assess<'a>(&'a self, context: &'a ActionContext, args: &'a Value) -> BoxFuture<'a, Result<Assessment, Failure>> {
        Box::pin(async move { self.action.assess(context, &self.args(args)?).await })
    }

    fn preview<'a>(&'a self, context: &'a ActionContext, args: &'a Value) -> BoxFuture<'a, Result<Preview, Failure>> {
        Box::pin(async move { self.action.preview(context, &self.args(args)?).await })
    }

    fn run<'a>(&'a self, context: &'a ActionContext, args: &'a Value) -> BoxFuture<'a, Result<Run, Failure>> {
        Box::pin(async move { self.action.run(context, &self.args(args)?).await })
    }

    fn cut_off<'a>(
        &'a self,
        context: &'a ActionContext,
        args: &'a Value,
    ) -> BoxFuture<'a, Result<Option<Run>, Failure>> {
        Box::pin(async move { self.action.cut_off(context, &self.args(args)?).await })
    }

    fn effects<'a>(&'a self, context: &'a ActionContext, args: &'a Value) -> BoxFuture<'a, Result<Effects, Failure>> {
        Box::pin(async move { self.action.effects(context, &self.args(args)?).await })
    }

    fn kept_for(&self) -> Option<Duration> {
        self.action.kept_for()
    }

    fn in_dry_runs(&self) -> DryReading {
        self.action.in_dry_runs()
    }

    fn parts(&self, args: &Value, preview: &Preview, parts: &[u32]) -> Result<Value, Failure> {
        self.action.parts(&self.args(args)?, preview, parts)
    }

    fn again(&self, args: &Value) -> Value {
        self.action.again(args)
    }
}
