//! What is found of the services that run models: where they are, their keys, their models, what they may get.

use aside_core::{Consent, KeySource};
use aside_protocol::{KeyStatus, LocalOnly, Models, ProviderStatus};

use super::Check;

/// One line a service that is set up, one for all that could be, and what holds for all of them.
pub(super) fn checks(models: &Models, keys: &[KeyStatus]) -> Vec<Check> {
    let (set_up, others): (Vec<_>, Vec<_>) = models.providers.iter().partition(|one| one.set_up);
    let key = |one: &ProviderStatus| keys.iter().find(|key| key.service == one.id);
    let mut checks: Vec<Check> = set_up.iter().map(|one| service(one, key(one), models.local_only)).collect();
    checks.extend(kept_badly(keys));
    if !others.is_empty() {
        let names: Vec<&str> = others.iter().map(|one| &*one.id).collect();
        let found = format!("nothing is set for {}; `aside models key set SERVICE` sets one up", names.join(", "));
        checks.push(Check::good("services", found));
    }
    checks.push(outside(models));
    checks.push(match &models.chosen {
        Some(model) => Check::good("chosen model", model.to_string()),
        None => Check::look(
            "chosen model",
            "none",
            "start Ollama, or set a key by `aside models key set SERVICE` and choose in the window (Alt-M)",
        ),
    });
    checks
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
            Check::good("model service", found("off, by Local only".to_owned()))
        }
        // An Ollama is looked for where nobody said that there is one.
        (Some(problem), _) if one.id == "ollama" => {
            Check::look("model service", found("it does not answer".to_owned()), problem)
        }
        (Some(problem), _) => Check::broken("model service", found("it can't be used".to_owned()), problem),
        (None, Some(problem)) => Check::broken("model service", found(facts()), problem),
        (None, None) if !one.asked => {
            let todo =
                format!("`aside models list --ask {}` asks for its models; `aside doctor --ask` asks all", one.id);
            Check::look("model service", found(facts()), todo)
        }
        (None, None) if one.models.is_empty() && one.pulls => {
            let todo = format!("`aside models pull {}/qwen3:4b` gets one", one.id);
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
        (false, _) => "not asked for its models yet".to_owned(),
        (true, 1) => "1 model".to_owned(),
        (true, count) => format!("{count} models"),
    }
}

fn consent_words(one: &ProviderStatus) -> Option<String> {
    let host = one.host.as_ref()?;
    Some(match one.consent {
        Consent::Given => format!("what you write may go to {host}"),
        Consent::Needed => format!("you are asked before anything goes to {host}"),
        Consent::NotNeeded => return None,
    })
}

/// Kept keys that can't be had.
fn kept_badly(keys: &[KeyStatus]) -> Vec<Check> {
    let bad = |key: &&KeyStatus| key.key == KeySource::None && key.note.is_some();
    let mut notes: Vec<&str> = keys.iter().filter(bad).filter_map(|key| key.note.as_deref()).collect();
    // A damaged file says the same of each.
    notes.dedup();
    let todo = "mend that, or keep the key again by `aside models key set SERVICE`";
    notes.into_iter().map(|note| Check::broken("kept keys", note, todo)).collect()
}

fn outside(models: &Models) -> Check {
    if let Some(problem) = &models.outside_problem {
        let todo = "mend or take away that file; until then nothing goes to another machine";
        return Check::broken("other machines", problem, todo);
    }
    Check::good(
        "local only",
        match models.local_only {
            LocalOnly { on: false, .. } => "off: other machines are reached where that was allowed",
            LocalOnly { forced: true, .. } => "on, because Aside was started so: no other machine is reached",
            LocalOnly { .. } => "on: no other machine is reached",
        },
    )
}

#[cfg(test)]
mod tests {
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
        assert!(state == State::Look && text.contains("not asked for its models yet"), "{text}");
        assert!(text.contains("key from the environment (LAB_KEY)") && text.contains("you are asked before"), "{text}");
        assert!(text.contains("aside models list --ask lab"), "{text}");
        let (state, text) = said(|one| (one.asked, one.consent) = (true, Consent::Given), KeySource::None);
        assert!(state == State::Good && text.contains("no key; 0 models; what you write may go"), "{text}");
        let (state, text) = said(|one| one.list_problem = Some("wrong key".to_owned()), KeySource::Keyring);
        assert!(state == State::Broken && text.ends_with("-> wrong key") && text.contains("the keyring"), "{text}");
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
