//! What came of all cases.

use std::{
    collections::BTreeMap,
    fmt::{self, Write as _},
};

use crate::case::Case;

/// How an edit is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// An anchored edit with old text and line numbers.
    Anchored,
    /// An anchored edit with the old text alone.
    AnchoredText,
    FirstMatch,
    LineNumbers,
}

impl Way {
    pub const ALL: [Self; 4] = [Self::Anchored, Self::AnchoredText, Self::FirstMatch, Self::LineNumbers];

    pub fn is_ours(self) -> bool {
        matches!(self, Self::Anchored | Self::AnchoredText)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Anchored => "anchored",
            Self::AnchoredText => "anchored, no line numbers",
            Self::FirstMatch => "first match",
            Self::LineNumbers => "line numbers",
        }
    }
}

/// What became of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Right,
    Refused,
    Wrong,
}

#[derive(Default)]
pub struct Tally {
    counts: BTreeMap<(String, Way, Outcome), usize>,
    cases: BTreeMap<String, usize>,
    can_be_right: usize,
}

const ALL: &str = "all";

impl Tally {
    pub fn add(&mut self, case: &Case, way: Way, outcome: Outcome) {
        let groups = [ALL.to_owned(), format!("{:?}", case.mistake), format!("while: {:?}", case.typing)];
        for group in groups {
            if way == Way::Anchored {
                *self.cases.entry(group.clone()).or_default() += 1;
            }
            *self.counts.entry((group, way, outcome)).or_default() += 1;
        }
        self.can_be_right += usize::from(way == Way::Anchored && case.can_be_right());
    }

    fn count(&self, group: &str, way: Way, outcome: Outcome) -> usize {
        self.counts.get(&(group.to_owned(), way, outcome)).copied().unwrap_or(0)
    }

    /// The figures with what they have to reach.
    pub fn figures(&self) -> impl Iterator<Item = String> {
        let count = |way, outcome| self.count(ALL, way, outcome);
        let right = |way| count(way, Outcome::Right);
        let wrong = Way::ALL.map(|way| {
            let limit = if way.is_ours() { "<=0" } else { "" };
            format!("edits in a wrong place, {}\t{}\t{limit}\t\t", way.name(), count(way, Outcome::Wrong))
        });
        let more = [Way::FirstMatch, Way::LineNumbers].map(|way| {
            let (ours, theirs) = (right(Way::Anchored), right(way));
            format!("true edits made of {}\t{ours}\t>={}\t{theirs}\t{}", self.can_be_right, theirs + 1, way.name())
        });
        wrong.into_iter().chain(more)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "| right / refused / wrong | cases |")?;
        Way::ALL.iter().try_for_each(|way| write!(formatter, " {} |", way.name()))?;
        writeln!(formatter, "\n|---|---:|{}", "---:|".repeat(Way::ALL.len()))?;
        for (group, cases) in &self.cases {
            let mut row = format!("| {group} | {cases} |");
            for way in Way::ALL {
                let [right, refused, wrong] =
                    [Outcome::Right, Outcome::Refused, Outcome::Wrong].map(|outcome| self.count(group, way, outcome));
                write!(row, " {right} / {refused} / {wrong} |")?;
            }
            writeln!(formatter, "{row}")?;
        }
        Ok(())
    }
}
