//! A text that several people and programs change at the same time.

use std::{cell::RefCell, ops::Range, sync::Arc};

use aside_core::{HunkAnchor, Version};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use yrs::{
    Assoc, GetString as _, IndexedSequence as _, StickyIndex, Text as _, TextRef, Transact as _, TransactionMut,
    updates::{decoder::Decode as _, encoder::Encode as _},
};

use crate::{Change, Replica, Splice, SyncError, replica::unbroken, splices_between};

/// The name of the Yjs text inside the document.
const TEXT: &str = "text";

/// A live text: the Yjs text named `text`, with LF endings.
pub struct TextDocument {
    replica: Replica,
    text: TextRef,
    read: RefCell<Option<Read>>,
}

/// The text as it was at one revision.
#[derive(Clone)]
struct Read {
    revision: u64,
    text: Arc<str>,
    version: Option<Version>,
}

impl TextDocument {
    /// Starts a new history with a text.
    pub fn from_text(text: &str) -> Self {
        let mut document = Self::over(Replica::default());
        document.apply(&[Splice { range: 0..0, insert: text.to_owned() }], "file");
        document
    }

    /// Continues a stored history.
    pub fn from_updates<Bytes: AsRef<[u8]>>(updates: impl IntoIterator<Item = Bytes>) -> Result<Self, SyncError> {
        Ok(Self::over(Replica::from_updates(updates)?))
    }

    fn over(replica: Replica) -> Self {
        let text = replica.doc().get_or_insert_text(TEXT);
        Self { replica, text, read: RefCell::new(None) }
    }

    /// Begins anew with what is stored, after an update that was [`SyncError::Unusable`].
    pub fn restore<Bytes: AsRef<[u8]>>(&mut self, updates: impl IntoIterator<Item = Bytes>) -> Result<(), SyncError> {
        self.replica.restore(updates)?;
        self.text = self.replica.doc().get_or_insert_text(TEXT);
        Ok(())
    }

    /// The side that speaks with peers.
    pub fn replica(&self) -> &Replica {
        &self.replica
    }

    /// The side that speaks with peers.
    pub fn replica_mut(&mut self) -> &mut Replica {
        &mut self.replica
    }

    /// The text as it is now.
    pub fn text(&self) -> Arc<str> {
        self.read().text
    }

    /// The version of the text as it is now.
    pub fn version(&self) -> Version {
        let mut read = self.read();
        if let Some(version) = read.version {
            return version;
        }
        let version = Version::of(read.text.as_bytes());
        read.version = Some(version.clone());
        self.read.replace(Some(read));
        version
    }

    /// Makes splices, in order and without overlap, as one change; none if there was nothing to do.
    ///
    /// # Panics
    /// If a splice does not lie within the text, between characters.
    pub fn apply(&mut self, splices: &[Splice], origin: &str) -> Option<Change> {
        let current = self.text();
        let text = self.text.clone();
        self.replica.change(origin, |transaction| splice_text(&text, &current, splices, transaction))
    }

    /// Makes the text into another one, changing as little as possible, so that cursors keep their place.
    pub fn replace_text(&mut self, new: &str, origin: &str) -> Option<Change> {
        let splices = splices_between(&self.text(), new);
        self.apply(&splices, origin)
    }

    /// Ties a range of bytes of the text as it is now to the characters at its ends.
    ///
    /// What is typed right before or right after the range stays outside. An empty range is tied to the
    /// character after it. Both ends are encoded as Yjs' relative positions, in base 64.
    pub fn anchor(&self, range: Range<usize>) -> Option<HunkAnchor> {
        let current = self.text();
        let known = |byte| current.is_char_boundary(byte);
        if range.start > range.end || !known(range.start) || !known(range.end) {
            return None;
        }
        let end = if range.is_empty() { Assoc::After } else { Assoc::Before };
        let places = utf16_places(&current, [range.start, range.end].into_iter());
        Some(HunkAnchor { start: self.relative(places[0], Assoc::After), end: self.relative(places[1], end) })
    }

    /// Returns where an anchored range is now; none if the anchor is not of this document.
    pub fn resolve(&self, anchor: &HunkAnchor) -> Option<Range<usize>> {
        let current = self.text();
        let start = byte_place(&current, self.absolute(&anchor.start)?)?;
        let end = byte_place(&current, self.absolute(&anchor.end)?)?;
        (start <= end).then_some(start..end)
    }

