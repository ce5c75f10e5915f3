//! Slots: the kinds of objects that a phrase can name, and the values that words give them.

mod cells;
mod command;
mod files;
mod names;
mod recent;
mod tabs;
mod values;
mod when;

use serde_json::{Map, Value};

use crate::{situation::Situation, token::Token};

/// The kind of a slot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SlotKind {
    /// Files that are there.
    File,
    /// One file that is there.
    OneFile,
    /// Several files that are there.
    Files,
    /// One file that no tab shows.
    ClosedFile,
    /// A LaTeX source that is there; at hand, the document that is open.
    Latex,
    /// A file or folder that is there.
    Entry,
    /// A folder that is there.
    Folder,
    /// A folder that another argument's new name goes into.
    Into,
    /// A notebook that is there.
    Notebook,
    /// A script that is there: the command that runs it.
    Script,
    /// Tabs that are open.
    Tabs,
    /// One tab that is open.
    Tab,
    /// One open thread, by its title.
    Chat,
    /// The tabs on a side of the one in front.
    TabsLeft,
    /// See [`SlotKind::TabsLeft`].
    TabsRight,
    /// The place of a tab, from 1.
    TabPlace,
    /// A kind of tabs, by a word for several of them.
    TabKind,
    /// A kind of tabs, by a word for one of them.
    TabKindOf,
    /// One cell, by its key.
    Cell,
    /// Cells, by their keys.
    Cells,
    /// Cells, each by its key and version.
    CellVersions,
    /// Cells that have outputs.
    Outputs,
    /// The version of the cell in another argument.
    Version,
    /// The cell before or after the one in another argument.
    CellAbove,
    /// See [`SlotKind::CellAbove`].
    CellBelow,
    /// A new empty cell of this kind.
    NewCell(&'static str),
    /// The path of a new file.
    NewFile,
    /// The path of a new folder.
    NewFolder,
    /// The new path of a file, in its folder.
    Rename,
    /// The new path of a file or folder that moves or is copied.
    Target,
    /// The place in the folder of the command before.
    There,
    /// Objects of the command before.
    Previous,
    /// The opposite of a shown or hidden part.
    Toggled,
    /// The thread at hand.
    Thread,
    /// A whole number.
    Number,
    /// A whole number in percent.
    Percent,
    /// Yes or no, as `on` and `off`.
    Switch,
    /// One of these words.
    Choice(Vec<String>),
    /// Free text.
    Text,
    /// One word, such as a name.
    Word,
    /// A mail address.
    Mail,
    /// A model of an Ollama server.
    Model,
    /// A program with its arguments.
    Command,
    /// A day or a time.
    When,
    /// An open item of a note.
    Todo,
}

impl SlotKind {
    /// Returns the kind of a name in a phrase.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "file" => Self::File,
            "one_file" => Self::OneFile,
            "files" => Self::Files,
            "closed_file" => Self::ClosedFile,
            "latex" => Self::Latex,
            "tab" => Self::Tab,
            "chat" => Self::Chat,
            "tab_kind_of" => Self::TabKindOf,
            "model" => Self::Model,
            "entry" => Self::Entry,
            "folder" => Self::Folder,
            "into" => Self::Into,
            "notebook" => Self::Notebook,
            "script" => Self::Script,
            "tabs" => Self::Tabs,
            "tabs_left" => Self::TabsLeft,
            "tabs_right" => Self::TabsRight,
            "tab_place" => Self::TabPlace,
            "tab_kind" => Self::TabKind,
            "cell" => Self::Cell,
            "cells" => Self::Cells,
            "cell_versions" => Self::CellVersions,
            "outputs" => Self::Outputs,
            "version" => Self::Version,
            "cell_above" => Self::CellAbove,
            "cell_below" => Self::CellBelow,
            "new_code_cell" => Self::NewCell("code"),
            "new_markdown_cell" => Self::NewCell("markdown"),
            "new_file" => Self::NewFile,
            "new_folder" => Self::NewFolder,
            "rename" => Self::Rename,
            "target" => Self::Target,
            "there" => Self::There,
            "previous" => Self::Previous,
            "toggled" => Self::Toggled,
            "thread" => Self::Thread,
            "number" => Self::Number,
            "percent" => Self::Percent,
            "switch" => Self::Switch,
            "text" => Self::Text,
            "word" => Self::Word,
            "mail" => Self::Mail,
            "command" => Self::Command,
            "when" => Self::When,
            "todo" => Self::Todo,
            _ => return None,
        })
    }

    /// Returns the kind that a schema says: numbers, switches and choices.
    pub(crate) fn of_schema(schema: &Value, root: &Value) -> Option<Self> {
        let schema = values::referred(schema, root);
        let is = |name: &str| match &schema["type"] {
            Value::String(found) => found == name,
            Value::Array(found) => found.iter().any(|found| found == name),
            _ => false,
        };
        match values::choices(schema, root) {
            choices if !choices.is_empty() => Some(Self::Choice(choices)),
            _ if is("integer") || is("number") => Some(Self::Number),
            _ if is("boolean") => Some(Self::Switch),
            _ => None,
        }
    }

    /// The order in which the slots of a phrase are resolved: a cell needs its notebook, a new name its old one.
    pub(crate) fn rank(&self) -> u8 {
        match self {
            Self::Cell | Self::Cells | Self::CellVersions | Self::Outputs => 1,
            Self::Rename | Self::Target | Self::There | Self::Version | Self::CellAbove | Self::CellBelow => 2,
            Self::Into => 3,
            _ => 0,
        }
    }

    /// Tells whether the words are a text or a new name, in which every word counts.
    pub(crate) fn is_new(&self) -> bool {
        matches!(self, Self::Text | Self::Word | Self::NewFile | Self::NewFolder | Self::Rename | Self::Target)
    }

    /// Tells whether words of any kind fit.
    pub(crate) fn is_free(&self) -> bool {
        matches!(self, Self::Text)
    }
}

