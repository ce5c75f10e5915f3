//! `history.…`: the questions about the person's AI coding history, one action each, from the one list that `aside-history` has of them.
//!
//! What other programs logged is content from outside: an answer carries that label, and what a model does after it is asked about.

use std::sync::Arc;

use aside_core::{
    ActionExample, ActionName, Assessment, Descriptor, EffectScope, Effects, Failure, GrantNeeded, Label, Observation,
    Place, Preview, Risk, UndoSupport,
};
use aside_gate::{ActionContext, Handler, Run};
use aside_history::{Asking, Index, Plan, SettingsFile, TOOLS, TimeZone, Tool, answer};
use aside_store::DataFolder;
use futures_util::future::BoxFuture;
use serde_json::Value;

/// Where the history of a person is, and which folder is meant where none is named.
#[derive(Clone, Debug)]
pub struct PersonsHistory {
    /// The person's own folder; nothing is known without one.
    pub folder: Option<DataFolder>,
    /// The workspace.
    pub workspace: String,
}

/// The actions, one for each question.
pub fn history(of: &PersonsHistory) -> Vec<Arc<dyn Handler>> {
    TOOLS.iter().map(|tool| -> Arc<dyn Handler> { Arc::new(Question::new(tool, of.clone())) }).collect()
}

struct Question {
    tool: &'static Tool,
    of: PersonsHistory,
    descriptor: Descriptor,
}

impl Question {
    fn new(tool: &'static Tool, of: PersonsHistory) -> Self {
        Self { tool, of, descriptor: descriptor(tool) }
    }

    async fn ask(&self, context: &ActionContext, args: &Value) -> Result<Run, Failure> {
        let (tool, of, args, now) = (self.tool, self.of.clone(), args.clone(), context.now);
        let asked = move || -> Result<Value, Failure> {
            let folder = of.folder.as_ref().ok_or_else(nothing)?;
            let index = Index::open_to_read(folder)?.ok_or_else(nothing)?;
            let plan: Option<Plan> = SettingsFile::of(folder).read()?.plan;
            let asking = Asking { now, zone: TimeZone::system(), workspace: Some(of.workspace), plan };
            Ok(answer(&index, &asking, tool.name, &args))
        };
        let ended = tokio::task::spawn_blocking(asked).await;
        let told = ended.map_err(|_| Failure::new("interrupted", "the server stopped before it answered"))??;
        if let Some(error) = told.get("error").and_then(Value::as_str) {
            return Err(Failure::new("history", error));
        }
        let observation = Observation::with(told.to_string(), told);
        Ok(Run::observed(Observation { label: Label::External, ..observation }))
    }
}

fn nothing() -> Failure {
    Failure::new("no_history", "no logs of AI coding programs have been imported yet")
        .hint("import them with `aside history import`")
}

fn descriptor(tool: &Tool) -> Descriptor {
    let words = |list: &[&str]| list.iter().map(|word| (*word).to_owned()).collect();
    let name: ActionName = format!("history.{}", tool.name).parse().expect("names of questions are words");
    let risks = [Risk::Read].into();
    Descriptor {
        grant_needed: GrantNeeded::of(&name, &risks),
        name,
        summary: tool.summary.to_owned(),
        description: format!(
            "{} Returns JSON of about 4,000 characters at most; a longer answer is cut, and `_handle` gets the rest.",
            tool.about
        ),
        args_schema: tool.schema(),
        preconditions: words(&["logs of AI coding programs are imported (`aside history import`)"]),
        effect: EffectScope::Account,
        risks,
        places: vec![Place::Host],
        undo: UndoSupport::NotNeeded,
        examples: vec![ActionExample { title: tool.summary.to_owned(), args: tool.example() }],
        phrases: words(tool.phrases),
        tags: words(&["history", "sessions"]),
        safety: words(&["reads logs of all your workspaces: a remote model sees the answer"]),
        label: Label::Workspace,
    }
}

impl Handler for Question {
    fn descriptor(&self) -> &Descriptor {
        &self.descriptor
    }

    fn assess<'a>(
        &'a self,
        _context: &'a ActionContext,
        _args: &'a Value,
    ) -> BoxFuture<'a, Result<Assessment, Failure>> {
        Box::pin(async { Ok(Assessment::default()) })
    }

    fn preview<'a>(&'a self, _context: &'a ActionContext, _args: &'a Value) -> BoxFuture<'a, Result<Preview, Failure>> {
        Box::pin(async { Ok(Preview::summary(self.tool.summary)) })
    }

    fn run<'a>(&'a self, context: &'a ActionContext, args: &'a Value) -> BoxFuture<'a, Result<Run, Failure>> {
        Box::pin(self.ask(context, args))
    }

    fn effects<'a>(&'a self, _context: &'a ActionContext, _args: &'a Value) -> BoxFuture<'a, Result<Effects, Failure>> {
        Box::pin(async { Ok(Effects::none()) })
    }
}
