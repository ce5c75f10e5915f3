//! What a call is about, from its parsed arguments: files, with what is done to them, and the line of a shell.

use serde::Deserialize;

use crate::{
    lenient::{Content, Text},
    record::{Mode, Touch},
};

/// The arguments that tell of files and commands, in the words of all programs.
#[derive(Debug, Default, Deserialize)]
pub struct Input<'a> {
    #[serde(
        borrow,
        default,
        alias = "filePath",
        alias = "absolute_path",
        alias = "target_file",
        alias = "filename",
        alias = "filepath"
    )]
    file_path: Text<'a>,
    #[serde(borrow, default)]
    notebook_path: Text<'a>,
    #[serde(borrow, default, alias = "relative_workspace_path")]
    path: Text<'a>,
    #[serde(borrow, default, alias = "cmd")]
    command: Content<'a, Text<'a>>,
    #[serde(borrow, default, alias = "patch", alias = "patchText")]
    input: Text<'a>,
    #[serde(borrow, default, alias = "cwd")]
    workdir: Text<'a>,
}

impl Input<'_> {
    /// The line of a shell, if the call is one. A list is joined, but for `bash -lc LINE`, which is the line.
    pub fn command(&self) -> Option<String> {
        match &self.command {
            Content::Text(line) => (!line.is_empty()).then(|| line.clone().into_owned()),
            Content::Blocks(words) => match &words[..] {
                [] => None,
                [_, flag, line] if matches!(flag.0.as_ref(), "-c" | "-lc") => Some(line.0.clone().into_owned()),
                words => Some(words.iter().map(|word| word.0.as_ref()).collect::<Vec<_>>().join(" ")),
            },
        }
    }

    /// The files that a call with this name is about.
    pub fn touches(&self, name: &str, workspace: Option<&str>) -> Vec<Touch> {
        let workspace = self.workdir.get().or(workspace);
        let Some(mode) = mode_of(name) else {
            let is_patch = is_patch(name);
            return self.patch().filter(|_| is_patch).map_or_else(Vec::new, |patch| patched(patch, workspace));
        };
        let named = self.file_path.get().or(self.notebook_path.get()).or(self.path.get());
        named.map(|path| Touch { path: absolute(path, workspace), mode }).into_iter().collect()
    }

    fn patch(&self) -> Option<&str> {
        match &self.command {
            // `["apply_patch", "*** Begin Patch…"]`
            Content::Blocks(words) if words.len() == 2 => words.get(1).and_then(Text::get),
            _ => self.input.get(),
        }
    }
}

fn is_patch(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    matches!(lower.as_str(), "apply_patch" | "applypatch" | "patch" | "shell")
}

/// What a call of this name does to the file that it names; none where it names none, or where that is no file.
fn mode_of(name: &str) -> Option<Mode> {
    // `functions.read_file`, `developer__text_editor`
    let name = name.rsplit(['.', ':']).next().unwrap_or(name);
    let lower = name.to_ascii_lowercase().replace('-', "_");
    Some(match lower.as_str() {
        "read" | "readfile" | "read_file" | "readfiles" | "view" | "view_file" | "notebookread" | "open_file"
        | "read_file_v2" => Mode::Read,
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
        | "str_replace_editor"
        | "insert"
        | "insert_content"
        | "apply_diff"
        | "newfilecreated"
        | "editedexistingfile"
        | "editednewfile"
        | "text_editor"
        | "developer__text_editor"
        | "edit_existing_file"
        | "create_new_file"
        | "single_find_and_replace"
        | "edit_file_v2"
        | "save_file"
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
        assert_eq!(touches("Grep", r#"{"path":"/a","pattern":"x"}"#), []);
        assert_eq!(touches("Read", r#"{"file_path":null}"#), []);
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
    }

    #[test]
    fn the_line_of_a_shell_is_taken_out_of_its_list() {
        let command = |input: &str| serde_json::from_str::<Input>(input).unwrap().command();
        assert_eq!(command(r#"{"command":"ls -la"}"#).as_deref(), Some("ls -la"));
        assert_eq!(command(r#"{"command":["bash","-lc","cargo test | head"]}"#).as_deref(), Some("cargo test | head"));
        assert_eq!(command(r#"{"command":["git","status"]}"#).as_deref(), Some("git status"));
        assert_eq!(command(r#"{"cmd":"pwd"}"#).as_deref(), Some("pwd"));
        assert_eq!(command(r#"{"command":null}"#), None);
    }
}
