//! What a command changed is found, and can be taken back without losing what others did since.
#![expect(clippy::disallowed_methods, reason = "plays the command, and looks at the files")]

mod governing;
mod names;

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use aside_core::{ActionId, Timestamp, WorkspacePath};
use aside_store::{Store, StoreOptions};
use aside_workspace::{ChangedSince, Compared, KEPT_FOR, MOST_FILES, MOST_OF_ALL, MOST_SHARED, Restored, Workspace};

struct Place {
    folder: tempfile::TempDir,
    workspace: Arc<Workspace>,
    clock: Arc<AtomicI64>,
}

impl Place {
    fn new(files: &[(&str, &str)]) -> Self {
        let place = Self::over(tempfile::tempdir().unwrap(), Arc::new(AtomicI64::new(1_000)));
        files.iter().for_each(|(path, text)| place.put(path, text));
        place
    }

    /// The same folder, as the next server finds it.
    fn started_again(self) -> Self {
        let Self { folder, workspace, clock } = self;
        drop(workspace);
        Self::over(folder, clock)
    }

    fn over(folder: tempfile::TempDir, clock: Arc<AtomicI64>) -> Self {
        let time = clock.clone();
        let options = StoreOptions {
            clock: Arc::new(move || Timestamp(time.load(Ordering::SeqCst))),
            ..StoreOptions::for_tests()
        };
        let store = Store::open(&folder.path().join(".aside"), options).unwrap();
        let workspace = Workspace::open(folder.path(), store).unwrap();
        Self { folder, workspace, clock }
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn at(&self, path: &str) -> std::path::PathBuf {
        self.folder.path().join(path)
    }

    fn text(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.at(path)).ok()
    }

    /// Lets something happen between a copy and the comparison.
    fn while_watched(&self, command: impl FnOnce(&Self)) -> Compared {
        let taken = self.workspace.take_snapshot(&action()).unwrap();
        command(self);
        self.workspace.compare_snapshot(taken).unwrap()
    }

    /// Every file with its text and mode, every link with its target, every folder; not Aside's own.
    fn tree(&self) -> BTreeMap<String, String> {
        let mut tree = BTreeMap::new();
        gather(self.folder.path(), self.folder.path(), &mut tree);
        tree
    }

    fn snapshots(&self) -> usize {
        fs::read_dir(self.at(".aside/snapshots")).map(Iterator::count).unwrap_or_default()
    }
}

fn gather(top: &Path, folder: &Path, tree: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap().flatten().filter(|entry| entry.file_name() != ".aside") {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        let name = path.strip_prefix(top).unwrap().display().to_string();
        if kind.is_symlink() {
            tree.insert(name, format!("-> {}", fs::read_link(&path).unwrap().display()));
        } else if kind.is_dir() {
            tree.insert(name, "folder".to_owned());
            gather(top, &path, tree);
        } else {
            let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
            tree.insert(name, format!("{mode:o} {}", String::from_utf8_lossy(&fs::read(&path).unwrap())));
        }
    }
}

fn path(text: &str) -> WorkspacePath {
    WorkspacePath::new(text).unwrap()
}

fn action() -> ActionId {
    "act_00000000000000000000000001".parse().unwrap()
}

fn words(compared: &Compared) -> Vec<String> {
    compared.changes.iter().map(|change| format!("{} {}", change.word(), change.path)).collect()
}

fn left(restored: &Restored) -> Vec<&str> {
    restored.left.iter().map(|(path, _)| path.as_str()).collect()
}