    fn relative(&self, place: u32, assoc: Assoc) -> String {
        let transaction = self.replica.doc().transact();
        let sticky = self.text.sticky_index(&transaction, place, assoc);
        // There is no character after the end to be tied to; the end itself is meant.
        let sticky = sticky.unwrap_or_else(|| StickyIndex::from_type(&transaction, &self.text, Assoc::After));
        STANDARD.encode(sticky.encode_v1())
    }

    fn absolute(&self, encoded: &str) -> Option<u32> {
        let sticky = StickyIndex::decode_v1(&STANDARD.decode(encoded).ok()?).ok()?;
        Some(sticky.get_offset(&self.replica.doc().transact())?.index)
    }

    fn read(&self) -> Read {
        let revision = self.replica.revision();
        let mut cache = self.read.borrow_mut();
        match &*cache {
            Some(read) if read.revision == revision => read.clone(),
            _ => {
                let text = self.text.get_string(&self.replica.doc().transact()).into();
                cache.insert(Read { revision, text, version: None }).clone()
            }
        }
    }
}

/// Makes splices of a text, which is `current` now, in order and without overlap.
///
/// # Panics
/// If a splice does not lie within the text, between characters.
pub(crate) fn splice_text(text: &TextRef, current: &str, splices: &[Splice], transaction: &mut TransactionMut) {
    let places = utf16_places(current, splices.iter().flat_map(|splice| [splice.range.start, splice.range.end]));
    remove_foreign_content(text, current, transaction);
    // From the end, so that the places of the earlier ones stay true.
    for (splice, place) in splices.iter().zip(places.chunks(2)).rev() {
        if place[1] > place[0] {
            text.remove_range(transaction, place[0], place[1] - place[0]);
        }
        if !splice.insert.is_empty() {
            text.insert(transaction, place[0], &splice.insert);
        }
    }
}

/// Rewrites a text into which another peer has put what is not text: it would shift every place.
fn remove_foreign_content(text: &TextRef, current: &str, transaction: &mut TransactionMut) {
    let length = text.len(transaction);
    if length as usize != utf16_length(current) {
        // What no text can hold is counted and can't be removed, which yrs asserts when it has removed all the rest.
        let _ = unbroken(|| text.remove_range(transaction, 0, length));
        text.insert(transaction, 0, current);
    }
}

/// Places in UTF-16 units, as Yjs counts, of ascending places in bytes.
fn utf16_places(text: &str, bytes: impl Iterator<Item = usize>) -> Vec<u32> {
    let (mut done, mut units) = (0, 0);
    let place = |byte: usize| {
        units += utf16_length(&text[done..byte]);
        done = byte;
        u32::try_from(units).unwrap_or(u32::MAX)
    };
    bytes.map(place).collect()
}

/// Counts on bytes, which is many times faster than on characters.
fn utf16_length(text: &str) -> usize {
    let units = |byte: &u8| usize::from(byte & 0xc0 != 0x80) + usize::from(*byte >= 0xf0);
    text.as_bytes().iter().map(units).sum()
}

/// The place in bytes of a place in UTF-16 units; none beyond the end or inside a character.
fn byte_place(text: &str, place: u32) -> Option<usize> {
    let mut units = 0;
    for (byte, character) in text.char_indices() {
        if units >= place {
            return (units == place).then_some(byte);
        }
        units += if character.len_utf16() == 2 { 2 } else { 1 };
    }
    (units == place).then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_may_be_shared_between_threads_behind_a_lock() {
        fn is_send<T: Send>() {}
        is_send::<TextDocument>();
        is_send::<crate::StateDocument>();
    }

    #[test]
    fn places_are_counted_both_ways() {
        let text = "a👍é\u{5e9}";
        assert_eq!(utf16_places(text, [0, 1, 5, 7, 9].into_iter()), [0, 1, 3, 4, 5]);
        let back: Vec<_> = (0..=6).map(|place| byte_place(text, place)).collect();
        assert_eq!(back, [Some(0), Some(1), None, Some(5), Some(7), Some(9), None]);
    }
}
