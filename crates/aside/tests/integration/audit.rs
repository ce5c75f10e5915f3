//! The audit from outside: planted secrets are in nothing that is kept, told or exported, and tampering is found.
#![allow(clippy::disallowed_methods, reason = "these tests start the program and read its workspace")]

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

/// Known to the process, and like no key that anybody could recognise.
const OF_PROVIDER: &str = "correct-horse-of-the-provider";
const OF_NETRC: &str = "battery-staple-of-the-netrc";
const OF_ENVIRONMENT: &str = "a password, with spaces";
/// Not known, but of a form that is.
const BY_ITS_FORM: &str = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";

const ALL: [&str; 4] = [OF_PROVIDER, OF_NETRC, OF_ENVIRONMENT, BY_ITS_FORM];

struct Workspace(tempfile::TempDir);

impl Workspace {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(".netrc"), format!("machine example.org login ada password {OF_NETRC}\n"))
            .unwrap();
        fs::create_dir(folder.path().join("work")).unwrap();
        fs::write(folder.path().join("work/a.txt"), "one\n").unwrap();
        Self(folder)
    }

    fn folder(&self) -> std::path::PathBuf {
        self.0.path().join("work")
    }

    /// Runs the program; returns what it wrote to standard output and to standard error.
    fn run(&self, args: &[&str]) -> [String; 2] {
        let output = Command::new(env!("CARGO_BIN_EXE_aside"))
            .args(args)
            .current_dir(self.folder())
            .env_clear()
            .envs([("HOME", self.0.path().to_str().unwrap()), ("USER", "ada"), ("ASIDE_LOG", "debug")])
            .envs([("OPENAI_API_KEY", OF_PROVIDER), ("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")])
            .envs([("OLLAMA_HOST", "127.0.0.1:1"), ("SMTP_PASSWORD", OF_ENVIRONMENT)])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
    }
}

fn assert_clean(what: &str, text: &str) {
    for secret in ALL {
        assert!(!text.contains(secret), "{what} has {secret}:\n{text}");
    }
}

#[test]
fn no_secret_is_in_the_audit_its_export_or_what_is_logged() {
    let workspace = Workspace::new();
    for secret in ALL {
        // In arguments and so in previews, in keys, in words that fail, in what was observed and in a person's reason.
        let edit =
            serde_json::json!({ "path": "a.txt", "edits": [{ "start": 1, "old": "", "new": format!("{secret}\n") }] });
        let edit = edit.to_string();
        let [done, _] = workspace.run(&["do", "doc.edit", "--args", &edit, "--json"]);
        assert!(done.contains("\"done\""), "{done}");
        workspace.run(&["do", "doc.edit", "--args", &edit, "--dry-run"]);
        workspace.run(&["do", "doc.read", "--args", r#"{"path": "a.txt"}"#]);
        let missing = serde_json::json!({ "path": format!("{secret}.txt") }).to_string();
        let [_, logged] = workspace.run(&["do", "doc.read", "--args", &missing]);
        assert_clean("the log", &logged);
        workspace.run(&["do", "file.delete", "--args", r#"{"path": "a.txt"}"#]);
        workspace.run(&["decide", "--no"]);
        let keyed = ["do", "doc.read", "--args", r#"{"path": "a.txt"}"#, "--idempotency-key", secret];
        assert!(workspace.run(&keyed)[0].contains(secret), "the person sees what is in the file");
    }
    for args in
        [&["audit", "export"][..], &["audit", "export", "--format", "otlp"], &["audit", "list", "--limit", "900"]]
    {
        let [told, logged] = workspace.run(args);
        assert!(told.lines().count() > 20 || told.len() > 10_000, "{told}");
        assert_clean(&args.join(" "), &told);
        assert_clean("the log", &logged);
    }
}

fn verified(workspace: &Workspace, head: Option<&str>) -> serde_json::Value {
    let mut args = vec!["audit", "verify", "--json"];
    args.extend(head.into_iter().flat_map(|head| ["--head", head]));
    let [told, logged] = workspace.run(&args);
    serde_json::from_str(&told).unwrap_or_else(|error| panic!("{error}: {told} {logged}"))
}

/// What somebody with the file and no scruples can do after two edits; returns what is found then, without and with the
/// hash that was noted before.
fn tampered(sql: &str) -> [String; 2] {
    let workspace = Workspace::new();
    for text in ["two\n", "three\n"] {
        let edits = serde_json::json!([{ "start": 1, "old": "", "new": text }]);
        let args = serde_json::json!({ "path": "a.txt", "edits": edits }).to_string();
        workspace.run(&["do", "doc.edit", "--args", &args]);
    }
    let noted = verified(&workspace, None);
    assert_eq!((noted["entries"].as_u64(), &noted["problem"]), (Some(4), &serde_json::Value::Null));
    let head = noted["head"].as_str().unwrap();
    assert_eq!(verified(&workspace, Some(head))["problem"], serde_json::Value::Null);
    let database = rusqlite::Connection::open(workspace.folder().join(".aside/aside.db")).unwrap();
    database.execute_batch("DROP TRIGGER chain_keeps_its_entries; DROP TRIGGER chain_keeps_its_text;").unwrap();
    database.execute_batch(sql).unwrap();
    drop(database);
    // What was noted of the file may tell already; the audit has to tell also who takes it as it is.
    workspace.run(&["trust"]);
    [None, Some(head)].map(|head| verified(&workspace, head)["problem"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn a_flipped_byte_is_found() {
    let flip = "UPDATE chain SET body = substr(body, 1, 20) || char(unicode(substr(body, 21, 1)) + 1) || substr(body, 22) \
        WHERE seq = 2";
    assert!(tampered(flip).iter().all(|problem| problem == "entry 2 was changed"));
}

#[test]
fn a_dropped_record_is_found() {
    assert!(tampered("DELETE FROM chain WHERE seq = 2").iter().all(|problem| problem == "entry 2 is missing"));
}

#[test]
fn a_cut_tail_is_found_even_if_the_head_was_cut_too_by_who_noted_it() {
    let cut = "DELETE FROM chain WHERE seq > 2";
    assert!(tampered(cut).iter().all(|problem| problem.contains("4 entries were written, 2 are left")));
    let with_head = format!("{cut}; UPDATE chain_head SET count = 2, hash = (SELECT hash FROM chain WHERE seq = 2)");
    let [unnoted, noted] = tampered(&with_head);
    assert_eq!(unnoted, "", "nobody can tell from the file alone");
    assert!(noted.contains("an earlier or different one"), "{noted}");
}

#[test]
fn a_provider_s_key_is_nowhere_in_the_workspace() {
    let workspace = Workspace::new();
    let [told, logged] = workspace.run(&["ask", "change it", "--file", "a.txt"]);
    assert_clean("the answer", &format!("{told}{logged}"));
    workspace.run(&["doctor"]);
    let files = files_below(&workspace.folder());
    assert!(files.iter().any(|(name, bytes)| name.contains("aside.db") && bytes.len() > 4096));
    for (name, bytes) in files {
        let found = memchr::memmem::find(&bytes, OF_PROVIDER.as_bytes()).is_some();
        assert!(!found, "{name} has the key");
    }
}

fn files_below(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| match path.is_dir() {
            true => files_below(&path),
            false => vec![(path.display().to_string(), fs::read(&path).unwrap())],
        })
        .collect()
}
