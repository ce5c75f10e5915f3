//! What an edit replaces by what, as one number.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, Visitor},
};

use crate::{hash::hash, lenient::Text};

/// A piece of text and what takes its place.
#[derive(Debug, Default)]
pub struct Pair<'a> {
    old: Text<'a>,
    new: Text<'a>,
}

impl<'a> Pair<'a> {
    /// Where an argument of this name belongs.
    pub fn slot(&mut self, name: &str) -> Option<&mut Text<'a>> {
        match name {
            "old_string" | "old_str" | "oldString" | "oldText" | "old_text" | "search" | "old" => Some(&mut self.old),
            "new_string" | "new_str" | "newString" | "newText" | "new_text" | "replace" | "new" => Some(&mut self.new),
            _ => None,
        }
    }

    /// The number of the change: zero if nothing changes.
    pub fn change(&self) -> i64 {
        hash(&[&self.old.0]).wrapping_sub(hash(&[&self.new.0]))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Pair<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Wanted;
        impl<'de> Visitor<'de> for Wanted {
            type Value = Pair<'de>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an edit")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pair<'de>, A::Error> {
                let mut pair = Pair::default();
                while let Some(name) = map.next_key::<Text<'de>>()? {
                    match pair.slot(&name.0) {
                        Some(slot) => *slot = map.next_value()?,
                        None => _ = map.next_value::<IgnoredAny>()?,
                    }
                }
                Ok(pair)
            }
        }
        deserializer.deserialize_map(Wanted)
    }
}

/// The same of a patch in the form of `apply_patch`.
pub fn of_patch(patch: &str) -> i64 {
    let lines = |mark: char| -> Vec<&str> { patch.lines().filter_map(|line| line.strip_prefix(mark)).collect() };
    of_lines(&lines('-'), &lines('+'))
}

/// The same of lines that go and lines that come.
pub fn of_lines(old: &[&str], new: &[&str]) -> i64 {
    hash(old).wrapping_sub(hash(new))
}
