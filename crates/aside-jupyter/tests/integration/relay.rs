//! Kernels that are listened to by a relay: nothing they say is lost, whoever is killed.
#![expect(clippy::disallowed_methods, reason = "looks for the relay's process")]

use std::time::Duration;

use aside_jupyter::{
    Execution, Kernel, KernelError, KernelEvent, Launch, LeftBehind, LeftEvent, News, RunCode, Unfinished,
};
use tokio::time::timeout;

use crate::common::{line, python, real, run, start};

/// 30 lines, one each 20 ms, each as one piece.
const LINES: &str =
    "import sys, time\nfor i in range(30):\n    sys.stdout.write(f'line {i}\\n'); sys.stdout.flush(); time.sleep(0.02)";

fn launch(runtime: &std::path::Path) -> Option<Launch> {
    Some(Launch { outlives: true, ..real(&python()?, runtime) })
}

async fn begin(kernel: &Kernel, code: &str) -> Execution {
    kernel.run(&RunCode { code, may_ask: true, stop_on_error: true }).await.unwrap()
}

/// The server is killed and there is another one.
async fn again(kernel: Kernel, news: News, execution: Execution) -> (Kernel, News, Execution) {
    let (record, request) = (kernel.record().clone(), execution.id().to_owned());
    drop((kernel, news, execution));
    let unfinished = Unfinished { request: &request, is_begun: true };
    let (kernel, news, execution) = Kernel::find_again(record, Some(unfinished)).await.unwrap();
    (kernel, news, execution.unwrap())
}

/// Takes until a line says this; returns the numbers and the lines.
async fn take(execution: &mut Execution, until: &str, all: &mut Vec<(u64, String)>) {
    while let Some(event) = execution.next().await {
        let text = line(event);
        let is_last = text.contains(until);
        all.push((execution.number(), text));
        if is_last {
            return;
        }
    }
}

fn whole() -> Vec<String> {
    (0..30).map(|at| format!("line {at}")).collect()
}

/// The lines that were printed, each number once.
fn printed(mut all: Vec<(u64, String)>) -> Vec<String> {
    all.sort();
    all.dedup();
    let texts = all.iter().filter_map(|(_, text)| text.strip_prefix("stdout \"")?.strip_suffix("\\n\""));
    texts.flat_map(|text| text.split("\\n").map(str::to_owned)).collect()
}

#[tokio::test]
async fn what_is_said_while_no_server_runs_comes_when_there_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let Some(launch) = launch(folder.path()) else { return };
    let (mut kernel, mut news) = start(launch).await;
    for round in 0..10 {
        let (mut all, mut execution) = (Vec::new(), begin(&kernel, LINES).await);
        take(&mut execution, &format!("line {}", round * 3), &mut all).await;
        if round % 2 == 0 {
            kernel.kept();
        }
        (kernel, news, execution) = again(kernel, news, execution).await;
        take(&mut execution, "no such line", &mut all).await;
        assert!(all.iter().any(|(_, text)| text == "reply Ok") && all.iter().any(|(_, text)| text == "idle"));
        assert_eq!(printed(all), whole(), "round {round}");
        kernel.kept();
    }
    drop(news);
    kernel.shut_down().await;
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left of it");
}

#[tokio::test]
async fn what_ended_while_no_server_ran_is_known_to_have_ended() {
    let folder = tempfile::tempdir().unwrap();
    let Some(launch) = launch(folder.path()) else { return };
    let (kernel, news) = start(launch).await;
    let mark = folder.path().join("done");
    let mut execution = begin(&kernel, &format!("{LINES}\nopen('{}', 'w').close()", mark.display())).await;
    let mut all = Vec::new();
    take(&mut execution, "line 3", &mut all).await;
    let (record, request) = (kernel.record().clone(), execution.id().to_owned());
    drop((kernel, news, execution));
    while !mark.exists() {
        tokio::task::yield_now().await;
    }
    let unfinished = Unfinished { request: &request, is_begun: true };
    let (kernel, _news, execution) = Kernel::find_again(record, Some(unfinished)).await.unwrap();
    take(&mut execution.unwrap(), "no such line", &mut all).await;
    assert!(all.iter().any(|(_, text)| text == "reply Ok") && all.iter().any(|(_, text)| text == "idle"));
    assert_eq!(printed(all), whole());
    kernel.shut_down().await;
}

#[tokio::test]
async fn what_a_kernel_said_before_it_ended_while_no_server_ran_is_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let Some(launch) = launch(folder.path()) else { return };
    let (kernel, news) = start(launch).await;
    let mut execution = begin(&kernel, &format!("{LINES}\nimport os; os._exit(3)")).await;
    let mut all = Vec::new();
    take(&mut execution, "line 3", &mut all).await;
    let (record, request) = (kernel.record().clone(), execution.id().to_owned());
    drop((news, execution));
    kernel.ended().await;
    drop(kernel);
    for _ in 0..2 {
        let gone = Kernel::find_again(record.clone(), None).await.unwrap_err();
        assert!(matches!(gone, KernelError::Gone), "{gone}");
        let left = LeftBehind::open(record.clone()).await.unwrap();
        let about = |left: &LeftEvent| left.about.as_ref() == Some(&request);
        all.extend(left.filter(about).map(|left| (left.number, line(Ok(left.event)))));
    }
    assert_eq!(printed(all), whole());
    LeftBehind::open(record.clone()).await.unwrap().remove();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left of it");
    assert!(matches!(LeftBehind::open(record).await, Err(KernelError::Gone)));
}

