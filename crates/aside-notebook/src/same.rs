//! Whether two notebooks hold the same, however they are spelled.

use crate::{Cell, Member, Notebook, Raw, lf};

impl Notebook {
    /// Tells whether another notebook holds the same: its cells in the same order and all else, layout and escapes aside.
    /// Numbers have to be spelled alike.
    pub fn is_same_as(&self, other: &Self) -> bool {
        let is_other = |member: &&Member| member.name != "cells";
        let (one, two): (Vec<_>, Vec<_>) =
            (self.members().iter().filter(is_other).collect(), other.members().iter().filter(is_other).collect());
        self.cells.len() == other.cells.len()
            && self.cells.iter().zip(&other.cells).all(|(one, two)| is_same_cell(one, two))
            && is_same_object(&one, &two)
    }
}

fn is_same_cell(one: &Cell, two: &Cell) -> bool {
    let is_other = |member: &&Member| member.name != "source";
    let (others, of_two): (Vec<_>, Vec<_>) =
        (one.members().iter().filter(is_other).collect(), two.members().iter().filter(is_other).collect());
    one.key() == two.key() && lf(&one.source()) == lf(&two.source()) && is_same_object(&others, &of_two)
}

fn is_same_object(one: &[&Member], two: &[&Member]) -> bool {
    let is_in_two = |member: &&Member| {
        two.iter()
            .rev()
            .find(|other| other.name == member.name)
            .is_some_and(|other| is_same(&member.value, &other.value))
    };
    one.len() == two.len() && one.iter().all(is_in_two)
}

fn is_same(one: &Raw, two: &Raw) -> bool {
    if one == two {
        return true;
    }
    if let (Some(one), Some(two)) = (one.members(), two.members()) {
        return is_same_object(&one.iter().collect::<Vec<_>>(), &two.iter().collect::<Vec<_>>());
    }
    if let (Some(one), Some(two)) = (one.items(), two.items()) {
        return one.len() == two.len() && one.iter().zip(&two).all(|(one, two)| is_same(one, two));
    }
    matches!((one.text(), two.text()), (Some(one), Some(two)) if one == two)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(source: &str, rest: &str) -> Notebook {
        let cell = format!(r#"{{"cell_type": "code", "id": "a", "source": {source}, "metadata": {{"tags": ["é"]}}}}"#);
        Notebook::read(format!(r#"{{"nbformat": 4, "nbformat_minor": 5, "cells": [{cell}], {rest}}}"#).as_bytes())
            .unwrap()
    }

    #[test]
    fn spelling_makes_no_other_notebook() {
        let one = read(r#"["a\r\n", "b"]"#, r#""metadata": {"x": 1.0, "y": "\u00e9"}"#);
        let two = read(r#""a\nb""#, "\n \"metadata\": {\"y\": \"é\",\n \"x\": 1.0}");
        assert!(one.is_same_as(&two) && two.is_same_as(&one));
        for other in
            [r#""metadata": {"x": 1, "y": "é"}"#, r#""metadata": {"x": 1.0}"#, r#""metadata": {"x": 1.0, "y": "e"}"#]
        {
            assert!(!one.is_same_as(&read(r#""a\nb""#, other)), "{other}");
        }
        assert!(!one.is_same_as(&read(r#""a\nc""#, r#""metadata": {"x": 1.0, "y": "é"}"#)));
    }
}
