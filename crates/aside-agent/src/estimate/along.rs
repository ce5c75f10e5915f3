//! What would go along with a message, from the texts of the files that it is about: the same pieces as are sent.

use aside_core::{ContextChip, Focus, FocusScope, InstructionsAt, LineRange, Thread, ThreadEventBody, WorkspacePath};
use aside_gate::waiting;
use aside_macros::boxed;

use super::{BYTES, Draft};
use crate::{
    agents::Agents,
    attached,
    budget::IMAGE,
    context::{self, Excerpt, LONGEST_LINES, WHOLE_BYTES, WHOLE_LINES, Why},
    images::is_image,
    instructions::{self, Instruction},
    mentions::{mentioned, mentioned_beside, names_selection},
};

/// Bytes of a notebook, at most.
const NOTEBOOK_BYTES: u64 = 48 * 1024;

/// What goes along.
#[derive(Debug, Default)]
pub(super) struct Along {
    /// Word for word.
    pub chips: Vec<ContextChip>,
    /// Tokens of what has none, for certain.
    pub tokens: u64,
    /// Tokens that it may be beyond that.
    pub more: u64,
}

impl Agents {
    /// The files whose text would go along with a draft: who knows them puts them into [`Draft::files`].
    #[boxed]
    pub async fn files_along(&self, draft: &Draft) -> Vec<WorkspacePath> {
        let thread = draft.thread.as_ref().and_then(|id| self.thread(id).ok());
        let standing = self.standing(draft, thread.as_ref()).await;
        let of_workspace = standing.into_iter().filter_map(|found| match (found.at, found.text) {
            (InstructionsAt::File { path }, None) => Some(path),
            _ => None,
        });
        let mut paths: Vec<WorkspacePath> = mentioned(&draft.text);
        paths.extend(draft.looked_at().map(|focus| focus.path.clone()));
        paths.extend(of_workspace);
        paths.retain(|path| !is_image(path));
        paths.sort();
        paths.dedup();
        paths
    }

    /// What would go along with a draft in a thread with this log, in the order in which it is sent.
    pub(super) async fn would_go_along(
        &self,
        draft: &Draft,
        thread: Option<&Thread>,
        log: &[ThreadEventBody],
    ) -> Along {
        let mut along = Along::default();
        let standing = self.standing(draft, thread).await;
        let without = thread.map(|thread| thread.without.clone()).unwrap_or_default();
        let document = draft.document(thread);
        let gone = instructions::gone(log, &standing, document.as_ref(), &without);
        let read = standing.into_iter().filter(|found| !without.contains(&found.at)).filter_map(|found| {
            let text = match (found.text, &found.at) {
                (Some(text), _) => text,
                (None, InstructionsAt::File { path }) => Ok(beginning(draft.files.get(path)?)),
                (None, _) => return None,
            };
            Some((found.at, text, None))
        });
        along.chips = instructions::news(log, read.collect(), &gone);
        along.chips.extend(draft.attached.iter().filter_map(|each| attached::of(&self.store, each)));
        let looked_at = draft.looked_at();
        for path in mentioned_beside(&draft.text, looked_at) {
            along.add(draft, Why::Names, &Focus::file(path));
        }
        if let Some(selected) =
            draft.focus.as_ref().filter(|_| names_selection(&draft.text)).and_then(context::selected)
        {
            along.add(draft, Why::Names, &selected);
        }
        if let Some(focus) = looked_at {
            along.add(draft, Why::Looks, focus);
        }
        along
    }

    async fn standing(&self, draft: &Draft, thread: Option<&Thread>) -> Vec<Instruction> {
        let Some(instructions) = self.instructions.get().cloned() else { return Vec::new() };
        let document = draft.document(thread);
        waiting(move || instructions.of(document.as_ref())).await.unwrap_or_default()
    }
}

impl Draft {
    fn looked_at(&self) -> Option<&Focus> {
        self.focus.as_ref().filter(|focus| focus.scope != Some(FocusScope::Nothing))
    }

    /// The document that standing instructions are looked for beside.
    fn document(&self, thread: Option<&Thread>) -> Option<WorkspacePath> {
        self.focus.as_ref().map(|focus| focus.path.clone()).or_else(|| thread?.document.clone())
    }
}

impl Along {
    fn add(&mut self, draft: &Draft, why: Why, focus: &Focus) {
        let text = draft.files.get(&focus.path);
        if is_image(&focus.path) {
            self.tokens += IMAGE as u64;
        } else if context::is_notebook(&focus.path) {
            self.more += text.map_or(NOTEBOOK_BYTES, |text| NOTEBOOK_BYTES.min(text.len() as u64)) / BYTES;
        } else if let Some(text) = text {
            self.chips.push(chip(why, focus, text));
        } else {
            self.more += WHOLE_BYTES as u64 / BYTES;
        }
    }
}

/// What is sent of a file, as it is when the message is sent.
fn chip(why: Why, focus: &Focus, text: &str) -> ContextChip {
    let first = Excerpt::of_text(text, LineRange { start: 1, end: WHOLE_LINES });
    match first.is_small_file() && focus.scope.is_none() {
        true => context::chip(why, focus, first),
        false => context::chip(why, focus, Excerpt::of_text(text, context::window(focus, first.total))),
    }
}

/// As much of standing instructions as is read.
fn beginning(text: &str) -> String {
    text.lines().take(LONGEST_LINES as usize).collect::<Vec<_>>().join("\n")
}
