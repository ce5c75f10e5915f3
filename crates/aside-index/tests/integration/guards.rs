//! Bad files, and files that are not for a search.

use crate::common::IndexScene;

#[test]
fn bad_files_are_found_by_name() {
    let large = "x".repeat(3 << 20).into_bytes();
    let scene = IndexScene::with(&[
        ("good.md", b"tide\n"),
        ("binary.txt", b"tide\0\x01\x02"),
        ("latin1.md", b"tide caf\xe9\n"),
        ("broken.ipynb", b"{\"cells\": [tide"),
        ("huge.log", &large),
        ("picture.png", b"tide"),
    ]);
    assert_eq!(scene.found("tide"), ["good.md:1"]);
    assert_eq!(scene.found("huge"), ["huge.log:1"]);
    assert_eq!(scene.found("broken"), ["broken.ipynb:1"]);
    let progress = scene.ask("tide").progress;
    let reasons: Vec<_> = progress.named.iter().map(|file| (file.path.as_str(), file.reason.as_str())).collect();
    assert_eq!(progress.left_out, 4);
    assert_eq!(reasons[0], ("binary.txt", "no text in UTF-8"));
    assert!(reasons[1].1.starts_with("no notebook: "), "{}", reasons[1].1);
    assert_eq!(reasons[2..], [("huge.log", "larger than 2 MB"), ("latin1.md", "no text in UTF-8")]);
}

#[test]
fn ignored_and_hidden_files_are_never_found() {
    let scene = IndexScene::with(&[
        ("a.md", b"tide\n"),
        (".gitignore", b"out/\nsecret.txt\n"),
        ("out/b.md", b"tide\n"),
        ("secret.txt", b"tide\n"),
        (".env", b"KEY=tide\n"),
        (".obsidian/c.md", b"tide\n"),
    ]);
    assert_eq!(scene.found("tide"), ["a.md:1"]);
    scene.write(".env", b"KEY=tide2\n");
    scene.write("out/d.md", b"tide\n");
    scene.write("b.md", b"neap\n");
    scene.until(|scene| scene.found("neap") == ["b.md:1"]);
    assert_eq!(scene.found("tide"), ["a.md:1"]);
    scene.write(".gitignore", b"a.md\n");
    scene.until(|scene| {
        let mut found = scene.found("tide");
        found.sort();
        found == ["out/b.md:1", "out/d.md:1", "secret.txt:1"]
    });
}

#[test]
fn notebooks_are_found_by_cell_with_their_outputs() {
    let notebook = br#"{"cells": [
        {"cell_type": "markdown", "metadata": {}, "source": ["About tides"]},
        {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": ["mean()"], "outputs": [
            {"output_type": "stream", "name": "stdout", "text": ["average 2.5 metres\n"]}]}
    ], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}"#;
    let scene = IndexScene::with(&[("n.ipynb", notebook)]);
    assert_eq!(scene.found("average"), ["n.ipynb:2"]);
    assert_eq!(scene.found("kind:notebook tides"), ["n.ipynb:1"]);
}
