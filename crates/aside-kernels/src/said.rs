//! What a kernel says that belongs to the outputs of a cell, in a form that is kept.

use aside_jupyter::{Display, KernelEvent, Raised};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// One thing that changes what a cell has put out.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputEvent {
    /// Something was printed.
    Stream {
        /// `stdout` or `stderr`.
        name: String,
        /// What.
        text: String,
    },
    /// Something is to be shown.
    Display(Shown),
    /// The value of the code.
    Result(Shown),
    /// Everything that was shown with this id is to be shown so.
    Update(Shown),
    /// The code failed.
    Error(Raised),
    /// What was put out so far is to go, with `wait` only when the next output comes.
    Clear {
        /// Not yet.
        wait: bool,
    },
}

/// Something that is shown, in several forms.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Shown {
    /// An object: by MIME type.
    pub data: Box<RawValue>,
    /// An object: what is to be known of it.
    pub metadata: Box<RawValue>,
    /// By what it is updated later.
    pub id: Option<String>,
    /// The number of the run, of a result.
    pub count: Option<u64>,
}

impl OutputEvent {
    /// Takes what belongs to outputs; gives everything else back.
    ///
    /// # Errors
    /// The event, if it is no output.
    pub fn of(event: KernelEvent) -> Result<Self, KernelEvent> {
        Ok(match event {
            KernelEvent::Stream { name, text } => Self::Stream { name, text },
            KernelEvent::Display(display) => Self::Display(display.into()),
            KernelEvent::Result(display) => Self::Result(display.into()),
            KernelEvent::UpdateDisplay(display) => Self::Update(display.into()),
            KernelEvent::Error(raised) => Self::Error(raised),
            KernelEvent::Clear { wait } => Self::Clear { wait },
            other => return Err(other),
        })
    }

    /// About how many bytes it holds.
    pub fn size(&self) -> usize {
        match self {
            Self::Stream { text, .. } => text.len(),
            Self::Display(shown) | Self::Result(shown) | Self::Update(shown) => shown.data.get().len(),
            Self::Error(raised) => raised.traceback.iter().map(String::len).sum(),
            Self::Clear { .. } => 0,
        }
    }
}

impl From<Display> for Shown {
    fn from(display: Display) -> Self {
        let Display { data, metadata, display_id: id, count } = display;
        Self { data, metadata, id, count }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_keeps_its_spelling() {
        let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
        let shown = Shown { data: raw(r#"{"a": 1e400}"#), metadata: raw("{}"), id: Some("d".into()), count: None };
        let kept = serde_json::to_string(&vec![OutputEvent::Display(shown)]).unwrap();
        let read: Vec<OutputEvent> = serde_json::from_str(&kept).unwrap();
        assert!(matches!(&read[..], [OutputEvent::Display(shown)] if shown.data.get() == r#"{"a": 1e400}"#));
    }
}
