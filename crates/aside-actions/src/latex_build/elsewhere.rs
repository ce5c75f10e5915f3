//! Files of the workspace that LaTeX did not find: where they are, and how a document names them.

use std::ops::ControlFlow;

use aside_core::WorkspacePath;
use aside_workspace::{LatexBuilt, Walked, Workspace};

/// Returns the advice for the first missing file that is in the project after all.
pub(super) fn advice(workspace: &Workspace, built: &LatexBuilt) -> Option<String> {
    let missing = built.problems.iter().find_map(|problem| missing_file(problem.detail.as_deref()?))?;
    let folder = built.build.main.parent();
    let mut found: Option<WorkspacePath> = None;
    workspace.walk_files(folder.as_ref(), |walked| match walked {
        Walked::File { path, .. } if path.name() == missing => {
            found = Some(path);
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    });
    let found = found?;
    let below = folder.as_ref().map_or(found.as_str(), |folder| &found.as_str()[folder.as_str().len() + 1..]);
    let place = below.strip_suffix(missing)?.trim_end_matches('/');
    let name = missing.rsplit_once('.').map_or(missing, |(stem, _)| stem);
    (!place.is_empty()).then(|| {
        format!(
            "`{found}` is in the workspace, but LaTeX doesn't look in `{place}`: write `{place}/{name}` in place of \
             `{name}` in the document, or set TEXINPUTS in a `.latexmkrc` next to the main file"
        )
    })
}

/// The file in ``File `reef.sty' not found``.
fn missing_file(said: &str) -> Option<&str> {
    let (name, rest) = said.split_once("File `")?.1.split_once('\'')?;
    let is_missing = rest.trim_start().starts_with("not found") && name.contains('.') && !name.contains('/');
    is_missing.then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_file_is_read_from_the_error() {
        assert_eq!(missing_file("! LaTeX Error: File `reef.sty' not found.\n\nType X"), Some("reef.sty"));
        for other in ["! LaTeX Error: File `a/reef.sty' not found.", "! Undefined control sequence.", "File `x"] {
            assert_eq!(missing_file(other), None, "{other}");
        }
    }
}
