//! Which providers and models are found.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use aside_core::{KeySource, ModelRef};
use aside_llm::{
    Environment, ModelInfo, ModelLists, ModelRequest, ModelStream, Models, Permits, Provider, ProviderError,
    ProviderInfo, ProviderStatus, Said, Script, Secret, Service, first_usable,
};
use aside_testkit::fake_models::{FakeModels, OfferedModel, Wire};
use futures_util::{FutureExt as _, StreamExt as _, future::BoxFuture, future::ready, stream};

use super::bench::{Bench, CANARY, environment, limits, model, nobody_there};

fn offered(name: &str, capabilities: Option<&[&str]>) -> OfferedModel {
    let capabilities = capabilities.map(|list| list.iter().map(|&word| word.to_owned()).collect());
    OfferedModel { name: name.to_owned(), capabilities, context: Some(40_960), max_output: Some(4096) }
}

#[tokio::test]
async fn ollama_is_asked_what_its_models_can_do() {
    let bench = Bench::new(Wire::Ollama).await;
    bench.fake.offer([
        offered("plain:1b", Some(&["completion"])),
        offered("qwen3:8b", Some(&["completion", "tools", "thinking"])),
        offered("nomic-embed", Some(&["embedding"])),
        offered("llama3.1:8b", None),
    ]);
    let status = &bench.models.status().await[0];
    let found: Vec<_> = status.models.iter().map(|model| (model.name.as_str(), model.tools, model.thinking)).collect();
    assert_eq!(
        found,
        [
            ("plain:1b", Some(false), Some(false)),
            ("qwen3:8b", Some(true), Some(true)),
            ("llama3.1:8b", Some(true), None)
        ]
    );
    assert_eq!(status.problem, None);
    assert_eq!(first_usable(std::slice::from_ref(status)).unwrap().to_string(), "ollama/qwen3:8b");

    let asked = bench.fake.requests().len();
    bench.models.status().await;
    assert_eq!(bench.fake.requests().len(), asked + 1, "what is known of a model is not asked again");
    let provider = bench.provider();
    assert_eq!(provider.describe("qwen3:8b").await.unwrap().context, Some(40_960));
}

#[tokio::test]
async fn lists_are_read_from_every_wire() {
    for wire in Wire::ALL {
        let bench = Bench::new(wire).await;
        bench.fake.offer([offered("one", None)]);
        let models = bench.models.fetch(&bench.model().provider).await.unwrap();
        assert_eq!(models.len(), 1);
        assert_eq!((models[0].name.as_str(), models[0].context), ("one", Some(40_960)), "{wire:?}");
    }
}

#[tokio::test]
async fn a_list_of_a_servers_own_form_says_what_is_loaded() {
    let fake = FakeModels::start().await;
    fake.offer([
        offered("qwen3-8b", Some(&["tools"])),
        offered("gemma-3-4b", Some(&["vision"])),
        offered("nomic-embed", Some(&["embedding"])),
    ]);
    let service = Service::new("lmstudio", Some(fake.base_url(Wire::Chat)), None);
    let models = Models::discover(Environment { services: vec![service], ..Environment::default() });
    let found = async || {
        let models = models.fetch("lmstudio").await.unwrap();
        models.into_iter().map(|model| (model.name, model.tools, model.vision, model.context)).collect::<Vec<_>>()
    };
    assert_eq!(found().await.len(), 3, "an older one has only the list of the wire");
    fake.list_in_own_form();
    let both = |name: &str, tools, vision| (name.to_owned(), Some(tools), Some(vision), Some(40_960));
    assert_eq!(found().await, [both("qwen3-8b", true, false), both("gemma-3-4b", false, true)]);
}

/// Lists that are kept in memory.
#[derive(Debug, Default)]
struct Kept(Mutex<BTreeMap<(String, String), Vec<ModelInfo>>>);

impl ModelLists for Kept {
    fn kept(&self, service: &str, host: &str) -> Option<Vec<ModelInfo>> {
        self.0.lock().unwrap().get(&(service.to_owned(), host.to_owned())).cloned()
    }

    fn keep(&self, service: &str, host: &str, models: &[ModelInfo]) {
        self.0.lock().unwrap().insert((service.to_owned(), host.to_owned()), models.to_vec());
    }
}

#[tokio::test]
async fn who_is_elsewhere_is_asked_for_its_models_once_it_may_get_content_and_its_list_is_kept() {
    for wire in [Wire::Ollama, Wire::Chat] {
        let fake = FakeModels::start().await;
        fake.offer([offered("gpt-oss:20b", Some(&["completion", "tools", "thinking"]))]);
        // This machine by an address that does not say so.
        let base = fake.base_url(wire).replace("127.0.0.1", "[::ffff:127.0.0.1]");
        let lists: Arc<dyn ModelLists> = Arc::new(Kept::default());
        let start = || {
            let environment = environment(wire, base.clone(), limits());
            Models::discover(Environment { lists: Some(lists.clone()), ..environment })
        };
        let model = ModelRef { name: "gpt-oss:20b".to_owned(), ..model(wire) };
        let describe = async |models: &Models| {
            models
                .provider(&model)
                .unwrap()
                .describe(&model.name)
                .await
                .map(|model| (model.tools, model.context))
                .unwrap()
        };
        let models = start();
        assert_eq!(describe(&models).await, (None, None), "{wire:?}");
        assert!(fake.requests().is_empty(), "nothing is sent before it may be");
        let provider = models.status().await.into_iter().find(|status| status.info.id == model.provider).unwrap().info;
        let allowed = [(provider.id, provider.host.unwrap())].into();
        let yes = Permits::always(Said { allowed, local_only: false });
        let models = start().permitted_by(yes.clone());
        assert_eq!(describe(&models).await, (Some(true), Some(40_960)), "{wire:?}");
        let asked = fake.requests().len();
        describe(&models).await;
        assert_eq!(fake.requests().len(), asked, "once is enough");

        let named = |statuses: Vec<ProviderStatus>| {
            statuses.into_iter().flat_map(|status| status.models).map(|model| model.tools).collect::<Vec<_>>()
        };
        let restarted = start();
        assert_eq!(named(restarted.status().await), [Some(true)], "{wire:?}");
        assert_eq!(describe(&restarted).await, (Some(true), Some(40_960)), "what was kept is known");
        assert_eq!(fake.requests().len(), asked, "and nobody was asked");
        let off = yes.unless(|| Some("AI is off".to_owned()));
        describe(&start().permitted_by(off)).await;
        assert_eq!(fake.requests().len(), asked);
    }
}

