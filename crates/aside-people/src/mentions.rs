//! Who is named with `@` in a text. Pure.

use aside_core::{Person, PersonId};

/// Returns those whose name stands in the text right after an `@`, whatever its case.
pub(crate) fn mentioned(text: &str, people: &[Person]) -> Vec<PersonId> {
    let folded = text.to_lowercase();
    let named = |person: &&Person| names(&folded, &person.name.to_lowercase(), people);
    people.iter().filter(named).map(|person| person.id.clone()).collect()
}

fn names(text: &str, name: &str, people: &[Person]) -> bool {
    text.match_indices('@').any(|(at, _)| {
        let before = text[..at].chars().next_back();
        // An address of mail names nobody.
        !before.is_some_and(char::is_alphanumeric)
            && longest(&text[at + 1..], people).is_some_and(|found| found == name)
    })
}

/// Of two names that fit, the longer is meant: `@Ada Lovelace` is not Ada.
fn longest(text: &str, people: &[Person]) -> Option<String> {
    let fitting = people.iter().map(|person| person.name.to_lowercase()).filter(|name| {
        text.strip_prefix(name.as_str()).is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
    });
    fitting.max_by_key(String::len)
}

#[cfg(test)]
mod tests {
    use aside_core::{Id as _, Timestamp};

    use super::*;

    #[test]
    fn names_are_found_whole_and_in_any_case() {
        let person = |number: u128, name: &str| Person {
            id: PersonId::from_parts(Timestamp(1), number),
            name: name.to_owned(),
            owner: false,
            named: false,
            since: Timestamp(1),
            removed: None,
        };
        let people = [person(1, "Ada"), person(2, "Ada Lovelace"), person(3, "Jörg")];
        let who = |text: &str| {
            let found = mentioned(text, &people);
            people.iter().filter(|person| found.contains(&person.id)).map(|person| &*person.name).collect::<Vec<_>>()
        };
        assert_eq!(who("@ada, look"), ["Ada"]);
        assert_eq!(who("(@Ada Lovelace)"), ["Ada Lovelace"]);
        assert_eq!(who("@Ada Lovelacette and @JÖRG"), ["Ada", "Jörg"]);
        assert!(who("ada, mail x@ada.org, @adam, @").is_empty());
    }
}
