//! The crate table of ARCHITECTURE.md, compared with the manifests.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use super::{dependencies::dependencies, read};
use crate::run::root;

type Edges = BTreeMap<String, BTreeSet<String>>;

/// A row of the crate table.
struct Row {
    layer: u8,
    name: String,
    /// The crates that it may depend on.
    allowed: BTreeSet<String>,
}

/// Names every edge that the table and the manifests do not share, and every row out of order.
pub fn problems() -> Result<Vec<String>, String> {
    let table = table(&read("ARCHITECTURE.md")?)?;
    Ok([compare(&table, &manifests()?), upward(&table)].concat())
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
    // Every crate may use macros: they know of nothing.
    dependencies(manifest).into_iter().filter(|name| name.starts_with("aside-") && name != "aside-macros").collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_depend_only_as_the_table_says() {
        let problems = problems().unwrap();
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
}
