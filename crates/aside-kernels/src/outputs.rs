//! What cells put out, whole, as the notebook format keeps it.

use std::collections::BTreeMap;

use aside_jupyter::Raised;
use aside_notebook::{CellKey, Raw};

use crate::{OutputEvent, Shown};

mod format;
mod named;

/// The outputs of cells, by the cells' keys.
#[derive(Debug, Default)]
pub struct Outputs {
    cells: BTreeMap<CellKey, OfCell>,
}

#[derive(Debug, Default)]
struct OfCell {
    outputs: Vec<Kept>,
    /// The next output takes the place of all before it.
    clear_first: bool,
    /// About how many they have.
    bytes: usize,
}

#[derive(Debug)]
struct Kept {
    output: Output,
    /// When it was changed last, as the caller counts.
    changed: u64,
}

/// One thing that a cell put out.
#[derive(Clone, Debug)]
pub enum Output {
    /// Printed text.
    Stream {
        /// `stdout` or `stderr`.
        name: String,
        /// All of it.
        text: String,
    },
    /// Something in several forms.
    Shown {
        /// What.
        shown: Shown,
        /// It is the value of the cell.
        is_result: bool,
    },
    /// What the code failed with.
    Error(Raised),
    /// What a file has and nobody knows.
    Other(Raw),
}

impl Output {
    /// About how many bytes it has.
    fn size(&self) -> usize {
        match self {
            Self::Stream { text, .. } => text.len(),
            Self::Shown { shown, .. } => shown.data.get().len(),
            Self::Error(raised) => raised.traceback.iter().map(String::len).sum(),
            Self::Other(raw) => raw.as_str().len(),
        }
    }
}

impl Outputs {
    /// A cell begins anew.
    pub fn begin(&mut self, cell: CellKey) {
        self.cells.insert(cell, OfCell::default());
    }

    /// Takes up what a cell has put out before.
    pub fn resume(&mut self, cell: CellKey, outputs: Vec<Output>) {
        let bytes = outputs.iter().map(Output::size).sum();
        let outputs = outputs.into_iter().map(|output| Kept { output, changed: 0 }).collect();
        self.cells.insert(cell, OfCell { outputs, clear_first: false, bytes });
    }

    /// Takes outputs as the format has them, in place of those before.
    pub fn read(&mut self, cell: CellKey, written: &serde_json::Value) {
        let Ok(raw) = Raw::parse(written.to_string()) else { return };
        let outputs: Vec<Output> = raw.items().unwrap_or_default().iter().map(Output::read).collect();
        self.resume(cell, outputs);
    }

    /// Tells whether a cell is among them.
    pub fn has(&self, cell: &CellKey) -> bool {
        self.cells.contains_key(cell)
    }

    /// Takes what a cell put out at a time, as the caller counts. Returns the other cells that it changed.
    pub fn take(&mut self, cell: &CellKey, event: OutputEvent, now: u64) -> Vec<CellKey> {
        match event {
            OutputEvent::Stream { name, text } => self.of(cell).stream(name, text, now),
            OutputEvent::Display(shown) => self.of(cell).add(Output::Shown { shown, is_result: false }, now),
            OutputEvent::Result(shown) => self.of(cell).add(Output::Shown { shown, is_result: true }, now),
            OutputEvent::Error(raised) => self.of(cell).add(Output::Error(raised), now),
            OutputEvent::Clear { wait: true } => self.of(cell).clear_first = true,
            OutputEvent::Clear { wait: false } => self.of(cell).clear(),
            OutputEvent::Update(shown) => return self.update(&shown, now),
        }
        Vec::new()
    }

    /// Makes the outputs of a cell these; those that are the same already count as unchanged.
    pub fn put(&mut self, cell: &CellKey, outputs: Vec<Output>, now: u64) {
        let of = self.of(cell);
        let is_same = |(kept, output): &(&Kept, &Output)| kept.output.write().as_str() == output.write().as_str();
        let same = of.outputs.iter().zip(&outputs).take_while(is_same).count();
        of.outputs.truncate(same);
        of.outputs.extend(outputs.into_iter().skip(same).map(|output| Kept { output, changed: now }));
        of.bytes = of.outputs.iter().map(|kept| kept.output.size()).sum();
    }

