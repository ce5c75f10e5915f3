//! A table of tokens and cost, in the columns that people know.

use std::collections::BTreeSet;

use aside_history::{ModelSums, Sums};

use super::width::{NARROW, cut, width};
use crate::output::on_one_line;

const HEADS: [&str; 6] = ["Input", "Output", "Cache Create", "Cache Read", "Total Tokens", "Cost (USD)"];

/// How a table looks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    /// The columns that few look at are left out, as the person wants it.
    pub compact: bool,
    /// The money is left out.
    pub without_cost: bool,
    /// How wide it can be; none if nothing limits it.
    pub columns: Option<usize>,
}

impl Look {
    fn is_narrow(&self) -> bool {
        self.columns.is_some_and(|columns| columns < NARROW)
    }

    fn shows(&self, column: usize) -> bool {
        !((self.compact || self.is_narrow()) && WIDE.contains(&column) || self.without_cost && column == COST)
    }
}

/// Lines of text, set in columns at the end.
#[derive(Debug)]
pub struct Table {
    lines: Vec<Line>,
    has_last: bool,
    look: Look,
}

/// Columns that a compact table leaves out.
const WIDE: std::ops::RangeInclusive<usize> = 4..=6;
/// The column of the money.
const COST: usize = 7;
/// Between columns.
const GAP: &str = "  ";
/// The first column keeps so much of its width, however narrow the table has to be.
const LEAST: usize = 12;

#[derive(Debug)]
enum Line {
    Cells(Vec<String>),
    Heading(String),
    Rule,
}

impl Table {
    /// A table whose first column has this head.
    pub fn new(first: &str, look: Look) -> Self {
        let heads = [first, "Models"].into_iter().chain(HEADS).map(str::to_owned).collect();
        Self { lines: vec![Line::Cells(heads), Line::Rule], has_last: false, look }
    }

    /// Adds a last column.
    pub fn with_last(mut self, head: &str) -> Self {
        if let Some(Line::Cells(heads)) = self.lines.first_mut() {
            heads.push(head.to_owned());
        }
        self.has_last = true;
        self
    }

    /// Adds a line without columns.
    pub fn heading(&mut self, text: &str) {
        self.lines.push(Line::Heading(text.to_owned()));
    }

    /// Adds a line, with one more for each further model.
    pub fn line(&mut self, first: &str, models: &[String], sums: &Sums, last: Option<&str>) {
        // Versions of a model go by one short name.
        let mut shown = BTreeSet::new();
        self.named(first, models.iter().map(|name| short(name)).filter(|name| shown.insert(name.clone())), sums, last);
    }

    /// Adds the line of one model below another line, by its whole name: a version of it may have a line of its own.
    pub fn model(&mut self, model: &ModelSums) {
        self.named("", std::iter::once(format!("└ {}", on_one_line(&model.model_name))), &model.sums, None);
    }

    fn named(&mut self, first: &str, mut models: impl Iterator<Item = String>, sums: &Sums, last: Option<&str>) {
        let mut cells = vec![first.to_owned(), models.next().unwrap_or_default()];
        cells.extend(numbers(sums));
        if self.has_last {
            cells.push(last.unwrap_or_default().to_owned());
        }
        self.lines.push(Line::Cells(cells));
        self.lines.extend(models.map(|model| Line::Cells(vec![String::new(), model])));
    }

    /// Adds the last line.
    pub fn total(&mut self, sums: &Sums) {
        self.lines.push(Line::Rule);
        self.line("Total", &[], sums, None);
    }

    /// The table as text.
    pub fn text(&self) -> String {
        let widths = self.widths();
        let rule = "─".repeat(total(&widths));
        let text = |line: &Line| match line {
            Line::Heading(text) => text.clone(),
            Line::Rule => rule.clone(),
            Line::Cells(cells) => set(cells, &widths),
        };
        let text = self.lines.iter().map(|line| text(line).trim_end().to_owned()).collect::<Vec<_>>().join("\n");
        if self.look.is_narrow() && !self.look.compact { text + LEFT_OUT } else { text }
    }

