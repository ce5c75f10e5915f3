//! One suite over all that make vectors: a model folder, Ollama, and services that speak OpenAI's wire.

use std::{collections::BTreeSet, sync::Arc};

use aside_core::ModelRef;
use aside_embed::{Embedder, LocalModel};
use aside_llm::{Environment, Models, Permits, Said, Service, ServiceEmbedder};
use aside_testkit::fake_models::{FakeModels, Wire};
use tokio::runtime::Handle;

#[path = "../../../../aside-embed/src/tiny.rs"]
mod tiny;

const TEXTS: [&str; 4] = ["The tide is high", "潮汐 ❤\u{fe0f} e\u{301}té", "low water", "x"];

async fn all(fake: &FakeModels) -> Vec<Arc<dyn Embedder>> {
    let services = vec![Service::new("openai", Some(fake.base_url(Wire::Chat)), None)];
    let environment = Environment { services, ollama_host: Some(fake.url()), ..Environment::default() };
    let models = Arc::new(Models::discover(environment).permitted_by(Permits::always(Said::default())));
    let service = |provider: &str| -> Arc<dyn Embedder> {
        let model = ModelRef { provider: provider.to_owned(), name: "m".to_owned() };
        Arc::new(ServiceEmbedder::new(models.clone(), model, Handle::current()))
    };
    let local = LocalModel::of_bytes("tiny", tiny::CONFIG.as_bytes(), tiny::VOCABULARY.as_bytes(), tiny::weights());
    vec![Arc::new(local.unwrap()), service("ollama"), service("openai")]
}

/// Holds for every model, wherever it runs.
fn conforms(model: &dyn Embedder) {
    let id = model.id();
    assert!(!id.is_empty() && model.batch() > 0);
    let together = model.passages(&TEXTS).unwrap();
    assert_eq!(together.len(), TEXTS.len(), "{id}");
    for (text, vector) in TEXTS.iter().zip(&together) {
        let alone = model.passages(&[text]).unwrap().remove(0);
        assert!(near(&alone, vector), "{id}: {text} has another vector beside others");
        assert!(near(&model.query(text).unwrap(), vector), "{id}: no words stand in front of a search here");
        assert_eq!(vector.len(), together[0].len(), "{id}");
        assert!((vector.iter().map(|number| number * number).sum::<f32>() - 1.0).abs() < 1e-4, "{id}: {text}");
    }
    assert!(!near(&together[0], &together[2]), "{id}: other texts have other vectors");
    assert!(model.passages(&[]).unwrap().is_empty(), "{id}");
    let long = "tide ".repeat(20_000);
    assert_eq!(model.passages(&[&long, ""]).unwrap().len(), 2, "{id}: a long text and an empty one");
}

fn near(one: &[f32], other: &[f32]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-4)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_embedder_conforms() {
    let fake = FakeModels::start().await;
    let models = all(&fake).await;
    let ids = models.iter().map(|model| model.id().to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(ids.len(), models.len(), "vectors of two models don't mix");
    for model in models {
        tokio::task::spawn_blocking(move || conforms(&*model)).await.unwrap();
    }
}
