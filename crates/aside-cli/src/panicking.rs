//! What is said of a panic, which is a mistake in Aside: where it was and why, without the secrets of the process.

use std::{any::Any, backtrace::Backtrace, panic};

use aside_core::Secrets;

/// From now on says every panic in the log.
pub fn say_without(secrets: Secrets) {
    panic::set_hook(Box::new(move |info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!("{}\n{}", told(&secrets, &place, info.payload()), Backtrace::capture());
    }));
}

fn told(secrets: &Secrets, place: &str, payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let words = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
    format!("a bug in Aside, at {place}: {}", secrets.redacted(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told_of(panicking: fn()) -> String {
        let secrets = Secrets::new(["canary-of-a-panic".to_owned()]);
        told(&secrets, "a.rs:1:2", &*panic::catch_unwind(panicking).unwrap_err())
    }

    #[test]
    fn a_panic_is_told_without_secrets_in_all_its_forms() {
        assert_eq!(told_of(|| panic!("plain")), "a bug in Aside, at a.rs:1:2: plain");
        assert!(told_of(|| panic!("bad {:?}", "canary-of-a-panic")).ends_with(": bad \"[secret]\""));
        assert!(told_of(|| panic!("sk-{}", "a1".repeat(20))).ends_with(": [secret]"));
        assert!(told_of(|| panic::panic_any(7)).ends_with(": no reason given"));
    }
}
