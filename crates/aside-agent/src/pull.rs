//! `model.pull`: gets a model for an Ollama server, which loads it from its library on the internet.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use aside_core::{
    ActionId, Assessment, EffectScope, Failure, ModelRef, ObjectRef, Observation, Place, Preview, Risk, UndoSupport,
};
use aside_gate::{Action, ActionContext, Declaration, Gate, Run, handler};
use aside_llm::{Models, ProviderError, PullStream, Pulled};
use futures_util::StreamExt as _;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::broadcast;

/// Its name.
pub const NAME: &str = "model.pull";
/// Where Ollama gets models from whose name begins with no other host.
const LIBRARY: &str = "registry.ollama.ai";
/// Bits of progress that a slow listener may be behind.
const BEHIND: usize = 256;

/// The pulls that are going on.
#[derive(Debug)]
pub struct Pulls {
    news: broadcast::Sender<(ActionId, Pulled)>,
    under_way: Mutex<BTreeMap<ActionId, UnderWay>>,
}

/// A pull that goes on.
#[derive(Clone, Debug)]
pub struct UnderWay {
    /// The action.
    pub id: ActionId,
    /// What it gets.
    pub model: ModelRef,
    /// What was heard last.
    pub latest: Option<Pulled>,
}

/// Takes it from those that go on when it ends, however it does.
struct Entry<'a> {
    pulls: &'a Pulls,
    id: &'a ActionId,
}

/// Arguments of `model.pull`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The model, with the name of the Ollama server: `ollama/qwen3:4b`.
    model: String,
}

struct ModelPull {
    models: Arc<Models>,
    pulls: Arc<Pulls>,
}

impl Pulls {
    /// Adds `model.pull` to the catalog.
    pub fn new(gate: &Gate, models: Arc<Models>) -> Arc<Self> {
        let pulls = Arc::new(Self { news: broadcast::Sender::new(BEHIND), under_way: Mutex::default() });
        let pull = handler(ModelPull { models, pulls: pulls.clone() });
        let added = gate.catalog().replace(|name| name.as_str() == NAME, [pull]);
        added.expect("`model.pull` is declared well: the page of the actions is made with it");
        pulls
    }

    /// How far pulls are, from now on.
    pub fn news(&self) -> broadcast::Receiver<(ActionId, Pulled)> {
        self.news.subscribe()
    }

    /// Those that go on.
    pub fn under_way(&self) -> Vec<UnderWay> {
        self.lock(|running| running.values().cloned().collect())
    }

    fn begin<'a>(&'a self, id: &'a ActionId, model: &ModelRef) -> Entry<'a> {
        let begun = UnderWay { id: id.clone(), model: model.clone(), latest: None };
        self.lock(|running| running.insert(id.clone(), begun));
        Entry { pulls: self, id }
    }

    fn tell(&self, id: &ActionId, pulled: Pulled) {
        self.lock(|running| running.get_mut(id).map(|one| one.latest = Some(pulled.clone())));
        // Nobody may be listening.
        let _ = self.news.send((id.clone(), pulled));
    }

