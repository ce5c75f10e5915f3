//! Splits a line for a shell into its commands, if it is plain: words, quotes without substitution, and the operators
//! between commands. Whatever else a shell knows is refused, so that nothing runs which is not in the result.
//!
//! A refused line is not an error: no rule can allow it, so a person is asked.

use std::fmt;

/// The longest line that is looked at, in bytes.
const LONGEST: usize = 16 * 1024;
/// The most commands of a line.
const MOST: usize = 100;

/// One command: its words as the program gets them.
pub type Words = Vec<String>;

/// Why a line is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unclear {
    /// It has no command.
    Empty,
    /// More than is looked at.
    Long,
    /// A character with a meaning that is not known beforehand, as `$`.
    Character(char),
    /// A quote that does not end.
    Quote,
    /// An operator with nothing to connect.
    Operator(&'static str),
    /// It reads from or writes to a file.
    Redirection,
    /// It sets a variable for a command.
    Variable(String),
    /// A word of the shell's grammar, or a program that runs another one.
    Runs(String),
}

impl fmt::Display for Unclear {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => formatter.write_str("there is no command"),
            Self::Long => formatter.write_str("it is too long to be looked at"),
            Self::Character(character) => write!(formatter, "what `{}` does is not known", character.escape_debug()),
            Self::Quote => formatter.write_str("a quote does not end"),
            Self::Operator(operator) => write!(formatter, "`{}` connects nothing", operator.escape_debug()),
            Self::Redirection => formatter.write_str("it reads from or writes to a file by `<` or `>`"),
            Self::Variable(word) => write!(formatter, "`{word}` sets a variable"),
            Self::Runs(word) => write!(formatter, "`{word}` can run anything"),
        }
    }
}

/// Returns the commands of a line, in order.
pub fn commands(line: &str) -> Result<Vec<Words>, Unclear> {
    if line.len() > LONGEST {
        return Err(Unclear::Long);
    }
    let mut found = Vec::new();
    let mut words = Words::new();
    let mut open = None;
    let mut rest = line.trim_start_matches(BLANK);
    while !rest.is_empty() {
        if let Some(after) = harmless_redirection(rest) {
            if words.is_empty() {
                return Err(Unclear::Redirection);
            }
            rest = after;
        } else if let Some((operator, after)) = operator(rest) {
            end_command(&mut found, &mut words, operator, open)?;
            (open, rest) = (Some(operator), after);
        } else {
            let (word, after) = word(rest)?;
            words.push(word);
            rest = after;
        }
        rest = rest.trim_start_matches(BLANK);
    }
    end_line(found, words, open)
}

const BLANK: [char; 2] = [' ', '\t'];

fn end_command(
    found: &mut Vec<Words>,
    words: &mut Words,
    operator: &'static str,
    before: Option<&'static str>,
) -> Result<(), Unclear> {
    if !words.is_empty() {
        found.push(checked(std::mem::take(words))?);
        return Ok(());
    }
    // An empty line, or the end of one after `;` or `&`.
    match (operator, before) {
        ("\n", None | Some("\n" | ";" | "&")) => Ok(()),
        _ => Err(Unclear::Operator(operator)),
    }
}

fn end_line(mut found: Vec<Words>, words: Words, before: Option<&'static str>) -> Result<Vec<Words>, Unclear> {
    match before {
        Some(operator @ ("&&" | "||" | "|")) if words.is_empty() => return Err(Unclear::Operator(operator)),
        _ if words.is_empty() => {}
        _ => found.push(checked(words)?),
    }
    match found.len() {
        0 => Err(Unclear::Empty),
        1..=MOST => Ok(found),
        _ => Err(Unclear::Long),
    }
}

/// The operators between commands, the longer ones first.
fn operator(rest: &str) -> Option<(&'static str, &str)> {
    ["&&", "||", "|", ";", "&", "\n"].into_iter().find_map(|operator| Some((operator, rest.strip_prefix(operator)?)))
}

/// Output that goes nowhere, or where the other output goes.
fn harmless_redirection(rest: &str) -> Option<&str> {
    let spellings = ["2>&1", "2>/dev/null", "2> /dev/null", ">/dev/null", "> /dev/null", "1>/dev/null", "&>/dev/null"];
    let after = spellings.into_iter().find_map(|spelling| rest.strip_prefix(spelling))?;
    after.is_empty().then_some(after).or_else(|| after.starts_with([' ', '\t', ';', '&', '|', '\n']).then_some(after))
}

