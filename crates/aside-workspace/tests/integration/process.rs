//! Commands that try to get out, at every level that holds on this machine.
#![expect(clippy::disallowed_methods, reason = "sets the scene, looks at it, and plays the server")]

use std::{
    fs,
    io::Read as _,
    net::TcpListener,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use aside_core::SandboxLevel;
use aside_workspace::process::{CommandEnd, CommandLine, Live, Processes, Stop, plain_text};

use crate::common::{LEVELS, Place, everywhere, is_alive, kept_apart, put, sleep, text, until};

#[test]
fn a_command_does_its_work() {
    everywhere(|place| {
        let (finished, said) = place.run("cat src/a.txt; echo two > src/b.txt; echo err >&2; exit 3");
        assert_eq!((finished.why, finished.status, said.as_str()), (CommandEnd::Exited, Some(3), "oneerr\n"));
        assert_eq!(text(place.work().join("src/b.txt")).as_deref(), Some("two\n"));
        let killed = place.run("kill -9 $$").0;
        // Bubblewrap tells of the shell's end as a shell does.
        let (status, signal) = match place.processes.found().level {
            SandboxLevel::Bubblewrap => (Some(137), None),
            SandboxLevel::Landlock | SandboxLevel::None => (None, Some(9)),
        };
        assert_eq!((killed.status, killed.signal), (status, signal));
        assert_eq!(place.run("cat").1, "", "standard input is empty");
        let (_, home) = place.run("cd && pwd && touch x && ls && : > \"$TMPDIR/y\" && rm \"$TMPDIR/y\" && echo fine");
        assert!(home.ends_with("x\nfine\n"), "{home}");
    });
}

#[test]
fn what_is_none_of_its_business_is_not_read() {
    kept_apart(|place, _| {
        for path in [place.outside("secret"), place.outside("private/key"), ".aside/server.json".to_owned()] {
            let (_, said) = place.run(&format!("cat {path}; cat ./src/../{path}"));
            assert!(!said.contains("the "), "{path}: {said}");
        }
        symlink(place.outside("secret"), place.work().join("src/link")).unwrap();
        assert!(
            !place
                .run("cat src/link; cat /proc/self/root/etc/shadow; cat ~/.ssh/id* /root/.bashrc")
                .1
                .contains("the secret")
        );
        for path in ["/root/.profile", "/root/.bashrc", "/etc/shadow", "/root/.cargo/credentials.toml"] {
            let (finished, _) = place.run(&format!("cat {path} >/dev/null 2>&1"));
            assert_ne!(finished.status, Some(0), "{path}");
        }
    });
}

#[test]
fn nothing_is_written_outside() {
    kept_apart(|place, _| {
        let outside = place.outside("secret");
        place.run(&format!("echo evil > {outside}; rm -f {outside}; truncate -s 0 {outside}; mv {outside} src/"));
        place.run(&format!(
            "ln -s {} src/out; echo evil > src/out/new; ln -s {outside} src/f; echo evil > src/f",
            place.outside(".")
        ));
        place.run(&format!("ln {outside} src/hard && echo evil > src/hard"));
        assert_eq!(text(&outside).as_deref(), Some("the secret"));
        assert!(!Path::new(&place.outside("new")).exists());
        for path in ["/usr/evil", "/etc/evil", "/evil", "/var/evil", "/dev/shm/../../evil"] {
            place.run(&format!("echo evil > {path}"));
            assert!(!Path::new(path).exists(), "{path}");
        }
    });
}

#[test]
fn what_governs_programs_stays_as_it_is() {
    kept_apart(|place, _| {
        place.run("echo evil > .git/hooks/pre-commit; echo evil >> .git/config; echo evil > .envrc");
        place.run("rm -rf .git/hooks .envrc .aside; mv .envrc x; echo evil > .aside/server.json");
        place.run("mv .git src/git || mv .git git; mkdir .git; echo evil > .git/config; rm -rf src/git git");
        place.run("echo fine > .git/index; mv .git/index .git/index2");
        let work = place.work();
        assert!(work.join(".git/hooks").is_dir() && !work.join("git").exists());
        assert!(!work.join(".git/hooks/pre-commit").exists());
        assert_eq!(text(work.join(".git/config")).as_deref(), Some("[core]"));
        assert_eq!(text(work.join(".envrc")).as_deref(), Some("export A=1"));
        assert_eq!(text(work.join(".aside/server.json")).as_deref(), Some("the token"));
    });
}

#[test]
fn git_does_its_work_and_is_not_led_elsewhere() {
    kept_apart(|place, level| {
        // Without the right to mount, Landlock grants nothing new beside what is protected.
        if level == SandboxLevel::Bubblewrap || makes_files_at_top(place) {
            work_with_git(place);
        }
    });
}

/// Tells whether a command can make files beside what is protected.
fn makes_files_at_top(place: &Place) -> bool {
    place.run("mkdir .git; echo 1 > made && mkdir folder && mv made folder/x").0.status == Some(0)
}

fn work_with_git(place: &Place) {
    let as_somebody = "export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@a.org GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@a.org \
                       GIT_EDITOR=true; set -e; ";
    let git = |script: &str| {
        let (finished, said) = place.run(&format!("{as_somebody}{script}"));
        assert_eq!(finished.status, Some(0), "{script}: {said}");
    };
    let made =
        Command::new("git").args(["init", "--quiet", "--initial-branch=main"]).current_dir(place.work()).status();
    assert!(made.unwrap().success());
    git(
        "git add src; git commit -qm first; git branch side; git tag -m t v1; echo 2 > src/a.txt; git commit -qam second",
    );
    git("echo 3 > src/a.txt; git stash -q; git stash pop -q; git checkout -q src/a.txt; git switch -q side");
    git("echo 4 > src/a.txt; git commit -qam third; ! git merge -q main; git merge --abort; ! git rebase -q main");
    git("echo 5 > src/a.txt; git add src/a.txt; git rebase --continue; git gc -q; git worktree add -q beside main");
    git("cd beside; echo 6 > src/a.txt; git commit -qam fourth; git log --oneline | grep fourth; git status");
    let (commondir, file) = (place.work().join(".git/worktrees/beside/commondir"), place.work().join("beside/.git"));
    let before = (text(&commondir), text(&file));
    place.run(&format!("echo ../../../e > {}; echo gitdir: ../e > {}", commondir.display(), file.display()));
    assert_eq!((text(&commondir), text(&file)), before);
}

#[test]
fn command_makes_files_at_the_repository_top() {
    kept_apart(|place, level| {
        if level == SandboxLevel::Landlock && !may_mount() {
            return;
        }
        let script =
            "set -e; echo 1 > made; mkdir folder; mv made folder/x; ln -s folder link; rm -r folder link; echo fine";
        assert_eq!(place.run(script).1, "fine\n", "{level}");
        let (_, said) = place.run("echo evil > .git/hooks/x; cat .aside/server.json; ls .aside; echo evil > .aside/x");
        assert!(!said.contains("the token") && !said.contains("server.json\n"), "{level}: {said}");
        assert!(!place.work().join(".git/hooks/x").exists() && !place.work().join(".aside/x").exists(), "{level}");
        place.run(
            "umount .git/hooks .aside; mount -o remount,rw .git/hooks; echo evil > .git/hooks/x; mv .git aside-git",
        );
        assert!(!place.work().join(".git/hooks/x").exists() && place.work().join(".git/hooks").is_dir(), "{level}");
    });
}

/// Tells whether a program of this user may have mounts of its own here.
fn may_mount() -> bool {
    let mut own = Command::new("unshare");
    own.args(["--user", "--map-root-user", "--mount", "true"]);
    own.status().is_ok_and(|status| status.success())
}

#[test]
fn what_only_reads_can_write_nothing_in_the_workspace() {
    kept_apart(|place, level| {
        let line = place.line("cat kept; echo new > kept; echo new > made; echo own > \"$TMPDIR/own\" && echo written");
        fs::write(place.work().join("kept"), "old\n").unwrap();
        let (_, said) = place.run_line(&CommandLine { read_only: true, ..line });
        assert!(said.starts_with("old") && said.ends_with("written\n"), "{level}: {said}");
        assert_eq!(text(place.work().join("kept")).as_deref(), Some("old\n"), "{level}");
        assert!(!place.work().join("made").exists(), "{level}");
    });
}

#[test]
fn there_is_no_network_unless_it_is_allowed() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    listener.set_nonblocking(true).unwrap();
    let connect = format!(
        "python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", {port}), 5); print(\"connected\")'"
    );
    kept_apart(|place, level| {
        let (_, said) = place.run(&connect);
        assert!(!said.contains("connected"), "{level}: {said}");
        assert!(listener.accept().is_err());
        let allowed = CommandLine { network: true, ..place.line(&connect) };
        let (_, said) = place.run_line(&allowed);
        assert!(said.contains("connected"), "{level}: {said}");
        listener.accept().unwrap();
    });
}

