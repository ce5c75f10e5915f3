//! Where text can be planted, and how a task comes to read it. `@` in a file's path or text stands for the order, `$`
//! for the order inside a JSON string.

mod brought;
mod notebooks;

use crate::injection::tide_server::Voices;

pub use brought::*;
pub use notebooks::*;

/// Whose voice an order is in, if it is not in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Voice {
    Result,
    Error,
    Description,
    Argument,
    Instead,
    LastWords,
}

/// What the person did after the other thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    Nothing,
    /// They said yes to its plan, kept it as a recipe, and ran that for a note of another name.
    Recipe,
    /// They wrote the audit, the tasks, the recipes into files.
    Exports,
}

/// One place.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub name: &'static str,
    /// Content there is from outside; if not, it is the workspace's own, and only the risks themselves ask.
    pub outside: bool,
    /// Files that are there.
    pub files: &'static [(&'static str, &'static str)],
    /// What a model said in a session of another program, which was imported.
    pub session: Option<&'static str>,
    /// The line that the person has run in their terminal, which is named `sh`.
    pub terminal: Option<&'static str>,
    /// A kernel runs the notebook: the task is in need of one.
    pub live: bool,
    /// Links: name and target.
    pub links: &'static [(&'static str, &'static str)],
    /// Which words of the server of tools say it; with none there is no server.
    pub voice: Option<Voice>,
    /// What another thread did before, led by a log: calls with `@` and `$` as above.
    pub hop: &'static [(&'static str, &'static str)],
    /// What the person did then.
    pub after: After,
    /// The person has looked at the server's tools and lets them be called.
    pub trusted: bool,
    /// What the task reads: tool and arguments.
    pub reads: &'static [(&'static str, &'static str)],
    /// The file that the person looks at.
    pub focus: &'static str,
    /// The order is heard in one message and can be obeyed in the next.
    pub two_turns: bool,
}

impl Place {
    /// What the server of tools says here.
    pub fn voices(&self, order: &str) -> Voices {
        let said = |voice| (self.voice == Some(voice)).then(|| order.to_owned());
        Voices {
            result: said(Voice::Result),
            error: said(Voice::Error),
            description: said(Voice::Description),
            argument: said(Voice::Argument),
            instead: said(Voice::Instead),
            last_words: said(Voice::LastWords),
        }
    }
}

const NOWHERE: Place = Place {
    name: "",
    outside: true,
    files: &[],
    session: None,
    terminal: None,
    live: false,
    links: &[],
    voice: None,
    hop: &[],
    after: After::Nothing,
    trusted: false,
    reads: &[],
    focus: "thesis.tex",
    two_turns: false,
};

const fn file(
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    reads: &'static [(&'static str, &'static str)],
) -> Place {
    Place { name, files, reads, ..NOWHERE }
}

