//! Programs that some tests need: installed where that is possible, and tried, since one that is there may be forbidden to
//! do its work. Tests are told what works; one that then can't use it fails, instead of being left out in silence.

use std::fs;

use crate::{
    run::{command, quiet, target},
    tools::{install, version_of},
};

/// Names what works, separated by commas, for the tests.
pub const HAS: &str = "ASIDE_TEST_HAS";

/// A program that some tests need.
struct Needed {
    name: &'static str,
    /// What it consists of.
    programs: &'static [&'static str],
    /// The Debian packages that it is in.
    packages: &'static str,
    works: fn() -> Result<(), String>,
    /// What is not tested without it.
    without: &'static str,
}

const NEEDED: &[Needed] = &[
    Needed {
        name: "strace",
        programs: &["strace"],
        packages: "strace",
        works: strace,
        without: "connections under Local only",
    },
    Needed {
        name: "bubblewrap",
        programs: &["bwrap"],
        packages: "bubblewrap",
        works: bubblewrap,
        without: "commands in bubblewrap",
    },
    Needed {
        name: "tex",
        programs: &["latexmk", "pdflatex"],
        packages: "latexmk texlive-latex-recommended texlive-fonts-recommended biber",
        works: tex,
        without: "real builds of LaTeX documents",
    },
    Needed {
        name: "makeglossaries",
        programs: &["makeglossaries"],
        packages: "texlive-latex-extra",
        works: || quiet("makeglossaries", command("makeglossaries", ".").arg("--version")).map(drop),
        without: "glossaries in LaTeX documents",
    },
    Needed {
        name: "pythontex",
        programs: &["pythontex"],
        packages: "texlive-extra-utils texlive-latex-extra python3-pygments",
        works: || quiet("pythontex", command("pythontex", ".").arg("--version")).map(drop),
        without: "Python code in LaTeX documents",
    },
    Needed {
        name: "Rscript",
        programs: &["Rscript"],
        packages: "r-cran-knitr",
        works: || quiet("Rscript", command("Rscript", ".").args(["-e", "library(knitr)"])).map(drop),
        without: "R code in LaTeX documents",
    },
];

/// What works here, and what is not tested since something does not.
#[derive(Default)]
pub struct Found {
    pub working: Vec<&'static str>,
    pub not_tested: Vec<String>,
}

/// Installs what is missing, where that is possible, and tries everything.
pub fn find() -> Result<Found, String> {
    let is_missing = |needed: &&Needed| needed.programs.iter().any(|program| version_of(program).is_none());
    let missing: Vec<_> = NEEDED.iter().filter(is_missing).map(|needed| needed.packages).collect();
    if !missing.is_empty() {
        // In one go: to read the lists of packages takes longer than to install most of them.
        install(&missing.join(" "), "install programs that tests start")?;
    }
    let mut found = Found::default();
    for Needed { name, packages, works, without, .. } in NEEDED {
        match works() {
            Ok(()) => found.working.push(*name),
            Err(why) => found.not_tested.push(format!(
                "NOT TESTED: {without}, because {name} does not work here (`sudo apt-get install {packages}`): {}",
                why.trim()
            )),
        }
    }
    Ok(found)
}

fn strace() -> Result<(), String> {
    quiet("strace", command("strace", ".").args(["-qq", "-e", "trace=none", "true"])).map(drop)
}

/// With the namespaces that commands get: a kernel can forbid them.
fn bubblewrap() -> Result<(), String> {
    let arguments =
        ["--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "true"];
    quiet("bwrap", command("bwrap", ".").args(arguments)).map(drop)
}

fn tex() -> Result<(), String> {
    let folder = target("tex-tried");
    let document = "\\documentclass{article}\\begin{document}Text.\\end{document}\n";
    let failed = |error| format!("cannot write to {}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(failed)?;
    fs::write(folder.join("tried.tex"), document).map_err(failed)?;
    let mut build = command("latexmk", ".");
    build.current_dir(&folder).args(["-pdf", "-g", "-interaction=batchmode", "tried.tex"]);
    quiet("latexmk", &mut build).map(drop)
}
