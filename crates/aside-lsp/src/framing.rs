//! Messages in a stream of bytes: headers, an empty line, and JSON of the length that a header says.

use serde_json::Value;

/// Bytes of one message. What a server finds in one file is far less.
const LONGEST: usize = 16 << 20;
/// Bytes before a message, with what a program prints by mistake.
const LONGEST_HEAD: usize = 64 << 10;
/// What ends the headers.
const END: &[u8] = b"\r\n\r\n";

/// Why nothing more can be read of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// No header says how long the message is.
    NoLength,
    /// A message longer than any that is taken.
    TooLong(usize),
    /// What has the said length is no JSON: the length was wrong.
    NotJson,
}

impl Broken {
    /// As a person is told.
    pub fn words(&self) -> String {
        match self {
            Self::NoLength => "its output is not a language server's: a message has no length".to_owned(),
            Self::TooLong(length) => format!("it sent a message of {length} bytes; the limit is {LONGEST}"),
            Self::NotJson => "it sent a message of the wrong length".to_owned(),
        }
    }
}

/// What came and was not read yet.
#[derive(Debug, Default)]
pub(crate) struct Incoming {
    bytes: Vec<u8>,
    /// Where the body begins and ends, once the headers are there.
    body: Option<(usize, usize)>,
}

impl Incoming {
    /// Takes in a piece, wherever it was cut.
    pub fn push(&mut self, piece: &[u8]) {
        self.bytes.extend_from_slice(piece);
    }

    /// Returns the next whole message; none until more has come.
    pub fn next(&mut self) -> Result<Option<Value>, Broken> {
        if self.body.is_none() {
            self.body = self.head()?;
        }
        let Some((start, end)) = self.body.filter(|(_, end)| self.bytes.len() >= *end) else { return Ok(None) };
        let message = serde_json::from_slice(&self.bytes[start..end]).map_err(|_| Broken::NotJson)?;
        self.bytes.drain(..end);
        self.body = None;
        Ok(Some(message))
    }

    fn head(&self) -> Result<Option<(usize, usize)>, Broken> {
        let Some(at) = self.bytes.windows(END.len()).position(|window| window == END) else {
            return if self.bytes.len() > LONGEST_HEAD { Err(Broken::NoLength) } else { Ok(None) };
        };
        let length = String::from_utf8_lossy(&self.bytes[..at]).lines().find_map(length).ok_or(Broken::NoLength)?;
        if length > LONGEST {
            return Err(Broken::TooLong(length));
        }
        let start = at + END.len();
        Ok(Some((start, start + length)))
    }
}

fn length(line: &str) -> Option<usize> {
    let (name, value) = line.split_once(':')?;
    name.trim().eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok()).flatten()
}

/// Returns a message as it goes over the wire.
pub(crate) fn encoded(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(incoming: &mut Incoming) -> Vec<Value> {
        std::iter::from_fn(|| incoming.next().unwrap()).collect()
    }

    #[test]
    fn messages_are_read_however_they_were_cut() {
        let sent = [json!({"method": "a"}), json!({"x": "ä€😀\r\n\r\n"}), json!([])];
        let bytes: Vec<u8> = sent.iter().flat_map(encoded).collect();
        for size in [1, 2, 3, 7, 40, bytes.len()] {
            let mut incoming = Incoming::default();
            let mut heard = Vec::new();
            for piece in bytes.chunks(size) {
                incoming.push(piece);
                heard.extend(read(&mut incoming));
            }
            assert_eq!(heard, sent, "in pieces of {size}");
        }
    }

    #[test]
    fn other_headers_and_what_was_printed_before_do_no_harm() {
        let mut incoming = Incoming::default();
        incoming.push(b"starting: now\nContent-Type: x; charset=utf-8\r\ncontent-length:  2\r\n\r\n{}");
        assert_eq!(read(&mut incoming), [json!({})]);
    }

    #[test]
    fn a_wrong_length_is_an_error_and_no_message_of_it_is_believed() {
        for (bytes, broken) in [
            (&b"Content-Length: 3\r\n\r\n{}Content-Length: 2\r\n\r\n{}"[..], Broken::NotJson),
            (b"Content-Length: 1\r\n\r\n{}", Broken::NotJson),
            (b"Content-Length: 99999999999\r\n\r\n{}", Broken::TooLong(99_999_999_999)),
            (b"Content-Length: -2\r\n\r\n{}", Broken::NoLength),
            (b"Content-Length: x\r\n\r\n{}", Broken::NoLength),
            (b"Hello\r\n\r\n{}", Broken::NoLength),
        ] {
            let mut incoming = Incoming::default();
            incoming.push(bytes);
            assert_eq!(incoming.next(), Err(broken), "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn a_stream_without_headers_is_given_up() {
        let mut incoming = Incoming::default();
        incoming.push(&vec![b'x'; LONGEST_HEAD]);
        assert_eq!(incoming.next(), Ok(None));
        incoming.push(b"x");
        assert_eq!(incoming.next(), Err(Broken::NoLength));
    }
}