    fn lock<T>(&self, work: impl FnOnce(&mut BTreeMap<ActionId, UnderWay>) -> T) -> T {
        work(&mut self.under_way.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        self.pulls.lock(|running| running.remove(self.id));
    }
}

impl Action for ModelPull {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: NAME,
            summary: "Download a model for Ollama",
            description: "Makes an Ollama server download a model from its library, usually some gigabytes. Parts \
                that are already there are not downloaded again. A stopped download continues the next time.",
            preconditions: &["Ollama is running"],
            effect: EffectScope::System,
            risks: [Risk::Install, Risk::Network].into(),
            place: Place::Host,
            undo: UndoSupport::None,
            examples: vec![("Download a small model that supports tools", json!({"model": "ollama/qwen3:4b"}))],
            phrases: &[
                "pull a model",
                "download a model",
                "get a model for ollama",
                "(pull|download|get|fetch|install) [model] {model:model}",
            ],
            tags: &["model", "ollama", "pull", "download", "install"],
            safety: &["A model is data from the internet that Ollama runs. It takes disk space."],
        }
    }

    async fn assess(&self, _context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        let model = named(args)?;
        drop(self.begin(&model)?);
        let targets = vec![ObjectRef { kind: "model".to_owned(), id: model.to_string() }];
        Ok(Assessment { targets, hosts: vec![library(&model.name)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        let model = named(args)?;
        let info = self.models.provider(&model).map_err(|error| Failure::from(&error))?.info();
        let at = info.endpoint.unwrap_or(info.name);
        Ok(Preview::summary(format!("{at} downloads the model “{}” from {}", model.name, library(&model.name))))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let model = named(args)?;
        let mut pull = self.begin(&model)?;
        let _entry = self.pulls.begin(&context.id, &model);
        let (mut said, mut line) = (String::new(), 0);
        loop {
            let heard = tokio::select! {
                heard = pull.next() => heard,
                by = context.progress.stopped() => {
                    return Err(Failure::new("stopped", format!("{by} stopped it; the downloaded part is kept for the next time")));
                }
            };
            let pulled = match heard {
                Some(Ok(pulled)) => pulled,
                Some(Err(error)) => return Err(in_words(&model, &error)),
                None => {
                    return Err(Failure::new("provider_cut_off", "Ollama ended before the download was finished")
                        .hint("try again"));
                }
            };
            if pulled.status != said {
                said.clone_from(&pulled.status);
                line = context.progress.end();
            }
            context.progress.write(line, &words(&pulled));
            let done = pulled.done;
            self.pulls.tell(&context.id, pulled);
            if done {
                return Ok(Run::observed(Observation::text(format!("{model} is downloaded."))));
            }
        }
    }
}

impl ModelPull {
    fn begin(&self, model: &ModelRef) -> Result<PullStream, Failure> {
        let provider = self.models.provider(model).map_err(|error| Failure::from(&error))?;
        provider.pull(&model.name).ok_or_else(|| {
            Failure::new("invalid_args", format!("{} has all its models already", provider.info().name))
                .hint("name an Ollama server first: ollama/qwen3:4b")
        })
    }
}

/// The model that is meant. A name with other characters than names have is none.
fn named(args: &Args) -> Result<ModelRef, Failure> {
    let model: ModelRef = args.model.parse().map_err(|error| Failure::new("invalid_args", format!("{error}")))?;
    let sound = model.name.chars().all(|c| c.is_ascii_alphanumeric() || "._-:/@".contains(c));
    let no_name = || Failure::new("invalid_args", "that is not a model name").hint("such as ollama/qwen3:4b");
    (sound && !model.name.contains("..")).then_some(model).ok_or_else(no_name)
}

/// The host that a model comes from: `hf.co/org/name` names its own.
fn library(name: &str) -> String {
    let host = name.split_once('/').map(|(host, _)| host).filter(|host| host.contains('.'));
    host.unwrap_or(LIBRARY).to_owned()
}

/// One line: what it is doing, and how much of the whole is here.
fn words(pulled: &Pulled) -> String {
    let Pulled { status, total, completed, .. } = pulled;
    match total {
        Some(total @ 1..) => {
            let percent = u128::from(*completed) * 100 / u128::from(*total);
            format!("{status}: {percent} % of {} MB\n", total.div_ceil(1_000_000))
        }
        _ => format!("{status}\n"),
    }
}

fn in_words(model: &ModelRef, error: &ProviderError) -> Failure {
    let detail = error.to_string();
    let says = |words: &[&str]| words.iter().any(|word| detail.contains(word));
    if says(&["file does not exist", "not found", "invalid model name"]) {
        return Failure::new("not_found", format!("{} has no model “{}”", library(&model.name), model.name))
            .hint("the names are at ollama.com/library");
    }
    if says(&["no space left", "not enough space"]) {
        return Failure::new("disk_full", format!("Ollama's disk is too full for {}", model.name))
            .hint("free disk space, delete a model with `ollama rm`, or choose a smaller one");
    }
    if says(&["no such host", "dial tcp", "lookup "]) {
        return Failure::new("unreachable", format!("Ollama can't reach {}", library(&model.name)))
            .hint("check this computer's internet connection");
    }
    Failure::from(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(detail: &str) -> Failure {
        let error = ProviderError::Failed { endpoint: "http://127.0.0.1:1".into(), detail: detail.into() };
        in_words(&"ollama/nobody".parse().unwrap(), &error)
    }

    #[test]
    fn what_went_wrong_is_said_in_words() {
        let unknown = failed("pull model manifest: file does not exist");
        assert_eq!(unknown.message, "registry.ollama.ai has no model “nobody”");
        assert_eq!(failed("write /models/blobs/x: no space left on device").code, "disk_full");
        assert_eq!(failed("Get \"https://x\": dial tcp: lookup x: no such host").code, "unreachable");
        assert_eq!(failed("odd").code, "provider_failed");
    }

    #[test]
    fn how_far_it_is_stands_on_one_line() {
        let pulled = |total| Pulled { status: "pulling x".into(), total, completed: 500_000, done: false };
        assert_eq!(words(&pulled(Some(1_000_001))), "pulling x: 49 % of 2 MB\n");
        assert_eq!(words(&pulled(None)), "pulling x\n");
    }

    #[test]
    fn only_names_of_models_are_passed_on() {
        let named = |model: &str| named(&Args { model: model.to_owned() }).map(|model| model.name);
        assert_eq!(named("ollama/hf.co/org/Model-GGUF:Q4_K_M").unwrap(), "hf.co/org/Model-GGUF:Q4_K_M");
        for wrong in ["qwen3", "ollama/", "ollama/../x", "ollama/a b", "ollama/a\nb"] {
            assert_eq!(named(wrong).unwrap_err().code, "invalid_args", "{wrong}");
        }
        assert_eq!(library("hf.co/org/m"), "hf.co");
        assert_eq!(library("someone/m"), "registry.ollama.ai");
    }
}
