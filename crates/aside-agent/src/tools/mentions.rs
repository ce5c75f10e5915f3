//! Names of actions in texts.

use std::collections::BTreeMap;

use aside_core::ActionName;
use memchr::memchr2;

use super::wire_name;

/// Names to look for, as they are written and as they are on the wire, by their nouns.
#[derive(Clone, Debug, Default)]
pub(super) struct Mentions(BTreeMap<String, Vec<String>>);

impl Mentions {
    pub(super) fn of<'a>(names: impl IntoIterator<Item = &'a ActionName>) -> Self {
        let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for name in names {
            let name = name.as_str();
            let noun = name.split(['.', '_']).next().unwrap_or_default();
            all.entry(noun.to_owned()).or_default().extend([wire_name(name), name.to_owned()]);
        }
        Self(all)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Tells whether a text has one of them. Every description of a tool is searched at every call of a model: only what
    /// stands before a dot or an underscore is looked up.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let (bytes, mut from) = (text.as_bytes(), 0);
        while let Some(found) = memchr2(b'.', b'_', &bytes[from..]) {
            let end = from + found;
            let is_noun = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
            let start = end - bytes[..end].iter().rev().take_while(|byte| is_noun(byte)).count();
            let names = self.0.get(&text[start..end]).into_iter().flatten();
            if names.into_iter().any(|name| text[start..].starts_with(name.as_str())) {
                return true;
            }
            from = end + 1;
        }
        false
    }

    /// Tells whether this is one of them.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.values().flatten().any(|other| other == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::action;

    #[test]
    fn names_are_found_in_both_spellings() {
        let names = [action("doc.edit"), action("task.hand_off")];
        let mentions = Mentions::of(&names);
        for text in ["`doc.edit`", "aside.doc.edit(x)", "é doc_edit", "see task_hand_off.", "file.read, doc.edit"] {
            assert!(mentions.is_in(text), "{text}");
        }
        for text in ["", ".", "doc. edit", "a doc", "edit.doc", "docs.edit", "hand_off", "é.doc"] {
            assert!(!mentions.is_in(text), "{text}");
        }
        assert!(mentions.has("doc_edit") && mentions.has("doc.edit") && !mentions.has("doc"));
        assert!(Mentions::default().is_empty());
    }
}
