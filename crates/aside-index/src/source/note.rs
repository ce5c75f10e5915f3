//! A note as a document of the index.

use std::collections::HashMap;

use aside_core::WorkspacePath;
use aside_notes::{Flavour, parse_text};
use aside_search::{Chunk, Document, markdown, text::fold};
use aside_workspace::Workspace;

/// Folders that are known to be the top of a Logseq graph, or not; `""` for the workspace's.
pub(crate) type Graphs = HashMap<String, bool>;

/// Fills in a note's title, tags, day, todos and pieces.
pub(super) fn filled(
    workspace: &Workspace,
    graphs: &mut Graphs,
    path: &WorkspacePath,
    text: &str,
    document: Document,
) -> Document {
    let note = parse_text(path, text, flavour(workspace, graphs, path));
    let chunks = markdown(text);
    Document {
        title: title_as_heading(note.title.clone(), &chunks),
        tags: note.tag_names().into_iter().map(fold).collect(),
        day: note.date.map_or(document.day, super::number),
        has_todo: !note.todos.is_empty(),
        chunks,
        ..document
    }
}

/// The heading that gives a note its title, as its pieces have it: without the signs of Markdown.
fn title_as_heading(title: String, chunks: &[Chunk]) -> String {
    let first = chunks.iter().find_map(|chunk| chunk.headings.first()).filter(|first| !first.is_empty());
    match first {
        Some(first) if title.replace(['`', '*'], "").starts_with(first.as_str()) => first.clone(),
        _ => title,
    }
}

/// Rules of Logseq hold below a folder with `logseq/config.edn`.
fn flavour(workspace: &Workspace, graphs: &mut Graphs, path: &WorkspacePath) -> Flavour {
    let above = std::iter::successors(path.parent(), WorkspacePath::parent).map(|folder| format!("{folder}/"));
    let is_graph = |folder: String| {
        *graphs.entry(folder).or_insert_with_key(|folder| {
            let config = WorkspacePath::new(&format!("{folder}logseq/config.edn"));
            let entry = config.ok().and_then(|config| workspace.confine(&config).ok()?.entry().ok()?);
            entry.is_some()
        })
    };
    if above.chain([String::new()]).any(is_graph) { Flavour::Logseq } else { Flavour::Markdown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_has_no_signs_of_its_heading() {
        let chunks = markdown("# The `Tide` {#id}\n\nmoon\n\n## Neap\n\nlow\n");
        assert_eq!(title_as_heading("The `Tide` {#id}".to_owned(), &chunks), "The Tide");
        assert_eq!(title_as_heading("Tides".to_owned(), &chunks), "Tides");
    }
}
