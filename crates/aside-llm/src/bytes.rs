//! An answer read from its bytes alone: what tests, fuzz targets and measurements have instead of a connection.

use crate::{
    Limits, ModelEvent, ModelInfo, ModelRequest,
    anthropic::Messages,
    chat::Chat,
    echo::Echoes,
    gemini::Gemini,
    http::{
        decode::Decoder,
        reading::{Read, Reading},
    },
    ollama,
    preset::PRESETS,
    responses::Responses,
    wire::{Call, Wire},
};

/// The wires that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Ollama's lines.
    Ollama,
    /// Chat completions.
    Chat,
    /// Responses.
    Responses,
    /// Anthropic's Messages.
    Messages,
    /// Gemini's chunks.
    Gemini,
}

/// What was read, and what went wrong after that, if anything did.
#[derive(Debug, Default, PartialEq)]
pub struct Answer {
    /// The events up to the end or the problem.
    pub events: Vec<ModelEvent>,
    /// In our own words; for comparison, not for people.
    pub problem: Option<String>,
}

/// Reads an answer that comes in these pieces and then ends.
pub fn read<'a>(format: Format, pieces: impl IntoIterator<Item = &'a [u8]>) -> Answer {
    match format {
        Format::Ollama => {
            pieces_of(ollama::decode::Decode::new(&ModelRequest::default(), Echoes::of("ollama", "fake")), pieces)
        }
        Format::Chat => pieces_of(decoder::<Chat>(), pieces),
        Format::Responses => pieces_of(decoder::<Responses>(), pieces),
        Format::Messages => pieces_of(decoder::<Messages>(), pieces),
        Format::Gemini => pieces_of(decoder::<Gemini>(), pieces),
    }
}

fn decoder<W: Wire>() -> W::Decoder {
    let request = ModelRequest { model: "fake".to_owned(), ..ModelRequest::default() };
    let model = ModelInfo::named("fake");
    let (echoes, quirks) = (Echoes::of("fake", "fake"), &PRESETS[0].quirks);
    W::decoder(&Call { request: &request, model, echoes, quirks, at_home: true })
}

fn pieces_of<'a>(decoder: impl Decoder, pieces: impl IntoIterator<Item = &'a [u8]>) -> Answer {
    let mut reading = Reading::new(decoder, Limits { answer: usize::MAX, ..Limits::default() });
    let mut answer = Answer::default();
    for piece in pieces {
        if answer.take(reading.push(piece)) {
            return answer;
        }
    }
    answer.take(reading.end());
    answer
}

impl Answer {
    /// Adds what was read; tells whether it is over.
    fn take(&mut self, read: Read) -> bool {
        self.events.extend(read.events);
        self.problem = read.trouble.map(|trouble| format!("{trouble:?}"));
        self.problem.is_some() || matches!(self.events.last(), Some(ModelEvent::Stop(_)))
    }
}
