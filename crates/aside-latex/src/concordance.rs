//! Which line of a document with R code each line of the LaTeX file comes from that knitr, or Sweave, makes of it.
//!
//! ```text
//! \Sconcordance{concordance:a.tex:a.Rnw:[ofs 2:]%
//! 1 4 1 1 0 12 1}     the source line of the first line, then pairs: so many steps, by so many source lines each
//! ```

/// Lines of the LaTeX file; more are no document's.
const MOST_LINES: usize = 1_000_000;

/// The lines of a document with R code, for each line of what was made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concordance {
    /// Lines of the LaTeX file before the first one that is told of.
    before: usize,
    sources: Vec<u32>,
}

impl Concordance {
    /// Reads the file that is written beside the LaTeX file; none if it is not one of these.
    pub fn parse(text: &str) -> Option<Self> {
        let (_, told) = text.split_once("\\Sconcordance{concordance:")?;
        let (told, _) = told.split_once('}')?;
        let (head, numbers) = told.rsplit_once(':')?;
        let before = match head.rsplit_once(':') {
            Some((_, offset)) => {
                offset.trim().strip_prefix("ofs ").map_or(Some(0), |lines| lines.trim().parse().ok())?
            }
            None => 0,
        };
        let numbers = numbers.split(|sign: char| sign.is_whitespace() || sign == '%').filter(|word| !word.is_empty());
        let numbers: Vec<i64> = numbers.map(|word| word.parse().ok()).collect::<Option<_>>()?;
        let (first, pairs) = numbers.split_first()?;
        let (mut at, mut sources) = (*first, vec![u32::try_from(*first).ok()?]);
        for pair in pairs.chunks(2) {
            let [times, by] = pair else { return None };
            for _ in 0..*times {
                at = at.checked_add(*by)?;
                sources.push(u32::try_from(at).ok()?);
                if sources.len() > MOST_LINES {
                    return None;
                }
            }
        }
        Some(Self { before, sources })
    }

    /// Returns the line of the document that a line of the LaTeX file comes from.
    pub fn source(&self, line: u32) -> Option<u32> {
        let at = (line as usize).checked_sub(self.before + 1)?;
        self.sources.get(at.min(self.sources.len() - 1)).copied()
    }

    /// Returns the first line of the LaTeX file that comes from a line of the document, or from the next one of which any does.
    pub fn made_of(&self, line: u32) -> Option<u32> {
        let next = self.sources.iter().copied().filter(|source| *source >= line).min()?;
        let at = self.sources.iter().position(|source| *source == next)?;
        u32::try_from(self.before + at + 1).ok()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_line_has_the_line_that_it_comes_from() {
        // Three lines as they are, five that a piece of code became, and the rest.
        let found = Concordance::parse("\\Sconcordance{concordance:a.tex:a.Rnw:%\n1 2 1 1 2 4 0%\n1 3 2 1}\n").unwrap();
        let sources: Vec<_> = (1..=11).map(|line| found.source(line).unwrap()).collect();
        assert_eq!(sources, [1, 2, 3, 5, 5, 5, 5, 5, 8, 9, 10]);
        assert_eq!((found.source(0), found.source(99)), (None, Some(10)));
        assert_eq!((found.made_of(3), found.made_of(4), found.made_of(8)), (Some(3), Some(4), Some(9)));
        assert_eq!(found.made_of(11), None);
    }

    #[test]
    fn the_lines_before_it_are_not_told_of() {
        let found = Concordance::parse("\\Sconcordance{concordance:a.tex:a.Rnw:ofs 2:1 1 1}").unwrap();
        assert_eq!((found.source(2), found.source(3), found.source(4)), (None, Some(1), Some(2)));
        assert_eq!(found.made_of(2), Some(4));
    }

    #[test]
    fn what_is_none_is_not_read() {
        let named = |numbers: &str| format!("\\Sconcordance{{concordance:a.tex:a.Rnw:{numbers}}}");
        for numbers in ["", "x", "1 2", "1 1 -9", "1 99999999999 1", "1 2 99999999999999999999"] {
            assert_eq!(Concordance::parse(&named(numbers)), None, "{numbers}");
        }
        assert_eq!(Concordance::parse("\\input{a}"), None);
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(lines in prop::collection::vec(1u32..1000, 1..40)) {
            let steps = lines.windows(2).map(|two| format!(" 1 {}", i64::from(two[1]) - i64::from(two[0])));
            let numbers = format!("{}{}", lines[0], steps.collect::<String>());
            let found = Concordance::parse(&format!("\\Sconcordance{{concordance:a.tex:a.Rnw:%\n{numbers}}}")).unwrap();
            for (number, line) in (1..).zip(&lines) {
                prop_assert_eq!(found.source(number), Some(*line));
            }
        }
    }
}