    /// The columns that are shown, each with its width.
    fn widths(&self) -> Vec<(usize, usize)> {
        let cells = |line: &Line| if let Line::Cells(cells) = line { Some(cells.clone()) } else { None };
        let rows: Vec<Vec<String>> = self.lines.iter().filter_map(cells).collect();
        let widest = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| width(cell)).max();
        let shown = (0..8 + usize::from(self.has_last)).filter(|column| self.look.shows(*column));
        let mut widths: Vec<(usize, usize)> = shown.map(|column| (column, widest(column).unwrap_or(0))).collect();
        let too_wide = self.look.columns.map_or(0, |columns| total(&widths).saturating_sub(columns));
        if let Some((_, first)) = widths.first_mut() {
            *first = first.saturating_sub(too_wide).max(LEAST.min(*first));
        }
        widths
    }
}

/// What a narrow table says of itself.
const LEFT_OUT: &str = "\n\nThe terminal is narrow: the columns for caches and total tokens are hidden.";

fn total(widths: &[(usize, usize)]) -> usize {
    (widths.iter().map(|(_, width)| width + GAP.len()).sum::<usize>()).saturating_sub(GAP.len())
}

/// Numbers stand to the right, names to the left.
fn set(cells: &[String], widths: &[(usize, usize)]) -> String {
    let one = |(column, columns): &(usize, usize)| {
        let cell = cut(cells.get(*column).map_or("", String::as_str), *columns);
        let space = " ".repeat(columns.saturating_sub(width(&cell)));
        if (2..=7).contains(column) { space + &cell } else { cell + &space }
    };
    widths.iter().map(one).collect::<Vec<_>>().join(GAP)
}

fn numbers(sums: &Sums) -> [String; 6] {
    [
        grouped(sums.input_tokens),
        grouped(sums.output_tokens),
        grouped(sums.cache_creation_tokens),
        grouped(sums.cache_read_tokens),
        grouped(sums.total_tokens),
        cost(sums),
    ]
}

/// Dollars, with `~` if some of it is estimated and `?` if something is missing in it.
pub fn cost(sums: &Sums) -> String {
    if sums.unpriced > 0 && sums.unpriced == sums.responses {
        return "?".to_owned();
    }
    let about = if sums.estimated > 0 { "~" } else { "" };
    let missing = if sums.unpriced > 0 { " ?" } else { "" };
    format!("{about}{}{missing}", dollars(sums.picodollars))
}

/// Dollars and cents, rounded to the nearest one.
pub fn dollars(picodollars: u64) -> String {
    // The projection of a block that has just begun can be the largest number.
    let cents = picodollars.saturating_add(5_000_000_000) / 10_000_000_000;
    format!("${}.{:02}", grouped(cents / 100), cents % 100)
}

/// A number with commas between its thousands.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let (head, rest) = digits.split_at(first);
    let groups = rest.as_bytes().chunks(3).map(|group| String::from_utf8_lossy(group).into_owned());
    let head = (!head.is_empty()).then(|| head.to_owned());
    head.into_iter().chain(groups).collect::<Vec<_>>().join(",")
}

