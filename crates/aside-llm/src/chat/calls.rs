//! Tool calls put together from the fragments of a stream.
//!
//! A fragment belongs to the call with its id; without an id, to the call at its index; and with neither of the two, or an
//! index that no call has, to the call that is being streamed. Servers send one call at several indexes, several calls at
//! one index, and the end of a call at another index than its beginning.

use std::collections::HashMap;

use serde_json::Value;

/// The calls of one answer as far as they came.
#[derive(Clone, Default)]
pub(super) struct Calls {
    calls: Vec<Fragments>,
    /// By id and index, and by id alone.
    by_id: HashMap<(String, Option<u64>), usize>,
    /// The latest call at each index.
    by_index: HashMap<u64, usize>,
}

/// One call as far as it came.
#[derive(Clone, Default)]
pub(super) struct Fragments {
    /// Its id; empty if the server gave none.
    pub(super) id: String,
    /// The tool.
    pub(super) name: String,
    /// Its arguments as text.
    pub(super) args: String,
    /// Its server's additions, which go back with it; null for none.
    pub(super) extra: Value,
    object: Object,
}

/// Follows an object that comes in pieces up to its closing brace.
#[derive(Clone, Default)]
struct Object {
    /// It began with something else than a brace: it is the middle of an object.
    torn: bool,
    depth: u32,
    in_string: bool,
    escaped: bool,
    closed: bool,
}

/// The marks by which the call of a fragment is found.
struct Key<'a> {
    index: Option<u64>,
    id: &'a str,
    name: &'a str,
}

impl Calls {
    /// Takes one fragment.
    pub(super) fn fragment(&mut self, fragment: &Value) {
        let key = Key {
            index: fragment["index"].as_u64(),
            id: fragment["id"].as_str().unwrap_or_default(),
            name: fragment["function"]["name"].as_str().unwrap_or_default(),
        };
        let position = self.continued(&key).unwrap_or_else(|| {
            self.calls.push(Fragments::default());
            self.calls.len() - 1
        });
        self.note(&key, position);
        let call = &mut self.calls[position];
        if call.id.is_empty() {
            key.id.clone_into(&mut call.id);
        }
        if call.name.is_empty() {
            key.name.clone_into(&mut call.name);
        }
        if fragment["extra_content"].is_object() {
            call.extra = fragment["extra_content"].clone();
        }
        match &fragment["function"]["arguments"] {
            Value::String(args) => call.more(args),
            Value::Null => {}
            // Not a string, against the protocol, but whole.
            args => {
                (call.args, call.object) = Default::default();
                call.more(&args.to_string());
            }
        }
    }

    /// Takes more arguments of the call at an index; false if there is no call.
    pub(super) fn arguments(&mut self, index: u64, more: &str) -> bool {
        let key = Key { index: Some(index), id: "", name: "" };
        let Some(position) = self.continued(&key) else { return false };
        self.note(&key, position);
        self.calls[position].more(more);
        true
    }

    /// Returns each call once, in the order in which they began, and leaves none.
    pub(super) fn take(&mut self) -> Vec<Fragments> {
        let calls = std::mem::take(self).calls;
        let said = |call: &Fragments| !(call.id.is_empty() && call.name.is_empty() && call.args.is_empty());
        let mut joined: Vec<Fragments> = Vec::with_capacity(calls.len());
        let mut by_id: HashMap<(String, String), usize> = HashMap::new();
        for call in calls.into_iter().filter(said) {
            let begun = by_id.get(&(call.id.clone(), call.name.clone())).filter(|_| !call.id.is_empty());
            let begun = begun.or_else(|| by_id.get(&(call.id.clone(), String::new())).filter(|_| call.name.is_empty()));
            if let Some(position) = begun
                && joined[*position].takes(&call)
            {
                continue;
            }
            by_id.insert((call.id.clone(), call.name.clone()), joined.len());
            by_id.insert((call.id.clone(), String::new()), joined.len());
            joined.push(call);
        }
        joined
    }

    /// Remembers where the fragments of a call come.
    fn note(&mut self, key: &Key<'_>, position: usize) {
        if !key.id.is_empty() {
            self.by_id.insert((key.id.to_owned(), key.index), position);
            self.by_id.insert((key.id.to_owned(), None), position);
        }
        if let Some(index) = key.index {
            self.by_index.insert(index, position);
        }
    }