#[test]
fn services_of_this_machine_are_out_of_reach_also_with_a_network() {
    use std::os::{
        linux::net::SocketAddrExt as _,
        unix::net::{SocketAddr, UnixListener},
    };
    let name = format!("aside-test-{}", std::process::id());
    let hidden = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let _path = UnixListener::bind(folder.path().join("bus")).unwrap();
    let (bus, name) = (folder.path().join("bus").display().to_string(), format!("\\0{name}"));
    drop(hidden.set_nonblocking(true));
    kept_apart(|place, level| {
        for address in [&bus, &name] {
            let script = format!(
                "python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect(\"{address}\"); print(\"connected\")'"
            );
            let (_, said) = place.run_line(&CommandLine { network: true, ..place.line(&script) });
            assert!(!said.contains("connected"), "{level} {address}: {said}");
        }
    });
}

#[test]
fn the_server_and_the_helper_are_neither_read_nor_ended_nor_traced() {
    kept_apart(|place, level| {
        let server = std::process::id();
        let script = format!(
            "for pid in {server} $PPID; do cat /proc/$pid/environ /proc/$pid/maps /proc/$pid/mem /proc/$pid/fd/0 2>/dev/null \
             | head -c 9 | grep -q . && echo read $pid; done; kill -9 {server} $PPID -1 2>/dev/null; \
             ls -l /proc/{server}/cwd /proc/{server}/root 2>/dev/null | grep -- '->'; echo the end"
        );
        let (finished, said) = place.run(&script);
        assert_eq!(finished.still_there, 0);
        // `kill -1` may end the shell itself, and nothing else.
        assert!(!said.contains(&format!("read {server}")) && !said.contains("->"), "{level}: {said}");
        let tracing = format!(
            "python3 -c 'import ctypes; print(\"traced\", ctypes.CDLL(None).ptrace(16, {server}, 0, 0) == 0)' 2>&1"
        );
        let (_, said) = place.run(&tracing);
        assert!(said.contains("traced False"), "{level}: {said}");
    });
}

