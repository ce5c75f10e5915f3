//! The first look at a request: is there such an action, and do the arguments fit its schema.

use std::sync::Arc;

use aside_core::{ActionRequest, Failure, RefusedBy};
use serde_json::{Map, Value, json};

use crate::{Catalog, Handler, Query, catalog::Entry, lenient::read_args};

/// How many problems of one request are listed.
const PROBLEMS: usize = 20;

/// The longest idempotency key.
const KEY: usize = 200;

/// A no, with who said it and the rule.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) by: RefusedBy,
    pub(crate) rule: String,
    pub(crate) failure: Failure,
}

impl Refusal {
    pub(crate) fn request(rule: &str, failure: Failure) -> Box<Self> {
        Box::new(Self { by: RefusedBy::Request, rule: rule.to_owned(), failure })
    }
}

/// How arguments are read that don't fit the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgsReading {
    /// A clear meaning counts: `"7"` for a number.
    Lenient,
    /// As they are, for programs with types.
    Strict,
}

/// Returns the handler and the arguments, with the target among them.
pub(crate) fn intake(
    catalog: &Catalog,
    request: &ActionRequest,
    reading: ArgsReading,
) -> Result<(Arc<dyn Handler>, Value), Box<Refusal>> {
    let entry = lookup(catalog, request)?;
    let args = merged(request, &entry.handler.descriptor().args_schema, reading)?;
    check_key(request)?;
    check_args(&entry, request, &args)?;
    Ok((entry.handler, args))
}

impl Catalog {
    /// Returns the arguments with which a request is taken in, its target among them, or why it is refused at the first
    /// look. Whether it may run is for the Gate to say.
    pub fn taken_in(&self, request: &ActionRequest) -> Result<Value, Failure> {
        intake(self, request, ArgsReading::Lenient).map(|(_, args)| args).map_err(|refusal| refusal.failure)
    }
}

fn lookup(catalog: &Catalog, request: &ActionRequest) -> Result<Entry, Box<Refusal>> {
    let name = &request.action_type;
    catalog.entry(name).ok_or_else(|| {
        let failure = Failure::new("unknown_action", format!("there is no action `{name}`"));
        // Both words of a name say something, also where one is misspelt.
        let words = name.as_str().replace('.', " ");
        let mut found = catalog.search(&Query::words(&words, MOST_SIMILAR));
        found.sort_by_key(|found| std::cmp::Reverse(shared(name.as_str(), found.name.as_str())));
        let similar: Vec<_> = found.iter().take(3).map(|found| format!("`{}`", found.name)).collect();
        let hint = match similar.is_empty() {
            true => "search for actions with `catalog.search`".to_owned(),
            false => format!("similar: {}", similar.join(", ")),
        };
        Refusal::request("request/unknown-action", failure.hint(hint))
    })
}

/// How many actions are looked at for a name that is close to one that is not there.
const MOST_SIMILAR: usize = 30;

/// How far two names begin alike; fewer letters than most nouns have say nothing.
fn shared(one: &str, other: &str) -> usize {
    let alike = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    if alike < 4 { 0 } else { alike }
}

fn merged(request: &ActionRequest, schema: &Value, reading: ArgsReading) -> Result<Value, Box<Refusal>> {
    let read = match reading {
        ArgsReading::Lenient => read_args(&request.args, schema),
        ArgsReading::Strict => request.args.clone(),
    };
    let mut args = match read {
        Value::Null => Map::new(),
        Value::Object(args) => args,
        _ => return Err(refused("the arguments must be an object")),
    };
    for (name, value) in &request.target {
        match args.get(name) {
            Some(given) if given.as_str() != Some(value) => {
                return Err(refused(&format!("target and arguments differ in `{name}`")));
            }
            _ => _ = args.insert(name.clone(), Value::String(value.clone())),
        }
    }
    Ok(Value::Object(args))
}

fn check_key(request: &ActionRequest) -> Result<(), Box<Refusal>> {
    match &request.idempotency_key {
        Some(key) if key.is_empty() || key.len() > KEY => {
            Err(refused(&format!("an idempotency key has 1 to {KEY} bytes")))
        }
        _ => Ok(()),
    }
}

