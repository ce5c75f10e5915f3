//! An answer's bytes to events, apart from any connection: bounded, and the same wherever the bytes are cut.

use super::{
    decode::{Decoder, Frame, WireProblem},
    frames::Frames,
};
use crate::{Limits, ModelEvent};

/// What has been read of one answer.
pub(crate) struct Reading<D> {
    frames: Frames,
    decoding: Decoding<D>,
    bytes: usize,
    limits: Limits,
}

/// Why an answer can't be read on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// Something is wrong with it.
    Wire(WireProblem),
    /// It exceeds a limit.
    TooLarge {
        /// `line` or `answer`.
        of: &'static str,
        /// The limit in bytes.
        limit: usize,
    },
}

/// Events, and what went wrong after them.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Read {
    /// In their order; after a `Stop` there are no more.
    pub(crate) events: Vec<ModelEvent>,
    /// Absent if all is well.
    pub(crate) trouble: Option<Trouble>,
    /// Something of the answer came, not only a word that it will.
    pub(crate) heard: bool,
}

struct Decoding<D> {
    decoder: D,
    read: Read,
}

impl<D: Decoder> Reading<D> {
    /// The reading of an answer of which nothing has come yet.
    pub(crate) fn new(decoder: D, limits: Limits) -> Self {
        let frames = Frames::new(D::FRAMING, limits.line);
        Self { frames, decoding: Decoding { decoder, read: Read::default() }, bytes: 0, limits }
    }

    /// Takes some bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Read {
        self.bytes += bytes.len();
        if self.bytes > self.limits.answer {
            return too_large(Read::default(), "answer", self.limits.answer);
        }
        let pushed = self.frames.push(bytes, |frame| self.decoding.frame(&frame));
        let read = self.decoding.take();
        if pushed.is_err() && read.trouble.is_none() { too_large(read, "line", self.limits.line) } else { read }
    }

    /// Takes the end of the connection; a frame that can't be read now is one that did not come to its end.
    pub(crate) fn end(&mut self) -> Read {
        let rest = self.frames.rest(|frame| self.decoding.frame(&frame));
        if let Some(Trouble::Wire(WireProblem::NotUnderstood(detail))) = &self.decoding.read.trouble
            && self.bytes > 0
        {
            self.decoding.read.trouble = Some(Trouble::Wire(WireProblem::CutOff(detail.clone())));
        }
        if rest.is_ok() && !self.decoding.is_over() {
            self.decoding.end();
        }
        self.decoding.take()
    }

    /// Takes the break of the connection, which does not matter if all was said.
    pub(crate) fn broken(&mut self, detail: String) -> Read {
        self.decoding.end();
        let read = self.decoding.take();
        match read.trouble {
            Some(_) => Read { trouble: Some(Trouble::Wire(WireProblem::CutOff(detail))), ..Read::default() },
            None => read,
        }
    }
}

impl<D: Decoder> Decoding<D> {
    fn frame(&mut self, frame: &Frame<'_>) {
        // Anthropic's comments have a name.
        self.read.heard |= frame.event != "ping";
        if !self.is_over() {
            let decoded = self.decoder.accept(frame, &mut self.read.events);
            if decoded.is_err() {
                self.read.events.extend(self.decoder.counted().map(ModelEvent::Usage));
            }
            self.read.trouble = decoded.err().map(Trouble::Wire);
        }
    }

    fn end(&mut self) {
        self.read.trouble = self.decoder.end(&mut self.read.events).err().map(Trouble::Wire);
    }

    fn is_over(&self) -> bool {
        self.read.trouble.is_some() || matches!(self.read.events.last(), Some(ModelEvent::Stop(_)))
    }

    fn take(&mut self) -> Read {
        std::mem::take(&mut self.read)
    }
}

fn too_large(read: Read, of: &'static str, limit: usize) -> Read {
    Read { trouble: Some(Trouble::TooLarge { of, limit }), ..read }
}
