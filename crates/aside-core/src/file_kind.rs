//! What kind of file something is, from one table: which editor shows it, in which language, which agent works beside
//! it, its icon and what can format it. Everybody asks here; TypeScript gets the table by code generation.
//!
//! [`FileKind::of_name`] knows the name alone, [`FileKind::of_file`] looks at the first bytes as well.

mod formatter;
mod sniff;
mod table;

use std::{collections::HashMap, sync::LazyLock};

use crate::TS;
use serde::{Deserialize, Serialize};

pub use formatter::Formatter;
pub use table::FileKind;

/// What shows a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FileEditor {
    /// The text editor.
    Text,
    /// Cells and their outputs.
    Notebook,
    /// Pages.
    Pdf,
    /// A picture.
    Image,
    /// Rows and columns, or the text editor.
    Table,
    /// Rows and columns of a file that is no text.
    Rows,
    /// The text editor, or its values as a tree.
    Tree,
    /// The text editor, or the page that it describes.
    Page,
    /// A player of sound.
    Audio,
    /// A player of pictures and sound.
    Video,
    /// Its bytes as numbers: nothing else is known of them.
    Bytes,
}

impl FileEditor {
    /// Tells whether the text editor can show the file.
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Table | Self::Tree | Self::Page)
    }
}

/// Which agent works on a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FileAgent {
    /// The one that reads and edits lines.
    Coding,
    /// The one that reads, edits and runs cells.
    Notebook,
    /// None can.
    None,
}

/// The icon beside a file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FileIcon {
    /// Programs.
    Code,
    /// Prose and what is written for paper.
    Text,
    /// Values for programs.
    Data,
    /// What is typed at a prompt.
    Shell,
    /// How programs are set up and built.
    Settings,
    /// Rows and columns.
    Table,
    /// Cells.
    Notebook,
    /// Pictures.
    Image,
    /// Pages.
    Pdf,
    /// Sound and video.
    Media,
    /// Bytes.
    Binary,
}

/// What the table says of one kind.
#[derive(Clone, Copy, Debug)]
pub struct FileFacts {
    /// Its name, for people.
    pub title: &'static str,
    /// What shows it.
    pub editor: FileEditor,
    /// Its icon.
    pub icon: FileIcon,
    /// Its long lines are wrapped, as prose is.
    pub wraps: bool,
    /// What comes after a dot in its names, in lower case, with spaces between.
    pub endings: &'static str,
    /// Whole names in lower case, with spaces between; one that ends with `*` is a beginning.
    pub names: &'static str,
    /// Programs that run it, as a `#!` line names them, and its names in the first lines of files for editors.
    pub programs: &'static str,
    /// What can format it, the best first.
    pub formatters: &'static [Formatter],
}

impl FileFacts {
    /// Which agent works on it: every text has one.
    pub const fn agent(&self) -> FileAgent {
        match self.editor {
            FileEditor::Notebook => FileAgent::Notebook,
            editor if editor.is_text() => FileAgent::Coding,
            _ => FileAgent::None,
        }
    }
}

impl FileKind {
    /// Returns the kind that a file's name says; upper and lower case don't matter. The whole name counts first, then
    /// what is before its first dot (`Dockerfile.py`), then its ending (`license_manager.py`), then its beginning
    /// (`makefile-old`). A notebook is one whatever its name begins with.
    pub fn of_name(name: &str) -> Option<Self> {
        let name = name.rsplit('/').next().unwrap_or(name).to_lowercase();
        let (ending, beginning) = (ends_like(&name), begins_like(&name));
        if ending == Some(Self::Notebook) {
            return ending;
        }
        let whole = NAMES.get(name.as_str()).copied();
        whole
            .or(beginning.filter(|begun| begun.names_it()).map(|begun| begun.kind))
            .or(ending)
            .or(beginning.map(|begun| begun.kind))
    }

