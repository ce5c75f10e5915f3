//! A notebook: its file's text, and the cells in it.

use std::{
    collections::HashSet,
    sync::{Arc, OnceLock},
};

use crate::{Cell, CellKey, Member, NotebookError, Raw, legacy, style::Style};

/// A notebook. What is changed in it changes in the file when it is written, and nothing else does.
#[derive(Clone, Debug)]
pub struct Notebook {
    /// Its cells, in order.
    pub cells: Vec<Cell>,
    members: Vec<Member>,
    read: Option<ReadNotebook>,
    upgraded: Option<Upgraded>,
    problems: Vec<CellProblem>,
}

/// A file of an older format, or an empty one, beside what it is as format 4: it stays as it is until something in it changes.
#[derive(Clone, Debug)]
pub struct Upgraded {
    /// None for an empty file.
    pub(crate) format: Option<u64>,
    pub(crate) file: Arc<str>,
    pub(crate) as_four: Arc<str>,
}

/// A notebook as it stands in its file.
#[derive(Clone, Debug)]
pub(crate) struct ReadNotebook {
    pub text: Arc<str>,
    pub has_mark: bool,
    pub whole: Raw,
    pub members: Vec<Member>,
    pub cells: Raw,
    pub keys: Vec<CellKey>,
    /// The cells as they stand there.
    pub items: Arc<[Raw]>,
    styles: Arc<OnceLock<Styles>>,
}

/// How a file is laid out: its cells, and all else.
#[derive(Clone, Debug)]
pub(crate) struct Styles {
    pub cells: Style,
    pub other: Style,
}

impl ReadNotebook {
    /// Looks at the layout when it is wanted for the first time.
    pub fn styles(&self) -> &Styles {
        let style = |member| Style::of(&self.text, &self.whole, member);
        self.styles.get_or_init(|| Styles { cells: style("cells"), other: style("metadata") })
    }
}

/// What is odd about a cell of a file. The cell is kept as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellProblem {
    /// Which, from 0.
    pub index: usize,
    /// What it is called.
    pub key: CellKey,
    /// What, for a person.
    pub message: String,
}

/// The mark that some editors put before UTF-8 text.
const MARK: &str = "\u{feff}";

impl Notebook {
    /// Makes one without cells, of the newest format.
    pub fn new() -> Self {
        let raw = |text: &str| Raw::written(text.into());
        let member = |(name, value): (&str, &str)| Member { name: name.into(), value: raw(value) };
        let members = [("cells", "[]"), ("metadata", "{}"), ("nbformat", "4"), ("nbformat_minor", "5")];
        Self {
            cells: Vec::new(),
            members: members.map(member).into(),
            read: None,
            upgraded: None,
            problems: Vec::new(),
        }
    }

    /// Reads a file. One of format 1, 2 or 3 becomes one of format 4, and is written as such when something in it is changed or
    /// after [`Self::upgrade`]; so does an empty file, which is how most programs make a new one.
    ///
    /// # Errors
    /// If it is not a notebook, or of another version of the format.
    pub fn read(bytes: &[u8]) -> Result<Self, NotebookError> {
        let text = std::str::from_utf8(bytes).map_err(|error| NotebookError::NotUtf8 { at: error.valid_up_to() })?;
        if text.trim().is_empty() {
            return Ok(Self::new().standing_for(None, text));
        }
        let (has_mark, text) = text.strip_prefix(MARK).map_or((false, text), |text| (true, text));
        let whole = Raw::parse(text).map_err(|error| NotebookError::NotJson { reason: error.to_string() })?;
        let members = whole.members().ok_or_else(|| not("it is not a JSON object"))?;
        let format = find(&members, "nbformat").and_then(Raw::number);
        match format.or_else(|| legacy::is_first(&members).then_some(1)) {
            Some(format @ 1..=3) => {
                Ok(legacy::upgraded(format, &members).standing_for(Some(format), &String::from_utf8_lossy(bytes)))
            }
            Some(4) => Self::of_four(whole, members, has_mark),
            Some(major) => Err(NotebookError::Version { major }),
            None => Err(not("it has no `nbformat`")),
        }
    }

    /// The file is written as it is as long as nothing changes.
    fn standing_for(mut self, format: Option<u64>, file: &str) -> Self {
        self.upgraded = Some(Upgraded { format, file: file.into(), as_four: self.write_canonical().into() });
        self
    }

    fn of_four(whole: Raw, members: Vec<Member>, has_mark: bool) -> Result<Self, NotebookError> {
        let cells = find(&members, "cells").cloned().ok_or_else(|| not("it has no `cells`"))?;
        let items = cells.items().ok_or_else(|| not("its `cells` are not a list"))?;
        let text = whole.text_of();
        let mut problems = Vec::new();
        let keys = keys(&items, &mut problems);
        let read = ReadNotebook {
            items: items.clone().into(),
            styles: Arc::default(),
            text,
            has_mark,
            whole,
            members: members.clone(),
            cells,
            keys: keys.clone(),
        };
        let cells = keys.into_iter().zip(items).map(|(key, whole)| Cell::read(key, whole)).collect();
        Ok(Self { cells, members, read: Some(read), upgraded: None, problems })
    }

