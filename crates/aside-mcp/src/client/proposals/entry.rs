//! One entry of a file, in our words: what it names is taken over, what only other programs fill in is said.

use std::{collections::BTreeMap, path::Path};

use aside_core::McpLaunch;
use serde_json::{Map, Value};

use crate::client::{launch, words::fit_line};

/// Characters of what is quoted from the file.
const LONGEST_QUOTE: usize = 60;

/// What came of an entry.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Entry {
    pub(super) launch: Option<McpLaunch>,
    pub(super) problems: Vec<String>,
}

impl Entry {
    /// Reads an entry of a file in `folder`, in which the server would run.
    pub(super) fn read(given: &str, value: &Value, folder: &Path) -> Self {
        let mut entry = Self::default();
        entry.launch = match entry.launch(given, value, folder) {
            Ok(launch) => Some(launch),
            Err(problem) => {
                entry.problems.push(problem);
                None
            }
        };
        entry
    }

    fn launch(&mut self, given: &str, value: &Value, folder: &Path) -> Result<McpLaunch, String> {
        let fields = value.as_object().ok_or("it is not an object")?;
        match fields.get("type").and_then(Value::as_str) {
            None | Some("stdio" | "http" | "streamable-http" | "streamableHttp") => {}
            Some(other) => return Err(format!("its transport `{}` is not supported", quoted(other))),
        }
        match (fields.get("command"), fields.get("url")) {
            (Some(command), _) => self.program(command, fields, folder),
            (None, Some(url)) => self.http(given, url, fields, folder),
            (None, None) => Err("it has neither a program nor an address".to_owned()),
        }
    }

    fn program(&mut self, command: &Value, fields: &Map<String, Value>, folder: &Path) -> Result<McpLaunch, String> {
        let mut argv = vec![program_path(&filled(command, folder)?, folder)];
        for argument in fields.get("args").and_then(Value::as_array).into_iter().flatten() {
            argv.push(filled(argument, folder)?);
        }
        let cwd = fields.get("cwd").map(|cwd| filled(cwd, folder)).transpose()?;
        let cwd = cwd.map_or_else(|| folder.to_owned(), |cwd| folder.join(cwd)).display().to_string();
        let (mut environment, mut inherit) = (BTreeMap::new(), Vec::new());
        for (name, value) in objects(fields, "env") {
            match self.variable(name, value, folder) {
                Some(value) => _ = environment.insert(name.clone(), value),
                None => inherit.push(name.clone()),
            }
        }
        Ok(McpLaunch::Program { argv, cwd: Some(cwd), environment, inherit })
    }

    /// The open value of a variable; none if its value has to come from the person.
    fn variable(&mut self, name: &str, value: &Value, folder: &Path) -> Option<String> {
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        if placeholder(&text) == Some(name) {
            return None;
        }
        let open = filled(&Value::String(text), folder).ok();
        let open = open.filter(|text| launch::check_open_value(name, text).is_ok());
        if open.is_none() {
            let name = quoted(name);
            self.problems.push(format!(
                "the value of `{name}` in the file is not used: set it in Aside's environment or secrets file"
            ));
        }
        open
    }

    fn http(
        &mut self,
        given: &str,
        url: &Value,
        fields: &Map<String, Value>,
        folder: &Path,
    ) -> Result<McpLaunch, String> {
        let url = filled(url, folder)?;
        let mut headers = BTreeMap::new();
        for (header, value) in objects(fields, "headers") {
            let named = value.as_str().and_then(placeholder).map(str::to_owned);
            let variable = named.unwrap_or_else(|| {
                let variable = variable_name(given, header);
                self.problems.push(format!(
                    "the header `{}` is not used: its whole value must be in the variable {variable}",
                    quoted(header)
                ));
                variable
            });
            headers.insert(header.clone(), variable);
        }
        Ok(McpLaunch::Http { url, headers })
    }
}

fn objects<'a>(fields: &'a Map<String, Value>, key: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    fields.get(key).and_then(Value::as_object).into_iter().flatten()
}

