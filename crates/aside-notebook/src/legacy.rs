//! Notebooks of formats 1, 2 and 3, as format 4 says the same.

use crate::{Cell, CellKey, CellKind, Member, Notebook, Raw, lines::ends_line, multiline, python_lines};

/// Outputs of formats 2 and 3 hold their data under these short names.
const DATA: [(&str, &str); 9] = [
    ("text", "text/plain"),
    ("html", "text/html"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("jpeg", "image/jpeg"),
    ("latex", "text/latex"),
    ("json", "application/json"),
    ("javascript", "application/javascript"),
    ("pdf", "application/pdf"),
];

/// Returns the text that a string or a list of its lines stands for. Old writers left out the ends of the lines in a list.
fn joined(value: &Raw) -> Option<String> {
    let Some(items) = value.items() else { return value.text() };
    let lines = items.iter().map(Raw::text).collect::<Option<Vec<_>>>()?;
    let has_ends = lines.first().is_some_and(|line| line.ends_with(['\n', '\r']));
    Some(lines.join(if has_ends { "" } else { "\n" }))
}

/// Tells whether this is a notebook of the first format, which does not name itself: its cells have `code` or `text`.
pub(crate) fn is_first(members: &[Member]) -> bool {
    let cells = named(members, "cells").and_then(Raw::items).unwrap_or_default();
    !cells.is_empty() && cells.iter().all(|cell| cell.get("code").or_else(|| cell.get("text")).is_some())
}

/// Returns the notebook as format 4.5 has it. What its worksheets were called is lost, as in the format's own upgrade; their cells come one after the other.
pub(crate) fn upgraded(format: u64, members: &[Member]) -> Notebook {
    if format == 1 {
        return upgraded_first(members);
    }
    let mut notebook = Notebook::new();
    let named = |name: &str| named(members, name);
    if let Some(metadata) = named("metadata").and_then(Raw::members) {
        let kept = metadata.into_iter().filter(|member| !matches!(member.name.as_str(), "name" | "signature"));
        notebook.set("metadata", object(kept));
    }
    let worksheets = named("worksheets").and_then(Raw::items).unwrap_or_default();
    let cells = worksheets.iter().filter_map(|sheet| sheet.get("cells")?.items()).flatten();
    notebook.cells = cells.enumerate().map(|(index, cell)| upgraded_cell(index, &cell)).collect();
    notebook
}

fn named<'a>(members: &'a [Member], name: &str) -> Option<&'a Raw> {
    members.iter().rev().find(|member| member.name == name).map(|member| &member.value)
}

