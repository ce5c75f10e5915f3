//! Actions of kinds that other programs bring or that reach beyond the workspace. They do nothing but say so, so that
//! one that ran is seen.

use aside_core::{
    Assessment, EffectScope, Failure, Label, Observation, Place, Preview, Risk, Risks, UndoSupport, named_hosts,
};
use aside_gate::{Action, ActionContext, Declaration, Handler, Run, handler};
use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// Names of all of them, for the profile.
pub const NAMES: &[&str] = &["web.fetch", "tool.install", "mail.send", "mcp.weather", "mcp.broken"];

/// Arguments of all of them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// What to reach, run, install or send.
    what: String,
}

/// One of them.
struct StandIn {
    name: &'static str,
    risks: Risks,
    /// What comes back when it runs.
    says: String,
    fails: bool,
}

impl Action for StandIn {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: self.name,
            summary: "Stand in for an action of this kind",
            description: "",
            preconditions: &[],
            effect: EffectScope::System,
            risks: self.risks.clone(),
            place: Place::Host,
            undo: UndoSupport::None,
            examples: vec![("an example", json!({"what": "x"}))],
            phrases: &[],
            tags: &[],
            safety: &[],
        }
    }

    async fn assess(&self, _: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let hosts = named_hosts(&args.what).into_iter().collect();
        Ok(Assessment { hosts, ..Assessment::default() })
    }

    async fn preview(&self, _: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("{} {}", self.name, args.what)))
    }

    async fn run(&self, _: &ActionContext, _: &Args) -> Result<Run, Failure> {
        let observation = Observation::text(self.says.clone());
        let observation = match self.name {
            "web.fetch" => Observation { label: Label::External, ..observation },
            _ => observation,
        };
        if self.fails { Err(Failure::new("tool", self.says.clone())) } else { Ok(Run::observed(observation)) }
    }
}

/// The tool of another program: an action whose words are somebody else's.
struct Foreign {
    inner: Arc<dyn Handler>,
    descriptor: aside_core::Descriptor,
}

impl Foreign {
    fn of(inner: Arc<dyn Handler>, summary: String) -> Arc<dyn Handler> {
        let descriptor = aside_core::Descriptor { label: Label::External, summary, ..inner.descriptor().clone() };
        Arc::new(Self { inner, descriptor })
    }
}

impl Handler for Foreign {
    fn descriptor(&self) -> &aside_core::Descriptor {
        &self.descriptor
    }

    fn assess<'a>(&'a self, context: &'a ActionContext, args: &'a Value) -> BoxFuture<'a, Result<Assessment, Failure>> {
        self.inner.assess(context, args)
    }

    fn preview<'a>(&'a self, context: &'a ActionContext, args: &'a Value) -> BoxFuture<'a, Result<Preview, Failure>> {
        self.inner.preview(context, args)
    }

    fn run<'a>(&'a self, context: &'a ActionContext, args: &'a Value) -> BoxFuture<'a, Result<Run, Failure>> {
        self.inner.run(context, args)
    }

    fn effects<'a>(
        &'a self,
        context: &'a ActionContext,
        args: &'a Value,
    ) -> BoxFuture<'a, Result<aside_core::Effects, Failure>> {
        self.inner.effects(context, args)
    }

    fn part(&self, args: &Value, preview: &Preview, part: u32) -> Result<Value, Failure> {
        self.inner.part(args, preview, part)
    }

    fn again(&self, args: &Value) -> Value {
        self.inner.again(args)
    }
}

/// What the stand-ins say, and what one says of itself, if it is there at all.
#[derive(Clone, Debug, Default)]
pub struct Voices {
    pub web: String,
    /// The result of the tool of another program, which is only there if it has something to say.
    pub tool: Option<String>,
    /// What it says when it fails.
    pub error: Option<String>,
    /// What it says of itself.
    pub description: Option<String>,
}

/// The actions of one case.
pub fn stand_ins(voices: &Voices) -> Vec<Arc<dyn Handler>> {
    let one = |name, risks: &[Risk], says: &str, fails| {
        handler(StandIn { name, risks: risks.iter().copied().collect(), says: says.to_owned(), fails })
    };
    let mut all = vec![
        one("web.fetch", &[Risk::Network], &voices.web, false),
        one("tool.install", &[Risk::Install], "installed", false),
        one("mail.send", &[Risk::Network, Risk::Billing], "sent", false),
    ];
    if voices.tool.is_some() || voices.description.is_some() {
        let inner = one("mcp.weather", &[Risk::Read], voices.tool.as_deref().unwrap_or("sunny"), false);
        let summary = voices.description.clone().unwrap_or_else(|| "The weather".to_owned());
        all.push(Foreign::of(inner, summary));
    }
    if let Some(error) = &voices.error {
        all.push(Foreign::of(one("mcp.broken", &[Risk::Read], error, true), "The tides".to_owned()));
    }
    all
}
