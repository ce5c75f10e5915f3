//! A notebook as messages. Pure: the same notebook gives the same bytes.

use aside_agent::{
    fence::{fenced, neutral},
    history::{Part, Said},
};
use aside_core::{LabelSource, Provenance, ToolCall};
use aside_llm::{Image, Message};
use aside_notebook::{Cell, CellKey, CellKind, Notebook, Raw, joined};
use serde_json::{Value, json};

/// Characters of one output.
const MOST: usize = 4_000;
/// Bytes of an image, as base64.
const MOST_IMAGE: usize = 6 << 20;

/// What is said in a notebook.
#[derive(Clone, Debug, Default)]
pub struct Conversation {
    /// The messages, oldest first.
    pub said: Vec<Said>,
    /// The texts in it that programs or models wrote, each with where it is from.
    pub sources: Vec<(LabelSource, String)>,
}

/// Reads what stands above a cell, and in it. `sees`: images go along.
pub fn conversation(notebook: &Notebook, cell: &CellKey, sees: bool) -> Conversation {
    let language = notebook.language().unwrap_or_else(|| "python".to_owned());
    let mut telling = Telling { language, sees, told: Conversation::default() };
    for above in &notebook.cells {
        let is_last = above.key() == cell;
        if is_last || !is_hidden(above) {
            telling.cell(above);
        }
        if is_last {
            break;
        }
    }
    telling.told
}

/// Tells whether a person keeps a cell from models.
pub fn is_hidden(cell: &Cell) -> bool {
    let metadata = cell.get("metadata");
    let says = |value: Option<Raw>, word: &str| value.is_some_and(|value| value.as_str() == word);
    says(metadata.and_then(|all| all.get("aiContextVisible")), "false")
        || says(metadata.and_then(|all| all.get("aside")?.get("ai_hidden")), "true")
}

struct Telling {
    language: String,
    sees: bool,
    told: Conversation,
}

impl Telling {
    fn cell(&mut self, cell: &Cell) {
        let (key, source) = (cell.key(), cell.source());
        match cell.kind() {
            CellKind::Code => self.code(cell, "code", &self.language.clone()),
            CellKind::Sql => self.code(cell, "sql", "sql"),
            CellKind::Markdown => self.shown(key, format!("Notebook markdown cell {key}:\n{source}"), Vec::new()),
            CellKind::Ai => self.answer(cell),
            CellKind::Raw | CellKind::Other(_) => (),
        }
    }

    fn shown(&mut self, key: &CellKey, text: String, images: Vec<Image>) {
        let instead = format!("[Aside] The cell {key} was shown here, and is left out now.");
        self.told.said.push(Said { message: Message::User { text, images }, part: Part::Shown { instead } });
    }

    fn code(&mut self, cell: &Cell, word: &str, language: &str) {
        let key = cell.key();
        let mut text = format!("Notebook {word} cell {key}:\n{}", block(language, &cell.source()));
        let outputs = cell.outputs();
        let texts: Vec<String> = (1..)
            .zip(streams_joined(&outputs))
            .filter_map(|(number, output)| Some(bounded(&text_of(&output)?, key, number)))
            .collect();
        if !texts.is_empty() {
            let put_out = texts.join("\n");
            let source = LabelSource::external(format!("outputs of cell {key}"), "its code put it out");
            let data = fenced(&put_out, &Provenance::of(source.clone()), &key.0);
            text.push_str(&format!("\n\nOutput:\n{data}"));
            self.told.sources.push((source, put_out));
        }
        let images = if self.sees { outputs.iter().filter_map(image_of).collect() } else { Vec::new() };
        self.shown(key, text, images);
    }