/// Plays a server whose workspace is the person's home: started below, with a home of its own.
#[test]
#[ignore = "is the server of another test"]
fn a_server_over_a_home() {
    let home = PathBuf::from(std::env::var_os("HOME").unwrap());
    for level in [SandboxLevel::Bubblewrap, SandboxLevel::Landlock] {
        let processes = Processes::at_most(&home, Vec::new(), level);
        if processes.found().level == level {
            let script = "cat ~/x .aws/credentials .ssh/id .config/gh/hosts.yml; echo evil > .ssh/authorized_keys; cat notes.txt";
            let finished = processes.run(&CommandLine::shell(script, &home), &Stop::default(), |_| {}).unwrap();
            println!("said {level}: {}", plain_text(&finished.output.bytes()));
        }
    }
}

#[test]
fn keys_in_a_home_that_is_the_workspace_are_out_of_reach() {
    let home = tempfile::tempdir().unwrap();
    for path in [".aws/credentials", ".ssh/id", ".config/gh/hosts.yml", "notes.txt"] {
        fs::create_dir_all(home.path().join(path).parent().unwrap()).unwrap();
        put(&home.path().join(path), if path == "notes.txt" { "my notes" } else { "the key" });
    }
    let mut server = Command::new(std::env::current_exe().unwrap());
    server.args(["--ignored", "--exact", "process::a_server_over_a_home", "--nocapture"]).env("HOME", home.path());
    let said = String::from_utf8_lossy(&server.output().unwrap().stdout).into_owned();
    assert!(said.contains("said ") && said.contains("my notes") && !said.contains("the key"), "{said}");
    assert!(!home.path().join(".ssh/authorized_keys").exists());
}

