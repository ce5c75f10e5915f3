//! What a call is about, from its parsed arguments: files, with what is done to them, and the line of a shell.

mod edited;
mod shell;

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, Visitor},
};

use crate::{
    lenient::{Content, Object, Text},
    record::{Mode, Touch},
};
use edited::Pair;
pub use edited::{of_lines, of_patch};
pub use shell::{PATCH, heredoc};

/// The arguments that tell of files and commands, in the words of all programs. Of several words for the same thing the first that says
/// something counts.
#[derive(Debug, Default)]
pub struct Input<'a> {
    file_path: Text<'a>,
    notebook_path: Text<'a>,
    path: Text<'a>,
    command: Content<'a, Text<'a>>,
    input: Text<'a>,
    workdir: Text<'a>,
    pair: Pair<'a>,
    edits: Content<'a, Object<Pair<'a>>>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Input<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Wanted;
        impl<'de> Visitor<'de> for Wanted {
            type Value = Input<'de>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("the arguments of a call")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Input<'de>, A::Error> {
                let mut input = Input::default();
                while let Some(name) = map.next_key::<Text<'de>>()? {
                    let text = match name.0.as_ref() {
                        "file_path" | "filePath" | "absolute_path" | "target_file" | "filename" | "filepath" => {
                            &mut input.file_path
                        }
                        "notebook_path" => &mut input.notebook_path,
                        "path" | "relative_workspace_path" => &mut input.path,
                        "input" | "patch" | "patchText" => &mut input.input,
                        "workdir" | "working_directory" | "cwd" => &mut input.workdir,
                        "command" | "cmd" => {
                            let command = map.next_value()?;
                            if input.line().is_none() {
                                input.command = command;
                            }
                            continue;
                        }
                        "edits" => {
                            input.edits = map.next_value()?;
                            continue;
                        }
                        name => match input.pair.slot(name) {
                            Some(slot) => slot,
                            None => {
                                map.next_value::<IgnoredAny>()?;
                                continue;
                            }
                        },
                    };
                    let told = map.next_value()?;
                    if text.get().is_none() {
                        *text = told;
                    }
                }
                Ok(input)
            }
        }
        deserializer.deserialize_map(Wanted)
    }
}

impl Input<'_> {
    /// The line of a shell, if a call with this name is one: an editor is told by a word what to do.
    pub fn command(&self, name: &str) -> Option<String> {
        if is_editor(&plain(name)) { None } else { self.line().map(Cow::into_owned) }
    }

    fn line(&self) -> Option<Cow<'_, str>> {
        line_of(&self.command)
    }

    /// What was replaced by what, in one number: that of the same change backwards is the same below zero.
    pub fn edited(&self) -> Option<i64> {
        let several: &[Object<Pair<'_>>] = match &self.edits {
            Content::Blocks(edits) => edits,
            Content::Text(_) => &[],
        };
        let pairs = || several.iter().map(|pair| &pair.0).chain([&self.pair]).map(Pair::change);
        let bare = || self.patch().filter(|text| text.starts_with(PATCH)).map(of_patch);
        let line = || self.line().and_then(|line| heredoc(&line).map(|(_, patch)| of_patch(patch)));
        let patch = || bare().or_else(line).unwrap_or(0);
        let sum = pairs().fold(patch(), i64::wrapping_add);
        Some(sum).filter(|sum| !matches!(*sum, 0 | i64::MIN))
    }

    /// The files that a call with this name is about.
    pub fn touches(&self, name: &str, workspace: Option<&str>) -> Vec<Touch> {
        let workspace = self.workdir.get().or(workspace);
        let name = plain(name);
        let Some(mode) = mode_of(&name) else { return self.patched(&name, workspace) };
        let only_looks = is_editor(&name) && self.line().is_some_and(|word| word == "view");
        let mode = if only_looks { Mode::Read } else { mode };
        let named = self.file_path.get().or(self.notebook_path.get()).or(self.path.get());
        named.map(|path| Touch { path: absolute(path, workspace), mode }).into_iter().collect()
    }

    /// The files of a patch, which may stand in the line of a shell.
    fn patched(&self, name: &str, workspace: Option<&str>) -> Vec<Touch> {
        if let Some((folder, patch)) = self.line().as_deref().and_then(heredoc) {
            let folder = folder.map(|folder| absolute(folder, workspace));
            return patched(patch, folder.as_deref().or(workspace));
        }
        self.patch().filter(|_| is_patch(name)).map_or_else(Vec::new, |patch| patched(patch, workspace))
    }

    fn patch(&self) -> Option<&str> {
        match &self.command {
            // `["apply_patch", "*** Begin Patch…"]`
            Content::Blocks(words) if words.len() == 2 => words.get(1).and_then(Text::get),
            _ => self.input.get(),
        }
    }
}

