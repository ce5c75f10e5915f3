//! Walks over a LaTeX text and keeps what is open.

mod skip;

use std::collections::HashMap;

use super::{
    Imbalance, Unbalanced,
    names::{ADDRESS, INLINE, TABLES, VERBATIM},
};

/// As many delimiters are looked through for the math around them.
const DEEPEST_MATH: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Brace {
        loose: bool,
    },
    Environment,
    /// `$`.
    Inline,
    /// `$$`, `\(` and `\[`: closed by a sign of their own.
    Math,
    Left,
}

struct Open<'a> {
    sort: Sort,
    name: &'a str,
    at: usize,
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    open: Vec<Open<'a>>,
    /// How many of each are open, so that nothing is looked for in vain.
    counts: HashMap<&'a str, usize>,
    /// Open groups in which only braces count.
    loose: usize,
    found: Vec<Imbalance>,
}

pub(super) fn scan(text: &str) -> Vec<Imbalance> {
    let mut scan = Scan { text, at: 0, open: Vec::new(), counts: HashMap::new(), loose: 0, found: Vec::new() };
    while scan.at < text.len() && scan.step() {}
    for open in std::mem::take(&mut scan.open) {
        scan.tell(open.sort, open.name, open.at, false);
    }
    scan.found
}

impl<'a> Scan<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Reads one thing; false at the end of the document.
    fn step(&mut self) -> bool {
        let at = self.at;
        match self.text.as_bytes()[at] {
            b'\\' => return self.command(),
            b'%' => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
            b'\n' => self.line_end(),
            b'{' => {
                self.at += 1;
                self.push(Sort::Brace { loose: false }, "{", at);
            }
            b'}' => {
                self.at += 1;
                self.close("{", "}", at);
            }
            b'$' => self.dollar(),
            _ => self.at += 1,
        }
        true
    }

    /// An empty line ends a paragraph, and math can't go on behind it.
    fn line_end(&mut self) {
        self.at += 1;
        let rest = self.rest();
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        if !line.trim().is_empty() || self.loose > 0 {
            return;
        }
        while let Some(last) =
            self.open.last().filter(|last| matches!(last.sort, Sort::Inline | Sort::Math | Sort::Left))
        {
            let (sort, name, at) = (last.sort, last.name, last.at);
            self.pop();
            self.tell(sort, name, at, false);
        }
    }

    fn dollar(&mut self) {
        let at = self.at;
        let double = self.rest().starts_with("$$");
        self.at += 1;
        if self.loose > 0 {
            return;
        }
        match self.innermost_math() {
            Some("$") => self.close("$", "$", at),
            Some("$$") => {
                self.at += usize::from(double);
                self.close("$$", "$$", at);
            }
            _ if double => {
                self.at += 1;
                self.push(Sort::Math, "$$", at);
            }
            _ => self.push(Sort::Inline, "$", at),
        }
    }

    /// The math that is open within the innermost group or environment.
    fn innermost_math(&self) -> Option<&'a str> {
        let within =
            self.open.iter().rev().take_while(|open| !matches!(open.sort, Sort::Brace { .. } | Sort::Environment));
        within.take(DEEPEST_MATH).find(|open| open.sort != Sort::Left).map(|open| open.name)
    }

    fn command(&mut self) -> bool {
        let at = self.at;
        let name = command_name(&self.rest()[1..]);
        self.at += 1 + name.len();
        if name.is_empty() {
            self.at = self.text.len();
        } else if let Some(sign) = name.chars().next().filter(|sign| !sign.is_ascii_alphabetic()) {
            self.sign(sign, at);
        } else {
            return self.word(name, at);
        }
        true
    }

    fn sign(&mut self, sign: char, at: usize) {
        match sign {
            _ if self.loose > 0 => {}
            '(' => self.push(Sort::Math, "\\(", at),
            '[' => self.push(Sort::Math, "\\[", at),
            ')' => self.close("\\(", "\\)", at),
            ']' => self.close("\\[", "\\]", at),
            _ => {}
        }
    }

    fn word(&mut self, name: &'a str, at: usize) -> bool {
        match name {
            "begin" => self.begin(at),
            "end" => return self.end(at),
            "left" if self.loose == 0 => {
                self.skip_delimiter();
                self.push(Sort::Left, "\\left", at);
            }
            "right" if self.loose == 0 => {
                self.skip_delimiter();
                self.close("\\left", "\\right", at);
            }
            "iffalse" => self.skip_past("\\fi"),
            _ if INLINE.contains(&name) => self.inline(name),
            _ if ADDRESS.contains(&name) => self.address(),
            _ if self.loose == 0 => self.definition(name),
            _ => {}
        }
        true
    }

    fn begin(&mut self, at: usize) {
        let Some(name) = self.braced() else { return };
        if self.loose > 0 {
            return;
        }
        if VERBATIM.contains(&name) {
            let end = format!("\\end{{{name}}}");
            match self.rest().find(&end) {
                Some(length) => self.at += length + end.len(),
                None => {
                    self.at = self.text.len();
                    self.tell(Sort::Environment, name, at, false);
                }
            }
            return;
        }
        self.push(Sort::Environment, name, at);
        if let Some(&(_, groups)) = TABLES.iter().find(|(table, _)| *table == name) {
            self.loosely(groups);
        }
    }

    fn end(&mut self, at: usize) -> bool {
        let Some(name) = self.braced() else { return true };
        if self.loose == 0 {
            self.close(name, name, at);
        }
        if name == "document" && self.loose == 0 {
            self.at = self.text.len();
            return false;
        }
        true
    }

    fn push(&mut self, sort: Sort, name: &'a str, at: usize) {
        self.loose += usize::from(sort == Sort::Brace { loose: true });
        *self.counts.entry(name).or_default() += 1;
        self.open.push(Open { sort, name, at });
    }

    fn pop(&mut self) -> Option<Open<'a>> {
        let open = self.open.pop()?;
        self.loose -= usize::from(open.sort == Sort::Brace { loose: true });
        if let Some(count) = self.counts.get_mut(open.name) {
            *count -= 1;
        }
        Some(open)
    }

    /// Closes the innermost of a name; what was opened in it is told as not closed. With none open, this end is told.
    fn close(&mut self, name: &'a str, shown: &'a str, at: usize) {
        if self.counts.get(name).is_none_or(|&count| count == 0) {
            return self.tell(sort_of(name), shown, at, true);
        }
        while let Some(open) = self.pop() {
            if open.name == name {
                return;
            }
            self.tell(open.sort, open.name, open.at, false);
        }
    }

    fn tell(&mut self, sort: Sort, name: &str, at: usize, closes: bool) {
        let what = match sort {
            Sort::Brace { .. } => Unbalanced::Brace,
            Sort::Environment => Unbalanced::Environment,
            Sort::Inline | Sort::Math => Unbalanced::Math,
            Sort::Left => Unbalanced::Delimiter,
        };
        self.found.push(Imbalance { what, name: name.to_owned(), closes, line: 0, at });
    }
}

fn sort_of(name: &str) -> Sort {
    match name {
        "{" => Sort::Brace { loose: false },
        "$" => Sort::Inline,
        "$$" | "\\(" | "\\[" => Sort::Math,
        "\\left" => Sort::Left,
        _ => Sort::Environment,
    }
}

/// The letters of a command, or its one sign.
fn command_name(rest: &str) -> &str {
    let letters = rest.bytes().take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'@').count();
    match letters {
        0 => &rest[..rest.chars().next().map_or(0, char::len_utf8)],
        _ => &rest[..letters],
    }
}
