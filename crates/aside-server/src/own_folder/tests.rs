#![expect(clippy::disallowed_methods, reason = "sets the scene and plays the attacker")]

use std::{fs, os::unix::fs::symlink};

use aside_store::{Store, StoreError, StoreOptions};

use super::*;

struct Scene {
    place: tempfile::TempDir,
    data: DataFolder,
}

impl Scene {
    fn new() -> Self {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("work")).unwrap();
        let data = DataFolder::at(place.path().join("data"));
        Self { place, data }
    }

    /// With the folder made by Aside, and something in it.
    fn in_use() -> Self {
        let scene = Self::new();
        scene.prepare().unwrap();
        scene.write("aside.db");
        scene
    }

    /// With a folder of somebody else's making.
    fn foreign(mode: u32) -> Self {
        let scene = Self::new();
        fs::create_dir(scene.own()).unwrap();
        fs::set_permissions(scene.own(), Permissions::from_mode(mode)).unwrap();
        scene.write("aside.db");
        scene
    }

    fn own(&self) -> PathBuf {
        self.place.path().join("work/.aside")
    }

    fn write(&self, name: &str) {
        fs::write(self.own().join(name), "{}").unwrap();
    }

    fn prepare(&self) -> Result<(), NotOurs> {
        prepare(&self.own(), Some(&self.data))
    }

    fn trust(&self) -> Result<bool, NotOurs> {
        trust(&self.own(), Some(&self.data))
    }

    fn mode(&self) -> u32 {
        self.own().metadata().unwrap().permissions().mode() & 0o777
    }

    /// Replaces the folder by a copy of what is in it, as an archive or a backup does.
    fn replace_by_a_copy(&self) {
        let away = self.place.path().join("away");
        fs::rename(self.own(), &away).unwrap();
        DirBuilder::new().mode(0o700).create(self.own()).unwrap();
        for entry in fs::read_dir(&away).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), self.own().join(entry.file_name())).unwrap();
        }
    }
}

#[test]
fn is_made_for_its_owner_alone_and_known_again() {
    let scene = Scene::in_use();
    assert_eq!(scene.mode(), 0o700);
    scene.prepare().unwrap();
    check(&scene.own(), Some(&scene.data)).unwrap();
}

#[test]
fn what_came_with_the_files_is_not_used_and_not_touched() {
    for mode in [0o700, 0o755] {
        let scene = Scene::foreign(mode);
        assert!(matches!(scene.prepare(), Err(NotOurs::Unknown(_))), "{mode:o}");
        assert!(check(&scene.own(), Some(&scene.data)).is_err());
        assert_eq!((scene.mode(), fs::read_dir(scene.own()).unwrap().count()), (mode, 1));
        assert!(!scene.data.path().exists());
    }
}

#[test]
fn the_error_says_what_to_do() {
    let said = Scene::foreign(0o700).prepare().unwrap_err().to_string();
    assert!(
        said.contains("work/.aside was not created on this computer") && said.contains("run `aside trust '/"),
        "{said}"
    );
    assert!(said.contains("/work'`"), "it names the workspace: {said}");
}

#[test]
fn one_visible_step_takes_it() {
    let scene = Scene::foreign(0o755);
    assert!(!scene.trust().unwrap());
    assert_eq!(scene.mode(), 0o700);
    scene.prepare().unwrap();
    assert!(scene.trust().unwrap(), "known by now");
}

#[test]
fn a_copy_is_not_the_folder_even_in_its_place_with_its_id() {
    let scene = Scene::in_use();
    let before = fs::read(scene.own().join("id")).unwrap();
    scene.replace_by_a_copy();
    assert_eq!(fs::read(scene.own().join("id")).unwrap(), before, "it brings the very id");
    assert!(matches!(scene.prepare(), Err(NotOurs::Unknown(_))));
    scene.trust().unwrap();
    scene.prepare().unwrap();
    let after = fs::read(scene.own().join("id")).unwrap();
    assert_ne!(after, before, "so that the folder it was copied from stays known");
    fs::remove_dir_all(scene.own()).unwrap();
    fs::rename(scene.place.path().join("away"), scene.own()).unwrap();
    scene.prepare().unwrap();
}

#[test]
fn a_workspace_that_is_moved_on_its_disk_stays_known() {
    let scene = Scene::in_use();
    let moved = scene.place.path().join("renamed");
    fs::rename(scene.place.path().join("work"), &moved).unwrap();
    prepare(&moved.join(".aside"), Some(&scene.data)).unwrap();
}

#[test]
fn another_person_s_record_does_not_count() {
    let scene = Scene::in_use();
    let other = DataFolder::at(scene.place.path().join("other"));
    assert!(matches!(prepare(&scene.own(), Some(&other)), Err(NotOurs::Unknown(_))));
}

