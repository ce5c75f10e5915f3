//! What a cell has put out, as much of it as a model is shown: text with its beginning and its end, everything else named.

use aside_notebook::{Cell, Raw, best_text, joined, output_text};

use crate::files::bytes;

/// Bytes of the outputs of one cell up to which they are looked at to sum them up.
const MOST_LOOKED_AT: usize = 2 << 20;

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
    let name = |name: &str| output.get(name).as_ref().and_then(joined);
    let (title, forms) = match name("output_type").unwrap_or_default().as_str() {
        "stream" => (name("name").unwrap_or_else(|| "stream".to_owned()), None),
        "execute_result" => ("result".to_owned(), output.get("data")),
        "display_data" => ("display".to_owned(), output.get("data")),
        other => (other.chars().take(40).collect(), None),
    };
    ShownOutput { title, text: output_text(output), others: others(forms.as_ref()), forms }
}

/// The forms of data beside its text, each with its size.
fn others(forms: Option<&Raw>) -> Vec<String> {
    let members = forms.and_then(Raw::members).unwrap_or_default();
    let best = best_text(&members).map(|best| &best.name);
    let others = members.iter().filter(|member| best.is_none_or(|best| *best != member.name));
    others.map(|member| format!("{} ({})", member.name, bytes(member.value.as_str().len() as u64))).collect()
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
        }
    }
}
