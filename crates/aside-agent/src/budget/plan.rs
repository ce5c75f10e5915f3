//! Which units are sent whole, shortened or not at all.
//!
//! The conversation is gone through from its beginning as it once grew. Each time it passed what the model can read, it
//! was cut back to a lower mark, and what was done then stays. So the plan of a longer conversation goes on from that of
//! its beginning, and needs nobody to remember it. Every unit is looked at a few times at most: the time is linear.

use std::ops::Range;

use super::units::{Unit, shortened_form, size};
use crate::history::Said;

/// To which part of the room the conversation is cut back: the rest is how far it grows before the next cut.
const LOWER_MARK: (usize, usize) = (3, 5);

/// How a unit is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Whole,
    Short,
    Gone,
}

/// What is sent of each unit.
pub(super) struct Plan {
    pub(super) forms: Vec<Form>,
    /// It is no more than there is room for.
    pub(super) fits: bool,
    /// Tokens for which there has to be room at least.
    pub(super) needed: usize,
}

/// Plans for so many tokens.
pub(super) fn plan(history: &[Said], units: &[Unit], most: usize) -> Plan {
    let lower = most * LOWER_MARK.0 / LOWER_MARK.1;
    let mut planning = Planning { history, units, most, lower, ..Planning::default() };
    (0..units.len()).for_each(|place| planning.take(place));
    let needed = planning.total.min(planning.least());
    let Planning { forms, total, .. } = planning;
    Plan { forms, needed, fits: total <= most }
}

#[derive(Default)]
struct Planning<'a> {
    history: &'a [Said],
    units: &'a [Unit],
    most: usize,
    lower: usize,
    forms: Vec<Form>,
    /// Tokens of each unit in its form: to count them takes a look at every byte.
    sizes: Vec<usize>,
    total: usize,
    /// Tokens of standing instructions.
    standing: usize,
    /// The first question that was answered and, once there is another, the last answer to it.
    first: Vec<usize>,
    /// The newest question.
    question: usize,
    /// The newest answer; what follows it belongs to it.
    answer: usize,
    /// Up to where earlier exchanges were shortened and left out.
    earlier: Done,
    /// The same within the newest exchange.
    newest: Done,
}

#[derive(Clone, Copy, Default)]
struct Done {
    shortened: usize,
    left_out: usize,
}

impl Planning<'_> {
    /// Takes the next unit as it once came.
    fn take(&mut self, place: usize) {
        let unit = &self.units[place];
        if unit.is_question {
            match self.first[..] {
                [] => self.first.push(place),
                [first] if self.answer > first => self.first.push(self.answer),
                // That was never answered.
                [_] => self.first = vec![place],
                _ => {}
            }
            self.question = place;
            self.newest = Done { shortened: place + 1, left_out: place + 1 };
        }
        if unit.is_answer {
            self.answer = place;
        }
        self.forms.push(Form::Whole);
        self.sizes.push(unit.size);
        self.total += unit.size;
        self.standing += if unit.is_standing { unit.size } else { 0 };
        if self.total > self.most {
            self.cut();
        }
    }

    /// The units after the newest question that stay.
    fn tail(&self) -> Range<usize> {
        self.answer.max(self.question + 1).min(self.forms.len())..self.forms.len()
    }

    /// Tokens of what is newest, at its shortest, and of what stays anyway.
    fn least(&self) -> usize {
        let newest = [self.question].into_iter().chain(self.tail());
        self.standing + newest.map(|place| self.size_as(place, Form::Short)).sum::<usize>()
    }

    /// Cuts back to the lower mark, gentlest first. The first exchange goes, and what is newest is shortened, only when
    /// there is no room even then; if that would not help either, nothing is cut, because nothing is sent.
    fn cut(&mut self) {
        if self.least() > self.most {
            return;
        }
        let newest = self.tail().start;
        while self.total > self.lower && self.earlier.shortened < self.question {
            self.shorten(self.earlier.shortened);
            self.earlier.shortened += 1;
        }
        // An exchange goes as a whole.
        let begins = |place: usize| self.units[place].is_question || place == self.question;
        let mut until = self.earlier.left_out;
        let mut left = self.total;
        while until < self.question && (left > self.lower || !begins(until)) {
            left -= if self.stays(until) { 0 } else { self.size(until) };
            until += 1;
        }
        (self.earlier.left_out..until).for_each(|place| self.leave_out(place));
        self.earlier.left_out = until;
        while self.total > self.lower && self.newest.shortened < newest {
            self.shorten(self.newest.shortened);
            self.newest.shortened += 1;
        }
        while self.total > self.lower && self.newest.left_out < newest {
            self.leave_out(self.newest.left_out);
            self.newest.left_out += 1;
        }
        if self.total > self.most {
            let question = self.question;
            let first = std::mem::replace(&mut self.first, vec![question]);
            first.into_iter().filter(|place| *place != question).for_each(|place| self.change(place, Form::Gone));
        }
        for place in [self.question].into_iter().chain(self.tail()) {
            if self.total > self.most {
                self.change(place, Form::Short);
            }
        }
    }

    fn stays(&self, place: usize) -> bool {
        self.first.contains(&place) || self.units[place].is_standing
    }

    fn shorten(&mut self, place: usize) {
        if !self.stays(place) {
            self.change(place, Form::Short);
        }
    }

    fn leave_out(&mut self, place: usize) {
        if !self.stays(place) {
            self.change(place, Form::Gone);
        }
    }

    fn change(&mut self, place: usize, form: Form) {
        if self.forms[place] == Form::Gone || self.forms[place] == form {
            return;
        }
        let size = self.size_as(place, form);
        self.forms[place] = form;
        self.total = self.total - std::mem::replace(&mut self.sizes[place], size) + size;
    }

    fn size(&self, place: usize) -> usize {
        self.sizes.get(place).copied().unwrap_or_default()
    }

    fn size_as(&self, place: usize, form: Form) -> usize {
        let Some(unit) = self.units.get(place) else { return 0 };
        match form {
            Form::Gone => 0,
            Form::Whole => unit.size,
            Form::Short => {
                let said = &self.history[unit.messages.clone()];
                let saved = |said: &Said| {
                    let short = shortened_form(said)?;
                    Some(size(&said.message).saturating_sub(size(&short)))
                };
                unit.size - said.iter().filter_map(saved).sum::<usize>()
            }
        }
    }
}
