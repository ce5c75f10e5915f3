//! What a cell has put out, as much of it as a model is shown: text with its beginning and its end, everything else named.

use aside_notebook::{Cell, Raw, html_text, joined};

use crate::files::bytes;

/// Bytes of the outputs of one cell up to which they are looked at to sum them up.
const MOST_LOOKED_AT: usize = 2 << 20;
/// The kinds of data that are text, the best first. A formula's plain text often names no more than the class of the object.
const TEXTS: [&str; 5] = ["text/markdown", "text/latex", "text/plain", "application/json", "text/html"];

/// One output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShownOutput {
    /// What it is: `stdout`, `result`, `error` …
    pub title: String,
    /// What can be read of it.
    pub text: Option<String>,
    /// What else it is, each with its size.
    pub others: Vec<String>,
    /// All its forms, if it has several.
    pub forms: Option<Raw>,
}

/// Returns what a cell has put out; how large it is, if that is too much to be looked at.
pub(crate) fn outputs_of(cell: &Cell) -> Result<Vec<ShownOutput>, String> {
    let Some(outputs) = cell.get("outputs") else { return Ok(Vec::new()) };
    if outputs.as_str().len() > MOST_LOOKED_AT {
        return Err(bytes(outputs.as_str().len() as u64));
    }
    Ok(outputs.items().unwrap_or_default().iter().map(shown).collect())
}

/// Returns one output however large it is; none if there are not so many. `number` is from 1.
pub(crate) fn text_of_output(cell: &Cell, number: usize) -> Option<ShownOutput> {
    cell.outputs().get(number.checked_sub(1)?).map(shown)
}

fn shown(output: &Raw) -> ShownOutput {
    let text = |name: &str| output.get(name).as_ref().and_then(joined);
    match text("output_type").unwrap_or_default().as_str() {
        "stream" => ShownOutput {
            title: text("name").unwrap_or_else(|| "stream".to_owned()),
            text: Some(plain(&text("text").unwrap_or_default())),
            others: Vec::new(),
            forms: None,
        },
        "error" => error(output),
        "execute_result" => data("result", output),
        "display_data" => data("display", output),
        other => ShownOutput { title: other.chars().take(40).collect(), text: None, others: Vec::new(), forms: None },
    }
}

/// The traceback ends with what went wrong; where there is none, that is said.
fn error(output: &Raw) -> ShownOutput {
    let text = |name: &str| output.get(name).and_then(|value| value.text()).unwrap_or_default();
    let lines = output.get("traceback").and_then(|traceback| traceback.items()).unwrap_or_default();
    let traceback: Vec<String> = lines.iter().filter_map(Raw::text).collect();
    let said = format!("{}: {}", text("ename"), text("evalue"));
    let traceback = plain(&traceback.join("\n"));
    let last = said.lines().last().unwrap_or_default();
    let whole = if traceback.contains(last) { traceback } else { format!("{traceback}\n{said}") };
    let text = Some(whole.trim_start_matches('\n').to_owned());
    ShownOutput { title: "error".to_owned(), text, others: Vec::new(), forms: None }
}

fn data(title: &str, output: &Raw) -> ShownOutput {
    let forms = output.get("data");
    let members = forms.as_ref().and_then(Raw::members).unwrap_or_default();
    let named = |mime: &str| members.iter().find(|member| member.name == mime);
    let best = TEXTS.iter().find_map(|mime| named(mime));
    let text = best.map(|member| {
        let text = joined(&member.value).unwrap_or_else(|| member.value.as_str().to_owned());
        if member.name == "text/html" { html_text(&text) } else { text }
    });
    let others = members.iter().filter(|member| best.is_none_or(|best| best.name != member.name));
    let others = others.map(|member| format!("{} ({})", member.name, bytes(member.value.as_str().len() as u64)));
    let others = others.collect();
    ShownOutput { title: title.to_owned(), text: text.map(|text| plain(&text)), others, forms }
}

/// Text as a terminal would leave it: without colours, and of a line that was written over only the last state.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in without_escapes(text).split_inclusive('\n') {
        let (line, end) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        let line = line.strip_suffix('\r').unwrap_or(line);
        out.push_str(line.rsplit('\r').next().unwrap_or_default());
        out.push_str(end);
    }
    out
}

/// Leaves out what tells a terminal of colours and places.
fn without_escapes(text: &str) -> String {
    let (mut out, mut letters) = (String::with_capacity(text.len()), text.chars().peekable());
    while let Some(letter) = letters.next() {
        if letter != '\u{1b}' {
            out.push(letter);
            continue;
        }
        match letters.next() {
            // A sequence ends with a letter or one of a few signs.
            Some('[') => _ = letters.by_ref().find(|letter| ('@'..='~').contains(letter)),
            // A command for the system ends with a bell, or another escape and a backslash.
            Some(']') => {
                let end = letters.by_ref().find(|letter| matches!(letter, '\u{7}' | '\u{1b}'));
                if end == Some('\u{1b}') {
                    let _ = letters.next_if_eq(&'\\');
                }
            }
            _ => (),
        }
    }
    out
}

