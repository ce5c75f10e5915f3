//! A notebook as messages. Pure: the same notebook gives the same bytes.

mod answer;
mod room;

use std::ops::RangeInclusive;

use aside_agent::{
    fence::{fenced, neutral},
    history::{Part, Said},
};
use aside_core::{LabelSource, Provenance};
use aside_kernels::SqlCell;
use aside_llm::{Image, Message};
use aside_notebook::{Cell, CellKey, CellKind, Notebook, Raw, joined};
use serde_json::Value;

use self::{
    answer::Answer,
    room::{bound_images, looked_at},
};

/// Characters of one output.
const MOST: usize = 4_000;
/// Bytes of an image, as base64.
const MOST_IMAGE: usize = 6 << 20;
/// Characters of the name of a form.
const MOST_NAME: usize = 100;
/// The forms of an output that are text, the best first, and those that a model sees. A formula's plain text often names no
/// more than the class of the object.
const TEXTS: [&str; 4] = ["text/markdown", "text/latex", "text/plain", "text/html"];
const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// What is said in a notebook.
#[derive(Clone, Debug, Default)]
pub struct Conversation {
    /// The messages, oldest first.
    pub said: Vec<Said>,
    /// The texts in it that programs or models wrote, each with where it is from.
    pub sources: Vec<(LabelSource, String)>,
}

/// Who reads, and whose answers those in the notebook are.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// Images go along.
    pub sees: bool,
    /// The reader can call tools, and is told which of them shows what is left out here.
    pub calls: bool,
    /// Tells of an AI cell whether it was answered here, or a person trusts what stands in it: then what its provider wants
    /// back of the answer goes along. Of another the same messages go without it, because anybody may have written it.
    pub trusts: &'a dyn Fn(&Cell) -> bool,
}

/// Reads what stands above a cell, and in it.
pub fn conversation(notebook: &Notebook, cell: &CellKey, reading: Reading<'_>) -> Conversation {
    let language = notebook.language().unwrap_or_else(|| "python".to_owned());
    let mut telling = Telling { language, reading, told: Conversation::default() };
    let own = notebook.cells.iter().position(|above| above.key() == cell).map_or(notebook.cells.len(), |at| at + 1);
    let above = notebook.cells[..own].iter().filter(|above| above.key() == cell || !above.is_hidden());
    let above: Vec<&Cell> = above.collect();
    let first = looked_at(&above);
    for (at, above) in above.into_iter().enumerate() {
        telling.cell(above, above.key() == cell, at >= first);
    }
    bound_images(&mut telling.told.said);
    telling.told
}

struct Telling<'a> {
    language: String,
    reading: Reading<'a>,
    told: Conversation,
}

