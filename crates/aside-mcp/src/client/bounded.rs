//! What a server writes, with an end to each line, and so many lines in a time: more ends the connection.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use tokio::{
    io::{AsyncRead, ReadBuf},
    sync::SetOnce,
};

use super::allowance::Allowance;

/// What it sent when it is ended.
pub(crate) const TOO_LONG: &str = "a message that is too long";
pub(crate) const TOO_MANY: &str = "too many messages";

/// What was too much, once something was; who waits for that hears it at once.
pub(crate) type Exceeded = Arc<SetOnce<&'static str>>;

/// A reader that fails once a line is longer than `most` bytes, or once there are too many.
pub(crate) struct Bounded<R> {
    inner: R,
    most: usize,
    /// Bytes since the last line feed.
    length: usize,
    allowance: Allowance,
    exceeded: Exceeded,
}

impl<R> Bounded<R> {
    /// `exceeded` is set when something was too much.
    pub(crate) fn new(inner: R, most: usize, exceeded: Exceeded) -> Self {
        Self { inner, most, length: 0, allowance: Allowance::default(), exceeded }
    }

    fn end(&self, what: &'static str) -> Poll<io::Result<()>> {
        // What was too much first stays.
        let _ = self.exceeded.set(what);
        Poll::Ready(Err(io::Error::other(what)))
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Bounded<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(context, buffer))?;
        self.allowance.make_up();
        for piece in buffer.filled()[before..].split_inclusive(|byte| *byte == b'\n') {
            self.length += piece.len();
            if self.length > self.most {
                buffer.set_filled(before);
                return self.end(TOO_LONG);
            }
            if piece.ends_with(b"\n") {
                self.length = 0;
                if self.allowance.take().is_err() {
                    buffer.set_filled(before);
                    return self.end(TOO_MANY);
                }
            }
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::*;
    use crate::client::allowance::BURST;

    #[tokio::test]
    async fn many_lines_pass_and_a_long_one_does_not() {
        let exceeded = Exceeded::default();
        let lines = "12345678\n".repeat(100);
        let mut text = String::new();
        Bounded::new(lines.as_bytes(), 9, exceeded.clone()).read_to_string(&mut text).await.unwrap();
        assert_eq!((text.len(), exceeded.get()), (900, None));
        let long = format!("1\n{}", "2".repeat(10));
        assert!(Bounded::new(long.as_bytes(), 9, exceeded.clone()).read_to_string(&mut text).await.is_err());
        assert_eq!(exceeded.get(), Some(&TOO_LONG));
    }

    #[tokio::test]
    async fn a_flood_of_lines_ends_it() {
        let exceeded = Exceeded::default();
        let flood = "1\n".repeat(40 * BURST as usize);
        let read = Bounded::new(flood.as_bytes(), 9, exceeded.clone()).read_to_end(&mut Vec::new()).await;
        assert!(read.is_err());
        assert_eq!(exceeded.get(), Some(&TOO_MANY));
    }
}
