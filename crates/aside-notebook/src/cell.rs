//! One cell: an object of the file of which a few members have a meaning here.

use std::fmt;

use crate::{
    CellKind, Member, OURS, Raw, VISIBLE, is_hidden, joined, lf, multiline, source::respelled, wants_whole_notebook,
};

/// What a cell is called as long as its notebook is open: its id in the file, or where that has none (or one that another cell has too) one made up.
/// It is no part of the file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellKey(pub String);

impl fmt::Display for CellKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// One cell of a notebook. Cheap to copy: its contents are shared with the file's text.
#[derive(Clone, Debug)]
pub struct Cell {
    key: CellKey,
    members: Vec<Member>,
    read: Option<ReadCell>,
}

/// A cell as it stands in the file.
#[derive(Clone, Debug)]
pub(crate) struct ReadCell {
    pub whole: Raw,
    pub members: Vec<Member>,
}

impl Cell {
    /// Makes an empty one. `has_id`: the notebook's format has ids (from 4.5 on).
    pub fn new(key: CellKey, kind: &CellKind, has_id: bool) -> Self {
        let mut cell = Self { key, members: Vec::new(), read: None };
        if has_id {
            cell.set("id", Raw::of_text(&cell.key.0));
        }
        cell.set("metadata", Raw::written("{}".into()));
        cell.set("source", Raw::written("[]".into()));
        cell.set_kind(kind);
        cell
    }

    /// Takes one from a file. What is not an object has no members, and stays as it is.
    pub(crate) fn read(key: CellKey, whole: Raw) -> Self {
        let members = whole.members().unwrap_or_default();
        Self { key, members: members.clone(), read: Some(ReadCell { whole, members }) }
    }

    /// Returns what it is called here.
    pub fn key(&self) -> &CellKey {
        &self.key
    }

    pub(crate) fn call(&mut self, key: CellKey) {
        self.key = key;
    }

    /// Returns what it holds.
    pub fn kind(&self) -> CellKind {
        let ours = self.get("metadata").and_then(|metadata| metadata.get(OURS));
        let in_format = self.get("cell_type").and_then(Raw::text).unwrap_or_default();
        CellKind::read(&in_format, ours.as_ref().map(Raw::as_str))
    }

    /// Tells whether a person keeps it from models.
    pub fn is_hidden(&self) -> bool {
        let said = |name: &str| self.get("metadata").and_then(|metadata| metadata.get(name));
        let (visible, ours) = (said(VISIBLE), said(OURS));
        is_hidden(visible.as_ref().map(Raw::as_str), ours.as_ref().map(Raw::as_str))
    }

    /// Tells whether its question is about the whole notebook; none if it says nothing of that. See [`wants_whole_notebook`].
    pub fn wants_whole_notebook(&self) -> Option<bool> {
        let ours = self.get("metadata").and_then(|metadata| metadata.get(OURS));
        wants_whole_notebook(ours.as_ref().map(Raw::as_str))
    }

    /// Makes it another kind. What only code has goes with it, and comes empty with code.
    pub fn set_kind(&mut self, kind: &CellKind) {
        self.set("cell_type", Raw::of_text(kind.in_format()));
        self.mark(kind);
        if kind.has_outputs() {
            self.remove("attachments");
            self.set_if_absent("execution_count", "null");
            self.set_if_absent("outputs", "[]");
        } else {
            self.remove("execution_count");
            self.remove("outputs");
        }
    }

    /// Returns its text; empty where it has none that can be read.
    pub fn source(&self) -> String {
        self.get("source").and_then(joined).unwrap_or_default()
    }

    /// Changes its text. Lines that stay keep their spelling and their line ends, and a source that was one string stays one.
    pub fn set_source(&mut self, source: &str) {
        if lf(&self.source()) != lf(source) {
            let before = self.get("source");
            let value = before.and_then(|before| respelled(source, before)).unwrap_or_else(|| multiline(source));
            self.set("source", value);
        }
    }

    /// Returns the number of its last run.
    pub fn execution_count(&self) -> Option<u64> {
        self.get("execution_count").and_then(Raw::number)
    }

    /// Returns its outputs, each an object of the format.
    pub fn outputs(&self) -> Vec<Raw> {
        self.get("outputs").and_then(Raw::items).unwrap_or_default()
    }

    /// Returns one of its members as the file has it.
    pub fn get(&self, name: &str) -> Option<&Raw> {
        self.members.iter().rev().find(|member| member.name == name).map(|member| &member.value)
    }

    /// Sets one of its members; a new one comes where the format's own writer, which sorts them, has it.
    pub fn set(&mut self, name: &str, value: Raw) {
        if let Some(member) = self.members.iter_mut().rev().find(|member| member.name == name) {
            member.value = value;
            return;
        }
        let at = self.members.iter().position(|member| member.name.as_str() > name).unwrap_or(self.members.len());
        self.members.insert(at, Member { name: name.to_owned(), value });
    }

    /// Takes one of its members away.
    pub fn remove(&mut self, name: &str) {
        self.members.retain(|member| member.name != name);
    }

    /// Returns all its members, as the file has them.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    pub(crate) fn as_read(&self) -> Option<&ReadCell> {
        self.read.as_ref()
    }

    /// Says in the metadata what the format has no word for.
    fn mark(&mut self, kind: &CellKind) {
        let Some(mut members) = self.get("metadata").map_or(Some(Vec::new()), Raw::members) else { return };
        let at = members.iter().position(|member| member.name == OURS);
        let now = at.map(|at| members[at].value.as_str());
        let marked = kind.marked(now);
        if now == marked.as_deref() {
            return;
        }
        let value = marked.map(Raw::written);
        match (at, value) {
            (Some(at), Some(value)) => members[at].value = value,
            (Some(at), None) => drop(members.remove(at)),
            (None, Some(value)) => {
                let place = members.iter().position(|member| member.name.as_str() > OURS).unwrap_or(members.len());
                members.insert(place, Member { name: OURS.to_owned(), value });
            }
            (None, None) => return,
        }
        self.set("metadata", Raw::of_members(&members));
    }

    fn set_if_absent(&mut self, name: &str, value: &str) {
        if self.get(name).is_none() {
            self.set(name, Raw::written(value.into()));
        }
    }
}