/// The first format has no outputs and no metadata. Cells of unknown types are kept as raw ones.
fn upgraded_first(members: &[Member]) -> Notebook {
    let mut notebook = Notebook::new();
    let cells = named(members, "cells").and_then(Raw::items).unwrap_or_default();
    let upgraded = |(index, old): (usize, &Raw)| {
        let kind = match old.get("cell_type").and_then(|kind| kind.text()).as_deref() {
            Some("code") => CellKind::Code,
            Some("text") => CellKind::Markdown,
            _ => CellKind::Raw,
        };
        let mut cell = Cell::new(CellKey(format!("cell-{index}")), &kind, true);
        let source = old.get("code").or_else(|| old.get("text"));
        cell.set_source(&source.as_ref().and_then(joined).unwrap_or_default());
        if kind == CellKind::Code {
            // As the format's own upgrade has it.
            cell.set("metadata", Raw::written(r#"{"collapsed":false}"#.into()));
            cell.set("execution_count", old.get("prompt_number").unwrap_or_else(|| Raw::written("null".into())));
        }
        cell
    };
    notebook.cells = cells.iter().enumerate().map(upgraded).collect();
    notebook
}

fn upgraded_cell(index: usize, old: &Raw) -> Cell {
    let kind = old.get("cell_type").and_then(|kind| kind.text()).unwrap_or_default();
    let new_kind = match kind.as_str() {
        "code" => CellKind::Code,
        "raw" => CellKind::Raw,
        "markdown" | "heading" | "html" => CellKind::Markdown,
        other => CellKind::Other(other.to_owned()),
    };
    let mut cell = Cell::new(CellKey(format!("cell-{index}")), &new_kind, true);
    let text = |name: &str| old.get(name).as_ref().and_then(joined).unwrap_or_default();
    let metadata = old.get("metadata").and_then(|metadata| metadata.members()).unwrap_or_default();
    let collapsed = old
        .get("collapsed")
        .filter(|_| new_kind == CellKind::Code)
        .map(|value| Member { name: "collapsed".into(), value });
    cell.set("metadata", object(metadata.into_iter().chain(collapsed)));
    match kind.as_str() {
        "code" => {
            cell.set_source(&text("input"));
            cell.set("execution_count", old.get("prompt_number").unwrap_or_else(|| Raw::written("null".into())));
            let outputs = old.get("outputs").and_then(|outputs| outputs.items()).unwrap_or_default();
            cell.set("outputs", Raw::of_items(&outputs.iter().map(upgraded_output).collect::<Vec<_>>()));
        }
        "heading" => {
            let level = old.get("level").and_then(|level| level.number()).unwrap_or(1).clamp(1, 6);
            let source = text("source");
            let lines = python_lines(&source).into_iter().map(|line| line.trim_end_matches(ends_line));
            let words = lines.collect::<Vec<_>>().join(" ");
            cell.set_source(&format!("{} {words}", "#".repeat(usize::try_from(level).unwrap_or(1))));
        }
        _ => cell.set_source(&text("source")),
    }
    cell
}

fn upgraded_output(old: &Raw) -> Raw {
    let members = old.members().unwrap_or_default();
    let kind = old.get("output_type").and_then(|kind| kind.text()).unwrap_or_default();
    let kept = |names: &[&str]| {
        members.iter().filter(|member| names.contains(&member.name.as_str())).cloned().collect::<Vec<_>>()
    };
    let kind_of = |name: &str| Member { name: "output_type".into(), value: Raw::of_text(name) };
    match kind.as_str() {
        "pyerr" => {
            let mut error = kept(&["ename", "evalue", "traceback"]);
            // As format 2 calls it.
            error.extend(old.get("etype").map(|value| Member { name: "ename".into(), value }));
            object(error.into_iter().chain([kind_of("error")]))
        }
        "stream" => {
            let name = old.get("stream").unwrap_or_else(|| Raw::of_text("stdout"));
            let text = multiline(&old.get("text").as_ref().and_then(joined).unwrap_or_default());
            object([
                Member { name: "name".into(), value: name },
                kind_of("stream"),
                Member { name: "text".into(), value: text },
            ])
        }
        "pyout" | "display_data" => {
            let data = Member { name: "data".into(), value: data(&members) };
            let of_data = old.get("metadata").and_then(|metadata| metadata.members()).unwrap_or_default();
            let of_data =
                of_data.into_iter().map(|member| Member { name: mime_type(&member.name).to_owned(), ..member });
            let metadata = Member { name: "metadata".into(), value: object(of_data) };
            let is_result = kind == "pyout";
            let count = is_result.then(|| Member {
                name: "execution_count".into(),
                value: old.get("prompt_number").unwrap_or_else(|| Raw::written("null".into())),
            });
            object(
                [data, metadata, kind_of(if is_result { "execute_result" } else { "display_data" })]
                    .into_iter()
                    .chain(count),
            )
        }
        _ => old.clone(),
    }
}

fn mime_type(short: &str) -> &str {
    DATA.iter().find(|(name, _)| *name == short).map_or(short, |(_, mime)| mime)
}

/// Returns the data of an output under their MIME types.
fn data(members: &[Member]) -> Raw {
    let fixed = ["output_type", "prompt_number", "metadata"];
    let data = members.iter().filter(|member| !fixed.contains(&member.name.as_str())).map(|member| {
        let name = mime_type(&member.name);
        let is_lines = name.starts_with("text/") || matches!(name, "image/svg+xml" | "application/javascript");
        let value = match joined(&member.value) {
            Some(text) if is_lines => multiline(&text),
            Some(text) if name == "application/json" => Raw::parse(text).unwrap_or_else(|_| member.value.clone()),
            Some(text) => Raw::of_text(&text),
            None => member.value.clone(),
        };
        Member { name: name.to_owned(), value }
    });
    object(data)
}

fn object(members: impl IntoIterator<Item = Member>) -> Raw {
    let members =
        members.into_iter().map(|member| format!("{}:{}", Raw::of_text(&member.name).as_str(), member.value.as_str()));
    Raw::written(format!("{{{}}}", members.collect::<Vec<_>>().join(",")))
}