    /// The cells, each with its outputs as the format has them.
    pub fn written(&self) -> impl Iterator<Item = (&CellKey, Raw)> {
        self.cells.iter().map(|(cell, of)| (cell, of.written()))
    }

    /// The outputs of a cell as the format has them.
    pub fn written_of(&self, cell: &CellKey) -> Option<Raw> {
        self.cells.get(cell).map(OfCell::written)
    }

    /// The outputs of a cell.
    pub fn of_cell(&self, cell: &CellKey) -> impl Iterator<Item = &Output> {
        self.cells.get(cell).into_iter().flat_map(|of| of.outputs.iter().map(|kept| &kept.output))
    }

    /// What a kernel would say so that a cell comes to be as it is, also when the next output takes the place of all.
    pub(crate) fn events_of(&self, cell: &CellKey) -> Vec<OutputEvent> {
        let clear_first = self.cells.get(cell).is_some_and(|of| of.clear_first);
        let clear = clear_first.then_some(OutputEvent::Clear { wait: true });
        self.of_cell(cell).filter_map(Output::event).chain(clear).collect()
    }

    /// About how many bytes a cell has put out.
    pub fn bytes_of(&self, cell: &CellKey) -> usize {
        self.cells.get(cell).map_or(0, |of| of.bytes)
    }

    /// How many outputs of a cell are as they were at a time.
    pub fn unchanged_since(&self, cell: &CellKey, then: u64) -> usize {
        let outputs = self.cells.get(cell).map_or(&[][..], |of| &of.outputs);
        outputs.iter().take_while(|kept| kept.changed <= then).count()
    }

    /// Drops what a cell has put out, unless something in it can be updated by its name later.
    pub fn forget(&mut self, cell: &CellKey) {
        let is_named = |kept: &Kept| matches!(&kept.output, Output::Shown { shown, .. } if shown.id.is_some());
        if self.cells.get(cell).is_some_and(|of| !of.outputs.iter().any(is_named)) {
            self.cells.remove(cell);
        }
    }

    /// Drops what a cell has put out.
    pub fn remove(&mut self, cell: &CellKey) {
        self.cells.remove(cell);
    }

    fn of(&mut self, cell: &CellKey) -> &mut OfCell {
        if !self.cells.contains_key(cell) {
            self.cells.insert(cell.clone(), OfCell::default());
        }
        self.cells.get_mut(cell).expect("it was just put there")
    }

    /// All that was shown by this name is shown so, in every cell.
    fn update(&mut self, new: &Shown, now: u64) -> Vec<CellKey> {
        let mut changed = Vec::new();
        for (cell, of) in &mut self.cells {
            if of.update(new, now) {
                changed.push(cell.clone());
            }
        }
        changed
    }
}

impl OfCell {
    fn add(&mut self, output: Output, now: u64) {
        if std::mem::take(&mut self.clear_first) {
            self.clear();
        }
        self.bytes += output.size();
        self.outputs.push(Kept { output, changed: now });
    }

    fn clear(&mut self) {
        self.outputs.clear();
        self.bytes = 0;
    }

    /// What is printed by one name in a row is one output.
    fn stream(&mut self, name: String, text: String, now: u64) {
        match self.outputs.last_mut() {
            Some(Kept { output: Output::Stream { name: last, text: before }, changed })
                if *last == name && !self.clear_first =>
            {
                self.bytes += text.len();
                before.push_str(&text);
                *changed = now;
            }
            _ => self.add(Output::Stream { name, text }, now),
        }
    }

    fn update(&mut self, new: &Shown, now: u64) -> bool {
        let mut changed = false;
        for kept in &mut self.outputs {
            if let Output::Shown { shown, .. } = &mut kept.output
                && shown.id.is_some()
                && shown.id == new.id
            {
                self.bytes = self.bytes + new.data.get().len() - shown.data.get().len();
                (shown.data, shown.metadata) = (new.data.clone(), new.metadata.clone());
                kept.changed = now;
                changed = true;
            }
        }
        changed
    }

