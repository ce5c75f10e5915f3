//! Finds the place of one edit in the text as it is now.

use std::ops::Range;

use aside_core::Version;

use super::{
    BaseText, Failed, Level, Reason, already,
    elision::{find_pieces, is_elision, spans},
    line_map::LineMap,
    nearest::{nearest, quote},
    punctuation::keep_punctuation,
    request::{Block, Request},
    search::{Fit, Hit, Search, search},
};
use crate::{Lines, diff::diff_sequences};

/// Which text the author of an edit saw.
pub(crate) enum Seen<'text> {
    /// The text as it is now.
    Now,
    /// Not said; taken to be the text as it is now, but never as certain.
    Unsaid,
    /// An earlier one.
    Earlier(LineMap<'text>),
}

impl<'text> Seen<'text> {
    pub fn new(current: &Lines, version: &Version, base: Option<&BaseText<'text>>) -> Self {
        match base {
            None => Self::Unsaid,
            Some(base) if base.version == *version => Self::Now,
            Some(base) => Self::Earlier(LineMap::new(base.text, current)),
        }
    }
}

/// Where an edit goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub level: Level,
    /// The lines that become others, in order; several only where lines were left out.
    pub parts: Vec<Part>,
    /// Set if the new lines are there already, and where.
    pub already: Option<Range<usize>>,
    /// Whether the end of the text is to have a newline, if the edit says so and is there.
    pub ended: Option<bool>,
}

/// Some lines, and what they become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub lines: Range<usize>,
    pub new: Vec<String>,
}

impl Place {
    /// From the first line to the last.
    pub fn lines(&self) -> Range<usize> {
        match (&self.already, self.parts.first(), self.parts.last()) {
            (Some(already), ..) => already.clone(),
            (None, Some(first), Some(last)) => first.lines.start..last.lines.end,
            _ => 0..0,
        }
    }
}

/// Finds the place of one edit.
pub(crate) fn find(request: &Request, current: &Lines, seen: &Seen) -> Result<Place, Failed> {
    match seen {
        Seen::Now => find_now(request, current),
        Seen::Unsaid => find_unsure(request, current, Level::Carried),
        Seen::Earlier(map) => find_since(request, current, map),
    }
}

/// A place in the text that was seen.
struct Spot {
    level: Level,
    parts: Vec<Part>,
}

enum Miss {
    Absent,
    Several(Vec<Range<usize>>),
    Error(Failed),
}

/// Finds the place in the text that its author saw as it is now: they want it changed, so nothing that stands there is a retry.
fn find_now(request: &Request, current: &Lines) -> Result<Place, Failed> {
    let spot = spot(request, current, Level::Named).map_err(|miss| failed(miss, request, current))?;
    Ok(settled(spot.level, spot.parts, request, current))
}

/// The same where nobody said which text was seen; `named` is the level of a hit at the named lines.
fn find_unsure(request: &Request, current: &Lines, named: Level) -> Result<Place, Failed> {
    if let Some(place) = made_before(request, current) {
        return Ok(done(place, named));
    }
    let spot = match spot(request, current, named) {
        Ok(spot) => spot,
        Err(Miss::Absent) => {
            let new = &request.new.lines;
            let there = if request.range.is_none() { already::stands(current, None, new) } else { None };
            return there.map(|place| done(place, Level::Found)).ok_or_else(|| absent(request, current));
        }
        Err(miss) => return Err(failed(miss, request, current)),
    };
    if let [part] = &spot.parts[..]
        && let Some(place) = already::surrounds(current, &part.lines, &part.new)
    {
        return Ok(done(place, spot.level));
    }
    refuse_far_deletion(request, &spot, current)?;
    Ok(settled(spot.level, spot.parts, request, current))
}

/// The new lines are at the named place, and the old ones are not.
fn made_before(request: &Request, current: &Lines) -> Option<Range<usize>> {
    let (old, range) = (request.old.as_ref()?, request.range.as_ref()?);
    if !old.lines.is_empty() && (holds(current, range, &old.lines) || spans(current, range, old)) {
        return None;
    }
    already::stands(current, Some(range), &request.new.lines)
}

/// Without a version, a deletion asked for twice must not take the next lines that look the same.
fn refuse_far_deletion(request: &Request, spot: &Spot, current: &Lines) -> Result<(), Failed> {
    let (Some(range), [part]) = (&request.range, &spot.parts[..]) else { return Ok(()) };
    let far = part.lines.start.abs_diff(range.start) > super::search::NEAR;
    if !request.new.lines.is_empty() || !far {
        return Ok(());
    }
    let message = format!(
        "the lines are not at {}, but at {}; give the version that you read",
        range.start + 1,
        part.lines.start + 1
    );
    Err(Failed::new(Reason::Stale, message).with(quote(current, [part.lines.clone()])))
}

