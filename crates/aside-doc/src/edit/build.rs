//! Turns the places of edits into hunks and splices.

use std::ops::Range;

use aside_core::{LineRange, Version};

use super::{
    Applied, Failed, Level, Plan, PlannedHunk, Reason, Report,
    place::{Part, Place},
};
use crate::{
    Lines, Splice,
    diff::{diff_sequences, number},
    splice::{push_trimmed, refine},
};

/// Returns a failure for every two edits that cover the same lines.
pub(crate) fn overlaps(places: &[(usize, Place)]) -> Vec<Failed> {
    let open = places.iter().filter(|(_, place)| place.already.is_none());
    let mut parts: Vec<(usize, &Part)> =
        open.flat_map(|(index, place)| place.parts.iter().map(move |part| (*index, part))).collect();
    parts.sort_by_key(|(index, part)| (part.lines.start, part.lines.end, *index));
    let mut failed = Vec::new();
    let mut reaching: Option<(usize, &Part)> = None;
    for (two, below) in parts {
        if let Some((one, above)) = reaching {
            let same_place = above.lines.is_empty() && below.lines == above.lines;
            if one != two && (below.lines.start < above.lines.end || same_place) {
                let line = below.lines.start + 1;
                let message =
                    format!("edits {one} and {two} (counted from 0) both cover line {line}; make them one edit");
                failed.push(Failed { index: two, ..Failed::new(Reason::Overlap, message) });
            }
        }
        if reaching.is_none_or(|(_, above)| below.lines.end >= above.lines.end) {
            reaching = Some((two, below));
        }
    }
    failed
}

/// Builds the plan, or the report that says why there is none.
pub(crate) fn plan(
    lines: &Lines,
    version: &Version,
    places: Vec<(usize, Place)>,
    mut failed: Vec<Failed>,
) -> Result<Plan, Report> {
    failed.sort_by_key(|failed| failed.index);
    failed.dedup_by_key(|failed| failed.index);
    let failing = |index: usize| failed.iter().any(|failed| failed.index == index);
    let places: Vec<(usize, Place)> = places.into_iter().filter(|(index, _)| !failing(*index)).collect();
    let changes = changes(lines, &places);
    let hunks = planned(lines, &changes);
    let mut placed: Vec<Applied> = places.iter().map(|(index, place)| applied(*index, place, &hunks)).collect();
    placed.sort_by_key(|applied| applied.index);
    let report =
        |applied, placed, failed| Report { applied, placed, failed, hash_before: version.clone(), hash_after: None };
    if !failed.is_empty() {
        return Err(report(Vec::new(), placed, failed));
    }
    let merged = merged(changes.iter().map(|change| (change.lines.clone(), &change.new[..])));
    let ended = Ending::of(lines, &merged, &places);
    Ok(Plan {
        splices: splices(lines, merged, &ended),
        final_newline: (ended.after != ended.before && !ended.emptied).then_some(ended.after),
        hunks,
        report: report(placed, Vec::new(), Vec::new()),
    })
}

/// Some lines of the text that become others, and why.
struct Change {
    edit: usize,
    level: Level,
    lines: Range<usize>,
    new: Vec<String>,
}

/// The lines that differ, in order.
fn changes(lines: &Lines, places: &[(usize, Place)]) -> Vec<Change> {
    let mut changes = Vec::new();
    for (edit, place) in places.iter().filter(|(_, place)| place.already.is_none()) {
        for part in &place.parts {
            let start = part.lines.start;
            let new = part.new.iter().map(String::as_str);
            for hunk in diff_sequences(lines.range(part.lines.clone()), new) {
                let lines = start + hunk.before.start..start + hunk.before.end;
                changes.push(Change { edit: *edit, level: place.level, lines, new: part.new[hunk.after].to_vec() });
            }
        }
        if let Some(last) = place.ended.and_then(|_| lines.len().checked_sub(1))
            && changes.last().is_none_or(|change| change.lines.end < lines.len())
        {
            let new = vec![lines.get(last).to_owned()];
            changes.push(Change { edit: *edit, level: place.level, lines: last..last + 1, new });
        }
    }
    changes.sort_by_key(|change| (change.lines.start, change.lines.end));
    changes
}

