//! Where a shell's here-documents begin and end, line by line: what stands in them is no command and ends no fence.
//!
//! As much of the shell's grammar as that needs: quotes, comments, substitutions and arithmetic. Where it is mistaken
//! about a command, the command is refused and never cut.

use std::collections::VecDeque;

/// A command that is being read.
#[derive(Default)]
pub(super) struct HereDocuments {
    /// What is open around the place that was read last, the innermost last.
    around: Vec<Around>,
    /// The documents that were announced and are not over, the first first.
    announced: VecDeque<Document>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Single,
    Double,
    Commands,
    Arithmetic,
}

struct Document {
    /// The line that ends it.
    word: String,
    /// Tabs before that line don't count.
    indented: bool,
}

impl HereDocuments {
    /// The word that ends the document which is open now.
    pub fn open(&self) -> Option<&str> {
        self.announced.front().map(|document| document.word.as_str())
    }

    /// Reads the next line.
    pub fn read(&mut self, line: &str) {
        match self.announced.front() {
            Some(open) => {
                let text = if open.indented { line.trim_start_matches('\t') } else { line };
                if text == open.word {
                    self.announced.pop_front();
                }
            }
            None => self.command(line),
        }
    }

    fn command(&mut self, line: &str) {
        let (mut rest, mut before) = (line, ' ');
        while let Some(next) = rest.chars().next() {
            let length = match self.around.last() {
                Some(Around::Single) => self.ends(rest, "'"),
                Some(Around::Double) if rest.starts_with('"') => self.ends(rest, "\""),
                Some(Around::Double) => self.in_text(rest),
                Some(Around::Arithmetic) => self.ends(rest, "))"),
                None | Some(Around::Commands) if next == '#' && " \t;(".contains(before) => return,
                None | Some(Around::Commands) => self.in_commands(rest),
            };
            before = next;
            rest = &rest[length..];
        }
    }

    fn begins(&mut self, around: Around, length: usize) -> usize {
        self.around.push(around);
        length
    }

    fn ends(&mut self, rest: &str, end: &str) -> usize {
        if rest.starts_with(end) {
            self.around.pop();
            return end.len();
        }
        one(rest)
    }

    fn in_text(&mut self, rest: &str) -> usize {
        match rest {
            _ if rest.starts_with('\\') => 1 + one(&rest[1..]),
            _ if rest.starts_with("$((") => self.begins(Around::Arithmetic, 3),
            _ if rest.starts_with("$(") => self.begins(Around::Commands, 2),
            _ => one(rest),
        }
    }

    fn in_commands(&mut self, rest: &str) -> usize {
        match rest {
            _ if rest.starts_with('\\') => 1 + one(&rest[1..]),
            _ if rest.starts_with('\'') => self.begins(Around::Single, 1),
            _ if rest.starts_with('"') => self.begins(Around::Double, 1),
            _ if rest.starts_with("((") => self.begins(Around::Arithmetic, 2),
            _ if rest.starts_with('(') => self.begins(Around::Commands, 1),
            _ if rest.starts_with(')') && self.around.last() == Some(&Around::Commands) => self.ends(rest, ")"),
            // One line of text, which is not a document.
            _ if rest.starts_with("<<<") => 3,
            _ if rest.starts_with("<<") => {
                let (document, length) = announced(&rest[2..]);
                self.announced.extend(document);
                2 + length
            }
            _ => one(rest),
        }
    }
}

/// The bytes of the first character.
fn one(rest: &str) -> usize {
    rest.chars().next().map_or(0, char::len_utf8)
}

/// The word after `<<`, as a shell reads it, and how long it is written.
fn announced(rest: &str) -> (Option<Document>, usize) {
    let indented = rest.starts_with('-');
    let inner = rest[usize::from(indented)..].trim_start_matches([' ', '\t']);
    let skipped = rest.len() - inner.len();
    let quote = inner.chars().next().filter(|quote| matches!(quote, '\'' | '"'));
    let (word, length) = match quote {
        Some(quote) => match inner[1..].split_once(quote) {
            Some((word, _)) => (word, word.len() + 2),
            None => return (None, skipped),
        },
        None => {
            let escaped = usize::from(inner.starts_with('\\'));
            let bare = &inner[escaped..];
            let end = bare.find(|next: char| !(next.is_alphanumeric() || "_-.".contains(next))).unwrap_or(bare.len());
            (&bare[..end], escaped + end)
        }
    };
    let document = (!word.is_empty()).then(|| Document { word: word.to_owned(), indented });
    (document, skipped + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The word of the document that is open after these lines.
    #[track_caller]
    fn check(lines: &str, open: Option<&str>) {
        let mut documents = HereDocuments::default();
        lines.lines().for_each(|line| documents.read(line));
        assert_eq!(documents.open(), open, "{lines}");
    }

    #[test]
    fn a_document_is_open_up_to_its_word() {
        for begin in
            ["cat <<EOF", "cat << 'EOF' > a.md", "cat <<\"EOF\" | wc", "cat <<\\EOF", "x=\"$(cat <<EOF", "(cat <<EOF)"]
        {
            check(begin, Some("EOF"));
            check(&format!("{begin}\n```\n EOF\nEOF "), Some("EOF"));
            check(&format!("{begin}\n```\nEOF"), None);
        }
        check("cat <<-EOF\n\tx\n\tEOF", None);
        check("cat <<A <<B\nA", Some("B"));
        check("cat <<A <<B\nA\nB", None);
    }

    #[test]
    fn other_pairs_of_angles_open_none() {
        for line in [
            "cat <<<EOF",
            "python3 -c 'print(1 << n)'",
            "echo $((1 << n))",
            "((x = 1 << n))",
            "ls # <<EOF",
            "echo \"<<EOF\"",
        ] {
            check(line, None);
        }
        check("echo 'a\nb <<EOF'", None);
        check("echo it\\'s <<EOF", Some("EOF"));
    }
}
