//! When each cell was run, or put something out: what is new to one who looks is found without looking at all the others.

use std::collections::{BTreeMap, BTreeSet};

use aside_notebook::CellKey;

/// Cells, each with the count of changes at which it was changed last.
#[derive(Debug, Default)]
pub(crate) struct Changed {
    at: BTreeMap<CellKey, u64>,
    order: BTreeSet<(u64, CellKey)>,
}

impl Changed {
    /// A cell is changed now.
    pub fn insert(&mut self, cell: CellKey, now: u64) {
        if let Some(before) = self.at.insert(cell.clone(), now) {
            self.order.remove(&(before, cell.clone()));
        }
        self.order.insert((now, cell));
    }

    /// When it was changed last, if it ever was.
    pub fn get(&self, cell: &CellKey) -> Option<u64> {
        self.at.get(cell).copied()
    }

    /// All of them.
    pub fn cells(&self) -> impl Iterator<Item = &CellKey> {
        self.at.keys()
    }

    /// Those that were changed after that, by their keys.
    pub fn since(&self, seen: u64) -> BTreeSet<&CellKey> {
        self.order.range((seen + 1, CellKey(String::new()))..).map(|(_, cell)| cell).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_new_to_those_who_looked_before_its_last_change() {
        let key = |name: &str| CellKey(name.to_owned());
        let mut changed = Changed::default();
        for (cell, now) in [("b", 1), ("a", 2), ("c", 2), ("b", 3)] {
            changed.insert(key(cell), now);
        }
        let since = |seen| changed.since(seen).into_iter().map(|cell| cell.0.as_str()).collect::<String>();
        assert_eq!([0, 1, 2, 3].map(since), ["abc", "abc", "b", ""]);
        assert_eq!((changed.get(&key("b")), changed.get(&key("d"))), (Some(3), None));
    }
}
