//! The WebSocket `connection`: documents, threads and what else a window has to know, over one socket.
//!
//! One task owns all state of a connection and waits for whatever comes next: a frame of the client, an
//! entry of the store's tail, an event of the workspace, a document that is open now. What is to be sent
//! goes through the [`Outbox`], so that a slow client delays nobody.

mod actions;
mod chats;
mod documents;
mod frame;
mod notebooks;
mod outbox;
mod rate;
mod tasks;
mod threads;

use std::{sync::Arc, time::Instant};

use aside_core::{AssistantState, Failure, WindowId};
use aside_protocol::{ClientFrame, ServerFrame};
use aside_store::Tail;
use aside_workspace::WorkspaceEvent;
use axum::{
    Extension,
    extract::{
        State,
        ws::{Message, WebSocket, WebSocketUpgrade},
    },
    response::Response,
};
use futures_util::{
    SinkExt as _, StreamExt as _,
    stream::{SplitSink, SplitStream},
};
use serde::Deserialize;
use tokio::sync::{broadcast, broadcast::error::RecvError, watch};

use crate::{
    access::Shown,
    app::App,
    presence::Here,
    problem::{Asked, Problem},
    settings::Layers,
    windows::Window,
};
use actions::Watching;
use documents::Documents;
use notebooks::Notebooks;
use threads::Subscriptions;

pub use documents::for_guests;
pub use outbox::{Gone, Outbox, Outgoing, outbox, size};
pub use rate::Rate;

/// Bytes of one message of a client.
const MOST_MESSAGE: usize = 16 << 20;

/// Bytes of a socket's read buffer, which is cleared for every read: keys and presence are small.
const READ_BUFFER: usize = 8 << 10;

/// The query of a connection.
#[derive(Debug, Deserialize)]
pub struct Connecting {
    /// The name of the window, chosen by it. A program has none.
    window: Option<WindowId>,
}

