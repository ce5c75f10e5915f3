//! What is made of a document with R code before TeX reads it: TeX names that file, and people know the document only.

use aside_core::WorkspacePath;
use aside_latex::Concordance;

use crate::Workspace;

/// Bytes of the file that tells which line comes from which.
const MOST: u64 = 4 << 20;

/// The LaTeX file that was made of a document, and which line of it comes from which of the document.
pub(super) struct Knitted {
    pub file: WorkspacePath,
    pub lines: Concordance,
}

impl Knitted {
    /// Reads what the last run of knitr has left; none for a document without R code, or if it left nothing.
    pub fn of(workspace: &Workspace, main: &WorkspacePath) -> Option<Self> {
        let (stem, end) = main.as_str().rsplit_once('.')?;
        let has_code = end.eq_ignore_ascii_case("rnw") || end.eq_ignore_ascii_case("rtex");
        let beside = |end: &str| WorkspacePath::new(&format!("{stem}{end}")).ok().filter(|_| has_code);
        let told = workspace.read_file(&beside("-concordance.tex")?, MOST).ok()?;
        Some(Self { file: beside(".tex")?, lines: Concordance::parse(&String::from_utf8_lossy(&told))? })
    }
}
