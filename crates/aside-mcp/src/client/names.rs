//! Which action a tool becomes. Pure; the same list always gives the same names, and no two tools one.

use std::collections::BTreeMap;

use aside_core::{ActionName, McpServerName, Sha256};

/// Characters of the last word of an action's name.
const LONGEST: usize = 34;
/// Characters that tell tools apart whose names would be one.
const MARK: usize = 6;

/// Returns the name of each tool's action, in the order of the tools.
pub(crate) fn actions(server: &McpServerName, tools: &[&str]) -> Vec<ActionName> {
    let plain: Vec<_> = tools.iter().map(|tool| word(tool)).collect();
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for word in &plain {
        *times.entry(word.as_str()).or_default() += 1;
    }
    let named = tools.iter().zip(&plain).map(|(tool, word)| {
        let own = tool == word || (times[word.as_str()] == 1 && word.len() <= LONGEST);
        let word = if own && word.len() <= LONGEST { word.clone() } else { marked(word, tool) };
        format!("mcp.{server}.{word}").parse().expect("a server's name and a word make the name of an action")
    });
    named.collect()
}

/// Tells whether an action is a tool of a server.
pub(crate) fn belongs(action: &ActionName, server: &McpServerName) -> bool {
    let tool = action.as_str().strip_prefix("mcp.").and_then(|rest| rest.strip_prefix(server.as_str()));
    tool.is_some_and(|rest| rest.starts_with('.'))
}

/// Lower-case letters, digits and `_`, with a letter first.
fn word(tool: &str) -> String {
    let mut word = String::new();
    for character in tool.chars() {
        match character.to_ascii_lowercase() {
            letter @ ('a'..='z' | '0'..='9') => word.push(letter),
            _ if word.ends_with('_') => {}
            _ => word.push('_'),
        }
    }
    let word = if word == tool { tool } else { word.trim_matches('_') };
    match word.starts_with(|first: char| first.is_ascii_lowercase()) {
        true => word.to_owned(),
        false => format!("tool_{word}").trim_end_matches('_').to_owned(),
    }
}

fn marked(word: &str, tool: &str) -> String {
    let most = LONGEST - MARK - 1;
    let hash = Sha256::of(tool);
    format!("{}_{}", &word[..word.len().min(most)], &hash.as_str()[..MARK])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn names(tools: &[&str]) -> Vec<String> {
        let server = "srv".parse().unwrap();
        actions(&server, tools).iter().map(|name| name.as_str().trim_start_matches("mcp.srv.").to_owned()).collect()
    }

    #[test]
    fn names_stay_readable() {
        assert_eq!(
            names(&["echo", "get-sum", "readFile", "a.b/c", "1st"]),
            ["echo", "get_sum", "readfile", "a_b_c", "tool_1st"]
        );
        assert_eq!(names(&["読む", "…"])[0][..5], *"tool_");
    }

    #[test]
    fn tools_whose_names_would_be_one_are_told_apart() {
        let found = names(&["read_file", "read-file", "Read File"]);
        assert_eq!(found[0], "read_file");
        assert!(found[1].starts_with("read_file_") && found[2].starts_with("read_file_"));
        assert_ne!(found[1], found[2]);
    }

    #[test]
    fn a_tool_of_one_server_is_none_of_another() {
        let name = "mcp.fs.read".parse().unwrap();
        assert!(belongs(&name, &"fs".parse().unwrap()));
        for other in ["f", "fs2", "read"] {
            assert!(!belongs(&name, &other.parse().unwrap()), "{other}");
        }
        assert!(!belongs(&"mcp.add".parse().unwrap(), &"add".parse().unwrap()));
    }

    proptest! {
        #[test]
        fn any_tools_have_names_of_their_own(tools in prop::collection::btree_set(".{1,60}", 1..20)) {
            let tools: Vec<_> = tools.iter().map(String::as_str).collect();
            let server: McpServerName = "a2345678901234567890".parse().unwrap();
            let found = actions(&server, &tools);
            prop_assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), tools.len());
            prop_assert!(found.iter().all(|name| belongs(name, &server) && name.as_str().matches('.').count() == 2));
        }
    }
}
