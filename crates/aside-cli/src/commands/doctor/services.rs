//! What is found of the services that run models: where they are, their keys, their models, what they may get.

use aside_core::{Consent, KeySource, ModelRef};
use aside_protocol::{KeyStatus, LocalOnly, ModelStatus, Models, ProviderStatus};

use super::Check;

/// One line a service that is set up, one for all that could be, and what holds for all of them.
pub(super) fn checks(models: &Models, keys: &[KeyStatus]) -> Vec<Check> {
    let (set_up, others): (Vec<_>, Vec<_>) = models.providers.iter().partition(|one| one.set_up);
    let key = |one: &ProviderStatus| keys.iter().find(|key| key.service == one.id);
    let mut checks: Vec<Check> = set_up.iter().map(|one| service(one, key(one), models.local_only)).collect();
    checks.extend(kept_badly(keys));
    if !others.is_empty() {
        let names: Vec<&str> = others.iter().map(|one| &*one.id).collect();
        let found = format!("not set up: {}; set one up with `aside models key set SERVICE`", names.join(", "));
        checks.push(Check::good("services", found));
    }
    checks.push(outside(models));
    checks.push(chosen(models));
    checks
}

/// The model that is used, and whether it can be.
fn chosen(models: &Models) -> Check {
    let Some(model) = &models.chosen else {
        let todo = "start Ollama, or set an API key with `aside models key set SERVICE` and choose a model in the window (Alt-M)";
        return Check::look("chosen model", "none", todo);
    };
    let another = "choose another model in the window (Alt-M), or set that service up again";
    let Some(service) = models.providers.iter().find(|service| service.id == model.provider) else {
        return Check::broken("chosen model", format!("{model}: no service is named {}", model.provider), another);
    };
    match &service.problem {
        Some(_) if service.off && models.local_only.on => {
            let todo = "choose a local model in the window (Alt-M), or turn Local only off";
            Check::look("chosen model", format!("{model}: {} is off because Local only is on", service.name), todo)
        }
        Some(problem) => Check::broken("chosen model", format!("{model}: {} is not usable", service.name), problem),
        // A list of one elsewhere may be old; one of this machine was asked just now.
        None if service.local && !has(service, model) => {
            let found = format!("{model}: {} does not have it", service.name);
            let pull =
                format!("download it with `aside models pull {model}`, or choose another model in the window (Alt-M)");
            Check::broken("chosen model", found, if service.pulls { &pull } else { another })
        }
        None => Check::good("chosen model", model.to_string()),
    }
}

/// Tells whether a service of this machine has a model. Who lists nothing may have it all the same, but for Ollama.
fn has(service: &ProviderStatus, model: &ModelRef) -> bool {
    let latest = format!("{model}:latest");
    let named = |listed: &ModelStatus| listed.model == *model || listed.model.to_string() == latest;
    service.models.iter().any(named) || (service.models.is_empty() && !service.pulls)
}

fn service(one: &ProviderStatus, key: Option<&KeyStatus>, local_only: LocalOnly) -> Check {
    let place = if one.endpoint.is_empty() { String::new() } else { format!(" at {}", one.endpoint) };
    let found = |rest: String| format!("{}{place}: {rest}", one.name);
    let facts = || {
        let key = key.filter(|_| one.takes_key).map(key_words);
        let facts = key.into_iter().chain([models_words(one)]).chain(consent_words(one)).collect::<Vec<_>>();
        facts.join("; ")
    };
    match (&one.problem, &one.list_problem) {
        // Turned off is not broken.
        (Some(_), _) if one.off && local_only.on => {
            Check::good("model service", found("off because Local only is on".to_owned()))
        }
        // An Ollama is looked for where nobody said that there is one.
        (Some(problem), _) if one.id == "ollama" => {
            Check::look("model service", found("no answer".to_owned()), problem)
        }
        (Some(problem), _) => Check::broken("model service", found("not usable".to_owned()), problem),
        (None, Some(problem)) => Check::broken("model service", found(facts()), problem),
        (None, None) if !one.asked => {
            let todo = format!(
                "list its models with `aside models list --ask {}`, or those of all services with `aside doctor --ask`",
                one.id
            );
            Check::look("model service", found(facts()), todo)
        }
        (None, None) if one.models.is_empty() && one.pulls => {
            let todo = format!("download one with `aside models pull {}/qwen3:4b`", one.id);
            Check::look("model service", found(facts()), todo)
        }
        (None, None) => Check::good("model service", found(facts())),
    }
}

/// Where the key is from, and never the key.
fn key_words(key: &KeyStatus) -> String {
    let place = key.place.as_deref().unwrap_or_default();
    match key.key {
        KeySource::None => "no key".to_owned(),
        KeySource::Environment => format!("key from the environment ({place})"),
        KeySource::Keyring => "key from the keyring".to_owned(),
        KeySource::File => format!("key from {place}"),
    }
}

fn models_words(one: &ProviderStatus) -> String {
    match (one.asked, one.models.len()) {
        (false, _) => "models not listed yet".to_owned(),
        (true, 1) => "1 model".to_owned(),
        (true, count) => format!("{count} models"),
    }
}

fn consent_words(one: &ProviderStatus) -> Option<String> {
    let host = one.host.as_ref()?;
    Some(match one.consent {
        Consent::Given => format!("your messages may be sent to {host}"),
        Consent::Needed => format!("you are asked before anything is sent to {host}"),
        Consent::NotNeeded => return None,
    })
}

