//! What an output says to a model. A long one is not read but for its ends: of a large notebook a model is told little, and at
//! once.

use std::{collections::BTreeMap, ops::RangeInclusive};

use aside_agent::fence::neutral;
use aside_llm::Image;
use aside_notebook::{CellKey, Raw, html_text, joined};
use serde_json::Value;

use super::{block, ends::Text, text_in};

/// Characters of one output.
const MOST: usize = 4_000;
/// Outputs of one cell of which all are told; of more, so many of the first and of the last.
const MOST_OUTPUTS: usize = 64;
const FIRST_OUTPUTS: usize = 16;
const LAST_OUTPUTS: usize = MOST_OUTPUTS - FIRST_OUTPUTS;
/// Bytes of an image, as base64.
const MOST_IMAGE: usize = 6 << 20;
/// Characters of the name of a form.
const MOST_NAME: usize = 100;
/// Bytes of data, as the file has it, that is laid out anew.
const LONG: usize = 64 << 10;
/// The forms of an output that are text, the best first, and those that a model sees. A formula's plain text often names no
/// more than the class of the object.
const TEXTS: [&str; 4] = ["text/markdown", "text/latex", "text/plain", "text/html"];
const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// One output.
pub(super) enum PutOut {
    Stream {
        name: Option<String>,
        text: Text,
    },
    Error {
        last: String,
        traceback: Text,
    },
    Data(BTreeMap<String, Raw>),
    /// So many between the first and the last of too many.
    LeftOut(usize),
}

impl PutOut {
    fn read(output: &Raw) -> Option<Self> {
        let members = members(output)?;
        let text = |name: &str| members.get(name).map(|raw| Text::read(raw, "")).unwrap_or_default();
        match members.get("output_type")?.text()?.as_str() {
            "stream" => Some(Self::Stream { name: members.get("name").and_then(Raw::text), text: text("text") }),
            "error" => {
                let last = format!("Error: {}: {}", text("ename").all, text("evalue").all);
                let traceback = members.get("traceback").map(|raw| Text::read(raw, "\n")).unwrap_or_default();
                Some(Self::Error { last, traceback })
            }
            _ => Some(Self::Data(members.get("data").and_then(self::members).unwrap_or_default())),
        }
    }

    /// What it says, bounded; `more` tells how the whole is read.
    pub fn text(&self, more: &str) -> Option<String> {
        let (text, left) = match self {
            Self::Stream { text, .. } => (block("", &plain(&text.all)), text.left),
            Self::Error { last, traceback } => {
                let all = [plain(&traceback.all).trim_end(), last].join("\n");
                (block("", all.trim_start()), traceback.left)
            }
            Self::Data(forms) => data_text(forms)?,
            Self::LeftOut(count) => return Some(format!("… {count} outputs are omitted here{more} …")),
        };
        Some(bounded(&text, left, more))
    }

    /// The image that it shows, in the best form.
    pub fn image(&self) -> Option<Image> {
        let Self::Data(forms) = self else { return None };
        IMAGES.into_iter().find_map(|kind| image(kind, joined(forms.get(kind)?)?))
    }
}

/// An image, if it is one that can be sent.
pub(super) fn image(kind: &str, base64: String) -> Option<Image> {
    let is_broken = base64.bytes().any(|byte| byte.is_ascii_whitespace());
    let base64 = if is_broken { base64.split_ascii_whitespace().collect() } else { base64 };
    (1..=MOST_IMAGE).contains(&base64.len()).then(|| Image { kind: kind.to_owned(), base64 })
}

/// What is told of what a cell has put out, each with the numbers of those outputs that it stands for, from 1. What one stream
/// says in a row is one output, however it was stored.
pub(super) fn told(outputs: &[Raw]) -> Vec<(RangeInclusive<usize>, PutOut)> {
    let left = if outputs.len() > MOST_OUTPUTS { FIRST_OUTPUTS..outputs.len() - LAST_OUTPUTS } else { 0..0 };
    let mut told = streams_joined(1, &outputs[..left.start]);
    if !left.is_empty() {
        told.push((left.start + 1..=left.end, PutOut::LeftOut(left.len())));
    }
    told.extend(streams_joined(left.end + 1, &outputs[left.end..]));
    told
}