impl Telling<'_> {
    /// `is_near`: what it has put out is told too.
    fn cell(&mut self, cell: &Cell, is_own: bool, is_near: bool) {
        let (key, source) = (cell.key(), cell.source());
        let outputs = if is_near || is_own { cell.outputs() } else { Vec::new() };
        match cell.kind() {
            CellKind::Code => self.code(cell, &outputs, "code", &self.language.clone()),
            CellKind::Sql => self.code(cell, &outputs, "sql", "sql"),
            CellKind::Markdown => self.shown(key, format!("Notebook markdown cell {key}:\n{source}"), Vec::new()),
            CellKind::Ai => self.answer(cell, &outputs, is_own),
            CellKind::Raw | CellKind::Other(_) => (),
        }
    }

    fn shown(&mut self, key: &CellKey, text: String, images: Vec<Image>) {
        let instead = format!("[Aside] The cell {key} was shown here, and is left out now.");
        self.told.said.push(Said { message: Message::User { text, images }, part: Part::Shown { instead } });
    }

    fn code(&mut self, cell: &Cell, outputs: &[Raw], word: &str, language: &str) {
        let key = cell.key();
        let asks = SqlCell::of(cell).and_then(|sql| sql.words()).map(|asks| neutral(&format!(" ({asks})")));
        let asks = asks.unwrap_or_default();
        let mut text = format!("Notebook {word} cell {key}{asks}:\n{}", block(language, &cell.source()));
        let more = |numbers| if self.reading.calls { more_of(key, numbers) } else { String::new() };
        if outputs.is_empty() && has_outputs(cell) {
            let how =
                if self.reading.calls { format!(": `read_cell` with cellId {key} reads it") } else { String::new() };
            text.push_str(&format!("\n\nWhat it has put out is left out here, because the notebook is large{how}."));
        }
        let texts: Vec<String> = streams_joined(outputs)
            .into_iter()
            .filter_map(|(numbers, output)| Some(bounded(&text_of(&output)?, &more(numbers))))
            .collect();
        if !texts.is_empty() {
            let put_out = texts.join("\n");
            let source = LabelSource::external(format!("outputs of cell {key}"), "its code put it out");
            let data = fenced(&put_out, &Provenance::of(source.clone()), &key.0);
            text.push_str(&format!("\n\nOutput:\n{data}"));
            self.told.sources.push((source, put_out));
        }
        let images = if self.reading.sees { outputs.iter().filter_map(image_of).collect() } else { Vec::new() };
        self.shown(key, text, images);
    }

    /// What stands in the cell that is answered in was said just now, and not by whoever wrote the file.
    fn answer(&mut self, cell: &Cell, outputs: &[Raw], is_own: bool) {
        let prompt = cell.source().trim().to_owned();
        if !prompt.is_empty() {
            self.told.said.push(Said { message: Message::user(prompt), part: Part::Words });
        }
        if outputs.is_empty() && has_outputs(cell) {
            let text = "[Aside] What was answered to that is left out here, because the notebook is large.".to_owned();
            self.told.said.push(Said { message: Message::user(text), part: Part::Other });
        }
        let outputs: Vec<Value> = outputs.iter().filter_map(|raw| serde_json::from_str(raw.as_str()).ok()).collect();
        let mut answer = Answer::new(is_own || (self.reading.trusts)(cell));
        for output in &outputs {
            let Some(role) = output["metadata"]["anode"]["role"].as_str() else { continue };
            match role {
                "assistant" => answer.text(output),
                "function_call" => answer.call(output),
                "image" if self.reading.sees => answer.images.extend(image_in(&output["data"])),
                "tool" => {
                    let text = answer.result(output);
                    let source = LabelSource::external(
                        format!("results in AI cell {}", cell.key()),
                        "programs may have written it",
                    );
                    self.told.sources.extend(text.map(|text| (source, text)));
                }
                _ => (),
            }
        }
        let said = answer.done().into_iter().map(|message| Said { message, part: Part::Other });
        self.told.said.extend(said);
    }
}

fn has_outputs(cell: &Cell) -> bool {
    cell.get("outputs").is_some_and(|outputs| outputs.as_str().len() > "[]".len())
}

/// A text in a fence that nothing in it ends.
fn block(language: &str, text: &str) -> String {
    let longest = text.lines().map(|line| line.trim_start().bytes().take_while(|byte| *byte == b'`').count()).max();
    let fence = "`".repeat(longest.filter(|long| *long >= 3).map_or(3, |long| long + 1));
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{text}{end}{fence}")
}

/// What one stream says in a row is one output, however it was stored: each with the numbers of those that are stored, from 1.
fn streams_joined(outputs: &[Raw]) -> Vec<(RangeInclusive<usize>, Value)> {
    let mut joined: Vec<(RangeInclusive<usize>, Value)> = Vec::new();
    for (number, raw) in (1..).zip(outputs) {
        let Ok(output) = serde_json::from_str::<Value>(raw.as_str()) else { continue };
        let is_more = |last: &Value| {
            last["output_type"] == "stream" && output["output_type"] == "stream" && last["name"] == output["name"]
        };
        match joined.last_mut().filter(|(_, last)| is_more(last)) {
            Some((numbers, last)) => {
                *numbers = *numbers.start()..=number;
                last["text"] = (text_in(&last["text"]) + &text_in(&output["text"])).into();
            }
            None => joined.push((number..=number, output)),
        }
    }
    joined
}

