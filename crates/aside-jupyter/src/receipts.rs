//! Which messages that a relay handed over are not kept yet: it is told up to which everything is.

use std::collections::BTreeSet;

/// Which messages are not kept yet.
#[derive(Debug, Default)]
pub(crate) struct Receipts {
    open: BTreeSet<u64>,
    last: u64,
    told: u64,
}

impl Receipts {
    /// A message came.
    pub fn came(&mut self, number: u64) {
        self.open.insert(number);
        self.last = self.last.max(number);
    }

    /// Whoever had to do with it has it.
    pub fn taken(&mut self, number: u64) {
        self.open.remove(&number);
    }

    /// Everything that was taken is kept. Returns up to where the relay has to remember nothing, if that is news.
    pub fn kept(&mut self) -> Option<u64> {
        let upto = self.open.first().map_or(self.last, |first| first.saturating_sub(1));
        (std::mem::replace(&mut self.told, upto) < upto).then_some(upto)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_taken_holds_back_what_came_after_it() {
        let mut receipts = Receipts::default();
        assert_eq!(receipts.kept(), None);
        [3, 4, 5].iter().for_each(|number| receipts.came(*number));
        receipts.taken(4);
        assert_eq!(receipts.kept(), Some(2));
        receipts.taken(3);
        assert_eq!((receipts.kept(), receipts.kept()), (Some(4), None));
        receipts.taken(5);
        assert_eq!(receipts.kept(), Some(5));
    }
}
