//! `cargo xtask tidy`: what the compiler doesn't check. The crate table of ARCHITECTURE.md is compared
//! with the manifests, every dependency has its line of reason, long files are named.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use crate::run::root;

/// Files longer than this hold a second idea, or a table.
const LONGEST_FILE: usize = 600;

type Edges = BTreeMap<String, BTreeSet<String>>;

/// A row of the crate table.
struct Row {
    layer: u8,
    name: String,
    /// What it may depend on.
    allowed: BTreeSet<String>,
}

/// Checks the tree and names everything that is wrong at once.
pub fn tidy() -> Result<(), String> {
    let table = table(&read("ARCHITECTURE.md")?)?;
    let mut problems = compare(&table, &manifests()?);
    problems.extend(upward(&table));
    problems.extend(unexplained_dependencies()?);
    problems.extend(long_files());
    if problems.is_empty() { Ok(()) } else { Err(format!("the tree is not tidy:\n  {}", problems.join("\n  "))) }
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(root().join(path)).map_err(|error| format!("cannot read {path}: {error}"))
}

/// Reads the rows ``| n | `crate` | purpose | dependencies | must not know |`` of the table.
fn table(text: &str) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, layer, name, _purpose, dependencies, _absent, _] = cells[..] else { continue };
        let Some(name) = name.strip_prefix('`').and_then(|name| name.strip_suffix('`')) else { continue };
        let Ok(layer) = layer.parse() else { continue };
        let allowed = dependencies
            .split(',')
            .map(|word| word.trim())
            .filter(|word| !word.is_empty() && *word != "–")
            .map(|word| format!("aside-{word}"))
            .collect();
        rows.push(Row { layer, name: name.to_owned(), allowed });
    }
    if rows.is_empty() { Err("ARCHITECTURE.md has no crate table".to_owned()) } else { Ok(rows) }
}

/// Reads the `[dependencies]` on our own crates from every manifest.
fn manifests() -> Result<Edges, String> {
    let mut edges = Edges::new();
    let folder = fs::read_dir(root().join("crates")).map_err(|error| format!("cannot list crates: {error}"))?;
    for entry in folder.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if matches!(name.as_str(), "aside-macros" | "aside-testkit") {
            continue;
        }
        let manifest = read(&format!("crates/{name}/Cargo.toml"))?;
        edges.insert(name, own_dependencies(&manifest));
    }
    Ok(edges)
}

fn own_dependencies(manifest: &str) -> BTreeSet<String> {
    // Macros know of nothing: every crate may use them.
    dependencies(manifest).into_iter().filter(|name| name.starts_with("aside-") && name != "aside-macros").collect()
}

