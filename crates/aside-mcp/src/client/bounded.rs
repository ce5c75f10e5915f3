//! What a server writes, with an end to each line: a longer one ends the connection, since its answer can't be read.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, ReadBuf};

/// A reader that fails once a line is longer than `most` bytes.
pub(crate) struct Bounded<R> {
    inner: R,
    most: usize,
    /// Bytes since the last line feed.
    length: usize,
    exceeded: Arc<AtomicBool>,
}

impl<R> Bounded<R> {
    /// `exceeded` is set when a line was too long.
    pub(crate) fn new(inner: R, most: usize, exceeded: Arc<AtomicBool>) -> Self {
        Self { inner, most, length: 0, exceeded }
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
        for piece in buffer.filled()[before..].split_inclusive(|byte| *byte == b'\n') {
            self.length += piece.len();
            if self.length > self.most {
                buffer.set_filled(before);
                self.exceeded.store(true, Ordering::SeqCst);
                return Poll::Ready(Err(io::Error::other("a message is too long")));
            }
            if piece.ends_with(b"\n") {
                self.length = 0;
            }
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt as _;

    use super::*;

    #[tokio::test]
    async fn many_lines_pass_and_a_long_one_does_not() {
        let exceeded = Arc::new(AtomicBool::new(false));
        let lines = "12345678\n".repeat(100);
        let mut text = String::new();
        Bounded::new(lines.as_bytes(), 9, exceeded.clone()).read_to_string(&mut text).await.unwrap();
        assert_eq!((text.len(), exceeded.load(Ordering::SeqCst)), (900, false));
        let long = format!("1\n{}", "2".repeat(10));
        assert!(Bounded::new(long.as_bytes(), 9, exceeded.clone()).read_to_string(&mut text).await.is_err());
        assert!(exceeded.load(Ordering::SeqCst));
    }
}