    /// Returns the kind of a file by what it tells editors in its first lines, by its name, its `#!` line, and what its
    /// first bytes look like. `head` is the beginning of the file, or all of it; some kilobytes are enough.
    pub fn of_file(name: &str, head: &[u8]) -> Self {
        let named = Self::of_name(name);
        if let Some(kind) = sniff::magic(head) {
            return kind;
        } else if head.contains(&0) {
            return named.filter(|kind| !kind.is_text()).unwrap_or(Self::Binary);
        }
        let text = sniff::text_of(head);
        sniff::told_to_editors(text)
            .or_else(|| named.filter(|kind| kind.is_text()))
            .or_else(|| sniff::run_by(text))
            .or_else(|| sniff::looks_like(text))
            .unwrap_or(Self::Plain)
    }

    /// Tells whether it is shown as text.
    pub fn is_text(self) -> bool {
        let editor = self.facts().editor;
        editor.is_text() || editor == FileEditor::Notebook
    }

    /// Returns the kind of the programs that a name stands for: `python3.12` is Python.
    fn of_program(program: &str) -> Option<Self> {
        let program = program.to_lowercase();
        let plain = program.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
        PROGRAMS.get(program.as_str()).or_else(|| PROGRAMS.get(plain)).copied()
    }
}

type Index = HashMap<&'static str, FileKind>;

static NAMES: LazyLock<Index> = LazyLock::new(|| index(|facts| facts.names));
static ENDINGS: LazyLock<Index> = LazyLock::new(|| index(|facts| facts.endings));
static PROGRAMS: LazyLock<Index> = LazyLock::new(|| index(|facts| facts.programs));

fn index(words: impl Fn(&FileFacts) -> &'static str) -> Index {
    let of_kind =
        |kind: &FileKind| words(kind.facts()).split_whitespace().map(|word| (word, *kind)).collect::<Vec<_>>();
    FileKind::ALL.iter().flat_map(of_kind).collect()
}

/// What the beginning of a name says.
#[derive(Clone, Copy)]
struct Begun {
    kind: FileKind,
    /// A dot follows.
    is_stem: bool,
}

impl Begun {
    /// Whether it says more than any ending: plain text can be in any language.
    fn names_it(&self) -> bool {
        self.is_stem && self.kind != FileKind::Plain
    }
}

fn begins_like(name: &str) -> Option<Begun> {
    NAMES.iter().find_map(|(word, kind)| {
        let start = word.strip_suffix('*')?;
        let rest = name.strip_prefix(start)?;
        Some(Begun { kind: *kind, is_stem: rest.starts_with('.') || start.ends_with('.') })
    })
}

