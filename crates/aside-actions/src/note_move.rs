//! `note.move`: gives notes other names or folders, and each link that meant them by name or path its new target.

use std::collections::{BTreeMap, BTreeSet};

use aside_core::{EffectScope, Failure, NoteRow, Place, Preview, Risk, UndoSupport, WorkspacePath};
use aside_gate::Declaration;
use aside_notes::{Move, relocate};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    files::counted,
    notes::{NoteChange, NoteStep, Planning, is_note, kept, part, read, row, target},
};

/// Arguments of `note.move`.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The notes, with their new paths.
    #[schemars(length(min = 1))]
    moves: Vec<MoveArgs>,
}

/// A note and its new path.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveArgs {
    /// The note, relative to the workspace.
    from: WorkspacePath,
    /// The new path, including the name. Missing folders are created; without an ending it keeps the one it has.
    to: WorkspacePath,
}

impl NoteChange for Args {
    fn declare() -> Declaration {
        Declaration {
            name: "note.move",
            summary: "Move or rename notes and update their links",
            description: "Moves or renames notes. Links that meant them by name or path get the new target in every \
                note, also relative links in the moved notes. Links by alias or title, and code, stay.",
            preconditions: &["the notes exist", "nothing exists at the new paths"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![("Rename a note", json!({"moves": [{"from": "README.md", "to": "Tides.md"}]}))],
            phrases: &["rename the note", "move the note and update links"],
            tags: &["note", "rename", "links", "folder"],
            safety: &["The card shows each link before and after.", "One undo takes all back."],
        }
    }

    fn count(&self) -> usize {
        self.moves.len()
    }

    fn plan(&self, planning: &mut Planning<'_>) -> Result<(), Failure> {
        let moves: Vec<Move> = self.moves.iter().map(MoveArgs::whole).collect();
        for (at, each) in moves.iter().enumerate() {
            read(planning.view, &each.from)?;
            planning.row(row(part(at), &each.from, "path", Some(each.from.as_str()), Some(each.to.as_str())));
        }
        let counts = links(planning, &moves)?;
        for (at, each) in moves.iter().enumerate() {
            let count = counts.get(&part(at)).copied().unwrap_or_default();
            planning.outcome(
                part(at),
                &each.from,
                &format!("moved to {}, {} updated", each.to, counted(count, "link")),
            );
            planning.step(NoteStep::Move { from: each.from.clone(), to: each.to.clone(), tidy: None });
        }
        Ok(())
    }

    fn only(&self, _preview: &Preview, parts: &[u32]) -> Self {
        Self { moves: kept(&self.moves, parts) }
    }

    fn summary(&self) -> String {
        match &self.moves[..] {
            [MoveArgs { from, to }] => format!("Move the note {from} to {to}"),
            moves => format!("Move {}", counted(moves.len(), "note")),
        }
    }
}

impl MoveArgs {
    fn whole(&self) -> Move {
        let ending = self.from.name().rsplit_once('.').map_or("md", |(_, ending)| ending);
        let named = WorkspacePath::new(&format!("{}.{ending}", self.to)).ok();
        let to = if is_note(&self.to) { self.to.clone() } else { named.unwrap_or_else(|| self.to.clone()) };
        Move { from: self.from.clone(), to }
    }
}

/// Plans the edits of all links; returns how many belong to each move.
fn links(planning: &mut Planning<'_>, moves: &[Move]) -> Result<BTreeMap<u32, usize>, Failure> {
    let now = planning.notes().clone();
    let files: Vec<WorkspacePath> = now.paths().cloned().collect();
    let relocation = relocate(&files, moves);
    let moved: BTreeMap<&WorkspacePath, u32> =
        moves.iter().enumerate().map(|(at, each)| (&each.from, part(at))).collect();
    let mut about: BTreeSet<WorkspacePath> = moves.iter().map(|each| each.from.clone()).collect();
    let mut reading = about.clone();
    // A note that gets the name of others makes links to those mean two.
    let stem = |path: &WorkspacePath| path.name().rsplit_once('.').map_or("", |(stem, _)| stem).to_lowercase();
    let names: BTreeSet<String> = moves.iter().map(|each| stem(&each.to)).collect();
    about.extend(files.iter().filter(|file| names.contains(&stem(file))).cloned());
    reading.extend(about.iter().flat_map(|file| now.links_to(file)).map(|(note, _)| note.path.clone()));
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for path in reading {
        let note = planning.note(&path)?;
        let real = note.path.clone();
        let edits = relocation.edits(&note.text, &note.note, |link| target(&now, &note.note, link));
        // A link belongs to the move of its target, else to the move of its own note.
        let parts: Vec<u32> = edits
            .iter()
            .map(|edit| {
                let link = note.note.links.iter().find(|link| link.target_range == edit.edit.range);
                let found = link.and_then(|link| target(&now, &note.note, link)).map(|target| target.path);
                found
                    .and_then(|found| moved.get(&found).copied())
                    .or_else(|| moved.get(&path).copied())
                    .unwrap_or_default()
            })
            .collect();
        let (mut made, mut rows) = (Vec::new(), Vec::new());
        for (link, own) in edits.into_iter().zip(parts) {
            *counts.entry(own).or_default() += 1;
            let shown = row(own, &real, "link", Some(&link.before), Some(&link.after));
            rows.push(NoteRow { line: Some(link.line), ..shown });
            made.push(link.edit);
        }
        planning.edit(&real, made)?;
        rows.into_iter().for_each(|row| planning.row(row));
    }
    Ok(counts)
}
