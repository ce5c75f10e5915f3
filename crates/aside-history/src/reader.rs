//! Readers of logs: bytes in, records out. They read no disk, no clock, and never panic; one file each.

mod aider;
mod amp;
pub mod claude;
mod cline;
mod codebuff;
mod codex;
pub mod continue_dev;
mod copilot;
pub mod copilot_otel;
mod cowork;
mod cursor;
mod droid;
mod elements;
pub mod escapes;
mod gemini;
mod grok;
pub mod json;
mod kimi;
pub mod openclaw;
pub mod opencode;
mod pi;
mod qwen;
pub mod session;
mod typed;
pub mod uncounted;

use std::sync::Arc;

use aside_core::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::{
    lenient::Moment,
    lines::each_line,
    record::{Details, Found, Place, Problem, Session},
    source::Source,
};
use elements::Elements;

/// What is known of a file before it is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileFacts {
    /// The session that its name and folder say it belongs to.
    pub session: String,
    /// It is one JSON value, or compressed, and read as a whole each time it has changed; else it has lines, and grows.
    pub document: bool,
}

/// Reads one file of one program, in as many pieces as it comes; what it has to remember between them can be kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reader {
    /// Of Claude Code.
    Claude(claude::State),
    /// Of Codex.
    Codex(codex::State),
    /// Of a program with smaller logs.
    Small(Small),
}

/// Reads logs that are small enough to look at each line as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Small {
    source: Source,
    known: session::Known,
}

impl LineReader for Small {
    fn line(&mut self, line: &[u8], place: Place, found: &mut Found) -> Result<(), String> {
        object(line)?;
        let text = String::from_utf8_lossy(line);
        let value = escapes::parse(&text).map_err(|error| unreadable(&error))?;
        let known = &mut self.known;
        let before = found.responses.len();
        match self.source {
            Source::Qwen => qwen::line(known, &value, place, found),
            Source::Pi => pi::line(known, &value, place, found),
            Source::Copilot => copilot::line(known, &value, place, found),
            Source::Gemini => gemini::line(known, &value, place, found),
            Source::Cursor => cursor::line(known, &value, place, found),
            Source::Kimi => kimi::line(known, &value, place, found),
            Source::Droid => droid::line(known, &value, place, found),
            Source::Openclaw => openclaw::line(known, &value, place, found),
            Source::Grok => grok::line(known, &value, place, found),
            _ => {}
        }
        if found.responses.len() == before
            && let Some(kind) = uncounted::kind(self.source, &value)
        {
            found.note_uncounted(kind, place.offset);
        }
        not_utf8(line)
    }
}

/// A line of a log, and what to make of it.
trait LineReader {
    /// Adds what a line says to what was found. The error says why it can't be read.
    fn line(&mut self, line: &[u8], place: Place, found: &mut Found) -> Result<(), String>;
}

/// A reader that looks at those fields of a line only that it needs, without copying them.
trait BorrowingReader {
    /// Those fields.
    type Line<'a>: Deserialize<'a>;

    /// Adds what a line says to what was found.
    fn take(&mut self, line: &Self::Line<'_>, place: Place, found: &mut Found);

    /// Adds what only a playback needs: what came of calls. Returns the arguments of those of the line, each with the call's own id.
    fn take_details(line: &serde_json::Value, details: &mut Details) -> Vec<(Option<String>, serde_json::Value)>;
}

impl<R: BorrowingReader> LineReader for R {
    fn line(&mut self, line: &[u8], place: Place, found: &mut Found) -> Result<(), String> {
        object(line)?;
        let before = found.calls.len();
        // Text is read faster than bytes. What is not UTF-8 in a field that nobody looks at harms nothing.
        let parsed = std::str::from_utf8(line).map_or_else(|_| serde_json::from_slice(line), serde_json::from_str);
        let result = match parsed {
            Ok(line) => {
                self.take(&line, place, found);
                Ok(())
            }
            Err(first) => mended(line, &first, |text| {
                self.take(&serde_json::from_str(text)?, place, found);
                Ok(())
            }),
        };
        if let Some(details) = &mut found.details
            && let Ok(value) = escapes::parse(&String::from_utf8_lossy(line))
        {
            let mut told = R::take_details(&value, details);
            for call in &mut found.calls[before..] {
                let place = told.iter().position(|(id, _)| *id == call.id);
                call.arguments = place.map(|place| told.remove(place).1);
            }
        }
        result
    }
}

impl Reader {
    /// A reader for a file of which nothing was read.
    pub fn new(source: Source, facts: &FileFacts) -> Self {
        match source {
            Source::Claude => Self::Claude(claude::State::new(facts)),
            // Its streams of events, which are read as a whole, have a form of their own.
            Source::Cowork if !facts.document => Self::Claude(claude::State::new(facts)),
            Source::Codex => Self::Codex(codex::State::new(facts)),
            source => {
                let known = session::Known { session: facts.session.clone(), ..session::Known::default() };
                Self::Small(Small { source, known })
            }
        }
    }

