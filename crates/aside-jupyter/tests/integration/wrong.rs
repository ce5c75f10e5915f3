//! Kernels that do one thing wrong, each a clear error.

use std::{path::Path, time::Duration};

use aside_jupyter::{Kernel, KernelEvent, Launch, RunCode};

use crate::common::{fake, line, python, run, start};

/// Starts a kernel that can't be started, and says why not. Nothing is left of it.
async fn not_started(change: impl FnOnce(&Path, &Path) -> Launch) -> String {
    let (Some(python), folder) = (python(), tempfile::tempdir().unwrap()) else { return String::new() };
    let launch = Launch { patience: Duration::from_secs(3), ..change(&python, folder.path()) };
    let error = Kernel::start(launch).await.expect_err("it can't be started").to_string();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left of it: {error}");
    error
}

/// Starts one that does this wrong.
async fn check(how: &str, wanted: &str) {
    let error = not_started(|python, folder| fake(python, how, folder)).await;
    assert!(error == wanted || error.is_empty(), "{how}: {error}");
}

#[tokio::test]
async fn one_that_can_not_be_started_says_why() {
    let error = not_started(|python, folder| {
        let mut launch = fake(python, "", folder);
        launch.spec.argv[0] = "/no/such/program".to_owned();
        launch
    });
    let error = error.await;
    assert!(
        error.is_empty() || error == "cannot start the kernel: the program `/no/such/program` was not found",
        "{error}"
    );
    check("dies-at-start", "the kernel died (exit code 1; its last output: no module named numpy)").await;
    check("never-starts", "the kernel started but did not answer within 3 s; its output: still loading").await;
}

#[tokio::test]
async fn one_that_lies_is_not_spoken_to() {
    let told = "the kernel violates the protocol:";
    check("signs-wrongly", &format!("{told} its messages are not signed with the key that it was given")).await;
    check("is-old", &format!("{told} it uses protocol version `4.1`, not 5")).await;
    check("is-silent", &format!("{told} it answers, but its output does not arrive")).await;
}

#[tokio::test]
async fn last_words_come_with_a_death_and_what_was_put_out_before() {
    let (Some(python), folder) = (python(), tempfile::tempdir().unwrap()) else { return };
    let (kernel, _news) = start(fake(&python, "", folder.path())).await;
    let lines = run(&kernel, "die").await;
    let died = "ERROR the kernel died (exit code 7; its last output: the last words)";
    assert_eq!(lines[1..], ["stdout \"before\"", died]);
    kernel.shut_down().await;
}

#[tokio::test]
async fn nonsense_is_kept_as_it_is() {
    let (Some(python), folder) = (python(), tempfile::tempdir().unwrap()) else { return };
    let (kernel, mut news) = start(fake(&python, "", folder.path())).await;
    assert_eq!(
        run(&kernel, "nonsense").await[1..],
        ["other stream", "other display_data", "other whatever", "reply Ok", "idle"]
    );
    let lie = loop {
        let (_, event) = news.next().await.unwrap();
        if event.is_err() {
            break line(event);
        }
    };
    assert_eq!(lie, "ERROR the kernel violates the protocol: a message has no delimiter");
    kernel.shut_down().await;
}

#[tokio::test]
async fn one_that_is_not_listened_to_waits_and_nothing_is_lost() {
    let (Some(python), folder) = (python(), tempfile::tempdir().unwrap()) else { return };
    let (kernel, _news) = start(fake(&python, "", folder.path())).await;
    // 131 MB, twice what is kept: nobody takes any until the kernel was stopped.
    let run = RunCode { code: "flood2000", may_ask: false, stop_on_error: true };
    let mut execution = kernel.run(&run).await.unwrap();
    while !kernel.is_held_back() {
        tokio::task::yield_now().await;
    }
    let mut lines = 0;
    while let Some(event) = execution.next().await {
        if let KernelEvent::Stream { text, .. } = event.unwrap() {
            assert!(text.starts_with(&format!("{lines:06} ")), "line {lines}");
            lines += 1;
        }
    }
    assert_eq!(lines, 2000);
    assert!(!kernel.is_held_back());
    kernel.shut_down().await;
}

#[tokio::test]
async fn one_that_is_deaf_is_ended_all_the_same() {
    let (Some(python), folder) = (python(), tempfile::tempdir().unwrap()) else { return };
    let (kernel, _news) = start(fake(&python, "deaf", folder.path())).await;
    let mut running = kernel.run(&RunCode { code: "forever", may_ask: false, stop_on_error: true }).await.unwrap();
    assert_eq!(line(running.next().await.unwrap()), "busy");
    kernel.interrupt().await.unwrap();
    assert_eq!(kernel.shut_down().await.signal, Some(9));
    assert_eq!(line(running.next().await.unwrap()), "ERROR the kernel died (signal 9)");
}
