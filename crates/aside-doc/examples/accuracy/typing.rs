//! What happens to the text between the moment a model reads it and the moment its edit comes.

use std::ops::Range;

use crate::{chance::Chance, truth::Truth};

/// One thing that a person does meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Typing {
    Nothing,
    LinesAbove,
    ManyLinesAbove,
    LinesGoneAbove,
    LinesBelow,
    /// The lines that the edit is about are copied to a place above or below.
    Copied,
    /// A line that the edit is about is changed.
    Inside,
    /// The lines that the edit is about are deleted.
    Deleted,
    /// They are put somewhere above.
    Moved,
    /// The edit is made by hand.
    MadeAlready,
}

impl Typing {
    const MEANWHILE: [Self; 9] = [
        Self::LinesAbove,
        Self::ManyLinesAbove,
        Self::LinesGoneAbove,
        Self::LinesBelow,
        Self::Copied,
        Self::Inside,
        Self::Deleted,
        Self::Moved,
        Self::MadeAlready,
    ];

    /// Every second time nothing.
    pub fn draw(chance: &mut Chance) -> Self {
        if chance.one_in(2) { Self::Nothing } else { *chance.of(&Self::MEANWHILE) }
    }

    /// Returns the text afterwards, and where the lines of the edit are then, changed or not; none if they are not there
    /// any more.
    pub fn done(self, text: &[String], truth: &Truth, chance: &mut Chance) -> (Vec<String>, Option<Range<usize>>) {
        let Range { start, end } = truth.lines.clone();
        let (above, mine, below) = (&text[..start], &text[start..end], &text[end..]);
        let far = |count: usize| (0..count).map(|line| format!("typed meanwhile {line}")).collect::<Vec<_>>();
        let at = chance.within(0..=above.len());
        let past = chance.within(0..=below.len());
        let with_above = |come: &[String]| {
            let text = [&above[..at], come, &above[at..], mine, below].concat();
            (text, Some(start + come.len()..end + come.len()))
        };
        match self {
            Self::Nothing => (text.to_vec(), Some(start..end)),
            Self::LinesAbove => with_above(&far(chance.within(1..=9))),
            Self::ManyLinesAbove => with_above(&far(500)),
            Self::LinesGoneAbove => {
                let gone = chance.within(0..=above.len().min(5));
                let kept = &above[..above.len() - gone];
                ([kept, mine, below].concat(), Some(start - gone..end - gone))
            }
            Self::LinesBelow => {
                let come = far(chance.within(1..=30));
                ([above, mine, &below[..past], &come, &below[past..]].concat(), Some(start..end))
            }
            Self::Copied if chance.one_in(2) => with_above(mine),
            Self::Copied => ([above, mine, &below[..past], mine, &below[past..]].concat(), Some(start..end)),
            Self::Inside => {
                let mut text = text.to_vec();
                let line = chance.within(start..=end - 1);
                text[line].push_str(" typed");
                (text, Some(start..end))
            }
            Self::Deleted => ([above, below].concat(), None),
            Self::Moved => ([&above[..at], mine, &above[at..], below].concat(), Some(at..at + mine.len())),
            Self::MadeAlready => ([above, &truth.new, below].concat(), None),
        }
    }
}
