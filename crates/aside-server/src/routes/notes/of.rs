//! One note as the page shows it.

use std::sync::Arc;

use aside_core::WorkspacePath;
use aside_notes::{LinkFacts, MentionSearch, Note, Vault, parse_text};
use aside_protocol::{LinkPlace, NoteView};
use aside_workspace::{Workspace, WorkspaceError};

use super::{around::line_at, rows};

/// Most items of each list of an answer.
const MOST: usize = 2_000;
const MOST_PLACES: usize = 500;
const MOST_MENTIONS: usize = 100;
/// Bytes that a search for mentions reads.
const MOST_SEARCHED: usize = 64_000_000;

/// Returns a note, as it is in open editors now.
pub(super) fn view(
    workspace: &Arc<Workspace>,
    path: &WorkspacePath,
    with_mentions: bool,
    complete: bool,
) -> Result<NoteView, WorkspaceError> {
    let (note, text) = workspace.fresh_note(path)?;
    let (vault, text) = (workspace.notes().vault(), text.unwrap_or_default());
    let links = note.links.iter().map(|link| LinkFacts::of(&vault, &note, &text, link));
    let backlinks = vault.backlinks(path);
    let left_out = [note.todos.len(), note.links.len(), note.headings.len()].map(|count| count.saturating_sub(MOST));
    let left_out = left_out.iter().sum::<usize>() + backlinks.len().saturating_sub(MOST_PLACES);
    Ok(NoteView {
        path: path.clone(),
        title: note.title.clone(),
        aliases: note.aliases.clone(),
        tags: note.tag_names().into_iter().map(str::to_owned).collect(),
        daily: note.daily.map(|day| day.to_string()),
        headings: note.headings.iter().take(MOST).map(rows::heading).collect(),
        todos: note.todos.iter().take(MOST).map(|todo| rows::todo(&note, todo)).collect(),
        links: links.take(MOST).map(|link| rows::link(&vault, link)).collect(),
        backlinks: places(workspace, &backlinks[..backlinks.len().min(MOST_PLACES)]),
        mentions: if with_mentions { mentions(workspace, &vault, &note) } else { Vec::new() },
        problems: note.problems.iter().map(rows::problem).collect(),
        left_out: left_out as u32,
        complete,
    })
}

/// Reads the lines of backlinks. A note is read once for all its lines.
fn places(workspace: &Workspace, backlinks: &[aside_notes::Backlink<'_>]) -> Vec<LinkPlace> {
    let mut places = Vec::new();
    for of_note in backlinks.chunk_by(|one, two| one.note.path == two.note.path) {
        let source = &of_note[0].note;
        let text = workspace.note_text(&source.path).ok().flatten().unwrap_or_default();
        let now = parse_text(&source.path, &text, source.flavour);
        for backlink in of_note {
            let link = backlink.link;
            let same = now.links.iter().find(|other| other.line == link.line && other.target == link.target);
            let (words, place) = line_at(&text, link.line, same.map(|link| link.range.clone()));
            let (path, title) = (source.path.clone(), source.title.clone());
            places.push(LinkPlace { path, title, line: link.line, text: words, place });
        }
    }
    places
}

/// Finds the lines that name a note without a link.
fn mentions(workspace: &Workspace, vault: &Vault, note: &Note) -> Vec<LinkPlace> {
    let Some(search) = MentionSearch::new(note) else { return Vec::new() };
    let (mut found, mut read) = (Vec::new(), 0);
    for other in vault.sorted_notes().into_iter().filter(|other| other.path != note.path) {
        if found.len() == MOST_MENTIONS || read > MOST_SEARCHED {
            break;
        }
        let Ok(Some(text)) = workspace.note_text(&other.path) else { continue };
        read += text.len();
        if !search.may_be_in(&text) {
            continue;
        }
        let now = parse_text(&other.path, &text, other.flavour);
        for mention in search.mentions(&now, &text, MOST_MENTIONS - found.len()) {
            let (words, place) = line_at(&text, mention.line, Some(mention.range));
            let (path, title) = (other.path.clone(), other.title.clone());
            found.push(LinkPlace { path, title, line: mention.line, text: words, place });
        }
    }
    found
}
