//! Code that a model runs to call its tools: the patch and the command that it names outright. What it makes of other values only running it
//! would tell, and the events of its calls do.

use std::borrow::Cow;

use crate::touch::PATCH;

const END: &str = "*** End Patch";

/// The patch that stands in the code.
pub fn patch(code: &str) -> Option<String> {
    let start = code.find(PATCH)?;
    let end = start + code[start..].find(END)? + END.len();
    let is_raw = code[..start].ends_with("String.raw`");
    let text = if is_raw { Cow::Borrowed(&code[start..end]) } else { plain(&code[start..end]) };
    // What is put together of pieces has something else after its first line.
    text.strip_prefix(PATCH)?.starts_with(['\n', '\r']).then(|| text.into_owned())
}

/// The line of a shell that stands in the code; none if there are several.
pub fn command(code: &str) -> Option<String> {
    let mut found = code.match_indices("cmd").filter_map(|(place, word)| {
        let before = code[..place].chars().next_back();
        let rest = code[place + word.len()..].trim_start_matches(['"', '\'']).trim_start();
        let value = rest.strip_prefix(':')?.trim_start();
        let is_name = before.is_none_or(|before| !before.is_alphanumeric() && before != '_' && before != '.');
        is_name.then(|| literal(value))?
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// The text at the start of some code that is one literal.
fn literal(code: &str) -> Option<String> {
    let quote = code.chars().next().filter(|quote| matches!(quote, '"' | '\'' | '`'))?;
    let mut escaped = false;
    let end = code.char_indices().skip(1).find(|(_, letter)| {
        let ends = *letter == quote && !escaped;
        escaped = *letter == '\\' && !escaped;
        ends
    });
    let text = &code[1..end?.0];
    let is_whole = quote != '`' || !text.contains("${");
    is_whole.then(|| plain(text).into_owned()).filter(|text| !text.trim().is_empty())
}

/// A literal without its escapes.
fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        plain.push(match letter {
            '\\' => match letters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some(other) => other,
                None => break,
            },
            other => other,
        });
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patch_and_command_of_code_are_found() {
        let lines = "*** Begin Patch\n*** Add File: a.rs\n+x\n*** End Patch";
        for code in [
            format!("await tools.apply_patch(`{lines}`)"),
            format!("text(await tools.apply_patch({}));", serde_json::json!(lines)),
            format!("const p = String.raw`{lines}`; tools.apply_patch(p)"),
        ] {
            assert_eq!(patch(&code).as_deref(), Some(lines), "{code}");
        }
        assert_eq!(patch(r#"["*** Begin Patch", "*** End Patch"].join("\n")"#), None);
        assert_eq!(
            command(r#"await tools.exec_command({ cmd: "cargo test", workdir })"#).as_deref(),
            Some("cargo test")
        );
        assert_eq!(command(r#"run({"cmd":'say \'hi\''})"#).as_deref(), Some("say 'hi'"));
        for none in ["x.cmd: 1", "run({cmd})", "a({cmd:'x'}); b({cmd:'y'})", "({cmd: `ls ${folder}`})", "cmd: \"", ""] {
            assert_eq!(command(none), None, "{none}");
        }
    }
}
