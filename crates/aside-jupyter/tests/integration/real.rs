//! ipykernel, as a person uses it.

use aside_jupyter::{KernelError, KernelEvent, RunCode};

use crate::common::{SLEEPS, line, python, real, run, start, told};

#[tokio::test]
async fn code_runs_and_everything_it_puts_out_comes() {
    let (Some(python), folder) = (python(), tempfile::tempdir().unwrap()) else { return };
    let (kernel, _news) = start(real(&python, folder.path())).await;
    assert!(kernel.info().unwrap().language_info.contains("python"));
    assert_eq!(
        run(&kernel, "print('a'); 1+1").await,
        ["busy", "begun 1", "stdout \"a\\n\"", "result 1 {\"text/plain\": \"2\"}", "reply Ok", "idle"]
    );
    assert_eq!(run(&kernel, "1/0").await[2..], ["error ZeroDivisionError: division by zero", "reply Failed", "idle"]);
    let display = "h = display('x', display_id='d'); h.update('y')\nfrom IPython.display import clear_output\nclear_output(wait=True)";
    let lines = run(&kernel, display).await;
    assert!(lines[2].starts_with("display") && lines[3].starts_with("update") && lines[4] == "clear true", "{lines:?}");
    assert!(lines[2].contains("Some(\"d\")") && lines[3].contains("Some(\"d\")"), "{lines:?}");
    assert_eq!(run(&kernel, "print('\\udc80 é')").await[2], "stdout \"\u{fffd} é\\n\"");
    let end = kernel.shut_down().await;
    assert_eq!(end.code, Some(0), "{end:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left of it");
    assert!(run(&kernel, "1").await[0].starts_with("ERROR the kernel died"));
}

#[tokio::test]
async fn a_flood_arrives_whole() {
    let (Some(python), folder) = (python(), tempfile::tempdir().unwrap()) else { return };
    let (kernel, _news) = start(real(&python, folder.path())).await;
    let code = "for i in range(100000): print('%06d' % i + 'x' * 73)";
    let mut execution = kernel.run(&RunCode { code, may_ask: false, stop_on_error: true }).await.unwrap();
    let mut text = String::new();
    while let Some(event) = execution.next().await {
        if let KernelEvent::Stream { text: more, .. } = event.unwrap() {
            text += &more;
        }
    }
    assert_eq!(text.len(), 8_000_000);
    assert!(text.lines().enumerate().all(|(at, line)| line.starts_with(&format!("{at:06}x"))));
    kernel.shut_down().await;
}

#[tokio::test]
async fn questions_are_answered_a_password_too() {
    let (Some(python), folder) = (python(), tempfile::tempdir().unwrap()) else { return };
    let (kernel, _news) = start(real(&python, folder.path())).await;
    let code = "a = input('name? '); import getpass; b = getpass.getpass('word? '); print(a, b)";
    let mut execution = kernel.run(&RunCode { code, may_ask: true, stop_on_error: true }).await.unwrap();
    let mut lines = Vec::new();
    while let Some(event) = execution.next().await {
        if let Ok(KernelEvent::AsksInput { password, .. }) = &event {
            kernel.answer(if *password { "secret" } else { "Ada" }).await.unwrap();
        }
        lines.push(line(event));
    }
    assert_eq!(lines[2..5], ["asks \"name? \" false", "asks \"word? \" true", "stdout \"Ada secret\\n\""]);
    assert!(run(&kernel, "input()").await[2].starts_with("error StdinNotImplementedError"), "nobody would answer");
    kernel.shut_down().await;
}

/// The library of widgets refuses a comm of its control target that does not name the version.
#[tokio::test]
async fn a_comm_is_opened_with_the_version_of_its_protocol() {
    let (Some(python), folder) = (python(), tempfile::tempdir().unwrap()) else { return };
    let (kernel, _news) = start(real(&python, folder.path())).await;
    let code = "from comm import get_comm_manager\nseen = []\n\
        get_comm_manager().register_target('control', lambda comm, message: seen.append(message['metadata']['version']))";
    run(&kernel, code).await;
    kernel.open_comm("c", "control", "1.0.0").await.unwrap();
    assert_eq!(run(&kernel, "seen").await[2], "result 2 {\"text/plain\": \"['1.0.0']\"}");
    kernel.shut_down().await;
}

#[tokio::test]
async fn what_runs_can_be_interrupted_and_what_waits_behind_it_is_aborted() {
    let (Some(python), folder) = (python(), tempfile::tempdir().unwrap()) else { return };
    for by_message in [false, true] {
        let mut launch = real(&python, folder.path());
        if by_message {
            launch.spec.interrupt_mode = aside_jupyter::InterruptMode::Message;
        }
        let (kernel, _news) = start(launch).await;
        let mut first = kernel.run(&RunCode { code: SLEEPS, may_ask: false, stop_on_error: true }).await.unwrap();
        let second = kernel.run(&RunCode { code: "2", may_ask: false, stop_on_error: true }).await.unwrap();
        while !line(first.next().await.unwrap()).starts_with("stdout") {}
        kernel.interrupt().await.unwrap();
        assert_eq!(told(first).await[..2], ["error KeyboardInterrupt: ", "reply Failed"], "by message: {by_message}");
        assert!(told(second).await.contains(&"reply Aborted".to_owned()), "by message: {by_message}");
        assert!(run(&kernel, "3").await.contains(&"result 2 {\"text/plain\": \"3\"}".to_owned()));
        kernel.shut_down().await;
    }
}

#[tokio::test]
async fn code_is_completed_described_and_judged() {
    let (Some(python), folder) = (python(), tempfile::tempdir().unwrap()) else { return };
    let (kernel, _news) = start(real(&python, folder.path())).await;
    run(&kernel, "übergröße = 1").await;
    assert!(kernel.complete("x = übergr", 10).await.unwrap().content.contains("übergröße"));
    assert!(kernel.inspect("len", 3, 0).await.unwrap().content.contains("number of items"));
    assert!(kernel.is_complete("for i in x:").await.unwrap().content.contains("incomplete"));
    kernel.shut_down().await;
}

#[tokio::test]
async fn a_death_is_noticed_and_explained() {
    let (Some(python), folder) = (python(), tempfile::tempdir().unwrap()) else { return };
    let (kernel, mut news) = start(real(&python, folder.path())).await;
    let lines = run(&kernel, "import os, sys; os.write(2, b''); sys.__stderr__.flush(); os._exit(3)").await;
    assert_eq!(lines.last().unwrap(), "ERROR the kernel died (exit code 3)");
    while let Some((_, event)) = news.next().await {
        assert!(!matches!(event, Err(ref error) if !matches!(error, KernelError::Died(_))), "{event:?}");
    }
    kernel.shut_down().await;
    let (kernel, _news) = start(real(&python, folder.path())).await;
    let lines = run(&kernel, "import os, signal; os.kill(os.getpid(), signal.SIGKILL)").await;
    assert_eq!(lines.last().unwrap(), "ERROR the kernel died (signal 9)");
    kernel.shut_down().await;
}
