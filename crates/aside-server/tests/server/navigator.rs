//! The Navigator over the whole server: a request, the scripted plan of a model, the answers of a person; then the actions in
//! their order, the audit, the files, the window and the words of the thread. The cases are data, one file an area.

#[path = "navigator/cases.rs"]
mod cases;
#[path = "navigator/play.rs"]
mod play;
#[path = "navigator/window.rs"]
pub mod window;

use cases::check;

#[tokio::test]
async fn requests_about_files() {
    check(include_str!("navigator/files.json")).await;
}

#[tokio::test]
async fn requests_about_documents_and_notebooks() {
    check(include_str!("navigator/documents.json")).await;
}

#[tokio::test]
async fn requests_about_tabs_and_layout() {
    check(include_str!("navigator/window.json")).await;
}

#[tokio::test]
async fn requests_about_kernels_latex_and_commands() {
    check(include_str!("navigator/programs.json")).await;
}

#[tokio::test]
async fn requests_about_threads_tasks_and_settings() {
    check(include_str!("navigator/workspace.json")).await;
}

#[tokio::test]
async fn requests_with_conditions_and_several_steps() {
    check(include_str!("navigator/conditions.json")).await;
}

#[tokio::test]
async fn requests_that_are_refused_or_cut_off() {
    check(include_str!("navigator/limits.json")).await;
}

#[tokio::test]
async fn requests_with_scripts() {
    check(include_str!("navigator/scripts.json")).await;
}

#[test]
fn cases_are_sixty_at_least() {
    let files = [
        include_str!("navigator/files.json"),
        include_str!("navigator/documents.json"),
        include_str!("navigator/window.json"),
        include_str!("navigator/programs.json"),
        include_str!("navigator/workspace.json"),
        include_str!("navigator/conditions.json"),
        include_str!("navigator/limits.json"),
        include_str!("navigator/scripts.json"),
    ];
    let count: usize = files.iter().map(|file| cases::read(file).len()).sum();
    assert!(count >= 60, "{count}");
}
