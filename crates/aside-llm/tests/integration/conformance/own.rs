//! Services of a person's own are found, listed and called like those that are built in, whatever they speak.

use aside_core::Consent;
use aside_llm::{Environment, Models, Said, Service};
use aside_testkit::fake_models::{Answer, FakeModels, OfferedModel, Part, Reply, Wire};
use futures_util::StreamExt as _;

use super::bench::{CANARY, hello, limits, transcript};

fn api(wire: Wire) -> &'static str {
    match wire {
        Wire::Ollama => "ollama",
        Wire::Chat => "chat",
        Wire::Responses => "responses",
        Wire::Anthropic => "anthropic",
        Wire::Gemini => "gemini",
    }
}

fn models(text: &str) -> Models {
    let services = Service::own(text, |_| Some(CANARY.to_owned())).unwrap();
    Models::discover(Environment { services, limits: limits(), ..Environment::default() })
}

#[tokio::test]
async fn every_api_is_listed_and_called_with_its_key() {
    for wire in Wire::ALL {
        let fake = FakeModels::start().await;
        let offered = |name: &str| OfferedModel {
            name: name.to_owned(),
            capabilities: None,
            context: Some(40_960),
            max_output: None,
        };
        fake.offer([offered("fake"), offered("other")]);
        let models = models(&format!(
            "[services.lab]\nname = \"The lab\"\nbase_url = \"{}\"\napi = \"{}\"\nkey_env = \"LAB_KEY\"\ncontext = {{ fake = 1234 }}\nwindow = 4096\n",
            fake.base_url(wire),
            api(wire)
        ));
        let statuses = models.status().await;
        let lab = statuses.iter().find(|status| status.info.id == "lab").unwrap();
        assert_eq!((&*lab.info.name, lab.info.local, lab.takes_key, &lab.problem), ("The lab", true, true, &None));
        let found: Vec<_> = lab.models.iter().map(|model| (&*model.name, model.context)).collect();
        assert_eq!(found, [("fake", Some(1234)), ("other", Some(40_960))], "{wire:?}");

        let provider = models.provider(&"lab/fake".parse().unwrap()).unwrap();
        assert_eq!(provider.window(), Some(4096), "{wire:?}");
        assert_eq!(provider.describe("fake").await.unwrap().context, Some(1234), "{wire:?}");
        fake.play(Reply::answer(Answer::default().with(Part::Text("hi from the lab".to_owned()))));
        let events: Vec<_> = provider.stream(hello()).collect().await;
        assert!(transcript(&events).contains("hi from the lab"), "{wire:?}: {}", transcript(&events));
        fake.play(Reply::Status { status: 401, retry_after: None, message: "wrong key".to_owned() });
        let refused = transcript(&provider.stream(hello()).collect::<Vec<_>>().await);
        assert!(refused.contains("aside models key set lab") && !refused.contains(CANARY), "{refused}");
    }
}

#[tokio::test]
async fn nothing_goes_to_one_elsewhere_that_was_not_allowed() {
    for wire in Wire::ALL {
        // A reserved address: a contact would fail otherwise, or take its time.
        let text = format!("[services.lab]\nbase_url = \"http://192.0.2.1:8000\"\napi = \"{}\"\n", api(wire));
        let models = models(&text);
        let statuses = models.status().await;
        let lab = statuses.iter().find(|status| status.info.id == "lab").unwrap();
        let host = lab.info.host.as_deref();
        assert_eq!((host, Said::default().consent("lab", host)), (Some("192.0.2.1:8000"), Consent::Needed));
        assert!(lab.models.is_empty() && lab.problem.is_none());
        let provider = models.provider(&"lab/fake".parse().unwrap()).unwrap();
        let events = transcript(&provider.stream(hello()).collect::<Vec<_>>().await);
        assert!(events.contains("nothing was sent: sending content to 192.0.2.1:8000"), "{events}");
    }
}

#[tokio::test]
async fn a_mistake_in_the_file_leaves_all_others() {
    let own_problem = Some("/home/ada/services.toml, line 2: no URL".to_owned());
    let fake = FakeModels::start().await;
    let models = Models::discover(Environment { ollama_host: Some(fake.url()), own_problem, ..Environment::default() });
    let statuses = models.status().await;
    assert_eq!((&*statuses[0].info.id, &statuses[0].problem), ("ollama", &None));
    let own = statuses.iter().find(|status| status.info.id == "services.toml").unwrap();
    let problem = own.problem.as_deref().unwrap();
    assert!(problem.contains("/home/ada/services.toml, line 2") && problem.contains("Fix"), "{problem}");
}
