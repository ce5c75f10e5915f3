//! Settings of the look of the windows, which have actions of their own beside `settings.set`: for the person, changing them
//! is a change of the window.

use std::sync::Arc;

use aside_core::{ActionRequest, Assessment, Failure, Observation, setting};
use aside_gate::Run;
use serde_json::{Value, json};

use super::{Settings, object};
use crate::app::blocking;

/// Sets a setting in all windows. `words` tells of the new value; the way back is `back`, given the value from before.
pub(super) async fn change(
    settings: &Arc<Settings>,
    key: &'static str,
    value: Value,
    words: String,
    back: impl FnOnce(Value) -> ActionRequest,
) -> Result<Run, Failure> {
    let (settings, new) = (settings.clone(), value.clone());
    let changing = move || {
        let of = setting(key).expect("the setting of an action is in the table");
        let before = settings.one(of).value;
        if before != new {
            settings.change(of, Some(&new))?;
        }
        Ok::<_, Failure>(before)
    };
    let before = blocking(changing).await??;
    let unchanged = before == value;
    let data = json!({ "before": before, "value": value });
    let observation = Observation { unchanged, ..Observation::with(words, data) };
    let changed = if unchanged { Vec::new() } else { vec![target(key)] };
    Ok(Run { observation, inverse: (!unchanged).then(|| back(before)), changed })
}

/// Returns the value of a setting now.
pub(super) async fn now(settings: &Arc<Settings>, key: &'static str) -> Result<Value, Failure> {
    let settings = settings.clone();
    blocking(move || settings.one(setting(key).expect("the setting of an action is in the table")).value).await
}

/// Returns the assessment of a change: the setting, and no risk beyond the declared one.
pub(super) fn assessment(key: &'static str) -> Assessment {
    Assessment { targets: vec![target(key)], ..Assessment::default() }
}

fn target(key: &'static str) -> aside_core::ObjectRef {
    object(setting(key).expect("the setting of an action is in the table"))
}
