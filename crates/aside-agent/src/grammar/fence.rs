//! The first line of a code fence, and what it says about the lines below.

/// Blanks before a fence; with more of them it is text in Markdown.
const MOST_INDENT: usize = 3;

/// A fence that is open.
pub(super) struct Fence<'a> {
    indent: usize,
    /// The backticks or tildes, whose number its end has as well.
    pub run: &'a str,
    info: &'a str,
}

/// What stands between a fence and its end.
pub(super) enum Holds {
    /// A command that is to be run.
    Command,
    /// Something to be read.
    Text,
    /// Perhaps a command; how to write one that is.
    Unclear(String),
}

impl<'a> Fence<'a> {
    pub fn open(line: &'a str) -> Option<Self> {
        let inner = line.trim_start();
        let first = inner.chars().next().filter(|first| matches!(first, '`' | '~'))?;
        let length = inner.len() - inner.trim_start_matches(first).len();
        let (run, info) = inner.split_at(length);
        let valid = length >= 3 && !(first == '`' && info.contains('`'));
        valid.then(|| Self { indent: line.len() - inner.len(), run, info: info.trim() })
    }

    pub fn holds(&self) -> Holds {
        let words: Vec<String> = self.info.split_whitespace().map(str::to_ascii_lowercase).collect();
        let alone = format!("write {}exec at the beginning of the line and nothing after it", self.run);
        match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["exec", ..] if self.indent > MOST_INDENT => Holds::Unclear(format!(
                "`exec` is indented too far and was treated as text. To run the command, {alone}"
            )),
            ["exec"] | ["exec", "sh" | "bash" | "shell" | "console"] => Holds::Command,
            ["exec", ..] => Holds::Unclear(format!(
                "`{}` is not a known shell command. If it is one, {alone}; otherwise call its program in a command",
                self.info
            )),
            _ => Holds::Text,
        }
    }

    /// A line below, as far to the left as the fence is.
    pub fn without_indent<'l>(&self, line: &'l str) -> &'l str {
        let blanks = line.bytes().take(self.indent).take_while(|byte| *byte == b' ').count();
        &line[blanks..]
    }

    pub fn closed_by(&self, line: &str) -> bool {
        let inner = line.trim();
        inner.len() >= self.run.len()
            && inner.starts_with(self.run)
            && inner.trim_start_matches(&self.run[..1]).is_empty()
    }
}