/// Answers the upgrade.
pub async fn upgrade(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Asked(connecting): Asked<Connecting>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Problem> {
    shown.check_connection()?;
    let upgraded = upgrade
        .read_buffer_size(READ_BUFFER)
        .max_message_size(MOST_MESSAGE)
        .max_frame_size(MOST_MESSAGE)
        .on_upgrade(move |socket| connect(app, shown, connecting.window, socket));
    Ok(upgraded)
}

/// Answers until either end goes away, or the grant ends under which a program connected.
async fn connect(app: Arc<App>, shown: Shown, window: Option<WindowId>, socket: WebSocket) {
    let (sink, stream) = socket.split();
    let (outbox, outgoing) = outbox();
    let mut writer = tokio::spawn(write(sink, outgoing));
    let connection = Connection::new(&app, &shown, window, outbox);
    tokio::select! {
        ended = connection.run(stream) => {
            tracing::debug!("a connection ended: {ended:?}");
            // A reader that is too slow would keep the rest waiting for ever.
            let _ = tokio::time::timeout(std::time::Duration::from_secs(1), &mut writer).await;
            writer.abort();
        }
        _ = &mut writer => {}
        () = shut_out(&app, &shown) => {
            tracing::debug!("a connection was closed: its grant ended, or its browser was signed out");
            writer.abort();
        }
    }
}

/// Returns when what was shown does not open the connection any more.
pub async fn shut_out(app: &App, shown: &Shown) {
    match shown {
        Shown::Grant(record) => drop(app.gate.grants().end(&record.grant).await),
        Shown::Cookie(device) => app.access.devices.end(device).await,
        Shown::Bearer | Shown::Nothing | Shown::Guest(_) => std::future::pending().await,
    }
}

/// Sends what is queued, until nobody queues any more.
pub async fn write(mut sink: SplitSink<WebSocket, Message>, mut outgoing: Outgoing) {
    while let Some(message) = outgoing.next().await {
        if sink.feed(message).await.is_err() {
            return;
        }
        // What has gathered meanwhile goes out in one piece.
        while let Some(message) = outgoing.next_now() {
            if sink.feed(message).await.is_err() {
                return;
            }
        }
        if sink.flush().await.is_err() {
            return;
        }
    }
    // The client may be gone already.
    let _ = sink.send(Message::Close(None)).await;
}

struct Connection {
    app: Arc<App>,
    outbox: Outbox,
    documents: Documents,
    subscriptions: Subscriptions,
    watching: Watching,
    notebooks: Notebooks,
    /// None for a guest: nothing of the owner's is asked for in their windows.
    window: Option<Window>,
    /// None for a program under a grant: it hears nothing of what people say to each other.
    chats: Option<chats::Listener>,
    presence: broadcast::Receiver<()>,
    _here: Option<Here>,
    tail: broadcast::Receiver<Tail>,
    events: broadcast::Receiver<WorkspaceEvent>,
    needs_you: watch::Receiver<u32>,
    assistant: watch::Receiver<AssistantState>,
    history: watch::Receiver<u64>,
    servers: watch::Receiver<()>,
    settings: watch::Receiver<Arc<Layers>>,
    terminals: watch::Receiver<()>,
    rate: Rate,
}

impl Connection {
    fn new(app: &Arc<App>, shown: &Shown, window: Option<WindowId>, outbox: Outbox) -> Self {
        let (is_guest, person) = (matches!(shown, Shown::Guest(_)), app.person(shown));
        let presence = app.presence.changes();
        let is_page = matches!(shown, Shown::Cookie(_) | Shown::Guest(_));
        let here = is_page.then(|| app.presence.come(person.id.clone()));
        let listen = || chats::Listener::new(app.chats.clone(), app.access.people.clone(), person, outbox.clone());
        let mut needs_you = app.needs_you.clone();
        needs_you.mark_changed();
        let mut assistant = app.gate.assistant_changes();
        assistant.mark_changed();
        let mut settings = app.settings.changes();
        settings.mark_changed();
        Self {
            app: app.clone(),
            documents: Documents::new(app.workspace.clone(), app.language_servers.clone(), outbox.clone(), is_guest),
            subscriptions: Subscriptions::new(app.agents.clone(), outbox.clone()),
            watching: Watching::new(app.gate.clone(), outbox.clone()),
            notebooks: Notebooks::new(app.kernels.clone(), outbox.clone(), is_guest.then(|| app.workspace.clone())),
            window: (!is_guest).then(|| app.windows.connect(outbox.clone(), window)),
            chats: shown.grant().is_none().then(listen),
            presence,
            _here: here,
            tail: app.store.tail(),
            events: app.workspace.events(),
            needs_you,
            assistant,
            history: app.history.changes(),
            servers: app.servers.changes(),
            settings,
            terminals: app.terminals.changes(),
            rate: Rate::new(Instant::now()),
            outbox,
        }
    }

    async fn run(mut self, mut stream: SplitStream<WebSocket>) -> Result<(), Gone> {
        let app = self.app.clone();
        let ended = app.ended();
        tokio::pin!(ended);
        self.outbox.say(&ServerFrame::Hello {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            server: self.app.server.clone(),
        })?;
        if self.window.is_some() {
            self.subscriptions.say_running()?;
        }
        let mut pause = tokio::time::Instant::now();
        loop {
            tokio::select! {
                () = &mut ended => return Ok(()),
                message = next(&mut stream, pause) => {
                    let Some(message) = message else { return Ok(()) };
                    pause = tokio::time::Instant::now() + self.rate.take(size(&message), Instant::now());
                    self.take_in(message)?;
                }
                heard = self.tail.recv() => self.hear(&heard)?,
                _ = self.presence.recv() => self.people_changed()?,
                heard = self.watching.heard() => self.watching.hear(heard)?,
                event = self.events.recv() => self.workspace(event)?,
                news = self.documents.news() => self.documents.take_in(news)?,
                Ok(()) = self.needs_you.changed(), if self.window.is_some() => {
                    let count = *self.needs_you.borrow_and_update();
                    self.outbox.say(&ServerFrame::NeedsYou { count })?;
                }
                Ok(()) = self.history.changed(), if self.window.is_some() => {
                    self.history.mark_unchanged();
                    self.outbox.say(&ServerFrame::HistoryChanged)?;
                }
                Ok(()) = self.servers.changed(), if self.window.is_some() => {
                    self.servers.mark_unchanged();
                    self.outbox.say(&ServerFrame::ServersChanged)?;
                }
                Ok(()) = self.terminals.changed(), if self.window.is_some() => {
                    self.outbox.say(&ServerFrame::TerminalsChanged)?;
                }
                Ok(()) = self.settings.changed(), if self.window.is_some() => {
                    let values = self.settings.borrow_and_update().values();
                    self.outbox.say(&ServerFrame::Settings { values })?;
                }
                Ok(()) = self.assistant.changed() => {
                    let state = self.assistant.borrow_and_update().clone();
                    self.outbox.say(&ServerFrame::Assistant { state })?;
                }
            }
        }
    }

    fn hear(&mut self, heard: &Result<Tail, RecvError>) -> Result<(), Gone> {
        if let Some(chats) = &self.chats {
            chats.hear(heard)?;
        }
        if self.window.is_some() {
            self.subscriptions.hear(heard)?;
            tasks::hear(&self.app.tasks, &self.outbox, heard)?;
        }
        Ok(())
    }

    fn people_changed(&self) -> Result<(), Gone> {
        self.chats.as_ref().map_or(Ok(()), chats::Listener::people_changed)
    }

    fn take_in(&mut self, message: Message) -> Result<(), Gone> {
        match message {
            Message::Binary(bytes) => match self.documents.receive(&bytes) {
                Ok(()) => Ok(()),
                Err(failure) => self.problem(failure),
            },
            Message::Text(text) => match serde_json::from_str(&text) {
                Ok(frame) => self.frame(frame),
                Err(error) => self.problem(Failure::new("bad_frame", format!("invalid frame: {error}"))),
            },
            Message::Ping(_) | Message::Pong(_) => Ok(()),
            Message::Close(_) => Err(Gone),
        }
    }

    fn frame(&mut self, frame: ClientFrame) -> Result<(), Gone> {
        match frame {
            ClientFrame::OpenDocument { request, document, epoch: _ } => {
                self.documents.open(request, document);
                Ok(())
            }
            ClientFrame::CloseDocument { number } => {
                self.documents.close(number);
                Ok(())
            }
            ClientFrame::Focused => {
                if let Some(window) = &self.window {
                    window.focus();
                }
                Ok(())
            }
            ClientFrame::Ping { ping } => self.outbox.say(&ServerFrame::Pong { ping }),
            ClientFrame::WatchNotebook { path } => self.notebooks.watch(path),
            ClientFrame::UnwatchNotebook { path } => {
                self.notebooks.unwatch(&path);
                Ok(())
            }
            // What is not about documents is the owner's.
            _ if self.window.is_none() => {
                self.problem(Failure::new("guest", "guests can only edit documents and chat"))
            }
            ClientFrame::Subscribe { thread, after } => self.subscriptions.subscribe(thread, after),
            ClientFrame::Unsubscribe { thread } => {
                self.subscriptions.unsubscribe(&thread);
                Ok(())
            }
            ClientFrame::WatchAction { action } => self.watching.watch(action),
            ClientFrame::UnwatchAction { action } => {
                self.watching.unwatch(&action);
                Ok(())
            }
            ClientFrame::UiResult { action, result, failure } => {
                if let Some(window) = &self.window {
                    window.answer(&action, result, failure);
                }
                Ok(())
            }
        }
    }

    fn workspace(&mut self, event: Result<WorkspaceEvent, RecvError>) -> Result<(), Gone> {
        match event {
            Ok(WorkspaceEvent::FilesChanged { folders }) => self.outbox.say(&ServerFrame::FilesChanged { folders }),
            Ok(WorkspaceEvent::LatexChanged { main }) => self.outbox.say(&ServerFrame::LatexChanged { main }),
            Ok(WorkspaceEvent::ProblemsChanged) => self.outbox.say(&ServerFrame::ProblemsChanged),
            Ok(_) => Ok(()),
            // What was missed could have been in any folder; the top stands for all.
            Err(RecvError::Lagged(_)) => {
                self.outbox.say(&ServerFrame::ProblemsChanged)?;
                self.outbox.say(&ServerFrame::FilesChanged { folders: vec![String::new()] })
            }
            Err(RecvError::Closed) => Err(Gone),
        }
    }

    fn problem(&self, failure: Failure) -> Result<(), Gone> {
        self.outbox.say(&ServerFrame::Problem { failure })
    }
}

/// Returns the next message, not before `pause` is over; none at the end.
pub async fn next(stream: &mut SplitStream<WebSocket>, pause: tokio::time::Instant) -> Option<Message> {
    if pause > tokio::time::Instant::now() {
        tokio::time::sleep_until(pause).await;
    }
    stream.next().await?.ok()
}
