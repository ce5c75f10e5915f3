//! A kernel that outlives its server where no relay could be started: this program can't become one, so it is not part of
//! the others.

#[path = "integration/common.rs"]
mod common;

use aside_jupyter::{Kernel, KernelError, RunCode, Unfinished};
use common::{SLEEPS, line, python, real, run, start, told};

#[tokio::test]
async fn a_kernel_outlives_us_and_is_found_again_with_what_it_runs() {
    let (Some(python), folder) = (python(), tempfile::tempdir().unwrap()) else { return };
    let launch = aside_jupyter::Launch { outlives: true, ..real(&python, folder.path()) };
    let (kernel, news) = start(launch).await;
    run(&kernel, "x = 41").await;
    let record = serde_json::to_string(kernel.record()).unwrap();
    drop((kernel, news));
    let find = async |running: Option<&str>| {
        let unfinished = running.map(|request| Unfinished { request, is_begun: true });
        Kernel::find_again(serde_json::from_str(&record).unwrap(), unfinished).await
    };
    let (kernel, news, nothing) = find(None).await.unwrap();
    assert!(nothing.is_none());
    assert!(run(&kernel, "x + 1").await.contains(&"result 2 {\"text/plain\": \"42\"}".to_owned()));
    let mut running = kernel.run(&RunCode { code: SLEEPS, may_ask: false, stop_on_error: true }).await.unwrap();
    let request = running.id().to_owned();
    while !line(running.next().await.unwrap()).starts_with("stdout") {}
    drop((kernel, news, running));
    let (kernel, _news, running) = find(Some(&request)).await.unwrap();
    kernel.interrupt().await.unwrap();
    let told = told(running.unwrap()).await;
    assert_eq!((told[0].as_str(), told.last().unwrap().as_str()), ("error KeyboardInterrupt: ", "idle"));
    drop(kernel);
    let (kernel, _news, ended) = find(Some(&request)).await.unwrap();
    let ended = common::told(ended.unwrap()).await;
    assert_eq!(ended, ["ERROR the kernel finished this, but its result was lost"]);
    kernel.shut_down().await;
    assert!(matches!(find(None).await.unwrap_err(), KernelError::Gone));
}
