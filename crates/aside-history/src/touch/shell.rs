//! Patches in the form of `apply_patch` that stand in the line of a shell.

/// How a patch begins.
pub const PATCH: &str = "*** Begin Patch";
const END: &str = "*** End Patch";

/// The patch in `apply_patch <<'EOF'…`, with the folder of a `cd` before it.
pub fn heredoc(line: &str) -> Option<(Option<&str>, &str)> {
    let (before, _) = line.split_once(PATCH)?;
    let (before, _) = before.split_once("<<")?;
    let (folder, program) = match before.trim_start().strip_prefix("cd ") {
        Some(rest) => {
            let (folder, program) = rest.split_once("&&").or_else(|| rest.split_once([';', '\n']))?;
            (Some(folder.trim().trim_matches(['"', '\''])), program)
        }
        None => (None, before),
    };
    if !matches!(program.trim(), "apply_patch" | "applypatch") {
        return None;
    }
    let patch = &line[line.find(PATCH)?..];
    let end = patch.find(END).map_or(patch.len(), |end| end + END.len());
    Some((folder, &patch[..end]))
}