#[test]
fn the_environment_is_a_list_of_names() {
    everywhere(|place| {
        let (_, said) = place.run("env; cat /proc/$PPID/environ 2>/dev/null | tr '\\0' '\\n'");
        let names: Vec<&str> = said.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
        let known = place.processes.environment_names();
        let of_shell = ["PWD", "OLDPWD", "SHLVL", "_"];
        assert!(names.contains(&"PATH"));
        for name in names {
            assert!(known.iter().any(|known| known == name) || of_shell.contains(&name), "{name}");
        }
    });
}

#[test]
fn a_flood_of_processes_is_ended() {
    everywhere(|place| {
        // Not without an end, so that a mistake of ours does not take the machine down.
        let sleep = sleep(20, std::process::id());
        let script = format!("f() {{ [ $1 = 0 ] || {{ f $(($1 - 1)) & f $(($1 - 1)) & }}; {sleep}; }}; f 10");
        let mut line = place.line(&script);
        line.limits.processes = 40;
        let (finished, _) = place.run_line(&line);
        assert_eq!((finished.why, finished.still_there), (CommandEnd::TooManyProcesses, 0));
        assert!(!is_alive(&sleep));
    });
}

#[test]
fn too_much_memory_is_not_given() {
    everywhere(|place| {
        let mut line =
            place.line("python3 -c 'x = bytearray(400 << 20); print(\"got it\"); import time; time.sleep(9)'");
        line.limits.memory = 200 << 20;
        let (finished, said) = place.run_line(&line);
        assert!(!said.contains("got it") && finished.status != Some(0), "{finished:?} {said}");
    });
}

#[test]
fn what_is_written_counts_in_sum_over_files_and_processes() {
    everywhere(|place| {
        // Twenty files of 2 MB, each by a process that is gone when it is looked at.
        let script = "for part in $(seq 20); do head -c 2000000 /dev/zero > src/part-$part; done; echo all; sleep 20";
        let mut line = place.line(script);
        line.limits.disk = 20_000_000;
        let (finished, _) = place.run_line(&line);
        assert_eq!((finished.why, finished.still_there), (CommandEnd::TooMuchWritten, 0), "{finished:?}");
        let (finished, said) = place.run(&script.replace("; sleep 20", ""));
        assert_eq!((finished.why, said.as_str()), (CommandEnd::Exited, "all\n"));
    });
}

#[test]
fn what_a_command_leaves_behind_is_ended_with_it() {
    everywhere(|place| {
        // A grandchild in a session of its own, whose parent is gone: a daemon.
        let sleep = sleep(600, std::process::id());
        let script = format!(
            "(setsid sh -c '{sleep} & echo $! > src/pid; wait' >/dev/null 2>&1 &) ; while [ ! -s src/pid ]; do :; done; echo done"
        );
        let begun = Instant::now();
        let (finished, said) = place.run(&script);
        assert!(said.contains("done"), "{said}");
        assert_eq!(finished.still_there, 0);
        assert!(begun.elapsed() < Duration::from_secs(20));
        assert!(!is_alive(&sleep), "the daemon is still there");
    });
}

#[test]
fn what_runs_on_is_counted() {
    everywhere(|place| {
        let sleep = sleep(606, std::process::id());
        let (finished, _) = place.run(&format!("{sleep} & setsid {sleep} &"));
        // Bubblewrap ends them itself, before or after they are counted.
        let in_bubblewrap = place.processes.found().level == SandboxLevel::Bubblewrap;
        assert!(finished.left_behind == 2 || in_bubblewrap && finished.left_behind < 2, "{finished:?}");
        assert!(!is_alive(&sleep));
    });
}