/// Reads one word, with what is quoted in it.
fn word(mut rest: &str) -> Result<(String, &str), Unclear> {
    let mut word = String::new();
    while let Some(first) = rest.chars().next() {
        match first {
            ' ' | '\t' | ';' | '&' | '|' | '\n' => break,
            '\'' | '"' => {
                let (inside, after) = rest[1..].split_once(first).ok_or(Unclear::Quote)?;
                if let Some(live) = inside.chars().find(|character| !is_text(*character, first)) {
                    return Err(Unclear::Character(live));
                }
                word.push_str(inside);
                rest = after;
            }
            '<' | '>' => return Err(Unclear::Redirection),
            plain if is_plain(plain) => {
                word.push(plain);
                rest = &rest[plain.len_utf8()..];
            }
            other => return Err(Unclear::Character(other)),
        }
    }
    Ok((word, rest))
}

/// Tells whether a character stands for itself outside of quotes in every shell.
fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_-./:=,+@%".contains(character)
}

/// Tells whether a character stands for itself between quotes of this kind.
fn is_text(character: char, quote: char) -> bool {
    let live = quote == '"' && matches!(character, '$' | '`' | '\\' | '!');
    !live && (!character.is_control() || character == '\t')
}

/// Refuses a command whose words do not say what runs.
fn checked(words: Words) -> Result<Words, Unclear> {
    let first = &words[0];
    if first.is_empty() || first.starts_with(['%', '-', '+']) {
        return Err(Unclear::Runs(first.clone()));
    }
    if first.contains('=') {
        return Err(Unclear::Variable(first.clone()));
    }
    let program = program(first);
    if runs_anything(&program) {
        return Err(Unclear::Runs(program));
    }
    match words[1..].iter().find(|word| runs_by_option(&program, word)) {
        // Options of git itself come before the name of its command.
        Some(_) if program == "git" && words.get(1).is_some_and(|word| !word.starts_with('-')) => Ok(words),
        Some(word) => Err(Unclear::Runs(format!("{program} {word}"))),
        None => Ok(words),
    }
}

/// The name of a program, without its folder, as a forgiving file system has it.
pub(crate) fn program(first: &str) -> String {
    bare(first).to_ascii_lowercase()
}

/// Tells whether two first words name one program, as [`program`] has it.
pub(crate) fn is_same_program(one: &str, other: &str) -> bool {
    bare(one).eq_ignore_ascii_case(bare(other))
}

fn bare(first: &str) -> &str {
    let name = first.rsplit('/').next().unwrap_or(first);
    let split = name.len().checked_sub(4).and_then(|end| name.split_at_checked(end));
    split.filter(|(_, ending)| ending.eq_ignore_ascii_case(".exe")).map_or(name, |(rest, _)| rest)
}

/// Tells whether a program, or a word of the shell, runs what its arguments say or changes what later words mean.
pub(crate) fn runs_anything(program: &str) -> bool {
    [SHELLS, RUNNERS, BUILTINS, GRAMMAR].into_iter().any(|words| among(words, program))
}

/// Tells whether a program runs what it reads, so that only its whole words say what happens.
pub(crate) fn is_interpreter(program: &str) -> bool {
    let bare = program.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.');
    among(INTERPRETERS, bare)
}

fn among(words: &str, program: &str) -> bool {
    words.split(' ').any(|word| word == program)
}

fn runs_by_option(program: &str, word: &str) -> bool {
    let among =
        |options: &[&str]| options.iter().any(|option| word == *option || word.starts_with(&format!("{option}=")));
    match program {
        "find" => {
            word.starts_with("-exec")
                || word.starts_with("-ok")
                || word.starts_with("-fprint")
                || among(&["-delete", "-fls"])
        }
        "fd" | "fdfind" => among(&["-x", "-X", "--exec", "--exec-batch"]),
        "git" => word.starts_with("-c") || among(&["--config-env", "--exec-path"]),
        "sort" => word.starts_with("-o") || among(&["--output", "--compress-program"]),
        "printf" => word == "-v",
        "tar" => among(&["--to-command", "--checkpoint-action", "--use-compress-program", "-I", "-F", "--info-script"]),
        "rsync" => word.starts_with("-e") || among(&["--rsh"]),
        "rg" => among(&["--pre", "--hostname-bin"]),
        _ => false,
    }
}

/// Shells.
const SHELLS: &str = "sh bash dash zsh ksh mksh fish csh tcsh ash rbash busybox toybox pwsh";

/// Programs that run what their arguments name.
const RUNNERS: &str = "env xargs sudo doas su runuser pkexec time nohup nice ionice timeout stdbuf setsid setarch linux32 \
    linux64 unshare nsenter chroot chrt taskset numactl prlimit flock watch parallel script unbuffer \
    expect entr strace ltrace gdb valgrind perf systemd-run at batch crontab ssh tmux screen fakeroot \
    firejail bwrap xvfb-run dbus-run-session ld.so ld-linux-x86-64.so.2 ld-linux-aarch64.so.1";

