//! What a hostile command tries beyond its workspace, with both sandboxes where they hold, and without one where that is
//! no matter of a sandbox.
#![expect(clippy::disallowed_methods, reason = "sets the scene, and plays the server")]

use std::{
    fs,
    net::{Ipv6Addr, UdpSocket},
    path::PathBuf,
    process::{Command, Stdio},
};

use aside_core::SandboxLevel;
use aside_workspace::process::{CommandLine, Processes, Stop, plain_text};

use crate::common::{everywhere, kept_apart, put, text};

const SANDBOXES: [SandboxLevel; 2] = [SandboxLevel::Bubblewrap, SandboxLevel::Landlock];

#[test]
fn the_settings_of_the_kernel_can_not_be_opened_for_writing() {
    kept_apart(|place, level| {
        // Appending nothing changes nothing, should one of them open.
        let script = "for f in /proc/sys/kernel/* /proc/sys/vm/* /proc/sys/fs/* /proc/sys/net/core/* /proc/sysrq-trigger \
                      /proc/acpi/wakeup /sys/kernel/* /sys/devices/system/cpu/cpu*/online /sys/fs/cgroup/*; do \
                      [ -f $f ] && (: >> $f) 2>/dev/null && echo \"opened $f\"; done; echo the end";
        assert_eq!(place.run(script).1, "the end\n", "{level}");
    });
}

#[test]
fn nothing_that_can_be_written_lies_in_memory_where_no_limit_holds() {
    kept_apart(|place, level| {
        let script = "for d in / /run /dev /proc /sys /etc /usr /var .aside; do (: > $d/x) 2>/dev/null && echo \"wrote $d\"; \
                      chmod u+w $d 2>/dev/null && (: > $d/x) 2>/dev/null && echo \"wrote $d\"; done; \
                      own=$(stat -c %d \"$TMPDIR\"); for d in /tmp /var/tmp /dev/shm; do \
                      (: > $d/aside-x) 2>/dev/null && [ $(stat -c %d $d) != $own ] && echo \"memory $d\"; done; echo the end";
        assert_eq!(place.run(script).1, "the end\n", "{level}");
    });
}

#[test]
fn a_file_is_not_larger_than_the_limit() {
    everywhere(|place| {
        let mut line = place.line("head -c 3000000 /dev/zero > src/big");
        line.limits.file = 1_000_000;
        place.run_line(&line);
        assert!(fs::metadata(place.work().join("src/big")).unwrap().len() <= 1_000_000);
    });
}

#[test]
fn no_names_are_looked_up_and_nothing_is_sent_without_a_network() {
    let local = UdpSocket::bind("127.0.0.1:0").unwrap();
    let sixth = UdpSocket::bind((Ipv6Addr::LOCALHOST, 0));
    local.set_nonblocking(true).unwrap();
    sixth.iter().for_each(|socket| socket.set_nonblocking(true).unwrap());
    let port = local.local_addr().unwrap().port();
    let sixth_port = sixth.as_ref().map_or(port, |socket| socket.local_addr().unwrap().port());
    let script = format!(
        "import socket\n\
         def attempt(name, act):\n    \
             try: act(); print(name)\n    \
             except OSError: pass\n\
         attempt('udp', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {port})))\n\
         attempt('udp6', lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(b'x', ('::1', {sixth_port})))\n\
         attempt('dns', lambda: socket.getaddrinfo('example.org', 80))\n\
         attempt('raw', lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW).send(b'x'))\n\
         attempt('vsock', lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM).connect((2, 22)))\n\
         print('the end')"
    );
    kept_apart(|place, level| {
        put(&place.work().join("src/net.py"), &script);
        // In a network of its own a command can send to itself.
        let said = place.run("python3 src/net.py").1.replace("udp\n", "").replace("udp6\n", "");
        assert_eq!(said, "the end\n", "{level}");
        assert!(sixth.iter().all(|socket| socket.recv(&mut [0; 8]).is_err()), "{level}");
        assert!(local.recv(&mut [0; 8]).is_err(), "{level}");
    });
}

