//! A new note: its path and its text.

use aside_core::WorkspacePath;

use super::{ChangeRefused, tag_value::list};

/// A note to be made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewNote {
    /// Its path; of its title if absent.
    pub path: Option<WorkspacePath>,
    /// Its title.
    pub title: Option<String>,
    /// The folder of a note without a path; the top of the workspace if absent.
    pub folder: Option<WorkspacePath>,
    /// Its text.
    pub text: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
}

/// The file of a new note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// Its path.
    pub path: WorkspacePath,
    /// Its whole text.
    pub text: String,
}

/// Signs that a file name can't have everywhere, and the end of a link.
const NOT_IN_NAMES: &str = "/:*?\"<>|\\";

/// Returns the file of a new note.
pub fn start(new: &NewNote) -> Result<Started, ChangeRefused> {
    let title = new.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    let path = match (&new.path, title) {
        (Some(path), _) => with_ending(path),
        (None, Some(title)) => {
            let name = file_name(title);
            let whole = new.folder.as_ref().map_or(name.clone(), |folder| format!("{folder}/{name}"));
            WorkspacePath::new(&whole).map_err(|_| ChangeRefused::NoTitle { title: title.to_owned() })?
        }
        (None, None) => return Err(ChangeRefused::NoTitle { title: String::new() }),
    };
    let tags: Vec<&str> = new.tags.iter().map(|tag| tag.trim().trim_start_matches('#')).collect();
    if let Some(tag) = tags.iter().find(|tag| tag.is_empty() || tag.contains(char::is_control)) {
        return Err(ChangeRefused::NoTag { tag: (*tag).to_owned() });
    }
    let mut text = String::new();
    if !tags.is_empty() {
        text.push_str(&format!("---\ntags: {}\n---\n", list(&tags)));
    }
    let body = new.text.as_deref().unwrap_or_default();
    if let Some(title) = title.filter(|_| !begins_with_title(body)) {
        text.push_str(&format!("# {}\n", title.split_whitespace().collect::<Vec<_>>().join(" ")));
        text.push_str(if body.is_empty() { "" } else { "\n" });
    }
    text.push_str(body);
    Ok(Started { path, text })
}

/// Returns the file name of a title.
pub fn file_name(title: &str) -> String {
    let one_line = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let sign = |sign: char| if NOT_IN_NAMES.contains(sign) || sign.is_control() { '-' } else { sign };
    let mut name: String = one_line.chars().map(sign).collect();
    if name.starts_with('.') {
        // A file whose name begins with a dot is no note.
        name.replace_range(..1, "-");
    }
    name + ".md"
}

fn with_ending(path: &WorkspacePath) -> WorkspacePath {
    let lower = path.name().to_lowercase();
    let is_note = lower.ends_with(".md") || lower.ends_with(".markdown");
    if is_note { path.clone() } else { WorkspacePath::new(&format!("{path}.md")).unwrap_or_else(|_| path.clone()) }
}

/// Tells whether a text begins with a level-1 heading, underlined or not.
pub(super) fn begins_with_title(text: &str) -> bool {
    let mut lines = text.trim_start_matches('\u{feff}').lines().skip_while(|line| line.trim().is_empty());
    let first = lines.next().unwrap_or_default();
    let is_underline = |line: &str| !line.trim().is_empty() && line.trim().bytes().all(|byte| byte == b'=');
    let is_heading =
        |line: &str| line.strip_prefix('#').is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']));
    is_heading(first) || !first.is_empty() && lines.next().is_some_and(is_underline)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(new: &NewNote) -> (String, String) {
        let started = start(new).unwrap();
        (started.path.to_string(), started.text)
    }

    fn titled(title: &str, text: Option<&str>) -> NewNote {
        NewNote { title: Some(title.to_owned()), text: text.map(str::to_owned), ..NewNote::default() }
    }

    #[test]
    fn title_becomes_name_and_heading() {
        let in_folder = NewNote { folder: WorkspacePath::new("Notes").ok(), ..titled("A/B: c?", Some("text\n")) };
        assert_eq!(shown(&in_folder), ("Notes/A-B- c-.md".to_owned(), "# A/B: c?\n\ntext\n".to_owned()));
        assert_eq!(shown(&titled("Plan", None)), ("Plan.md".to_owned(), "# Plan\n".to_owned()));
        assert_eq!(shown(&titled("Plan", Some("# Other\n"))).1, "# Other\n");
        assert_eq!(shown(&titled("Plan", Some("Other\n=====\n"))).1, "Other\n=====\n");
        assert_eq!(shown(&titled("Plan", Some("## Other\n"))).1, "# Plan\n\n## Other\n");
        assert_eq!(shown(&titled(".hidden", None)).0, "-hidden.md");
    }

    #[test]
    fn tags_become_a_front_matter() {
        let new = NewNote {
            path: WorkspacePath::new("a").ok(),
            text: Some("x".to_owned()),
            tags: vec!["work".to_owned(), "#a, b".to_owned()],
            ..NewNote::default()
        };
        assert_eq!(shown(&new), ("a.md".to_owned(), "---\ntags: [work, \"a, b\"]\n---\nx".to_owned()));
        assert!(start(&NewNote::default()).is_err() && start(&titled("  ", None)).is_err());
        assert!(start(&NewNote { tags: vec!["a\nb".to_owned()], ..new }).is_err());
    }
}
