//! Questions of the actions to the index of all notes.

use std::sync::Arc;

use aside_notes::{Flavour, FoundBy, Link, LinkTarget, Note, SignStyle, Vault, most_used_style};

/// Returns the file that a link of a note leads to.
pub(crate) fn target(vault: &Vault, note: &Note, link: &Link) -> Option<LinkTarget> {
    let found = vault.resolve(&note.path, link)?;
    let by_path = matches!(found.by, FoundBy::Path | FoundBy::Name | FoundBy::NameWithoutCase);
    let is_file_title = |note: &Arc<Note>| note.title_range.is_none() && note.flavour == Flavour::Logseq;
    let by_file_title = found.by == FoundBy::Title && vault.note(&found.path).is_some_and(is_file_title);
    Some(LinkTarget { path: found.path, by_path, by_file_title })
}

/// Returns the notation that most dates of the workspace have.
pub(crate) fn style_of(vault: &Vault) -> Option<SignStyle> {
    let todos = vault.sorted_notes().into_iter().flat_map(|note| &note.todos);
    most_used_style(todos.flat_map(|todo| &todo.signs).map(|sign| sign.style))
}
