//! The environment of a shell: the person's own, without keys, and without the traces of another terminal. Pure.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::{OsStr, OsString},
};

/// Variables that tell of the terminal in which Aside itself was started.
const OF_OTHER_TERMINALS: [&str; 15] = [
    "COLUMNS",
    "ITERM_PROFILE",
    "ITERM_SESSION_ID",
    "KITTY_PID",
    "KITTY_WINDOW_ID",
    "KONSOLE_VERSION",
    "LINES",
    "STY",
    "TERMCAP",
    "TERM_SESSION_ID",
    "TMUX",
    "TMUX_PANE",
    "VTE_VERSION",
    "WINDOWID",
    "WT_SESSION",
];

/// Returns the variables of a shell, from those of this process. Variables of Aside itself, among them its token, do
/// not come through, nor do those that are withheld because they hold keys.
pub fn environment(
    own: impl IntoIterator<Item = (OsString, OsString)>,
    withheld: &BTreeSet<String>,
    shell: &str,
) -> BTreeMap<OsString, OsString> {
    let comes_through = |name: &OsStr| {
        // Names that are no text can't be on either list.
        name.to_str().is_none_or(|name| {
            !name.starts_with("ASIDE_") && !withheld.contains(name) && !OF_OTHER_TERMINALS.contains(&name)
        })
    };
    let mut all: BTreeMap<_, _> = own.into_iter().filter(|(name, _)| comes_through(name)).collect();
    for (name, value) in [
        ("TERM", "xterm-256color"),
        ("COLORTERM", "truecolor"),
        ("TERM_PROGRAM", "Aside"),
        ("TERM_PROGRAM_VERSION", env!("CARGO_PKG_VERSION")),
        ("SHELL", shell),
    ] {
        all.insert(name.into(), value.into());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_tokens_do_not_come_through() {
        let own = [("HOME", "/h"), ("ASIDE_TOKEN", "t"), ("OPENAI_API_KEY", "k"), ("TMUX", "x"), ("TERM", "dumb")];
        let own = own.map(|(name, value)| (name.into(), value.into()));
        let withheld = ["OPENAI_API_KEY".to_owned()].into();
        let names: Vec<_> = environment(own, &withheld, "/bin/sh").into_iter().collect();
        let text = |name: &str| names.iter().find(|(known, _)| known == name).map(|(_, value)| value.to_str().unwrap());
        assert_eq!(text("HOME"), Some("/h"));
        assert_eq!(text("TERM"), Some("xterm-256color"));
        assert_eq!(text("SHELL"), Some("/bin/sh"));
        for gone in ["ASIDE_TOKEN", "OPENAI_API_KEY", "TMUX"] {
            assert_eq!(text(gone), None, "{gone}");
        }
    }
}
