//! The index follows files and live documents.
#![allow(clippy::disallowed_methods, reason = "sets the scene")]

use std::fs;

use aside_doc::AnchoredEdit;

use crate::common::IndexScene;

const NOTES: [(&str, &[u8]); 3] = [
    ("tides.md", b"---\ntags: [Sea]\n---\n# Tides\n\nThe moon raises the water.\n- [ ] measure\n"),
    ("x/harbour.md", b"Boats rise twice a day.\n"),
    ("run.py", b"def heights():\n    return read_csv('tides.csv')\n"),
];

#[test]
fn places_are_found_with_lines_and_marks() {
    let scene = IndexScene::with(&NOTES);
    let answer = scene.ask("moon");
    let place = &answer.places[0];
    assert_eq!(
        (place.path.as_str(), place.line, place.title.as_str(), place.kind.name()),
        ("tides.md", 6, "Tides", "note")
    );
    assert_eq!(
        (place.text.as_str(), place.marks.as_slice()),
        ("The moon raises the water.\n- [ ] measure", &[[4, 8]][..])
    );
    assert_eq!((answer.progress.done, answer.progress.of, answer.progress.reading), (3, 3, false));
    assert_eq!(scene.found("tag:sea has:todo water"), ["tides.md:6"]);
    assert_eq!(scene.found("kind:code csv"), ["run.py:2"]);
}

#[test]
fn saved_change_is_searched_at_once() {
    let scene = IndexScene::with(&NOTES);
    scene.write("tides.md", b"The sun too.\n");
    scene.until(|scene| scene.found("sun") == ["tides.md:1"]);
    assert_eq!(scene.found("moon"), [""; 0]);
    scene.write("new/deep/n.md", b"A narwhal.\n");
    scene.until(|scene| scene.found("narwhal") == ["new/deep/n.md:1"]);
    scene.write("new/deep/n.md", b"A walrus, longer.\n");
    scene.until(|scene| scene.found("walrus") == ["new/deep/n.md:1"]);
}

#[test]
fn deleted_or_emptied_file_is_never_found() {
    let scene = IndexScene::with(&NOTES);
    assert_eq!(scene.found("moon"), ["tides.md:6"]);
    fs::remove_file(scene.path("tides.md")).unwrap();
    assert_eq!(scene.found("moon"), [""; 0], "before any news of it");
    scene.write("x/harbour.md", b"");
    assert_eq!(scene.found("boats"), [""; 0], "before any news of it");
    scene.write("run.py", b"other = 1\n");
    assert_eq!(scene.found("heights"), [""; 0], "a found file is looked at");
}

#[test]
fn renamed_folder_moves_its_documents() {
    let scene = IndexScene::with(&NOTES);
    fs::rename(scene.path("x"), scene.path("y")).unwrap();
    scene.until(|scene| scene.found("boats") == ["y/harbour.md:1"]);
    fs::remove_dir_all(scene.path("y")).unwrap();
    assert_eq!(scene.found("boats"), [""; 0]);
}

#[test]
fn live_text_is_searched_before_it_is_saved() {
    let scene = IndexScene::with(&NOTES);
    let document = scene.opened().workspace.document(&"x/harbour.md".parse().unwrap()).unwrap();
    let edit = AnchoredEdit {
        old: Some("Boats rise twice a day.".to_owned()),
        new: "Dinghies rise twice a day.".to_owned(),
        ..AnchoredEdit::default()
    };
    let action = "act_01kahz8v9k0000000000000000".parse().unwrap();
    document.apply(None, &[edit], &action, None).unwrap();
    scene.until(|scene| scene.found("dinghies") == ["x/harbour.md:1"]);
    assert_eq!(scene.found("boats"), [""; 0]);
}

#[test]
fn related_documents_leave_out_the_document_itself() {
    let scene = IndexScene::with(&[
        ("a.md", b"Tidal harbour moorings and dinghies.\n"),
        ("b.md", b"Dinghies at the moorings of a tidal harbour.\n"),
        ("c.md", b"Recipes for bread.\n"),
    ]);
    let asked = scene.opened().index.related("a.md", 5);
    let answer = tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(asked).unwrap();
    let paths: Vec<_> = answer.places.iter().map(|place| place.path.as_str()).collect();
    assert_eq!(paths, ["b.md"]);
}
