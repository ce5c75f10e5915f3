//! A uniform shift of the indent: the text has the same lines, all deeper, all shallower, or with tabs for spaces.

/// How indents of given lines become those of the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shift {
    /// The place is deeper by this white space.
    Deeper(String),
    /// The place is shallower by this white space.
    Shallower(String),
    /// The place has tabs for spaces.
    Tabs(Scale),
    /// The place has spaces for tabs.
    Spaces(Scale),
}

/// Two indents of different characters that say the same depth, and how many spaces one tab is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scale {
    given: usize,
    place: usize,
    /// None where all lines have one depth and nothing says it.
    unit: Option<usize>,
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
            Self::Tabs(scale) => Some("\t".repeat(scale.tabs(spaces(indent)?)?) + content),
            Self::Spaces(scale) => Some(" ".repeat(scale.spaces(tabs(indent)?)?) + content),
        }
    }
}

impl Scale {
    /// The one scale on which all these depths, given and at the place, lie; `per_tab` says whether the given ones are spaces.
    fn of(mut depths: impl Iterator<Item = (usize, usize)>, per_tab: bool) -> Option<Self> {
        let (given, place) = depths.next()?;
        let mut scale = Self { given, place, unit: None };
        for (other_given, other_place) in depths {
            let (in_given, in_place) = (other_given.abs_diff(given), other_place.abs_diff(place));
            let same_way = (other_given > given) == (other_place > place);
            let (spaces, tabs) = if per_tab { (in_given, in_place) } else { (in_place, in_given) };
            match (spaces, tabs) {
                (0, 0) => {}
                (0, _) | (_, 0) => return None,
                _ if !same_way || !spaces.is_multiple_of(tabs) => return None,
                _ if scale.unit.is_some_and(|unit| unit != spaces / tabs) => return None,
                _ => scale.unit = Some(spaces / tabs),
            }
        }
        Some(scale)
    }

    fn tabs(self, spaces: usize) -> Option<usize> {
        let Some(unit) = self.unit else { return (spaces == self.given).then_some(self.place) };
        let by = spaces.abs_diff(self.given);
        let by = by.is_multiple_of(unit).then_some(by / unit)?;
        if spaces < self.given { self.place.checked_sub(by) } else { Some(self.place + by) }
    }

    fn spaces(self, tabs: usize) -> Option<usize> {
        let Some(unit) = self.unit else { return (tabs == self.given).then_some(self.place) };
        let by = tabs.abs_diff(self.given) * unit;
        if tabs < self.given { self.place.checked_sub(by) } else { Some(self.place + by) }
    }
}

/// Returns the one shift that turns the given lines into those of the place; blanks at line ends don't count.
///
/// A block may be deeper or shallower and have tabs for spaces at once, so that all places where its lines stand in the same
/// steps are found: of several, none is taken.
pub(crate) fn shift_between<'text>(place: impl Iterator<Item = &'text str> + Clone, given: &[String]) -> Option<Shift> {
    let pairs = place.zip(given).map(|(line, given)| (line.trim_end(), given.trim_end()));
    let blank_alike = pairs.clone().all(|(line, given)| line.is_empty() == given.is_empty());
    let filled = pairs.filter(|(line, _)| !line.is_empty());
    let same_words = filled.clone().all(|(line, given)| split(line).1 == split(given).1);
    if !blank_alike || !same_words {
        return None;
    }
    let indents = filled.map(|(line, given)| (split(line).0, split(given).0));
    let telling = indents.clone().find(|(place, given)| place != given)?;
    by_text(telling, indents.clone())
        .or_else(|| scaled(indents.clone(), spaces, tabs, true).map(Shift::Tabs))
        .or_else(|| scaled(indents, tabs, spaces, false).map(Shift::Spaces))
}

