//! What Jupyter signs of a notebook: all its values in the order of their names, as `nbformat.sign` has them. A list of lines
//! and the same as one text sign alike.

use crate::Raw;

/// Members that Jupyter takes away before it signs.
const OF_NOTEBOOK: [&str; 3] = ["orig_nbformat", "orig_nbformat_minor", "signature"];
const OF_CELL: [&str; 1] = ["trusted"];

/// Hands over what is signed of a notebook's file, piece by piece. Nothing for a file of another format than 4.
pub fn signed_parts(file: &str, mut feed: impl FnMut(&[u8])) -> bool {
    let Ok(notebook) = Raw::parse(file) else { return false };
    let is_four = notebook.get("nbformat").and_then(|format| format.number()) == Some(4);
    if is_four {
        object(&notebook, &mut feed, |name, value, feed| match name {
            "metadata" => without(value, &OF_NOTEBOOK, feed),
            "cells" => value.items().unwrap_or_default().iter().for_each(|cell| {
                object(cell, feed, |name, value, feed| match name {
                    "metadata" => without(value, &OF_CELL, feed),
                    _ => everything(value, feed),
                });
            }),
            _ => everything(value, feed),
        });
    }
    is_four
}

type Feed<'a> = dyn FnMut(&[u8]) + 'a;

fn without(value: &Raw, names: &[&str], feed: &mut Feed<'_>) {
    let mut members = value.members().unwrap_or_default();
    members.retain(|member| !names.contains(&&*member.name));
    everything(&Raw::of_members(&members), feed);
}

/// The members in the order of their names, of several with one name the last.
fn object(value: &Raw, feed: &mut Feed<'_>, each: impl Fn(&str, &Raw, &mut Feed<'_>)) {
    let members: std::collections::BTreeMap<String, Raw> =
        value.members().unwrap_or_default().into_iter().map(|member| (member.name, member.value)).collect();
    for (name, value) in &members {
        feed(name.as_bytes());
        each(name, value, feed);
    }
}

fn everything(value: &Raw, feed: &mut Feed<'_>) {
    match value.as_str().as_bytes().first() {
        Some(b'{') => object(value, feed, |_, value, feed| everything(value, feed)),
        Some(b'[') => value.items().unwrap_or_default().iter().for_each(|item| everything(item, feed)),
        Some(b'"') => feed(value.text().unwrap_or_default().as_bytes()),
        Some(b't') => feed(b"True"),
        Some(b'f') => feed(b"False"),
        Some(b'n') => feed(b"None"),
        _ => feed(number(value.as_str()).as_bytes()),
    }
}

/// A number as Python spells it.
fn number(text: &str) -> String {
    if !text.contains(['.', 'e', 'E']) {
        return if text == "-0" { "0".to_owned() } else { text.to_owned() };
    }
    let value: f64 = text.parse().unwrap_or(f64::NAN);
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    // The shortest digits that mean this number, which is what Python has, too.
    let short = format!("{value:e}");
    let (digits, exponent) = short.split_once('e').expect("it is written with one");
    let exponent: i32 = exponent.parse().expect("it is a number");
    if (-4..16).contains(&exponent) {
        let plain = format!("{value}");
        return if plain.contains('.') { plain } else { plain + ".0" };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(file: &str) -> String {
        let mut all = Vec::new();
        signed_parts(file, |part| all.extend_from_slice(part));
        String::from_utf8(all).unwrap()
    }

    #[test]
    fn values_come_in_the_order_of_names_as_python_spells_them() {
        let file = r#"{"nbformat": 4, "metadata": {"signature": "x", "b": [1.0, 1e16, 1E-5, -0, 2.50, 1e400], "a": null},
            "cells": [{"source": ["a\n", "é"], "metadata": {"trusted": true, "x": true}, "cell_type": "code"}], "nbformat_minor": 5}"#;
        let cells = "cellscell_typecodemetadataxTruesourcea\né";
        let metadata = "metadataaNoneb1.01e+161e-0502.5inf";
        assert_eq!(parts(file), format!("{cells}{metadata}nbformat4nbformat_minor5"));
    }

    #[test]
    fn lines_and_a_text_are_signed_alike_and_another_format_not_at_all() {
        let of = |source: &str| parts(&format!(r#"{{"nbformat": 4, "cells": [{{"source": {source}}}]}}"#));
        assert_eq!(of(r#"["a\n", "b"]"#), of(r#""a\nb""#));
        assert!(!signed_parts(r#"{"nbformat": 3}"#, |_| ()) && !signed_parts("no JSON", |_| ()));
    }
}