/// The longest ending that is known: `tar.gz` before `gz`.
fn ends_like(name: &str) -> Option<FileKind> {
    let dots = name.match_indices('.').filter(|(at, _)| *at > 0);
    dots.map(|(at, _)| &name[at + 1..]).find_map(|ending| ENDINGS.get(ending)).copied()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn of(name: &str) -> Option<FileKind> {
        FileKind::of_name(name)
    }

    #[test]
    fn names_without_endings_and_any_case_are_known() {
        assert_eq!(of("src/Dockerfile"), Some(FileKind::Dockerfile));
        assert_eq!(of("Dockerfile.dev"), Some(FileKind::Dockerfile));
        assert_eq!(of("JENKINSFILE"), Some(FileKind::Groovy));
        assert_eq!(of("GNUmakefile"), Some(FileKind::Makefile));
        assert_eq!(of("CMakeLists.txt"), Some(FileKind::Cmake));
        assert_eq!(of("notes.txt"), Some(FileKind::Plain));
        assert_eq!(of("LICENSE"), Some(FileKind::Plain));
        assert_eq!(of("Plot.PNG"), Some(FileKind::Image));
        assert_eq!(of("Model.PY"), Some(FileKind::Python));
        assert_eq!(of("analysis.R"), Some(FileKind::R));
    }

    #[test]
    fn a_known_ending_counts_before_a_beginning_unless_a_dot_follows_that() {
        for (name, kind) in [
            ("license_manager.py", FileKind::Python),
            ("licenses.json", FileKind::Json),
            ("LicensePlate.java", FileKind::Java),
            ("LICENSE.md", FileKind::Markdown),
            ("LICENSE-MIT", FileKind::Plain),
            ("LICENSE.third-party", FileKind::Plain),
            ("makefile_utils.py", FileKind::Python),
            ("Makefile.inc", FileKind::Makefile),
            ("makefile-old", FileKind::Makefile),
            ("Dockerfile.py", FileKind::Dockerfile),
            ("dockerfile_parser.rs", FileKind::Rust),
            (".env.json", FileKind::Properties),
        ] {
            assert_eq!(of(name), Some(kind), "{name}");
        }
        for name in ["licenses.ipynb", "dockerfile-intro.ipynb", "Dockerfile.ipynb", "makefile.IPYNB"] {
            assert_eq!(of(name), Some(FileKind::Notebook), "{name}");
        }
    }

    #[test]
    fn dotfiles_are_known_by_their_whole_name() {
        assert_eq!(of(".gitignore"), Some(FileKind::Ignore));
        assert_eq!(of(".bashrc"), Some(FileKind::Shell));
        assert_eq!(of(".env.local"), Some(FileKind::Properties));
        assert_eq!(of(".py"), None);
        assert_eq!(of("unheard.of"), None);
    }

    #[test]
    fn the_longest_known_ending_counts() {
        assert_eq!(of("a.tar.gz"), Some(FileKind::Binary));
        assert_eq!(of("data.csv.bak.py"), Some(FileKind::Python));
        assert_eq!(of("v1.2.md"), Some(FileKind::Markdown));
    }

    #[test]
    fn no_name_stands_for_two_kinds() {
        let columns: [fn(&FileFacts) -> &'static str; 3] =
            [|facts| facts.names, |facts| facts.endings, |facts| facts.programs];
        for words in columns {
            let mut seen = BTreeMap::new();
            for kind in FileKind::ALL {
                for word in words(kind.facts()).split_whitespace() {
                    assert_eq!(word, word.to_lowercase());
                    assert_eq!(seen.insert(word, kind), None, "{word}");
                }
            }
        }
    }

    #[test]
    fn what_is_in_a_file_can_say_more_than_its_name() {
        let of = |name, head: &str| FileKind::of_file(name, head.as_bytes());
        assert_eq!(of("run", "#!/usr/bin/env -S uv run python\n"), FileKind::Python);
        assert_eq!(of("tool.py", "#!/bin/sh\n"), FileKind::Python);
        assert_eq!(of("notes", "// -*- mode: c++; tab-width: 4 -*-\n"), FileKind::Cpp);
        assert_eq!(of("unheard.of", "{\"a\": 1}"), FileKind::Json);
        assert_eq!(of("unheard.of", "plain words"), FileKind::Plain);
        assert_eq!(FileKind::of_file("plot.py", b"\x89PNG\r\n\x1a\n...."), FileKind::Image);
        assert_eq!(FileKind::of_file("plot.png", b"\0\0"), FileKind::Image);
        assert_eq!(FileKind::of_file("plot.py", b"\0\0"), FileKind::Binary);
        assert_eq!(of("plot.png", "not a picture at all"), FileKind::Plain);
        assert_eq!(FileKind::of_file("sound", b"RIFF\0\0\0\0WAVEfmt "), FileKind::Audio);
        assert_eq!(FileKind::of_file("film", b"\0\0\0\x20ftypisom\0"), FileKind::Video);
        assert_eq!(of("", ""), FileKind::Plain);
    }

    #[test]
    fn every_text_has_an_agent_and_nothing_else_the_one_for_lines() {
        for kind in FileKind::ALL {
            let facts = kind.facts();
            assert_eq!(facts.agent() == FileAgent::Coding, facts.editor.is_text(), "{}", facts.title);
        }
    }
}
