//! The reason of every outside crate and npm package, in docs/dependencies.md.

use std::collections::BTreeSet;

use super::read;

/// Every outside crate and npm package in use has a line `- name: why` in docs/dependencies.md.
pub fn unexplained() -> Result<Vec<String>, String> {
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

/// The names under `[dependencies]`; tests may depend on more.
pub fn dependencies(manifest: &str) -> BTreeSet<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn npm_packages_are_read_from_both_lists() {
        let text = "{\n \"dependencies\": {\n  \"yjs\": \"1\"\n },\n \"devDependencies\": {\n  \"vite\": \"8\"\n }\n}";
        assert_eq!(npm_packages(text), ["yjs", "vite"]);
    }
}
