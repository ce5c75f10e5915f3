//! Lines of a text that take the place of others; each keeps its end.

/// Lines that take the place of others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// A line before which nothing is looked for.
    pub after: Option<String>,
    /// The number, from 1, of the first line that goes, in the text as it was before all changes.
    pub at: Option<usize>,
    /// The lines that are there.
    pub old: Vec<String>,
    /// Those that are there then.
    pub new: Vec<String>,
}

/// A text by its lines.
pub struct Lines {
    /// With their ends, which the last one may not have.
    pub all: Vec<String>,
    end: &'static str,
}

impl Lines {
    pub fn of(text: &str) -> Self {
        let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        Self { all: text.split_inclusive('\n').map(str::to_owned).collect(), end }
    }

    /// Where some lines stand, from a line on; without lines at the end.
    pub fn place(&self, old: &[String], from: usize) -> Option<usize> {
        if old.is_empty() {
            return Some(self.all.len());
        }
        (from..=self.all.len().checked_sub(old.len())?).find(|at| self.are(old, *at))
    }

    fn are(&self, old: &[String], at: usize) -> bool {
        let there = at.checked_add(old.len()).and_then(|end| self.all.get(at..end));
        there.is_some_and(|there| there.iter().zip(old).all(|(one, two)| one.trim_end() == two.trim_end()))
    }

    /// Puts new lines in the place of old ones; those at the edges that are the same stay. Returns the line after them.
    pub fn put(&mut self, at: usize, Change { old, new, .. }: &Change) -> usize {
        let same = |(one, two): &(&String, &String)| one == two;
        let above = old.iter().zip(new).take_while(same).count();
        let below = old[above..].iter().rev().zip(new[above..].iter().rev()).take_while(same).count();
        if at + old.len() - below == self.all.len() {
            self.end_last();
        }
        let end = self.end;
        let between = new[above..new.len() - below].iter().map(|line| format!("{}{end}", line.trim_end_matches('\r')));
        self.all.splice(at + above..at + old.len() - below, between);
        at + new.len()
    }

    /// Gives the last line an end, if it has none.
    pub fn end_last(&mut self) {
        if let Some(last) = self.all.last_mut().filter(|last| !last.ends_with('\n')) {
            last.push_str(self.end);
        }
    }
}

/// Applies changes that tell where they were, or else are looked for from the start; returns the text with how many of them found no place.
/// Whether the last line has an end stays as it was.
pub fn replaced(text: &str, changes: &[Change]) -> (String, usize) {
    let mut lines = Lines::of(text);
    let (mut added, mut gone, mut missed) = (0, 0, 0);
    for change in changes {
        let told = change.at.and_then(|at| (at + added).checked_sub(gone + 1));
        let there = told.filter(|at| *at <= lines.all.len() && lines.are(&change.old, *at));
        match there.or_else(|| lines.place(&change.old, 0).filter(|_| !change.old.is_empty() || told.is_none())) {
            Some(at) => {
                lines.put(at, change);
                (added, gone) = (added + change.new.len(), gone + change.old.len());
            }
            None => missed += 1,
        }
    }
    let mut text_then = lines.all.concat();
    if !text.is_empty() && !text.ends_with('\n') {
        let bare = text_then.trim_end_matches('\n').trim_end_matches('\r').len();
        // Blank lines before the end are lines.
        let ends = text_then[bare..].matches('\n').count();
        if ends == 1 {
            text_then.truncate(bare);
        }
    }
    (text_then, missed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_replaced_where_they_were_told_to_be() {
        let change = |at: Option<usize>, old: &[&str], new: &[&str]| {
            let all = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
            Change { after: None, at, old: all(old), new: all(new) }
        };
        let text = "x\ny\nx\nz";
        let check = |changes: &[Change], expected: &str, missed: usize| {
            assert_eq!(replaced(text, changes), (expected.to_owned(), missed));
        };
        check(&[change(Some(3), &["x"], &["w"])], "x\ny\nw\nz", 0);
        check(&[change(None, &["x"], &["w"])], "w\ny\nx\nz", 0);
        check(&[change(Some(1), &[], &["a", "b"]), change(Some(3), &["x"], &[])], "a\nb\nx\ny\nz", 0);
        check(&[change(Some(9), &["y"], &["w"])], "x\nw\nx\nz", 0);
        check(&[change(Some(4), &["z"], &["w"])], "x\ny\nx\nw", 0);
        check(&[change(Some(5), &[], &["w"])], "x\ny\nx\nz\nw", 0);
        check(&[change(Some(9), &[], &["w"]), change(None, &["q"], &[])], text, 2);
    }
}
