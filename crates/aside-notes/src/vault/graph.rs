//! The notes around a note.

use std::collections::{BTreeSet, HashMap, VecDeque};

use aside_core::WorkspacePath;

use super::Vault;

/// The files around a note.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbourhood {
    /// The note itself, then the others by their distance, each with it.
    pub nodes: Vec<(WorkspacePath, u32)>,
    /// Links between them, as places in `nodes`.
    pub edges: BTreeSet<(u32, u32)>,
    /// Some are left out.
    pub more: bool,
}

impl Vault {
    /// Returns the files that are at most so many links away from a note, in both directions; at most `most` of them.
    pub fn neighbourhood(&self, path: &WorkspacePath, depth: u32, most: usize) -> Neighbourhood {
        let mut found = Neighbourhood::default();
        let Some(first) = self.numbers.get(path) else { return found };
        let (mut places, mut queue) = (HashMap::from([(*first, 0_u32)]), VecDeque::from([(*first, 0)]));
        found.nodes.push((path.clone(), 0));
        while let Some((number, distance)) = queue.pop_front() {
            if distance == depth {
                continue;
            }
            for next in self.neighbours(number) {
                if places.contains_key(&next) {
                    continue;
                }
                if found.nodes.len() == most {
                    found.more = true;
                    break;
                }
                places.insert(next, found.nodes.len() as u32);
                found.nodes.push((self.file(next).path.clone(), distance + 1));
                queue.push_back((next, distance + 1));
            }
        }
        for (number, from) in &places {
            let to = self.outgoing(*number).into_iter().filter(|to| to != number);
            found.edges.extend(to.filter_map(|to| Some((*from, *places.get(&to)?))));
        }
        found
    }

    /// Files that a note links to, in order of their paths.
    fn outgoing(&self, number: u32) -> BTreeSet<u32> {
        let file = self.file(number);
        let links = file.note.iter().flat_map(|note| &note.links);
        links.filter_map(|link| self.find(&file.path, link.kind, &link.target)).map(|(number, ..)| number).collect()
    }

    fn neighbours(&self, number: u32) -> Vec<u32> {
        let mut all = self.outgoing(number);
        let sources = self.links_to(&self.file(number).path);
        all.extend(sources.iter().filter_map(|(note, _)| self.numbers.get(&note.path)));
        all.remove(&number);
        let mut all: Vec<u32> = all.into_iter().collect();
        all.sort_by(|one, two| self.file(*one).path.cmp(&self.file(*two).path));
        all
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Flavour, parse_text};

    #[test]
    fn neighbours_are_found_in_both_directions_and_bounded() {
        let mut vault = Vault::default();
        for (path, text) in
            [("a.md", "[[b]] [[p.png]]"), ("b.md", "[[c]] [[a]]"), ("c.md", "[[d]]"), ("d.md", ""), ("e.md", "[[a]]")]
        {
            vault.set(Arc::new(parse_text(&path.parse().unwrap(), text, Flavour::Markdown)));
        }
        vault.set_file(&"p.png".parse().unwrap());
        let shown = |depth, most| {
            let found = vault.neighbourhood(&"a.md".parse().unwrap(), depth, most);
            let nodes: Vec<_> = found.nodes.iter().map(|(path, distance)| format!("{path} {distance}")).collect();
            (nodes.join(", "), found.edges.into_iter().collect::<Vec<_>>(), found.more)
        };
        let near = "a.md 0, b.md 1, e.md 1, p.png 1";
        assert_eq!(shown(1, 100), (near.to_owned(), vec![(0, 1), (0, 3), (1, 0), (2, 0)], false));
        assert_eq!(shown(2, 100).0, format!("{near}, c.md 2"));
        assert!(shown(9, 3).2);
        assert_eq!(vault.neighbourhood(&"none.md".parse().unwrap(), 2, 9), Neighbourhood::default());
    }
}
