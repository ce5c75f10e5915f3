//! What a kernel says, as typed values.
//!
//! Source: "Messaging in Jupyter" in the documentation of jupyter_client. What is not known here, or not as it should be,
//! comes as [`KernelEvent::Other`]: nothing is dropped. JSON stays as it was spelled.

use aside_core::NextInput;
use bytes::Bytes;
use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use crate::message::Message;

/// One thing that a kernel said.
#[derive(Clone, Debug)]
pub enum KernelEvent {
    /// It became busy or idle; other words as it says them.
    Status(String),
    /// It began to run this, and counts it so.
    Begun {
        /// The code.
        code: String,
        /// The number of the run.
        count: Option<u64>,
    },
    /// Something was printed.
    Stream {
        /// `stdout` or `stderr`.
        name: String,
        /// What.
        text: String,
    },
    /// Something is to be shown.
    Display(Display),
    /// Everything that was shown with this `display_id` is to be shown so, in other cells too.
    UpdateDisplay(Display),
    /// The value of the code.
    Result(Display),
    /// The code failed.
    Error(Raised),
    /// What was put out so far is to go, with `wait` only when the next output comes.
    Clear {
        /// Not yet.
        wait: bool,
    },
    /// It waits for a line of input; answered by [`crate::Kernel::answer`].
    AsksInput {
        /// What to show before it.
        prompt: String,
        /// What is typed is not to be shown, nor stored.
        password: bool,
    },
    /// The request is answered.
    Reply(Reply),
    /// Anything else: messages of widgets (`comm_open`, `comm_msg`, `comm_close`), what was added to the protocol later.
    Other {
        /// Such as `comm_msg`.
        kind: String,
        /// JSON.
        content: String,
        /// JSON.
        metadata: String,
        /// Bytes that go with it.
        buffers: Vec<Bytes>,
    },
}

/// Something to be shown, in several forms.
#[derive(Clone, Debug, Deserialize)]
pub struct Display {
    /// An object: by MIME type.
    pub data: Box<RawValue>,
    /// An object: what is to be known of it.
    #[serde(default = "empty_object")]
    pub metadata: Box<RawValue>,
    /// By what it is updated later.
    #[serde(default, rename = "transient", deserialize_with = "display_id")]
    pub display_id: Option<String>,
    /// The number of the run, of a result.
    #[serde(default, rename = "execution_count")]
    pub count: Option<u64>,
}

/// What code failed with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raised {
    /// Such as `ZeroDivisionError`.
    #[serde(default, rename = "ename")]
    pub name: String,
    /// Such as `division by zero`.
    #[serde(default, rename = "evalue")]
    pub value: String,
    /// Lines with the colours of a terminal; an entry may be several lines.
    #[serde(default)]
    pub traceback: Vec<String>,
}

/// How a request ended.
#[derive(Clone, Debug)]
pub struct Reply {
    /// How.
    pub status: ReplyStatus,
    /// The number of the run.
    pub count: Option<u64>,
    /// All of it, as JSON.
    pub content: String,
}

impl Reply {
    /// What a terminal would show page by page, such as the help that `len?` asks for.
    pub fn pages(&self) -> Vec<Display> {
        self.payload("page").iter().filter_map(|page| display(page.get())).collect()
    }

    /// What the code wants to have written next, as `%load` and `%recall` do.
    pub fn next_input(&self) -> Option<NextInput> {
        self.payload("set_next_input").iter().find_map(|asked| read(asked.get()))
    }

    /// The parts of the payload that have this source.
    fn payload(&self, source: &str) -> Vec<Box<RawValue>> {
        let mut payload = read::<Paid>(&self.content).unwrap_or_default().payload;
        payload.retain(|part| read::<Source>(part.get()).is_some_and(|part| part.source == source));
        payload
    }
}

/// How a request ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplyStatus {
    /// As it should.
    Ok,
    /// With an error.
    Failed(Raised),
    /// It was not begun, because another one before it failed.
    Aborted,
}

#[derive(Deserialize)]
struct Status {
    execution_state: String,
}

#[derive(Deserialize)]
struct Begun {
    code: String,
    #[serde(default)]
    execution_count: Option<u64>,
}

#[derive(Deserialize)]
struct Stream {
    name: String,
    text: String,
}

#[derive(Deserialize)]
struct Clear {
    #[serde(default)]
    wait: bool,
}

#[derive(Deserialize)]
struct AsksInput {
    #[serde(default)]
    prompt: String,
    #[serde(default)]
    password: bool,
}

#[derive(Deserialize)]
struct Ended {
    #[serde(default)]
    status: String,
    #[serde(default)]
    execution_count: Option<u64>,
}

#[derive(Default, Deserialize)]
struct Paid {
    #[serde(default)]
    payload: Vec<Box<RawValue>>,
}

#[derive(Deserialize)]
struct Source {
    source: String,
}

impl KernelEvent {
    pub(crate) fn of(message: Message) -> Self {
        known(&message).unwrap_or_else(|| {
            let Message { kind, content, metadata, buffers, .. } = message;
            Self::Other { kind, content, metadata, buffers }
        })
    }

    /// Tells whether it ends what the kernel puts out for a request.
    pub(crate) fn is_idle(&self) -> bool {
        matches!(self, Self::Status(state) if state == "idle")
    }
}