/// The line of a shell: a list is joined, but for `bash -lc LINE`, which is the line.
pub fn line_of<'c>(command: &'c Content<'_, Text<'_>>) -> Option<Cow<'c, str>> {
    match command {
        Content::Text(line) => (!line.is_empty()).then_some(Cow::Borrowed(line.as_ref())),
        Content::Blocks(words) => match &words[..] {
            [] => None,
            [_, flag, line] if matches!(flag.0.as_ref(), "-c" | "-lc") => Some(Cow::Borrowed(line.0.as_ref())),
            words => Some(Cow::Owned(words.iter().map(|word| word.0.as_ref()).collect::<Vec<_>>().join(" "))),
        },
    }
}

/// A name as it is compared: `functions.read_file` is `read_file`.
fn plain(name: &str) -> String {
    name.rsplit(['.', ':']).next().unwrap_or(name).to_ascii_lowercase().replace('-', "_")
}

fn is_patch(name: &str) -> bool {
    matches!(name, "apply_patch" | "applypatch" | "patch" | "shell")
}

/// Tells whether a tool looks at files and changes them, as its argument `command` says.
fn is_editor(name: &str) -> bool {
    matches!(name, "str_replace_editor" | "str_replace_based_edit_tool" | "text_editor" | "developer__text_editor")
}

/// What a call of this name does to the file that it names; none where it names none, or where that is no file.
fn mode_of(name: &str) -> Option<Mode> {
    if is_editor(name) {
        return Some(Mode::Write);
    }
    Some(match name {
        "read" | "readfile" | "read_file" | "readfiles" | "view" | "view_file" | "notebookread" | "open_file"
        | "read_file_v2" | "read_files" => Mode::Read,
        "edit"
        | "multiedit"
        | "multi_edit"
        | "write"
        | "notebookedit"
        | "notebook_edit"
        | "write_file"
        | "writefile"
        | "write_to_file"
        | "edit_file"
        | "editfile"
        | "replace"
        | "replace_in_file"
        | "search_replace"
        | "create"
        | "create_file"
        | "str_replace"
        | "strreplace"
        | "strreplacefile"
        | "insert"
        | "insert_content"
        | "apply_diff"
        | "newfilecreated"
        | "editedexistingfile"
        | "editednewfile"
        | "edit_existing_file"
        | "create_new_file"
        | "single_find_and_replace"
        | "edit_file_v2"
        | "save_file"
        | "editor"
        | "taken_back" => Mode::Write,
        "delete_file" | "deletefile" | "delete" => Mode::Delete,
        _ => return None,
    })
}

/// The files that a patch in the form of `apply_patch` names.
pub fn patched(patch: &str, workspace: Option<&str>) -> Vec<Touch> {
    let marks = [
        ("*** Add File: ", Mode::Write),
        ("*** Update File: ", Mode::Write),
        ("*** Move to: ", Mode::Write),
        ("*** Delete File: ", Mode::Delete),
    ];
    let touch = |line: &str| {
        let (path, mode) = marks.iter().find_map(|(mark, mode)| Some((line.strip_prefix(mark)?, *mode)))?;
        Some(Touch { path: absolute(path.trim(), workspace), mode })
    };
    let mut touches: Vec<Touch> = patch.lines().filter_map(touch).collect();
    touches.sort_by(|one, two| one.path.cmp(&two.path));
    touches.dedup();
    touches
}