fn text_of(output: &Value) -> Option<String> {
    match output["output_type"].as_str()? {
        "stream" => Some(block("", &plain(&text_in(&output["text"])))),
        "error" => {
            let last = format!("Error: {}: {}", text_in(&output["ename"]), text_in(&output["evalue"]));
            let traceback = plain(&lines_in(&output["traceback"]));
            let all = [traceback.trim_end(), &last].join("\n");
            Some(block("", all.trim_start()))
        }
        _ => data_text(&output["data"]),
    }
}

/// Its best text and its data; what else it is, is named, each with its size.
fn data_text(data: &Value) -> Option<String> {
    let text = |mime: &str| Some(text_in(&data[mime])).filter(|text| !text.is_empty());
    let best = TEXTS.iter().find_map(|mime| Some((*mime, text(mime)?)));
    let words = best.map(|(mime, text)| plain(&if mime == "text/html" { without_tags(&text) } else { text }));
    let json = data.get("application/json").and_then(|json| serde_json::to_string_pretty(json).ok());
    let json = json.map(|json| format!("**Structured Data:**\n{}", block("json", &json)));
    let (images, others): (Vec<_>, Vec<_>) =
        data.as_object().into_iter().flatten().partition(|(mime, _)| IMAGES.contains(&mime.as_str()));
    let images =
        images.iter().map(|(mime, _)| format!("**Visual Content:** {mime} (available for vision-capable models)"));
    // The forms that say the same as the best text are no news.
    let others = others.into_iter().filter(|(mime, _)| *mime != "application/json" && !TEXTS.contains(&mime.as_str()));
    let named = |(mime, value): (&String, &Value)| {
        format!("{} ({} bytes)", mime.chars().take(MOST_NAME).collect::<String>(), size_of(value))
    };
    let others: Vec<String> = others.map(named).collect();
    let others = (!others.is_empty()).then(|| neutral(&format!("**Not shown here:** {}", others.join(", "))));
    let parts: Vec<String> = words.into_iter().chain(json).chain(images).chain(others).collect();
    (!parts.is_empty()).then(|| parts.join("\n"))
}

/// The same however a program spells it in its file.
fn size_of(value: &Value) -> usize {
    let is_text = value.is_string() || value.as_array().is_some_and(|lines| lines.iter().all(Value::is_string));
    if is_text { text_in(value).len() } else { value.to_string().len() }
}

/// One that stands in an answer.
fn image_in(data: &Value) -> Option<Image> {
    let (kind, base64) = data.as_object()?.iter().find(|(mime, _)| mime.starts_with("image/"))?;
    let base64: String = text_in(base64).split_whitespace().collect();
    let fits = (1..=MOST_IMAGE).contains(&base64.len());
    fits.then(|| Image { kind: kind.clone(), base64 })
}

fn image_of(output: &Raw) -> Option<Image> {
    let data = output.get("data")?;
    IMAGES.into_iter().find_map(|kind| {
        let base64: String = joined(&data.get(kind)?)?.split_whitespace().collect();
        let fits = (1..=MOST_IMAGE).contains(&base64.len());
        fits.then(|| Image { kind: kind.to_owned(), base64 })
    })
}

/// Both ends of a long text, more of its end, where errors say what they are.
fn bounded(text: &str, more: &str) -> String {
    let count = text.chars().count();
    if count <= MOST {
        return text.to_owned();
    }
    let head: String = text.chars().take(MOST / 3).collect();
    let tail: String = text.chars().skip(count - (MOST - MOST / 3)).collect();
    let left = count - MOST;
    format!("{head}\n… {left} characters are left out here{more} …\n{tail}")
}

/// How the whole of these outputs is read.
fn more_of(key: &CellKey, numbers: RangeInclusive<usize>) -> String {
    let (first, last) = numbers.into_inner();
    let which = if first == last { format!("output {first}") } else { format!("each output from {first} to {last}") };
    format!(": `read_cell` with cellId {key} and {which}")
}

/// A text of the format: one string, or lines.
fn text_in(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}

fn lines_in(value: &Value) -> String {
    let lines = value.as_array().into_iter().flatten().filter_map(Value::as_str);
    lines.collect::<Vec<_>>().join("\n")
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

/// The text of markup, well enough for a model.
fn without_tags(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        rest = tag.split_once('>').map_or("", |(_, after)| after);
        text.push(' ');
    }
    text.push_str(rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
