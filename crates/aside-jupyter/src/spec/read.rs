//! Reads `kernel.json`. What is wrong in it is said; only without a command is a kernel left out.

use std::{collections::BTreeMap, path::Path};

use serde_json::{Map, Value};

use super::{InterruptMode, KernelSpec};

/// What could be read, and what is wrong.
#[derive(Debug, Default)]
pub(crate) struct Read {
    pub spec: Option<KernelSpec>,
    pub problems: Vec<String>,
}

/// Reads the text of a file in `folder`.
pub(crate) fn read(bytes: &[u8], folder: &Path, prefix: Option<&Path>) -> Read {
    let mut read = Read::default();
    match serde_json::from_slice::<Value>(bytes) {
        Err(error) => read.problems.push(format!("not JSON: {error}")),
        Ok(Value::Object(members)) => read.spec = spec(&members, folder, prefix, &mut read.problems),
        Ok(_) => read.problems.push("it is not a JSON object".to_owned()),
    }
    read
}

fn spec(
    members: &Map<String, Value>,
    folder: &Path,
    prefix: Option<&Path>,
    problems: &mut Vec<String>,
) -> Option<KernelSpec> {
    let Some(argv) = argv(members) else {
        problems.push("`argv` must be a list of a program and its arguments".to_owned());
        return None;
    };
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Some(KernelSpec {
        display_name: text(members, "display_name", problems).unwrap_or(name),
        language: text(members, "language", problems).unwrap_or_default(),
        argv,
        environment: environment(members, problems),
        interrupt_mode: interrupt_mode(members, problems),
        resource_folder: folder.to_owned(),
        prefix: prefix.map(Path::to_owned),
    })
}

fn argv(members: &Map<String, Value>) -> Option<Vec<String>> {
    let words = members.get("argv")?.as_array().filter(|words| !words.is_empty())?;
    let argv: Option<Vec<String>> = words.iter().map(|word| word.as_str().map(str::to_owned)).collect();
    argv.filter(|argv| !argv[0].is_empty() && argv.iter().all(|word| !word.contains('\0')))
}

fn text(members: &Map<String, Value>, name: &str, problems: &mut Vec<String>) -> Option<String> {
    let value = members.get(name)?;
    let found = value.as_str().map(str::to_owned);
    if found.is_none() {
        problems.push(format!("`{name}` is not text"));
    }
    found
}

fn environment(members: &Map<String, Value>, problems: &mut Vec<String>) -> BTreeMap<String, String> {
    let Some(value) = members.get("env").filter(|value| !value.is_null()) else { return BTreeMap::new() };
    let Some(variables) = value.as_object() else {
        problems.push("`env` is not an object".to_owned());
        return BTreeMap::new();
    };
    let mut environment = BTreeMap::new();
    for (name, value) in variables {
        match value.as_str().filter(|value| !value.contains('\0') && !name.is_empty() && !name.contains(['=', '\0'])) {
            Some(value) => drop(environment.insert(name.clone(), value.to_owned())),
            None => problems.push(format!("`env` sets `{}`, which can't be a variable's", name.escape_debug())),
        }
    }
    environment
}

fn interrupt_mode(members: &Map<String, Value>, problems: &mut Vec<String>) -> InterruptMode {
    match members.get("interrupt_mode").map(Value::as_str) {
        None | Some(Some("signal")) => InterruptMode::Signal,
        Some(Some("message")) => InterruptMode::Message,
        Some(_) => {
            problems.push("`interrupt_mode` is neither `signal` nor `message`; `signal` is used".to_owned());
            InterruptMode::Signal
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Read {
        read(text.as_bytes(), Path::new("/k/calc"), None)
    }

    #[test]
    fn a_whole_description_is_read() {
        let read = of(r#"{"argv": ["calc", "{connection_file}"], "display_name": "Calc", "language": "calc",
            "interrupt_mode": "message", "env": {"A": "${B}"}, "metadata": {"debugger": true}}"#);
        let spec = read.spec.unwrap();
        assert_eq!((spec.display_name.as_str(), spec.language.as_str()), ("Calc", "calc"));
        assert_eq!(spec.interrupt_mode, InterruptMode::Message);
        assert_eq!(spec.environment, BTreeMap::from([("A".to_owned(), "${B}".to_owned())]));
        assert!(read.problems.is_empty());
    }

    #[test]
    fn without_a_command_there_is_no_kernel() {
        for wrong in [
            "",
            "[]",
            "{}",
            r#"{"argv": []}"#,
            r#"{"argv": [""]}"#,
            r#"{"argv": "calc"}"#,
            r#"{"argv": ["a", 1]}"#,
            r#"{"argv": ["a\u0000"]}"#,
        ] {
            let read = of(wrong);
            assert!(read.spec.is_none() && read.problems.len() == 1, "{wrong}: {read:?}");
        }
        assert!(of("{\n \"argv\": [}").problems[0].contains("line 2"), "says where");
    }

    #[test]
    fn what_else_is_wrong_is_said_and_left_out() {
        let read = of(r#"{"argv": ["calc"], "display_name": 1, "interrupt_mode": 2, "env": {"A=": "x", "B": 1}}"#);
        assert_eq!(read.problems.len(), 4, "{:?}", read.problems);
        let spec = read.spec.unwrap();
        assert_eq!((spec.display_name.as_str(), spec.environment.len()), ("calc", 0));
    }
}