fn check_args(entry: &Entry, request: &ActionRequest, args: &Value) -> Result<(), Box<Refusal>> {
    let validator = entry.validator().map_err(|error| refused(&error.to_string()))?;
    let problems: Vec<_> = validator
        .iter_errors(args)
        .take(PROBLEMS)
        .map(|error| (error.instance_path().to_string(), error.masked().to_string()))
        .collect();
    if problems.is_empty() {
        return Ok(());
    }
    let line = |(path, problem): &(String, String)| match path.is_empty() {
        true => problem.clone(),
        false => format!("at `{path}`: {problem}"),
    };
    let lines: Vec<_> = problems.iter().map(line).collect();
    let data: Vec<_> = problems.iter().map(|(path, problem)| json!({ "path": path, "problem": problem })).collect();
    let message = format!("the arguments of {} are invalid: {}", request.action_type, lines.join("; "));
    let failure = Failure::new("invalid_args", message)
        .hint("`catalog.describe` shows the schema and an example")
        .data(json!({ "problems": data }));
    Err(Refusal::request("request/schema", failure))
}

fn refused(message: &str) -> Box<Refusal> {
    Refusal::request("request/schema", Failure::new("invalid_args", message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{catalog, request};

    fn refusal(request: &ActionRequest) -> Failure {
        intake(&catalog(), request, ArgsReading::Lenient).err().expect("it is refused").failure
    }

    #[test]
    fn every_problem_is_listed_with_its_place() {
        let failure = refusal(&request("text.replace", json!({ "from": [7], "more": true })));
        assert_eq!(failure.code, "invalid_args");
        let problems = failure.data["problems"].as_array().unwrap();
        assert_eq!(problems.len(), 3, "{failure:?}");
        assert!(problems.iter().any(|problem| problem["path"] == "/from"));
        assert!(failure.message.contains("`more`") || failure.message.contains("more"), "{}", failure.message);
        assert!(!failure.message.contains("``"), "{}", failure.message);
    }

    #[test]
    fn arguments_are_read_leniently_before_the_schema() {
        let taken = |args: Value| {
            intake(&catalog(), &request("text.replace", args), ArgsReading::Lenient).map(|(_, args)| args).unwrap()
        };
        assert_eq!(taken(json!({ "from": 7, "to": "b" })), json!({ "from": "7", "to": "b" }));
        assert_eq!(taken(json!(r#"{"from": "a", "to": "b"}"#)), json!({ "from": "a", "to": "b" }));
    }

    #[test]
    fn arguments_cannot_carry_a_risk_or_a_confirmation() {
        let args = json!({ "from": "a", "to": "b", "requires_confirmation": false, "risk_level": ["read"] });
        assert_eq!(refusal(&request("text.replace", args)).code, "invalid_args");
    }

    #[test]
    fn a_target_is_an_argument() {
        let mut wanted = request("text.replace", json!({ "to": "b" }));
        wanted.target.insert("from".to_owned(), "a".to_owned());
        assert_eq!(intake(&catalog(), &wanted, ArgsReading::Lenient).unwrap().1, json!({ "from": "a", "to": "b" }));
        wanted.args = json!({ "from": "other", "to": "b" });
        assert!(refusal(&wanted).message.contains("differ"));
    }

    #[test]
    fn an_unknown_action_names_similar_ones() {
        let failure = refusal(&request("text.replaces", json!({})));
        assert_eq!(failure.code, "unknown_action");
        assert!(failure.hint.unwrap().starts_with("similar: `text.replace`"));
        assert!(refusal(&request("text.swap", json!({}))).hint.unwrap().contains("text.replace"));
    }

    #[test]
    fn secret_values_stay_out_of_the_message() {
        let failure = refusal(&request("text.replace", json!({ "from": ["hunter2"], "to": "b" })));
        assert!(!failure.message.contains("hunter2"), "{}", failure.message);
    }
}