#[tokio::test]
async fn a_question_is_asked_again_until_it_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let Some(launch) = launch(folder.path()) else { return };
    let (mut kernel, mut news) = start(launch).await;
    let (mut all, mut execution) = (Vec::new(), begin(&kernel, "a = input('name? '); print(a)").await);
    take(&mut execution, "asks", &mut all).await;
    for _ in 0..2 {
        kernel.kept();
        (kernel, news, execution) = again(kernel, news, execution).await;
        take(&mut execution, "asks \"name? \"", &mut all).await;
    }
    drop(news);
    kernel.answer("Ada").await.unwrap();
    take(&mut execution, "idle", &mut all).await;
    assert_eq!(printed(all), ["Ada"]);
    kernel.shut_down().await;
}

#[tokio::test]
async fn a_relay_that_is_killed_is_started_again_and_the_kernel_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let Some(launch) = launch(folder.path()) else { return };
    let (kernel, _news) = start(launch).await;
    run(&kernel, "x = 41").await;
    let (mut all, mut execution) = (Vec::new(), begin(&kernel, LINES).await);
    take(&mut execution, "line 5", &mut all).await;
    end_relay(&kernel);
    take(&mut execution, "no such line", &mut all).await;
    let end = &all.last().unwrap().1;
    assert!(end == "idle" || end == "reply Ok" || end.starts_with("ERROR the kernel finished this"), "{end}");
    assert!(run(&kernel, "x + 1").await.iter().any(|line| line.contains("42")), "the kernel is the same");
    end_relay(&kernel);
    let asked = timeout(Duration::from_secs(20), run(&kernel, "x + 2")).await.expect("it ends one way or the other");
    assert!(!asked.is_empty());
    assert!(run(&kernel, "x + 3").await.iter().any(|line| line.contains("44")));
    kernel.shut_down().await;
}

#[tokio::test]
async fn a_second_relay_of_a_kernel_ends_and_takes_nothing_away() {
    let folder = tempfile::tempdir().unwrap();
    let Some(launch) = launch(folder.path()) else { return };
    let (kernel, _news) = start(launch).await;
    run(&kernel, "x = 41").await;
    let line = std::fs::read_to_string(format!("/proc/{}/cmdline", relay(&kernel))).unwrap();
    let arguments = line.trim_end_matches('\0').split('\0').skip(1);
    let second = std::process::Command::new("/proc/self/exe").args(arguments).status().unwrap();
    assert!(!second.success());
    assert!(kernel.record().connection_file.with_extension("relay-1").exists(), "the first one can still be found");
    end_relay(&kernel);
    let asked = timeout(Duration::from_secs(20), run(&kernel, "x + 1")).await.expect("it ends one way or the other");
    assert!(!asked.is_empty());
    assert!(run(&kernel, "x + 1").await.iter().any(|line| line.contains("42")));
    kernel.shut_down().await;
}

/// The relay of a kernel: the process that was started with its connection file.
fn relay(kernel: &Kernel) -> i32 {
    let file = kernel.record().connection_file.display().to_string();
    let is_relay = |pid: &i32| {
        let line = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.contains("kernel-relay") && line.contains(&file)
    };
    let all =
        std::fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let relay = all.filter(is_relay).collect::<Vec<i32>>();
    assert_eq!(relay.len(), 1, "there is one");
    relay[0]
}

fn end_relay(kernel: &Kernel) {
    let pid = rustix::process::Pid::from_raw(relay(kernel)).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

#[tokio::test]
async fn what_nobody_takes_is_kept_on_the_disk_and_comes_whole() {
    let folder = tempfile::tempdir().unwrap();
    let Some(launch) = launch(folder.path()) else { return };
    let (kernel, news) = start(launch).await;
    let code = "for i in range(1500): print('%06d' % i + 'x' * 100_000)";
    let execution = begin(&kernel, code).await;
    while !kernel.is_held_back() {
        tokio::task::yield_now().await;
    }
    let (kernel, _news, mut execution) = again(kernel, news, execution).await;
    let mut all = String::new();
    while let Some(event) = execution.next().await {
        if let KernelEvent::Stream { text, .. } = event.unwrap() {
            all += &text;
            kernel.kept();
        }
    }
    let is_whole = |(at, line): (usize, &str)| line.starts_with(&format!("{at:06}x")) && line.len() == 100_006;
    assert!(all.lines().count() == 1500 && all.lines().enumerate().all(is_whole));
    kernel.shut_down().await;
}
