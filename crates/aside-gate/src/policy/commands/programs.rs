//! What programs do with their arguments, as far as that says whether a rule can allow them.
//!
//! No list of this kind is complete. It keeps people from allowing more than they read in a rule; what a command can
//! reach once it runs is for the sandbox to say.

use aside_core::CommandMatcher;

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
pub(super) fn runs_anything(program: &str) -> bool {
    let known = |program: &str| [SHELLS, RUNNERS, BUILTINS, GRAMMAR].into_iter().any(|words| among(words, program));
    known(program) || known(without_version(program))
}

/// Returns the word by which a program runs or writes something else than its other words say.
pub(super) fn running_word<'a>(program: &str, args: &'a [String]) -> Option<&'a str> {
    let found = match program {
        "git" => return git_running_word(args),
        "tar" | "gtar" | "bsdtar" => args.first().filter(|first| !first.starts_with('-') && first.contains(['I', 'F'])),
        _ => None,
    };
    let options = OPTIONS.iter().find(|options| among(options.programs, program));
    let by_option = || options.and_then(|options| args.iter().find(|word| options.hold(word)));
    found.or_else(by_option).map(String::as_str)
}

/// Says why a rule can't allow commands like these, if it can't.
pub(crate) fn check_rule(command: &CommandMatcher) -> Result<(), String> {
    match command {
        CommandMatcher::Prefix(words) => check_words(words, false),
        CommandMatcher::Exact(exact) if exact.exact.is_empty() => Err("`exact` needs at least one word".to_owned()),
        CommandMatcher::Exact(exact) => check_words(&exact.exact, true),
    }
}

fn check_words(words: &[String], all: bool) -> Result<(), String> {
    let Some((first, rest)) = words.split_first() else { return Ok(()) };
    let program = program(first);
    if runs_anything(&program) {
        return Err(format!("`{program}` can run anything, so no rule can allow it"));
    }
    if let Some(word) = running_word(&program, rest) {
        return Err(format!("`{program} {word}` can run or write anything, so no rule can allow it"));
    }
    if all {
        return Ok(());
    }
    if among(SCRIPTED, without_version(&program)) {
        return Err(format!("any argument of `{program}` can change what it does: use `exact`"));
    }
    let named = rest.first().is_some_and(|word| !word.starts_with('-'));
    if among(INTERPRETERS, without_version(&program)) && !named {
        return Err(format!("the arguments of `{program}` decide what it does: name them, or use `exact`"));
    }
    match started(&program, rest) {
        Some(inner) if inner.first().is_none_or(|word| word.starts_with('-')) => {
            Err(format!("`{}` starts another program: name it, or use `exact`", words.join(" ")))
        }
        Some(inner) => check_words(inner, all),
        None => Ok(()),
    }
}

/// Returns the command that another one starts, as `uv run pytest` does.
fn started<'a>(program: &str, args: &'a [String]) -> Option<&'a [String]> {
    if among(STARTERS, program) {
        return Some(args);
    }
    let (verb, inner) = args.split_first()?;
    among(STARTING, &format!("{program}:{verb}")).then_some(inner)
}

/// The name without a version: `ksh93`, `zsh-5.9`, `python3.12`.
fn without_version(program: &str) -> &str {
    program.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.' || last == '-')
}

fn among(words: &str, program: &str) -> bool {
    words.split(' ').any(|word| word == program)
}

/// Options by which programs run or write what nobody would expect of them.
struct Options {
    programs: &'static str,
    /// Their names, after one or two dashes; after two they may be cut short.
    long: &'static str,
    /// Their letters, which may stand among others after one dash.
    short: &'static str,
}

impl Options {
    fn hold(&self, word: &str) -> bool {
        let name = |name: &str| name.split('=').next().unwrap_or_default().to_owned();
        let long = |fits: &dyn Fn(&str) -> bool| self.long.split(' ').any(|known| !known.is_empty() && fits(known));
        match (word.strip_prefix("--").map(name), word.strip_prefix('-').map(name)) {
            (Some(cut), _) => !cut.is_empty() && long(&|known| known.starts_with(&cut)),
            (None, Some(letters)) => long(&|known| known == letters) || letters.contains(|c| self.short.contains(c)),
            (None, None) => false,
        }
    }
}