    /// Returns the older format of its file, in whose place a change or an upgrade puts format 4.
    pub fn older_format(&self) -> Option<u64> {
        self.upgraded.as_ref()?.format
    }

    /// Has the notebook written in format 4 from now on, whether or not something changes. Returns its file for
    /// [`Self::take_back_upgrade`]; none if its format is not older.
    pub fn upgrade(&mut self) -> Option<Upgraded> {
        self.upgraded.take_if(|upgraded| upgraded.format.is_some())
    }

    /// Takes an upgrade back, after which the file was not written.
    pub fn take_back_upgrade(&mut self, upgraded: Upgraded) {
        self.upgraded = Some(upgraded);
    }

    /// Returns what was odd when it was read.
    pub fn problems(&self) -> &[CellProblem] {
        &self.problems
    }

    /// Tells whether its cells have ids: from format 4.5 on.
    pub fn has_ids(&self) -> bool {
        self.get("nbformat_minor").and_then(Raw::number).is_some_and(|minor| minor >= 5)
    }

    /// Returns a member other than the cells, such as `metadata`.
    pub fn get(&self, name: &str) -> Option<&Raw> {
        find(&self.members, name)
    }

    /// Sets a member other than the cells.
    pub fn set(&mut self, name: &str, value: Raw) {
        match self.members.iter_mut().rev().find(|member| member.name == name) {
            Some(member) => member.value = value,
            None => self.members.push(Member { name: name.to_owned(), value }),
        }
    }

    /// Returns the language that its kernel runs, as its metadata says.
    pub fn language(&self) -> Option<String> {
        let metadata = self.get("metadata")?;
        let named = |part: &str, name: &str| metadata.get(part)?.get(name)?.text();
        named("language_info", "name").or_else(|| named("kernelspec", "language"))
    }

    /// Calls the cells otherwise as long as the notebook is open, one key for each; what is in the file stays.
    ///
    /// # Panics
    /// If there are more keys or fewer than cells, or if cells were added or taken away since it was read.
    pub fn call_cells(&mut self, keys: Vec<CellKey>) {
        assert_eq!(self.cells.len(), keys.len(), "one key for each cell");
        if let Some(read) = &mut self.read {
            assert_eq!(self.cells.len(), read.keys.len(), "the cells are those of the file");
            read.keys.clone_from(&keys);
        }
        for problem in &mut self.problems {
            problem.key = keys[problem.index].clone();
        }
        for (cell, key) in self.cells.iter_mut().zip(keys) {
            cell.call(key);
        }
    }

    /// Returns the cell of this key.
    pub fn cell(&self, key: &CellKey) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.key() == key)
    }

    pub(crate) fn members(&self) -> &[Member] {
        &self.members
    }

    pub(crate) fn as_upgraded(&self) -> Option<&Upgraded> {
        self.upgraded.as_ref()
    }

    pub(crate) fn as_read(&self) -> Option<&ReadNotebook> {
        self.read.as_ref()
    }
}

impl Default for Notebook {
    fn default() -> Self {
        Self::new()
    }
}

fn find<'a>(members: &'a [Member], name: &str) -> Option<&'a Raw> {
    members.iter().rev().find(|member| member.name == name).map(|member| &member.value)
}

fn not(reason: &str) -> NotebookError {
    NotebookError::NotANotebook { reason: reason.into() }
}

/// Names the cells of a file: by their ids, or where that can't be by their places.
fn keys(cells: &[Raw], problems: &mut Vec<CellProblem>) -> Vec<CellKey> {
    let ids: Vec<Option<String>> = cells.iter().map(|cell| cell.get("id").and_then(|id| id.text())).collect();
    let mut taken: HashSet<String> = ids.iter().flatten().cloned().collect();
    let mut seen = HashSet::new();
    let mut keys = Vec::new();
    for (index, (cell, id)) in cells.iter().zip(ids).enumerate() {
        let odd = oddness(cell, id.as_deref(), &seen);
        let own = id.filter(|id| !id.is_empty() && seen.insert(id.clone()));
        let key = CellKey(own.unwrap_or_else(|| made_up(index, &mut taken)));
        problems.extend(odd.map(|message| CellProblem { index, key: key.clone(), message }));
        keys.push(key);
    }
    keys
}

fn made_up(index: usize, taken: &mut HashSet<String>) -> String {
    let mut name = format!("cell-{index}");
    while !taken.insert(name.clone()) {
        name.push('x');
    }
    name
}

fn oddness(cell: &Raw, id: Option<&str>, seen: &HashSet<String>) -> Option<String> {
    if cell.members().is_none() {
        return Some("it is not a JSON object".into());
    }
    match cell.get("cell_type").and_then(|kind| kind.text()).as_deref() {
        Some("code" | "markdown" | "raw") => (),
        Some(other) => return Some(format!("its type `{}` is unknown", other.escape_debug())),
        None => return Some("it has no type (`cell_type`)".into()),
    }
    if cell.get("source").as_ref().and_then(crate::joined).is_none() {
        return Some("its text (`source`) is missing or can't be read".into());
    }
    id.filter(|id| seen.contains(*id)).map(|id| format!("an earlier cell has the same id `{}`", id.escape_debug()))
}
