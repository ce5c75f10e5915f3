//! A JSON value as the text it was written in.

use std::{fmt, ops::Range, sync::Arc};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};
use serde_json::{Value, value::RawValue};

/// One JSON value: a part of a text that is shared, so that a copy costs nothing. Two are equal if they are spelled the same.
#[derive(Clone)]
pub struct Raw {
    text: Arc<str>,
    span: Range<usize>,
}

/// One member of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub value: Raw,
}

impl Raw {
    /// Reads a text that is one JSON value, with nothing but white space around it.
    ///
    /// # Errors
    /// If it is not JSON: what and where.
    pub fn parse(text: impl Into<Arc<str>>) -> Result<Self, serde_json::Error> {
        let text = text.into();
        let span = span(&text, serde_json::from_str::<&RawValue>(&text)?);
        Ok(Self { text, span })
    }

    /// Writes a value.
    pub fn of(value: &Value) -> Self {
        Self::written(value.to_string())
    }

    /// Writes a text.
    pub fn of_text(text: &str) -> Self {
        Self::of(&Value::from(text))
    }

    /// Writes an array of these.
    pub fn of_items<'a>(items: impl IntoIterator<Item = &'a Raw>) -> Self {
        let items: Vec<&str> = items.into_iter().map(Raw::as_str).collect();
        Self::written(format!("[{}]", items.join(",")))
    }

    /// Writes an object of these.
    pub fn of_members(members: &[Member]) -> Self {
        let member = |member: &Member| format!("{}:{}", Self::of_text(&member.name).as_str(), member.value.as_str());
        Self::written(format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(",")))
    }

    /// For what this crate wrote itself, which is JSON.
    pub(crate) fn written(text: String) -> Self {
        let span = 0..text.len();
        Self { text: text.into(), span }
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.text[self.span.clone()]
    }

    /// Returns where in its text it stands, in bytes.
    pub(crate) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Returns the whole text that it is a part of.
    pub(crate) fn text_of(&self) -> Arc<str> {
        self.text.clone()
    }

    /// Tells whether it is a part of this very text.
    pub(crate) fn is_from(&self, text: &Arc<str>) -> bool {
        Arc::ptr_eq(&self.text, text)
    }

    /// Returns the members of an object in their order; `None` if it is something else.
    pub fn members(&self) -> Option<Vec<Member>> {
        if !self.begins_with('{') {
            return None;
        }
        let members: Members = serde_json::from_str(self.as_str()).ok()?;
        Some(members.0.into_iter().map(|(name, part)| Member { name, value: self.part(part) }).collect())
    }

    /// Returns the items of an array; `None` if it is something else.
    pub fn items(&self) -> Option<Vec<Raw>> {
        if !self.begins_with('[') {
            return None;
        }
        let items: Items = serde_json::from_str(self.as_str()).ok()?;
        Some(items.0.into_iter().map(|part| self.part(part)).collect())
    }

    /// Returns a member of an object; of several with this name the last, as JSON's readers do.
    pub fn get(&self, name: &str) -> Option<Raw> {
        self.members()?.into_iter().rev().find(|member| member.name == name).map(|member| member.value)
    }

    /// Returns the text that a string stands for; `None` if it is something else. Halves of surrogate pairs, which JSON can spell and text can't hold, come as U+FFFD.
    pub fn text(&self) -> Option<String> {
        if !self.begins_with('"') {
            return None;
        }
        let bytes: Bytes = serde_json::from_str(self.as_str()).ok()?;
        Some(String::from_utf8(bytes.0).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }

    /// Returns a whole number.
    pub fn number(&self) -> Option<u64> {
        serde_json::from_str(self.as_str()).ok()
    }

    /// Tells whether it is `null`.
    pub fn is_null(&self) -> bool {
        self.as_str() == "null"
    }

    /// Tells what kind of value it is: to have the parser say what it is not would cost an error that quotes all of it.
    fn begins_with(&self, mark: char) -> bool {
        self.as_str().starts_with(mark)
    }

    fn part(&self, part: &RawValue) -> Self {
        let inner = span(self.as_str(), part);
        Self { text: self.text.clone(), span: self.span.start + inner.start..self.span.start + inner.end }
    }
}

/// Returns where in a text a value that was borrowed from it stands.
fn span(text: &str, part: &RawValue) -> Range<usize> {
    let start = part.get().as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.get().len()
}

impl PartialEq for Raw {
    fn eq(&self, other: &Self) -> bool {
        (Arc::ptr_eq(&self.text, &other.text) && self.span == other.span) || self.as_str() == other.as_str()
    }
}

impl Eq for Raw {}

impl fmt::Debug for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}

struct Items<'a>(Vec<&'a RawValue>);

impl<'de> Deserialize<'de> for Items<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ItemsVisitor)
    }
}

struct ItemsVisitor;

impl<'de> Visitor<'de> for ItemsVisitor {
    type Value = Items<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Items(items))
    }
}

/// A string read as bytes: the way in which its parser lets halves of surrogate pairs through.
struct Bytes(Vec<u8>);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(BytesVisitor)
    }
}

struct BytesVisitor;

impl Visitor<'_> for BytesVisitor {
    type Value = Bytes;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
        Ok(Bytes(bytes.to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Raw {
        Raw::parse(text).expect(text)
    }

    #[test]
    fn parts_keep_their_spelling_and_order() {
        let object = raw(r#" {"b" : 1e400, "a":[1.0, 12345678901234567890123], "b": null} "#);
        let names: Vec<String> = object.members().unwrap().into_iter().map(|member| member.name).collect();
        assert_eq!(names, ["b", "a", "b"]);
        assert!(object.get("b").unwrap().is_null());
        let items: Vec<String> =
            object.get("a").unwrap().items().unwrap().iter().map(|item| item.as_str().into()).collect();
        assert_eq!(items, ["1.0", "12345678901234567890123"]);
    }

    #[test]
    fn half_of_a_surrogate_pair_is_shown_as_unknown() {
        assert_eq!(raw(r#""a\ud800b""#).text().unwrap().replace('\u{fffd}', "?"), "a???b");
        assert_eq!(raw(r#""a\ud83d\ude00b""#).text().unwrap(), "a😀b");
        assert_eq!(raw("12").text(), None);
    }

    #[test]
    fn deep_nesting_is_read_without_a_deep_stack() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(200_000), "]".repeat(200_000));
        assert_eq!(raw(&deep).members().unwrap().len(), 1);
    }
}
