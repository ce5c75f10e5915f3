//! Starting: addresses, the second server, the end.

use std::os::unix::fs::PermissionsExt as _;

use aside_server::{ServeError, ServeOptions, Started, serve};

use crate::harness::{self, Server};

#[tokio::test]
async fn the_second_server_joins_the_first() {
    let server = Server::new().await;
    let Started::Joined(found) = serve(harness::options(server.folder.path())).await.unwrap() else {
        panic!("two servers on one workspace")
    };
    assert_eq!(&found, server.serving());
    assert_eq!(
        aside_server::running(server.folder.path(), Some(&harness::data(server.folder.path()))).as_ref(),
        Some(server.serving())
    );
    let folder = server.stop().await;
    assert_eq!(aside_server::running(folder.path(), Some(&harness::data(folder.path()))), None);
    harness::start(folder.path()).await.stop().await;
}

#[tokio::test]
async fn two_that_start_at_once_are_one_server() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = tokio::join!(serve(harness::options(folder.path())), serve(harness::options(folder.path())));
    match (one.unwrap(), two.unwrap()) {
        (Started::Serving(running), Started::Joined(joined)) | (Started::Joined(joined), Started::Serving(running)) => {
            assert_eq!(running.serving(), &joined);
            running.stop().await;
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_address_of_the_server_is_for_its_owner_alone() {
    let server = Server::new().await;
    let mode = |name: &str| server.folder.path().join(name).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(".aside/server.json"), 0o600);
    assert_eq!(mode(".aside"), 0o700);
}

#[tokio::test]
async fn another_address_needs_a_token_of_ones_own() {
    let folder = tempfile::tempdir().unwrap();
    let open = ServeOptions { host: "0.0.0.0".parse().unwrap(), token: None, ..harness::options(folder.path()) };
    assert!(matches!(serve(open.clone()).await, Err(ServeError::Open(_))));
    let short = ServeOptions { token: Some("secret".to_owned()), ..open.clone() };
    assert!(matches!(serve(short).await, Err(ServeError::Open(_))));
    let guarded = ServeOptions { token: Some("a long secret of one's own".to_owned()), ..open };
    harness::started(serve(guarded).await.unwrap()).stop().await;
}

#[tokio::test]
async fn state_that_came_with_the_files_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join(".aside");
    std::fs::create_dir(&state).unwrap();
    std::fs::set_permissions(&state, std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::write(state.join("rehearsal.json"), "{}").unwrap();
    let error = serve(harness::options(folder.path())).await.unwrap_err();
    assert!(matches!(error, ServeError::NotOurs(_)), "{error:?}");
    assert_eq!(std::fs::read_dir(&state).unwrap().count(), 1);
}

#[tokio::test]
async fn state_that_came_in_an_archive_is_used_when_its_person_says_so() {
    let theirs = Server::new().await.stop().await;
    let ours = tempfile::tempdir().unwrap();
    std::os::unix::fs::DirBuilderExt::mode(&mut std::fs::DirBuilder::new(), 0o700)
        .create(ours.path().join(".aside"))
        .unwrap();
    for name in ["id", "aside.db"] {
        std::fs::copy(theirs.path().join(".aside").join(name), ours.path().join(".aside").join(name)).unwrap();
    }
    let options = ServeOptions { data_folder: Some(harness::data(theirs.path())), ..harness::options(ours.path()) };
    assert!(matches!(serve(options.clone()).await, Err(ServeError::NotOurs(_))), "even where the original is known");
    assert_eq!(aside_server::running(ours.path(), options.data_folder.as_ref()), None);
    assert_eq!(aside_server::trust(&options).unwrap(), (ours.path().canonicalize().unwrap().join(".aside"), false));
    harness::started(serve(options).await.unwrap()).stop().await;
    harness::start(theirs.path()).await.stop().await;
}

#[tokio::test]
async fn a_folder_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = serve(harness::options(&folder.path().join("gone"))).await.unwrap_err();
    assert!(error.to_string().contains("gone"), "{error}");
    std::fs::write(folder.path().join("file"), "").unwrap();
    assert!(serve(harness::options(&folder.path().join("file"))).await.is_err());
}

#[tokio::test]
async fn tokens_are_made_by_chance() {
    let folder = tempfile::tempdir().unwrap();
    let options = ServeOptions { token: None, ..harness::options(folder.path()) };
    let first = harness::started(serve(options.clone()).await.unwrap());
    let token = first.serving().token.clone();
    first.stop().await;
    let second = harness::started(serve(options).await.unwrap());
    assert!(token.len() >= 43);
    assert_ne!(token, second.serving().token);
}