    /// Returns the call that a fragment continues; none if it begins one.
    fn continued(&self, key: &Key<'_>) -> Option<usize> {
        let streamed = self.calls.len().checked_sub(1)?;
        if !key.id.is_empty()
            && let Some(known) = self.by_id.get(&(key.id.to_owned(), key.index))
        {
            return Some(*known);
        }
        match key.index.and_then(|index| self.by_index.get(&index).copied()) {
            Some(there) => self.at_used_index(key, there, streamed),
            None if !key.id.is_empty() => self.calls[streamed].is_anonymous().then_some(streamed),
            None if key.name.is_empty() => Some(streamed),
            // Arguments came before the name; or the name comes with each fragment.
            None => {
                let last = &self.calls[streamed];
                let repeats = key.index.is_none() && last.name == key.name && !last.args.is_empty();
                (last.name.is_empty() || (repeats && !last.object.closed)).then_some(streamed)
            }
        }
    }

    /// The same where the index is that of a call.
    fn at_used_index(&self, key: &Key<'_>, there: usize, streamed: usize) -> Option<usize> {
        let call = &self.calls[there];
        let is_other = !key.id.is_empty() && !call.id.is_empty();
        if is_other && !key.name.is_empty() {
            return None;
        }
        if !call.object.closed {
            return Some(there);
        }
        // Nothing can be added to a whole call: this is of another.
        match key.name.is_empty() && key.id.is_empty() {
            true if !self.calls[streamed].object.closed => Some(streamed),
            true => Some(there),
            false => (!is_other && call.name.is_empty()).then_some(there),
        }
    }
}

impl Fragments {
    fn more(&mut self, args: &str) {
        self.args.push_str(args);
        self.object.read(args);
    }

    fn is_anonymous(&self) -> bool {
        self.id.is_empty() && self.name.is_empty()
    }

    /// Takes what came of the same call at another index: more of it, or all of it again. False if it is another call.
    fn takes(&mut self, other: &Self) -> bool {
        let is_taken = self.takes_arguments(other);
        if is_taken && self.extra.is_null() {
            self.extra = other.extra.clone();
        }
        is_taken
    }

    fn takes_arguments(&mut self, other: &Self) -> bool {
        match (self.object.closed, other.object.closed) {
            (true, true) => is_same(&self.args, &other.args),
            (true, false) => self.args.starts_with(&other.args),
            (false, true) => {
                self.args.clone_from(&other.args);
                self.object = other.object.clone();
                true
            }
            (false, false) => {
                self.more(&other.args);
                true
            }
        }
    }
}

fn is_same(one: &str, other: &str) -> bool {
    let value = |text: &str| serde_json::from_str::<Value>(text).ok();
    one == other || value(one).is_some_and(|value_of_one| value(other) == Some(value_of_one))
}

