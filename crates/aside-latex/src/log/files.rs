//! Which file TeX is reading, by the parentheses in its log: `(` and a path opens one, `)` closes it.
//!
//! Texts have parentheses too. Those that are balanced within their line are harmless; one that stays open at the end of its
//! line is forgotten there. A lonely `)` behind a sign of a smile is one. Paths may have spaces and parentheses.

/// How a file ends that TeX reads; needed only where its name has a space or a parenthesis.
const EXTENSIONS: [&str; 36] = [
    "tex", "sty", "cls", "def", "cfg", "fd", "clo", "aux", "toc", "lof", "lot", "bbl", "out", "ldf", "ltx", "lua",
    "tikz", "pgf", "sta", "nav", "snm", "vrb", "ind", "gls", "acr", "dfu", "enc", "mkii", "code", "rnw", "rtex", "bib",
    "txt", "dat", "csv", "bbx",
];
/// Files that are written by programs: nobody's place of a fault.
const WRITTEN: [&str; 11] = [".aux", ".toc", ".lof", ".lot", ".out", ".bbl", ".nav", ".snm", ".vrb", ".ind", ".gls"];
/// Folders of what is installed: faults in there come from the document that uses it.
const INSTALLED: [&str; 5] = ["/texmf", "/texlive/", "/miktex", "/tex/latex/", "/tex/generic/"];
const DEEPEST: usize = 500;

/// A file and a line of it, as far as they are known.
pub(super) type Place = (Option<String>, Option<u32>);

/// The files that are open.
#[derive(Default)]
pub(super) struct Files {
    open: Vec<String>,
    /// The first file of the run: where everything is that comes after it was closed.
    root: Option<String>,
}

impl Files {
    /// The place of what is said now: this line of the file that is being read, if a person wrote it; else the nearest file
    /// that reads it and that a person wrote, no line of it.
    pub(super) fn place(&self, line: Option<u32>) -> Place {
        match self.open.iter().rposition(|file| by_hand(file)) {
            Some(at) => (Some(self.open[at].clone()), line.filter(|_| at + 1 == self.open.len())),
            None => (self.root.clone(), line.filter(|_| self.open.is_empty())),
        }
    }

    /// The place that a message names, on the same terms.
    pub(super) fn named(&self, file: String, line: u32) -> Place {
        if by_hand(&file) { (Some(file), Some(line)) } else { self.place(None) }
    }

    /// Reads one line that is no message.
    pub(super) fn read(&mut self, line: &str) {
        let bytes = line.as_bytes();
        let ends = path_ends(line);
        let mut texts = 0_usize;
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'(' => match path(line, at + 1, &ends) {
                    Some(end) => {
                        self.push(&line[at + 1..end]);
                        at = end;
                        continue;
                    }
                    None => texts += 1,
                },
                b')' if texts > 0 => texts -= 1,
                b')' if !smile(&bytes[..at]) => {
                    self.open.pop();
                }
                _ => {}
            }
            at += 1;
        }
    }

    fn push(&mut self, path: &str) {
        let name = plain_path(path);
        self.root.get_or_insert_with(|| name.clone());
        if self.open.len() < DEEPEST {
            self.open.push(name);
        }
    }
}

/// A path as it is shown: without quotes and without a leading `./`.
pub(super) fn plain_path(path: &str) -> String {
    let path = path.trim().trim_matches('"');
    path.strip_prefix("./").unwrap_or(path).to_owned()
}

fn by_hand(file: &str) -> bool {
    let written = WRITTEN.iter().any(|end| file.ends_with(end)) || file.ends_with(".lua");
    let folder = file.to_ascii_lowercase().replace('\\', "/");
    !written && !INSTALLED.iter().any(|part| folder.contains(part))
}

fn smile(before: &[u8]) -> bool {
    matches!(before.last(), Some(b':' | b';' | b'=' | b'-' | b'\''))
}

