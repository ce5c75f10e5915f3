//! Finds the stretches in which two long texts differ, without looking at each of the lines they share.
//!
//! A text of megabytes that was changed in two far places is equal in between. Comparing that as bytes is several times
//! faster than comparing it as lines, and leaves little for the diff proper.

use std::ops::Range;

use memchr::memmem;

use super::MARGIN;
use crate::Lines;

/// So many equal lines in a row end a stretch: room for a margin on either side.
const TOGETHER: usize = 2 * MARGIN;
/// Lines of both texts together that are looked at one by one for the end of a stretch.
const NEARBY: usize = 128;
/// Bytes compared at once.
const BLOCK: usize = 4096;

/// A stretch of either text; the lines between two stretches are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    pub(super) before: Range<usize>,
    pub(super) after: Range<usize>,
}

/// Two texts, and where comparing has come to.
struct Walk<'a, 'text> {
    before: &'a Lines<'text>,
    after: &'a Lines<'text>,
    end: (usize, usize),
    at: (usize, usize),
}

/// Returns the stretches in which some lines of two texts differ, in order, each with up to [`MARGIN`] equal lines on
/// both sides.
pub(super) fn stretches(before: &Lines, after: &Lines, within: &Stretch) -> Vec<Stretch> {
    let Stretch { before: old, after: new } = within;
    let mut walk = Walk { before, after, end: (old.end, new.end), at: (old.start, new.start) };
    let mut found = Vec::new();
    loop {
        let same = walk.same();
        walk.at = (walk.at.0 + same, walk.at.1 + same);
        if walk.at == walk.end {
            return found;
        }
        let (old, new) = walk.at;
        walk.at = walk.meet().unwrap_or(walk.end);
        let (above, below) = (same.min(MARGIN), walk.same().min(MARGIN));
        found.push(Stretch { before: old - above..walk.at.0 + below, after: new - above..walk.at.1 + below });
    }
}

impl Walk<'_, '_> {
    /// How many lines are equal from here on, their terminators included.
    fn same(&self) -> usize {
        let bytes = |lines: &Lines, at, end| lines.start(at)..lines.start(end);
        let old = &self.before.text().as_bytes()[bytes(self.before, self.at.0, self.end.0)];
        let new = &self.after.text().as_bytes()[bytes(self.after, self.at.1, self.end.1)];
        let count = common_prefix(old, new);
        let both_end = count == old.len() && count == new.len();
        if both_end {
            return self.end.0 - self.at.0;
        }
        // The line in which they part is not equal.
        let parts_in = |lines: &Lines, at: usize| lines.containing(lines.start(at) + count) - at;
        parts_in(self.before, self.at.0).min(parts_in(self.after, self.at.1))
    }

    /// Where the texts come together again; none if that can't be told cheaply.
    fn meet(&self) -> Option<(usize, usize)> {
        self.meet_nearby().or_else(|| self.meet_anywhere())
    }

    /// The nearest place from which many lines are equal.
    fn meet_nearby(&self) -> Option<(usize, usize)> {
        let places = (1..=NEARBY).flat_map(|far| (0..=far).map(move |down| (self.at.0 + down, self.at.1 + far - down)));
        places.into_iter().find(|(old, new)| self.together(*old, *new))
    }

    fn together(&self, old: usize, new: usize) -> bool {
        let fits = old + TOGETHER <= self.end.0 && new + TOGETHER <= self.end.1;
        fits && self.before.slice(old..old + 1) == self.after.slice(new..new + 1)
            && self.before.slice(old..old + TOGETHER) == self.after.slice(new..new + TOGETHER)
    }

    /// The first of some blocks of lines, ever further away, that is found in the other text.
    fn meet_anywhere(&self) -> Option<(usize, usize)> {
        let far = std::iter::successors(Some(TOGETHER), |far| Some(far * 2));
        let places = std::iter::once(0).chain(far).map(|far| self.at.0 + far);
        places.take_while(|old| old + TOGETHER <= self.end.0).find_map(|old| {
            let block = self.before.slice(old..old + TOGETHER);
            let text = &self.after.text()[self.after.start(self.at.1)..self.after.start(self.end.1)];
            let starts = memmem::find_iter(text.as_bytes(), block).map(|at| self.after.start(self.at.1) + at);
            // Only at the start of a line: a block may also end a longer line that comes before.
            let mut lines = starts.filter_map(|byte| self.after.starting_at(byte));
            lines.next().map(|new| self.back(old, new))
        })
    }

