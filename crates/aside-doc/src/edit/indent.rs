//! A uniform shift of the indent: the text has the same lines, all deeper, all shallower, or with tabs for spaces.

/// How indents of given lines become those of the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shift {
    /// The place is deeper by this white space.
    Deeper(String),
    /// The place is shallower by this white space.
    Shallower(String),
    /// The place has one tab for this many spaces.
    Tabs(usize),
    /// The place has this many spaces for one tab.
    Spaces(usize),
}

impl Shift {
    /// Returns a given line with the indent it has at the place; none if the shift does not apply to it.
    pub fn apply(&self, line: &str) -> Option<String> {
        if line.trim().is_empty() {
            return Some(line.to_owned());
        }
        let (indent, content) = split(line);
        match self {
            Self::Deeper(by) => Some(format!("{by}{line}")),
            Self::Shallower(by) => line.strip_prefix(by.as_str()).map(str::to_owned),
            Self::Tabs(unit) => {
                let whole = indent.bytes().all(|byte| byte == b' ') && indent.len().is_multiple_of(*unit);
                whole.then(|| "\t".repeat(indent.len() / unit) + content)
            }
            Self::Spaces(unit) => {
                let tabs = indent.bytes().all(|byte| byte == b'\t');
                tabs.then(|| " ".repeat(indent.len() * unit) + content)
            }
        }
    }
}

/// Returns the one shift that turns the given lines into those of the place; blanks at line ends don't count.
pub(crate) fn shift_between<'text>(place: impl Iterator<Item = &'text str> + Clone, given: &[String]) -> Option<Shift> {
    let pairs = place.zip(given).map(|(line, given)| (line.trim_end(), given.trim_end()));
    let blank_alike = pairs.clone().all(|(line, given)| line.is_empty() == given.is_empty());
    let mut filled = pairs.filter(|(line, _)| !line.is_empty());
    // A line without indent fits a change of tabs and spaces of any width.
    let telling = filled.clone().find(|(line, given)| split(line).0 != split(given).0)?;
    let shift = shift_of(split(telling.0).0, split(telling.1).0)?;
    let fits = |(line, given): (&str, &str)| shift.apply(given).as_deref() == Some(line);
    (blank_alike && filled.all(fits)).then_some(shift)
}

fn shift_of(place: &str, given: &str) -> Option<Shift> {
    let only = |indent: &str, byte| !indent.is_empty() && indent.bytes().all(|found| found == byte);
    if only(place, b'\t') && only(given, b' ') {
        return given.len().is_multiple_of(place.len()).then(|| Shift::Tabs(given.len() / place.len()));
    }
    if only(place, b' ') && only(given, b'\t') {
        return place.len().is_multiple_of(given.len()).then(|| Shift::Spaces(place.len() / given.len()));
    }
    if let Some(by) = place.strip_suffix(given) {
        return Some(Shift::Deeper(by.to_owned()));
    }
    given.strip_suffix(place).map(|by| Shift::Shallower(by.to_owned()))
}

fn split(line: &str) -> (&str, &str) {
    line.split_at(line.len() - line.trim_start_matches([' ', '\t']).len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(place: &[&str], given: &[&str]) -> Option<Shift> {
        let given: Vec<String> = given.iter().map(|line| (*line).to_owned()).collect();
        shift_between(place.iter().copied(), &given)
    }

    #[test]
    fn finds_a_uniform_shift() {
        assert_eq!(between(&["  a", "", "    b "], &["a", "", "  b"]), Some(Shift::Deeper("  ".into())));
        assert_eq!(between(&["a", "  b"], &["\ta", "\t  b"]), Some(Shift::Shallower("\t".into())));
        assert_eq!(between(&["a", "\tb", "\t\tc"], &["a", "    b", "        c"]), Some(Shift::Tabs(4)));
        assert_eq!(between(&["a", "  b"], &["a", "\tb"]), Some(Shift::Spaces(2)));
    }

    #[test]
    fn a_shift_that_is_not_uniform_is_none() {
        assert_eq!(between(&["  a", "  b"], &["a", " b"]), None);
        assert_eq!(between(&["  a", ""], &["a", "x"]), None);
        assert_eq!(between(&["\ta", "  b"], &["  a", "  b"]), None);
        assert_eq!(between(&["  a"], &["b"]), None);
    }

    #[test]
    fn new_lines_are_shifted_alike_or_not_at_all() {
        assert_eq!(Shift::Tabs(2).apply("    x y").as_deref(), Some("\t\tx y"));
        assert_eq!(Shift::Tabs(2).apply("   x"), None);
        assert_eq!(Shift::Shallower("  ".into()).apply(" x"), None);
        assert_eq!(Shift::Deeper("\t".into()).apply("").as_deref(), Some(""));
    }
}