const OPTIONS: &[Options] = &[
    Options { programs: "find gfind", long: "exec execdir ok okdir delete fls fprint fprint0 fprintf", short: "" },
    Options { programs: "fd fdfind", long: "exec exec-batch", short: "xX" },
    Options { programs: "sort gsort shuf gshuf", long: "output compress-program", short: "o" },
    Options {
        programs: "tar gtar bsdtar",
        long: "to-command checkpoint-action use-compress-program info-script new-volume-script rsh-command",
        short: "IF",
    },
    Options { programs: "rsync", long: "rsh rsync-path", short: "e" },
    Options { programs: "rg", long: "pre hostname-bin", short: "" },
    Options { programs: "zip", long: "unzip-command", short: "T" },
    Options { programs: "split gsplit", long: "filter", short: "" },
    Options { programs: "install ginstall", long: "strip-program", short: "" },
    Options { programs: "wget", long: "use-askpass execute", short: "e" },
    Options { programs: "go", long: "exec toolexec vettool", short: "" },
    Options { programs: "cargo", long: "config", short: "" },
    Options { programs: "npm pnpm yarn", long: "script-shell", short: "" },
    Options { programs: "printf", long: "", short: "v" },
];

/// Options of git before the name of its command say where and how; only these are harmless.
const GIT_HARMLESS: &str = "--no-pager -P --no-optional-locks --literal-pathspecs --version";

/// Commands of git that run others, or write down what to run.
const GIT_RUNS: &str = "submodule bisect filter-branch config difftool mergetool send-email instaweb web--browse daemon \
    shell hook maintenance for-each-repo gui citool credential help svn p4";

const GIT_OPTIONS: &str =
    "upload-pack receive-pack exec ext-diff open-files-in-pager template config output separate-git-dir";

fn git_running_word(args: &[String]) -> Option<&str> {
    let at = args.iter().position(|word| !among(GIT_HARMLESS, word))?;
    let (command, args) = (&args[at], &args[at + 1..]);
    if command.starts_with('-') || among(GIT_RUNS, command) {
        return Some(command);
    }
    let short = match command.as_str() {
        "clone" => "cu",
        "rebase" => "x",
        "grep" => "O",
        "archive" => "o",
        _ => "",
    };
    let options = Options { programs: "git", long: GIT_OPTIONS, short };
    args.iter().find(|word| options.hold(word)).map(String::as_str)
}

/// Shells.
const SHELLS: &str = "sh bash dash zsh ksh mksh yash fish csh tcsh ash rbash rc es nu elvish xonsh busybox toybox pwsh \
    powershell";

/// Programs that run what their arguments name.
const RUNNERS: &str = "env genv xargs gxargs sudo sudoedit doas su sg newgrp runuser setpriv capsh gosu pkexec time nohup \
    gnohup nice gnice ionice chrt choom timeout gtimeout stdbuf gstdbuf setsid setarch linux32 linux64 arch unshare \
    nsenter chroot proot taskset numactl prlimit flock watch watchexec entr parallel hyperfine script unbuffer \
    expect strace ltrace gdb lldb valgrind perf rr systemd-run systemd-inhibit at batch crontab run-parts \
    start-stop-daemon ssh rsh mosh socat nc ncat tmux screen fakeroot faketime eatmydata torsocks proxychains \
    firejail bwrap flatpak xvfb-run dbus-run-session dbus-launch ssh-agent caffeinate xdg-open open man less more \
    most ld.so ld-linux-x86-64.so.2 ld-linux-aarch64.so.1";

/// Words of a shell that run others or change what later words mean.
const BUILTINS: &str = "eval exec source . command builtin trap alias unalias export set shopt enable declare typeset local \
    readonly hash bind complete compgen read mapfile readarray getopts let unset test [ wait fc history \
    pushd popd dirs jobs fg bg emulate zmodload autoload noglob nocorrect";

/// The shell's grammar.
const GRAMMAR: &str = "if then else elif fi for foreach while until repeat do done case esac select in function coproc [[ \
    ]] { } !";

/// Programs that do what they read, or what their first argument says, which a rule therefore has to name.
const INTERPRETERS: &str = "python pypy node deno bun ruby perl php lua luajit r rscript julia awk gawk mawk nawk tclsh ghci \
    guile scheme racket java docker podman kubectl git cargo go npm pnpm yarn uv poetry pipenv pdm hatch rye conda \
    bundle mise direnv nix dotnet";

/// Programs that do what any of their arguments say.
const SCRIPTED: &str = "sed gsed ed ex vi vim nvim emacs sqlite psql mysql dc bc osascript";

/// Programs that start the one that their first argument names.
const STARTERS: &str = "npx bunx uvx";

/// Commands of programs that start the one that follows.
const STARTING: &str = "uv:run poetry:run pipenv:run pdm:run hatch:run rye:run conda:run pipx:run npm:exec npm:x pnpm:exec \
    pnpm:dlx yarn:exec yarn:dlx bun:x bundle:exec mise:exec mise:x direnv:exec nix:run";
