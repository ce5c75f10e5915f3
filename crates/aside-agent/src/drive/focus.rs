//! What goes along with a message, read through the Gate like everything else an agent knows: standing instructions,
//! what the person sends along and names, and where they look.

use aside_core::{
    ActionRecord, ContextChip, Focus, FocusScope, InstructionsAt, LabelSource, LineRange, Observation, Origin, Outcome,
    ShownImage, ThreadEventBody, WorkspacePath,
};
use aside_gate::waiting;
use serde_json::{Value, json};

use super::Drive;
use crate::{
    attached,
    context::{self, Excerpt, LONGEST_LINES, WHOLE_LINES, Why},
    images::is_image,
    instructions::{self, Instruction},
    mentions::{mentioned_beside, names_selection},
    profile::ActionAccess,
    threads,
    tools::action,
    turn::Input,
};

impl Drive {
    /// Reads what goes along with the message that has just come.
    pub(super) async fn read_focus(&mut self, focus: Option<Focus>) -> Input {
        let log = self.log().unwrap_or_default();
        let started = log.iter().rev().find_map(|event| match event {
            ThreadEventBody::TurnStarted { text, attached, .. } => Some((text.clone(), attached.clone())),
            _ => None,
        });
        let (text, attached) = started.unwrap_or_default();
        let looked_at = focus.as_ref().filter(|focus| focus.scope != Some(FocusScope::Nothing));
        let is_navigator = self.profile.access == ActionAccess::Catalog;
        let mut chips = if is_navigator { Vec::new() } else { self.standing(&log, focus.as_ref()).await };
        chips.append(&mut self.seeds);
        chips.extend(attached.iter().filter_map(|attached| attached::of(&self.store, attached)));
        for path in mentioned_beside(&text, looked_at) {
            chips.push(self.chip(Why::Names, &Focus::file(path)).await);
        }
        if is_navigator {
            // It is told where the person looks, and reads what it needs of that.
            return Input::Context(chips);
        }
        if let Some(selected) = focus.as_ref().filter(|_| names_selection(&text)).and_then(context::selected) {
            chips.push(self.chip(Why::Names, &selected).await);
        }
        if let Some(focus) = looked_at {
            chips.push(self.chip(Why::Looks, focus).await);
        }
        Input::Context(chips)
    }

    /// What the model has to be told of standing instructions before this message.
    async fn standing(&self, log: &[ThreadEventBody], focus: Option<&Focus>) -> Vec<ContextChip> {
        let (Some(instructions), Ok(thread)) = (self.instructions.clone(), threads::get(&self.store, &self.thread))
        else {
            return Vec::new();
        };
        let document = focus.map(|focus| focus.path.clone()).or(thread.document);
        let beside = document.clone();
        let Ok(found) = waiting(move || instructions.of(beside.as_ref())).await else { return Vec::new() };
        let gone = instructions::gone(log, &found, document.as_ref(), &thread.without);
        let mut read = Vec::new();
        for Instruction { at, text } in found.into_iter().filter(|found| !thread.without.contains(&found.at)) {
            let (text, source) = match (text, &at) {
                (Some(text), _) => (text, None),
                (None, InstructionsAt::File { path }) => self.text_of(path).await,
                (None, _) => continue,
            };
            read.push((at, text, source));
        }
        instructions::news(log, read, &gone)
    }

    /// The beginning of a file as text, and where its content comes from.
    async fn text_of(&self, path: &WorkspacePath) -> (Result<String, String>, Option<LabelSource>) {
        let (read, source) = self.read("doc.read", json!({"path": path, "end": LONGEST_LINES})).await;
        let text = |data: Value| data["text"].as_str().map(str::to_owned).ok_or("it could not be read".to_owned());
        (read.and_then(text), source)
    }

    async fn chip(&self, why: Why, focus: &Focus) -> ContextChip {
        if is_image(&focus.path) {
            let (read, source) = self.read("file.read", json!({"path": focus.path})).await;
            let image =
                read.and_then(|data| ShownImage::all_in(&data).pop().ok_or("it is not a supported image".into()));
            let chip = match image {
                Ok(image) => context::image(why, focus, image),
                Err(reason) => context::unreadable(why, focus, &reason),
            };
            return ContextChip { source, ..chip };
        }
        if context::is_notebook(&focus.path) {
            return self.notebook(why, focus).await;
        }
        let (read, source) = self.lines(focus, LineRange { start: 1, end: WHOLE_LINES }).await;
        let (read, source) = match read {
            Ok(part) if !part.is_small_file() || focus.scope.is_some() => {
                self.lines(focus, context::window(focus, part.total)).await
            }
            read => (read, source),
        };
        let chip = match read {
            Ok(excerpt) => context::chip(why, focus, excerpt),
            Err(reason) => context::unreadable(why, focus, &reason),
        };
        ContextChip { source, ..chip }
    }

    /// What of a notebook goes along: the cell that is looked at with its neighbours in short, else all of it in short.
    async fn notebook(&self, why: Why, focus: &Focus) -> ContextChip {
        let whole = focus.scope == Some(FocusScope::Whole);
        let args = match &focus.cell {
            Some(cell) if !whole => json!({"path": focus.path, "around": cell}),
            _ => json!({"path": focus.path}),
        };
        let (mut read, mut source) = self.said("notebook.read", args).await;
        if read.is_err() && focus.cell.is_some() {
            // The cell is gone by now; the notebook may not be.
            (read, source) = self.said("notebook.read", json!({"path": focus.path})).await;
        }
        let chip = match read {
            Ok(observation) => context::notebook(why, focus, &observation),
            Err(reason) => context::unreadable(why, focus, &reason),
        };
        ContextChip { source, ..chip }
    }

    async fn lines(&self, focus: &Focus, lines: LineRange) -> (Result<Excerpt, String>, Option<LabelSource>) {
        let args = json!({"path": focus.path, "start": lines.start, "end": lines.end});
        let (read, source) = self.read("doc.read", args).await;
        let excerpt = |data: Value| Excerpt::from_data(&data).ok_or("`doc.read` returned an unknown format".to_owned());
        (read.and_then(excerpt), source)
    }

    /// What was read or why not, as data, and where that comes from.
    async fn read(&self, name: &str, args: Value) -> (Result<Value, String>, Option<LabelSource>) {
        let (said, source) = self.said(name, args).await;
        (said.map(|observation| observation.data), source)
    }

    /// The same in words as well.
    async fn said(&self, name: &str, args: Value) -> (Result<Observation, String>, Option<LabelSource>) {
        let request = aside_core::ActionRequest::new(action(name), args);
        match self.gate.submit(request, self.submission(Origin::FOCUS, self.state.mode)).await {
            Ok(submitted) => {
                let told = submitted.record.told_from();
                (said(&submitted.record), told.outside().or_else(|| told.sources.into_iter().next()))
            }
            Err(error) => (Err(error.to_string()), None),
        }
    }
}

/// Returns what an action that reads says.
fn said(record: &ActionRecord) -> Result<Observation, String> {
    match &record.outcome {
        Some(Outcome::Done { observation }) => Ok(observation.clone()),
        Some(Outcome::Failed { failure } | Outcome::Refused { failure, .. }) => Err(failure.message.clone()),
        Some(Outcome::Interrupted { reason }) => Err(reason.clone()),
        None => Err("it could not be read immediately".to_owned()),
    }
}