/// The words in a slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<'a> {
    pub text: &'a str,
    pub tokens: &'a [Token],
}

/// The scene in which words have a meaning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlotContext<'a> {
    pub situation: &'a Situation,
    /// The objects of the command before this one.
    pub previous: &'a [String],
    /// Whether the action only shows or reads.
    pub is_gentle: bool,
}

/// A meaning of words: the objects that they name together.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Meaning {
    pub values: Vec<Value>,
    /// Whether the words are the whole name of one object.
    pub is_whole_name: bool,
}

impl Meaning {
    pub(crate) fn one(value: impl Into<Value>) -> Self {
        Self { values: vec![value.into()], is_whole_name: false }
    }

    pub(crate) fn many<V: Into<Value>>(values: impl IntoIterator<Item = V>) -> Self {
        Self { values: values.into_iter().map(Into::into).collect(), is_whole_name: false }
    }
}

/// Returns the meanings of words in a slot, given the arguments that are known. None: the words name nothing.
pub(crate) fn meanings(
    kind: &SlotKind,
    words: Words<'_>,
    known: &Map<String, Value>,
    scene: SlotContext<'_>,
) -> Vec<Meaning> {
    match kind {
        SlotKind::File => files::files(words, files::Sort::File, scene),
        SlotKind::OneFile | SlotKind::Files | SlotKind::ClosedFile => files::counted(kind, words, scene),
        SlotKind::Latex => files::latex(words, scene),
        SlotKind::Entry => files::files(words, files::Sort::Any, scene),
        SlotKind::Folder | SlotKind::Into => files::files(words, files::Sort::Folder, scene),
        SlotKind::Notebook => files::files(words, files::Sort::Notebook, scene),
        SlotKind::Script => command::script(words, scene).into_iter().collect(),
        SlotKind::Tabs => tabs::tabs(words, scene),
        SlotKind::Tab | SlotKind::Chat => tabs::one_tab(kind, words, scene),
        SlotKind::TabPlace => tabs::place(words, scene).into_iter().collect(),
        SlotKind::TabKind | SlotKind::TabKindOf => tabs::kind(kind, words, scene).into_iter().collect(),
        SlotKind::Cell | SlotKind::Cells | SlotKind::CellVersions => {
            cells::cells(kind, words, known, scene).into_iter().collect()
        }
        SlotKind::NewFile => names::new_file(words).into_iter().collect(),
        SlotKind::NewFolder => names::new_folder(words).into_iter().collect(),
        SlotKind::Rename => names::rename(words, known, scene).into_iter().collect(),
        SlotKind::Target => names::target(words, known, scene),
        SlotKind::Number => values::number(words).into_iter().collect(),
        SlotKind::Percent => values::percent(words).into_iter().collect(),
        SlotKind::Switch => values::switch(words).into_iter().collect(),
        SlotKind::Choice(choices) => values::choice(words, choices).into_iter().collect(),
        SlotKind::Text => values::text(words).into_iter().collect(),
        SlotKind::Word => values::word(words).into_iter().collect(),
        SlotKind::Mail => values::mail(words).into_iter().collect(),
        SlotKind::Model => values::model(words).into_iter().collect(),
        SlotKind::Command => command::command(words, scene).into_iter().collect(),
        SlotKind::When => when::when(words, scene).into_iter().collect(),
        SlotKind::Todo => values::todo(words, scene),
        _ => Vec::new(),
    }
}

/// Returns the objects at hand, for an argument that the words do not name.
pub(crate) fn at_hand(
    kind: &SlotKind,
    argument: &str,
    known: &Map<String, Value>,
    scene: SlotContext<'_>,
) -> Vec<Meaning> {
    let situation = scene.situation;
    match kind {
        SlotKind::File | SlotKind::Entry => files::in_front(scene).into_iter().map(Meaning::one).collect(),
        SlotKind::Latex => files::open_latex(scene).into_iter().map(Meaning::one).collect(),
        SlotKind::Notebook => situation.notebooks().into_iter().map(Meaning::one).collect(),
        SlotKind::Tabs => situation.active().map(|tab| Meaning::one(tab.path.as_str())).into_iter().collect(),
        SlotKind::TabsLeft | SlotKind::TabsRight => tabs::beside(kind, scene).into_iter().collect(),
        SlotKind::Cell | SlotKind::Cells | SlotKind::CellVersions => {
            cells::focused(kind, known, scene).into_iter().collect()
        }
        SlotKind::Outputs => cells::with_outputs(known, scene).into_iter().collect(),
        SlotKind::Version => cells::version(known, scene).into_iter().collect(),
        SlotKind::CellAbove | SlotKind::CellBelow => cells::neighbour(kind, known, scene).into_iter().collect(),
        SlotKind::NewCell(kind) => vec![Meaning::one(serde_json::json!({ "kind": kind, "source": "" }))],
        SlotKind::Previous if !scene.previous.is_empty() => {
            vec![Meaning::many(scene.previous.iter().map(String::as_str))]
        }
        SlotKind::There => names::there(known, scene).into_iter().collect(),
        SlotKind::Toggled => values::toggled(argument, scene).into_iter().collect(),
        SlotKind::Thread => situation.thread.iter().map(|thread| Meaning::one(thread.as_str())).collect(),
        _ => Vec::new(),
    }
}
