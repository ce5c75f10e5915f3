//! What cells put out, as the notebook format keeps it.

use std::collections::BTreeMap;

use aside_jupyter::{Display, KernelEvent, Raised};
use aside_notebook::{Raw, multiline};
use serde_json::{Value, json};

/// The outputs of all cells that ran, by the cell's place.
#[derive(Default)]
pub(super) struct Outputs {
    cells: BTreeMap<usize, Vec<Output>>,
    /// The next output of the cell that runs takes the place of all before it.
    clear_first: bool,
}

enum Output {
    Stream { name: String, text: String },
    Shown { display: Display, is_result: bool },
    Error(Raised),
}

impl Outputs {
    /// A cell begins anew.
    pub fn begin(&mut self, cell: usize) {
        self.cells.insert(cell, Vec::new());
        self.clear_first = false;
    }

    /// Takes what a running cell put out.
    pub fn take(&mut self, cell: usize, event: KernelEvent) {
        match event {
            KernelEvent::Stream { name, text } => self.stream(cell, name, text),
            KernelEvent::Display(display) => self.add(cell, Output::Shown { display, is_result: false }),
            KernelEvent::Result(display) => self.add(cell, Output::Shown { display, is_result: true }),
            KernelEvent::Error(raised) => self.add(cell, Output::Error(raised)),
            KernelEvent::UpdateDisplay(display) => self.update(&display),
            KernelEvent::Clear { wait: true } => self.clear_first = true,
            KernelEvent::Clear { wait: false } => self.of(cell).clear(),
            _ => (),
        }
    }

    /// The cells that ran, each with its outputs as the format has them.
    pub fn written(&self) -> impl Iterator<Item = (usize, Raw)> {
        self.cells
            .iter()
            .map(|(cell, outputs)| (*cell, Raw::of_items(&outputs.iter().map(written).collect::<Vec<_>>())))
    }

    fn of(&mut self, cell: usize) -> &mut Vec<Output> {
        self.cells.entry(cell).or_default()
    }

    fn add(&mut self, cell: usize, output: Output) {
        if std::mem::take(&mut self.clear_first) {
            self.of(cell).clear();
        }
        self.of(cell).push(output);
    }

    /// What is printed by one name in a row is one output.
    fn stream(&mut self, cell: usize, name: String, text: String) {
        let clear = self.clear_first;
        match self.of(cell).last_mut() {
            Some(Output::Stream { name: last, text: before }) if *last == name && !clear => before.push_str(&text),
            _ => self.add(cell, Output::Stream { name, text }),
        }
    }

    /// All that was shown by this name is shown so, in every cell.
    fn update(&mut self, new: &Display) {
        for output in self.cells.values_mut().flatten() {
            if let Output::Shown { display, .. } = output
                && display.display_id.is_some()
                && display.display_id == new.display_id
            {
                (display.data, display.metadata) = (new.data.clone(), new.metadata.clone());
            }
        }
    }
}

fn written(output: &Output) -> Raw {
    match output {
        Output::Stream { name, text } => {
            let text = multiline(text, None);
            object(&[("name", Raw::of_text(name)), ("output_type", Raw::of_text("stream")), ("text", text)])
        }
        Output::Error(Raised { name, value, traceback }) => {
            Raw::of(&json!({ "output_type": "error", "ename": name, "evalue": value, "traceback": traceback }))
        }
        Output::Shown { display, is_result } => {
            let kind = if *is_result { "execute_result" } else { "display_data" };
            let mut members = vec![
                ("data", data(display.data.get())),
                ("metadata", parsed(display.metadata.get())),
                ("output_type", Raw::of_text(kind)),
            ];
            if *is_result {
                members.push(("execution_count", Raw::of(&display.count.map_or(Value::Null, Value::from))));
            }
            object(&members)
        }
    }
}

/// Texts of several lines are lists of lines, as the format's own writer has them; JSON and base64 stay.
fn data(text: &str) -> Raw {
    let members = parsed(text).members().unwrap_or_default();
    let members: Vec<(String, Raw)> = members
        .into_iter()
        .map(|member| match member.value.text().filter(|_| has_lines(&member.name)) {
            Some(text) => (member.name, multiline(&text, None)),
            None => (member.name, member.value),
        })
        .collect();
    object(&members.iter().map(|(name, value)| (name.as_str(), value.clone())).collect::<Vec<_>>())
}

fn has_lines(mime: &str) -> bool {
    mime.starts_with("text/") || matches!(mime, "application/javascript" | "image/svg+xml")
}

/// What a kernel sent as JSON is JSON.
fn parsed(text: &str) -> Raw {
    Raw::parse(text).unwrap_or_else(|_| Raw::of_text(text))
}

/// Writes an object.
pub(super) fn object(members: &[(&str, Raw)]) -> Raw {
    let members: Vec<String> =
        members.iter().map(|(name, value)| format!("{}:{}", Raw::of_text(name).as_str(), value.as_str())).collect();
    parsed(&format!("{{{}}}", members.join(",")))
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::*;

    fn stream(name: &str, text: &str) -> KernelEvent {
        KernelEvent::Stream { name: name.into(), text: text.into() }
    }

    fn display(data: &str, id: &str) -> Display {
        let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
        Display { data: raw(data), metadata: raw("{}"), display_id: Some(id.to_owned()), count: Some(2) }
    }

    fn check(outputs: &Outputs, wanted: &[&str]) {
        let written: Vec<String> = outputs.written().map(|(_, raw)| raw.as_str().to_owned()).collect();
        assert_eq!(written, wanted);
    }

    #[test]
    fn what_one_stream_says_in_a_row_is_one_output() {
        let mut outputs = Outputs::default();
        outputs.begin(0);
        for (name, text) in [("stdout", "a"), ("stdout", "b\nc"), ("stderr", "x"), ("stdout", "d")] {
            outputs.take(0, stream(name, text));
        }
        let wanted = r#"[{"name":"stdout","output_type":"stream","text":["ab\n","c"]},{"name":"stderr","output_type":"stream","text":["x"]},{"name":"stdout","output_type":"stream","text":["d"]}]"#;
        check(&outputs, &[wanted]);
    }

    #[test]
    fn an_update_reaches_other_cells_and_numbers_stay_as_they_are_spelled() {
        let mut outputs = Outputs::default();
        outputs.begin(0);
        outputs.take(0, KernelEvent::Result(display(r#"{"text/plain":"old"}"#, "d")));
        outputs.begin(1);
        let new = r#"{"text/html":"a\nb","application/json":1e400,"image/png":"x\ny"}"#;
        outputs.take(1, KernelEvent::UpdateDisplay(display(new, "d")));
        let data = r#"{"text/html":["a\n","b"],"application/json":1e400,"image/png":"x\ny"}"#;
        let wanted =
            format!(r#"[{{"data":{data},"metadata":{{}},"output_type":"execute_result","execution_count":2}}]"#);
        check(&outputs, &[&wanted, "[]"]);
    }

    #[test]
    fn clearing_waits_for_the_next_output_if_it_is_told_to() {
        let mut outputs = Outputs::default();
        outputs.begin(0);
        outputs.take(0, stream("stdout", "a"));
        outputs.take(0, KernelEvent::Clear { wait: true });
        check(&outputs, &[r#"[{"name":"stdout","output_type":"stream","text":["a"]}]"#]);
        outputs.take(0, stream("stdout", "b"));
        check(&outputs, &[r#"[{"name":"stdout","output_type":"stream","text":["b"]}]"#]);
        outputs.take(0, KernelEvent::Clear { wait: false });
        check(&outputs, &["[]"]);
    }
}
