//! TableFacts about the values of a column.

use std::collections::HashMap;

use crate::{
    TableError,
    filter::{Filters, RowView},
    jobs::Job,
    rows::Rows,
    values::{ColumnKind, is_nothing, number_in},
};

/// Different values that are counted, and the bytes of all of them.
const MOST_DISTINCT: usize = 10_000;
const MOST_DISTINCT_BYTES: usize = 4 << 20;
/// The most frequent values that are named.
const TOP: usize = 8;
const BINS: usize = 24;
/// Numbers of which the distribution is made; of more, every second one is forgotten again and again.
const MOST_NUMBERS: usize = 1 << 20;

/// Facts about the values of a column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Rows.
    pub count: u64,
    /// Fields without a value.
    pub empty: u64,
    /// Different values; none if they are more than are counted.
    pub distinct: Option<u64>,
    /// The most frequent values, the most frequent first; empty if they are more than are counted.
    pub top: Vec<(String, u64)>,
    /// The numbers of a column of numbers.
    pub numbers: Option<NumberSummary>,
}

/// The numbers of a column.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberSummary {
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// The mean.
    pub mean: f64,
    /// How many are in each of equal parts from the smallest to the largest.
    pub bins: Vec<u64>,
}

/// A summary, or how far it is.
#[derive(Clone, Debug, PartialEq)]
pub enum SummaryState {
    /// The share of the file that has been looked through.
    Working(f64),
    /// The summary.
    Done(Summary),
}

/// Looks through a column in the rows that a view lets through.
pub(crate) fn summarise(
    job: &Job<Option<Summary>>,
    rows: &dyn Rows,
    (view, from): (&RowView, u64),
    (column, kind): (usize, ColumnKind),
) -> Result<(), TableError> {
    let filters = Filters::of(view, rows.numbers());
    let columns = filters.columns().map(|columns| [columns, vec![column]].concat()).unwrap_or_default();
    let mut counts = Counts::default();
    rows.walk(from, &columns, &mut |row, share, fields| {
        if filters.pass(fields) {
            let text = fields.field(column);
            counts.add(&text, (kind == ColumnKind::Number).then(|| number_in(&text, rows.numbers())).flatten());
        }
        job.goes_on(row, share)
    })?;
    *job.value() = Some(counts.finish());
    Ok(())
}

#[derive(Default)]
struct Counts {
    summary: Summary,
    values: HashMap<String, u64>,
    bytes: usize,
    overflowed: bool,
    numbers: Numbers,
}

impl Counts {
    fn add(&mut self, text: &str, number: Option<f64>) {
        self.summary.count += 1;
        if let Some(number) = number {
            self.numbers.add(number);
        }
        if is_nothing(text) {
            self.summary.empty += 1;
        } else if let Some(count) = self.values.get_mut(text) {
            *count += 1;
        } else if !self.overflowed && self.values.len() < MOST_DISTINCT && self.bytes < MOST_DISTINCT_BYTES {
            self.bytes += text.len();
            self.values.insert(text.to_owned(), 1);
        } else {
            self.overflowed = true;
            self.values = HashMap::new();
        }
    }

    fn finish(self) -> Summary {
        let mut summary = self.summary;
        summary.numbers = self.numbers.finish();
        if !self.overflowed {
            summary.distinct = Some(self.values.len() as u64);
            let mut top: Vec<_> = self.values.into_iter().collect();
            top.sort_by(|one, two| two.1.cmp(&one.1).then_with(|| one.0.cmp(&two.0)));
            top.truncate(TOP);
            summary.top = top;
        }
        summary
    }
}

/// Numbers, of which those in regular steps are kept.
struct Numbers {
    count: u64,
    sum: f64,
    min: f64,
    max: f64,
    step: u64,
    kept: Vec<f64>,
}

impl Default for Numbers {
    fn default() -> Self {
        Self { count: 0, sum: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY, step: 1, kept: Vec::new() }
    }
}

impl Numbers {
    fn add(&mut self, number: f64) {
        if self.count.is_multiple_of(self.step) {
            self.kept.push(number);
        }
        self.count += 1;
        self.sum += number;
        self.min = self.min.min(number);
        self.max = self.max.max(number);
        if self.kept.len() == MOST_NUMBERS {
            let mut keep = false;
            self.kept.retain(|_| {
                keep = !keep;
                keep
            });
            self.step *= 2;
        }
    }

    fn finish(self) -> Option<NumberSummary> {
        let Self { count, sum, min, max, step, kept } = self;
        if count == 0 {
            return None;
        }
        let mut bins = vec![0; BINS];
        for number in kept {
            let share = if max > min { (number / 2.0 - min / 2.0) / (max / 2.0 - min / 2.0) } else { 0.0 };
            bins[((share * BINS as f64) as usize).min(BINS - 1)] += step;
        }
        Some(NumberSummary { min, max, mean: sum / count as f64, bins })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_of_numbers_is_described() {
        let mut counts = Counts::default();
        for text in ["1", "3", "", "2", "2"] {
            counts.add(text, text.parse().ok());
        }
        let summary = counts.finish();
        assert_eq!((summary.count, summary.empty, summary.distinct), (5, 1, Some(3)));
        assert_eq!(summary.top[0], ("2".to_owned(), 2));
        let numbers = summary.numbers.unwrap();
        assert_eq!((numbers.min, numbers.max, numbers.mean), (1.0, 3.0, 2.0));
        assert_eq!((numbers.bins[0], numbers.bins[12], numbers.bins[23]), (1, 2, 1));
    }

    #[test]
    fn counted_values_are_bounded() {
        let mut counts = Counts::default();
        (0..=MOST_DISTINCT).for_each(|value| counts.add(&value.to_string(), None));
        let summary = counts.finish();
        assert_eq!((summary.count, summary.distinct, summary.top), (10_001, None, Vec::new()));
    }

    #[test]
    fn many_numbers_are_sampled() {
        let mut numbers = Numbers::default();
        (0..3 * MOST_NUMBERS).for_each(|number| numbers.add(number as f64));
        let summary = numbers.finish().unwrap();
        let all: u64 = summary.bins.iter().sum();
        assert!(all.abs_diff(3 * MOST_NUMBERS as u64) < 8, "{all}");
        assert_eq!(summary.max, (3 * MOST_NUMBERS - 1) as f64);
    }
}
