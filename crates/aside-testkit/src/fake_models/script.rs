//! What the fake answers, in words that no wire has.

use std::time::Duration;

/// A wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wire {
    /// `POST /api/chat`, NDJSON.
    Ollama,
    /// `POST /v1/chat/completions`, server-sent events.
    Chat,
    /// `POST /v1/responses`, named server-sent events.
    Responses,
    /// `POST /v1/messages`, named server-sent events.
    Anthropic,
    /// `POST /v1beta/models/NAME:streamGenerateContent`, server-sent events.
    Gemini,
}

impl Wire {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Ollama, Self::Chat, Self::Responses, Self::Anthropic, Self::Gemini];
}

/// What one request gets.
#[derive(Clone, Debug)]
pub enum Reply {
    /// An answer of a model.
    Answer(Answer, Delivery),
    /// A status with a JSON error and perhaps `retry-after`.
    Status {
        /// The HTTP status.
        status: u16,
        /// The header, as sent.
        retry_after: Option<String>,
        /// The message in the error. `{authorization}` becomes the key that was sent, as careless servers do.
        message: String,
    },
    /// HTTP 200 with something else.
    Other {
        /// The content type.
        kind: String,
        /// The body.
        body: String,
    },
    /// A redirect.
    Redirect {
        /// Where to.
        location: String,
    },
    /// Nothing at all, until the client goes away.
    Hang,
}

impl Reply {
    /// An answer, delivered whole.
    pub fn answer(answer: Answer) -> Self {
        Self::Answer(answer, Delivery::default())
    }
}

/// A model's answer.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// What it consists of, in order.
    pub parts: Vec<Part>,
    /// Why it ends.
    pub stop: Stop,
    /// What it used.
    pub counts: Option<Counts>,
}

impl Answer {
    /// An answer of one text.
    pub fn text(text: &str) -> Self {
        Self { parts: vec![Part::Text(text.to_owned())], ..Self::default() }
    }

    /// Adds a part.
    #[must_use]
    pub fn with(mut self, part: Part) -> Self {
        if matches!(part, Part::Call(_)) {
            self.stop = Stop::Calls;
        }
        self.parts.push(part);
        self
    }
}

/// A piece of an answer.
#[derive(Clone, Debug)]
pub enum Part {
    /// Thinking aloud; `signature` is what it is signed or sealed with where a wire has that.
    Thinking {
        /// The thought; may be empty.
        text: String,
        /// The signature.
        signature: String,
    },
    /// Thinking that nobody but the provider can read, to be handed back as it is. Ollama has none.
    Sealed(String),
    /// Text.
    Text(String),
    /// A tool call.
    Call(Call),
}

/// A tool call.
#[derive(Clone, Debug)]
pub struct Call {
    /// Its id; not sent if absent.
    pub id: Option<String>,
    /// The tool.
    pub name: String,
    /// The arguments as text, which need not be JSON (the Ollama wire then sends the text itself).
    pub args: String,
}

impl Call {
    /// A call with an id.
    pub fn new(id: &str, name: &str, args: &str) -> Self {
        Self { id: Some(id.to_owned()), name: name.to_owned(), args: args.to_owned() }
    }
}

/// Why an answer ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stop {
    /// It is done.
    #[default]
    End,
    /// For tool calls.
    Calls,
    /// At the limit.
    Length,
    /// Refused.
    Refusal,
}

/// What an answer used. `input` is all of it, the cached part included.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Input tokens.
    pub input: u64,
    /// Output tokens.
    pub output: u64,
    /// Of the input, read from a cache.
    pub cache_read: u64,
    /// Of the input, written to a cache.
    pub cache_write: u64,
    /// Of that, to be kept for an hour; only one wire tells.
    pub cache_write_hour: u64,
    /// Of the output, reasoning.
    pub reasoning: u64,
}

/// How an answer gets to the client.
#[derive(Clone, Debug, Default)]
pub struct Delivery {
    /// Bytes in one write; one message a write if absent.
    pub piece: Option<usize>,
    /// Before each write.
    pub pause: Duration,
    /// Bytes of arguments in one fragment, on wires that have fragments; whole if absent.
    pub fragment: Option<usize>,
    /// How it ends.
    pub ending: Ending,
    /// The habits of the server.
    pub quirks: Vec<Quirk>,
}

impl Delivery {
    /// Delivery with some quirks.
    pub fn quirks(quirks: &[Quirk]) -> Self {
        Self { quirks: quirks.to_vec(), ..Self::default() }
    }

    /// Delivery with an ending.
    pub fn ending(ending: Ending) -> Self {
        Self { ending, ..Self::default() }
    }
}

/// How an answer ends. Messages are those of the wire: events or lines.
#[derive(Clone, Debug, Default)]
pub enum Ending {
    /// As it should.
    #[default]
    Whole,
    /// The connection is closed in an orderly way after some messages.
    Close(usize),
    /// The connection breaks after some messages.
    Break(usize),
    /// Nothing more comes after some messages, until the client goes away.
    Hang(usize),
    /// After some messages nothing but words that there will be more, without end: comments, and blank lines where there
    /// are none.
    Working(usize),
    /// An error comes after some messages.
    Error {
        /// How many messages.
        after: usize,
        /// The type in the error: `overloaded_error`, `server_error`.
        kind: String,
        /// The words in it.
        message: String,
    },
    /// The messages are repeated without end.
    Endless,
}

/// A habit of some server. A wire that does not know it ignores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quirk {
    /// CRLF line endings.
    CrLf,
    /// Comment lines between events.
    Comments,
    /// Blanks around the data.
    Padding,
    /// No `event:` lines where the wire has them; an `event:` line where it has none.
    EventLines,
    /// Events, blocks and fields that nobody has heard of.
    Unknown,
    /// Chat: no `index` in tool calls.
    NoIndex,
    /// Chat: every tool call has index 0.
    SameIndex,
    /// Chat: `finish_reason` is `stop` even with calls.
    StopWithCalls,
    /// Chat: `finish_reason` comes twice, the second time with usage.
    FinishTwice,
    /// Chat: never a `finish_reason`.
    NoFinish,
    /// Chat: no `[DONE]`. Anthropic: no `message_stop`.
    NoDone,
    /// Chat: usage in the chunk that finishes.
    UsageWithFinish,
    /// Chat: usage in `x_groq` only.
    GroqUsage,
    /// Chat: reasoning is not counted among the tokens of the answer, only in the sum of all.
    ReasoningApart,
    /// Chat: thinking in `reasoning`, else in `reasoning_content`.
    Reasoning,
    /// Chat: content as a list of parts.
    ContentParts,
    /// Chat: `content: null` and `tool_calls: null` where there is nothing.
    Nulls,
    /// Chat: a call without arguments has no `arguments` key. Anthropic: neither fragments nor `input`.
    NoArgsKey,
    /// Chat: arguments as an object.
    ObjectArgs,
    /// Anthropic: more input tokens at the end than at the start.
    GrowingInput,
    /// Anthropic: the figures of several runs.
    Iterations,
    /// Responses: no pieces, only whole items.
    WholeItems,
    /// Responses: no items, only the output at the end.
    OnlyOutput,
    /// Responses: the output at the end lacks an item that was streamed.
    OtherOutput,
    /// Responses and Gemini: `[DONE]` at the end, which these wires do not have.
    DoneMarker,
    /// Gemini: no content in the last chunk.
    BareEnd,
}
