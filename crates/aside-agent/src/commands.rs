//! Words with a slash: `/fix the loop` stands for a longer request. Some are built in; a workspace and a person have
//! their own, in files. They are text: whatever they say, the thread may do no more than before.

use aside_core::Attached;

/// Where the words of the person go in a command's text.
const ARGUMENTS: &str = "$ARGUMENTS";
/// Characters of a name.
const LONGEST_NAME: usize = 40;

/// One word with a slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlashCommand {
    /// The word, without the slash: lower-case letters, digits and hyphens.
    pub name: String,
    /// What it is for, in one line.
    pub summary: String,
    /// What it says to the model; [`ARGUMENTS`] stands for what comes after the word.
    pub text: String,
    /// It asks for changes: of no use in a thread that only reads.
    pub writes: bool,
}

const BUILT_IN: &[(&str, &str, bool, &str)] = &[
    (
        "explain",
        "Explain the selection or the file",
        false,
        "Explain the selection, or the file if nothing is selected: its purpose, how it works, and anything \
         surprising in it. Begin with one sentence. Change nothing.",
    ),
    (
        "hint",
        "Get a hint, not the solution",
        false,
        "Give a hint that helps to find the solution: a place to look at, or a question. Don't give the solution, and \
         change nothing.",
    ),
    (
        "review",
        "Look for mistakes, change nothing",
        false,
        "Look for mistakes in the selection, or in the file if nothing is selected: wrong results, missing cases, \
         unclear passages. List the most serious first, each with its line. Change nothing.",
    ),
    (
        "fix",
        "Find and fix the problem",
        true,
        "Find the problem, explain its cause in one sentence, and propose the smallest edit that fixes it.",
    ),
    (
        "test",
        "Write a test",
        true,
        "Write a test for the selection, or for the most important part of the file, in the style of the workspace's \
         existing tests. The test must fail if the behaviour breaks.",
    ),
    (
        "doc",
        "Write documentation",
        true,
        "Document the selection, or the public parts of the file, in the style of the comments around it: purpose, \
         units, errors. Change no code.",
    ),
    (
        "commit-message",
        "Write a commit message for the changes",
        true,
        "Look at the changes in this workspace with `git status` and `git diff`, and write a commit message: a \
         subject of at most 72 characters that states the effect, then the reason if it is not obvious. Don't commit.",
    ),
];

/// Returns the built-in ones.
pub fn built_in() -> Vec<SlashCommand> {
    let command = |(name, summary, writes, text): &(&str, &str, bool, &str)| SlashCommand {
        name: (*name).to_owned(),
        summary: (*summary).to_owned(),
        text: (*text).to_owned(),
        writes: *writes,
    };
    BUILT_IN.iter().map(command).collect()
}

/// Reads a command from a file `NAME.md`: its first line, without `#`, is what it is for if more follows; all of it is
/// what it says. None if that is no name, or nothing is said.
pub fn from_file(name: &str, text: &str) -> Option<SlashCommand> {
    let is_name = !name.is_empty()
        && name.len() <= LONGEST_NAME
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    let first = text.lines().map(|line| line.trim_start_matches('#').trim()).find(|line| !line.is_empty())?;
    // A file can't say of itself that it only reads: the grant of the thread does.
    let summary = first.chars().take(80).collect();
    is_name.then(|| SlashCommand { name: name.to_owned(), summary, text: text.trim().to_owned(), writes: false })
}

/// Returns what goes along with a message that begins with a known word, if it does.
pub fn expanded(message: &str, commands: &[SlashCommand]) -> Option<Attached> {
    let rest = message.trim_start().strip_prefix('/')?;
    let (name, arguments) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let command = commands.iter().find(|command| command.name == name)?;
    let text = command.text.replace(ARGUMENTS, arguments.trim());
    Some(Attached::Command { name: name.to_owned(), text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_the_person_go_where_the_file_says() {
        let own = from_file("greet", "# Greets somebody\nSay hello to $ARGUMENTS.\n").unwrap();
        assert_eq!(own.summary, "Greets somebody");
        let attached = expanded("/greet  Ada and Bob ", &[own]).unwrap();
        let Attached::Command { name, text } = attached else { panic!("{attached:?}") };
        assert_eq!((name.as_str(), text.as_str()), ("greet", "# Greets somebody\nSay hello to Ada and Bob."));
    }

    #[test]
    fn a_path_or_an_unknown_word_is_a_message_like_any_other() {
        assert_eq!(expanded("/etc/passwd is not ours", &built_in()), None);
        assert_eq!(expanded("what does /fix do?", &built_in()), None);
        assert!(expanded("/fix", &built_in()).is_some());
    }

    #[test]
    fn names_are_plain_and_empty_files_say_nothing() {
        for name in ["", "Fix", "a b", "../x", &"x".repeat(41)] {
            assert_eq!(from_file(name, "text"), None, "{name}");
        }
        assert_eq!(from_file("empty", "\n#\n"), None);
    }
}