#[test]
fn an_id_is_no_path() {
    let scene = Scene::in_use();
    let id = fs::read_to_string(scene.own().join("id")).unwrap();
    for id in [format!("../workspaces/{}", id.trim()), id.to_uppercase(), String::new(), "x".repeat(1 << 20)] {
        fs::write(scene.own().join("id"), id).unwrap();
        assert!(matches!(scene.prepare(), Err(NotOurs::Unknown(_))));
    }
}

#[test]
fn an_empty_one_and_one_cut_off_while_it_was_made_are_taken() {
    for left in [None, Some("id"), Some("id-0123")] {
        let scene = Scene::new();
        fs::create_dir(scene.own()).unwrap();
        fs::set_permissions(scene.own(), Permissions::from_mode(0o755)).unwrap();
        left.inspect(|name| scene.write(name));
        scene.prepare().unwrap();
        assert_eq!(scene.mode(), 0o700, "{left:?}");
        scene.write("aside.db");
        scene.prepare().unwrap();
    }
}

#[test]
fn one_of_ours_that_was_opened_to_others_is_not_used() {
    let scene = Scene::in_use();
    fs::set_permissions(scene.own(), Permissions::from_mode(0o755)).unwrap();
    assert!(matches!(scene.prepare(), Err(NotOurs::OpenToOthers(_))));
    assert!(scene.trust().unwrap());
    scene.prepare().unwrap();
}

#[test]
fn without_a_place_for_the_record_nothing_is_taken() {
    let scene = Scene::new();
    assert!(matches!(prepare(&scene.own(), None), Err(NotOurs::NoDataFolder(_))));
    fs::write(scene.data.path(), "a file in its place").unwrap();
    let said = scene.prepare().unwrap_err().to_string();
    assert!(said.contains("set ASIDE_DATA_DIR"), "{said}");
}

#[test]
fn links_and_pipes_in_it_are_refused() {
    let scene = Scene::in_use();
    symlink(scene.place.path().join("outside"), scene.own().join("blobs")).unwrap();
    for refused in [scene.prepare().err(), scene.trust().err()] {
        assert!(matches!(refused, Some(NotOurs::Special(path)) if path == scene.own().join("blobs")));
    }
    fs::remove_file(scene.own().join("blobs")).unwrap();
    rustix::fs::mkfifoat(rustix::fs::CWD, scene.own().join("rehearsal.json"), 0o600.into()).unwrap();
    assert!(matches!(scene.prepare(), Err(NotOurs::Special(_))));
}

#[test]
fn a_link_or_a_file_in_its_place_is_refused() {
    let scene = Scene::new();
    symlink(scene.place.path(), scene.own()).unwrap();
    assert!(matches!(scene.prepare(), Err(NotOurs::Special(_))));
    fs::remove_file(scene.own()).unwrap();
    fs::write(scene.own(), "").unwrap();
    assert!(matches!(scene.prepare(), Err(NotOurs::Special(_))));
}

/// What a server does: the store is opened, used and closed.
fn served(scene: &Scene, does: &[&str]) -> Result<(), NotOurs> {
    scene.prepare()?;
    let watched = Watched::begin(&scene.own(), &scene.data)?;
    let store = Store::open(&scene.own(), StoreOptions::system()).unwrap();
    watched.check(&store)?;
    does.iter().for_each(|entry| drop(store.chain_append(entry).unwrap()));
    watched.end(&store)?;
    assert!(matches!(store.chain_append(&"late"), Err(StoreError::AtRest)));
    Ok(())
}

/// A server that is killed: nobody notes how it ended.
fn killed(scene: &Scene, does: &[&str]) -> Result<(), NotOurs> {
    scene.prepare()?;
    let watched = Watched::begin(&scene.own(), &scene.data)?;
    let store = Store::open(&scene.own(), StoreOptions::system()).unwrap();
    watched.check(&store)?;
    does.iter().for_each(|entry| drop(store.chain_append(entry).unwrap()));
    Ok(())
}

fn used() -> Scene {
    let scene = Scene::new();
    served(&scene, &["one"]).unwrap();
    served(&scene, &["two"]).unwrap();
    scene
}

/// Told when looked at and when opened, and used again at the person's word.
fn is_told(scene: &Scene, path: &Path) {
    for told in [scene.prepare(), check(&scene.own(), Some(&scene.data)), served(scene, &[])] {
        let told = told.unwrap_err();
        assert!(matches!(&told, NotOurs::Replaced(file) if file == path), "{told}");
        assert!(told.to_string().contains("/work'`"), "{told}");
    }
    assert!(scene.trust().unwrap());
    served(scene, &[]).unwrap();
}

