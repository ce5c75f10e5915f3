//! The actions that a conversation has found in the catalog, with their arguments: folded from the thread's log. The Navigator
//! may run these, so that it never guesses the arguments of an action.

use std::collections::BTreeSet;

use aside_core::{Outcome, ThreadEventBody};
use serde_json::Value;

/// Returns the names of the actions that were described, or found with all their arguments.
pub fn known_actions(log: &[ThreadEventBody]) -> BTreeSet<&str> {
    let found = log.iter().filter_map(|event| match event {
        ThreadEventBody::ActionChanged { record } => match &record.outcome {
            Some(Outcome::Done { observation }) => Some((record.envelope.action_type.as_str(), &observation.data)),
            _ => None,
        },
        _ => None,
    });
    let mut names = BTreeSet::new();
    for (action, data) in found {
        match action {
            "catalog.describe" => names.extend(data["name"].as_str()),
            "catalog.search" => names.extend(found_whole(data)),
            _ => {}
        }
    }
    names
}

fn found_whole(data: &Value) -> impl Iterator<Item = &str> {
    let found = data["actions"].as_array().into_iter().flatten();
    found.filter(|found| found["arguments"].is_string()).filter_map(|found| found["name"].as_str())
}

#[cfg(test)]
mod tests {
    use aside_core::{ActionState, Observation};
    use serde_json::json;

    use super::*;
    use crate::testing::record;

    fn done(action: &str, data: Value) -> ThreadEventBody {
        let mut record = record(1, "a", ActionState::Done);
        record.envelope.action_type = action.parse().unwrap();
        record.outcome = Some(Outcome::Done { observation: Observation::with("", data) });
        ThreadEventBody::ActionChanged { record: Box::new(record) }
    }

    #[test]
    fn action_without_arguments_is_not_looked_up() {
        let found = json!({ "actions": [{ "name": "file.move", "arguments": "from, to" }, { "name": "doc.edit" }] });
        let log = [
            done("catalog.search", found),
            done("catalog.describe", json!({ "name": "ui.open" })),
            done("file.read", json!({ "name": "file.delete" })),
        ];
        assert_eq!(known_actions(&log).into_iter().collect::<Vec<_>>(), ["file.move", "ui.open"]);
    }
}
