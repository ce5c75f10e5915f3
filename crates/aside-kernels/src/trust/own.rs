//! What runs here have put out, so that it stays a person's own: of each run the latest that was written, of each cell some
//! runs, for an undo brings one back. How long one run goes on, or how many cells there are, pushes no other out. Pure.

use std::collections::{BTreeMap, HashSet, VecDeque};

use aside_core::{ExecutionId, Sha256};
use serde::{Deserialize, Serialize};

/// Runs of one cell that are remembered.
const MOST_OF_CELL: usize = 4;
/// Cells of one notebook of which they are remembered, also of those that are gone.
const MOST: usize = 10_000;

/// What a run has put out until now.
#[derive(Debug)]
pub(crate) struct OwnOutputs {
    /// The key of the cell.
    pub cell: String,
    pub run: Option<ExecutionId>,
    /// Names what it has put out.
    pub outputs: Sha256,
}

/// By cell.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Own(BTreeMap<String, OfCell>);

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct OfCell {
    /// The run that the last is of.
    run: Option<ExecutionId>,
    /// The latest last.
    outputs: VecDeque<Sha256>,
}

impl Own {
    /// Takes what was written: it takes the place of what the same run had written before.
    pub fn add(&mut self, OwnOutputs { cell, run, outputs }: OwnOutputs) {
        if self.0.len() >= MOST && !self.0.contains_key(&cell) {
            self.0.pop_first();
        }
        let of_cell = self.0.entry(cell).or_default();
        if run.is_some() && of_cell.run == run {
            of_cell.outputs.pop_back();
        }
        of_cell.outputs.push_back(outputs);
        of_cell.outputs.drain(..of_cell.outputs.len().saturating_sub(MOST_OF_CELL));
        of_cell.run = run;
    }

    /// Keeps those with these names.
    pub fn keep(&mut self, names: &HashSet<&Sha256>) {
        self.0.values_mut().for_each(|of_cell| {
            of_cell.outputs.retain(|known| names.contains(known));
            // The last may be of another run now.
            of_cell.run = None;
        });
        self.0.retain(|_, of_cell| !of_cell.outputs.is_empty());
    }

    /// The names of all.
    pub fn names(&self) -> impl Iterator<Item = &Sha256> {
        self.0.values().flat_map(|of_cell| &of_cell.outputs)
    }
}

#[cfg(test)]
mod tests {
    use aside_core::{Id as _, Timestamp};

    use super::*;

    fn of(cell: usize, run: u128, outputs: &str) -> OwnOutputs {
        let run = Some(ExecutionId::from_parts(Timestamp(0), run));
        OwnOutputs { cell: format!("c{cell}"), run, outputs: Sha256::of(outputs) }
    }

    fn knows(own: &Own, outputs: &str) -> bool {
        own.names().any(|name| *name == Sha256::of(outputs))
    }

    #[test]
    fn a_run_that_goes_on_for_hours_pushes_no_other_cell_out() {
        let mut own = Own::default();
        own.add(of(0, 1, "a chart"));
        own.add(of(1, 2, "an earlier run"));
        (0..5_000).for_each(|piece| own.add(of(1, 3, &format!("line {piece}"))));
        assert!(knows(&own, "a chart") && knows(&own, "an earlier run") && knows(&own, "line 4999"));
        assert_eq!(own.names().count(), 3, "what is written no more needs no trust");
    }

    #[test]
    fn all_cells_of_a_long_notebook_stay_ones_own() {
        let mut own = Own::default();
        for round in 0..3 {
            (0..3_000).for_each(|cell| own.add(of(cell, round, &format!("{round} {cell}"))));
        }
        for cell in (0..3_000).step_by(300) {
            assert!(knows(&own, &format!("2 {cell}")) && knows(&own, &format!("0 {cell}")));
        }
    }

    #[test]
    fn earlier_runs_of_a_cell_are_remembered_within_a_bound() {
        let mut own = Own::default();
        (0..50).for_each(|run| own.add(of(0, run, &format!("{run}"))));
        assert!(knows(&own, "49") && knows(&own, "46") && !knows(&own, "45"));
        own.keep(&HashSet::from([&Sha256::of("49")]));
        own.add(of(0, 50, "more"));
        assert_eq!(own.names().count(), 2);
    }
}
