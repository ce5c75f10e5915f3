//! Destinations of Markdown links: relative paths, percent-encoded as they were.

use aside_core::WorkspacePath;

/// Returns the path from the folder of one file to another.
pub(super) fn relative(from: &WorkspacePath, to: &WorkspacePath) -> String {
    let folder: Vec<&str> = from.as_str().split('/').collect();
    let folder = &folder[..folder.len() - 1];
    let target: Vec<&str> = to.as_str().split('/').collect();
    let shared = folder.iter().zip(&target[..target.len() - 1]).take_while(|(one, two)| one == two).count();
    let up = std::iter::repeat_n("..", folder.len() - shared);
    up.chain(target[shared..].iter().copied()).collect::<Vec<_>>().join("/")
}

/// Returns the path that a destination has from the folder of a file; none if it leaves the workspace.
pub(super) fn joined(from: &WorkspacePath, destination: &str) -> Option<String> {
    let mut parts: Vec<&str> = match destination.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => from.as_str().rsplit_once('/').map_or(Vec::new(), |(folder, _)| folder.split('/').collect()),
    };
    for part in destination.trim_start_matches('/').split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Percent-encodes a path for a destination without `<…>`, letters beyond ASCII only where the old one did.
pub(super) fn encoded(path: &str, old: &str) -> String {
    let was_encoded = old
        .as_bytes()
        .windows(2)
        .any(|pair| pair[0] == b'%' && matches!(pair[1], b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F'));
    let mut encoded = String::with_capacity(path.len());
    for character in path.chars() {
        let is_odd = character.is_ascii_control() || character.is_whitespace() || "()<>%#?\\\"[]".contains(character);
        if is_odd || (was_encoded && !character.is_ascii()) {
            let mut bytes = [0; 4];
            character.encode_utf8(&mut bytes).bytes().for_each(|byte| encoded.push_str(&format!("%{byte:02X}")));
        } else {
            encoded.push(character);
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> WorkspacePath {
        WorkspacePath::new(text).unwrap()
    }

    #[test]
    fn relative_paths_lead_to_their_file() {
        for (from, to, expected) in [
            ("a.md", "b.md", "b.md"),
            ("x/a.md", "b.md", "../b.md"),
            ("a.md", "x/b.md", "x/b.md"),
            ("x/y/a.md", "x/z/b.md", "../z/b.md"),
            ("x/a.md", "x/a.md", "a.md"),
        ] {
            assert_eq!(relative(&path(from), &path(to)), expected);
            assert_eq!(joined(&path(from), expected).as_deref(), Some(to));
        }
        assert_eq!(joined(&path("a.md"), "../b.md"), None);
        assert_eq!(joined(&path("x/a.md"), "/b.md").as_deref(), Some("b.md"));
    }

    #[test]
    fn destinations_are_encoded_as_they_were() {
        assert_eq!(encoded("a b (1).md", "x%20y.md"), "a%20b%20%281%29.md");
        assert_eq!(encoded("Übersicht.md", "a%20b.md"), "Übersicht.md");
        assert_eq!(encoded("Ü.md", "%C3%84.md"), "%C3%9C.md");
    }
}
