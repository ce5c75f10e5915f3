//! Which stages beside setting a document needs.

use serde::{Deserialize, Serialize};

use super::scan::{code, package, uses};

/// What a main file asks for. Only its own text is looked at; what chapters load is not seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Needs {
    /// R code, by the name of the file.
    pub knitr: bool,
    /// The package sagetex.
    pub sagetex: bool,
    /// The package pythontex.
    pub pythontex: bool,
    /// The program of the bibliography: `bibtex` or `biber`.
    pub bibliography: Option<String>,
    /// An index.
    pub index: bool,
    /// A glossary.
    pub glossary: bool,
    /// A package that wants to run programs.
    pub shell: bool,
}

/// What the main file `name` with this text asks for.
pub fn needs(name: &str, text: &str) -> Needs {
    let ends = |end: &str| name.to_ascii_lowercase().ends_with(end);
    let loaded = |names: &[&str]| names.iter().any(|name| package(text, name).is_some());
    let says = |command: &str| code(text).any(|line| line.contains(command));
    Needs {
        knitr: ends(".rnw") || ends(".rtex"),
        sagetex: loaded(&["sagetex"]),
        pythontex: loaded(&["pythontex"]),
        bibliography: bibliography(text),
        index: says("\\makeindex"),
        glossary: says("\\makeglossaries"),
        shell: loaded(&["shellesc", "gnuplottex", "svg", "auto-pst-pdf"])
            || package(text, "minted").is_some_and(|options| !options.contains("frozencache")),
    }
}

fn bibliography(text: &str) -> Option<String> {
    if let Some(options) = package(text, "biblatex") {
        let bibtex = options.split(',').any(|option| {
            let option: String = option.chars().filter(|sign| !sign.is_whitespace()).collect();
            option.starts_with("backend=bibtex")
        });
        return Some(if bibtex { "bibtex" } else { "biber" }.to_owned());
    }
    uses(text, "\\bibliography").next().map(|_| "bibtex".to_owned())
}
