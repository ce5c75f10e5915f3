use std::collections::BTreeMap;

use super::*;
use crate::files::tests::Tree;

fn around(variables: &[(&str, &str)]) -> Surroundings {
    let mut variables: BTreeMap<String, String> =
        variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    variables.entry("HOME".to_owned()).or_insert_with(|| "/home/ada".to_owned());
    Surroundings { variables, workspace: "/w".into() }
}

fn kernel(language: &str) -> String {
    format!(
        r#"{{"argv": ["python", "-f", "{{connection_file}}"], "display_name": "{language}", "language": "{language}"}}"#
    )
}

/// Finds kernels and says of each what it is called, whose it is and where it lies; then what else was found.
fn check(tree: &Tree, around: &Surroundings) -> Vec<String> {
    let kernels = find_kernels(tree, around);
    let kernel = |kernel: &FoundKernel| format!("{} {:?} {}", kernel.name, kernel.place, kernel.path);
    let found = &kernels.found;
    let mut lines: Vec<String> = found.kernels.iter().map(kernel).collect();
    let without = |WithoutKernel { interpreter, environment }: &WithoutKernel| match environment {
        Some(environment) => format!("without {interpreter}, in {environment}"),
        None => format!("without {interpreter}"),
    };
    lines.extend(found.without_kernel.iter().map(without));
    lines.extend(found.problems.iter().map(|problem| format!("problem {}: {}", problem.path, problem.message)));
    lines
}

#[test]
fn places_count_in_jupyters_order() {
    let at = |tree: Tree, folder: &str| tree.with(&format!("{folder}/kernels/calc/kernel.json"), &kernel("calc"));
    let folders = [
        "/named/a",
        "/named/b",
        "/active/share/jupyter",
        "/w/.venv/share/jupyter",
        "/home/ada/.local/share/jupyter",
        "/usr/local/share/jupyter",
        "/usr/share/jupyter",
    ];
    let around = around(&[("JUPYTER_PATH", "/named/a:relative:/named/b"), ("VIRTUAL_ENV", "/active")]);
    for first in 0..folders.len() {
        let tree = Tree::default().with("/w/.venv/pyvenv.cfg", "");
        let tree = folders[first..].iter().fold(tree, |tree, folder| at(tree, folder));
        assert!(check(&tree, &around)[0].ends_with(&format!("{}/kernels/calc", folders[first])), "{first}");
    }
}

#[test]
fn the_machines_folders_are_where_a_variable_says_or_nowhere() {
    let tree = Tree::default()
        .with("/usr/share/jupyter/kernels/calc/kernel.json", &kernel("calc"))
        .with("/opt/share/jupyter/kernels/calc/kernel.json", &kernel("calc"));
    let at = |folders: &str| check(&tree, &around(&[("ASIDE_SYSTEM_JUPYTER", folders)]));
    assert_eq!(at("/opt/share/jupyter:relative"), ["calc System /opt/share/jupyter/kernels/calc"]);
    assert!(at("").is_empty());
}

#[test]
fn the_person_may_come_before_environments() {
    let tree = Tree::default()
        .with("/active/share/jupyter/kernels/python3/kernel.json", &kernel("python"))
        .with("/data/kernels/python3/kernel.json", &kernel("python"));
    let mut variables = vec![("VIRTUAL_ENV", "/active"), ("JUPYTER_DATA_DIR", "/data")];
    assert_eq!(
        check(&tree, &around(&variables)),
        ["python3 Environment /active/share/jupyter/kernels/python3"],
        "the person's is hidden"
    );
    variables.push(("JUPYTER_PREFER_ENV_PATH", "0"));
    assert_eq!(
        check(&tree, &around(&variables)),
        ["python3 Person /data/kernels/python3", "python3@/active Environment /active/share/jupyter/kernels/python3"]
    );
}

#[test]
fn the_base_of_conda_stands_behind_the_persons() {
    let tree = Tree::default()
        .with("/conda/share/jupyter/kernels/python3/kernel.json", &kernel("python"))
        .with("/home/ada/.local/share/jupyter/kernels/python3/kernel.json", &kernel("python"));
    let base = [("CONDA_PREFIX", "/conda"), ("CONDA_DEFAULT_ENV", "base")];
    let first = |variables: &[_]| check(&tree, &around(variables)).remove(0);
    assert!(first(&base).starts_with("python3 Person"));
    assert!(first(&base[..1]).starts_with("python3 Environment"));
}

#[test]
fn every_environment_of_the_workspace_is_seen() {
    let python = "share/jupyter/kernels/python3/kernel.json";
    let tree = Tree::default()
        .with("/w/.venv/pyvenv.cfg", "")
        .with("/w/.venv/bin/python", "")
        .with("/w/.venv/lib/python3.12/site-packages/ipykernel_launcher.py", "")
        .with("/w/.conda/conda-meta/history", "")
        .with(&format!("/w/.conda/{python}"), &kernel("python"))
        .with("/w/.pixi/envs/gpu/conda-meta/pixi", "")
        .with(&format!("/w/.pixi/envs/gpu/{python}"), &kernel("python"))
        .with("/w/.pixi/envs/gpu/share/jupyter/kernels/ir/kernel.json", &kernel("R"))
        .with("/w/env/pyvenv.cfg", "")
        .with("/w/env/bin/python", "")
        .with("/w/venv/share/jupyter/kernels/python3/kernel.json", "no environment: it has no mark");
    assert_eq!(
        check(&tree, &around(&[])),
        [
            "python3 Workspace /w/.venv/bin/python",
            "python3@.conda Workspace /w/.conda/share/jupyter/kernels/python3",
            "ir Workspace /w/.pixi/envs/gpu/share/jupyter/kernels/ir",
            "python3@.pixi/envs/gpu Workspace /w/.pixi/envs/gpu/share/jupyter/kernels/python3",
            "without /w/env/bin/python, in env",
        ]
    );
}

#[test]
fn the_python_of_the_path_has_its_own_folder() {
    let tree = Tree::default()
        .with("/opt/py/bin/python3", "")
        .with("/opt/py/share/jupyter/kernels/python3/kernel.json", &kernel("python"));
    let around = around(&[("PATH", "/nothing:/opt/py/bin")]);
    assert_eq!(check(&tree, &around), ["python3 System /opt/py/share/jupyter/kernels/python3"]);
    let kernels = find_kernels(&tree, &around);
    let (_, spec) = kernels.get("PYTHON3").expect("case is no difference");
    assert_eq!(spec.command(Path::new("/c.json")), ["/opt/py/bin/python", "-f", "/c.json"]);
    assert!(kernels.of_language("Python").is_some() && kernels.of_language("R").is_none());
}

#[test]
fn a_wrong_description_is_told_and_the_next_one_of_its_name_counts() {
    let tree = Tree::default()
        .with("/usr/local/share/jupyter/kernels/calc/kernel.json", "{\n \"argv\": [}")
        .with("/usr/share/jupyter/kernels/calc/kernel.json", &kernel("calc"))
        .with("/usr/share/jupyter/kernels/b d/kernel.json", &kernel("calc"))
        .with("/usr/share/jupyter/kernels/empty/logo.png", "");
    assert_eq!(
        check(&tree, &around(&[])),
        [
            "calc System /usr/share/jupyter/kernels/calc",
            "problem /usr/local/share/jupyter/kernels/calc/kernel.json: not JSON: expected value at line 2 column 11",
            "problem /usr/share/jupyter/kernels/b d/kernel.json: its folder's name may only hold letters, digits, `.`, `_` and `-`",
        ]
    );
}
