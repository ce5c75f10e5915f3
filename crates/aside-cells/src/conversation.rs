//! A notebook as messages. Pure: the same notebook gives the same bytes.

mod answer;
mod ends;
mod put_out;
mod room;

use aside_agent::{
    fence::{fenced, neutral},
    history::{Part, Said},
};
use aside_core::{LabelSource, Provenance};
use aside_kernels::SqlCell;
use aside_llm::{Image, Message};
use aside_notebook::{Cell, CellKey, CellKind, Notebook, OURS, Raw, wants_whole_notebook};
use serde_json::Value;

use self::{
    answer::Answer,
    put_out::{more_of, told},
    room::{bound_images, looked_at},
};

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

/// Stands between the cells above a question and those below it.
const BELOW: &str = "[Aside] The following cells stand below the cell that you answer in:";

/// Reads what stands above a cell, and in it; and below it, if the notebook or the cell wants that.
pub fn conversation(notebook: &Notebook, cell: &CellKey, reading: Reading<'_>) -> Conversation {
    let language = notebook.language().unwrap_or_else(|| "python".to_owned());
    let mut telling = Telling { language, reading, told: Conversation::default() };
    let (above, own, below) = around(notebook, cell);
    let count = above.len();
    // The question is the last thing that is said.
    let cells: Vec<&Cell> = above.into_iter().chain(below).chain(own).collect();
    let first = looked_at(&cells);
    for (at, told) in cells.into_iter().enumerate() {
        let is_own = told.key() == cell;
        if at == count && !is_own {
            telling.told.said.push(Said { message: Message::user(BELOW), part: Part::Other });
        }
        telling.cell(told, is_own, at >= first);
    }
    bound_images(&mut telling.told.said);
    telling.told
}

/// The cells that a model is told of: those above a cell, the cell, and those below it that count.
pub(crate) fn around<'a>(notebook: &'a Notebook, cell: &CellKey) -> (Vec<&'a Cell>, Option<&'a Cell>, Vec<&'a Cell>) {
    let at = notebook.cells.iter().position(|one| one.key() == cell).unwrap_or(notebook.cells.len());
    let visible = |cells: &'a [Cell]| cells.iter().filter(|cell| !cell.is_hidden()).collect::<Vec<_>>();
    let (above, rest) = notebook.cells.split_at(at);
    let (own, below) = rest.split_first().map_or((None, rest), |(own, below)| (Some(own), below));
    let below = if own.is_some_and(|own| is_whole(notebook, own)) { visible(below) } else { Vec::new() };
    (visible(above), own, below)
}

/// Tells whether a question in a cell is about the whole notebook: by what the cell says, else by what the notebook says.
fn is_whole(notebook: &Notebook, cell: &Cell) -> bool {
    let of_notebook = || {
        let ours = notebook.get("metadata").and_then(|all| all.get(OURS));
        wants_whole_notebook(ours.as_ref().map(Raw::as_str))
    };
    cell.wants_whole_notebook().or_else(of_notebook).unwrap_or(false)
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
        let instead = format!("[Aside] The cell {key} was shown here, now omitted.");
        self.told.said.push(Said { message: Message::User { text, images }, part: Part::Shown { instead } });
    }

    fn code(&mut self, cell: &Cell, outputs: &[Raw], word: &str, language: &str) {
        let key = cell.key();
        let asks = SqlCell::of(cell).and_then(|sql| sql.words()).map(|asks| neutral(&format!(" ({asks})")));
        let asks = asks.unwrap_or_default();
        let mut text = format!("Notebook {word} cell {key}{asks}:\n{}", block(language, &cell.source()));
        let calls = self.reading.calls;
        let more = |numbers| if calls { more_of(key, numbers) } else { String::new() };
        if outputs.is_empty() && has_outputs(cell) {
            let how = if self.reading.calls {
                format!("; read them with `read_cell` and cellId {key}")
            } else {
                String::new()
            };
            text.push_str(&format!("\n\nIts outputs are omitted here because the notebook is large{how}."));
        }
        let (mut images, mut texts) = (Vec::new(), Vec::new());
        for (numbers, output) in told(outputs) {
            texts.extend(output.text(&more(numbers.clone())));
            // Outputs after an image are told after it.
            if let Some(image) = output.image().filter(|_| self.reading.sees) {
                self.put_out(key, std::mem::take(&mut text), std::mem::take(&mut texts), std::mem::take(&mut images));
                text = format!("[Aside] This image is output {} of cell {key}.", numbers.start());
                images.push(image);
            }
        }
        self.put_out(key, text, texts, images);
    }

    /// Tells what stands between two images of a cell, after the first of them.
    fn put_out(&mut self, key: &CellKey, mut text: String, texts: Vec<String>, images: Vec<Image>) {
        if !texts.is_empty() {
            let put_out = texts.join("\n");
            let source = LabelSource::external(format!("outputs of cell {key}"), "output of its code");
            let data = fenced(&put_out, &Provenance::of(source.clone()), &key.0);
            text.push_str(&format!("\n\nOutput:\n{data}"));
            self.told.sources.push((source, put_out));
        }
        self.shown(key, text, images);
    }

    /// What stands in the cell that is answered in was said just now, and not by whoever wrote the file.
    fn answer(&mut self, cell: &Cell, outputs: &[Raw], is_own: bool) {
        let prompt = cell.source().trim().to_owned();
        if !prompt.is_empty() {
            self.told.said.push(Said { message: Message::user(prompt), part: Part::Words });
        }
        if outputs.is_empty() && has_outputs(cell) {
            let text = "[Aside] The answer is omitted here because the notebook is large.".to_owned();
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
                        "possibly written by programs",
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

/// One that stands in an answer.
fn image_in(data: &Value) -> Option<Image> {
    let (kind, base64) = data.as_object()?.iter().find(|(mime, _)| mime.starts_with("image/"))?;
    put_out::image(kind, text_in(base64))
}

/// A text of the format: one string, or lines.
fn text_in(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
        _ => String::new(),
    }
}
