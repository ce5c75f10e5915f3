//! What the protocol calls a language.

use aside_core::FileKind;

/// Returns the protocol's name of a kind of file; for most it is ours.
pub(crate) fn id_of(kind: FileKind, name: &str) -> String {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match (kind, ending.as_deref()) {
        (FileKind::JavaScript, Some("jsx")) => "javascriptreact".to_owned(),
        (FileKind::Vue, Some(ending @ ("svelte" | "astro"))) => ending.to_owned(),
        (FileKind::Scss, Some("less")) => "less".to_owned(),
        (FileKind::Json, Some("jsonc")) => "jsonc".to_owned(),
        (FileKind::Tsx, _) => "typescriptreact".to_owned(),
        (FileKind::Shell, _) => "shellscript".to_owned(),
        (FileKind::Tex, _) => "latex".to_owned(),
        (FileKind::ObjectiveC, _) => "objective-c".to_owned(),
        (FileKind::Batch, _) => "bat".to_owned(),
        (FileKind::Plain, _) => "plaintext".to_owned(),
        (FileKind::ReStructuredText, _) => "restructuredtext".to_owned(),
        _ => name_of(kind),
    }
}

/// Returns our name of a kind, as it is written in the configuration.
pub(crate) fn name_of(kind: FileKind) -> String {
    serde_json::to_value(kind).ok().and_then(|name| Some(name.as_str()?.to_owned())).unwrap_or_default()
}

/// Returns the kind of a name, if text of it is edited.
pub(crate) fn kind_of(name: &str) -> Option<FileKind> {
    let lower = name.to_ascii_lowercase();
    FileKind::ALL
        .iter()
        .copied()
        .find(|kind| kind.facts().editor.is_text() && (name_of(*kind) == lower || id_of(*kind, "") == lower))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_has_the_name_that_servers_know() {
        for (kind, file, id) in [
            (FileKind::Python, "a.py", "python"),
            (FileKind::Cpp, "a.cc", "cpp"),
            (FileKind::CSharp, "a.cs", "csharp"),
            (FileKind::JavaScript, "a.mjs", "javascript"),
            (FileKind::JavaScript, "a.JSX", "javascriptreact"),
            (FileKind::Tsx, "a.tsx", "typescriptreact"),
            (FileKind::Shell, ".bashrc", "shellscript"),
            (FileKind::Tex, "a.tex", "latex"),
        ] {
            assert_eq!(id_of(kind, file), id);
        }
    }

    #[test]
    fn a_language_is_found_by_our_name_and_the_protocol_s() {
        assert_eq!(kind_of("Python"), Some(FileKind::Python));
        assert_eq!((kind_of("tex"), kind_of("latex")), (Some(FileKind::Tex), Some(FileKind::Tex)));
        assert_eq!((kind_of("pdf"), kind_of("notebook"), kind_of("pyhton")), (None, None, None));
    }
}