fn find_since(request: &Request, current: &Lines, map: &LineMap) -> Result<Place, Failed> {
    let spot = match spot(request, map.base(), Level::Named) {
        Ok(spot) => spot,
        Err(Miss::Absent) => return find_unseen(request, current, map),
        Err(Miss::Several(places)) => {
            let places = places.into_iter().map(|place| map.near(place.start)..map.near(place.end));
            return Err(ambiguous(quote(current, places)));
        }
        Err(Miss::Error(failed)) => return Err(failed),
    };
    let made = spot.parts.iter().map(|part| already::made_since(map, &part.lines, &part.new, current));
    if let Some(made) = made.collect::<Option<Vec<_>>>() {
        let (first, last) = (made.first().map_or(0, |part| part.start), made.last().map_or(0, |part| part.end));
        return Ok(done(first..last.max(first), spot.level.max(Level::Carried)));
    }
    let carry = |part: Part| {
        let lines = match part.lines.is_empty() {
            true => map.carry_place(part.lines.start, current).map(|place| place..place),
            false => map.carry(&part.lines, current).or_else(|| map.moved(&part.lines, current)),
        };
        let near = || map.region(&part.lines);
        lines.map(|lines| Part { lines, ..part.clone() }).ok_or_else(|| stale(&quote_around(current, near())))
    };
    let parts = spot.parts.into_iter().map(carry).collect::<Result<Vec<_>, _>>()?;
    Ok(settled(spot.level.max(Level::Carried), parts, request, current))
}

/// The old lines are not of the version that was named; they may be of the current one.
fn find_unseen(request: &Request, current: &Lines, map: &LineMap) -> Result<Place, Failed> {
    let range =
        request.range.as_ref().map(|range| map.near(range.start)..map.near(range.end).max(map.near(range.start)));
    let request = Request { range, ..request.clone() };
    if request.is_insertion() || request.old.is_none() {
        return Err(absent(&request, current));
    }
    let mut place = find_unsure(&request, current, Level::Found)?;
    place.level = place.level.max(Level::Found);
    Ok(place)
}

/// Finds the place in the text that was seen; `named` is the level of a hit at the named lines.
fn spot(request: &Request, lines: &Lines, named: Level) -> Result<Spot, Miss> {
    let range = request.range.as_ref();
    let there = range.filter(|range| range.end <= lines.len());
    let whole = |range: &Range<usize>, level| {
        Ok(Spot { level, parts: vec![Part { lines: range.clone(), new: request.new.lines.clone() }] })
    };
    if request.is_insertion() {
        return there.map_or(Err(Miss::Absent), |range| whole(range, named));
    }
    let Some(old) = &request.old else {
        let Some(range) = there else { return Err(Miss::Absent) };
        if lines.range(range.clone()).eq(request.new.lines.iter().map(String::as_str)) {
            return Err(Miss::Error(Failed::new(
                Reason::Noop,
                "nothing to change: these lines already have the new text",
            )));
        }
        return whole(range, named);
    };
    if let Some(range) = there.filter(|range| holds(lines, range, &old.lines)) {
        return whole(range, named);
    }
    if let Some(range) = there.filter(|range| echoes(lines, range, old, &request.new)) {
        return whole(range, named);
    }
    if old.is_blank() {
        return Err(Miss::Absent);
    }
    match search(lines, &old.lines, range) {
        Search::One(hit) => fitted(hit, lines, old, &request.new).ok_or(Miss::Absent),
        Search::Several(places) => Err(Miss::Several(places)),
        Search::AnyDepth(place) => Err(Miss::Error(any_depth(quote(lines, [place])))),
        Search::None => pieces(lines, old, &request.new).ok_or(Miss::Absent),
    }
}

fn holds(lines: &Lines, range: &Range<usize>, wanted: &[String]) -> bool {
    range.end <= lines.len() && lines.range(range.clone()).eq(wanted.iter().map(String::as_str))
}

/// The old text gives the first and the last line and leaves out those between; the new one leaves out none.
fn echoes(lines: &Lines, range: &Range<usize>, old: &Block, new: &Block) -> bool {
    !new.lines.iter().any(|line| is_elision(line)) && spans(lines, range, old)
}

fn pieces(lines: &Lines, old: &Block, new: &Block) -> Option<Spot> {
    let pieces = find_pieces(lines, &old.lines, &new.lines)?;
    if pieces.iter().all(|piece| piece.old == piece.new) {
        return None;
    }
    // Those that stay are kept: an edit goes only where all that it speaks of is still so.
    let parts = pieces.into_iter().map(|piece| Part { lines: piece.lines, new: piece.new }).collect();
    Some(Spot { level: Level::Elision, parts })
}

