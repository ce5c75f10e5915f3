//! What is kept of builds goes along when a document, or a part of it, gets another name.

use aside_core::{LatexBuild, WorkspacePath};

use super::document::is_latex;
use crate::{Workspace, WorkspaceError, confined::EntryKind};

impl Workspace {
    /// Has what is kept of builds follow a file, or all files of a folder, to their other names.
    pub(crate) fn carry_latex(&self, from: &WorkspacePath, to: &WorkspacePath) -> Result<(), WorkspaceError> {
        let moved = |path: &WorkspacePath| path.moved(from, to).unwrap_or_else(|| path.clone());
        let may_be_named = is_latex(from) || self.entry_kind(to)? == Some(EntryKind::Folder);
        for before in self.latex_builds()? {
            let (main, pdf) = (moved(&before.main), before.pdf.as_ref().map(moved));
            let after = LatexBuild { main, pdf, ..before.clone() };
            if may_be_named || after.main != before.main {
                self.carry_synctex(&before.main, &after.main, moved)?;
            }
            self.carry_problems_of(&before.main, &after.main, moved)?;
            if after != before {
                self.carry_latex_build(&before, &after)?;
                self.tell_of_latex(&before.main);
                self.tell_of_latex(&after.main);
            }
        }
        Ok(())
    }

    fn entry_kind(&self, path: &WorkspacePath) -> Result<Option<EntryKind>, WorkspaceError> {
        Ok(self.root.resolve_entry(path)?.entry()?.map(|entry| entry.kind))
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "sets the scene")]
mod tests {
    use std::io::{Read as _, Write as _};

    use aside_core::{ActionId, Id as _, LatexEnd, Problem, ProblemSeverity, ProblemSource, SeedLog, Timestamp};
    use aside_store::{Store, StoreOptions};
    use flate2::{Compression, read::GzDecoder, write::GzEncoder};

    use super::*;
    use crate::Existing;

    fn path(name: &str) -> WorkspacePath {
        name.parse().unwrap()
    }

    fn problem(file: &str) -> Problem {
        Problem {
            path: Some(path(file)),
            line: Some(1),
            end_line: None,
            column: None,
            end_column: None,
            severity: ProblemSeverity::Error,
            message: "m".to_owned(),
            source: ProblemSource::Latex,
            program: None,
            detail: None,
            version: None,
            found_line: None,
        }
    }

    fn places(workspace: &Workspace) -> Vec<String> {
        workspace.problems(None).unwrap().into_iter().map(|problem| problem.path.unwrap().to_string()).collect()
    }

    #[test]
    fn what_is_known_of_a_build_follows_the_document_and_its_parts_and_goes_with_them() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("paper/parts")).unwrap();
        for name in ["paper/main.tex", "paper/parts/one.tex"] {
            std::fs::write(folder.path().join(name), "text\n").unwrap();
        }
        let store = Store::open(&folder.path().join(".aside"), StoreOptions::for_tests()).unwrap();
        let workspace = Workspace::open(folder.path(), store).unwrap();
        let main = path("paper/main.tex");
        let build = LatexBuild {
            main: main.clone(),
            action: ActionId::from_parts(Timestamp(1), 1),
            end: LatexEnd::Failed,
            at: Timestamp(1),
            duration_ms: 1,
            errors: 2,
            warnings: 0,
            pdf: Some(path("paper/main.pdf")),
        };
        workspace.keep_latex_build(&build).unwrap();
        let stages = vec![SeedLog { name: "pdflatex (latex)".to_owned(), text: "! x".to_owned() }];
        workspace.keep_latex_output(&main, &stages).unwrap();
        workspace.keep_problems(&main, vec![problem("paper/main.tex"), problem("paper/parts/one.tex")]).unwrap();
        let here = workspace.folder().to_str().unwrap().to_owned();
        let synctex =
            format!("SyncTeX Version:1\nInput:1:{here}/paper/./main.tex\nInput:2:parts/one.tex\nInput:3:/x.sty\n");
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(synctex.as_bytes()).unwrap();
        workspace.keep_synctex(&main, &packed.finish().unwrap()).unwrap();

        workspace.move_entry(&path("paper"), &path("thesis"), Existing::Refuse, None, None).unwrap();
        workspace.move_entry(&path("thesis/main.tex"), &path("thesis/all.tex"), Existing::Refuse, None, None).unwrap();
        let main = path("thesis/all.tex");
        assert_eq!(places(&workspace), ["thesis/all.tex", "thesis/parts/one.tex"]);
        let kept = workspace.latex_build(&main).unwrap().unwrap();
        assert_eq!((kept.errors, kept.pdf), (2, Some(path("thesis/main.pdf"))));
        assert_eq!(workspace.latex_faults_about(&path("thesis/parts/one.tex")).unwrap().stages, stages);
        assert_eq!(workspace.latex_builds().unwrap().len(), 1, "under its new name only");
        let mut text = String::new();
        let file = std::fs::File::open(workspace.synctex_file(&main)).unwrap();
        GzDecoder::new(file).read_to_string(&mut text).unwrap();
        let inputs = format!("Input:1:{here}/thesis/all.tex\nInput:2:{here}/thesis/parts/one.tex\nInput:3:/x.sty\n");
        assert_eq!(text, format!("SyncTeX Version:1\n{inputs}"));

        std::fs::remove_file(folder.path().join("thesis/parts/one.tex")).unwrap();
        assert_eq!(places(&workspace), ["thesis/all.tex"], "of a file that is gone nothing is told");
    }
}