fn streams_joined(first: usize, outputs: &[Raw]) -> Vec<(RangeInclusive<usize>, PutOut)> {
    let mut joined: Vec<(RangeInclusive<usize>, PutOut)> = Vec::new();
    for (number, raw) in (first..).zip(outputs) {
        match (PutOut::read(raw), joined.last_mut()) {
            (Some(PutOut::Stream { name, text }), Some((numbers, PutOut::Stream { name: last, text: all })))
                if name == *last =>
            {
                *numbers = *numbers.start()..=number;
                all.push(text);
            }
            (Some(output), _) => joined.push((number..=number, output)),
            (None, _) => (),
        }
    }
    joined
}

fn members(object: &Raw) -> Option<BTreeMap<String, Raw>> {
    Some(object.members()?.into_iter().map(|member| (member.name, member.value)).collect())
}

/// Its best text and its data, and how many characters of these were not read; what else it is, is named, each with its size.
fn data_text(forms: &BTreeMap<String, Raw>) -> Option<(String, usize)> {
    let mut left = 0;
    let text = |mime: &str| Some(Text::read(forms.get(mime)?, "")).filter(|text| !text.all.is_empty());
    let best = TEXTS.iter().find_map(|mime| Some((*mime, text(mime)?)));
    let words = best.map(|(mime, text)| {
        left += text.left;
        plain(&if mime == "text/html" { html_text(&text.all) } else { text.all })
    });
    let json = forms.get("application/json").map(|raw| {
        let json = laid_out(raw);
        left += json.left;
        format!("**Structured Data:**\n{}", block("json", &json.all))
    });
    let (images, others): (Vec<_>, Vec<_>) = forms.iter().partition(|(mime, _)| IMAGES.contains(&mime.as_str()));
    let images =
        images.iter().map(|(mime, _)| format!("**Visual Content:** {mime} (available for vision-capable models)"));
    // The forms that say the same as the best text are no news.
    let others = others.into_iter().filter(|(mime, _)| *mime != "application/json" && !TEXTS.contains(&mime.as_str()));
    let named = |(mime, raw): (&String, &Raw)| {
        format!("{} ({} bytes)", mime.chars().take(MOST_NAME).collect::<String>(), size_of(raw))
    };
    let others: Vec<String> = others.map(named).collect();
    let others = (!others.is_empty()).then(|| neutral(&format!("**Not shown here:** {}", others.join(", "))));
    let parts: Vec<String> = words.into_iter().chain(json).chain(images).chain(others).collect();
    (!parts.is_empty()).then(|| (parts.join("\n"), left))
}

/// Data as lines; what is long stays as it stands in the file.
fn laid_out(json: &Raw) -> Text {
    let value = || serde_json::from_str::<Value>(json.as_str()).ok();
    let lines = || value().and_then(|value| serde_json::to_string_pretty(&value).ok());
    let short = (json.as_str().len() <= LONG).then(lines).flatten();
    short.map_or_else(|| Text::of(json.as_str()), |all| Text { all, left: 0 })
}

/// The same however a program spells it in its file, as long as it is no long object.
fn size_of(raw: &Raw) -> usize {
    if raw.as_str().len() > LONG {
        return Text::size_of(raw).unwrap_or(raw.as_str().len());
    }
    let Ok(value) = serde_json::from_str::<Value>(raw.as_str()) else { return raw.as_str().len() };
    let is_text = value.is_string() || value.as_array().is_some_and(|lines| lines.iter().all(Value::is_string));
    if is_text { text_in(&value).len() } else { value.to_string().len() }
}

/// Both ends of a long text, more of its end, where errors say what they are. `left`: what is missing of it already.
fn bounded(text: &str, left: usize, more: &str) -> String {
    let count = text.chars().count();
    if count <= MOST {
        return text.to_owned();
    }
    let head: String = text.chars().take(MOST / 3).collect();
    let tail: String = text.chars().skip(count - (MOST - MOST / 3)).collect();
    let left = count - MOST + left;
    format!("{head}\n… {left} characters are omitted here{more} …\n{tail}")
}

/// How the whole of these outputs is read.
pub(super) fn more_of(key: &CellKey, numbers: RangeInclusive<usize>) -> String {
    let (first, last) = numbers.into_inner();
    let which = if first == last { format!("output {first}") } else { format!("each output from {first} to {last}") };
    format!("; read them with `read_cell`, cellId {key} and {which}")
}

/// Without the colours of a terminal, and of a line that was written over only what was left of it.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' if letters.next_if_eq(&'[').is_some() => {
                let _ = letters.by_ref().find(|letter| ('@'..='~').contains(letter));
            }
            '\r' if letters.peek() == Some(&'\n') => (),
            '\r' => plain.truncate(plain.rfind('\n').map_or(0, |end| end + 1)),
            letter => plain.push(letter),
        }
    }
    neutral(&plain)
}
