//! Lines to frames: a line of NDJSON each, or an event of a server-sent stream.

use super::{
    decode::{Frame, Framing},
    lines::{Lines, TooLong},
};

/// Collects frames. Keeps at most one unfinished event of at most `limit` bytes.
pub(super) struct Frames {
    framing: Framing,
    lines: Lines,
    event: Event,
}

/// A server-sent event as far as it came.
struct Event {
    name: String,
    data: String,
    /// There was a line of data, which may have been empty.
    has_data: bool,
    limit: usize,
}

impl Frames {
    pub(super) fn new(framing: Framing, limit: usize) -> Self {
        let event = Event { name: String::new(), data: String::new(), has_data: false, limit };
        Self { framing, lines: Lines::new(limit), event }
    }

    /// Takes some bytes and hands over the frames that they complete.
    pub(super) fn push(&mut self, bytes: &[u8], mut take: impl FnMut(Frame<'_>)) -> Result<(), TooLong> {
        let Self { framing, lines, event } = self;
        lines.push(bytes, |line| event.line(*framing, line, &mut take))
    }

    /// Hands over what the connection's end left unfinished: servers forget the last line's end.
    pub(super) fn rest(&mut self, mut take: impl FnMut(Frame<'_>)) -> Result<(), TooLong> {
        if let Some(line) = self.lines.rest() {
            self.event.line(self.framing, &line, &mut take)?;
        }
        self.event.dispatch(&mut take);
        Ok(())
    }
}

impl Event {
    fn line(&mut self, framing: Framing, line: &str, take: &mut impl FnMut(Frame<'_>)) -> Result<(), TooLong> {
        match framing {
            Framing::Events if line.is_empty() => self.dispatch(take),
            Framing::Events => self.field(line)?,
            Framing::Lines if line.trim().is_empty() => {}
            Framing::Lines => take(Frame { event: "", data: line }),
        }
        Ok(())
    }

    fn field(&mut self, line: &str) -> Result<(), TooLong> {
        let line = line.strip_prefix('\u{feff}').unwrap_or(line);
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => self.add(value)?,
            // Comments, ids, retry times and whatever else: nothing for us.
            _ => {}
        }
        Ok(())
    }

    fn add(&mut self, value: &str) -> Result<(), TooLong> {
        if self.data.len() + value.len() > self.limit {
            return Err(TooLong);
        }
        if !self.data.is_empty() {
            self.data.push('\n');
        }
        self.data.push_str(value);
        self.has_data = true;
        Ok(())
    }

    /// An event without data is none.
    fn dispatch(&mut self, take: &mut impl FnMut(Frame<'_>)) {
        if std::mem::take(&mut self.has_data) {
            take(Frame { event: &self.name, data: &self.data });
        }
        self.name.clear();
        self.data.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> Vec<(String, String)> {
        let mut frames = Frames::new(Framing::Events, 100);
        let mut found = Vec::new();
        let mut take = |frame: Frame<'_>| found.push(pair(frame.event, frame.data));
        frames.push(text.as_bytes(), &mut take).unwrap();
        frames.rest(&mut take).unwrap();
        found
    }

    fn pair(event: &str, data: &str) -> (String, String) {
        (event.to_owned(), data.to_owned())
    }

    #[test]
    fn reads_events_comments_and_split_data() {
        let text = ": keep-alive\n\nevent: ping\ndata: 1\ndata:2\n\nid: 7\ndata:  padded\n\nevent: lost\n\ndata";
        assert_eq!(events(text), [pair("ping", "1\n2"), pair("", " padded"), pair("", "")]);
    }

    #[test]
    fn an_event_that_never_ends_is_refused() {
        let mut frames = Frames::new(Framing::Events, 100);
        let line = format!("data: {}\n", "x".repeat(60));
        frames.push(line.as_bytes(), |_| ()).unwrap();
        assert_eq!(frames.push(line.as_bytes(), |_| ()).unwrap_err(), TooLong);
    }
}
