//! The line of a problem, looked for in its source: TeX notices some faults late, or does not say where they are.

use super::words::quoted;
use crate::problem::{Problem, ProblemKind};

/// Letters of a runaway argument that are looked for.
const ENOUGH: usize = 40;

impl Problem {
    /// The line of this problem in the text of its file: where the missing thing is named, where the open argument began;
    /// else the line that the log says.
    pub fn line_in(&self, source: &str) -> Option<u32> {
        let found = match self.kind {
            ProblemKind::Runaway if self.line.is_none() => {
                self.near.as_deref().and_then(|near| beginning(near, source))
            }
            ProblemKind::DuplicateLabel => {
                quoted(&self.said).and_then(|name| lines_with(source, &format!("\\label{{{name}}}")).nth(1))
            }
            ProblemKind::Engine => between(&self.said, "Package ").and_then(|name| self.named_in(name, source)),
            ProblemKind::MissingCharacter => {
                between(&self.said, "There is no ").and_then(|character| self.named_in(character, source))
            }
            ProblemKind::MissingPackage
            | ProblemKind::MissingFile
            | ProblemKind::MissingFont
            | ProblemKind::BadOption => name(&self.said).and_then(|name| self.named_in(name, source)),
            _ => None,
        };
        found.or(self.line)
    }

    /// The last line up to the one that the log says that has a name, or its stem; the first of all, if the log says none.
    fn named_in(&self, name: &str, source: &str) -> Option<u32> {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let mut lines = lines_with(source, name).chain(lines_with(source, stem));
        match self.line {
            Some(late) => lines.filter(|&line| line <= late).max(),
            None => lines.next(),
        }
    }
}

/// What a message is about: the name in quotes, `x` of `x undefined`, `[x]`, `package x` or `No file x`.
fn name(said: &str) -> Option<&str> {
    let undefined = || said.split_once(" undefined")?.0.rsplit(' ').next();
    let listed = || said.split_once('[')?.1.split([',', ']']).next();
    let found = quoted(said).or_else(undefined).or_else(listed).or_else(|| between(said, "for package "));
    found.or_else(|| between(said, "No file ")).filter(|name| !name.is_empty())
}

/// The word behind some others.
fn between<'a>(said: &'a str, before: &str) -> Option<&'a str> {
    said.split_once(before)?.1.split([' ', '.', ':']).next()
}

/// The lines that have a text outside of comments, spaces not counted, from 1.
fn lines_with<'a>(source: &'a str, text: &str) -> impl Iterator<Item = u32> + 'a {
    let text = unspaced(text);
    let has = move |line: &str| unspaced(line.split_once('%').map_or(line, |(code, _)| code)).contains(&text);
    (1..).zip(source.lines()).filter(move |(_, line)| has(line)).map(|(line, _)| line)
}

fn unspaced(text: &str) -> String {
    text.chars().filter(|sign| !sign.is_whitespace()).collect()
}

/// The one line where a text begins that TeX shows with its own spacing.
fn beginning(near: &str, source: &str) -> Option<u32> {
    let near: String = unspaced(near.split("\\par").next()?).chars().take(ENOUGH).collect();
    let mut lines = (1..).zip(source.lines()).filter(|(_, line)| {
        let line = unspaced(line);
        near.len() > 2 && (line.contains(&near) || near.strip_prefix('{').is_some_and(|near| line.ends_with(near)))
    });
    let (line, _) = lines.next()?;
    lines.next().is_none().then_some(line)
}

#[cfg(test)]
mod tests {
    use crate::problems;

    fn check(log: &str, source: &str, expect: Option<u32>) {
        let found = problems(log);
        assert_eq!(found[0].line_in(source), expect, "{:?}", found[0].said);
    }

    #[test]
    fn what_is_missing_is_where_it_is_named() {
        let log = "(./a.tex\n! LaTeX Error: File `none.sty' not found.\n\nl.5 \\begin\n   {document}\n";
        check(log, "%\\usepackage{none}\n\\usepackage{none}\n\n\n\n\\usepackage{none}", Some(2));
        check(log, "nothing of it", Some(5));
        check("(./a.tex\nNo file one.tex.\n", "x\n\\include{one}", Some(2));
    }

    #[test]
    fn an_open_argument_is_where_it_begins() {
        let log = "(./a.tex\nRunaway argument?\n{bold text \\par Next. \\end {document} \n! File ended while scanning use of \\textbf .\n<inserted text> \n   \\par \n<*> a.tex\n\n";
        check(log, "x\n\\textbf{bold text\n\nNext.", Some(2));
        check(log, "{bold text\n{bold text", None);
    }

    #[test]
    fn the_second_of_two_labels_is_the_one_too_many() {
        let log = "(./a.tex (./a.aux\nLaTeX Warning: Label `a' multiply defined.\n\n";
        check(log, "\\label{a}\n\\label{b}\n\\label{a}", Some(3));
    }
}