    fn answer(&mut self, cell: &Cell) {
        let prompt = cell.source().trim().to_owned();
        if !prompt.is_empty() {
            self.told.said.push(Said { message: Message::user(prompt), part: Part::Words });
        }
        let outputs: Vec<Value> =
            cell.outputs().iter().filter_map(|raw| serde_json::from_str(raw.as_str()).ok()).collect();
        let mut answer = Answer::default();
        for output in &outputs {
            let Some(role) = output["metadata"]["anode"]["role"].as_str() else { continue };
            match role {
                "assistant" => answer.text(output),
                "function_call" => answer.call(output),
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

/// The outputs of an AI cell on their way to messages: calls that were made together are one message, and each has a
/// result.
#[derive(Default)]
struct Answer {
    messages: Vec<Message>,
    calls: Vec<ToolCall>,
    echo: Value,
    iteration: Value,
    results: Vec<(String, String, bool)>,
    /// A text that its provider wants back together with the calls after it.
    open: Option<(String, Value)>,
}

impl Answer {
    fn text(&mut self, output: &Value) {
        self.flush();
        let text = text_in(&output["data"]["text/markdown"]);
        if !text.is_empty() {
            let echo = output["metadata"]["aside"]["echo"].clone();
            self.open = Some((text, echo));
            self.iteration = output["metadata"]["anode"]["iteration"].clone();
        }
    }

    fn call(&mut self, output: &Value) {
        let said = &output["data"]["application/vnd.anode.aitool+json"];
        let (Some(id), Some(name)) = (said["tool_call_id"].as_str(), said["tool_name"].as_str()) else { return };
        let iteration = &output["metadata"]["anode"]["iteration"];
        let together = self.results.is_empty() || (!iteration.is_null() && *iteration == self.iteration);
        if !self.calls.is_empty() && (!together || self.calls.iter().any(|call| call.id == id)) {
            self.flush();
        }
        if self.calls.is_empty() {
            self.echo = output["metadata"]["aside"]["echo"].clone();
            self.iteration = iteration.clone();
            if self.echo.is_null() {
                self.close();
            }
        }
        let args = if said["arguments"].is_object() { said["arguments"].clone() } else { json!({}) };
        let (id, name) = (id.to_owned(), name.to_owned());
        self.calls.push(ToolCall { id, name, args, problem: None, from_text: false });
    }

    /// Takes a result; returns its text.
    fn result(&mut self, output: &Value) -> Option<String> {
        let said = &output["data"]["application/vnd.anode.aitool.result+json"];
        let id = said["tool_call_id"].as_str()?.to_owned();
        let text = said["result"].as_str().filter(|text| !text.is_empty()).unwrap_or("Success").to_owned();
        self.results.push((id, text.clone(), said["status"] == "error"));
        Some(text)
    }

    fn close(&mut self) {
        if let Some((text, echo)) = self.open.take() {
            self.messages.push(Message::Assistant { text, calls: Vec::new(), echo });
        }
    }

    fn flush(&mut self) {
        let (calls, results) = (std::mem::take(&mut self.calls), std::mem::take(&mut self.results));
        if calls.is_empty() {
            return self.close();
        }
        let text = self.open.take().map(|(text, _)| text).unwrap_or_default();
        self.messages.push(Message::Assistant { text, calls: calls.clone(), echo: self.echo.take() });
        for ToolCall { id, name, .. } in calls {
            let found = results.iter().find(|(of, ..)| *of == id);
            let (text, failed) = match found {
                Some((_, text, failed)) => (text.clone(), *failed),
                None => ("Error: not carried out: the answer ended before it".to_owned(), true),
            };
            self.messages.push(Message::ToolResult { call: id, name, text, failed });
        }
    }

    fn done(mut self) -> Vec<Message> {
        self.flush();
        self.messages
    }
}

/// A text in a fence that nothing in it ends.
fn block(language: &str, text: &str) -> String {
    let longest = text.lines().map(|line| line.trim_start().bytes().take_while(|byte| *byte == b'`').count()).max();
    let fence = "`".repeat(longest.filter(|long| *long >= 3).map_or(3, |long| long + 1));
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{text}{end}{fence}")
}

/// What one stream says in a row is one output, however it was stored.
fn streams_joined(outputs: &[Raw]) -> Vec<Value> {
    let mut joined: Vec<Value> = Vec::new();
    for output in outputs.iter().filter_map(|raw| serde_json::from_str::<Value>(raw.as_str()).ok()) {
        match joined.last_mut().filter(|last| last["output_type"] == "stream" && last["name"] == output["name"]) {
            Some(last) if output["output_type"] == "stream" => {
                last["text"] = (text_in(&last["text"]) + &text_in(&output["text"])).into();
            }
            _ => joined.push(output),
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

fn data_text(data: &Value) -> Option<String> {
    let text = |mime: &str| Some(text_in(&data[mime])).filter(|text| !text.is_empty());
    let words = text("text/markdown")
        .or_else(|| text("text/plain"))
        .or_else(|| text("text/html").map(|html| without_tags(&html)));
    let json = data.get("application/json").and_then(|json| serde_json::to_string_pretty(json).ok());
    let json = json.map(|json| format!("**Structured Data:**\n{}", block("json", &json)));
    let images = data.as_object().into_iter().flatten().filter(|(mime, _)| mime.starts_with("image/"));
    let images = images.map(|(mime, _)| format!("**Visual Content:** {mime} (available for vision-capable models)"));
    let parts: Vec<String> = words.map(|words| plain(&words)).into_iter().chain(json).chain(images).collect();
    (!parts.is_empty()).then(|| parts.join("\n"))
}

fn image_of(output: &Raw) -> Option<Image> {
    let data = output.get("data")?;
    ["image/png", "image/jpeg", "image/gif", "image/webp"].into_iter().find_map(|kind| {
        let base64: String = joined(&data.get(kind)?)?.split_whitespace().collect();
        let fits = (1..=MOST_IMAGE).contains(&base64.len());
        fits.then(|| Image { kind: kind.to_owned(), base64 })
    })
}

/// Both ends of a long text, more of its end, where errors say what they are; and how to read the rest.
fn bounded(text: &str, key: &CellKey, number: usize) -> String {
    let count = text.chars().count();
    if count <= MOST {
        return text.to_owned();
    }
    let head: String = text.chars().take(MOST / 3).collect();
    let tail: String = text.chars().skip(count - (MOST - MOST / 3)).collect();
    let left = count - MOST;
    format!(
        "{head}\n… {left} characters are left out here: `read_cell` with cellId {key} and output {number} …\n{tail}"
    )
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
