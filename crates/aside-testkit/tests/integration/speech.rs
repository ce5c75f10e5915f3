//! Spoken words to text: the form on the wire, and the consent and limits of any model.
#![allow(clippy::disallowed_methods, reason = "tests prepare the person's files")]

use std::sync::Arc;

use aside_agent::{LONGEST_SPENDING_FILE, Spending, Spoken, transcribe};
use aside_core::Failure;
use aside_llm::{Environment, Models, Permits, Recording, Said, Service};
use aside_store::{Store, StoreOptions, TextFile};
use aside_testkit::fake_models::{Answer, Counts, FakeModels, Reply, Wire};
use serde_json::json;

struct Scene {
    fake: FakeModels,
    models: Models,
    spending: Arc<Spending>,
    folder: tempfile::TempDir,
}

impl Scene {
    /// `base` makes the address of the service of the fake.
    async fn with(base: impl Fn(&FakeModels) -> String, said: Said) -> Self {
        let fake = FakeModels::start().await;
        let services = vec![Service::new("openai", Some(base(&fake)), None)];
        let models = Models::discover(Environment { services, ..Environment::default() });
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::system()).unwrap();
        let models = models.permitted_by(Permits::always(said));
        Self { fake, models, spending: Spending::new(store), folder }
    }

    async fn here() -> Self {
        Self::with(|fake| fake.base_url(Wire::Chat), Said::default()).await
    }

    /// Not loopback for Aside, and yet this machine.
    async fn elsewhere(said: Said) -> Self {
        Self::with(|fake| fake.base_url(Wire::Chat).replace("127.0.0.1", "[::ffff:127.0.0.1]"), said).await
    }

    fn allowed(&self) -> Said {
        let (_, provider) = self.models.transcriber().unwrap();
        let host = provider.info().host.unwrap();
        Said { local_only: false, allowed: [("openai".to_owned(), host)].into() }
    }

    async fn ask(&self) -> Result<Spoken, Failure> {
        let recording = Recording {
            bytes: vec![7; 4_000].into(),
            media_type: "audio/webm;codecs=opus".to_owned(),
            language: Some("en".to_owned()),
        };
        transcribe(&self.models, &self.spending, recording).await
    }
}

#[tokio::test]
async fn recording_goes_as_form_and_returns_words() {
    let scene = Scene::here().await;
    scene.fake.play(Reply::answer(Answer::text(" open the plan ")));
    let spoken = scene.ask().await.unwrap();
    assert_eq!((&*spoken.text, &*spoken.model.to_string()), ("open the plan", "openai/whisper-1"));
    assert_eq!(spoken.cost.local, 1);
    let requests = scene.fake.requests();
    let [request] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!(request.path, "/v1/audio/transcriptions");
    let file = json!({ "filename": "speech.webm", "type": "audio/webm", "bytes": 4_000 });
    let form = json!({ "model": "whisper-1", "response_format": "json", "language": "en", "file": file });
    assert_eq!(request.body, form);
}

#[tokio::test]
async fn nothing_is_sent_elsewhere_without_consent() {
    let scene = Scene::elsewhere(Said::default()).await;
    assert_eq!(scene.ask().await.unwrap_err().code, "needs_consent");
    let local_only = Scene::elsewhere(Said { local_only: true, ..scene.allowed() }).await;
    assert_eq!(local_only.ask().await.unwrap_err().code, "local_only");
    assert!(scene.fake.requests().is_empty() && local_only.fake.requests().is_empty());
    assert!(scene.spending.calls().unwrap().is_empty(), "a call that was not made is not in the account");
}

#[tokio::test]
async fn unpriced_model_is_refused_under_a_limit() {
    let scene = Scene::elsewhere(Said::default()).await;
    let said = scene.allowed();
    let scene = Scene { models: scene.models.permitted_by(Permits::always(said)), ..scene };
    let file = TextFile::new(scene.folder.path().join("spending.toml"), LONGEST_SPENDING_FILE);
    file.change(|_| Ok::<_, std::io::Error>("[limits]\nday = 0.000001\n".to_owned())).unwrap();
    scene.spending.follow(file);
    scene.fake.otherwise(Reply::answer(Answer { counts: Some(Counts::default()), ..Answer::text("words") }));
    let refused = scene.ask().await.unwrap_err();
    assert!(refused.message.contains("limit"), "{refused:?}");
    assert!(scene.fake.requests().is_empty());
}

#[tokio::test]
async fn refusal_of_the_service_is_told() {
    let scene = Scene::here().await;
    scene.fake.play(Reply::Status { status: 404, retry_after: None, message: "no model whisper-1".to_owned() });
    let failure = scene.ask().await.unwrap_err();
    assert_eq!(failure.code, "provider_refused");
    assert!(failure.message.contains("no model whisper-1"), "{failure:?}");
    scene.fake.play(Reply::Other { kind: "application/json".to_owned(), body: "{\"words\": 1}".to_owned() });
    assert_eq!(scene.ask().await.unwrap_err().code, "provider_not_understood");
}
