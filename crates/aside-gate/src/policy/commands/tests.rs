//! Lines that are understood, and all the ways to hide a command in one.

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
        "ls &>/dev/null rm x",
        "make &>/dev/null",
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
        "jobs -x rm x",
        "ksh93 -c ls",
        "zsh-5.9 x",
        "genv rm",
        "hyperfine 'rm x'",
        "git --no-pager -c a=b log",
        "git -p log",
        "git --git-dir=x status",
        "git config alias.x '!rm x'",
        "git submodule foreach 'rm x'",
        "git bisect run rm",
        "git rebase -x 'rm x' main",
        "git rebase --ex 'rm x' main",
        "git grep -Orm x",
        "git grep --open-files=rm x",
        "git diff --output=x",
        "git diff --ext-diff",
        "git clone -c core.fsmonitor=x url",
        "git clone -qu x url",
        "git fetch --upload-pack=x",
        "git ls-remote --exec=x",
        "git push --receive-pack x",
        "git init --template=x",
        "git archive -o x HEAD",
        "find . -ok rm x",
        "find . -fls x",
        "fd -Hx rm",
        "sort -uo x y",
        "sort --outp=x y",
        "tar cIf sh x.tar",
        "tar -cIsh -f x.tar y",
        "tar --to-com=sh -xf x",
        "rsync -ae sh x y",
        "zip x y -TT sh",
        "split --filter=sh x",
        "go test -exec sh",
        "go vet -vettool=x",
        "cargo tree --config build.rustc=x",
        "npm test --script-shell=x",
        "install -s --strip-program=x a b",
        "man ls",
        "less x",
    ] {
        refuse(line);
    }
}

#[test]
fn what_only_looks_like_that_is_not() {
    for line in [
        "git switch -c branch",
        "git commit -m x -c HEAD",
        "git --no-pager log --oneline --color",
        "git push -u origin main",
        "git diff --cached",
        "git cherry-pick -x abc",
        "sort -k1,2 x",
        "tar xf x.tar",
        "tar -xzf x.tar",
        "find . -name x",
        "fd -e txt",
        "go test ./...",
        "rg --pretty x",
        "rsync -a x y",
    ] {
        assert!(commands(line).is_ok(), "{line:?}: {:?}", commands(line));
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
