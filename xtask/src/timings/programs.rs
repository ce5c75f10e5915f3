//! The test programs that take longest, from the report of the last run.

use std::{collections::BTreeMap, path::Path};

use super::read;

/// How many are named.
const MOST: usize = 10;

/// Returns a table of the slowest programs: the sum of their tests' seconds.
pub fn slowest(report: &Path) -> Result<String, String> {
    let mut programs: Vec<_> = seconds(&read(report)?).into_iter().collect();
    programs.sort_by(|one, other| other.1.total_cmp(&one.1));
    let rows: String =
        programs.iter().take(MOST).map(|(name, seconds)| format!("| {name} | {seconds:.1} |\n")).collect();
    Ok(format!("| test program | seconds of its tests |\n|---|---:|\n{rows}"))
}

/// Reads the attributes of each `<testcase name=".." classname="PROGRAM" .. time="SECONDS">`.
fn seconds(report: &str) -> BTreeMap<String, f64> {
    let mut sums = BTreeMap::new();
    for case in report.split("<testcase ").skip(1) {
        let tag = case.split('>').next().unwrap_or_default();
        if let (Some(program), Some(Ok(time))) =
            (attribute(tag, "classname"), attribute(tag, "time").map(str::parse::<f64>))
        {
            *sums.entry(program.to_owned()).or_default() += time;
        }
    }
    sums
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    tag.split_once(&format!(" {name}=\""))?.1.split('"').next()
}

#[cfg(test)]
mod tests {
    #[test]
    fn tests_are_summed_by_program() {
        let report = r#"<testsuite name="a"><testcase name="x" classname="a::it" time="1.5"></testcase>
            <testcase name="y" classname="a::it" timestamp="t" time="0.25"/><testcase name="z" classname="b" time="2"/></testsuite>"#;
        let sums = super::seconds(report);
        assert_eq!(sums.into_iter().collect::<Vec<_>>(), [("a::it".to_owned(), 1.75), ("b".to_owned(), 2.0)]);
    }
}
