//! Reads edits, questions and commands out of a model's plain text, for models without tools.
//!
//! ```text
//! <<<EDIT path? lines N-M @base?     new lines, up to `<<<END`; no lines at all: the range is deleted
//! <<<DELETE path? lines N-M <<<END
//! <<<SEARCH path?                    old lines, `>>>REPLACE`, new lines, `<<<END`
//! <<<CREATE path                     the lines of a new file, up to `<<<END`
//! <<<SHOW path? lines N-M (, N-M)* @base?   and `<<<END`
//! <<<ACTION name {arguments}         or with the arguments in lines of their own, and `<<<END`
//! ```exec                            a command, up to the same run of backticks or tildes
//! ```
//!
//! Tolerant where the meaning is plain (CRLF, trailing blanks, dashes, case, longer markers), closed
//! where it is not: a block without its end is never carried out. Prose and code fences never edit.
//! Pure, total, never panics. What the blocks are about is decided in `text_calls`.

mod action;
mod fence;
mod header;
mod here_documents;
mod without;

use aside_core::LineRange;
use serde_json::{Map, Value};

use fence::{Fence, Holds};
use header::{Header, Keyword, ends_block, header_of, is_marker, text_before_end};
use here_documents::HereDocuments;
pub use without::{CHANGES, LEFT_OUT, fenced, without_changes};

/// What was read out of one answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// The blocks that are whole, in order.
    pub blocks: Vec<Block>,
    /// What looked like a block and can't be used.
    pub problems: Vec<Problem>,
}

impl Reading {
    /// Tells whether something in it asks to be carried out, well written or not.
    pub fn means_something(&self) -> bool {
        !self.blocks.is_empty() || self.problems.iter().any(|problem| !problem.fenced)
    }
}

/// One block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// Some lines become others.
    Edit {
        /// Which file, as written; the focused one if absent.
        path: Option<String>,
        /// The version the line numbers are in, as written.
        base: Option<String>,
        /// The lines that go.
        lines: LineRange,
        /// The lines that come, each ended by LF; empty if they are only deleted.
        new: String,
    },
    /// Some text becomes other text, wherever it is.
    Search {
        /// Which file, as written.
        path: Option<String>,
        /// The lines that go, each ended by LF.
        old: String,
        /// The lines that come, each ended by LF.
        new: String,
    },
    /// A new file.
    Create {
        /// Which file, as written.
        path: String,
        /// Its text.
        text: String,
    },
    /// The model wants to see lines.
    Show {
        /// Which file, as written.
        path: Option<String>,
        /// The version the line numbers are in, as written.
        base: Option<String>,
        /// Which lines.
        lines: Vec<LineRange>,
    },
    /// The model asks for an action by its name.
    Action {
        /// Its name, as written.
        name: String,
        /// Its arguments.
        args: Map<String, Value>,
    },
    /// The model wants a command to run.
    Exec {
        /// The command, as written.
        command: String,
    },
}

/// Why a block can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The line of the answer it starts at, from 1.
    pub line: usize,
    /// What is wrong and how to write it.
    pub text: String,
    /// It was in a code fence: most likely meant, possibly an example.
    pub fenced: bool,
}

/// Reads an answer.
pub fn read(text: &str) -> Reading {
    let mut reader = Reader { lines: lines_of(text), at: 0, reading: Reading::default() };
    while let Some(line) = reader.next() {
        if let Some(header) = header_of(line) {
            reader.block(header);
        } else if let Some(fence) = Fence::open(line) {
            reader.fence(&fence);
        }
    }
    reader.reading
}

fn lines_of(text: &str) -> Vec<&str> {
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect()
}