#[test]
fn everything_that_a_command_did_can_be_taken_back_and_done_again() {
    let place = Place::new(&[("a.txt", "one"), ("b.txt", "two"), ("src/c.rs", "three"), ("src/deep/d.rs", "four")]);
    symlink("a.txt", place.at("link")).unwrap();
    let before = place.tree();
    let compared = place.while_watched(|place| {
        place.put("a.txt", "1");
        fs::remove_file(place.at("b.txt")).unwrap();
        fs::remove_dir_all(place.at("src/deep")).unwrap();
        place.put("new/e.txt", "five");
        fs::set_permissions(place.at("src/c.rs"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::remove_file(place.at("link")).unwrap();
        symlink("src", place.at("link")).unwrap();
    });
    let expected = [
        "changed a.txt",
        "deleted b.txt",
        "changed link",
        "added new",
        "added new/e.txt",
        "changed src/c.rs",
        "deleted src/deep",
        "deleted src/deep/d.rs",
    ];
    assert_eq!(words(&compared), expected);
    let after = place.tree();
    let id = compared.snapshot.unwrap().id;
    let restored = place.workspace.restore_snapshot(&id, None, ChangedSince::Leave).unwrap();
    assert_eq!((place.tree(), restored.left.len()), (before.clone(), 0));
    let again = place.workspace.restore_snapshot(&restored.snapshot, None, ChangedSince::Leave).unwrap();
    assert_eq!(place.tree(), after);
    place.workspace.restore_snapshot(&again.snapshot, None, ChangedSince::Leave).unwrap();
    assert_eq!(place.tree(), before);
}

#[test]
fn what_was_changed_since_is_left_as_it_is() {
    let place = Place::new(&[("a.txt", "one"), ("b.txt", "two"), ("c.txt", "three")]);
    let compared = place.while_watched(|place| {
        place.put("a.txt", "1");
        place.put("b.txt", "2");
        place.put("new.txt", "4");
        fs::remove_file(place.at("c.txt")).unwrap();
    });
    place.put("a.txt", "mine");
    place.put("new.txt", "mine too");
    let id = compared.snapshot.unwrap().id;
    let planned = place.workspace.plan_restore(&id, None).unwrap();
    let conflicts: Vec<_> =
        planned.files.iter().filter_map(|file| file.conflict.as_ref().map(|_| file.path.as_str())).collect();
    assert_eq!(conflicts, ["a.txt", "new.txt"]);
    let restored = place.workspace.restore_snapshot(&id, None, ChangedSince::Leave).unwrap();
    assert_eq!(left(&restored), ["a.txt", "new.txt"]);
    let texts: Vec<_> = ["a.txt", "b.txt", "c.txt", "new.txt"].map(|path| place.text(path).unwrap_or_default()).into();
    assert_eq!(texts, ["mine", "two", "three", "mine too"]);
}

#[test]
fn lines_that_were_changed_since_stay_and_the_command_s_lines_go() {
    let place = Place::new(&[("a.txt", "one\ntwo\nthree\n"), ("b.txt", "b\n")]);
    let before = place.tree();
    let compared = place.while_watched(|place| {
        place.put("a.txt", "ONE\ntwo\nthree\n");
        place.put("b.txt", "B\n");
    });
    let id = compared.snapshot.unwrap().id;
    place.put("a.txt", "ONE\ntwo\nthree\nmine\n");
    let restored = place.workspace.restore_snapshot(&id, None, ChangedSince::Refuse).unwrap();
    assert_eq!(place.text("a.txt").as_deref(), Some("one\ntwo\nthree\nmine\n"));
    place.workspace.restore_snapshot(&restored.snapshot, None, ChangedSince::Refuse).unwrap();
    assert_eq!(place.text("a.txt").as_deref(), Some("ONE\ntwo\nthree\nmine\n"));
    place.put("a.txt", "mine\ntwo\nthree\n");
    let changed = place.tree();
    let refused = place.workspace.restore_snapshot(&id, None, ChangedSince::Refuse).unwrap_err();
    assert_eq!(refused.to_string(), "restoring would overwrite later changes:\n`a.txt`: it has changed since");
    assert_eq!(place.tree(), changed, "all or nothing");
    place.put("a.txt", "ONE\ntwo\nthree\n");
    place.workspace.restore_snapshot(&id, None, ChangedSince::Refuse).unwrap();
    assert_eq!(place.tree(), before);
}

#[test]
fn folders_of_others_are_neither_copied_nor_ever_taken_away() {
    let place = Place::new(&[
        (".gitignore", "build/\n*.log\n"),
        ("build/out.o", "object"),
        ("node_modules/x/index.js", "x"),
        ("run.log", "ignored, but yours"),
        ("src/a.rs", "a"),
        (".git/HEAD", "ref: main"),
    ]);
    let compared = place.while_watched(|place| {
        place.put(".gitignore", "src/\n");
        place.put("build/out.o", "other");
        place.put("build/new.o", "new");
        place.put(".git/index", "new");
        fs::remove_file(place.at("run.log")).unwrap();
    });
    assert_eq!(words(&compared), ["changed .gitignore", "deleted run.log"]);
    place.workspace.restore_snapshot(&compared.snapshot.unwrap().id, None, ChangedSince::Leave).unwrap();
    assert_eq!(place.text("run.log").as_deref(), Some("ignored, but yours"));
    assert_eq!(place.text("build/new.o").as_deref(), Some("new"));
    assert_eq!(place.text("src/a.rs").as_deref(), Some("a"));
    let left_out: Vec<_> = place.workspace.snapshot_coverage().unwrap().left_out;
    assert_eq!(left_out.iter().filter(|path| path.as_str() == "build" || path.as_str() == "node_modules").count(), 2);
}

#[test]
fn a_swapped_folder_does_not_lead_a_restore_out() {
    let place = Place::new(&[("sub/a.txt", "one")]);
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("a.txt"), "not yours").unwrap();
    let compared = place.while_watched(|place| place.put("sub/a.txt", "1"));
    fs::remove_dir_all(place.at("sub")).unwrap();
    symlink(outside.path(), place.at("sub")).unwrap();
    let id = compared.snapshot.unwrap().id;
    let planned = place.workspace.plan_restore(&id, None).unwrap();
    assert!(planned.files.iter().all(|file| file.conflict.is_some()));
    place.workspace.restore_snapshot(&id, None, ChangedSince::Leave).unwrap();
    assert_eq!(fs::read_to_string(outside.path().join("a.txt")).unwrap(), "not yours");
}

#[test]
fn open_documents_take_in_what_changed_and_what_is_taken_back() {
    let place = Place::new(&[("a.txt", "one\n")]);
    let document = place.workspace.document(&path("a.txt")).unwrap();
    let compared = place.while_watched(|place| {
        place.put("a.txt", "one\ntwo\n");
        // The watcher may be faster than the command.
        let begun = Instant::now();
        while &*document.text() != "one\ntwo\n" {
            assert!(begun.elapsed() < Duration::from_secs(20), "the change was not seen");
            std::thread::yield_now();
        }
    });
    assert_eq!((&*document.text(), compared.changes[0].shared), ("one\ntwo\n", false));
    place.workspace.restore_snapshot(&compared.snapshot.unwrap().id, None, ChangedSince::Leave).unwrap();
    assert_eq!(&*document.text(), "one\n");
}

#[test]
fn what_a_person_typed_meanwhile_is_not_taken_back() {
    let place = Place::new(&[("a.txt", "one\n"), ("b.txt", "b\n")]);
    let document = place.workspace.document(&path("a.txt")).unwrap();
    let compared = place.while_watched(|place| {
        let edit = aside_doc::AnchoredEdit {
            start: None,
            end: None,
            old: Some("one\n".to_owned()),
            new: "typed\n".to_owned(),
        };
        document.apply(None, &[edit], &action(), None).unwrap();
        assert!(place.workspace.save_all().is_empty());
        place.put("b.txt", "B\n");
    });
    assert!(compared.changes[0].shared && !compared.changes[1].shared);
    let restored = place.workspace.restore_snapshot(&compared.snapshot.unwrap().id, None, ChangedSince::Leave).unwrap();
    assert_eq!(left(&restored), ["a.txt"]);
    assert_eq!((&*document.text(), place.text("b.txt").as_deref()), ("typed\n", Some("b\n")));
}

#[test]
fn of_too_much_only_what_governs_programs_is_watched() {
    let place = Place::new(&[(".envrc", "export A=1")]);
    fs::create_dir(place.at("many")).unwrap();
    for number in 0..=MOST_FILES {
        fs::File::create(place.at(&format!("many/{number}"))).unwrap();
    }
    assert!(!place.workspace.snapshot_coverage().unwrap().is_possible());
    let compared = place.while_watched(|place| {
        place.put("many/1", "changed");
        place.put(".envrc", "evil");
    });
    assert_eq!((compared.snapshot, compared.put_back), (None, vec![path(".envrc")]));
    assert_eq!(place.text(".envrc").as_deref(), Some("export A=1"));
    assert_eq!(place.snapshots(), 0);
}

#[test]
fn what_came_from_a_place_that_is_not_copied_is_never_taken_away() {
    let place = Place::new(&[
        (".gitignore", "build/\n"),
        ("build/only.bin", "nowhere else"),
        ("build/deep/x", "x"),
        (".git/objects/ab/cd", "history"),
        (".git/config", "[core]"),
        ("a.txt", "one"),
    ]);
    let compared = place.while_watched(|place| {
        fs::rename(place.at("build/only.bin"), place.at("moved.bin")).unwrap();
        fs::rename(place.at("build"), place.at("out")).unwrap();
        fs::rename(place.at(".git"), place.at("git")).unwrap();
        fs::rename(place.at("a.txt"), place.at("b.txt")).unwrap();
        place.put("new.txt", "new");
    });
    let restored = place.workspace.restore_snapshot(&compared.snapshot.unwrap().id, None, ChangedSince::Leave).unwrap();
    assert_eq!(left(&restored), ["git/objects/ab/cd", "moved.bin", "out/deep/x"]);
    assert_eq!(place.text("moved.bin").as_deref(), Some("nowhere else"));
    assert_eq!(place.text("git/objects/ab/cd").as_deref(), Some("history"));
    let texts = ["a.txt", "b.txt", "new.txt", ".git/config"].map(|path| place.text(path).unwrap_or_default());
    assert_eq!(texts, ["one", "", "", "[core]"]);
}

#[test]
fn a_file_too_large_to_keep_is_left_and_the_rest_is_taken_back() {
    let place = Place::new(&[("a.txt", "one"), (".envrc", "export A=1")]);
    let compared = place.while_watched(|place| {
        fs::File::create(place.at("disk.img")).unwrap().set_len(MOST_SHARED + 1).unwrap();
        place.put("a.txt", "1");
        place.put(".envrc", "evil");
    });
    assert_eq!(words(&compared), ["changed a.txt", "added disk.img"]);
    assert_eq!((compared.put_back, compared.not_put_back), (vec![path(".envrc")], vec![]));
    let restored = place.workspace.restore_snapshot(&compared.snapshot.unwrap().id, None, ChangedSince::Leave).unwrap();
    assert_eq!((left(&restored), place.text("a.txt").as_deref()), (vec!["disk.img"], Some("one")));
    assert!(place.at("disk.img").exists());
}

#[test]
fn one_file_too_large_to_copy_takes_the_way_back_from_no_other_and_is_seen_to_change() {
    let place = Place::new(&[("a.txt", "one"), ("b.txt", "two")]);
    let large = |name: &str| fs::File::create(place.at(name)).unwrap().set_len(MOST_SHARED + 1).unwrap();
    large("data.csv");
    large("moved.csv");
    assert_eq!(place.workspace.snapshot_coverage().unwrap().too_large, [path("data.csv"), path("moved.csv")]);
    assert!(place.while_watched(|_| {}).changes.is_empty());
    let compared = place.while_watched(|place| {
        place.put("a.txt", "1");
        fs::write(place.at("data.csv"), "short").unwrap();
        fs::rename(place.at("moved.csv"), place.at("kept.csv")).unwrap();
    });
    assert_eq!(words(&compared), ["changed a.txt", "changed data.csv", "added kept.csv", "deleted moved.csv"]);
    let id = compared.snapshot.unwrap().id;
    let refused = place.workspace.restore_snapshot(&id, None, ChangedSince::Refuse).unwrap_err();
    assert!(refused.to_string().contains("`data.csv`: it was too large to copy"), "{refused}");
    let restored = place.workspace.restore_snapshot(&id, None, ChangedSince::Leave).unwrap();
    assert_eq!(left(&restored), ["data.csv", "kept.csv", "moved.csv"]);
    assert_eq!((place.text("a.txt").as_deref(), place.text("data.csv").as_deref()), (Some("one"), Some("short")));
    assert!(place.at("kept.csv").exists(), "nobody else has it");
    let compared = place
        .while_watched(|place| fs::File::options().write(true).open(place.at("kept.csv")).unwrap().set_len(1).unwrap());
    assert_eq!((words(&compared), compared.snapshot), (vec!["changed kept.csv".to_owned()], None));
    assert_eq!(place.snapshots(), 2);
}

#[test]
fn nothing_is_kept_of_nothing_and_nothing_for_ever() {
    let place = Place::new(&[("a.txt", "one"), ("b.txt", "two")]);
    assert!(place.while_watched(|_| {}).snapshot.is_none());
    assert_eq!(place.snapshots(), 0);
    let compared = place.while_watched(|place| place.put("a.txt", "1"));
    let id = compared.snapshot.unwrap().id;
    let kept = fs::read_dir(place.at(&format!(".aside/snapshots/{id}"))).unwrap().count();
    assert_eq!(kept, 3, "the manifest, the text that was and what became of it");
    // A crash in the middle.
    let _unfinished = place.workspace.take_snapshot(&action()).unwrap();
    assert_eq!(place.snapshots(), 2);
    place.workspace.tidy_snapshots();
    assert_eq!(place.snapshots(), 1);
    place.clock.fetch_add(i64::try_from(KEPT_FOR.as_millis()).unwrap() + 1, Ordering::SeqCst);
    place.workspace.tidy_snapshots();
    assert_eq!(place.snapshots(), 0);
    assert_eq!(place.workspace.plan_restore(&id, None).unwrap_err().code(), "not_kept");
}

#[test]
fn of_too_many_snapshots_the_oldest_go() {
    let place = Place::new(&[("a.txt", "one")]);
    let mut taken = Vec::new();
    for text in ["1", "2", "3"] {
        place.clock.fetch_add(1_000, Ordering::SeqCst);
        taken.push(place.while_watched(|place| place.put("a.txt", text)).snapshot.unwrap().id);
    }
    // As if it were that large.
    let large = place.at(&format!(".aside/snapshots/{}/large", taken[1]));
    fs::File::create(large).unwrap().set_len(MOST_OF_ALL).unwrap();
    place.workspace.tidy_snapshots();
    let kept = taken.iter().map(|id| place.workspace.plan_restore(id, None).is_ok());
    assert_eq!(kept.collect::<Vec<_>>(), [false, false, true]);
}

#[test]
fn one_file_of_several_can_be_taken_back() {
    let place = Place::new(&[("a.txt", "one"), ("b.txt", "two")]);
    let compared = place.while_watched(|place| {
        place.put("a.txt", "1");
        place.put("b.txt", "2");
    });
    let id = compared.snapshot.unwrap().id;
    place.workspace.restore_snapshot(&id, Some(&[path("b.txt")]), ChangedSince::Leave).unwrap();
    assert_eq!((place.text("a.txt").as_deref(), place.text("b.txt").as_deref()), (Some("1"), Some("two")));
    assert_eq!(place.workspace.plan_restore(&id, None).unwrap().files.len(), 1);
}

#[test]
fn only_what_has_changed_since_the_last_command_is_copied() {
    let place = Place::new(&[("a.txt", "one"), ("b.txt", "two"), ("src/c.txt", "three")]);
    // Until a tick of the file system's clock has gone by, the same stamp could hide a change.
    let begun = Instant::now();
    while place.workspace.take_snapshot(&action()).unwrap().copied() > 0 {
        assert!(begun.elapsed() < Duration::from_secs(20), "everything is copied each time");
    }
    place.workspace.tidy_snapshots();
    let compared = place.while_watched(|place| {
        place.put("a.txt", "1");
        fs::remove_file(place.at("b.txt")).unwrap();
    });
    let taken = place.workspace.take_snapshot(&action()).unwrap();
    assert_eq!(taken.copied(), 1, "the one that the command has written");
    place.put("a.txt", "11");
    place.put("src/c.txt", "33");
    let second = place.workspace.compare_snapshot(taken).unwrap().snapshot.unwrap();
    place.workspace.restore_snapshot(&second.id, None, ChangedSince::Refuse).unwrap();
    place.workspace.restore_snapshot(&compared.snapshot.unwrap().id, None, ChangedSince::Refuse).unwrap();
    let texts = ["a.txt", "b.txt", "src/c.txt"].map(|path| place.text(path).unwrap_or_default());
    assert_eq!(texts, ["one", "two", "three"]);
}

#[test]
fn a_copy_that_was_damaged_is_not_what_was_there() {
    let place = Place::new(&[("a.txt", "one")]);
    let taken = place.workspace.take_snapshot(&action()).unwrap();
    fs::write(place.at(".aside/copies/0"), "").unwrap();
    place.put("a.txt", "1");
    assert_eq!(place.workspace.compare_snapshot(taken).unwrap_err().code(), "io");
    fs::write(place.at(".aside/copies/index.json"), "{").unwrap();
    assert_eq!(place.workspace.take_snapshot(&action()).unwrap().copied(), 1);
}

#[test]
fn a_command_whose_server_was_killed_can_be_taken_back_after_the_next_start() {
    let place = Place::new(&[("a.txt", "one\n"), ("b.txt", "two\n"), ("open.txt", "o\n"), (".envrc", "export A=1")]);
    let before = place.tree();
    let _open = place.workspace.document(&path("open.txt")).unwrap();
    let _never_compared = place.workspace.take_snapshot(&action()).unwrap();
    place.put("a.txt", "1\n");
    fs::remove_file(place.at("b.txt")).unwrap();
    place.put("open.txt", "O\n");
    place.put("new.txt", "new");
    place.put(".envrc", "evil");
    let place = place.started_again();
    assert_eq!(place.workspace.cut_off_snapshot(&"act_00000000000000000000000002".parse().unwrap()).unwrap(), None);
    let compared = place.workspace.cut_off_snapshot(&action()).unwrap().unwrap();
    assert_eq!(words(&compared), ["changed a.txt", "deleted b.txt", "added new.txt", "changed open.txt"]);
    assert_eq!(compared.put_back, [path(".envrc")]);
    let again = place.workspace.cut_off_snapshot(&action()).unwrap().unwrap();
    assert_eq!((&again.snapshot, &again.changes), (&compared.snapshot, &compared.changes), "killed once more");
    place.workspace.tidy_snapshots();
    place.workspace.restore_snapshot(&compared.snapshot.unwrap().id, None, ChangedSince::Refuse).unwrap();
    assert_eq!(place.tree(), before);
}

#[test]
fn what_was_typed_before_the_server_was_killed_is_not_taken_back() {
    let place = Place::new(&[("a.txt", "one\n"), ("b.txt", "b\n")]);
    let document = place.workspace.document(&path("a.txt")).unwrap();
    let _never_compared = place.workspace.take_snapshot(&action()).unwrap();
    let old = Some("one\n".to_owned());
    let edit = aside_doc::AnchoredEdit { start: None, end: None, old, new: "typed\n".to_owned() };
    document.apply(None, &[edit], &action(), None).unwrap();
    assert!(place.workspace.save_all().is_empty());
    place.put("b.txt", "B\n");
    drop(document);
    let place = place.started_again();
    let compared = place.workspace.cut_off_snapshot(&action()).unwrap().unwrap();
    let restored = place.workspace.restore_snapshot(&compared.snapshot.unwrap().id, None, ChangedSince::Leave).unwrap();
    assert_eq!(left(&restored), ["a.txt"]);
    assert_eq!((place.text("a.txt").as_deref(), place.text("b.txt").as_deref()), (Some("typed\n"), Some("b\n")));
}