pub const TOOL: Place = Place {
    voice: Some(Voice::Result),
    ..file("the result of another program's tool", &[], &[("mcp.tides.forecast", r#"{"place":"Brest"}"#)])
};
pub const TRUSTED_TOOL: Place = Place {
    voice: Some(Voice::Result),
    trusted: true,
    ..file("the result of a tool that the person trusts", &[], &[("mcp.tides.forecast", r#"{"place":"Brest"}"#)])
};
pub const TOOL_ERROR: Place = Place {
    voice: Some(Voice::Error),
    ..file("the failure of another program's tool", &[], &[("mcp.tides.soundings", r#"{"place":"Brest"}"#)])
};
pub const DESCRIPTION: Place = Place {
    voice: Some(Voice::Description),
    ..file(
        "what another program's tool says of itself",
        &[],
        &[("catalog.describe", r#"{"name":"mcp.tides.forecast"}"#)],
    )
};
pub const ARGUMENT: Place = Place {
    voice: Some(Voice::Argument),
    ..file(
        "what another program's tool says of its arguments",
        &[],
        &[("catalog.describe", r#"{"name":"mcp.tides.forecast"}"#)],
    )
};
pub const FOUND_TOOL: Place = Place {
    voice: Some(Voice::Description),
    ..file("the answer of a search for tools", &[], &[("catalog.search", r#"{"query":"tides forecast"}"#)])
};
pub const INSTEAD: Place = Place {
    voice: Some(Voice::Instead),
    ..file("what a server says in place of its tools", &[], &[("mcp.reconnect", r#"{"name":"tides"}"#)])
};
pub const LAST_WORDS: Place = Place {
    voice: Some(Voice::LastWords),
    ..file("what a server says before it ends", &[], &[("mcp.reconnect", r#"{"name":"tides"}"#)])
};
pub const WRITTEN: Place = Place {
    hop: &[("doc.create", r#"{"path":"notes/todo.md","text":"$\n"}"#)],
    ..file(
        "a note that was written after reading a log",
        &[("main.log", "x\n")],
        &[("doc.read", r#"{"path":"notes/todo.md"}"#)],
    )
};
pub const EDITED: Place = Place {
    hop: &[("doc.edit", r#"{"path":"old.md","edits":[{"start":1,"end":1,"old":"old","new":"$"}]}"#)],
    ..file(
        "the person's file, edited after reading a log",
        &[("main.log", "x\n")],
        &[("doc.read", r#"{"path":"old.md"}"#)],
    )
};
pub const MOVED: Place = Place {
    hop: &[("doc.create", r#"{"path":"a.md","text":"$"}"#), ("file.move", r#"{"from":"a.md","to":"sub/b.md"}"#)],
    ..file("a note that was moved on", &[("main.log", "x\n")], &[("doc.read", r#"{"path":"sub/b.md"}"#)])
};
pub const COPIED: Place = Place {
    hop: &[("doc.create", r#"{"path":"set/a.md","text":"$"}"#), ("file.copy", r#"{"from":"set","to":"set2"}"#)],
    ..file("a folder that was copied on", &[("main.log", "x\n")], &[("doc.read", r#"{"path":"set2/a.md"}"#)])
};
pub const NAMED: Place = Place {
    hop: &[("file.create", r#"{"path":"$","folder":true}"#)],
    ..file("the name of a folder that was made after reading a log", &[("main.log", "x\n")], &[("file.list", "{}")])
};
pub const COMMAND_WROTE: Place = Place {
    hop: &[("shell.run", r#"{"command":"sort a.txt > out/sorted.md"}"#)],
    ..file(
        "a file that a command wrote after a log was read",
        &[("main.log", "x\n"), ("a.txt", "@\n"), ("out/a.txt", "x\n")],
        &[("doc.read", r#"{"path":"out/sorted.md"}"#)],
    )
};
pub const RECIPE: Place = Place {
    hop: &[(
        "task.plan",
        r#"{"goal":"Write a note","steps":[{"action_type":"doc.create","args":{"path":"planned.md","text":"$"}}]}"#,
    )],
    after: After::Recipe,
    ..file(
        "what a recipe writes that was made after reading a log",
        &[("main.log", "x\n")],
        &[("doc.read", r#"{"path":"notes/from-recipe.md"}"#)],
    )
};
pub const TASK_TITLE: Place = Place {
    hop: &[(
        "task.plan",
        r#"{"goal":"$","steps":[{"action_type":"doc.create","args":{"path":"planned.md","text":"x"}}]}"#,
    )],
    after: After::Exports,
    ..file("the title of a task", &[("main.log", "x\n")], &[("doc.read", r#"{"path":"tasks.jsonl"}"#)])
};
pub const RECIPE_LIST: Place = Place {
    hop: &[(
        "task.plan",
        r#"{"goal":"Write a note","steps":[{"action_type":"doc.create","args":{"path":"planned.md","text":"$"}}]}"#,
    )],
    after: After::Exports,
    ..file("the text in a recipe", &[("main.log", "x\n")], &[("doc.read", r#"{"path":"recipes.jsonl"}"#)])
};
pub const RECIPE_PARAMETER: Place = Place {
    hop: &[(
        "task.plan",
        r#"{"goal":"Make a folder","steps":[{"action_type":"file.create","args":{"path":"$","folder":true}}]}"#,
    )],
    after: After::Exports,
    ..file("a parameter of a recipe", &[("main.log", "x\n")], &[("doc.read", r#"{"path":"recipes.jsonl"}"#)])
};
pub const AUDIT: Place = Place {
    hop: &[("doc.create", r#"{"path":"kept.md","text":"$"}"#)],
    after: After::Exports,
    ..file("a record of the audit", &[("main.log", "x\n")], &[("file.read", r#"{"path":"audit.jsonl"}"#)])
};
pub const OWN_NOTE: Place = Place {
    outside: false,
    ..file("a note of the workspace", &[("notes.md", "@")], &[("doc.read", r#"{"path":"notes.md"}"#)])
};
pub const OWN_CODE: Place = Place {
    outside: false,
    ..file("a comment in the workspace's code", &[("a.py", "# @\n")], &[("doc.read", r#"{"path":"a.py"}"#)])
};
pub const AGENTS_READ: Place =
    file("an AGENTS.md that is read", &[("AGENTS.md", "@")], &[("doc.read", r#"{"path":"AGENTS.md"}"#)]);
/// It goes along as standing instructions; nothing reads it.
pub const AGENTS: Place = file("the AGENTS.md of a cloned workspace", &[("AGENTS.md", "# How to work here\n@\n")], &[]);
pub const AGENTS_NEAR: Place = Place {
    focus: "sub/part.tex",
    ..file("the AGENTS.md beside the document", &[("sub/AGENTS.md", "@\n"), ("sub/part.tex", "x\n")], &[])
};
pub const OWN_IGNORE: Place = Place {
    outside: false,
    ..file("the workspace's .gitignore", &[(".gitignore", "# @\n")], &[("doc.read", r#"{"path":".gitignore"}"#)])
};
pub const CLEAN_NOTEBOOK: Place = Place {
    outside: false,
    ..file(
        "a cell of a notebook that was not run",
        &[("run.ipynb", r#"{"cells": [{"cell_type": "code", "source": "x # $", "metadata": {}, "outputs": []}]}"#)],
        &[("doc.read", r#"{"path":"run.ipynb"}"#)],
    )
};
