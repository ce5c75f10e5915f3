//! `aside doctor` on machines that are made up: what is there is said, and what to do about the rest.
#![expect(clippy::disallowed_methods, reason = "puts programs and files where the command looks")]

use std::{fs, os::unix::fs::PermissionsExt as _, process::Command};

use serde_json::{Value, json};

use crate::common::{Workspace, code, stdout};

const CANARY: &str = "sk-canary-of-the-doctor";

/// A machine with these programs and nothing else; each says what its text says.
fn machine(programs: &[(&str, &str)]) -> (Workspace, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in programs {
        let path = folder.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
    }
    (Workspace::new(), folder)
}

fn command(workspace: &Workspace, programs: &tempfile::TempDir, args: &[&str]) -> Command {
    let mut command = workspace.command(args);
    command.env("PATH", programs.path());
    command
}

/// The state and the words of each thing that was looked at.
fn checks(command: &mut Command) -> (i32, Vec<Value>) {
    let output = command.arg("--json").output().unwrap();
    let text = stdout(&output);
    assert!(!text.contains(CANARY), "{text}");
    (code(&output), serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text} {output:?}")))
}

fn find<'a>(checks: &'a [Value], name: &str) -> &'a Value {
    checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("no {name} in {checks:?}"))
}

#[test]
fn a_bare_machine_is_told_what_to_install_and_nothing_is_broken() {
    let (workspace, programs) = machine(&[]);
    let (code, checks) = checks(&mut command(&workspace, &programs, &["doctor"]));
    assert_eq!(code, 0);
    for (name, todo) in [("Python", "python"), ("LaTeX", "latexmk"), ("chosen model", "key set")] {
        let check = find(&checks, name);
        assert_eq!(check["state"], "look", "{check}");
        assert!(check["todo"].as_str().unwrap().contains(todo) || cfg!(target_os = "macos"), "{check}");
    }
    assert_eq!(find(&checks, "model service")["state"], "look");
    assert_eq!(find(&checks, "local only")["state"], "good");
    assert!(find(&checks, "prices")["found"].as_str().unwrap().contains("LiteLLM"));
    assert!(find(&checks, "limits")["found"].as_str().unwrap().contains("no limits"));
}

#[test]
fn what_is_there_is_said_with_its_place() {
    let (workspace, programs) =
        machine(&[("python3", "echo 3.12.1 True"), ("latexmk", ""), ("pdflatex", ""), ("tectonic", "")]);
    let mut doctor = command(&workspace, &programs, &["doctor"]);
    doctor.env("OPENAI_API_KEY", CANARY).env("ASIDE_LOCAL_ONLY", "1");
    let (code, found) = checks(&mut doctor);
    assert_eq!(code, 0, "{found:?}");
    let at = |name: &str| programs.path().join(name).display().to_string();
    assert_eq!(find(&found, "Python")["found"], format!("{} 3.12.1, with ipykernel", at("python3")));
    let latex = find(&found, "LaTeX");
    assert!(latex["found"].as_str().unwrap().contains(&at("latexmk")), "{latex}");
    assert!(latex["todo"].as_str().is_some(), "{latex}");
    assert!(find(&found, "local only")["found"].as_str().unwrap().contains("set when Aside was started"));
    assert!(
        found.iter().any(|check| check["found"].as_str().unwrap().contains("off because Local only is on")),
        "{found:?}"
    );

    let mut doctor = command(&workspace, &programs, &["doctor"]);
    let (_, found) = checks(doctor.env("OPENAI_API_KEY", CANARY));
    let openai = found.iter().find(|check| check["found"].as_str().unwrap().starts_with("OpenAI")).unwrap();
    let said = openai["found"].as_str().unwrap();
    for words in ["key from the environment (OPENAI_API_KEY)", "models not listed yet", "you are asked before"] {
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn what_was_set_up_and_does_not_work_is_broken_with_its_place() {
    let (workspace, programs) = machine(&[]);
    let own = workspace.path().join(".local/share/aside");
    fs::create_dir_all(&own).unwrap();
    fs::write(own.join("services.toml"), "[services.lab]\nbase_url = 7\n").unwrap();
    fs::write(own.join("spending.toml"), "[limits]\nturn = \"much\"\n").unwrap();
    fs::write(own.join("models.json"), "{").unwrap();
    let (code, found) = checks(&mut command(&workspace, &programs, &["doctor"]));
    assert_eq!(code, 1, "{found:?}");
    let broken: Vec<_> = found.iter().filter(|check| check["state"] == json!("broken")).collect();
    let text = format!("{broken:?}");
    for words in ["services.toml, line 2", "spending.toml", "models.json"] {
        assert!(text.contains(words), "no {words} in {text}");
    }
    assert!(broken.iter().all(|check| check["todo"].is_string()), "{text}");
}
