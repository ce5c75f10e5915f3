//! Aider: a Markdown file in each repository, with all its sessions one after the other. What it says of tokens is rounded: amounts are
//! estimates, but for the cost that it says.

use aside_core::Timestamp;
use jiff::{civil::DateTime, tz::TimeZone};

use super::session::Used;
use crate::record::{Call, Found, Message, Mode, Place, Response, ResponseKey, Role, Session, Tokens, Touch};

const BEGINS: &str = "# aider chat started at ";

/// What is being read.
struct Reading<'f> {
    folder: String,
    zone: TimeZone,
    found: &'f mut Found,
    /// The number of the session, and what is known of it.
    session: Option<usize>,
    model: Option<String>,
    said: String,
    said_by: Role,
    said_at: u64,
    answers: usize,
}

/// Reads a whole file. Times in it are those of the clock on the wall: `zone` is where that hangs. `folder` is the file's.
pub fn markdown(folder: &str, zone: TimeZone, bytes: &[u8], found: &mut Found) {
    found.sessions.clear();
    let mut reading = Reading {
        folder: folder.to_owned(),
        zone,
        found,
        session: None,
        model: None,
        said: String::new(),
        said_by: Role::Assistant,
        said_at: 0,
        answers: 0,
    };
    let mut offset = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        reading.line(String::from_utf8_lossy(line).trim_end(), offset);
        offset += line.len() as u64;
    }
    reading.flush();
}

impl Reading<'_> {
    fn line(&mut self, line: &str, offset: u64) {
        if let Some(at) = line.strip_prefix(BEGINS) {
            self.flush();
            self.begin(at.trim());
        } else if let Some(text) = line.strip_prefix("#### ") {
            self.say(Role::User, text, offset);
        } else if let Some(text) = line.strip_prefix("> ") {
            self.flush();
            self.told(text.trim(), offset);
        } else if line != ">" {
            self.say(Role::Assistant, line, offset);
        }
    }

    fn begin(&mut self, at: &str) {
        let moment = at.replacen(' ', "T", 1).parse::<DateTime>().ok();
        let moment = moment.and_then(|moment| self.zone.to_ambiguous_timestamp(moment).compatible().ok());
        let mut session = Session::new(format!("aider {at} {}", self.folder));
        session.workspace = Some(self.folder.as_str().into());
        session.saw(moment.map(|moment| Timestamp(moment.as_millisecond())));
        self.session = Some(self.found.sessions.len());
        self.found.sessions.push(session);
        (self.model, self.answers) = (None, 0);
    }

    fn say(&mut self, role: Role, text: &str, offset: u64) {
        if role != self.said_by {
            self.flush();
        }
        if self.said.is_empty() {
            (self.said_by, self.said_at) = (role, offset);
        }
        self.said.push_str(text);
        self.said.push('\n');
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.said).trim().to_owned();
        let Some(session) = self.session.filter(|_| !text.is_empty()) else { return };
        let place = Place { offset: self.said_at, length: 0 };
        let (role, at) = (self.said_by, self.at());
        self.found.messages.push(Message { session, role, at, id: None, side: false, text, place });
    }

    /// The only time that is told is that of the beginning.
    fn at(&self) -> Option<Timestamp> {
        self.session.and_then(|session| self.found.sessions[session].first)
    }

    /// A line of the program itself.
    fn told(&mut self, text: &str, offset: u64) {
        let place = Place { offset, length: u32::try_from(text.len()).unwrap_or(0) };
        let first = |text: &str| text.split([' ', ',']).next().unwrap_or_default().to_owned();
        if let Some(rest) = text
            .strip_prefix("Main model: ")
            .or_else(|| text.strip_prefix("Model: "))
            .or_else(|| text.strip_prefix("Models: "))
        {
            self.model = Some(first(rest)).filter(|model| !model.is_empty());
        } else if let Some(rest) = text.strip_prefix("Tokens: ") {
            self.answer(rest, place);
        } else if let Some(path) = text.strip_prefix("Applied edit to ") {
            self.call("edit_file", None, Some(path), place);
        } else if let Some(command) = text.strip_prefix("Running ") {
            self.call("run", Some(command), None, place);
        }
    }

    fn call(&mut self, name: &str, command: Option<&str>, path: Option<&str>, place: Place) {
        let Some(session) = self.session else { return };
        let touch = |path: &str| Touch { path: crate::touch::absolute(path, Some(&self.folder)), mode: Mode::Write };
        let touches: Vec<Touch> = path.map(touch).into_iter().collect();
        let at = self.at();
        self.found.calls.push(Call {
            session,
            at,
            name: name.into(),
            id: None,
            command: command.map(str::to_owned),
            ok: path.is_some().then_some(true),
            touches,
            edited: None,
            arguments: None,
            side: false,
            place,
        });
    }

    fn answer(&mut self, told: &str, place: Place) {
        let Some(session) = self.session else { return };
        let Used { tokens, recorded, .. } = used(told);
        if tokens.total() == 0 && recorded.is_none() {
            return;
        }
        self.answers += 1;
        let id = &self.found.sessions[session].id;
        let key = ResponseKey { message: format!("{id} {}", self.answers), request: None };
        let at = self.at();
        self.found.responses.push(Response {
            session,
            at,
            model: self.model.as_deref().map(Into::into),
            provider: None,
            assumed: true,
            fast: false,
            tokens,
            longest: None,
            searches: 0,
            recorded,
            key: Some(key),
            side: false,
            workspace: Some(self.folder.as_str().into()),
            place,
        });
    }
}