/// Fits the new lines to the place: those that stay keep the file's own bytes.
fn fitted(hit: Hit, lines: &Lines, old: &Block, new: &Block) -> Option<Spot> {
    let Hit { lines: place, level, fit } = hit;
    let there: Vec<&str> = lines.range(place.clone()).collect();
    let mut result: Vec<String> = Vec::with_capacity(new.lines.len());
    let mut kept = 0;
    for hunk in diff_sequences(old.lines.iter().map(String::as_str), new.lines.iter().map(String::as_str)) {
        result.extend(there[kept..hunk.before.start].iter().map(|line| (*line).to_owned()));
        kept = hunk.before.end;
        let paired = hunk.before.len() == hunk.after.len();
        for (line, before) in hunk.after.clone().zip(hunk.before.start..) {
            let line = &new.lines[line];
            result.push(match &fit {
                Fit::Indent(shift) => shift.apply(line)?,
                Fit::Punctuation if paired => keep_punctuation(there[before], &old.lines[before], line),
                _ => line.clone(),
            });
        }
    }
    result.extend(there[kept..].iter().map(|line| (*line).to_owned()));
    Some(Spot { level, parts: vec![Part { lines: place, new: result }] })
}

fn done(place: Range<usize>, level: Level) -> Place {
    Place { level, parts: Vec::new(), already: Some(place), ended: None }
}

fn settled(level: Level, mut parts: Vec<Part>, request: &Request, current: &Lines) -> Place {
    let ended = parts.last().and_then(|part| wanted_ending(part, request, current));
    let same = |part: &Part| holds(current, &part.lines, &part.new);
    if ended.is_none() && !parts.is_empty() && parts.iter().all(same) {
        let lines = parts[0].lines.start..parts[parts.len() - 1].lines.end;
        return done(lines, level);
    }
    if parts.len() > 1 && ended.is_none() {
        parts.retain(|part| !same(part));
    }
    Place { level, parts, already: None, ended }
}

/// An edit of the last line asks for another ending if its old text has the file's and its new text has not.
/// An empty text has none to keep: what comes is taken as it is.
fn wanted_ending(part: &Part, request: &Request, current: &Lines) -> Option<bool> {
    if current.is_empty() {
        return Some(request.new.ended);
    }
    let old = request.old.as_ref()?;
    let is_last = part.lines.end == current.len() && !part.lines.is_empty() && !part.new.is_empty();
    let asks = !old.lines.is_empty() && old.ended == current.is_ended() && request.new.ended != old.ended;
    (is_last && asks).then_some(request.new.ended)
}

fn failed(miss: Miss, request: &Request, current: &Lines) -> Failed {
    match miss {
        Miss::Absent => absent(request, current),
        Miss::Several(places) => ambiguous(quote(current, places)),
        Miss::Error(failed) => failed,
    }
}

fn absent(request: &Request, current: &Lines) -> Failed {
    match &request.old {
        Some(old) if !old.lines.is_empty() => {
            let closest = nearest(current, &old.lines);
            let message = match closest.is_empty() {
                true => "the old lines are not in the document, and nothing similar is",
                false => "the old lines are not in the document; the closest lines are shown",
            };
            Failed::new(Reason::NoMatch, message).with(closest)
        }
        _ => {
            let last = current.len().saturating_sub(1)..current.len();
            let message = format!("there is no such line: the document has {}", current.len());
            Failed::new(Reason::NoMatch, message).with(quote(current, [last]))
        }
    }
}

fn ambiguous(candidates: Vec<super::Candidate>) -> Failed {
    let message =
        "the old lines occur several times in the document; give `start` and `end`, or more lines around them";
    Failed::new(Reason::Ambiguous, message).with(candidates)
}

fn any_depth(candidates: Vec<super::Candidate>) -> Failed {
    let message = "the document has tabs where the old lines have spaces, which fit any depth; copy the lines with their tabs, \
        or give `start` and `end`";
    Failed::new(Reason::Ambiguous, message).with(candidates)
}

fn stale(candidates: &[super::Candidate]) -> Failed {
    let message = "the lines have been changed or removed since the version you read; read them again";
    Failed::new(Reason::Stale, message).with(candidates.to_vec())
}

fn quote_around(current: &Lines, place: Range<usize>) -> Vec<super::Candidate> {
    quote(current, std::iter::once(place.start.saturating_sub(1)..(place.end + 1).min(current.len())))
}
