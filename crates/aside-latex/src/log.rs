//! Reads the log of a build, or what its programs put out, into problems. Any bytes are a log.
//!
//! One pass, each line looked at a bounded number of times: the time is linear in the length of the log.

mod boxes;
mod error;
mod excerpt;
mod files;
mod in_source;
mod line;
mod tools;
mod warning;
mod words;

use std::collections::HashMap;
use std::iter::Peekable;
use std::ops::Range;

pub use excerpt::*;
use files::Files;
use line::Line;

use crate::problem::{Problem, ProblemKind, Severity, Tool};

/// As many problems are read from one log; what comes later is mostly a consequence.
pub const MOST_PROBLEMS: usize = 5_000;
/// As many bytes are kept of what a program said.
const LONGEST_SAID: usize = 500;

/// What went wrong, in the order of the log, each once. Of several runs in one log the last of each program counts.
///
/// Takes the bytes as they are, since TeX may break a line within a character.
pub fn problems(log: impl AsRef<[u8]>) -> Vec<Problem> {
    let mut reading = Reading::new(log.as_ref());
    while let Some(line) = reading.next() {
        reading.read(line);
    }
    reading.finished()
}

/// A log that is being read.
struct Reading<'a> {
    lines: Peekable<Box<dyn Iterator<Item = Line> + 'a>>,
    files: Files,
    /// The program that is speaking, if it has said so.
    tool: Option<Tool>,
    found: Vec<Problem>,
    known: HashMap<(ProblemKind, Option<String>, Option<u32>, String), usize>,
    /// What was read for too long, until the error that says so.
    runaway: Option<(Range<usize>, String)>,
    /// The bibliography that Biber is reading.
    bibliography: Option<String>,
    /// What a traceback ended with, until SageTeX says where.
    raised: Option<(Range<usize>, String)>,
}

impl<'a> Reading<'a> {
    fn new(log: &'a [u8]) -> Self {
        let lines: Box<dyn Iterator<Item = Line> + 'a> = Box::new(line::lines(log));
        Self {
            lines: lines.peekable(),
            files: Files::default(),
            tool: None,
            found: Vec::new(),
            known: HashMap::new(),
            runaway: None,
            bibliography: None,
            raised: None,
        }
    }

    fn next(&mut self) -> Option<Line> {
        self.lines.next()
    }

    fn next_if(&mut self, wanted: impl Fn(&str) -> bool) -> Option<Line> {
        self.lines.next_if(|line| wanted(&line.text))
    }

    fn read(&mut self, line: Line) {
        if let Some(tool) = tools::banner(&line.text) {
            self.begin(tool);
        }
        if line.text.trim().is_empty() {
            return;
        }
        let of_tex = matches!(self.tool, None | Some(Tool::Tex));
        let read = (of_tex && self.read_tex(&line)) || (self.tool != Some(Tool::Tex) && tools::read(self, &line));
        if !read && of_tex {
            self.files.read(&line.text);
        }
    }

    fn read_tex(&mut self, line: &Line) -> bool {
        error::read(self, line) || warning::read(self, line) || boxes::read(self, line)
    }

    /// A program begins: what it said in an earlier run holds no more.
    fn begin(&mut self, tool: Tool) {
        self.tool = Some(tool);
        self.files = Files::default();
        self.runaway = None;
        if tool != Tool::Latexmk && self.found.iter().any(|problem| problem.tool == tool) {
            self.found.retain(|problem| problem.tool != tool);
            self.known = self.found.iter().enumerate().map(|(at, problem)| (key(problem), at)).collect();
        }
    }

    /// Keeps a problem; one that is known already is kept once, as the graver of the two.
    fn add(&mut self, mut problem: Problem) {
        problem.said = shortened(&problem.said, LONGEST_SAID);
        problem.message = shortened(&problem.message, LONGEST_SAID);
        if let Some(&at) = self.known.get(&key(&problem)) {
            let earlier = &mut self.found[at];
            earlier.severity = earlier.severity.min(problem.severity);
        } else if self.found.len() < MOST_PROBLEMS {
            self.known.insert(key(&problem), self.found.len());
            self.found.push(problem);
        }
    }

    fn failed(&self) -> bool {
        self.found.iter().any(|problem| problem.severity == Severity::Error)
    }

    fn finished(mut self) -> Vec<Problem> {
        warning::drop_summaries(&mut self.found);
        self.found
    }
}

fn key(problem: &Problem) -> (ProblemKind, Option<String>, Option<u32>, String) {
    (problem.kind, problem.file.clone(), problem.line, problem.message.clone())
}

/// At most so many bytes of a text, cut at a character.
fn shortened(text: &str, most: usize) -> String {
    text[..text.floor_char_boundary(most)].to_owned()
}

/// The number that a text begins with, and the rest.
fn number(text: &str) -> Option<(u32, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    Some((text[..digits].parse().ok()?, &text[digits..]))
}

#[cfg(test)]
mod tests;
