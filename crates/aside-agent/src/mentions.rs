//! The files that a person names in a message with an `@`: they are shown to the model beside it.

use aside_core::{Focus, FocusScope, ThreadEventBody, WorkspacePath};

/// Files that are shown of one message.
const MOST: usize = 8;

/// Returns the files that a message names, as `@figures/plot.png` or `@"two words.txt"`, in order. What stands without
/// quotes and has no dot and no folder is somebody's name, or code.
pub fn mentioned(text: &str) -> Vec<WorkspacePath> {
    let mut paths: Vec<WorkspacePath> = Vec::new();
    let mut before = ' ';
    for (at, character) in text.char_indices() {
        let begins = character == '@' && (before.is_whitespace() || matches!(before, '(' | '[' | '{' | ','));
        before = character;
        let Some(path) = Some(&text[at..]).filter(|_| begins).and_then(|rest| named(&rest[1..])) else { continue };
        if !paths.contains(&path) && paths.len() < MOST {
            paths.push(path);
        }
    }
    paths
}

/// Returns the files that a message names beside the one that is looked at, which goes along anyway, unless the person
/// chose that no more than a part of it does.
pub fn mentioned_beside(text: &str, looked_at: Option<&Focus>) -> Vec<WorkspacePath> {
    let goes_along = |focus: &Focus| matches!(focus.scope, None | Some(FocusScope::Whole));
    let own = looked_at.filter(|focus| goes_along(focus)).map(|focus| &focus.path);
    mentioned(text).into_iter().filter(|path| Some(path) != own).collect()
}

/// Tells whether a message names what is selected, as `@selection`.
pub fn names_selection(text: &str) -> bool {
    let word = |word: &str| {
        word.trim_matches(|character: char| !character.is_alphanumeric() && character != '@') == "@selection"
    };
    text.split_whitespace().any(word)
}

/// Returns the image that the newest message names and that is shown beside it, if any.
pub fn named_image(log: &[ThreadEventBody]) -> Option<WorkspacePath> {
    let newest = log.iter().rposition(|event| matches!(event, ThreadEventBody::TurnStarted { .. }))?;
    let ThreadEventBody::TurnStarted { text, .. } = &log[newest] else { return None };
    let named = mentioned(text);
    let chips = log[newest..].iter().filter_map(|event| match event {
        ThreadEventBody::ContextSent { chips, .. } => Some(chips),
        _ => None,
    });
    let images = chips.flatten().filter(|chip| chip.image.is_some()).filter_map(|chip| chip.path.clone());
    images.into_iter().find(|path| named.contains(path))
}

fn named(rest: &str) -> Option<WorkspacePath> {
    if let Some(quoted) = rest.strip_prefix('"') {
        return quoted.split_once('"')?.0.parse().ok();
    }
    let mut words = rest.split(|character: char| character.is_whitespace() || "()[]{},\"'`<>".contains(character));
    let name = words.next()?.trim_end_matches(['.', '!', '?', ':', ';']);
    // What begins with a dot is a file too: `.gitignore`.
    let has_ending = name.rsplit_once('.').is_some_and(|(_, ending)| !ending.is_empty());
    (has_ending || name.contains('/')).then(|| name.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(text: &str) -> Vec<String> {
        mentioned(text).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn files_are_named_with_an_at() {
        assert_eq!(names("What is wrong in @figures/plot.png?"), ["figures/plot.png"]);
        assert_eq!(names("(@a.py, @b.py) and @\"two words.txt\". Again @a.py"), ["a.py", "b.py", "two words.txt"]);
    }

    #[test]
    fn what_the_composer_writes_for_a_file_is_read_as_that_file() {
        let cases: Vec<(String, String)> = serde_json::from_str(include_str!("mentions/cases.json")).unwrap();
        for (path, spelled) in cases {
            assert_eq!(names(&format!("Look at {spelled} again.")), [path.as_str()]);
            assert_eq!(names(&format!("({spelled})")), [path]);
        }
    }

    #[test]
    fn the_file_that_is_looked_at_is_named_where_only_a_part_of_it_goes_along() {
        let beside = |scope| {
            let focus = Focus { scope, ..Focus::file("a.py".parse().unwrap()) };
            mentioned_beside("Is @a.py like @b.py?", Some(&focus)).len()
        };
        assert_eq!((beside(None), beside(Some(FocusScope::Whole))), (1, 1));
        for part in [FocusScope::Selection, FocusScope::Cursor, FocusScope::Viewport] {
            assert_eq!(beside(Some(part)), 2, "{part:?}");
        }
        assert_eq!(mentioned_beside("Is @a.py like @b.py?", None).len(), 2);
    }

    #[test]
    fn what_is_selected_is_named_by_a_word_of_its_own() {
        assert!(names_selection("Why does (@selection) fail?") && names_selection("@selection"));
        assert!(!names_selection("@selections and a@selection"));
    }

    #[test]
    fn names_of_people_addresses_and_code_are_no_files() {
        assert_eq!(names("ask @ada or bob@example.com; @property, @"), Vec::<String>::new());
        assert_eq!(names("@../secret.txt @/etc/passwd.txt @\"../secret\" @\"\" @\"open"), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn any_message_is_read(text in "[@\"./ a\u{e9}\\n(]{0,60}") {
            prop_assert!(mentioned(&text).len() <= MOST);
        }
    }
}