/// `14k sent, 1.2k cache write, 12k cache hit, 211 received. Cost: $0.04 message, $0.11 session.`
fn used(told: &str) -> Used<'static> {
    let (counts, cost) = told.split_once("Cost: ").unwrap_or((told, ""));
    let count = |what: &str| {
        let piece = counts.split(", ").find(|piece| piece.trim().trim_end_matches('.').ends_with(what));
        piece.and_then(|piece| rounded(piece.split_whitespace().next()?)).unwrap_or(0)
    };
    let (cache_read, cache_write) = (count("cache hit"), count("cache write"));
    let tokens = Tokens {
        input: count("sent").saturating_sub(cache_read.saturating_add(cache_write)),
        output: count("received"),
        cache_read,
        cache_write,
        ..Tokens::default()
    };
    let dollars =
        cost.split(" message").next().and_then(|text| text.trim().strip_prefix('$')?.replace(',', "").parse().ok());
    Used { tokens, recorded: dollars.and_then(super::picodollars).filter(|amount| *amount > 0), ..Used::default() }
}

/// `14k`, `1.2k`, `3M`, `1,234`.
fn rounded(text: &str) -> Option<u64> {
    let (number, times) = match text.trim_end_matches(['k', 'M']) {
        number if text.ends_with('k') => (number, 1e3),
        number if text.ends_with('M') => (number, 1e6),
        number => (number, 1.0),
    };
    let number: f64 = number.replace(',', "").parse().ok()?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
    (0.0..1e12).contains(&(number * times)).then(|| (number * times).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "
# aider chat started at 2026-06-30 10:00:00

> Aider v0.86.1  
> Main model: claude-sonnet-4-5 with diff edit format  
> Git repo: .git with 3 files  

#### fix the cart  
#### and its test  

I change the cart.

src/cart.rs
```rust
x
```

> Tokens: 14k sent, 1.2k cache write, 12k cache hit, 211 received. Cost: $0.04 message, $0.11 session.  
> Applied edit to src/cart.rs  
> Running cargo test  

# aider chat started at 2026-07-01 09:00:00

#### thanks
> Tokens: 1,234 sent, 5 received.
";

    #[test]
    fn sessions_in_one_file_are_told_apart() {
        let mut found = Found::default();
        markdown("/home/me/shop", TimeZone::UTC, LOG.as_bytes(), &mut found);
        assert_eq!((found.sessions.len(), found.responses.len(), found.calls.len()), (2, 2, 2));
        let one = &found.responses[0];
        let tokens = Tokens { input: 800, output: 211, cache_read: 12_000, cache_write: 1200, cache_write_hour: 0 };
        assert_eq!(
            (one.tokens, one.recorded, one.model.as_deref()),
            (tokens, Some(40_000_000_000), Some("claude-sonnet-4-5"))
        );
        assert_eq!((one.at, one.session), ("2026-06-30T10:00:00Z".parse().ok(), 0));
        assert_eq!(
            (found.responses[1].tokens.input, found.responses[1].recorded, found.responses[1].session),
            (1234, None, 1)
        );
        assert_eq!(found.calls[0].touches[0].path, "/home/me/shop/src/cart.rs");
        assert_eq!(found.calls[1].command.as_deref(), Some("cargo test"));
        let said: Vec<(usize, &str)> =
            found.messages.iter().map(|one| (one.session, one.text.lines().next().unwrap())).collect();
        assert_eq!(said, [(0, "fix the cart"), (0, "I change the cart."), (1, "thanks")]);
        let offset = usize::try_from(found.messages[0].place.offset).unwrap();
        assert!(LOG[offset..].starts_with("#### fix the cart"));
    }

    #[test]
    fn counts_are_read_however_they_are_rounded() {
        assert_eq!(
            ["14k", "1.2k", "3M", "211", "1,234"].map(rounded),
            [Some(14_000), Some(1200), Some(3_000_000), Some(211), Some(1234)]
        );
        assert_eq!(["", "k", "-1", "NaN", "inf"].map(rounded), [None; 5]);
    }
}
