//! A notebook's file as a live notebook, and back.

use std::collections::{BTreeMap, HashMap};

use aside_notebook::{Cell, CellKind, Member, Notebook, Raw, lf};
use yrs::Transact as _;

use super::{NotebookCell, NotebookDocument, position, put, set_in, texts};
use crate::{Change, Replica};

/// Members of a cell that stand for themselves here, or that come from its runs.
const KNOWN: [&str; 6] = ["cell_type", "id", "source", "metadata", "outputs", "execution_count"];

impl NotebookDocument {
    /// Starts a new history with a notebook from a file.
    pub fn from_notebook(notebook: &Notebook) -> Self {
        let mut document = Self::over(Replica::default());
        let (cells, metadata) = (document.cells.clone(), document.metadata.clone());
        document.replica.change("file", |transaction| {
            for (cell, position) in notebook.cells.iter().zip(position::spread(notebook.cells.len())) {
                put(&cells, &live(cell), position, transaction);
            }
            for (name, value) in json_texts(notebook.get("metadata")) {
                set_in(&metadata, &name, Some(&value), transaction);
            }
        });
        document
    }

    /// Sets a part of the notebook's metadata, as JSON text; none takes it away.
    ///
    /// # Errors
    /// If it is no JSON.
    pub fn set_metadata(
        &mut self,
        name: &str,
        value: Option<&str>,
        origin: &str,
    ) -> Result<Option<Change>, serde_json::Error> {
        value.map(Raw::parse).transpose()?;
        let metadata = self.metadata.clone();
        let same = texts(&metadata, &self.replica.doc().transact()).get(name).map(String::as_str) == value;
        Ok(if same {
            None
        } else {
            self.replica.change(origin, |transaction| set_in(&metadata, name, value, transaction))
        })
    }

    /// Takes the metadata of a file; none if it is the same.
    pub(crate) fn take_metadata(&mut self, file: &Notebook, origin: &str) -> Option<Change> {
        let (metadata, wanted) = (self.metadata.clone(), json_texts(file.get("metadata")));
        let before = texts(&metadata, &self.replica.doc().transact());
        self.replica.change(origin, |transaction| {
            for name in before.keys().chain(wanted.keys()).filter(|name| before.get(*name) != wanted.get(*name)) {
                set_in(&metadata, name, wanted.get(name).map(String::as_str), transaction);
            }
        })
    }

    /// Brings a notebook as it is in its file to what this one is. What is the same keeps its bytes; a cell that is new
    /// comes without outputs.
    pub fn write_into(&self, notebook: &mut Notebook) {
        let mut known: HashMap<_, _> =
            std::mem::take(&mut notebook.cells).into_iter().map(|cell| (cell.key().clone(), cell)).collect();
        let has_ids = notebook.has_ids();
        let cell = |live: NotebookCell| {
            let mut cell = known.remove(&live.key).unwrap_or_else(|| Cell::new(live.key.clone(), &live.kind, has_ids));
            write_cell(&live, &mut cell);
            cell
        };
        notebook.cells = self.cells().into_iter().map(cell).collect();
        if let Some(metadata) = with_texts(notebook.get("metadata"), &self.metadata()) {
            notebook.set("metadata", metadata);
        }
    }
}

/// Returns the cells of a notebook in a file as they are when they are live.
pub fn cells_of(notebook: &Notebook) -> Vec<NotebookCell> {
    notebook.cells.iter().map(live).collect()
}

fn live(cell: &Cell) -> NotebookCell {
    NotebookCell {
        key: cell.key().clone(),
        kind: cell.kind(),
        source: lf(&cell.source()).into_owned(),
        metadata: json_texts(cell.get("metadata")),
        others: others(cell),
    }
}

fn write_cell(live: &NotebookCell, cell: &mut Cell) {
    // What doesn't say what it is stays so as long as nobody says it.
    if cell.kind() != live.kind && live.kind != CellKind::Other(String::new()) {
        cell.set_kind(&live.kind);
    }
    cell.set_source(&live.source);
    if let Some(metadata) = with_texts(cell.get("metadata"), &live.metadata) {
        cell.set("metadata", metadata);
    }
    let before = others(cell);
    for name in before.keys().filter(|name| !live.others.contains_key(*name)) {
        cell.remove(name);
    }
    for (name, value) in &live.others {
        if before.get(name) != Some(value)
            && has_room(&live.kind, name)
            && let Ok(value) = Raw::parse(value.as_str())
        {
            cell.set(name, value);
        }
    }
}

/// Tells whether the format lets cells of a kind have this. What it does not let code have waits in the live cell until that
/// is text again.
pub(super) fn has_room(kind: &CellKind, name: &str) -> bool {
    name != "attachments" || !kind.has_outputs()
}

fn others(cell: &Cell) -> BTreeMap<String, String> {
    let others = cell.members().iter().filter(|member| !KNOWN.contains(&&*member.name));
    others.map(|member| (member.name.clone(), member.value.as_str().to_owned())).collect()
}

/// The members of an object, each as JSON text.
fn json_texts(object: Option<&Raw>) -> BTreeMap<String, String> {
    let members = object.and_then(Raw::members).unwrap_or_default();
    members.into_iter().map(|member| (member.name, member.value.as_str().to_owned())).collect()
}

/// An object with these members: those that it has in their order, new ones after them. None if it has just these.
fn with_texts(object: Option<&Raw>, wanted: &BTreeMap<String, String>) -> Option<Raw> {
    let readable: BTreeMap<_, _> =
        wanted.iter().filter_map(|(name, value)| Some((name.as_str(), Raw::parse(value.as_str()).ok()?))).collect();
    let before = json_texts(object);
    let same = before.len() == readable.len()
        && before.iter().all(|(name, value)| readable.get(&**name).is_some_and(|wanted| wanted.as_str() == value));
    if same {
        return None;
    }
    let known = object.and_then(Raw::members).unwrap_or_default();
    let mut names: Vec<&str> = Vec::new();
    for name in known.iter().map(|member| &*member.name).chain(readable.keys().copied()) {
        if readable.contains_key(name) && !names.contains(&name) {
            names.push(name);
        }
    }
    let member = |name: &str| Member { name: name.to_owned(), value: readable[name].clone() };
    Some(Raw::of_members(&names.into_iter().map(member).collect::<Vec<_>>()))
}
