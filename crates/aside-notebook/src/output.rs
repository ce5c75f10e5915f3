//! The text of an output, as a terminal would leave it.

use crate::{Member, Raw, html_text, joined};

/// The kinds of data that are text, the best first. A formula's plain text often names no more than the class of the object.
const TEXTS: [&str; 5] = ["text/markdown", "text/latex", "text/plain", "application/json", "text/html"];

/// Returns the text of an output; none if it has none.
pub fn output_text(output: &Raw) -> Option<String> {
    let text = |name: &str| output.get(name).as_ref().and_then(joined);
    match text("output_type").unwrap_or_default().as_str() {
        "stream" => Some(plain(&text("text").unwrap_or_default())),
        "error" => Some(error(output)),
        "execute_result" | "display_data" => {
            let members = output.get("data").as_ref().and_then(Raw::members).unwrap_or_default();
            best_text(&members).map(text_of)
        }
        _ => None,
    }
}

/// Returns the form of data that is its best text.
pub fn best_text(forms: &[Member]) -> Option<&Member> {
    TEXTS.iter().find_map(|mime| forms.iter().find(|member| member.name == *mime))
}

fn text_of(form: &Member) -> String {
    let text = joined(&form.value).unwrap_or_else(|| form.value.as_str().to_owned());
    plain(&if form.name == "text/html" { html_text(&text) } else { text })
}

/// The traceback ends with the error itself; where there is none, that is added.
fn error(output: &Raw) -> String {
    let text = |name: &str| output.get(name).and_then(|value| value.text()).unwrap_or_default();
    let lines = output.get("traceback").and_then(|traceback| traceback.items()).unwrap_or_default();
    let traceback: Vec<String> = lines.iter().filter_map(Raw::text).collect();
    let said = format!("{}: {}", text("ename"), text("evalue"));
    let traceback = plain(&traceback.join("\n"));
    let last = said.lines().last().unwrap_or_default();
    let whole = if traceback.contains(last) { traceback } else { format!("{traceback}\n{said}") };
    whole.trim_start_matches('\n').to_owned()
}

/// Text without colours; of a line that was written over, only the last state.
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

/// Leaves out a terminal's signs for colours and places.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn text(output: &str) -> Option<String> {
        output_text(&Raw::parse(output).unwrap())
    }

    #[test]
    fn progress_bar_is_its_last_state_without_colours() {
        let stream =
            r#"{"output_type":"stream","name":"stderr","text":["10%\r20%\r100%\n","\u001b[31mred\u001b[0m\r\n"]}"#;
        assert_eq!(text(stream).unwrap(), "100%\nred\n");
    }

    #[test]
    fn best_form_of_data_is_its_text() {
        let of = |data: &str| text(&format!(r#"{{"output_type":"display_data","data":{data}}}"#));
        assert_eq!(of(r#"{"text/html":"<style>b{}</style><b>1 &lt; 2</b>"}"#).unwrap(), "1 < 2");
        assert_eq!(of(r#"{"text/html":"<b>x</b>","text/plain":["a\n","b"]}"#).unwrap(), "a\nb");
        assert_eq!(of(r#"{"application/json":{"a":1e400}}"#).unwrap(), r#"{"a":1e400}"#);
        assert_eq!((of(r#"{"image/png":"AA"}"#), text(r#"{"what":1}"#)), (None, None));
    }

    #[test]
    fn error_ends_with_its_cause() {
        let bare = r#"{"output_type":"error","ename":"E","evalue":"why","traceback":[]}"#;
        assert_eq!(text(bare).unwrap(), "E: why");
    }

    proptest::proptest! {
        #[test]
        fn any_text_can_be_shown(text in "[aé\n\r\u{7}\u{1b}\\[\\]]{0,80}") {
            proptest::prop_assert!(plain(&text).len() <= text.len());
        }
    }
}