/// The names under `[dependencies]`; tests may depend on more.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    manifest
        .lines()
        .skip_while(|line| line.trim() != "[dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split(['.', '=', ' ']).next())
        .filter(|name| !name.is_empty() && !name.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

/// Crates depend on lower layers only, and stand in the order of their layers.
fn upward(table: &[Row]) -> Vec<String> {
    let layers: BTreeMap<&str, u8> = table.iter().map(|row| (row.name.as_str(), row.layer)).collect();
    let mut problems = Vec::new();
    for row in table {
        let above =
            row.allowed.iter().filter(|name| layers.get(name.as_str()).is_some_and(|layer| *layer >= row.layer));
        problems.extend(above.map(|name| format!("`{}` may depend on `{name}`, which is in no lower layer", row.name)));
    }
    let pairs = table.iter().zip(table.iter().skip(1)).filter(|(row, next)| row.layer > next.layer);
    problems.extend(pairs.map(|(row, next)| format!("`{}` stands above `{}`, of a lower layer", row.name, next.name)));
    problems
}

fn compare(table: &[Row], found: &Edges) -> Vec<String> {
    let mut problems = Vec::new();
    let allowed: BTreeMap<&str, &BTreeSet<String>> =
        table.iter().map(|row| (row.name.as_str(), &row.allowed)).collect();
    for (name, dependencies) in found {
        let Some(allowed) = allowed.get(name.as_str()) else {
            problems.push(format!("`{name}` is missing from the crate table of ARCHITECTURE.md"));
            continue;
        };
        for extra in dependencies.difference(allowed) {
            problems.push(format!("`{name}` depends on `{extra}`: not in the crate table of ARCHITECTURE.md"));
        }
        for unused in allowed.difference(dependencies) {
            problems.push(format!("the crate table lets `{name}` depend on `{unused}`, and it does not: take it out"));
        }
    }
    for gone in allowed.keys().filter(|name| !found.contains_key(**name)) {
        problems.push(format!("the crate table has `{gone}`, and there is no such crate"));
    }
    problems
}

/// Every outside crate and npm package in use has a line `- name: why` in docs/dependencies.md.
fn unexplained_dependencies() -> Result<Vec<String>, String> {
    let reasons = read("docs/dependencies.md")?;
    let explained: BTreeSet<&str> = reasons
        .lines()
        .filter_map(|line| line.strip_prefix("- ")?.split_once(':'))
        .flat_map(|(names, _)| names.split(','))
        .map(|name| name.trim().trim_matches('`'))
        .collect();
    let mut used = dependencies(&read("Cargo.toml")?.replace("[workspace.dependencies]", "[dependencies]"));
    used.retain(|name| !name.starts_with("aside-"));
    used.extend(npm_packages(&read("web/package.json").unwrap_or_default()));
    for name in ["history", "kernels", "llm", "mcp"] {
        used.extend(npm_packages(&read(&format!("crates/aside-{name}/suite/package.json")).unwrap_or_default()));
    }
    Ok(used
        .iter()
        .filter(|name| !explained.contains(name.as_str()))
        .map(|name| format!("docs/dependencies.md does not say why `{name}` is there"))
        .collect())
}

/// The keys of `dependencies` and `devDependencies`, read line by line as npm formats them.
fn npm_packages(manifest: &str) -> Vec<String> {
    let mut inside = false;
    let mut names = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with("\"dependencies\"") || line.starts_with("\"devDependencies\"") {
            inside = true;
        } else if line.starts_with('}') {
            inside = false;
        } else if inside && let Some(name) = line.split('"').nth(1) {
            names.push(name.to_owned());
        }
    }
    names
}

fn long_files() -> Vec<String> {
    let mut problems = Vec::new();
    for folder in ["crates", "xtask", "web/src"] {
        walk(&root().join(folder), &mut |path| {
            let lines = fs::read_to_string(path).map_or(0, |text| text.lines().count());
            if lines > LONGEST_FILE {
                problems.push(format!("{} has {lines} lines: look for the second idea in it", path.display()));
            }
        });
    }
    problems
}

fn walk(folder: &Path, visit: &mut impl FnMut(&PathBuf)) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() && !matches!(name.as_str(), "gen" | "node_modules" | "snapshots" | "target") {
            walk(&path, visit);
        } else if [".rs", ".ts", ".tsx", ".css"].iter().any(|ending| name.ends_with(ending)) {
            visit(&path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_depend_only_as_the_table_says() {
        let table = table(&read("ARCHITECTURE.md").unwrap()).unwrap();
        let problems = [compare(&table, &manifests().unwrap()), upward(&table)].concat();
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }

    #[test]
    fn an_edge_that_is_not_in_the_table_is_found() {
        let row = "| 3 | `aside-agent` | the turn loop | core, gate | files |";
        let allowed = table(row).unwrap();
        let manifest = "[dependencies]\naside-core.workspace = true\naside-workspace = { path = \"x\" }\n[dev-dependencies]\naside-doc.workspace = true\n";
        let found = Edges::from([("aside-agent".to_owned(), own_dependencies(manifest))]);
        let problems = compare(&allowed, &found).join("\n");
        assert!(problems.contains("depends on `aside-workspace`"), "{problems}");
        assert!(problems.contains("lets `aside-agent` depend on `aside-gate`"), "{problems}");
        assert!(!problems.contains("aside-doc"), "{problems}");
    }

    #[test]
    fn an_edge_to_the_same_layer_or_a_row_out_of_order_is_found() {
        let rows = "| 1 | `aside-doc` | texts | store | – |\n| 1 | `aside-store` | rows | core | – |\n| 0 | `aside-core` | words | – | – |";
        let problems = upward(&table(rows).unwrap());
        assert_eq!(
            problems,
            [
                "`aside-doc` may depend on `aside-store`, which is in no lower layer",
                "`aside-store` stands above `aside-core`, of a lower layer"
            ]
        );
    }

    #[test]
    fn npm_packages_are_read_from_both_lists() {
        let text = "{\n \"dependencies\": {\n  \"yjs\": \"1\"\n },\n \"devDependencies\": {\n  \"vite\": \"8\"\n }\n}";
        assert_eq!(npm_packages(text), ["yjs", "vite"]);
    }
}
