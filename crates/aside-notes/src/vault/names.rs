//! The shortest name that means a file in a link.

use aside_core::WorkspacePath;

use super::Vault;
use crate::{LinkKind, stem};

impl Vault {
    /// Returns the shortest target that means a file in a wiki link of a note: its name, else its path from the root.
    /// The ending of a note is left out.
    pub fn link_target(&self, from: &WorkspacePath, to: &WorkspacePath) -> String {
        let is_note = self.note(to).is_some();
        let short = |text: &str| if is_note { stem(text).to_owned() } else { text.to_owned() };
        let (name, path) = (short(to.name()), short(to.as_str()));
        let rooted = format!("/{path}");
        let whole = to.as_str().to_owned();
        let means = |target: &&String| {
            let found = self.resolve_target(from, LinkKind::Wiki, target);
            found.is_some_and(|found| found.path == *to && !found.ambiguous)
        };
        let found = [name, path, rooted].iter().find(means).cloned();
        found.unwrap_or(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_as_short_as_they_can_be() {
        let mut vault = Vault::default();
        for path in ["a.md", "x/a.md", "x/b.md", "p.png"] {
            let path: WorkspacePath = path.parse().unwrap();
            match crate::is_note(&path) {
                true => vault.set(std::sync::Arc::new(crate::parse_text(&path, "", crate::Flavour::Markdown))),
                false => vault.set_file(&path),
            }
        }
        let target = |from: &str, to: &str| vault.link_target(&from.parse().unwrap(), &to.parse().unwrap());
        assert_eq!(target("a.md", "x/b.md"), "b");
        assert_eq!(target("x/b.md", "x/a.md"), "x/a");
        assert_eq!(target("x/b.md", "a.md"), "/a");
        assert_eq!(target("x/b.md", "p.png"), "p.png");
    }
}
