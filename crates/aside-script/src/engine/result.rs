//! The result of a run, and its errors with the line in the script's own text.

use rquickjs::{CaughtError, Ctx, Function};
use serde::Deserialize;
use serde_json::Value;

use super::{Run, Settled};
use crate::ScriptError;

/// The file name of the script in stack traces.
pub(super) const FILE: &str = "script";

/// An error as the prelude describes it.
#[derive(Deserialize)]
struct Description {
    code: Option<String>,
    message: Option<String>,
    hint: Option<String>,
    action: Option<String>,
    stack: Option<String>,
}

impl Run {
    /// The result after the last call has ended.
    pub(super) fn result<'js>(&self, ctx: &Ctx<'js>, describe: &Function<'js>) -> Result<Value, ScriptError> {
        if self.issued.get() < self.replay.borrow().last_call() {
            self.diverged("it ends before the calls that it made".to_owned());
        }
        let settled = self.settled.borrow_mut().take();
        match settled {
            Some(Settled::Failed(description)) => Err(described(&description)),
            Some(Settled::Bad(description)) => {
                Err(bad_result(&format!("is no JSON: {}", described(&description).message)))
            }
            Some(Settled::Done(text)) => self.unhandled(ctx, describe).map_or_else(|| self.parsed(&text), Err),
            None => {
                let error = ScriptError::new("script_error", "The script waits for a promise that nothing settles");
                Err(error.hint("Resolve or reject each promise that the script awaits."))
            }
        }
    }

    fn parsed(&self, text: &str) -> Result<Value, ScriptError> {
        let most = self.input.limits.result;
        if text.len() > most {
            return Err(bad_result(&format!("has {} KiB, and the limit is {} KiB", text.len() >> 10, most >> 10)));
        }
        serde_json::from_str(&lossy(text)).map_err(|error| bad_result(&format!("is no JSON: {error}")))
    }

    /// The error of the first promise whose rejection nothing handled.
    fn unhandled<'js>(&self, ctx: &Ctx<'js>, describe: &Function<'js>) -> Option<ScriptError> {
        self.over.set(true);
        let (_, reason) = self.rejections.borrow().first()?.clone();
        let description: String = describe.call((reason.restore(ctx).ok()?,)).ok()?;
        Some(described(&description))
    }
}

fn bad_result(problem: &str) -> ScriptError {
    ScriptError::new("bad_result", format!("The script's return value {problem}"))
        .hint("Return text, numbers, lists and plain objects. The calls stay done.")
}

fn described(description: &str) -> ScriptError {
    let Ok(description) = serde_json::from_str::<Description>(&lossy(description)) else {
        return ScriptError::new("script_error", "The script threw an error without words");
    };
    ScriptError {
        code: description.code.unwrap_or_else(|| "script_error".to_owned()),
        message: description
            .message
            .filter(|message| !message.is_empty())
            .unwrap_or_else(|| "The script threw an error".to_owned()),
        hint: description.hint,
        line: description.stack.as_deref().and_then(line_of),
        action_type: description.action,
    }
}

/// The error of text that the engine can't compile.
pub(super) fn syntax_error(error: &CaughtError<'_>) -> ScriptError {
    let CaughtError::Exception(exception) = error else {
        return ScriptError::new("syntax_error", error.to_string());
    };
    let message = exception.message().unwrap_or_else(|| "The text is no program".to_owned());
    let line = exception.stack().as_deref().and_then(line_of);
    ScriptError { line, ..ScriptError::new("syntax_error", message) }
}

/// The line of the first frame within the script.
fn line_of(stack: &str) -> Option<u32> {
    stack.lines().find_map(|frame| {
        let place = frame.trim_end().trim_end_matches(')');
        let (_, place) = place.rsplit_once(&format!("{FILE}:"))?;
        place.split(':').next()?.parse().ok()
    })
}

/// Replaces escapes of half surrogate pairs, which JSON of JavaScript may have and text in UTF-8 can't, by U+FFFD.
pub(super) fn lossy(json: &str) -> std::borrow::Cow<'_, str> {
    if !json.contains("\\ud") {
        return json.into();
    }
    let mut text = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(place) = rest.find('\\') {
        text.push_str(&rest[..place]);
        rest = &rest[place..];
        let half = |at: usize| {
            rest.get(at..at + 6)
                .and_then(|escape| escape.strip_prefix("\\u"))
                .and_then(|hex| u16::from_str_radix(hex, 16).ok())
        };
        let taken = match (half(0), half(6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                text.push_str("\\ufffd");
                rest = &rest[6..];
                continue;
            }
            (Some(_), _) => 6,
            (None, _) => 2,
        };
        text.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    text.push_str(rest);
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_is_that_of_the_first_script_frame() {
        let stack = "    at request (aside:3:9)\n    at inner (script:12:5)\n    at <anonymous> (script:40:1)\n";
        assert_eq!(line_of(stack), Some(12));
        assert_eq!(line_of("    at script:7:3"), Some(7));
        assert_eq!(line_of("nothing"), None);
    }

    #[test]
    fn half_surrogate_becomes_replacement_character() {
        let parsed: Value =
            serde_json::from_str(&lossy(r#"["\ud83c", "\ud83c\udf0a", "\\ud83c", "é\n\udf0a"]"#)).expect("JSON");
        assert_eq!(parsed, serde_json::json!(["\u{fffd}", "🌊", "\\ud83c", "é\n\u{fffd}"]));
    }
}