#[test]
fn another_file_in_the_place_of_one_is_told_and_used_only_at_the_person_s_word() {
    for name in ["aside.db", "aside.journal"] {
        let scene = used();
        let (path, other) = (scene.own().join(name), scene.place.path().join("other"));
        fs::copy(&path, &other).unwrap();
        fs::rename(&other, &path).unwrap();
        is_told(&scene, &path);
        fs::remove_file(&path).unwrap();
        assert!(matches!(scene.prepare(), Err(NotOurs::Replaced(_))), "one that is gone, too");
    }
}

#[test]
fn a_database_written_over_in_place_with_entries_added_behind_is_told() {
    let scene = used();
    let (copy, path) = (scene.place.path().join("copy"), scene.own().join("aside.db"));
    fs::create_dir(&copy).unwrap();
    fs::copy(&path, copy.join("aside.db")).unwrap();
    let theirs = Store::open(&copy, StoreOptions::system()).unwrap();
    theirs.chain_append(&"theirs").unwrap();
    theirs.rest().unwrap();
    fs::write(&path, fs::read(copy.join("aside.db")).unwrap()).unwrap();
    is_told(&scene, &path);
}

#[test]
fn what_sqlite_would_take_for_changes_is_told_when_it_was_put_beside() {
    for name in ["aside.db-wal", "aside.db-journal"] {
        let scene = used();
        fs::write(scene.own().join(name), "").unwrap();
        scene.prepare().expect("an empty one says nothing");
        fs::write(scene.own().join(name), "pages of somebody else").unwrap();
        is_told(&scene, &scene.own().join(name));
    }
}

#[test]
fn after_a_kill_what_it_wrote_is_used() {
    let scene = used();
    killed(&scene, &["three"]).unwrap();
    fs::write(scene.own().join("aside.db-wal"), "not in order").unwrap();
    served(&scene, &["four"]).unwrap();
    served(&scene, &[]).unwrap();
}

/// As if the server had been killed so many seconds earlier than it was.
fn killed_earlier(scene: &Scene, seconds: i64) {
    let mut folders = fs::read_dir(scene.data.path().join("workspaces")).unwrap().flatten();
    let record = folders.find(|entry| entry.path().extension().is_some_and(|end| end == "json")).unwrap().path();
    let mut made: serde_json::Value = serde_json::from_str(&fs::read_to_string(&record).unwrap()).unwrap();
    let lived = made["files"]["lived"].as_i64().expect("it said that it lives");
    made["files"]["lived"] = (lived - seconds).into();
    fs::write(record, made.to_string()).unwrap();
}

#[test]
fn what_was_written_to_well_after_a_kill_is_told() {
    for name in ["aside.db", "aside.journal", "aside.db-wal", "aside.db-journal"] {
        let scene = used();
        killed(&scene, &["three"]).unwrap();
        killed_earlier(&scene, 60);
        scene.prepare().expect("its own last words");
        let path = scene.own().join(name);
        let bytes = fs::read(&path).unwrap_or_default();
        fs::write(&path, [&bytes[..], b"pages of somebody else"].concat()).unwrap();
        killed_earlier(&scene, 600);
        let told = scene.prepare().unwrap_err();
        assert!(matches!(&told, NotOurs::Replaced(_)), "{name}: {told}");
    }
}

#[test]
fn a_server_that_lives_says_so_until_it_has_ended() {
    let scene = used();
    let watched = Watched::begin(&scene.own(), &scene.data).unwrap();
    let store = Store::open(&scene.own(), StoreOptions::system()).unwrap();
    store.chain_append(&"three").unwrap();
    killed_earlier(&scene, 3600);
    assert!(matches!(scene.prepare(), Err(NotOurs::Replaced(_))), "nobody has said that it lived so long");
    watched.says_it_lives().unwrap();
    scene.prepare().unwrap();
    watched.end(&store).unwrap();
    watched.says_it_lives().unwrap();
    scene.write("aside.db-wal");
    assert!(matches!(scene.prepare(), Err(NotOurs::Replaced(_))), "its last word is how it left them");
}

#[test]
fn another_history_in_the_same_file_is_told_too() {
    let (scene, theirs) = (used(), Scene::new());
    killed(&scene, &[]).unwrap();
    theirs.prepare().unwrap();
    let other = Store::open(&theirs.own(), StoreOptions::system()).unwrap();
    (0..5).for_each(|number| drop(other.chain_append(&number).unwrap()));
    drop(other);
    for name in ["aside.db", "aside.journal"] {
        fs::write(scene.own().join(name), fs::read(theirs.own().join(name)).unwrap()).unwrap();
    }
    scene.prepare().expect("the files are the same ones, and nobody said how they were left");
    let told = served(&scene, &[]).unwrap_err();
    assert!(matches!(told, NotOurs::Replaced(_)), "{told}");
    scene.trust().unwrap();
    served(&scene, &[]).unwrap();
}
