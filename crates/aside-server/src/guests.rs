//! The actions by which the owner lets guests in and sends them away: through the Gate, which asks first and keeps a record.

mod invite;
mod remove;

use std::sync::Arc;

use aside_core::{ChangeRow, Failure, ObjectRef, Origin, Person};
use aside_gate::{Handler, handler};
use aside_people::People;

/// Returns both.
pub fn actions(people: &People) -> [Arc<dyn Handler>; 2] {
    [handler(invite::Invite { people: people.clone() }), handler(remove::Remove { people: people.clone() })]
}

/// The abilities of every guest, as a person reads them.
const ABILITIES: [(&str, &str); 3] = [
    ("can read", "every file of this folder that is not private, and the outputs of notebooks"),
    ("can change", "the text of these files, at once and without a question; and write in the chats"),
    ("cannot", "run code or commands, use models, answer approval requests or change settings"),
];

/// Shows what changes for somebody who comes in or goes.
fn rows(name: &str, comes: bool) -> Vec<ChangeRow> {
    let row = |(what, words): (&str, &str)| {
        let (object, words) = (format!("{name} {what}"), Some(words.to_owned()));
        let (before, after) = if comes { (None, words) } else { (words, None) };
        ChangeRow { object, before, after }
    };
    let link = ("comes in with", "a personal link; whoever has it acts as this guest until you remove them");
    ABILITIES.into_iter().chain([link]).map(row).collect()
}

fn object(person: &Person) -> ObjectRef {
    ObjectRef { kind: "person".to_owned(), id: person.id.to_string() }
}

fn check_person(origin: &Origin) -> Result<(), Failure> {
    match origin.is_person() {
        true => Ok(()),
        false => Err(Failure::new("person_only", "only the user can let guests in or send them away")),
    }
}
