//! Regular expressions are looked for in the files.

use crate::common::IndexScene;

#[test]
fn expression_is_found_in_files_and_cells() {
    let book = br#"{"cells": [{"cell_type": "markdown", "metadata": {}, "source": ["no"]},
        {"cell_type": "code", "metadata": {}, "execution_count": null, "outputs": [], "source": ["h2 = 3"]}],
        "metadata": {}, "nbformat": 4, "nbformat_minor": 4}"#;
    let scene = IndexScene::with(&[
        ("a.md", b"---\ntags: [sea]\n---\nh1 high\nlow h22\n"),
        ("src/b.py", b"H9 = 1\nx = 2\n"),
        ("lab.ipynb", book),
    ]);
    assert_eq!(scene.found("/h[0-9]/"), ["a.md:4", "a.md:5", "lab.ipynb:2", "src/b.py:1"]);
    assert_eq!(scene.found("/h\\d+/ low"), ["a.md:5"], "on one line");
    assert_eq!(scene.found("/h\\d/ /^low/"), ["a.md:5"]);
    assert_eq!(scene.found("/h\\d/ -high -\"= 3\""), ["a.md:5", "src/b.py:1"], "lines without these");
    assert_eq!(scene.found("/h\\d/ path:SRC/"), ["src/b.py:1"]);
    assert_eq!(scene.found("/h\\d/ -kind:note -kind:code"), ["lab.ipynb:2"]);
    assert_eq!(scene.found("/h\\d/ tag:sea"), ["a.md:4", "a.md:5"]);
    assert_eq!(scene.found("/h\\d/ tag:land"), [""; 0]);
    scene.write("new.txt", b"h7\n");
    assert_eq!(scene.found("/h7/"), ["new.txt:1"], "a moment later");
}