/// A text with the one placeholder filled in that is the same for everybody.
fn filled(value: &Value, folder: &Path) -> Result<String, String> {
    let text = value.as_str().ok_or_else(|| format!("`{}` is not a text", quoted(&value.to_string())))?;
    let text = text.replace("${workspaceFolder}", &folder.display().to_string());
    match text.contains("${") {
        true => Err(format!("`{}` is a placeholder of other programs, which Aside does not support", quoted(&text))),
        false => Ok(text),
    }
}

/// The variable of `${NAME}` or `${env:NAME}`, if a text is nothing else.
fn placeholder(text: &str) -> Option<&str> {
    let name = text.strip_prefix("${")?.strip_suffix('}')?;
    let name = name.strip_prefix("env:").unwrap_or(name);
    Some(name).filter(|name| launch::check_variable(name).is_ok())
}

/// A program of the folder by its whole path; another one stays as it is.
fn program_path(command: &str, folder: &Path) -> String {
    match command.contains('/') {
        true => folder.join(command).display().to_string(),
        false => command.to_owned(),
    }
}

/// `github` and `Authorization` make `GITHUB_AUTHORIZATION`.
fn variable_name(given: &str, header: &str) -> String {
    let word = |text: &str| {
        let letters = text.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' });
        letters.take(LONGEST_QUOTE).collect::<String>().to_ascii_uppercase()
    };
    let name = format!("{}_{}", word(given), word(header));
    if name.starts_with(|first: char| first.is_ascii_digit()) { format!("_{name}") } else { name }
}

fn quoted(text: &str) -> String {
    fit_line(text, LONGEST_QUOTE)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn read(value: Value) -> Entry {
        Entry::read("git hub", &value, Path::new("/w"))
    }

    #[test]
    fn a_program_runs_in_the_folder_with_what_the_file_names() {
        let entry = read(json!({
            "command": "./tools/serve", "args": ["--root", "${workspaceFolder}/data"],
            "env": { "MODE": "ro", "N": 5, "API_KEY": "${API_KEY}", "HOST": "${env:HOST}" },
        }));
        assert_eq!(entry.problems, Vec::<String>::new());
        let launch = serde_json::to_value(entry.launch).unwrap();
        assert_eq!(
            launch,
            json!({
                "kind": "program", "argv": ["/w/./tools/serve", "--root", "/w/data"], "cwd": "/w",
                "environment": { "MODE": "ro", "N": "5" }, "inherit": ["API_KEY", "HOST"],
            })
        );
    }

    #[test]
    fn a_secret_in_the_file_is_not_taken_over_nor_told() {
        let entry = read(json!({ "command": "x", "env": { "API_TOKEN": "s3cret", "B": "${input:b}" } }));
        let told = format!("{entry:?}");
        assert!(!told.contains("s3cret") && entry.problems.len() == 2, "{told}");
        let Some(McpLaunch::Program { inherit, .. }) = entry.launch else { panic!() };
        assert_eq!(inherit, ["API_TOKEN", "B"]);
        let entry = read(
            json!({ "type": "http", "url": "https://x", "headers": { "Authorization": "Bearer s3cret", "X-Key": "${KEY}" } }),
        );
        assert!(!format!("{entry:?}").contains("s3cret"));
        let Some(McpLaunch::Http { headers, .. }) = entry.launch else { panic!() };
        assert_eq!((headers["Authorization"].as_str(), headers["X-Key"].as_str()), ("GIT_HUB_AUTHORIZATION", "KEY"));
    }

    #[test]
    fn what_is_filled_in_elsewhere_is_said_and_not_guessed() {
        for value in [
            json!({ "command": "x", "args": ["${input:path}"] }),
            json!({ "command": "x", "args": [5] }),
            json!({ "type": "sse", "url": "https://x" }),
            json!({ "url": 5 }),
            json!({}),
            json!("npx"),
        ] {
            let entry = read(value.clone());
            assert!(entry.launch.is_none() && entry.problems.len() == 1, "{value}");
        }
    }

    proptest! {
        #[test]
        fn any_entry_is_read(given in ".{0,90}", text in ".{0,90}", key in "type|command|args|env|cwd|url|headers") {
            for value in [json!(text), json!([text]), json!({ text.clone(): text }), json!({ given.clone(): null })] {
                let entry = Entry::read(&given, &json!({ "command": "x", key.clone(): value }), Path::new("/w"));
                prop_assert!(entry.launch.is_some() || !entry.problems.is_empty());
            }
        }
    }
}