#[tokio::test]
async fn nobody_elsewhere_is_contacted_without_being_asked() {
    let environment = Environment {
        // Reserved addresses: a contact would fail, or take its time.
        ollama_host: Some("192.0.2.1:11434".to_owned()),
        services: vec![
            Service::new("openai", None, Secret::new(CANARY)),
            Service::new("anthropic", Some("https://models.invalid".to_owned()), None),
        ],
        ..Environment::default()
    };
    let models = Models::discover(environment);
    for status in models.status().await.into_iter().filter(|status| status.info.id != "gemini") {
        assert_eq!((status.problem, status.models, status.info.local), (None, vec![], false), "{}", status.info.id);
    }
}

#[tokio::test]
async fn says_what_to_do_about_what_is_missing() {
    let gone = nobody_there();
    let script = Script { name: "demo".to_owned(), ..Script::default() };
    let environment =
        Environment { ollama_host: Some(gone.clone()), rehearsal: Some(script), ..Environment::default() };
    let models = Models::discover(environment);
    let statuses = models.status().await;
    let problems: Vec<_> = statuses.iter().filter_map(|status| status.problem.as_deref()).collect();
    insta::assert_snapshot!("missing", problems.join("\n").replace(&gone, "http://gone"));
    assert_eq!(first_usable(&statuses).unwrap().to_string(), "rehearsal/demo");
    assert!(models.fetch("mistral").await.is_err());
}

#[tokio::test]
async fn a_base_url_that_is_none_is_named_without_its_password() {
    let environment = Environment {
        services: vec![
            Service::new("openai", Some(format!("ftp://user:{CANARY}@models.example")), None),
            Service::new("anthropic", None, Secret::new(format!("{CANARY}\u{7f}"))),
            Service::new("gemini", Some("nowhere".to_owned()), None),
        ],
        ..Environment::default()
    };
    for status in Models::discover(environment).status().await {
        let problem = status.problem.unwrap();
        assert!(problem.contains("cannot use provider") && !problem.contains(CANARY), "{problem}");
    }
}

#[test]
fn a_model_that_answers_from_elsewhere_is_not_chosen_by_itself() {
    let info = aside_llm::ProviderInfo {
        id: "ollama".into(),
        name: "Ollama".into(),
        local: true,
        endpoint: None,
        host: None,
        pulls: true,
    };
    let models = vec![ModelInfo { elsewhere: Some("ollama.com".into()), ..ModelInfo::named("big:cloud") }];
    assert_eq!(
        first_usable(&[aside_llm::ProviderStatus {
            info,
            key: KeySource::None,
            takes_key: false,
            problem: None,
            set_up: true,
            asked: true,
            list_problem: None,
            models
        }]),
        None
    );
}

/// A service elsewhere that names a model, and after that fails.
struct Far(AtomicBool);

impl Provider for Far {
    fn info(&self) -> ProviderInfo {
        let [id, name] = ["far", "Far"].map(str::to_owned);
        ProviderInfo { id, name, local: false, endpoint: None, host: Some("far.example".to_owned()), pulls: false }
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, ProviderError>> {
        let answered = self.0.swap(true, Ordering::Relaxed);
        let failed = || ProviderError::Failed { endpoint: "far.example".to_owned(), detail: "wrong key".to_owned() };
        ready(if answered { Err(failed()) } else { Ok(vec![ModelInfo::named("one")]) }).boxed()
    }

    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelInfo, ProviderError>> {
        ready(Ok(ModelInfo::named(model))).boxed()
    }

    fn stream(&self, _request: ModelRequest) -> ModelStream {
        stream::empty().boxed()
    }
}

#[tokio::test]
async fn a_service_that_gives_no_list_says_why_and_keeps_what_it_named_before() {
    let models = Models::of([Arc::new(Far(AtomicBool::new(false))) as Arc<dyn Provider>]);
    let far = async || models.status().await.remove(0);
    assert_eq!((far().await.asked, far().await.models.len()), (false, 0));
    models.fetch("far").await.unwrap();
    assert_eq!((far().await.asked, far().await.list_problem), (true, None));
    models.fetch("far").await.unwrap_err();
    let told = far().await;
    assert_eq!((told.problem, told.models.len()), (None, 1));
    assert!(told.list_problem.unwrap().contains("wrong key"));
}
