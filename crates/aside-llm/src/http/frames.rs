//! Lines to frames: a line of NDJSON each, or an event of a server-sent stream.

use super::{
    decode::{Frame, Framing},
    lines::{Lines, TooLong},
};

/// Collects frames. Keeps at most one unfinished event of at most `limit` bytes.
pub(super) struct Frames {
    framing: Framing,
    lines: Lines,
    event: String,
    data: Option<String>,
    limit: usize,
}

impl Frames {
    pub(super) fn new(framing: Framing, limit: usize) -> Self {
        Self { framing, lines: Lines::new(limit), event: String::new(), data: None, limit }
    }

    /// Takes some bytes and returns the frames that they complete.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<Vec<Frame>, TooLong> {
        let mut frames = Vec::new();
        for line in self.lines.push(bytes)? {
            frames.extend(self.line(&line)?);
        }
        Ok(frames)
    }

    /// Returns what the connection's end left unfinished: servers forget the last line's end.
    pub(super) fn rest(&mut self) -> Result<Vec<Frame>, TooLong> {
        let mut frames = Vec::new();
        if let Some(line) = self.lines.rest() {
            frames.extend(self.line(&line)?);
        }
        frames.extend(self.dispatch());
        Ok(frames)
    }

    fn line(&mut self, line: &str) -> Result<Option<Frame>, TooLong> {
        match self.framing {
            Framing::Lines if line.trim().is_empty() => Ok(None),
            Framing::Lines => Ok(Some(Frame { event: String::new(), data: line.to_owned() })),
            Framing::Events => self.event_line(line),
        }
    }

    fn event_line(&mut self, line: &str) -> Result<Option<Frame>, TooLong> {
        if line.is_empty() {
            return Ok(self.dispatch());
        }
        let line = line.strip_prefix('\u{feff}').unwrap_or(line);
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event),
            "data" => self.add(value)?,
            // Comments, ids, retry times and whatever else: nothing for us.
            _ => {}
        }
        Ok(None)
    }

    fn add(&mut self, value: &str) -> Result<(), TooLong> {
        let data = self.data.get_or_insert_default();
        if data.len() + value.len() > self.limit {
            return Err(TooLong);
        }
        if !data.is_empty() {
            data.push('\n');
        }
        data.push_str(value);
        Ok(())
    }

    fn dispatch(&mut self) -> Option<Frame> {
        let event = std::mem::take(&mut self.event);
        let data = self.data.take()?;
        Some(Frame { event, data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(text: &str) -> Vec<(String, String)> {
        let mut frames = Frames::new(Framing::Events, 100);
        let mut found = frames.push(text.as_bytes()).unwrap();
        found.extend(frames.rest().unwrap());
        found.into_iter().map(|frame| (frame.event, frame.data)).collect()
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
        frames.push(line.as_bytes()).unwrap();
        assert_eq!(frames.push(line.as_bytes()).unwrap_err(), TooLong);
    }
}
