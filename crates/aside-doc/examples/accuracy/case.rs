//! One edit: what was meant, what is said, what is there when it comes.

use aside_core::Version;
use aside_doc::{AnchoredEdit, BaseText, Lines, plan};

use crate::{
    chance::Chance,
    mistake::{Mistake, Said},
    peers,
    sources::Source,
    tally::{Outcome, Way},
    truth::Truth,
    typing::Typing,
};

pub struct Case {
    name: String,
    pub mistake: Mistake,
    pub typing: Typing,
    seen: Vec<String>,
    said: Said,
    current: Vec<String>,
    /// The text with the edit made where it was meant; none if that place is gone.
    meant: Option<Vec<String>>,
}

impl Case {
    /// Draws one on a source, if the lines that come up can be edited.
    pub fn draw(source: &Source, chance: &mut Chance) -> Option<Self> {
        let truth = Truth::draw(&source.lines, chance)?;
        let (mistake, typing) = (Mistake::draw(chance), Typing::draw(chance));
        let said = mistake.made(&source.lines, &truth);
        let (current, place) = typing.done(&source.lines, &truth, chance);
        // A mistake that happens to say other lines exactly, where they are, is no mistake that anybody can see.
        if said.names_a_twin(&source.lines, &truth) || said.says_others_there(&source.lines, &truth) {
            return None;
        }
        let made = |place: std::ops::Range<usize>| {
            let new = truth.made(&source.lines[truth.lines.clone()], &current[place.clone()], &said.left_out)?;
            Some([&current[..place.start], &new, &current[place.end..]].concat())
        };
        Some(Self {
            name: format!("{}:{}", source.name, truth.lines.start + 1),
            mistake,
            typing,
            meant: place.and_then(made),
            said,
            current,
            seen: source.lines.clone(),
        })
    }

    /// Does the edit one way, and compares. An edit that changes nothing is no edit.
    pub fn judge(&self, way: Way) -> Outcome {
        match self.done(way).filter(|text| *text != self.current) {
            None => Outcome::Refused,
            Some(text) if self.meant.as_ref().is_some_and(|meant| alike(meant, &text)) => Outcome::Right,
            Some(_) => Outcome::Wrong,
        }
    }

    /// Tells whether there is something to be done right.
    pub fn can_be_right(&self) -> bool {
        self.meant.is_some()
    }

    /// The case for a person who looks at why it went wrong.
    pub fn told(&self, way: Way) -> String {
        let Said { start, end, old, new, .. } = &self.said;
        let lines = |lines: &[String]| lines.iter().map(|line| format!("  |{line}\n")).collect::<String>();
        let made = self.done(way).unwrap_or_default();
        let same = made.iter().zip(&self.current).take_while(|(made, current)| made == current).count();
        let shown = &made[same.saturating_sub(2)..(same + 12).min(made.len())];
        format!(
            "{} {:?} {:?} {way:?}: {start}-{end}\nold\n{}new\n{}became, from line {same}\n{}",
            self.name,
            self.mistake,
            self.typing,
            lines(old),
            lines(new),
            lines(shown)
        )
    }

    fn done(&self, way: Way) -> Option<Vec<String>> {
        match way {
            Way::Anchored => self.anchored(true),
            Way::AnchoredText => self.anchored(false),
            Way::FirstMatch => peers::first_match(&self.current, &self.said),
            Way::LineNumbers => peers::line_numbers(&self.current, &self.said),
        }
    }

    fn anchored(&self, numbered: bool) -> Option<Vec<String>> {
        let (seen, current) = (joined(&self.seen), joined(&self.current));
        let number = |line: i64| u32::try_from(line).ok().filter(|_| numbered);
        let edit = AnchoredEdit {
            start: number(self.said.start),
            end: number(self.said.end),
            old: Some(joined(&self.said.old)),
            new: joined(&self.said.new),
        };
        let base = BaseText { version: Version::of(&seen), text: &seen };
        let plan = plan(&current, &Version::of(&current), Some(&base), &[edit]).ok()?;
        let after = plan.text_after(&current);
        let lines = Lines::new(&after);
        Some(lines.owned(0..lines.len()))
    }
}

fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Equal but for blanks at the ends of lines and typography, which a mistake may have put into what comes.
fn alike(one: &[String], two: &[String]) -> bool {
    let plain = |line: &String| {
        line.replace('\u{2019}', "'").replace('\u{2013}', "-").replace('\t', "    ").trim_end().to_owned()
    };
    one.len() == two.len() && one.iter().zip(two).all(|(one, two)| plain(one) == plain(two))
}