struct Reader<'a> {
    lines: Vec<&'a str>,
    /// The line after the one that was read last.
    at: usize,
    reading: Reading,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let line = self.lines.get(self.at).copied()?;
        self.at += 1;
        Some(line)
    }

    fn problem(&mut self, line: usize, text: impl Into<String>) {
        self.reading.problems.push(Problem { line, text: text.into(), fenced: false });
    }

    fn block(&mut self, header: Result<Header, String>) {
        let start = self.at;
        let header = match header {
            Ok(header) => header,
            Err(problem) => {
                self.skip_to_end();
                return self.problem(start, problem);
            }
        };
        let block = match header.keyword {
            Keyword::Show => self.show(header),
            Keyword::Delete => self.delete(header),
            Keyword::Edit => self.edit(header),
            Keyword::Create => self.create(header),
            Keyword::Search => self.search(&header),
            Keyword::Action => self.action(&header),
        };
        match block {
            Ok(block) => self.reading.blocks.push(block),
            Err(problem) => self.problem(start, problem),
        }
    }

    /// Nothing is lost when its end is missing, so that is forgiven.
    fn show(&mut self, header: Header) -> Result<Block, String> {
        if !header.closed {
            self.skip_own_end(&header);
        }
        Ok(Block::Show { path: header.path, base: header.base, lines: header.lines })
    }

    /// Leaves out the end of a block without a body, if it is there.
    fn skip_own_end(&mut self, header: &Header) {
        let next = self.lines[self.at..].iter().position(|line| !line.trim().is_empty());
        if let Some(next) = next.filter(|next| ends_block(self.lines[self.at + next], header.depth)) {
            self.at += next + 1;
        }
    }

    fn delete(&mut self, header: Header) -> Result<Block, String> {
        let lines = one_range(&header)?;
        if !header.closed && !self.body(&header)?.iter().all(|line| line.trim().is_empty()) {
            return Err("a DELETE block must be empty: write new lines with EDIT".to_owned());
        }
        Ok(Block::Edit { path: header.path, base: header.base, lines, new: String::new() })
    }

    fn edit(&mut self, header: Header) -> Result<Block, String> {
        let lines = one_range(&header);
        let new = if header.closed { Vec::new() } else { self.body(&header)? };
        Ok(Block::Edit { lines: lines?, new: joined(&new), path: header.path, base: header.base })
    }

    fn create(&mut self, header: Header) -> Result<Block, String> {
        let text = joined(&self.body(&header)?);
        let path = header.path.ok_or("a CREATE block needs a path: `<<<CREATE notes/new.md`")?;
        Ok(Block::Create { path, text })
    }

    fn search(&mut self, header: &Header) -> Result<Block, String> {
        let body = self.body(header)?;
        let middles: Vec<usize> =
            (0..body.len()).filter(|line| is_marker(body[*line], '>', header.depth, "REPLACE")).collect();
        let [middle] = middles[..] else {
            return Err(format!(
                "a SEARCH block needs exactly one line `{}REPLACE` between the old and the new lines",
                ">".repeat(header.depth)
            ));
        };
        let old = &body[..middle];
        if old.iter().all(|line| line.trim().is_empty()) {
            return Err("a SEARCH block needs some text that is not blank".to_owned());
        }
        Ok(Block::Search { path: header.path.clone(), old: joined(old), new: joined(&body[middle + 1..]) })
    }

    /// The lines up to the end marker. Another block's marker on the way means that the end is missing.
    fn body(&mut self, header: &Header) -> Result<Vec<&'a str>, String> {
        let end = format!("{}END", "<".repeat(header.depth));
        let mut body = Vec::new();
        while let Some(line) = self.next() {
            if ends_block(line, header.depth) {
                return Ok(body);
            }
            if let Some(last) = text_before_end(line, header.depth) {
                body.push(last);
                return Ok(body);
            }
            if header::depth_of(line) == Some(header.depth) {
                self.at -= 1;
                return Err(format!(
                    "its `{end}` is missing before the next block. If the text itself contains such markers, use one \
                     more `<` in the first and the last line of the block"
                ));
            }
            body.push(line);
        }
        Err(format!("its last line `{end}` is missing"))
    }

    /// Leaves out the body of a block whose first line is wrong.
    fn skip_to_end(&mut self) {
        let rest = &self.lines[self.at..];
        let stop = rest.iter().position(|line| is_end_of_any(line) || header::depth_of(line).is_some());
        if let Some(stop) = stop {
            self.at += stop + usize::from(is_end_of_any(rest[stop]));
        }
    }

    fn fence(&mut self, fence: &Fence<'_>) {
        let start = self.at;
        match fence.holds() {
            Holds::Command => return self.exec(start, fence),
            Holds::Unclear(problem) => {
                self.problem(start, problem);
                while self.next().is_some_and(|line| !fence.closed_by(line)) {}
                return;
            }
            Holds::Text => {}
        }
        let mut marker = None;
        while let Some(line) = self.next() {
            if fence.closed_by(line) {
                break;
            }
            if header::depth_of(line).is_some() {
                marker.get_or_insert(self.at);
            }
        }
        if let Some(line) = marker {
            let text = "it is inside a code fence, so it was treated as an example. To run it, write it again \
                        outside of any fence";
            self.reading.problems.push(Problem { line, text: text.to_owned(), fenced: true });
        }
    }

    /// A line of backticks inside of a here-document is of its text and ends nothing.
    fn exec(&mut self, start: usize, fence: &Fence<'_>) {
        let rest: Vec<&str> = self.lines[self.at..].iter().map(|line| fence.without_indent(line)).collect();
        let ends = |line: &str| line.trim_end() == fence.run;
        let mut documents = HereDocuments::default();
        let end = rest.iter().position(|line| {
            let is_end = documents.open().is_none() && ends(line);
            documents.read(line);
            is_end
        });
        let Some(end) = end else {
            let problem = match documents.open() {
                Some(word) if rest.iter().any(|line| ends(line)) => {
                    format!("the text that begins with `<<{word}` has no line `{word}` at its end")
                }
                _ => format!("the command has no closing `{}`", fence.run),
            };
            self.at += rest.iter().position(|line| ends(line)).map_or(0, |end| end + 1);
            return self.problem(start, problem);
        };
        let command = rest[..end].join("\n");
        self.at += end + 1;
        if !command.trim().is_empty() {
            self.reading.blocks.push(Block::Exec { command });
        }
    }
}

fn one_range(header: &Header) -> Result<LineRange, String> {
    match header.lines[..] {
        [lines] => Ok(lines),
        _ => Err("write one block per range of lines".to_owned()),
    }
}

fn joined(lines: &[&str]) -> String {
    lines.iter().flat_map(|line| [*line, "\n"]).collect()
}

fn is_end_of_any(line: &str) -> bool {
    let depth = line.trim_start().bytes().take_while(|byte| *byte == b'<').count();
    depth >= 3 && ends_block(line, depth)
}

#[cfg(test)]
mod tests;
