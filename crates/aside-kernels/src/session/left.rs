//! Takes what a kernel said that ended while no server ran.

use aside_core::ExecutionId;
use aside_jupyter::{KernelEvent, KernelRecord, LeftBehind, LeftEvent};
use aside_notebook::CellKey;

use super::{
    Runner,
    runner::Current,
    runs::{MOST_AT_ONCE, Taken, how, take},
};
use crate::record::ExecutionRecord;

impl Runner {
    /// Takes it, and ends the run that was under way if its end was said. What was kept before is not taken again.
    pub(super) async fn take_left(&mut self, record: KernelRecord) {
        let mut left = match LeftBehind::open(record).await {
            Ok(left) => left,
            Err(error) => return tracing::warn!(%error, "the last messages of a kernel could not be read"),
        };
        let before = self.running_before();
        let mut current = before.as_ref().map(|record| {
            let ExecutionRecord { execution, number, .. } = record.clone();
            Current { stored: number, ..Current::new(execution.id, CellKey(execution.cell), None) }
        });
        let request = before.and_then(|record| record.request);
        let mut taken = Taken::default();
        for LeftEvent { number, about, event } in &mut left {
            // Nobody is there any more to whom a control or an answer could be told.
            if matches!(event, KernelEvent::Other { .. } | KernelEvent::AsksInput { .. }) {
                continue;
            }
            match current.as_mut().filter(|_| about.is_some() && about == request) {
                Some(current) => {
                    taken.number = number;
                    take(&self.shared, current, event, &mut taken);
                }
                None => self.late(about, event, number).await,
            }
            if taken.bytes >= MOST_AT_ONCE
                && let Some(current) = &mut current
            {
                self.keep_taken(&current.id, &current.cell, std::mem::take(&mut taken));
                if !current.flood.is_left_out && self.is_too_much(&current.cell) {
                    current.flood.is_left_out = true;
                    self.say_left_out(&current.id);
                }
            }
        }
        if let Some(current) = current {
            self.keep_taken(&current.id, &current.cell, taken);
            if current.reply.is_some() {
                self.shared.end(&current.id, how(&current));
                self.dirty.insert(current.cell);
            }
        }
        left.remove();
    }

    fn keep_taken(&mut self, id: &ExecutionId, cell: &CellKey, taken: Taken) {
        self.keep_outputs(id, cell, taken.outputs, taken.number);
    }
}