    fn written(&self) -> Raw {
        Raw::of_items(&self.outputs.iter().map(|kept| kept.output.write()).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::*;

    fn key(name: &str) -> CellKey {
        CellKey(name.to_owned())
    }

    fn stream(name: &str, text: &str) -> OutputEvent {
        OutputEvent::Stream { name: name.into(), text: text.into() }
    }

    fn shown(data: &str, id: &str) -> Shown {
        let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
        Shown { data: raw(data), metadata: raw("{}"), id: Some(id.to_owned()), count: Some(2) }
    }

    fn check(outputs: &Outputs, wanted: &[&str]) {
        let written: Vec<String> = outputs.written().map(|(_, raw)| raw.as_str().to_owned()).collect();
        assert_eq!(written, wanted);
    }

    #[test]
    fn what_one_stream_says_in_a_row_is_one_output() {
        let mut outputs = Outputs::default();
        outputs.begin(key("a"));
        for (now, (name, text)) in
            [("stdout", "a"), ("stdout", "b\nc"), ("stderr", "x"), ("stdout", "d")].into_iter().enumerate()
        {
            outputs.take(&key("a"), stream(name, text), now as u64);
        }
        let wanted = r#"[{"name":"stdout","output_type":"stream","text":["ab\n","c"]},{"name":"stderr","output_type":"stream","text":["x"]},{"name":"stdout","output_type":"stream","text":["d"]}]"#;
        check(&outputs, &[wanted]);
        assert_eq!(outputs.bytes_of(&key("a")), 6);
        let unchanged: Vec<usize> = (0..4).map(|then| outputs.unchanged_since(&key("a"), then)).collect();
        assert_eq!(unchanged, [0, 1, 2, 3]);
    }

    #[test]
    fn an_update_reaches_other_cells_and_numbers_stay_as_they_are_spelled() {
        let mut outputs = Outputs::default();
        outputs.begin(key("a"));
        outputs.take(&key("a"), OutputEvent::Result(shown(r#"{"text/plain":"old"}"#, "d")), 1);
        outputs.begin(key("b"));
        outputs.forget(&key("a"));
        let new = r#"{"text/html":"a\nb","application/json":1e400,"image/png":"x\ny"}"#;
        let changed = outputs.take(&key("b"), OutputEvent::Update(shown(new, "d")), 2);
        assert_eq!((changed, outputs.unchanged_since(&key("a"), 1)), (vec![key("a")], 0));
        let data = r#"{"text/html":["a\n","b"],"application/json":1e400,"image/png":"x\ny"}"#;
        let wanted =
            format!(r#"[{{"data":{data},"metadata":{{}},"output_type":"execute_result","execution_count":2}}]"#);
        check(&outputs, &[&wanted, "[]"]);
    }

    #[test]
    fn clearing_waits_for_the_next_output_if_it_is_told_to() {
        let (mut outputs, a) = (Outputs::default(), key("a"));
        outputs.begin(a.clone());
        outputs.take(&a, stream("stdout", "a"), 1);
        outputs.take(&a, OutputEvent::Clear { wait: true }, 2);
        check(&outputs, &[r#"[{"name":"stdout","output_type":"stream","text":["a"]}]"#]);
        let mut again = Outputs::default();
        outputs.events_of(&a).into_iter().for_each(|event| drop(again.take(&a, event, 1)));
        again.take(&a, stream("stdout", "b"), 2);
        outputs.take(&a, stream("stdout", "b"), 3);
        check(&again, &[outputs.written_of(&a).unwrap().as_str()]);
        check(&outputs, &[r#"[{"name":"stdout","output_type":"stream","text":["b"]}]"#]);
        assert_eq!(outputs.bytes_of(&a), 1);
        outputs.take(&a, OutputEvent::Clear { wait: false }, 4);
        check(&outputs, &["[]"]);
    }
}
