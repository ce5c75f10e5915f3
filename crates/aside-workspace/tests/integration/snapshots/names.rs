//! Files with names that are no line of text: copied, seen to change and brought back like all others.

use std::{
    ffi::OsStr,
    fs,
    os::unix::{
        ffi::OsStrExt as _,
        fs::{PermissionsExt as _, symlink},
    },
    path::PathBuf,
};

use aside_workspace::ChangedSince;

use super::{Place, path, words};

impl Place {
    fn at_bytes(&self, name: &[u8]) -> PathBuf {
        self.folder.path().join(OsStr::from_bytes(name))
    }

    fn put_bytes(&self, name: &[u8], text: &str) {
        let path = self.at_bytes(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

const NAMES: [&[u8]; 6] =
    [b"a\nb.txt", b"caf\xe9.txt", b"new\nfolder/\xff\xfe", b"tab\tand\x1b[1m", b"literal\\n.txt", b"literal\n.txt"];

#[test]
fn odd_names_are_taken_back_and_done_again() {
    let place = Place::new(&[]);
    NAMES.iter().for_each(|name| place.put_bytes(name, "before"));
    symlink(OsStr::from_bytes(b"a\nb.txt"), place.at_bytes(b"link\r")).unwrap();
    let before = place.tree();
    let compared = place.while_watched(|place| {
        place.put_bytes(NAMES[0], "after");
        fs::remove_file(place.at_bytes(NAMES[1])).unwrap();
        fs::remove_dir_all(place.at_bytes(b"new\nfolder")).unwrap();
        fs::rename(place.at_bytes(NAMES[3]), place.at_bytes(b"\xe9")).unwrap();
        fs::remove_file(place.at_bytes(NAMES[4])).unwrap();
        fs::remove_file(place.at_bytes(b"link\r")).unwrap();
    });
    let expected = [
        "changed a\\nb.txt",
        "deleted caf\\xe9.txt",
        "deleted link\\r",
        "deleted literal\\u{5c}n.txt",
        "deleted new\\nfolder",
        "deleted new\\nfolder/\\xff\\xfe",
        "deleted tab\\tand\\u{1b}[1m",
        "added \\xe9",
    ];
    let mut found = words(&compared);
    let by_path = |change: &String| change.split_once(' ').map(|(_, path)| path.to_owned());
    found.sort_by_key(by_path);
    let mut expected = expected.map(str::to_owned);
    expected.sort_by_key(by_path);
    assert_eq!(found, expected);
    let after = place.tree();
    let restored =
        place.workspace.restore_snapshot(&compared.snapshot.unwrap().id, None, ChangedSince::Refuse).unwrap();
    assert_eq!(place.tree(), before);
    assert!(NAMES.iter().all(|name| fs::read(place.at_bytes(name)).unwrap() == b"before"));
    place.workspace.restore_snapshot(&restored.snapshot, None, ChangedSince::Refuse).unwrap();
    assert_eq!(place.tree(), after);
}

#[test]
fn snapshot_names_everything_it_leaves_out() {
    let place = Place::new(&[("a.txt", "a"), ("closed/b.txt", "b")]);
    symlink(OsStr::from_bytes(b"\xe9"), place.at("link")).unwrap();
    let pipe = place.at("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::from(0o600), 0).unwrap();
    let name = "n".repeat(250);
    let deep = (0..17).fold(place.at("deep"), |folder, _| folder.join(&name));
    let made = std::process::Command::new("sh")
        .args([
            "-c",
            "mkdir deep; cd -P deep; for i in $(seq 17); do mkdir $1; cd -P $1; done; echo x > file",
            "sh",
            &name,
        ])
        .current_dir(place.folder.path())
        .status()
        .unwrap();
    assert!(made.success() && deep.as_os_str().len() > 4096);
    fs::set_permissions(place.at("closed"), fs::Permissions::from_mode(0o000)).unwrap();
    let left_out = place.workspace.snapshot_coverage().unwrap().left_out;
    let closed = fs::read_dir(place.at("closed")).is_err();
    fs::set_permissions(place.at("closed"), fs::Permissions::from_mode(0o755)).unwrap();
    let named = |name: &str| left_out.contains(&path(name));
    assert_eq!((named("link"), named("pipe"), named("closed"), named("a.txt")), (true, true, closed, false));
    assert!(left_out.iter().any(|path| path.as_str().starts_with("deep/")), "{left_out:?}");
}
