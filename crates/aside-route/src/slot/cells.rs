//! Cells of a notebook by place, or the one with the cursor.

use serde_json::{Map, Value, json};

use super::{Meaning, SlotContext, SlotKind, Words};
use crate::{
    situation::SeenCell,
    words::{FILLERS, JOINERS, number},
};

const LAST: &[&str] = &["last", "letzte", "letzten", "derniere", "ultima", "最后", "最後"];
const CELL: &[&str] =
    &["cell", "cells", "zelle", "zellen", "cellule", "cellules", "celda", "celdas", "number", "no", "nr", "numero"];
const THIS: &[&str] = &[
    "this", "current", "it", "selected", "focused", "active", "diese", "aktuelle", "cette", "esta", "actual",
    "courante",
];
const UP_TO: &[&str] = &["to", "through", "until", "-", "–", "bis", "a", "hasta", "到", "から"];
/// The letters of the Chinese and Japanese words for a cell, and beside them.
const LETTERS: &str = "单元格个第号这当前のセルつ番目この";

/// Returns the cells that words name.
pub(super) fn cells(
    kind: &SlotKind,
    words: Words<'_>,
    known: &Map<String, Value>,
    scene: SlotContext<'_>,
) -> Option<Meaning> {
    let all = of_notebook(known, scene)?;
    let places = places(words, all)?;
    let found: Vec<&SeenCell> = places.into_iter().map(|place| all.get(place)).collect::<Option<_>>()?;
    meaning(kind, &found)
}

/// Returns the cell with the cursor.
pub(super) fn focused(kind: &SlotKind, known: &Map<String, Value>, scene: SlotContext<'_>) -> Option<Meaning> {
    let found = of_notebook(known, scene)?.iter().find(|cell| cell.focused)?;
    meaning(kind, &[found])
}

/// Returns the cells with outputs.
pub(super) fn with_outputs(known: &Map<String, Value>, scene: SlotContext<'_>) -> Option<Meaning> {
    let found: Vec<_> =
        of_notebook(known, scene)?.iter().filter(|cell| cell.outputs).map(|cell| cell.key.as_str()).collect();
    (!found.is_empty()).then(|| Meaning::many(found))
}

/// Returns the version of the cell that is known.
pub(super) fn version(known: &Map<String, Value>, scene: SlotContext<'_>) -> Option<Meaning> {
    let key = known.get("cell")?.as_str()?;
    let cell = of_notebook(known, scene)?.iter().find(|cell| cell.key == key)?;
    (!cell.version.is_empty()).then(|| Meaning::one(cell.version.as_str()))
}

/// Returns the cell next to the one that is known.
pub(super) fn neighbour(side: &SlotKind, known: &Map<String, Value>, scene: SlotContext<'_>) -> Option<Meaning> {
    let (key, all) = (known.get("cell")?.as_str()?, of_notebook(known, scene)?);
    let at = all.iter().position(|cell| cell.key == key)?;
    let beside = if *side == SlotKind::CellAbove { at.checked_sub(1)? } else { at + 1 };
    all.get(beside).map(|cell| Meaning::one(cell.key.as_str()))
}

fn of_notebook<'a>(known: &Map<String, Value>, scene: SlotContext<'a>) -> Option<&'a [SeenCell]> {
    scene.situation.cells.get(known.get("path")?.as_str()?).map(Vec::as_slice)
}

fn meaning(kind: &SlotKind, found: &[&SeenCell]) -> Option<Meaning> {
    match (kind, found) {
        (_, []) => None,
        (SlotKind::CellVersions, cells) if cells.iter().all(|cell| !cell.version.is_empty()) => {
            Some(Meaning::many(cells.iter().map(|cell| json!({ "cell": cell.key, "version": cell.version }))))
        }
        (SlotKind::Cells, cells) => Some(Meaning::many(cells.iter().map(|cell| cell.key.as_str()))),
        (SlotKind::Cell, [cell]) => Some(Meaning::one(cell.key.as_str())),
        _ => None,
    }
}

/// Reads places, from 0: `cell 2`, `2 and 4`, `cells 2-4`, `the last cell`, `this cell`.
fn places(words: Words<'_>, all: &[SeenCell]) -> Option<Vec<usize>> {
    let text = glued(words);
    let words: Vec<&str> = text
        .iter()
        .map(String::as_str)
        .filter(|word| !FILLERS.contains(word) && !CELL.contains(word) && !LETTERS.contains(word))
        .collect();
    if words.is_empty() || words.iter().all(|word| THIS.contains(word)) {
        return all.iter().position(|cell| cell.focused).map(|place| vec![place]);
    }
    if let [from, up_to, to] = words[..]
        && UP_TO.contains(&up_to)
    {
        return range(number(from)?, number(to)?);
    }
    let mut places = Vec::new();
    for word in words {
        match word {
            _ if JOINERS.contains(&word) => {}
            _ if LAST.contains(&word) => places.push(all.len().checked_sub(1)?),
            "next" | "previous" => {
                let at = all.iter().position(|cell| cell.focused)?;
                places.push(if word == "next" { at + 1 } else { at.checked_sub(1)? });
            }
            _ => match word.split_once(['-', '–']) {
                Some((from, to)) if number(word).is_none() => places.extend(range(number(from)?, number(to)?)?),
                _ => places.push((number(word)? as usize).checked_sub(1)?),
            },
        }
    }
    (!places.is_empty()).then_some(places)
}

fn range(from: u32, to: u32) -> Option<Vec<usize>> {
    (1 <= from && from < to && to <= 10_000).then(|| (from as usize - 1..to as usize).collect())
}

/// Returns the words; the two letters of `最后` are one.
fn glued(words: Words<'_>) -> Vec<String> {
    let mut found = Vec::<String>::new();
    for token in words.tokens {
        match found.last_mut() {
            Some(last) if last == "最" => last.push_str(&token.folded),
            _ => found.push(token.folded.clone()),
        }
    }
    found
}