fn planned(lines: &Lines, changes: &[Change]) -> Vec<PlannedHunk> {
    let (mut gone, mut come) = (0, 0);
    let hunk = |change: &Change| {
        let start = change.lines.start + come - gone;
        gone += change.lines.len();
        come += change.new.len();
        let bytes = lines.bytes(change.lines.clone());
        let ended = !bytes.is_empty() && lines.text()[bytes.clone()].ends_with('\n');
        PlannedHunk {
            edit: change.edit,
            range_before: line_range(&change.lines),
            range_after: line_range(&(start..start + change.new.len())),
            old: lines.owned(change.lines.clone()),
            new: change.new.clone(),
            level: change.level,
            confidence: change.level.confidence(),
            bytes: bytes.start..bytes.end - usize::from(ended),
        }
    };
    changes.iter().map(hunk).collect()
}

fn applied(index: usize, place: &Place, hunks: &[PlannedHunk]) -> Applied {
    let before = place.lines();
    let mine = hunks.iter().filter(|hunk| hunk.edit == index);
    let grown = |hunk: &PlannedHunk| hunk.new.len() as isize - hunk.old.len() as isize;
    let above = |hunk: &&PlannedHunk| {
        let start = hunk.range_before.start as usize - 1;
        hunk.edit != index && (start < before.start || (start == before.start && hunk.old.is_empty()))
    };
    let moved: isize = hunks.iter().filter(above).map(grown).sum();
    let start = before.start.saturating_add_signed(moved);
    let length = before.len().saturating_add_signed(mine.clone().map(grown).sum());
    let text = |hunk: &PlannedHunk| {
        let old = hunk.old.iter().map(|line| format!("-{line}\n"));
        old.chain(hunk.new.iter().map(|line| format!("+{line}\n"))).collect::<String>()
    };
    Applied {
        index,
        range_before: line_range(&before),
        range_after: line_range(&(start..start + length)),
        level: place.level,
        confidence: place.level.confidence(),
        already: place.already.is_some(),
        diff: mine.map(text).collect(),
    }
}

fn line_range(lines: &Range<usize>) -> LineRange {
    LineRange { start: number(lines.start + 1), end: number(lines.end) }
}

/// Whether the last line is ended.
struct Ending {
    before: bool,
    after: bool,
    /// There is no last line, before or after.
    emptied: bool,
}

impl Ending {
    /// It stays as it is unless an edit of the last line says otherwise, or a blank last line needs it.
    fn of(lines: &Lines, changes: &[Merged], places: &[(usize, Place)]) -> Self {
        let before = lines.is_ended();
        let asked = places.iter().find_map(|(_, place)| place.ended);
        let last = match changes.last() {
            Some((going, new)) if going.end == lines.len() => {
                new.last().map(String::as_str).or_else(|| going.start.checked_sub(1).map(|line| lines.get(line)))
            }
            _ => lines.len().checked_sub(1).map(|line| lines.get(line)),
        };
        let after = last.is_some_and(|last| last.is_empty() || asked.unwrap_or(before));
        Self { before, after, emptied: last.is_none() || lines.is_empty() }
    }
}

/// Splices that make the changes.
fn splices(lines: &Lines, changes: Vec<Merged>, ended: &Ending) -> Vec<Splice> {
    let mut splices = Vec::new();
    for (going, new) in changes {
        let mut coming: String = new.iter().map(|line| format!("{line}\n")).collect();
        if going.end < lines.len() {
            refine(lines, going, &coming, &mut splices);
            continue;
        }
        let mut bytes = lines.bytes(going.clone());
        if !ended.after {
            coming.pop();
        }
        if new.is_empty() && !ended.after && going.start > 0 {
            // The line above becomes the last: its terminator goes.
            bytes.start -= 1;
        } else if going.is_empty() && !ended.before && going.start > 0 {
            coming.insert(0, '\n');
        }
        push_trimmed(&mut splices, bytes.start, &lines.text()[bytes], &coming);
    }
    splices
}

/// Lines that become others, next to no other such lines.
pub(crate) type Merged = (Range<usize>, Vec<String>);

/// Joins changes that touch, so that no byte is spliced twice.
pub(crate) fn merged<'new>(changes: impl Iterator<Item = (Range<usize>, &'new [String])>) -> Vec<Merged> {
    let mut merged: Vec<Merged> = Vec::new();
    for (lines, new) in changes {
        match merged.last_mut() {
            Some((above, come)) if above.end == lines.start => {
                above.end = lines.end;
                come.extend_from_slice(new);
            }
            _ => merged.push((lines, new.to_vec())),
        }
    }
    merged
}
