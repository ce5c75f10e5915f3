//! A preview as plain text, for a client that puts a question to its person.

use aside_core::{FileChange, FileDiff, Hunk, Preview, PreviewBody, harmless};

/// The longest question. What does not fit whole is decided where all of it can be seen.
const LONGEST: usize = 4_000;

/// Returns all that a person has to see before they decide, or nothing if it is too long for a question.
pub(crate) fn question(preview: &Preview, reason: &str) -> Option<String> {
    let mut lines = vec![preview.summary.clone(), reason.to_owned()];
    lines.extend(preview.warnings.iter().map(|warning| format!("! {}", warning.text)));
    match &preview.body {
        PreviewBody::Nothing => {}
        PreviewBody::Diff { files } => files.iter().for_each(|file| file_lines(file, &mut lines)),
        PreviewBody::Command { argv, cwd, network, sandbox, environment, notes } => {
            let words: Vec<_> = argv.iter().map(|word| format!("{word:?}")).collect();
            lines.push(format!("$ {}", words.join(" ")));
            lines.push(format!("  in {cwd}"));
            let network = if *network { "may use the network" } else { "no network" };
            lines.push(format!("  {sandbox}; {network}; environment: {}", environment.join(" ")));
            lines.extend(notes.iter().cloned());
        }
        PreviewBody::Changes { rows } => lines.extend(rows.iter().map(|row| {
            let side = |side: &Option<String>| side.clone().unwrap_or_else(|| "–".to_owned());
            format!("{}: {} -> {}", row.object, side(&row.before), side(&row.after))
        })),
        PreviewBody::Rows { rows } => lines.extend(rows.iter().map(|row| {
            let side = |side: &Option<String>| side.clone().unwrap_or_else(|| "–".to_owned());
            format!("{} {}: {} -> {}", row.path, row.field, side(&row.before), side(&row.after))
        })),
    }
    let text = harmless(&lines.join("\n")).into_owned();
    (text.len() <= LONGEST).then_some(text)
}

fn file_lines(file: &FileDiff, lines: &mut Vec<String>) {
    lines.push(match &file.change {
        FileChange::Created => format!("new file {}", file.path),
        FileChange::Edited => format!("in {}", file.path),
        FileChange::Deleted => format!("delete {}", file.path),
        FileChange::Moved { from } => format!("move {from} to {}", file.path),
        FileChange::Copied { from } => format!("copy {from} to {}", file.path),
    });
    lines.extend(file.note.iter().map(|note| format!("({note})")));
    file.hunks.iter().for_each(|hunk| hunk_lines(hunk, lines));
}

fn hunk_lines(hunk: &Hunk, lines: &mut Vec<String>) {
    lines.push(format!("@@ line {} @@", hunk.start));
    lines.extend(hunk.old.iter().map(|line| format!("-{line}")));
    lines.extend(hunk.new.iter().map(|line| format!("+{line}")));
}

#[cfg(test)]
mod tests {
    use aside_core::ChangeRow;

    use super::*;

    fn ask(preview: &Preview) -> Option<String> {
        question(preview, "It is reviewed.")
    }

    #[test]
    fn a_question_says_what_and_why_and_cannot_steer_a_terminal() {
        let row = ChangeRow { object: "a".to_owned(), before: None, after: Some("b\u{1b}[2J".to_owned()) };
        let preview = Preview { body: PreviewBody::Changes { rows: vec![row] }, ..Preview::summary("Change a") };
        assert_eq!(ask(&preview).unwrap(), "Change a\nIt is reviewed.\na: – -> b\\u{1b}[2J");
    }

    #[test]
    fn what_would_have_to_be_cut_is_not_asked_here() {
        let row = ChangeRow { object: "x".repeat(LONGEST), before: None, after: None };
        let body = PreviewBody::Changes { rows: vec![row] };
        assert_eq!(ask(&Preview { body, ..Preview::summary("Change") }), None);
    }
}