#[test]
fn a_command_that_ended_with_all_its_children_has_left_nothing_running() {
    everywhere(|place| {
        // Several times: whether the sandbox's own process is still there a moment later is chance.
        for _ in 0..20 {
            let (finished, _) = place.run("echo hi; id -u; ls /usr | head -n 2; (true & wait)");
            assert_eq!((finished.left_behind, finished.still_there), (0, 0));
        }
    });
}

#[test]
fn stop_and_the_clock_end_everything() {
    everywhere(|place| {
        let stop = Stop::default();
        let stopping = stop.clone();
        let [one, two, three] = [601, 602, 603].map(|seconds| sleep(seconds, std::process::id()));
        let script = format!("trap '' TERM INT HUP; echo begun; {one} & setsid {two} & {three}");
        let begun = Instant::now();
        let heard = |live: Live| {
            if live.text.contains("begun") {
                stopping.stop();
            }
        };
        let finished = place.processes.run(&place.line(&script), &stop, heard).unwrap();
        assert_eq!((finished.why, finished.status), (CommandEnd::Stopped, None));
        assert!(begun.elapsed() < Duration::from_secs(10));
        let mut line = place.line(&format!("{one} & {two}"));
        line.limits.time = Duration::from_millis(300);
        assert_eq!(place.run_line(&line).0.why, CommandEnd::TimedOut);
        for sleep in [one, two, three] {
            assert!(!is_alive(&sleep), "{sleep}");
        }
    });
}

#[test]
fn long_output_is_bounded_and_keeps_its_end() {
    everywhere(|place| {
        let mut most = 0;
        let line = place.line("head -c 200000000 /dev/zero | tr '\\0' 'x'; echo; echo the end");
        let finished = place.processes.run(&line, &Stop::default(), |live| most = most.max(live.text.len())).unwrap();
        assert_eq!(finished.output.total(), 200_000_009);
        let bytes = finished.output.bytes();
        assert!(bytes.len() < 17 << 20 && bytes.ends_with(b"the end\n"));
    });
}

#[test]
fn what_is_no_text_and_what_moves_is_heard_as_a_terminal_shows_it() {
    everywhere(|place| {
        let mut heard = String::new();
        let script = r"printf 'a\377b\n'; for i in 1 2 3; do printf '\r%s0 %%' $i; sleep 0.15; done; echo; printf '\033[31mred\033[0m'";
        let finished = place
            .processes
            .run(&place.line(script), &Stop::default(), |live| {
                let units: Vec<u16> = heard.encode_utf16().take(live.offset).collect();
                heard = String::from_utf16(&units).unwrap() + &live.text;
            })
            .unwrap();
        assert_eq!(heard, "a\u{fffd}b\n30 %\nred");
        assert_eq!(plain_text(&finished.output.bytes()), heard);
    });
}

#[test]
fn what_the_helper_is_not_told_does_not_run() {
    everywhere(|place| {
        let missing = CommandLine { argv: vec!["/no/such/program".to_owned()], ..place.line("") };
        match place.processes.run(&missing, &Stop::default(), |_| {}) {
            Err(error) => assert!(error.to_string().contains("cannot start"), "{error}"),
            Ok(finished) => assert_eq!(finished.status, Some(1)),
        }
    });
}

/// Plays a server that is killed: started below by the test of that name, in a process of its own.
#[test]
#[ignore = "is the server of another test"]
fn a_server_that_waits_for_a_command() {
    for place in LEVELS.into_iter().filter_map(Place::new).take(1) {
        let [one, two] = [604, 605].map(|seconds| sleep(seconds, std::process::id()));
        place.run(&format!("setsid {one} & {two}"));
    }
}

#[test]
fn a_server_killed_with_9_leaves_no_process() {
    let mut server = Command::new(std::env::current_exe().unwrap());
    server.args(["--ignored", "--exact", "process::a_server_that_waits_for_a_command", "--nocapture"]);
    let mut server = server.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let sleeps = [604, 605].map(|seconds| sleep(seconds, server.id()));
    until(|| sleeps.iter().all(|sleep| is_alive(sleep)));
    server.kill().unwrap();
    let mut rest = String::new();
    server.stdout.take().unwrap().read_to_string(&mut rest).unwrap();
    server.wait().unwrap();
    until(|| !sleeps.iter().any(|sleep| is_alive(sleep)));
}