/// Where the path ends that begins at `start`, if one begins there.
fn path(line: &str, start: usize, ends: &[usize]) -> Option<usize> {
    let rest = &line[start..];
    if let Some(quoted) = rest.strip_prefix('"') {
        return quoted.find('"').map(|length| start + length + 2);
    }
    let word = rest.find(|sign: char| sign.is_whitespace() || "()[]{}<>".contains(sign)).unwrap_or(rest.len());
    let rooted = rest.starts_with("./") || rest.starts_with("../") || rest.starts_with('/') || drive(rest);
    if rooted {
        let known = ends[ends.partition_point(|&end| end <= start)..].first();
        return Some(known.copied().unwrap_or(start + word)).filter(|&end| end > start + 1);
    }
    has_extension(&rest[..word]).then_some(start + word)
}

fn drive(rest: &str) -> bool {
    let mut bytes = rest.bytes();
    bytes.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && bytes.next() == Some(b':')
        && matches!(bytes.next(), Some(b'/' | b'\\'))
}

/// Whether a word ends as a file's name does: in a point and one to eight letters and digits.
pub(super) fn has_extension(word: &str) -> bool {
    word.rsplit_once('.').is_some_and(|(stem, end)| {
        !stem.is_empty()
            && (1..=8).contains(&end.len())
            && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && end.as_bytes()[0].is_ascii_alphabetic()
    })
}

/// Every place of a line behind a known extension, where a path may end.
fn path_ends(line: &str) -> Vec<usize> {
    let bytes = line.as_bytes();
    let mut found = Vec::new();
    for (at, _) in line.match_indices('.') {
        let length = bytes[at + 1..].iter().take(9).take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let end = at + 1 + length;
        let bounded = bytes.get(end).is_none_or(|byte| b" ()[]{}<\"\t".contains(byte));
        if bounded && EXTENSIONS.iter().any(|known| line[at + 1..end].eq_ignore_ascii_case(known)) {
            found.push(end);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lines: &[&str], expect: Option<&str>) {
        let mut files = Files::default();
        for line in lines {
            files.read(line);
        }
        assert_eq!(files.place(None).0.as_deref(), expect, "after {lines:?}");
    }

    #[test]
    fn follows_files_within_files() {
        check(&["(./main.tex (/usr/a.cls (/usr/b.clo))", "(./one.tex (./two.tex"], Some("two.tex"));
        check(&["(./main.tex (./one.tex (./two.tex)"], Some("one.tex"));
        check(&["(./main.tex (./one.tex (./two.tex) [1] [2])"], Some("main.tex"));
        check(&["(main.tex (chapters/x.tex)"], Some("main.tex"));
        check(&["(C:/a/main.tex (C:\\b\\c.tex"], Some("C:\\b\\c.tex"));
    }

    #[test]
    fn knows_texts_from_files() {
        check(
            &["(./main.tex (./one.tex", "Package: x (HO)", "a :-) and (an open one", "done (see a) (b"],
            Some("one.tex"),
        );
        check(&["(./main.tex", "(Font)   <5> on input line 3."], Some("main.tex"));
    }

    #[test]
    fn paths_have_spaces_and_parentheses() {
        check(&["(./main.tex (./my part (draft)/file one.tex"], Some("my part (draft)/file one.tex"));
        check(&["(./main.tex (\"./my part (draft)/file one.tex\""], Some("my part (draft)/file one.tex"));
        check(&["(./main.tex (./a(b).tex [1]) [2"], Some("main.tex"));
        check(&["(./my.paper.v2.tex"], Some("my.paper.v2.tex"));
    }

    #[test]
    fn a_fault_in_what_is_installed_or_written_is_the_documents() {
        let mut files = Files::default();
        files.read("(./main.tex");
        assert_eq!(files.place(Some(3)), (Some("main.tex".to_owned()), Some(3)));
        files.read("(/usr/share/texlive/texmf-dist/tex/latex/a.sty");
        assert_eq!(files.place(Some(1005)), (Some("main.tex".to_owned()), None));
        assert_eq!(files.named("/opt/texlive/a.sty".to_owned(), 7), (Some("main.tex".to_owned()), None));
        assert_eq!(files.named("b.tex".to_owned(), 7), (Some("b.tex".to_owned()), Some(7)));
    }

    #[test]
    fn what_comes_after_the_end_is_the_roots() {
        check(&["(./main.tex (./a.tex))", "))))"], Some("main.tex"));
        check(&["nothing"], None);
    }
}