fn known(message: &Message) -> Option<KernelEvent> {
    let content = &*message.content;
    Some(match &*message.kind {
        "status" => KernelEvent::Status(read::<Status>(content)?.execution_state),
        "execute_input" => {
            let begun: Begun = read(content)?;
            KernelEvent::Begun { code: begun.code, count: begun.execution_count }
        }
        "stream" => {
            let Stream { name, text } = read(content)?;
            KernelEvent::Stream { name, text }
        }
        "display_data" => KernelEvent::Display(display(content)?),
        "update_display_data" => KernelEvent::UpdateDisplay(display(content)?),
        "execute_result" => KernelEvent::Result(display(content)?),
        "error" => KernelEvent::Error(read(content)?),
        "clear_output" => KernelEvent::Clear { wait: read::<Clear>(content)?.wait },
        "input_request" => {
            let AsksInput { prompt, password } = read(content)?;
            KernelEvent::AsksInput { prompt, password }
        }
        kind if kind.ends_with("_reply") => KernelEvent::Reply(reply(content)),
        _ => return None,
    })
}

fn read<T: DeserializeOwned>(content: &str) -> Option<T> {
    serde_json::from_str(content).ok()
}

fn display(content: &str) -> Option<Display> {
    read::<Display>(content)
        .filter(|display| [&display.data, &display.metadata].iter().all(|part| part.get().starts_with('{')))
}

fn reply(content: &str) -> Reply {
    let ended: Option<Ended> = read(content);
    let (status, count) = ended.map_or_else(Default::default, |ended| (ended.status, ended.execution_count));
    let status = match &*status {
        "error" => ReplyStatus::Failed(read(content).unwrap_or_default()),
        "aborted" | "abort" => ReplyStatus::Aborted,
        _ => ReplyStatus::Ok,
    };
    Reply { status, count, content: content.to_owned() }
}

fn empty_object() -> Box<RawValue> {
    RawValue::from_string("{}".to_owned()).expect("it is JSON")
}

fn display_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    struct Transient {
        #[serde(default)]
        display_id: Option<String>,
    }
    Ok(Option::<Transient>::deserialize(deserializer)?.and_then(|transient| transient.display_id))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: &str, content: &str) -> KernelEvent {
        let (kind, content) = (kind.to_owned(), content.to_owned());
        KernelEvent::of(Message { kind, content, parent: None, metadata: "{}".to_owned(), buffers: Vec::new() })
    }

    #[test]
    fn json_keeps_its_spelling() {
        let content =
            r#"{"data": {"application/json": 1e400}, "transient": {"display_id": "d"}, "execution_count": 3}"#;
        let KernelEvent::Result(result) = of("execute_result", content) else { panic!("another event") };
        assert_eq!((result.data.get(), result.metadata.get()), (r#"{"application/json": 1e400}"#, "{}"));
        assert_eq!((result.display_id.as_deref(), result.count), (Some("d"), Some(3)));
    }

    #[test]
    fn what_is_not_known_is_kept() {
        for (kind, content) in [
            ("comm_msg", r#"{"comm_id":"c"}"#),
            ("stream", r#"{"text":1}"#),
            ("display_data", r#"{"data":[]}"#),
            ("", "x"),
        ] {
            let KernelEvent::Other { kind: found, content: kept, .. } = of(kind, content) else { panic!("{kind}") };
            assert_eq!((found.as_str(), kept.as_str()), (kind, content));
        }
    }

    #[test]
    fn replies_say_how_it_ended() {
        let status = |content: &str| match of("execute_reply", content) {
            KernelEvent::Reply(reply) => reply.status,
            other => panic!("{other:?}"),
        };
        assert_eq!(status(r#"{"status":"ok"}"#), ReplyStatus::Ok);
        assert_eq!(status(r#"{"status":"aborted"}"#), ReplyStatus::Aborted);
        let ReplyStatus::Failed(raised) = status(r#"{"status":"error","ename":"E","evalue":"v","traceback":["t"]}"#)
        else {
            panic!("not failed")
        };
        assert_eq!((raised.name.as_str(), raised.value.as_str(), raised.traceback.len()), ("E", "v", 1));
    }

    #[test]
    fn replies_bring_pages() {
        let pages = |content: &str| match of("execute_reply", content) {
            KernelEvent::Reply(reply) => {
                reply.pages().iter().map(|page| page.data.get().to_owned()).collect::<Vec<_>>()
            }
            other => panic!("{other:?}"),
        };
        let payload = r#"{"status":"ok","payload":[
            {"source":"set_next_input","text":"x"},
            {"source":"page","data":{"text/plain":"help"},"start":0},
            {"source":"page","data":"odd"},
            7]}"#;
        assert_eq!(pages(payload), [r#"{"text/plain":"help"}"#]);
        assert!(pages(r#"{"status":"ok"}"#).is_empty());
    }

    #[test]
    fn replies_bring_what_is_to_be_written_next() {
        let next = |payload: &str| match of("execute_reply", &format!(r#"{{"status":"ok","payload":{payload}}}"#)) {
            KernelEvent::Reply(reply) => reply.next_input().map(|next| (next.text, next.replace)),
            other => panic!("{other:?}"),
        };
        let load = r#"[{"source":"page"},{"source":"set_next_input","text":"x = 1","replace":true}]"#;
        assert_eq!(next(load), Some(("x = 1".to_owned(), true)));
        assert_eq!(next(r#"[{"source":"set_next_input","text":"y"}]"#), Some(("y".to_owned(), false)));
        assert_eq!(next(r#"[{"source":"set_next_input"},7]"#), None);
    }
}
