//! Which places paths lead to, and that no link leads out.
#![expect(clippy::disallowed_methods, reason = "sets the scene and plays the attacker")]

use std::{fs, os::unix::fs::symlink};

use super::*;

struct Fixture {
    root: Root,
    inside: PathBuf,
    outside: PathBuf,
    _folder: tempfile::TempDir,
}

/// `data/` is the workspace, `data-evil/` its prefix twin.
fn fixture() -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let (inside, outside) = (folder.path().join("data"), folder.path().join("data-evil"));
    for path in [&inside.join("sub"), &inside.join(PRIVATE_FOLDER), &outside] {
        fs::create_dir_all(path).unwrap();
    }
    put(&inside.join("sub/a.txt"), "inside");
    put(&inside.join(".aside/server.json"), "token");
    put(&outside.join("a.txt"), "secret");
    Fixture { root: Root::open(&inside).unwrap(), inside, outside, _folder: folder }
}

fn put(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
}

fn read(root: &Root, path: &str) -> Result<String, &'static str> {
    let path = WorkspacePath::new(path).unwrap();
    let bytes = root.resolve(&path).and_then(|place| place.read(1000)).map_err(|error| error.code())?;
    Ok(String::from_utf8(bytes).unwrap())
}

#[test]
fn escaped_names_lead_to_control_characters() {
    let Fixture { root, inside, _folder, .. } = &fixture();
    fs::create_dir(inside.join("new\nline")).unwrap();
    put(&inside.join("new\nline/tab\t.txt"), "inside");
    put(&inside.join("both\\n"), "literal");
    put(&inside.join("both\n"), "control");
    assert_eq!(read(root, "new\\nline/tab\\t.txt").as_deref(), Ok("inside"));
    assert_eq!(read(root, "both\\n").as_deref(), Ok("control"));
    assert_eq!(read(root, "both\\u{5c}n").as_deref(), Ok("literal"));
    put(&inside.join("only\\n"), "literal");
    assert_eq!(read(root, "only\\n").as_deref(), Ok("literal"));
    fs::write(inside.join(OsStr::from_bytes(b"caf\xe9")), "Latin-1").unwrap();
    assert_eq!(read(root, "caf\\xe9").as_deref(), Ok("Latin-1"));
    let place = root.resolve(&WorkspacePath::new("new\\nline/tab\\t.txt").unwrap()).unwrap();
    assert_eq!(place.path().as_str(), "new\\nline/tab\\t.txt");
    assert_eq!(read(root, "new\\nline/other\\t.txt"), Err("not_found"));
    symlink("new\nline/tab\t.txt", inside.join("link")).unwrap();
    symlink(OsStr::from_bytes(b"caf\xe9"), inside.join("to-latin")).unwrap();
    symlink("only\\n", inside.join("to-literal")).unwrap();
    assert_eq!(
        ["link", "to-latin", "to-literal"].map(|link| read(root, link).unwrap()),
        ["inside", "Latin-1", "literal"]
    );
}

#[test]
fn links_that_stay_inside_are_followed_and_resolved() {
    let fixture = fixture();
    let Fixture { root, inside, .. } = &fixture;
    symlink("sub/a.txt", inside.join("relative")).unwrap();
    symlink(root.folder().join("sub"), inside.join("absolute")).unwrap();
    symlink("../sub/./../sub", inside.join("sub/up")).unwrap();
    for path in ["sub/a.txt", "relative", "absolute/a.txt", "sub/up/a.txt"] {
        assert_eq!(read(root, path).as_deref(), Ok("inside"), "{path}");
        let real = root.resolve(&WorkspacePath::new(path).unwrap()).unwrap();
        assert_eq!(real.path().as_str(), "sub/a.txt");
    }
}

#[test]
fn links_that_lead_out_are_refused() {
    let fixture = fixture();
    let Fixture { root, inside, outside, .. } = &fixture;
    symlink(outside.join("a.txt"), inside.join("file")).unwrap();
    symlink(outside, inside.join("folder")).unwrap();
    symlink("../data-evil", inside.join("twin")).unwrap();
    symlink("../../data-evil/a.txt", inside.join("sub/up")).unwrap();
    symlink("/proc/self/root", inside.join("proc")).unwrap();
    symlink("/proc/self/cwd", inside.join("cwd")).unwrap();
    for path in ["file", "folder/a.txt", "folder/new.txt", "twin/a.txt", "sub/up", "proc/etc/passwd", "cwd/x"] {
        assert_eq!(read(root, path), Err("outside"), "{path}");
    }
}

#[test]
fn dangling_link_leads_to_a_target_inside() {
    let fixture = fixture();
    let Fixture { root, inside, outside, .. } = &fixture;
    symlink("sub/new.txt", inside.join("to-new")).unwrap();
    symlink(outside.join("new.txt"), inside.join("to-out")).unwrap();
    assert_eq!(read(root, "to-new"), Err("not_found"));
    assert_eq!(root.resolve(&WorkspacePath::new("to-new").unwrap()).unwrap().path().as_str(), "sub/new.txt");
    assert_eq!(read(root, "to-out"), Err("outside"));
}

#[test]
fn circles_end() {
    let fixture = fixture();
    let Fixture { root, inside, .. } = &fixture;
    symlink("b", inside.join("a")).unwrap();
    symlink("a", inside.join("b")).unwrap();
    assert_eq!(read(root, "a"), Err("outside"));
}

#[test]
fn folder_swapped_for_a_link_stays_inside() {
    let fixture = fixture();
    let Fixture { root, inside, outside, .. } = &fixture;
    let place = root.resolve(&WorkspacePath::new("sub/a.txt").unwrap()).unwrap();
    let (sub, old) = (inside.join("sub"), inside.join("old"));
    fs::rename(&sub, &old).unwrap();
    symlink(outside, &sub).unwrap();
    assert_eq!(place.read(1000).unwrap(), b"inside");
    assert_eq!(read(root, "sub/a.txt"), Err("outside"));
}

#[test]
fn file_swapped_for_a_link_stays_inside() {
    let fixture = fixture();
    let Fixture { root, inside, outside, .. } = &fixture;
    let place = root.resolve(&WorkspacePath::new("sub/a.txt").unwrap()).unwrap();
    fs::remove_file(inside.join("sub/a.txt")).unwrap();
    symlink(outside.join("a.txt"), inside.join("sub/a.txt")).unwrap();
    assert_eq!(place.read(1000).unwrap_err().code(), "outside");
    place.replace(b"mine").unwrap();
    assert_eq!(read(root, "sub/a.txt").as_deref(), Ok("mine"));
    let secret = Root::open(outside).unwrap();
    assert_eq!(read(&secret, "a.txt").as_deref(), Ok("secret"));
}

#[test]
fn private_folder_is_out_of_reach_by_link() {
    let fixture = fixture();
    let Fixture { root, inside, .. } = &fixture;
    symlink(".aside/server.json", inside.join("token")).unwrap();
    for path in [".aside/server.json", ".ASIDE/server.json", "token", "sub/.aside/x", ".aside"] {
        assert_eq!(read(root, path), Err("private"), "{path}");
    }
}

#[test]
fn special_files_are_refused_without_waiting() {
    let fixture = fixture();
    let Fixture { root, .. } = &fixture;
    rustix::fs::mknodat(root.descriptor(), "pipe", rustix::fs::FileType::Fifo, Mode::from(0o600), 0).unwrap();
    assert_eq!(read(root, "pipe"), Err("not_a_file"));
    assert_eq!(read(root, "sub"), Err("is_folder"));
}