/// A model's name without the maker and the date that all have.
fn short(name: &str) -> String {
    let name = on_one_line(name);
    let bare = name.strip_prefix("claude-").unwrap_or(&name);
    match bare.rsplit_once('-') {
        Some((before, date)) if date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit()) => before.to_owned(),
        _ => bare.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_people_write_them() {
        let written = [0, 7, 999, 1000, 25_000, 1_234_567].map(grouped);
        assert_eq!(written, ["0", "7", "999", "1,000", "25,000", "1,234,567"]);
        assert_eq!(
            [0, 4_999_999_999, 5_000_000_000, 1_234_567_890_000_000, u64::MAX].map(dollars),
            ["$0.00", "$0.00", "$0.01", "$1,234.57", "$18,446,744.07"]
        );
        assert_eq!(["claude-opus-4-5-20251101", "gpt-5-codex"].map(short), ["opus-4-5", "gpt-5-codex"]);
    }

    #[test]
    fn what_nobody_knows_is_never_free() {
        let sums = Sums { responses: 2, unpriced: 2, ..Sums::default() };
        assert_eq!(cost(&sums), "?");
        let some = Sums { responses: 3, unpriced: 1, estimated: 1, picodollars: 1_500_000_000_000, ..Sums::default() };
        assert_eq!(cost(&some), "~$1.50 ?");
    }

    #[test]
    fn columns_stand_below_their_heads() {
        let mut table = Table::new("Date", Look::default());
        let sums = Sums {
            input_tokens: 1000,
            total_tokens: 1000,
            responses: 1,
            picodollars: 2_000_000_000_000,
            ..Sums::default()
        };
        table.line("2026-06-30", &["claude-opus-4-5-20251101".to_owned()], &sums, None);
        table.total(&sums);
        let text = table.text();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("Date        Models") && lines[0].ends_with("Cost (USD)"));
        assert!(lines[2].starts_with("2026-06-30  opus-4-5  1,000") && lines[2].ends_with("     $2.00"), "{text}");
        assert!(lines[4].starts_with("Total "), "{text}");
        let mut table = Table::new("Date", Look { compact: true, ..Look::default() }).with_last("State");
        table.line("2026-06-30", &["gpt-5".to_owned()], &sums, Some("active"));
        let text = table.text();
        let heads: Vec<&str> = text.lines().next().unwrap().split("  ").filter(|head| !head.is_empty()).collect();
        assert_eq!(heads, ["Date", "Models", "Input", "Output", "Cost (USD)", "State"], "{text}");
    }

    #[test]
    fn names_stay_on_their_line() {
        assert_eq!(short("claude-opus\nFAKE ROW\u{1b}[2J\tx"), "opus\\nFAKE ROW\\u{1b}[2J\\tx");
    }

    #[test]
    fn versions_of_a_model_are_named_once_and_told_apart_below() {
        let names = ["claude-opus-4-5-20251101", "gpt-5", "claude-opus-4-5"].map(str::to_owned);
        let sums = Sums { responses: 1, ..Sums::default() };
        let mut table = Table::new("Date", Look::default());
        table.line("2026-06-30", &names, &sums, None);
        for model_name in names {
            table.model(&ModelSums { model_name, sums: sums.clone() });
        }
        let text = table.text();
        let named: Vec<&str> = text.lines().skip(2).map(|line| line[12..].split("  ").next().unwrap()).collect();
        assert_eq!(
            named,
            ["opus-4-5", "gpt-5", "└ claude-opus-4-5-20251101", "└ gpt-5", "└ claude-opus-4-5"],
            "{text}"
        );
    }

    #[test]
    fn a_narrow_table_fits_and_says_what_is_missing() {
        let sums = Sums { responses: 1, picodollars: 2_000_000_000_000, ..Sums::default() };
        let mut table = Table::new("Session", Look { columns: Some(60), ..Look::default() });
        table.line(
            "店を直す、それから棚を",
            &["claude-opus-4-5".to_owned(), "claude-haiku-4-5".to_owned()],
            &sums,
            None,
        );
        table.line("Fix the shop", &["gpt-5".to_owned()], &sums, None);
        assert_eq!(
            table.text(),
            "Session                 Models     Input  Output  Cost \
             (USD)\n────────────────────────────────────────────────────────────\n店を直す、それから棚を  opus-4-5       0       \
             0       $2.00\n                        haiku-4-5\nFix the shop            gpt-5          0       0       \
             $2.00\n\nThe terminal is narrow: the columns for caches and total tokens are hidden."
        );
        table.look = Look { columns: Some(50), without_cost: true, ..table.look };
        assert!(table.text().starts_with("Session                 Models     Input  Output\n──"), "{}", table.text());
        table.look.columns = Some(40);
        assert!(table.text().contains("\n店を直す、そ…   opus-4-5       0       0\n"), "{}", table.text());
    }
}