#[test]
fn it_gains_no_rights_and_makes_no_devices() {
    everywhere(|place| {
        assert_eq!(place.run("grep NoNewPrivs /proc/self/status").1, "NoNewPrivs:\t1\n");
    });
    kept_apart(|place, level| {
        let (_, said) =
            place.run("grep CapEff /proc/self/status; mknod src/mem c 1 1 && cat src/mem | head -c 1 && echo read");
        assert_eq!(said.lines().next(), Some("CapEff:\t0000000000000000"), "{level}");
        assert!(!said.contains("read"), "{level}: {said}");
        for script in ["mount -t tmpfs x src", "unshare -Ur mount -t tmpfs x src", "chroot . /bin/sh"] {
            assert_ne!(place.run(script).0.status, Some(0), "{level}: {script}");
        }
    });
}

/// Plays a server of a workspace in a home: started below, with a home of its own.
#[test]
#[ignore = "is the server of another test"]
fn a_server_in_a_home() {
    let home = PathBuf::from(std::env::var_os("HOME").unwrap());
    for level in SANDBOXES {
        let work = home.join("work").canonicalize().unwrap();
        let processes = Processes::at_most(&work, vec![home.join(".local/share/aside")], level);
        if processes.found().level == level {
            let script = format!(
                "for f in .bashrc .profile .ssh/id .netrc .config/gh/hosts.yml .local/share/aside/trust other/notes.md \
                 other/.aside/server.json .mozilla/cookies; do cat {0}/$f ../$f ~/../../$f /proc/1/root{0}/$f; \
                 echo evil >> {0}/$f; done 2>/dev/null; ls {0} {0}/other; cd .. && cat .bashrc; \
                 find {0} -name cookies; cat {0}/work/mine.txt",
                home.display()
            );
            let finished = processes.run(&CommandLine::shell(&script, &work), &Stop::default(), |_| {}).unwrap();
            println!("said {level}: {}", plain_text(&finished.output.bytes()));
        }
    }
}

#[test]
fn the_rest_of_a_home_and_other_workspaces_are_out_of_reach() {
    let home = tempfile::tempdir().unwrap();
    let secrets = [
        ".bashrc",
        ".profile",
        ".ssh/id",
        ".netrc",
        ".config/gh/hosts.yml",
        ".local/share/aside/trust",
        "other/notes.md",
        "other/.aside/server.json",
        ".mozilla/cookies",
    ];
    for path in secrets.into_iter().chain(["work/mine.txt"]) {
        fs::create_dir_all(home.path().join(path).parent().unwrap()).unwrap();
        put(&home.path().join(path), if path == "work/mine.txt" { "my own" } else { "the key" });
    }
    let mut server = Command::new(std::env::current_exe().unwrap());
    server.args(["--ignored", "--exact", "hostile::a_server_in_a_home", "--nocapture"]).env("HOME", home.path());
    let said = String::from_utf8_lossy(&server.output().unwrap().stdout).into_owned();
    assert!(said.contains("said ") && said.contains("my own") && !said.contains("the key"), "{said}");
    assert!(!said.contains("cookies"), "not even their names: {said}");
    for path in secrets {
        assert_eq!(text(home.path().join(path)).as_deref(), Some("the key"), "{path}");
    }
}

/// Plays a server that was started at a terminal.
#[test]
#[ignore = "is the server of another test"]
fn a_server_at_a_terminal() {
    everywhere(|place| {
        let script = "import fcntl, os, termios\n\
                      try:\n    \
                          fcntl.ioctl(os.open('/dev/tty', os.O_RDWR), termios.TIOCSTI, b'x')\n    \
                          print('typed')\n\
                      except OSError: pass\n\
                      for fd in range(16):\n    \
                          if os.isatty(fd): print('has a terminal')\n\
                      print('the end')";
        put(&place.work().join("src/tty.py"), script);
        println!("said {}", place.run("python3 src/tty.py").1);
    });
}

#[test]
fn a_terminal_of_the_server_is_not_typed_into() {
    let server = std::env::current_exe().unwrap().display().to_string();
    // Python gives the server a terminal to control, as a person's shell does.
    let started = format!(
        "import os, pty\n\
         os.environ['RUST_BACKTRACE'] = '0'\n\
         pty.spawn(['{server}', '--ignored', '--exact', 'hostile::a_server_at_a_terminal', '--nocapture'])"
    );
    let python = Command::new("python3").args(["-c", &started]).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&python.stdout).into_owned();
    assert!(said.contains("said the end"), "{said}");
    assert!(!said.contains("typed") && !said.contains("has a terminal"), "{said}");
}