/// The same white space before all lines, at the place or as they are given.
fn by_text<'text>(
    (place, given): (&str, &str),
    mut indents: impl Iterator<Item = (&'text str, &'text str)>,
) -> Option<Shift> {
    if let Some(by) = place.strip_suffix(given) {
        let fits = indents.all(|(place, given)| place.strip_prefix(by) == Some(given));
        return fits.then(|| Shift::Deeper(by.to_owned()));
    }
    let by = given.strip_suffix(place)?;
    indents.all(|(place, given)| given.strip_prefix(by) == Some(place)).then(|| Shift::Shallower(by.to_owned()))
}

fn scaled<'text>(
    indents: impl Iterator<Item = (&'text str, &'text str)> + Clone,
    of_given: fn(&str) -> Option<usize>,
    of_place: fn(&str) -> Option<usize>,
    per_tab: bool,
) -> Option<Scale> {
    let depths: Option<Vec<_>> = indents.map(|(place, given)| Some((of_given(given)?, of_place(place)?))).collect();
    Scale::of(depths?.into_iter(), per_tab)
}

fn spaces(indent: &str) -> Option<usize> {
    indent.bytes().all(|byte| byte == b' ').then_some(indent.len())
}

fn tabs(indent: &str) -> Option<usize> {
    indent.bytes().all(|byte| byte == b'\t').then_some(indent.len())
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

    /// New lines after the shift between a place and given lines, if there is one.
    fn fitted(place: &[&str], given: &[&str], new: &[&str]) -> Option<Vec<String>> {
        let shift = between(place, given)?;
        new.iter().map(|line| shift.apply(line)).collect()
    }

    #[test]
    fn finds_a_uniform_shift() {
        assert_eq!(between(&["  a", "", "    b "], &["a", "", "  b"]), Some(Shift::Deeper("  ".into())));
        assert_eq!(between(&["a", "  b"], &["\ta", "\t  b"]), Some(Shift::Shallower("\t".into())));
        assert!(matches!(between(&["a", "\tb", "\t\tc"], &["a", "    b", "        c"]), Some(Shift::Tabs(_))));
        assert!(matches!(between(&["a", "  b"], &["a", "\tb"]), Some(Shift::Spaces(_))));
    }

    #[test]
    fn depth_and_tabs_may_differ_at_once() {
        let place = ["\t\tif a:", "\t\t\tb"];
        for given in [["if a:", "    b"], ["    if a:", "        b"], ["   if a:", "      b"], ["  if a:", "   b"]] {
            assert!(matches!(between(&place, &given), Some(Shift::Tabs(_))), "{given:?}");
        }
        assert_eq!(
            fitted(&place, &["  if a:", "    b"], &["if x:", "  if a:", "      c"]).unwrap(),
            ["\tif x:", "\t\tif a:", "\t\t\t\tc"]
        );
        assert_eq!(fitted(&["    a", "      b"], &["\ta", "\t\tb"], &["\t\t\tc", "d"]).unwrap(), ["        c", "  d"]);
    }

    #[test]
    fn a_shift_that_is_not_uniform_is_none() {
        assert_eq!(between(&["  a", "  b"], &["a", " b"]), None);
        assert_eq!(between(&["  a", ""], &["a", "x"]), None);
        assert_eq!(between(&["\ta", "  b"], &["  a", "  b"]), None);
        assert_eq!(between(&["  a"], &["b"]), None);
        assert_eq!(between(&["\ta", "\t\tb", "\t\t\tc"], &["a", "  b", "      c"]), None);
    }

    #[test]
    fn new_lines_are_shifted_alike_or_not_at_all() {
        assert_eq!(fitted(&["\ta", "\t\tb"], &["  a", "    b"], &["    x y"]).unwrap(), ["\t\tx y"]);
        assert_eq!(fitted(&["\ta", "\t\tb"], &["  a", "    b"], &["   x"]), None);
        assert_eq!(fitted(&["\t\ta"], &["   a"], &["   x", ""]).unwrap(), ["\t\tx", ""]);
        assert_eq!(fitted(&["\t\ta"], &["   a"], &["    x"]), None, "nothing says how wide a tab is");
        assert_eq!(Shift::Shallower("  ".into()).apply(" x"), None);
        assert_eq!(Shift::Deeper("\t".into()).apply("").as_deref(), Some(""));
    }
}