/// Kept keys that can't be had.
fn kept_badly(keys: &[KeyStatus]) -> Vec<Check> {
    let bad = |key: &&KeyStatus| key.key == KeySource::None && key.note.is_some();
    let mut notes: Vec<&str> = keys.iter().filter(bad).filter_map(|key| key.note.as_deref()).collect();
    // A damaged file says the same of each.
    notes.dedup();
    let todo = "fix that, or store the key again with `aside models key set SERVICE`";
    notes.into_iter().map(|note| Check::broken("stored keys", note, todo)).collect()
}

fn outside(models: &Models) -> Check {
    if let Some(problem) = &models.outside_problem {
        let todo = "fix or delete that file; until then, nothing is sent to other computers";
        return Check::broken("remote services", problem, todo);
    }
    Check::good(
        "local only",
        match models.local_only {
            LocalOnly { on: false, .. } => "off: Aside connects to the services that you allowed",
            LocalOnly { forced: true, .. } => "on, set when Aside was started: no connections to other computers",
            LocalOnly { .. } => "on: no connections to other computers",
        },
    )
}

#[cfg(test)]
mod tests {
    use aside_protocol::OllamaFound;

    use super::*;
    use crate::commands::doctor::State;

    fn provider(change: impl FnOnce(&mut ProviderStatus)) -> ProviderStatus {
        let mut provider = ProviderStatus {
            id: "lab".to_owned(),
            name: "Lab".to_owned(),
            local: false,
            endpoint: "http://10.0.0.5:8000".to_owned(),
            host: Some("10.0.0.5:8000".to_owned()),
            consent: Consent::Needed,
            key: KeySource::None,
            takes_key: true,
            off: false,
            problem: None,
            pulls: false,
            set_up: true,
            asked: false,
            list_problem: None,
            models: Vec::new(),
        };
        change(&mut provider);
        provider
    }

    fn said(change: impl FnOnce(&mut ProviderStatus), key: KeySource) -> (State, String) {
        let place = Some("LAB_KEY".to_owned());
        let key = KeyStatus { service: "lab".to_owned(), name: "Lab".to_owned(), key, place, note: None };
        let check = service(&provider(change), Some(&key), LocalOnly { on: true, forced: false });
        (check.state, format!("{} -> {}", check.found, check.todo.unwrap_or_default()))
    }

    #[test]
    fn a_service_says_its_key_its_models_and_what_it_may_get() {
        let (state, text) = said(|_| {}, KeySource::Environment);
        assert!(state == State::Look && text.contains("models not listed yet"), "{text}");
        assert!(text.contains("key from the environment (LAB_KEY)") && text.contains("you are asked before"), "{text}");
        assert!(text.contains("aside models list --ask lab"), "{text}");
        let (state, text) = said(|one| (one.asked, one.consent) = (true, Consent::Given), KeySource::None);
        assert!(state == State::Good && text.contains("no key; 0 models; your messages may be sent"), "{text}");
        let (state, text) = said(|one| one.list_problem = Some("wrong key".to_owned()), KeySource::Keyring);
        assert!(state == State::Broken && text.ends_with("-> wrong key") && text.contains("the keyring"), "{text}");
    }

    #[test]
    fn a_chosen_model_that_is_not_there_is_broken() {
        let said = |model: &str, change: fn(&mut ProviderStatus)| {
            let listed = ModelStatus {
                model: "lab/here:latest".parse().unwrap(),
                tools: None,
                vision: None,
                thinking: None,
                context: None,
                elsewhere: false,
                host: None,
                consent: Consent::NotNeeded,
                price: None,
            };
            let lab = provider(|lab| {
                (lab.local, lab.asked, lab.pulls, lab.models) = (true, true, true, vec![listed]);
                change(lab);
            });
            let check = chosen(&Models {
                providers: vec![lab],
                chosen: Some(model.parse().unwrap()),
                ollama: OllamaFound::NotInstalled,
                local_only: LocalOnly { on: true, forced: false },
                outside_problem: None,
            });
            (check.state, format!("{} -> {}", check.found, check.todo.unwrap_or_default()))
        };
        let broken = |(state, text): (State, String), words: &str| {
            assert!(state == State::Broken && text.contains(words), "{state:?} {text}");
        };
        for there in ["lab/here", "lab/here:latest"] {
            assert_eq!(said(there, |_| ()).0, State::Good, "{there}");
        }
        broken(said("lab/gone", |_| ()), "Lab does not have it -> download it with `aside models pull lab/gone`");
        broken(said("lab/gone", |lab| lab.models.clear()), "does not have it");
        broken(said("openai/gpt-4o", |_| ()), "no service is named openai");
        broken(said("lab/here", |lab| lab.problem = Some("No key is set.".to_owned())), "not usable -> No key is set.");
        // One elsewhere, or one that has no list, may have it all the same.
        assert_eq!(said("lab/gone", |lab| lab.local = false).0, State::Good);
        assert_eq!(said("lab/gone", |lab| (lab.models, lab.pulls) = (Vec::new(), false)).0, State::Good);
        let off = said("lab/gone", |lab| (lab.off, lab.problem) = (true, Some("Local only is on".to_owned())));
        assert_eq!(off.0, State::Look, "{}", off.1);
    }

    #[test]
    fn what_is_turned_off_or_only_looked_for_is_not_broken() {
        let problem = || Some("nobody answers".to_owned());
        assert_eq!(said(|one| one.problem = problem(), KeySource::File).0, State::Broken);
        assert_eq!(said(|one| (one.problem, one.off) = (problem(), true), KeySource::File).0, State::Good);
        let ollama = |one: &mut ProviderStatus| (one.id, one.problem) = ("ollama".to_owned(), problem());
        assert_eq!(said(ollama, KeySource::None).0, State::Look);
    }
}