/// Words of a shell that run others or change what later words mean.
const BUILTINS: &str = "eval exec source . command builtin trap alias unalias export set shopt enable declare typeset local \
    readonly hash bind complete compgen read mapfile readarray getopts let unset test [ wait fc history \
    pushd popd dirs";

/// The shell's grammar.
const GRAMMAR: &str = "if then else elif fi for while until do done case esac select in function coproc [[ ]] { } !";

/// Programs that do what they read.
const INTERPRETERS: &str = "python pypy node deno bun ruby perl php lua luajit r rscript julia awk gawk mawk nawk sed gsed ed ex \
    vi vim nvim emacs tclsh osascript sqlite psql dc bc ghci guile scheme racket java docker podman \
    kubectl npx uvx pipx bunx git";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &[&[&str]]) {
        assert_eq!(commands(line).unwrap(), expected, "{line:?}");
    }

    #[test]
    fn plain_lines_are_split() {
        check("cargo test -p aside-core", &[&["cargo", "test", "-p", "aside-core"]]);
        check("  ls\t-l  ", &[&["ls", "-l"]]);
        check(
            "ls && rm x || echo no | wc -l ; true & false",
            &[&["ls"], &["rm", "x"], &["echo", "no"], &["wc", "-l"], &["true"], &["false"]],
        );
        check("ls\n\nrm x\n", &[&["ls"], &["rm", "x"]]);
        check("ls;", &[&["ls"]]);
        check("ls &\n", &[&["ls"]]);
        check("ls;rm x", &[&["ls"], &["rm", "x"]]);
        check("cd sub && git switch -c branch", &[&["cd", "sub"], &["git", "switch", "-c", "branch"]]);
    }

    #[test]
    fn quotes_make_one_word_and_nothing_else() {
        check("grep 'a b' \"c d\"e'f'", &[&["grep", "a b", "c def"]]);
        check("echo '$HOME `id` \\ ! * ; && | > <'", &[&["echo", "$HOME `id` \\ ! * ; && | > <"]]);
        check("echo \"a; b && 'c' | d > e * ~\"", &[&["echo", "a; b && 'c' | d > e * ~"]]);
        check("git commit -m 'größer' ''", &[&["git", "commit", "-m", "größer", ""]]);
    }

    #[test]
    fn output_that_goes_nowhere_is_no_file() {
        check("make 2>&1 | tail -5", &[&["make"], &["tail", "-5"]]);
        check("make >/dev/null 2>&1; ls 2> /dev/null&& x", &[&["make"], &["ls"], &["x"]]);
        check("make &>/dev/null", &[&["make"]]);
    }

    #[track_caller]
    fn refuse(line: &str) {
        let found = commands(line);
        assert!(found.is_err(), "{line:?} became {found:?}");
    }

    #[test]
    fn whatever_a_shell_would_expand_or_run_is_refused() {
        for line in [
            "",
            "  ",
            "\n",
            "ls $HOME",
            "ls ${x}",
            "echo $(id)",
            "echo `id`",
            "echo \"$(id)\"",
            "echo \"`id`\"",
            "echo \"$x\"",
            "diff <(ls) x",
            "cat <<E\n$(id)\nE",
            "cat <<<x",
            "A=b ls",
            "A=b",
            "ls *.py",
            "ls ~",
            "ls ~root",
            "echo {a,b}",
            "ls ?",
            "ls [ab]",
            "(ls)",
            "{ ls; }",
            "f() { rm x; }",
            "function f { rm x; }",
            "if true; then rm x; fi",
            "! ls",
            "for x in a; do rm x; done",
            "ls # comment",
            "l\\s",
            "ls \\\nrm",
            "ls\rrm x",
            "ls\u{0}",
            "echo $'\\x41'",
            "ls\u{a0}x",
            "ls\u{2028}rm",
            "r\u{200b}m",
            "[[ -f x ]]",
            "echo \"a\\\"b\"",
            "ls 'x",
            "ls \"x",
            "echo hi!",
            "ls ^x",
        ] {
            refuse(line);
        }
    }

    #[test]
    fn what_writes_or_reads_a_file_is_refused() {
        for line in [
            "ls > x",
            "ls >x",
            "ls >> x",
            "ls 2> x",
            "cat < x",
            "ls >| x",
            "ls &> x",
            "ls >& x",
            "ls 2>&1x",
            "ls >/dev/nullx",
            ">/dev/null",
            "2>&1 ls",
            "ls <> x",
            "ls 3>&1",
            "ls>x",
            "ls >/dev/null/../../x",
            "ls > /dev/null/x",
        ] {
            refuse(line);
        }
    }

    #[test]
    fn a_program_is_the_same_in_any_folder_and_case() {
        for same in ["rm", "/bin/RM", "RM.EXE", "a/rm.exe"] {
            assert!(is_same_program("rm", same) && program(same) == "rm", "{same}");
        }
        for other in ["rms", ".exe", "", "rm/", "rm.exe.x", "räm.exe", "m.exe", "ä.exe"] {
            assert!(!is_same_program("rm", other), "{other}");
        }
    }

    #[test]
    fn programs_that_run_others_are_refused() {
        for line in [
            "env ls",
            "/usr/bin/env ls",
            "xargs rm",
            "ls | xargs rm",
            "sudo ls",
            "sh -c ls",
            "/bin/BASH x",
            "time ls",
            "nohup ls",
            "eval ls",
            "exec ls",
            "source x",
            ". x",
            "command ls",
            "alias ls=rm",
            "export PATH=x",
            "trap ls EXIT",
            "find . -exec rm x",
            "find . -execdir rm x",
            "find . -delete",
            "find . -fprintf x",
            "git -c core.pager=x log",
            "git -ccore.pager=x log",
            "git --exec-path=x log",
            "git -C x -c a=b log",
            "sort -o x y",
            "sort -ox y",
            "sort --output=x",
            "ssh host ls",
            "printf -v PATH x",
            "test -v 'a[$(id)]'",
            "[ -v x ]",
            "fd -x rm",
            "'eval' ls",
            "e'va'l ls",
            "\"\" ls",
            "%1",
            "timeout 5 ls",
            "nice ls",
            "if ls",
            "then ls",
            "tar --to-command=sh x",
            "bash",
            "read PATH",
            "hash -p x ls",
        ] {
            refuse(line);
        }
    }

    #[test]
    fn operators_that_connect_nothing_are_refused() {
        for line in [
            "&& ls",
            "ls &&",
            "ls || ",
            "ls |",
            "| ls",
            "ls && && ls",
            "ls ;; ls",
            "; ls",
            "ls |& cat",
            "ls & && ls",
            "ls &&\nls",
        ] {
            refuse(line);
        }
    }

    #[test]
    fn a_limit_never_hides_a_command() {
        refuse(&["ls"; MOST + 1].join(" && "));
        refuse(&format!("ls {}", "x".repeat(LONGEST)));
        assert_eq!(commands(&["ls"; MOST].join(" && ")).unwrap().len(), MOST);
    }

    /// Lines out of the pieces that matter, in any order.
    fn nasty() -> impl Strategy<Value = String> {
        let pieces = prop::sample::select(vec![
            "ls",
            "rm",
            "cargo",
            " ",
            " ",
            " ",
            "\t",
            "\n",
            ";",
            "&",
            "|",
            "&&",
            "||",
            "'",
            "\"",
            "\\",
            "$",
            "`",
            "(",
            ")",
            "{",
            "}",
            "<",
            ">",
            "2>&1",
            ">/dev/null",
            "#",
            "=",
            "~",
            "*",
            "a b",
            "'x y'",
            "\"z;\"",
            "é",
            "\r",
            "\u{0}",
            "!",
            "-",
            "\u{a0}",
        ]);
        prop::collection::vec(pieces, 0..16).prop_map(|pieces| pieces.concat())
    }

    /// What is left when quotes, blanks, operators and output that goes nowhere are taken away.
    fn letters(text: &str) -> String {
        let text = text.replace("2>&1", "").replace(">/dev/null", "");
        text.chars().filter(|character| character.is_alphanumeric()).collect()
    }

    proptest! {
        /// Nothing of a line is lost: each letter of it is in a word, in order.
        #[test]
        fn no_letter_of_a_line_that_is_understood_is_dropped(line in nasty()) {
            if let Ok(found) = commands(&line) {
                prop_assert_eq!(letters(&found.concat().concat()), letters(&line));
                prop_assert!(found.iter().all(|words| !words.is_empty() && !words[0].is_empty()));
            }
        }

        /// Reading back what was understood, with every word quoted, gives the same.
        #[test]
        fn what_is_understood_stays_the_same(line in nasty()) {
            if let Ok(found) = commands(&line) && !found.concat().concat().contains('\'') {
                let quote = |words: &Words| words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
                let again = found.iter().map(quote).collect::<Vec<_>>().join(" ; ");
                prop_assert_eq!(commands(&again), Ok(found));
            }
        }

        #[test]
        fn never_panics(line in ".{0,200}") {
            let _ = commands(&line);
        }
    }
}
