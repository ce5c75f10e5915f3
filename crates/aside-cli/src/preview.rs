//! A preview as text: a unified diff, a command, a table.

use aside_core::{FileChange, FileDiff, Hunk, NoteRow, Preview, PreviewBody, harmless};

use crate::output::{Colour, Output};

/// Returns everything a person has to see before they decide. Nothing is cut.
pub fn render(preview: &Preview, output: &Output) -> String {
    render_noted(preview, |_| String::new(), output)
}

/// The same, with some words about each change beside its lines.
pub fn render_noted(preview: &Preview, note: impl Fn(&Hunk) -> String, output: &Output) -> String {
    let mut text = output.paint(Colour::Bold, &harmless(&preview.summary)) + "\n";
    for warning in &preview.warnings {
        text += &output.paint(Colour::Yellow, &format!("! {}", harmless(&warning.text)));
        text.push('\n');
    }
    match &preview.body {
        PreviewBody::Nothing => {}
        PreviewBody::Diff { files } => files.iter().for_each(|file| text += &render_file(file, &note, output)),
        PreviewBody::Command { argv, cwd, network, sandbox, environment, notes } => {
            let words: Vec<String> = argv.iter().map(|word| format!("{word:?}")).collect();
            let cwd = if cwd.is_empty() { "the workspace's folder".into() } else { harmless(cwd) };
            text += &format!("$ {}\n  in {cwd}\n", harmless(&words.join(" ")));
            let network = if *network { "may use the network" } else { "no network" };
            text += &format!("  {sandbox}; {network}; environment: {}\n", harmless(&environment.join(" ")));
            notes.iter().for_each(|note| text += &format!("  {}\n", harmless(note)));
        }
        PreviewBody::Changes { rows } => {
            for row in rows {
                let side = |side: &Option<String>| harmless(side.as_deref().unwrap_or("–")).into_owned();
                text += &format!("{}: {} -> {}\n", harmless(&row.object), side(&row.before), side(&row.after));
            }
        }
        PreviewBody::Rows { rows } => rows.iter().for_each(|row| text += &render_row(row)),
    }
    text
}

/// Returns one part of a preview.
pub fn render_part(preview: &Preview, part: u32, output: &Output) -> Option<String> {
    if let PreviewBody::Rows { rows } = &preview.body {
        let of_part: String = rows.iter().filter(|row| row.part == part).map(render_row).collect();
        return (!of_part.is_empty()).then_some(of_part);
    }
    let PreviewBody::Diff { files } = &preview.body else { return None };
    let (file, hunk) = files.iter().find_map(|file| Some((file, file.hunks.iter().find(|hunk| hunk.part == part)?)))?;
    let mut text = file_head(file, output);
    render_hunk(hunk, (0, ""), output, &mut text);
    Some(text)
}

fn render_row(row: &NoteRow) -> String {
    let side = |side: &Option<String>| harmless(side.as_deref().unwrap_or("–")).into_owned();
    let line = row.line.map(|line| format!(":{line}")).unwrap_or_default();
    let note = row.note.as_deref().map(|note| format!(" ({})", harmless(note))).unwrap_or_default();
    let problem = row.problem.as_deref().map(|why| format!(" [out of date: {}]", harmless(why))).unwrap_or_default();
    let place = format!("{}{line} {}", harmless(row.path.as_str()), row.field);
    format!("{place}: {} -> {}{note}{problem}\n", side(&row.before), side(&row.after))
}

/// Returns the changes of one file, with some words about each beside its lines.
pub fn render_file(file: &FileDiff, note: impl Fn(&Hunk) -> String, output: &Output) -> String {
    let mut text = file_head(file, output);
    if let Some(note) = &file.note {
        text += &format!("({})\n", harmless(note));
    }
    let mut shift = 0;
    for hunk in &file.hunks {
        render_hunk(hunk, (shift, &note(hunk)), output, &mut text);
        shift += signed(hunk.new.len()) - signed(hunk.old.len());
    }
    text
}

fn file_head(file: &FileDiff, output: &Output) -> String {
    let path = match &file.cell {
        Some(cell) => {
            harmless(&format!("{}, cell {} {} ({})", file.path, cell.number, cell.key, cell.kind)).into_owned()
        }
        None => harmless(file.path.as_str()).into_owned(),
    };
    let (old, new) = match &file.change {
        FileChange::Created => ("/dev/null".to_owned(), format!("b/{path}")),
        FileChange::Deleted => (format!("a/{path}"), "/dev/null".to_owned()),
        FileChange::Edited => (format!("a/{path}"), format!("b/{path}")),
        FileChange::Moved { from } | FileChange::Copied { from } => {
            (format!("a/{}", harmless(from.as_str())), format!("b/{path}"))
        }
    };
    output.paint(Colour::Bold, &format!("--- {old}")) + "\n" + &output.paint(Colour::Bold, &format!("+++ {new}")) + "\n"
}

/// `shift` is by how much the hunks above it moved the lines.
fn render_hunk(hunk: &Hunk, (shift, note): (i64, &str), output: &Output, text: &mut String) {
    let context = signed(hunk.before.len());
    let around = context + signed(hunk.after.len());
    let first = i64::from(hunk.start) - context;
    let head = format!(
        "@@ -{},{} +{},{} @@",
        first,
        around + signed(hunk.old.len()),
        first + shift,
        around + signed(hunk.new.len())
    );
    let head = if note.is_empty() { head } else { format!("{head} {note}") };
    *text += &output.paint(Colour::Cyan, &head);
    text.push('\n');
    let sides = [
        (" ", Colour::Dim, &hunk.before),
        ("-", Colour::Red, &hunk.old),
        ("+", Colour::Green, &hunk.new),
        (" ", Colour::Dim, &hunk.after),
    ];
    for (mark, colour, lines) in sides {
        for line in lines {
            *text += &output.paint(colour, &format!("{mark}{}", harmless(line)));
            text.push('\n');
        }
    }
}

fn signed(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use aside_core::{Confidence, WorkspacePath};

    use super::*;

    fn hunk(start: u32, old: &[&str], new: &[&str]) -> Hunk {
        let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        Hunk {
            part: start,
            start,
            old: lines(old),
            new: lines(new),
            before: lines(&["above"]),
            after: lines(&["below"]),
            confidence: Confidence::Exact,
            anchor: None,
        }
    }

    fn preview() -> Preview {
        let file = FileDiff {
            path: WorkspacePath::new("a.py").unwrap(),
            change: FileChange::Edited,
            base: None,
            hunks: vec![hunk(2, &["a"], &["b", "c"]), hunk(9, &["d\x1b[2J"], &[])],
            note: None,
            cell: None,
        };
        Preview { body: PreviewBody::Diff { files: vec![file] }, ..Preview::summary("Edit a.py, 2 changes") }
    }

    #[test]
    fn a_diff_reads_like_a_diff() {
        let output = Output { json: false, colour: false };
        let expected = "Edit a.py, 2 changes\n--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,4 @@\n above\n-a\n+b\n+c\n below\n\
                        @@ -8,3 +9,2 @@\n above\n-d\\u{1b}[2J\n below\n";
        assert_eq!(render(&preview(), &output), expected);
    }

    #[test]
    fn one_part_is_one_hunk() {
        let output = Output { json: false, colour: true };
        let part = render_part(&preview(), 9, &output).unwrap();
        assert!(part.contains("\x1b[31m-d\\u{1b}[2J\x1b[0m"), "{part:?}");
        assert!(!part.contains("+b"));
        assert!(render_part(&preview(), 7, &output).is_none());
    }
}