/// The beginning and the end of a text that is longer than `most` bytes, the end being twice as long: what went wrong is said
/// there. `more` says how to get the rest.
pub(crate) fn head_and_tail(text: &str, most: usize, more: &str) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let head = &text[..text.floor_char_boundary(most / 3)];
    let tail = &text[text.ceil_char_boundary(text.len() - most / 3 * 2)..];
    // Whole lines, unless one is longer than that.
    let head = head.rfind('\n').map_or(head, |end| &head[..=end]);
    let tail = tail.find('\n').filter(|end| end + 1 < tail.len()).map_or(tail, |end| &tail[end + 1..]);
    let left_out = text.len() - head.len() - tail.len();
    format!("{}\n… {left_out} bytes left out; {more} …\n{tail}", head.trim_end_matches('\n'))
}

#[cfg(test)]
mod tests {
    use aside_notebook::{CellKey, CellKind};
    use proptest::prelude::*;

    use super::*;

    fn cell(outputs: &str) -> Cell {
        let mut cell = Cell::new(CellKey("a".into()), &CellKind::Code, true);
        cell.set("outputs", Raw::parse(outputs).unwrap());
        cell
    }

    fn only(outputs: &str) -> ShownOutput {
        outputs_of(&cell(outputs)).unwrap().remove(0)
    }

    #[test]
    fn text_is_shown_and_everything_else_named() {
        let image =
            r#"[{"output_type":"execute_result","data":{"text/plain":["<Figure>\n","two"],"image/png":"iVBORw0K"}}]"#;
        let shown = only(image);
        assert_eq!((shown.title.as_str(), shown.text.as_deref()), ("result", Some("<Figure>\ntwo")));
        assert_eq!(shown.others, ["image/png (10 bytes)"]);
        let html = only(r#"[{"output_type":"display_data","data":{"text/html":"<style>b{}</style><b>1 &lt; 2</b>"}}]"#);
        assert_eq!((html.text.as_deref(), html.others.len()), (Some("1 < 2"), 0));
        assert_eq!(
            only(r#"[{"output_type":"display_data","data":{"application/json":{"a":1e400}}}]"#).text.unwrap(),
            r#"{"a":1e400}"#
        );
        assert_eq!(
            only(r#"[{"what":1}]"#),
            ShownOutput { title: String::new(), text: None, others: vec![], forms: None }
        );
    }

    #[test]
    fn a_progress_bar_is_its_last_state_and_colours_are_gone() {
        let stream =
            r#"[{"output_type":"stream","name":"stderr","text":["10%\r20%\r100%\n","\u001b[31mred\u001b[0m\r\n"]}]"#;
        assert_eq!(only(stream).text.unwrap(), "100%\nred\n");
    }

    #[test]
    fn what_went_wrong_is_always_there() {
        let frames: Vec<String> = (0..5_000).map(|frame| format!("\"frame {frame}\"")).collect();
        let output = format!(
            r#"[{{"output_type":"error","ename":"KeyError","evalue":"'tide'","traceback":[{},"KeyError: 'tide'"]}}]"#,
            frames.join(",")
        );
        let text = only(&output).text.unwrap();
        let short = head_and_tail(&text, 600, "ask for it");
        assert!(short.starts_with("frame 0\n") && short.ends_with("\nKeyError: 'tide'"), "{short}");
        assert!(short.len() < 700 && short.contains("bytes left out; ask for it"));
        let bare = only(r#"[{"output_type":"error","ename":"E","evalue":"why","traceback":[]}]"#);
        assert_eq!(bare.text.unwrap(), "E: why");
    }

    #[test]
    fn what_is_huge_is_only_measured_until_it_is_asked_for() {
        let huge =
            format!(r#"[{{"output_type":"stream","name":"stdout","text":"{}end"}}]"#, "x".repeat(MOST_LOOKED_AT));
        let cell = cell(&huge);
        assert_eq!(outputs_of(&cell), Err("2.0 MB".to_owned()));
        assert!(text_of_output(&cell, 1).unwrap().text.unwrap().ends_with("end"));
        assert_eq!((text_of_output(&cell, 0), text_of_output(&cell, 2)), (None, None));
    }

    proptest! {
        #[test]
        fn a_shortened_text_is_bounded_and_keeps_both_ends(text in "[aé\n\u{1b}\\[]{0,400}", most in 9usize..200) {
            let short = head_and_tail(&text, most, "");
            prop_assert!(short.len() <= most.max(text.len().min(most)) + 60);
            let last = text.chars().last();
            prop_assert!(text.is_empty() || short.ends_with(last.unwrap()) || text.ends_with('\n'));
            plain(&text);
        }
    }
}
