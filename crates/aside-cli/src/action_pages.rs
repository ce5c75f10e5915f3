//! The catalog as Markdown pages: one a noun, and an index.

use std::{collections::BTreeMap, fmt::Write as _};

use aside_core::{ActionExample, Descriptor, UndoSupport};
use serde_json::Value;

/// A page and the name of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    pub file: String,
    pub text: String,
}

/// Returns the pages, the index first.
pub fn pages(descriptors: &[Descriptor]) -> Vec<Page> {
    let mut nouns = BTreeMap::<&str, Vec<&Descriptor>>::new();
    for descriptor in descriptors {
        nouns.entry(descriptor.name.noun()).or_default().push(descriptor);
    }
    let index = Page { file: "README.md".to_owned(), text: index(&nouns) };
    let noun_pages = nouns.iter().map(|(noun, actions)| {
        let sections: Vec<String> = actions.iter().map(|action| section(action)).collect();
        Page { file: format!("{noun}.md"), text: format!("# `{noun}` actions\n\n{}", sections.join("\n")) }
    });
    std::iter::once(index).chain(noun_pages).collect()
}

fn index(nouns: &BTreeMap<&str, Vec<&Descriptor>>) -> String {
    let mut text = "# Actions\n\nEvery change in Aside is made by one of these actions, whether you, the assistant or \
                    another program requests it. Generated from the catalog by `aside actions docs`.\n\n| action | \
                    effect | risks | undo |\n|---|---|---|---|\n"
        .to_owned();
    for (noun, actions) in nouns {
        for Descriptor { name, summary, risks, undo, .. } in actions {
            let anchor = name.as_str().replace('.', "");
            let _ =
                writeln!(text, "| [`{name}`]({noun}.md#{anchor}) | {} | {risks} | {} |", cell(summary), undone(*undo));
        }
    }
    text
}

fn section(action: &Descriptor) -> String {
    let Descriptor { name, summary, description, risks, .. } = action;
    let mut text = format!("## `{name}`\n\n{summary}.\n\n{description}\n\n");
    let _ = writeln!(text, "- Risks: {risks}\n- Grant: {}\n- Undo: {}", action.grant_needed, undone(action.undo));
    for (title, lines) in [("Requires", &action.preconditions), ("Caution", &action.safety)] {
        for line in lines {
            let _ = writeln!(text, "- {title}: {line}");
        }
    }
    text += &phrases(action);
    text + &arguments(&action.args_schema)
        + &action.examples.iter().map(|shown| example(name.as_str(), shown)).collect::<String>()
}

/// The sentences that *Ask Aside* understands, in the notation of the catalog, and the phrases that only help the search.
fn phrases(action: &Descriptor) -> String {
    let takes_nothing = action.args_schema["required"].as_array().is_none_or(Vec::is_empty);
    let is_sentence = |phrase: &&String| takes_nothing || phrase.contains(['{', '=']);
    let (said, searched): (Vec<_>, Vec<_>) = action.phrases.iter().partition(is_sentence);
    let mut text = String::new();
    if !said.is_empty() {
        let lines: String = said.iter().map(|phrase| format!("  - `{phrase}`\n")).collect();
        let _ = write!(text, "- Phrases:\n{lines}");
    }
    if !searched.is_empty() {
        let words: Vec<_> = searched.into_iter().map(String::as_str).collect();
        let _ = writeln!(text, "- Search terms: {}", words.join(", "));
    }
    text
}

fn arguments(schema: &Value) -> String {
    let Some(properties) = schema["properties"].as_object().filter(|properties| !properties.is_empty()) else {
        return "\nThis action takes no arguments.\n".to_owned();
    };
    let required = |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
    let mut text = "\n| argument | type | |\n|---|---|---|\n".to_owned();
    for (name, property) in properties {
        let needed = if required(name) { "" } else { "optional; " };
        let about = cell(property["description"].as_str().unwrap_or_default());
        let _ = writeln!(text, "| `{name}` | {} | {needed}{about} |", type_of(property));
    }
    text
}

/// The type in a word or two: `text`, `list of object`.
fn type_of(schema: &Value) -> String {
    let named = |name: &str| match name {
        "string" => "text".to_owned(),
        "array" => format!("list of {}", type_of(&schema["items"])),
        other => other.to_owned(),
    };
    match &schema["type"] {
        Value::String(name) => named(name),
        Value::Array(names) => {
            let names = names.iter().filter_map(Value::as_str).filter(|name| *name != "null");
            names.map(named).collect::<Vec<_>>().join(" or ")
        }
        _ => match schema.get("enum").or_else(|| schema.get("anyOf")).or_else(|| schema.get("oneOf")) {
            Some(_) => "one of several".to_owned(),
            None => "any".to_owned(),
        },
    }
}

fn example(name: &str, shown: &ActionExample) -> String {
    let args = shown.args.to_string().replace('\'', r"'\''");
    format!("\n{}:\n\n```sh\naside do {name} --args '{args}'\n```\n", shown.title)
}

fn undone(undo: UndoSupport) -> &'static str {
    match undo {
        UndoSupport::NotNeeded => "not needed",
        UndoSupport::Inverse => "yes",
        UndoSupport::None => "no",
    }
}

/// A text within a table.
fn cell(text: &str) -> String {
    text.replace('|', r"\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn types_are_words() {
        assert_eq!(type_of(&json!({ "type": ["integer", "null"] })), "integer");
        assert_eq!(type_of(&json!({ "type": "array", "items": { "type": "string" } })), "list of text");
        assert_eq!(type_of(&json!({ "enum": ["a"] })), "one of several");
    }

    #[test]
    fn a_quote_in_an_example_stays_in_the_shell_word() {
        let shown = ActionExample { title: "Say".to_owned(), args: json!({ "text": "it's" }) };
        assert!(example("a.b", &shown).contains(r#"'{"text":"it'\''s"}'"#));
    }
}
