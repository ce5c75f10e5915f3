//! What is found of the programs that Aside works with, and what to install.

use aside_core::{FoundProgram, FoundPython};

use super::Check;

/// Python, and the package that notebooks need.
pub(super) fn python(found: &FoundPython) -> Check {
    let Some(path) = &found.path else {
        return Check::look("Python", "not found", install("python3", "`brew install python`"));
    };
    let version = found.version.as_ref().map(|version| format!(" {version}")).unwrap_or_default();
    match (found.ipykernel, &found.note) {
        (Some(true), _) => Check::good("Python", format!("{path}{version}, with ipykernel")),
        (Some(false), _) => {
            let todo = format!("for notebooks: `{path} -m pip install ipykernel`");
            Check::look("Python", format!("{path}{version}, without ipykernel"), todo)
        }
        (None, note) => {
            let note = note.as_deref().unwrap_or("it did not answer");
            Check::look(
                "Python",
                format!("{path}: {note}"),
                "start Aside in an environment whose `python3` is the one you want",
            )
        }
    }
}

/// What builds LaTeX: Tectonic, or an engine and, better, latexmk around it.
pub(super) fn latex(found: &[FoundProgram]) -> Check {
    let has = |name: &str| found.iter().any(|one| one.name == name && one.path.is_some());
    let here: Vec<_> = found.iter().filter_map(|one| Some(format!("{} ({})", one.name, one.path.as_ref()?))).collect();
    let engine = ["pdflatex", "xelatex", "lualatex"].into_iter().any(has);
    if !engine && !has("tectonic") {
        return Check::look("LaTeX", "no program to build documents", everything());
    }
    // Where Tectonic is, it stands for all of these.
    let missing: Vec<&str> = found.iter().filter(|one| one.path.is_none()).map(|one| &*one.name).collect();
    let mut parts: Vec<&str> = missing.iter().filter_map(|name| part(name)).collect();
    parts.dedup();
    let words = format!("{}; not found: {}", here.join(", "), missing.join(", "));
    match parts.is_empty() {
        true if missing.is_empty() => Check::good("LaTeX", here.join(", ")),
        true => Check::good("LaTeX", words),
        false => {
            Check { todo: Some(install(&parts.join(" "), "MacTeX includes all of it")), ..Check::good("LaTeX", words) }
        }
    }
}

fn everything() -> String {
    install(
        "latexmk texlive-latex-recommended texlive-bibtex-extra biber texlive-binaries",
        "`brew install --cask mactex-no-gui`, or `brew install tectonic`",
    )
}

/// The Debian package that has a program; Tectonic is not needed beside the others.
fn part(program: &str) -> Option<&'static str> {
    match program {
        "latexmk" => Some("latexmk"),
        "pdflatex" => Some("texlive-latex-recommended"),
        "xelatex" => Some("texlive-xetex"),
        "lualatex" => Some("texlive-luatex"),
        "biber" => Some("biber"),
        "bibtex" | "synctex" => Some("texlive-binaries"),
        _ => None,
    }
}

fn install(debian: &str, mac: &str) -> String {
    match cfg!(target_os = "macos") {
        true => mac.to_owned(),
        false => format!("`apt install {debian}`, or your system's packages of that kind"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::State;

    fn check(names: &[&str]) -> Check {
        let all = ["latexmk", "tectonic", "pdflatex", "xelatex", "lualatex", "biber", "bibtex", "synctex"];
        let program = |name: &&str| FoundProgram {
            name: (*name).to_owned(),
            path: names.contains(name).then(|| format!("/usr/bin/{name}")),
        };
        latex(&all.iter().map(program).collect::<Vec<_>>())
    }

    #[test]
    fn latex_says_what_is_there_and_what_to_install() {
        assert_eq!(check(&["bibtex"]).state, State::Look);
        let tectonic = check(&["tectonic"]);
        assert!(
            tectonic.state == State::Good && tectonic.found.starts_with("tectonic (/usr/bin/tectonic); not found: ")
        );
        let most = check(&["latexmk", "pdflatex", "lualatex", "biber", "bibtex"]);
        assert!(most.found.ends_with("not found: tectonic, xelatex, synctex"), "{most:?}");
        #[cfg(not(target_os = "macos"))]
        assert!(most.todo.unwrap().starts_with("`apt install texlive-xetex texlive-binaries`"));
        let all = check(&["latexmk", "tectonic", "pdflatex", "xelatex", "lualatex", "biber", "bibtex", "synctex"]);
        assert!(all.todo.is_none() && !all.found.contains("not found"));
    }

    #[test]
    fn python_without_ipykernel_says_how_to_get_it() {
        let of = |ipykernel| FoundPython {
            path: Some("/usr/bin/python3".to_owned()),
            version: Some("3.12.1".to_owned()),
            ipykernel: Some(ipykernel),
            note: None,
        };
        assert_eq!(python(&of(true)), Check::good("Python", "/usr/bin/python3 3.12.1, with ipykernel"));
        assert!(python(&of(false)).todo.unwrap().contains("/usr/bin/python3 -m pip install ipykernel"));
        assert_eq!(python(&FoundPython::default()).state, State::Look);
    }
}
