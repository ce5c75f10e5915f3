//! Follows one live document: tells the servers its text a moment after it was changed, that its file was written, and
//! that it has another path. It never keeps the document waiting.

use std::{sync::Arc, time::Duration};

use aside_core::{FileKind, WorkspacePath};
use aside_workspace::{Document, WorkspaceEvent};
use tokio::sync::broadcast;

use crate::{keeper::Order, language::id_of, servers::Orders};

/// Until nobody has the document open, which ends the task.
pub(crate) async fn follow(
    document: Arc<Document>,
    kind: FileKind,
    servers: Vec<Orders>,
    mut events: broadcast::Receiver<WorkspaceEvent>,
    typing: Duration,
) {
    // Held, as without it no frames come. Nothing is ever sent.
    let (_peer, mut frames) = document.connect();
    let mut state = document.state();
    let mut saved = state.borrow_and_update().saved;
    let epoch = document.epoch().to_string();
    let tell = |order: Order| {
        for server in &servers {
            // A server that is no more hears nothing.
            let _ = server.send(order.clone());
        }
    };
    let mut path = document.path();
    let open = |path: &WorkspacePath, text| Order::Open {
        epoch: epoch.clone(),
        path: path.clone(),
        language: id_of(kind, path.name()),
        text,
    };
    tell(open(&path, document.text()));
    loop {
        tokio::select! {
            frame = frames.recv() => {
                if frame.is_none() {
                    return;
                }
                // What is typed meanwhile goes along; cursors that only move are frames too.
                tokio::time::sleep(typing).await;
                while frames.try_recv().is_ok() {}
            }
            changed = state.changed() => {
                if changed.is_err() {
                    return;
                }
            }
            () = moved(&mut events, &path) => {}
        }
        let now = document.path();
        let text = document.text();
        if now != path {
            path = now;
            tell(open(&path, text));
        } else {
            tell(Order::Change { epoch: epoch.clone(), text });
        }
        let is_saved = state.borrow_and_update().saved;
        if is_saved && !std::mem::replace(&mut saved, is_saved) {
            tell(Order::Saved { epoch: epoch.clone() });
        }
        saved = is_saved;
    }
}

/// Returns when a document may have another path.
async fn moved(events: &mut broadcast::Receiver<WorkspaceEvent>, path: &WorkspacePath) {
    loop {
        match events.recv().await {
            Ok(WorkspaceEvent::DocumentMoved { from, .. }) if from == *path => return,
            Ok(_) => {}
            Err(broadcast::error::RecvError::Lagged(_)) => return,
            Err(broadcast::error::RecvError::Closed) => std::future::pending().await,
        }
    }
}
