//! The index file can be thrown away at any time.
#![allow(clippy::disallowed_methods, reason = "sets the scene")]

use std::{fs, time::SystemTime};

use crate::common::IndexScene;

const FILES: [(&str, &[u8]); 2] = [("a.md", b"tide one\n"), ("b.md", b"neap two\n")];

#[test]
fn torn_index_is_made_again() {
    let mut scene = IndexScene::with(&FILES);
    scene.close();
    let file = scene.path(".aside/search.db");
    let bytes = fs::read(&file).unwrap();
    for torn in [&bytes[..bytes.len() / 2], b"no database at all, but long enough to be taken for one".as_slice(), b""]
    {
        fs::write(&file, torn).unwrap();
        scene.open();
        scene.wait();
        assert_eq!((scene.found("tide"), scene.found("neap")), (vec!["a.md:1".to_owned()], vec!["b.md:1".to_owned()]));
        scene.close();
    }
}

#[test]
fn damage_while_open_is_mended() {
    let scene = IndexScene::with(&FILES);
    let file = scene.path(".aside/search.db");
    let length = fs::metadata(&file).unwrap().len() as usize;
    fs::write(&file, vec![0x55; length]).unwrap();
    for name in ["search.db-wal", "search.db-shm"] {
        let _ = fs::remove_file(scene.path(&format!(".aside/{name}")));
    }
    scene.write("c.md", b"moon\n");
    scene.until(|scene| scene.found("moon") == ["c.md:1"] && scene.found("tide") == ["a.md:1"]);
}

#[test]
fn next_start_reads_only_changed_files() {
    let mut scene = IndexScene::with(&FILES);
    let time = fs::metadata(scene.path("a.md")).unwrap().modified().unwrap();
    scene.close();
    // Nobody can see this change without reading the file.
    scene.write("a.md", b"tide six\n");
    set_time(&scene, "a.md", time);
    scene.write("b.md", b"spring three\n");
    scene.open();
    scene.wait();
    assert_eq!(scene.found("one"), ["a.md:1"], "not read again");
    assert_eq!((scene.found("spring"), scene.found("neap")), (vec!["b.md:1".to_owned()], Vec::new()));
    scene.close();
    fs::remove_file(scene.path("b.md")).unwrap();
    scene.open();
    scene.wait();
    assert_eq!(scene.ask("tide").progress.of, 1);
}

fn set_time(scene: &IndexScene, path: &str, time: SystemTime) {
    fs::File::options().write(true).open(scene.path(path)).unwrap().set_modified(time).unwrap();
}