impl Object {
    fn read(&mut self, text: &str) {
        for byte in text.bytes() {
            match byte {
                b' ' | b'\n' | b'\r' | b'\t' if !self.in_string => {}
                _ if self.torn || (self.depth == 0 && byte != b'{') => self.torn |= !self.closed,
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                _ if self.in_string => {}
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth -= 1;
                    self.closed |= self.depth == 0;
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Puts fragments together, each an index, an id, a name and arguments; a negative index and an empty text are left out.
    fn check(fragments: &[(i64, &str, &str, &str)], expected: &[(&str, &str, &str)]) {
        let mut calls = Calls::default();
        for (index, id, name, args) in fragments {
            let mut fragment = json!({ "function": {} });
            if let Ok(index) = u64::try_from(*index) {
                fragment["index"] = index.into();
            }
            if !id.is_empty() {
                fragment["id"] = (*id).into();
            }
            if !name.is_empty() {
                fragment["function"]["name"] = (*name).into();
            }
            if !args.is_empty() {
                fragment["function"]["arguments"] = (*args).into();
            }
            calls.fragment(&fragment);
        }
        let calls = calls.take();
        let calls: Vec<_> =
            calls.iter().map(|call| (call.id.as_str(), call.name.as_str(), call.args.as_str())).collect();
        assert_eq!(calls, expected, "{fragments:?}");
    }

    #[test]
    fn copies_of_one_id_are_one_call() {
        let whole = [("x", "run", r#"{"a":1}"#)];
        check(&[(0, "x", "run", r#"{"a":1}"#), (1, "x", "run", r#"{"a":1}"#), (2, "x", "run", r#"{"a": 1}"#)], &whole);
        // The copies come in pieces: one after the other, all at a time, with ids and without.
        check(
            &[(0, "x", "run", r#"{"a"#), (0, "", "", r#"":1}"#), (1, "x", "run", r#"{"a"#), (1, "", "", r#"":1}"#)],
            &whole,
        );
        check(
            &[(0, "x", "run", ""), (1, "x", "run", ""), (0, "", "", r#"{"a":1}"#), (1, "", "", r#"{"a":1}"#)],
            &whole,
        );
        check(
            &[(0, "x", "run", r#"{"a"#), (1, "x", "run", r#"{"a"#), (0, "x", "", r#"":1}"#), (1, "x", "", r#"":1}"#)],
            &whole,
        );
        check(&[(0, "x", "run", ""), (1, "x", "run", r#"{"a":1}"#), (2, "x", "run", "")], &whole);
    }

    #[test]
    fn one_call_over_several_indexes_is_joined() {
        let whole = [("x", "run", r#"{"a":1}"#)];
        check(&[(0, "x", "run", r#"{"a"#), (1, "x", "run", r#"":"#), (2, "x", "", "1}")], &whole);
        check(&[(0, "x", "run", ""), (1, "", "", r#"{"a"#), (2, "", "", r#"":1}"#)], &whole);
    }

    #[test]
    fn fragments_without_id_follow_the_streamed_call() {
        let both = [("a", "edit", r#"{"n":1}"#), ("b", "edit", r#"{"n":2}"#)];
        let head_and_tail = [(0, "a", "edit", ""), (0, "", "", r#"{"n":1}"#), (0, "b", "edit", "")];
        check(&[&head_and_tail[..], &[(1, "", "", r#"{"n""#), (1, "", "", ":2}")]].concat(), &both);
        check(&[&head_and_tail[..], &[(0, "", "", r#"{"n""#), (0, "", "", ":2}")]].concat(), &both);
        check(&[&head_and_tail[..], &[(-1, "", "", r#"{"n""#), (-1, "", "", ":2}")]].concat(), &both);
    }

    #[test]
    fn interleaved_calls_keep_their_arguments() {
        check(
            &[
                (0, "a", "edit", ""),
                (1, "b", "edit", ""),
                (0, "", "", r#"{"n":"#),
                (1, "", "", r#"{"n":"#),
                (0, "", "", "1}"),
                (1, "", "", "2}"),
            ],
            &[("a", "edit", r#"{"n":1}"#), ("b", "edit", r#"{"n":2}"#)],
        );
    }

    #[test]
    fn different_calls_stay_different() {
        // Two ids, with one index or none; three ids for the same; one id for two.
        let both = [("a", "edit", r#"{"n":1}"#), ("b", "edit", r#"{"n":2}"#)];
        check(&[(0, "a", "edit", r#"{"n":1}"#), (0, "b", "edit", r#"{"n":2}"#)], &both);
        check(&[(-1, "a", "edit", r#"{"n":1}"#), (-1, "b", "edit", r#"{"n":2}"#)], &both);
        check(&[(0, "a", "add", "{}"), (1, "b", "add", "{}")], &[("a", "add", "{}"), ("b", "add", "{}")]);
        check(
            &[(0, "x", "edit", r#"{"n":1}"#), (1, "x", "edit", r#"{"n":2}"#)],
            &[("x", "edit", r#"{"n":1}"#), ("x", "edit", r#"{"n":2}"#)],
        );
        check(&[(0, "x", "read", "{}"), (1, "x", "list", "{}")], &[("x", "read", "{}"), ("x", "list", "{}")]);
        // Without any id: by their index, else by their names.
        check(
            &[(0, "", "edit", r#"{"n":1}"#), (0, "", "edit", r#"{"n":2}"#)],
            &[("", "edit", r#"{"n":1}"#), ("", "edit", r#"{"n":2}"#)],
        );
        check(
            &[(-1, "", "edit", r#"{"n":1}"#), (-1, "", "edit", r#"{"n":2}"#)],
            &[("", "edit", r#"{"n":1}"#), ("", "edit", r#"{"n":2}"#)],
        );
    }

    #[test]
    fn heads_come_late_twice_or_in_parts() {
        let whole = [("x", "run", r#"{"a":1}"#)];
        check(&[(-1, "x", "", r#"{"a"#), (-1, "x", "run", r#"":1}"#)], &whole);
        check(&[(0, "x", "", r#"{"a"#), (0, "x", "run", r#"":1}"#)], &whole);
        check(&[(0, "", "run", ""), (0, "x", "", r#"{"a":1}"#)], &whole);
        check(&[(0, "x", "run", ""), (0, "", "", r#"{"a"#), (0, "", "", r#"":1}"#)], &whole);
        check(&[(0, "x", "run", r#"{"a"#), (0, "x", "run", r#"":1}"#)], &whole);
        check(&[(0, "x", "run", r#"{"a"#), (0, "y", "", r#"":1}"#)], &whole);
        let nameless = [("", "run", r#"{"a":1}"#)];
        check(&[(-1, "", "", r#"{"a"#), (-1, "", "run", r#"":1}"#)], &nameless);
        check(&[(-1, "", "run", r#"{"a"#), (-1, "", "run", r#"":1}"#)], &nameless);
        check(&[(0, "", "", "")], &[]);
    }

    #[test]
    fn a_brace_in_a_string_closes_nothing() {
        check(
            &[(0, "x", "run", r#"{"a":"}\""#), (0, "", "", r#"}"}"#), (0, "", "", "")],
            &[("x", "run", r#"{"a":"}\"}"}"#)],
        );
    }
}