/// The path from the root, without `.` and `..`, as far as it can be told without asking the disk.
pub fn absolute(path: &str, workspace: Option<&str>) -> String {
    let path = path.strip_prefix("file://").unwrap_or(path).replace('\\', "/");
    let drive = path.as_bytes().get(1) == Some(&b':');
    let whole = match workspace {
        Some(workspace) if !path.starts_with(['/', '~']) && !drive => {
            format!("{}/{path}", workspace.replace('\\', "/").trim_end_matches('/'))
        }
        _ => path,
    };
    if !whole.contains("/.") && !whole.contains("//") {
        return whole;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if whole.starts_with('/') { format!("/{joined}") } else { joined }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touches(name: &str, input: &str) -> Vec<(Mode, String)> {
        let input: Input = serde_json::from_str(input).unwrap();
        input.touches(name, Some("/home/me/work")).into_iter().map(|touch| (touch.mode, touch.path)).collect()
    }

    #[test]
    fn files_are_found_in_the_arguments_of_every_program() {
        let file = |mode, path: &str| vec![(mode, path.to_owned())];
        assert_eq!(touches("Read", r#"{"file_path":"/a/b.rs","limit":3}"#), file(Mode::Read, "/a/b.rs"));
        assert_eq!(
            touches("NotebookEdit", r#"{"notebook_path":"n.ipynb"}"#),
            file(Mode::Write, "/home/me/work/n.ipynb")
        );
        assert_eq!(touches("read_file", r#"{"absolute_path":"/a/../b"}"#), file(Mode::Read, "/b"));
        assert_eq!(touches("write_to_file", r#"{"path":"./src/x"}"#), file(Mode::Write, "/home/me/work/src/x"));
        assert_eq!(touches("edit", r#"{"filePath":"C:\\x\\y"}"#), file(Mode::Write, "C:/x/y"));
        assert_eq!(touches("Read", r#"{"filename":"","file_path":"/a","filepath":"/b"}"#), file(Mode::Read, "/a"));
        assert_eq!(touches("Grep", r#"{"path":"/a","pattern":"x"}"#), []);
        assert_eq!(touches("Read", r#"{"file_path":null}"#), []);
    }

    #[test]
    fn a_change_backwards_has_its_number_below_zero() {
        let edited = |input: serde_json::Value| serde_json::from_str::<Input>(&input.to_string()).unwrap().edited();
        let json =
            |old: &str, new: &str| serde_json::json!({ "file_path": "/a", "old_string": old, "new_string": new });
        let there = edited(json("a\n", "b\n")).unwrap();
        assert_eq!(edited(json("b\n", "a\n")), Some(-there));
        assert_ne!(edited(json("b\n", "c\n")), Some(-there));
        assert_eq!(edited(json("a", "a")), None);
        assert_eq!(edited(serde_json::json!({ "file_path": "/a", "content": "x" })), None);
        let several =
            serde_json::json!({ "edits": [{ "oldText": "b\n", "newText": "a\n" }, { "search": "x", "replace": "y" }] });
        assert_ne!(edited(several), None);
        let patch = |old: &str, new: &str| {
            edited(
                serde_json::json!({ "input": format!("*** Begin Patch\n*** Update File: a\n@@\n c\n-{old}\n+{new}\n*** End Patch") }),
            )
        };
        assert_eq!(patch("x", "y").map(|change| -change), patch("y", "x"));
    }

    #[test]
    fn a_patch_names_its_files() {
        let patch = "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-*** Delete File: no\n*** Add File: b\n+x\n*** Delete File: /c\n*** End Patch";
        let input = serde_json::json!({ "input": patch }).to_string();
        let expected = [
            (Mode::Delete, "/c".to_owned()),
            (Mode::Write, "/home/me/work/b".to_owned()),
            (Mode::Write, "/home/me/work/src/a.rs".to_owned()),
        ];
        assert_eq!(touches("apply_patch", &input), expected);
        let words = serde_json::json!({ "command": ["apply_patch", patch] }).to_string();
        assert_eq!(touches("shell", &words), expected);
        let line = format!("apply_patch <<'EOF'\n{patch}\nEOF\n");
        let told = |name: &str, arguments: serde_json::Value| touches(name, &arguments.to_string());
        assert_eq!(told("shell", serde_json::json!({ "command": ["bash", "-lc", line] })), expected);
        assert_eq!(told("exec_command", serde_json::json!({ "cmd": line, "workdir": "/home/me/work" })), expected);
        let below = told("Bash", serde_json::json!({ "command": format!("cd src && {line}") }));
        assert_eq!(below[1], (Mode::Write, "/home/me/work/src/b".to_owned()));
        assert_eq!(told("shell", serde_json::json!({ "command": "cat x.patch" })), []);
    }

    #[test]
    fn an_editor_that_looks_changes_nothing_and_is_no_shell() {
        let input = |command: &str| serde_json::json!({ "command": command, "path": "/a" }).to_string();
        for name in ["str_replace_editor", "developer__text_editor", "str_replace_based_edit_tool"] {
            assert_eq!(touches(name, &input("view")), [(Mode::Read, "/a".to_owned())]);
            assert_eq!(touches(name, &input("str_replace")), [(Mode::Write, "/a".to_owned())]);
            assert_eq!(serde_json::from_str::<Input>(&input("view")).unwrap().command(name), None);
        }
    }

    #[test]
    fn the_line_of_a_shell_is_taken_out_of_its_list() {
        let command = |input: &str| serde_json::from_str::<Input>(input).unwrap().command("shell");
        assert_eq!(command(r#"{"command":"ls -la"}"#).as_deref(), Some("ls -la"));
        assert_eq!(command(r#"{"command":["bash","-lc","cargo test | head"]}"#).as_deref(), Some("cargo test | head"));
        assert_eq!(command(r#"{"command":["git","status"]}"#).as_deref(), Some("git status"));
        assert_eq!(command(r#"{"cmd":"pwd"}"#).as_deref(), Some("pwd"));
        assert_eq!(command(r#"{"command":null}"#), None);
        assert_eq!(command(r#"{"command":[],"cmd":"ls","cwd":"/a","workdir":"/b"}"#).as_deref(), Some("ls"));
    }
}
