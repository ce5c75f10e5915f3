//! What was measured, beside what was asked for and what another program takes.

use std::{fs, path::PathBuf};

/// One line of the table.
pub struct Figure {
    name: String,
    value: f64,
    limit: Limit,
    /// The same figure of another program, and its name.
    peer: Option<(f64, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Limit {
    None,
    AtMost(f64),
    AtLeast(f64),
}

impl Limit {
    /// Reads `<=1.3`, `>=100`, or a bare number, which is at most; none if there is nothing.
    fn read(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::None);
        }
        let (limit, number): (fn(f64) -> Self, &str) = match text.strip_prefix(">=") {
            Some(number) => (Self::AtLeast, number),
            None => (Self::AtMost, text.strip_prefix("<=").unwrap_or(text)),
        };
        number.parse().ok().map(limit)
    }

    fn is_met(self, value: f64) -> bool {
        match self {
            Self::None => true,
            Self::AtMost(limit) => value <= limit,
            Self::AtLeast(limit) => value >= limit,
        }
    }

    fn shown(self, value: f64) -> String {
        let met = if self.is_met(value) { "met" } else { "NOT MET" };
        let short = |limit: f64| (limit * 100.0).round() / 100.0;
        match self {
            Self::None => String::new(),
            Self::AtMost(limit) => format!("≤ {} {met}", short(limit)),
            Self::AtLeast(limit) => format!("≥ {} {met}", short(limit)),
        }
    }
}

impl Figure {
    /// One that must not be above a limit.
    pub fn at_most(name: &str, value: f64, limit: f64) -> Self {
        Self { name: name.to_owned(), value, limit: Limit::AtMost(limit), peer: None }
    }

    /// One without a limit.
    pub fn plain(name: &str, value: f64) -> Self {
        Self { name: name.to_owned(), value, limit: Limit::None, peer: None }
    }

    /// Sets another program's figure beside it.
    pub fn beside(mut self, value: f64, name: &str) -> Self {
        self.peer = Some((value, name.to_owned()));
        self
    }

    /// Sets what it has to reach.
    pub fn at_least(self, limit: f64) -> Self {
        Self { limit: Limit::AtLeast(limit), ..self }
    }

    /// What is measured.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads `name<TAB>value<TAB>limit<TAB>peer's value<TAB>peer`, where the last three may be empty.
    pub fn read(line: &str) -> Option<Self> {
        let [name, value, limit, peer, who] = line.split('\t').collect::<Vec<_>>()[..] else { return None };
        let peer = peer.parse().ok().map(|peer| (peer, who.to_owned()));
        Some(Self { name: name.to_owned(), value: value.parse().ok()?, limit: Limit::read(limit)?, peer })
    }
}

/// Prints the table; an error says how many limits are not met.
pub fn report(figures: &[Figure]) -> Result<(), String> {
    println!("| figure | value | limit | peer | ratio |\n|---|---:|---:|---|---:|");
    for Figure { name, value, limit, peer } in figures {
        let (peer, ratio) = peer.as_ref().map_or_else(Default::default, |(other, name)| {
            (format!("{name}: {other:.2}"), format!("{:.2}", value / other))
        });
        println!("| {name} | {value:.2} | {} | {peer} | {ratio} |", limit.shown(*value));
    }
    let missed = figures.iter().filter(|figure| !figure.limit.is_met(figure.value)).count();
    if missed == 0 { Ok(()) } else { Err(format!("{missed} limits are not met (system load {})", load())) }
}

/// How busy the machine was: with other work beside, times say little.
fn load() -> String {
    fs::read_to_string("/proc/loadavg").map_or("not known".to_owned(), |text| text.trim_end().to_owned())
}

/// An empty folder below another.
pub fn scratch(parent: PathBuf, name: &str) -> Result<PathBuf, String> {
    let folder = parent.join(format!("aside-bench-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_go_both_ways() {
        let of = |limit| Limit::read(limit).unwrap();
        assert!(of("<=1.3").is_met(1.3) && !of("1.3").is_met(1.4));
        assert!(of(">=100").is_met(100.0) && !of(">=100").is_met(99.0));
        assert!(of("").is_met(f64::NAN));
        assert_eq!(Limit::read("many"), None);
        assert_eq!(of(">=100").shown(5.0), "≥ 100 NOT MET");
    }

    #[test]
    fn a_line_is_read_and_others_are_left() {
        let figure = Figure::read("a name\t1.5\t<=2\t3\tanother").unwrap();
        assert_eq!((figure.value, figure.limit, figure.peer), (1.5, Limit::AtMost(2.0), Some((3.0, "another".into()))));
        assert!(Figure::read("a warning of a tool").is_none());
    }
}
