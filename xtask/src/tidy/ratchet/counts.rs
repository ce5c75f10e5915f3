//! The numbers of the ratchet and the text that keeps them: `measure place count`, one line each.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use super::Offender;

const HEADER: &str = "\
# Old offenders against the style, counted by measure and place. No number may grow.
# Written by `cargo xtask tidy --shrink`. A merge can leave two lines for one place: the smaller one counts.
";

/// How many offenders each measure has in each place.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Counts(BTreeMap<(String, String), usize>);

/// A count that is not as the other counts have it.
#[derive(Debug, PartialEq, Eq)]
pub struct Difference {
    pub measure: String,
    pub place: String,
    pub allowed: usize,
    pub found: usize,
}

impl Counts {
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut counts = BTreeMap::new();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let words: Vec<&str> = line.split(' ').collect();
            let [measure, place, count] = words[..] else { return Err(unreadable(index, line)) };
            let count: usize = count.parse().map_err(|_| unreadable(index, line))?;
            let smallest = counts.entry((measure.to_owned(), place.to_owned())).or_insert(count);
            *smallest = count.min(*smallest);
        }
        Ok(Self(counts))
    }

    pub fn add(&mut self, measure: &str, offenders: &[Offender]) {
        for offender in offenders {
            *self.0.entry((measure.to_owned(), offender.place.clone())).or_default() += 1;
        }
    }

    /// Lists the counts in which `found` differs, in order.
    pub fn differences(&self, found: &Self) -> Vec<Difference> {
        let keys: BTreeSet<_> = self.0.keys().chain(found.0.keys()).collect();
        keys.into_iter()
            .map(|key| Difference {
                measure: key.0.clone(),
                place: key.1.clone(),
                allowed: self.0.get(key).copied().unwrap_or(0),
                found: found.0.get(key).copied().unwrap_or(0),
            })
            .filter(|difference| difference.allowed != difference.found)
            .collect()
    }
}

fn unreadable(index: usize, line: &str) -> String {
    format!("xtask/ratchet.txt:{}: `{line}` is not `measure place count`", index + 1)
}

impl fmt::Display for Counts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(HEADER)?;
        self.0.iter().try_for_each(|((measure, place), count)| writeln!(out, "{measure} {place} {count}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_survives_a_round_trip() {
        let text = format!("{HEADER}doc-lines crates/a 3\ntype-names Args 60\n");
        assert_eq!(Counts::parse(&text).unwrap().to_string(), text);
    }

    #[test]
    fn smaller_of_two_merged_lines_counts() {
        let merged = Counts::parse("a x 4\nb x 1\n\na x 3\na x 5\n").unwrap();
        assert_eq!(merged, Counts::parse("a x 3\nb x 1\n").unwrap());
    }

    #[test]
    fn unreadable_line_is_named() {
        let error = Counts::parse("# ok\n<<<<<<< HEAD\n").unwrap_err();
        assert_eq!(error, "xtask/ratchet.txt:2: `<<<<<<< HEAD` is not `measure place count`");
    }
}