    /// A reader for records that are known to be this program's, wherever in a log they stand.
    pub fn amid(source: Source) -> Self {
        match Self::new(source, &FileFacts::default()) {
            Self::Codex(state) => Self::Codex(state.amid()),
            reader => reader,
        }
    }

    /// Takes what is known of a session without its log: the folder that it ran in, and the model that was chosen.
    pub fn know(&mut self, workspace: Option<&str>, model: Option<&str>) {
        let Self::Small(Small { known, .. }) = self else { return };
        known.workspace = known.workspace.take().or_else(|| workspace.map(str::to_owned));
        known.model = known.model.take().or_else(|| model.map(str::to_owned));
    }

    /// The session that what comes next belongs to.
    pub fn session(&self) -> &str {
        match self {
            Self::Claude(state) => &state.session,
            Self::Codex(state) => &state.session,
            Self::Small(small) => &small.known.session,
        }
    }

    /// Reads the complete lines of a piece that begins `base` bytes into the file; returns how many bytes they are.
    pub fn read(&mut self, piece: &[u8], base: u64, found: &mut Found) -> usize {
        if found.sessions.is_empty() {
            found.sessions.push(Session::new(self.session()));
        }
        let skip = if base == 0 && piece.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let read = each_line(&piece[skip..], base + skip as u64, |line, place| {
            let before = found.responses.len();
            let result = match self {
                Self::Claude(state) => state.line(line, place, found),
                Self::Codex(state) => state.line(line, place, found),
                Self::Small(small) => small.line(line, place, found),
            };
            let program = match self {
                Self::Claude(_) => Some(Source::Claude),
                Self::Codex(_) => Some(Source::Codex),
                Self::Small(_) => None,
            };
            if found.responses.len() == before
                && let Some(kind) = program.and_then(|program| uncounted::kind_of_line(program, line))
            {
                found.note_uncounted(kind, place.offset);
            }
            if let Err(reason) = result {
                found.problems.push(Problem { offset: place.offset, reason });
            }
        });
        if read == 0 { 0 } else { read + skip }
    }
}

impl Reader {
    /// Reads a file that is one JSON value.
    pub fn read_document(&mut self, bytes: &[u8], found: &mut Found) {
        // Its lines are written anew, and have their times elsewhere.
        if matches!(self, Self::Small(Small { source: Source::Grok, .. })) {
            self.read(bytes, 0, found);
            return;
        }
        found.sessions.push(Session::new(self.session()));
        let Self::Small(Small { source, known }) = self else { return };
        let base = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let bytes = &bytes[base..];
        if *source == Source::Aider {
            return aider::markdown(&known.session, TimeZone::system(), bytes, found);
        }
        if *source == Source::Cursor {
            return cursor::transcript(known, bytes, base, found);
        }
        if *source == Source::Copilot {
            return copilot_otel::file(bytes, base, found);
        }
        if *source == Source::Cowork {
            return cowork::stream(known, bytes, base, found);
        }
        let value: serde_json::Value = match escapes::parse(&String::from_utf8_lossy(bytes)) {
            Ok(value) => value,
            Err(error) => {
                // Of which session it is stands in what can't be read.
                found.sessions.clear();
                found.broken = true;
                return found.problems.push(Problem { offset: 0, reason: unreadable(&error) });
            }
        };
        let list = match source {
            Source::Gemini | Source::Amp => Some("messages"),
            Source::Continue => Some("history"),
            Source::Cline if value.is_object() => Some(cline::LIST),
            _ => None,
        };
        let places = Elements::of(bytes, list, base);
        let elements = match list {
            Some(list) => json::list(&value, list).collect(),
            None => value.as_array().map_or_else(|| vec![&value], |elements| elements.iter().collect()),
        };
        match source {
            Source::Gemini => gemini::document(known, &value, &places, found),
            Source::Cline | Source::Roo | Source::Kilo => cline::document(known, &value, &places, found),
            Source::Amp => amp::document(known, &value, &places, found),
            Source::Opencode => opencode::whole(known, &value, places.whole(), found),
            Source::Continue => continue_dev::document(known, &value, &places, found),
            Source::Codebuff => codebuff::document(known, &value, &places, found),
            Source::Droid => droid::settings(known, &value, places.whole(), found),
            _ => {}
        }
        let is_list = list.is_some() || value.is_array();
        let place = |number| if is_list { places.at(number) } else { places.whole() };
        let elements = elements.into_iter().enumerate().map(|(number, element)| (element, place(number)));
        uncounted::of_elements(*source, elements, found);
    }
}

/// An amount of dollars that a log has; none if it is no such amount.
fn picodollars(dollars: f64) -> Option<u64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked: at most a million dollars")]
    (0.0..=1e6).contains(&dollars).then(|| (dollars * 1e12).round() as u64)
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reads a line that did not fit at once. One that is not UTF-8, or has half a character, is read with what can't be read replaced; one
/// that names a field twice is read as JSON has it, where the last one counts. None of that loses the line.
fn mended(
    line: &[u8],
    first: &serde_json::Error,
    use_it: impl FnOnce(&str) -> Result<(), serde_json::Error>,
) -> Result<(), String> {
    let text = String::from_utf8_lossy(line);
    let value: serde_json::Value = escapes::parse(&text).map_err(|error| unreadable(&error))?;
    use_it(&value.to_string()).map_err(|_| unreadable(first))?;
    not_utf8(line)
}

/// Says so of a line that was read although it is not UTF-8.
fn not_utf8(line: &[u8]) -> Result<(), String> {
    if std::str::from_utf8(line).is_err() { Err("parts that are not UTF-8 were skipped".to_owned()) } else { Ok(()) }
}

/// Says so of a line that is no object.
fn object(line: &[u8]) -> Result<(), String> {
    if line.trim_ascii_start().starts_with(b"{") { Ok(()) } else { Err("not a JSON object".to_owned()) }
}

fn unreadable(error: &serde_json::Error) -> String {
    format!("invalid JSON: {error}")
}

/// Reads a time as logs have it, in words or as a number.
fn moment(moment: &Moment<'_>) -> Option<Timestamp> {
    moment.number.and_then(since_1970).or_else(|| time(&moment.text))
}

/// Seconds or milliseconds since 1970: what would be after the year 5000 in seconds is milliseconds.
fn since_1970(number: f64) -> Option<Timestamp> {
    let milliseconds = if number.abs() < 1e11 { number * 1000.0 } else { number };
    #[expect(clippy::cast_possible_truncation, reason = "checked")]
    (milliseconds.is_finite() && milliseconds.abs() < 1e16).then_some(Timestamp(milliseconds as i64))
}

/// Reads a time in words: RFC 3339, or what else the words of this program allow.
fn time(text: &str) -> Option<Timestamp> {
    fast_time(text).or_else(|| text.parse().ok())
}

/// `2026-06-30T12:34:56.789Z`, which nearly all are, without an allocation.
fn fast_time(text: &str) -> Option<Timestamp> {
    let bytes = text.as_bytes();
    let digits = |range: std::ops::Range<usize>| {
        let digit = |sum: i64, byte: &u8| byte.is_ascii_digit().then(|| sum * 10 + i64::from(byte - b'0'));
        bytes.get(range)?.iter().try_fold(0, digit)
    };
    let marks = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':'), (19, b'.'), (23, b'Z')];
    if bytes.len() != 24 || marks.iter().any(|(at, mark)| bytes[*at] != *mark) {
        return None;
    }
    let (year, month, day) = (digits(0..4)?, digits(5..7)?, digits(8..10)?);
    let (hour, minute, second, milli) = (digits(11..13)?, digits(14..16)?, digits(17..19)?, digits(20..23)?);
    // Days that not every month has, and odd clocks, are left to the thorough way.
    if !(1..=12).contains(&month) || !(1..=28).contains(&day) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let shifted = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let of_era = shifted.rem_euclid(400);
    let days = shifted.div_euclid(400) * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    Some(Timestamp((((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + milli))
}

/// Keeps one copy of names that come again and again.
#[derive(Clone, Debug, Default)]
struct Names(Vec<Arc<str>>);

/// It is only a memory: readers that know the same are equal.
impl PartialEq for Names {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Names {
    fn get(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.0.iter().find(|known| &***known == name) {
            return known.clone();
        }
        let new: Arc<str> = name.into();
        self.0.push(new.clone());
        // A log with that many names is no log of names.
        if self.0.len() > 64 {
            self.0.remove(0);
        }
        new
    }
}

#[cfg(test)]
pub mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What is found in lines.
    pub fn read_as(source: Source, log: &[u8]) -> Found {
        let mut found = Found::default();
        let facts = FileFacts { session: "file".to_owned(), document: false };
        assert_eq!(Reader::new(source, &facts).read(log, 0, &mut found), log.len());
        found.match_endings();
        assert_eq!(found.problems, []);
        found
    }

    /// What is found in a file that is one value.
    pub fn read_whole(source: Source, log: &[u8]) -> Found {
        let mut found = Found::default();
        let facts = FileFacts { session: "file".to_owned(), document: true };
        Reader::new(source, &facts).read_document(log, &mut found);
        assert_eq!(found.problems, []);
        found
    }

    #[test]
    fn the_fast_way_to_read_a_time_agrees_with_the_thorough_one() {
        for day in (-20_000..40_000).step_by(7) {
            let at = Timestamp(day * 86_400_000 + 45_296_789);
            assert_eq!(time(&at.to_string()), Some(at), "{at}");
        }
        assert_eq!(time("2026-02-30T00:00:00.000Z"), None);
        assert_eq!(time("2026-02-03T00:00:00+01:00"), "2026-02-02T23:00Z".parse().ok());
    }

    #[test]
    fn times_may_be_numbers() {
        assert_eq!(since_1970(1_782_813_600.5), Some(Timestamp(1_782_813_600_500)));
        assert_eq!(since_1970(1_782_813_600_500.0), Some(Timestamp(1_782_813_600_500)));
        assert_eq!(since_1970(f64::NAN), None);
    }

    /// Lines that are nearly those of a log.
    fn lines() -> impl Strategy<Value = Vec<u8>> {
        let word = prop::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            ":",
            ",",
            "null",
            "true",
            "1",
            "-1",
            "1e999",
            "\"",
            "\n",
            "\r\n",
            "\0",
            "\u{fffd}",
            "\"type\":",
            "\"assistant\"",
            "\"user\"",
            "\"message\":",
            "\"usage\":",
            "\"input_tokens\":",
            "\"id\":",
            "\"content\":",
            "\"text\"",
            "\"payload\":",
            "\"event_msg\"",
            "\"token_count\"",
            "\"info\":",
            "\"total_token_usage\":",
            "\"timestamp\":",
            "\"2026-06-30T12:34:56.789Z\"",
            "\"session_meta\"",
            "\"originator\":\"codex\"",
        ]);
        let piece =
            prop_oneof![word.prop_map(|word| word.as_bytes().to_vec()), prop::collection::vec(any::<u8>(), 0..4),];
        prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn any_value_is_read_without_a_panic(bytes in lines()) {
            for source in Source::all() {
                let facts = FileFacts { session: "s".to_owned(), document: true };
                Reader::new(source, &facts).read_document(&bytes, &mut Found::default());
            }
        }

        #[test]
        fn any_bytes_are_read_without_a_panic_and_in_pieces_as_at_once(bytes in lines(), cut in 0usize..200) {
            for source in Source::all() {
                let facts = FileFacts { session: "s".to_owned(), document: false };
                let (mut whole, mut pieces) = (Found::default(), Found::default());
                let mut reader = Reader::new(source, &facts);
                let read = reader.read(&bytes, 0, &mut whole);
                prop_assert!(read <= bytes.len());
                prop_assert!(!bytes[read..].contains(&b'\n'));
                let mut again = Reader::new(source, &facts);
                let first = again.read(&bytes[..cut.min(bytes.len())], 0, &mut pieces);
                // What a reader has to remember survives being written down.
                let kept = serde_json::to_string(&again).unwrap();
                let mut again: Reader = serde_json::from_str(&kept).unwrap();
                let second = again.read(&bytes[first..], first as u64, &mut pieces);
                prop_assert_eq!((first + second, &pieces, &again), (read, &whole, &reader));
            }
        }
    }
}
