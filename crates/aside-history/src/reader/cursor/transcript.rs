//! What older versions of Cursor's agent kept: a text with a line before each turn, call and result.
//!
//! ```text
//! user:
//! <user_query>
//! Fix the cart
//! </user_query>
//!
//! A:
//! [Thinking] Where is it?
//! [Tool call] Read
//!   path: /w/cart.rs
//!
//! [Tool result] Read
//! …
//! ```

use serde_json::{Map, Value};

use super::asked;
use crate::{
    reader::session::Known,
    record::{Found, Place, Role},
};

/// What is being read.
struct Reading<'r> {
    known: &'r Known,
    found: &'r mut Found,
    role: Role,
    part: Part,
    /// Where the part begins.
    begins: u64,
}

/// What the lines are part of.
enum Part {
    Said(String),
    Call(Called),
    /// What a tool put out, or what stands before the first turn.
    Nothing,
}

/// A call, with its arguments so far.
struct Called {
    name: String,
    arguments: Map<String, Value>,
    last: String,
}

/// Reads a whole file, before which are `base` bytes.
pub fn transcript(known: &Known, bytes: &[u8], base: usize, found: &mut Found) {
    let mut reading = Reading { known, found, role: Role::User, part: Part::Nothing, begins: 0 };
    let mut offset = base as u64;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        reading.line(String::from_utf8_lossy(line).trim_end(), offset);
        offset += line.len() as u64;
    }
    reading.end(offset);
}

impl Reading<'_> {
    fn line(&mut self, line: &str, offset: u64) {
        let role = match line {
            "user:" => Some(Role::User),
            "assistant:" | "A:" => Some(Role::Assistant),
            _ => None,
        };
        if let Some(role) = role {
            self.begin(Part::Said(String::new()), offset);
            self.role = role;
        } else if let Some(name) = line.strip_prefix("[Tool call]") {
            let call = Called { name: name.trim().to_owned(), arguments: Map::new(), last: String::new() };
            self.begin(Part::Call(call), offset);
        } else if line.starts_with("[Tool result]") {
            self.begin(Part::Nothing, offset);
        } else if !line.starts_with("[Thinking]") {
            self.more(line, offset);
        }
    }

    /// A line that begins nothing.
    fn more(&mut self, line: &str, offset: u64) {
        match &mut self.part {
            Part::Said(text) => {
                text.push_str(line);
                text.push('\n');
            }
            Part::Call(call) if line.is_empty() || line.starts_with("  ") => call.take(line),
            Part::Call(_) => self.begin(Part::Said(format!("{line}\n")), offset),
            Part::Nothing => {}
        }
    }

    fn begin(&mut self, part: Part, offset: u64) {
        self.end(offset);
        (self.part, self.begins) = (part, offset);
    }

    /// Takes what ends here.
    fn end(&mut self, offset: u64) {
        let length = u32::try_from(offset - self.begins).unwrap_or(u32::MAX);
        let when = (None, Place { offset: self.begins, length });
        match std::mem::replace(&mut self.part, Part::Nothing) {
            Part::Said(text) => {
                self.known.message(self.role, asked(self.role, text.trim()).to_owned(), when, self.found)
            }
            Part::Call(Called { name, arguments, .. }) => {
                let name = Some(&*name).filter(|name| !name.is_empty());
                self.known.call((name, None, Some(&Value::Object(arguments))), when, self.found);
            }
            Part::Nothing => {}
        }
    }
}

impl Called {
    /// Takes `  name: value`, or what goes on from the line before.
    fn take(&mut self, line: &str) {
        let line = line.strip_prefix("  ").unwrap_or(line);
        let is_name =
            |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        match line.split_once(':').filter(|(name, _)| is_name(name)) {
            Some((name, value)) => {
                name.clone_into(&mut self.last);
                self.arguments.insert(name.to_owned(), value.trim_start().into());
            }
            None => {
                if let Some(Value::String(value)) = self.arguments.get_mut(&self.last).filter(|_| !line.is_empty()) {
                    value.push('\n');
                    value.push_str(line);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Source, reader::tests::read_whole, record::Role};

    #[test]
    fn what_was_said_and_done_is_read() {
        let text = "user:\n<timestamp>today</timestamp>\n<user_query>\nFix the cart\n</user_query>\n\nA:\n[Thinking] Where is it?\nI look.\n\
            [Tool call] Write\n  path: /w/cart.rs\n  contents: fn main() {\n      a()\n\n[Tool result] Write\nuser wrote\n\nassistant:\nWell.\n\
            [Tool call] Shell\n  command: cargo test\nDone.\n";
        let found = read_whole(Source::Cursor, text.as_bytes());
        let said: Vec<_> = found.messages.iter().map(|one| (one.role, one.text.as_str())).collect();
        let by_model = |text| (Role::Assistant, text);
        assert_eq!(said, [(Role::User, "Fix the cart"), by_model("I look."), by_model("Well."), by_model("Done.")]);
        assert_eq!((found.calls.len(), found.calls[1].command.as_deref()), (2, Some("cargo test")));
        assert_eq!(found.calls[0].touches[0].path, "/w/cart.rs");
        let place = found.calls[1].place;
        let start = usize::try_from(place.offset).unwrap();
        assert_eq!(&text[start..start + place.length as usize], "[Tool call] Shell\n  command: cargo test\n");
    }

    #[test]
    fn anything_else_is_no_turn() {
        for text in
            ["", "notes\n", "[Tool call]", "user:", "A:\n[Tool call] \n  x\n\n", "user:\n<user_query></user_query>"]
        {
            assert!(read_whole(Source::Cursor, text.as_bytes()).messages.is_empty(), "{text}");
        }
    }
}