    /// The place from which the lines above another place are equal.
    fn back(&self, old: usize, new: usize) -> (usize, usize) {
        let most = (old - self.at.0).min(new - self.at.1);
        let equal = |up: &usize| self.before.slice(old - up - 1..old - up) == self.after.slice(new - up - 1..new - up);
        let up = (0..most).take_while(equal).count();
        (old - up, new - up)
    }
}

fn common_prefix(old: &[u8], new: &[u8]) -> usize {
    let blocks = old.chunks(BLOCK).zip(new.chunks(BLOCK)).take_while(|(old, new)| old == new);
    let equal = (blocks.count() * BLOCK).min(old.len()).min(new.len());
    equal + old[equal..].iter().zip(&new[equal..]).take_while(|(old, new)| old == new).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(lines: Range<usize>) -> String {
        lines.map(|line| format!("line {line}\n")).collect()
    }

    fn found(before: &str, after: &str) -> Vec<(Range<usize>, Range<usize>)> {
        let (before, after) = (Lines::new(before), Lines::new(after));
        let whole = Stretch { before: 0..before.len(), after: 0..after.len() };
        stretches(&before, &after, &whole).into_iter().map(|found| (found.before, found.after)).collect()
    }

    #[test]
    fn equal_texts_have_none() {
        assert_eq!(found(&text(0..1000), &text(0..1000)), []);
        assert_eq!(found("", ""), []);
    }

    #[test]
    fn far_changes_are_apart() {
        let before = text(0..1000);
        let after = before.replace("line 300\n", "other\nmore\n").replace("line 700\n", "");
        assert_eq!(found(&before, &after), [(236..365, 236..366), (636..765, 637..765)]);
    }

    #[test]
    fn a_long_insertion_or_deletion_is_one() {
        let (short, new) = (text(0..1000), text(5000..9000));
        let long = [text(0..500), new, text(500..1000)].concat();
        assert_eq!(found(&short, &long), [(436..564, 436..4564)]);
        assert_eq!(found(&long, &short), [(436..4564, 436..564)]);
    }

    #[test]
    fn what_never_meets_again_goes_to_the_end() {
        assert_eq!(found(&text(0..1000), &text(5000..6000)), [(0..1000, 0..1000)]);
        assert_eq!(found(&text(0..1000), ""), [(0..1000, 0..0)]);
    }

    /// Runs of lines, some of them periodic, so that many places look alike.
    fn runs() -> impl Strategy<Value = String> {
        let run = (0..3_usize, 1..200_usize, 1..40_usize);
        prop::collection::vec(run, 0..12).prop_map(|runs| {
            let lines =
                runs.into_iter().flat_map(|(from, count, period)| (0..count).map(move |line| from + line % period));
            lines.map(|line| format!("{line}\n")).collect()
        })
    }

    proptest! {
        #[test]
        fn what_lies_between_is_equal(before in runs(), after in runs(), cut in 0..2000_usize, comes in runs()) {
            let middle = before.lines().take(cut).map(|line| line.len() + 1).sum::<usize>();
            let related = [&before[..middle], &comes, &before[middle..]].concat();
            for after in [after, related] {
                let (old, new) = (Lines::new(&before), Lines::new(&after));
                let whole = Stretch { before: 0..old.len(), after: 0..new.len() };
                let (mut at, mut now) = (0, 0);
                let end = Stretch { before: old.len()..old.len(), after: new.len()..new.len() };
                for stretch in stretches(&old, &new, &whole).into_iter().chain([end]) {
                    prop_assert!(at <= stretch.before.start && now <= stretch.after.start);
                    prop_assert_eq!(old.owned(at..stretch.before.start), new.owned(now..stretch.after.start));
                    (at, now) = (stretch.before.end, stretch.after.end);
                }
            }
        }
    }

    #[test]
    fn a_last_line_without_an_end_differs_from_one_with() {
        let before = text(0..500);
        assert_eq!(found(&before, before.trim_end()), [(435..500, 435..500)]);
    }
}
