//! Any text in any situation has a route, and a route names only actions of the grammar.
#![allow(clippy::disallowed_methods, reason = "reads the catalog")]

use std::sync::LazyLock;

use aside_core::Descriptor;
use aside_route::{Grammar, Route, SeenFile, Situation, route};
use proptest::prelude::*;

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| {
    let catalog: Vec<Descriptor> = serde_json::from_str(include_str!("catalog.json")).unwrap();
    Grammar::new(&catalog).unwrap()
});

fn situation(name: &str) -> Situation {
    let file = |path: &str| SeenFile { path: path.to_owned(), mtime: String::new() };
    Situation { files: vec![file(name), file("a/b.md")], folders: vec!["a".to_owned()], ..Situation::default() }
}

/// Words of commands in any order, with marks and a name.
fn sentence() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "open", "close", "delete", "rename", "move", "to", "and", "all", "tabs", "the", "it", "cell", "3", "run", "\"",
        "'", "`", ",", ".", "?", "b.md", "a/", "关闭", "を", "l'", "don't", "please", "can you", "-", "in", "line",
        "😀", "\u{301}", "\n",
    ]);
    prop::collection::vec(words, 0..14).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn any_text_has_a_route(text in "\\PC{0,200}", name in "\\PC{0,20}") {
        route(&text, &situation(&name), &GRAMMAR);
    }

    #[test]
    fn any_sentence_has_a_route(text in sentence(), name in "[a-z .\"]{0,8}") {
        route(&text, &situation(&name), &GRAMMAR);
    }

    #[test]
    fn negated_commands_are_never_taken(text in sentence()) {
        let found = route(&format!("do not {text}"), &situation("b.md"), &GRAMMAR);
        let is_label = matches!(&found, Route::Action(action) if action.action_type.as_str() == "file.label");
        prop_assert!(found == Route::Model || is_label, "{found:?}");
    }
}
