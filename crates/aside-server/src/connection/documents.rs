//! The documents that are open on one connection.

use std::{collections::HashMap, sync::Arc};

use aside_core::{EpochId, Failure, FileKind, WorkspacePath, path_protection};
use aside_lsp::{Following, LanguageServers};
use aside_protocol::{DocumentName, DocumentState, ServerFrame};
use aside_workspace::{Document, DocumentFrame, Frames, Layout, Peer, Workspace};
use axum::extract::ws::Message;
use tokio::{
    sync::{mpsc, watch},
    task::{JoinError, JoinSet},
};

use super::{
    frame,
    outbox::{Gone, Outbox},
};

/// Documents that may be open at once on one connection.
const MOST_OPEN: usize = 500;

/// What is open, by number.
pub struct Documents {
    workspace: Arc<Workspace>,
    language_servers: Arc<LanguageServers>,
    outbox: Outbox,
    /// What governs an agent, a program or git is not for a guest to open.
    is_guest: bool,
    open: HashMap<u32, Open>,
    last: u32,
    opening: JoinSet<Opening>,
    /// Held so that the receiver never ends.
    cut: mpsc::Sender<Gone>,
    cuts: mpsc::Receiver<Gone>,
}

struct Open {
    peer: Peer,
    /// What is found in it shows for as long as it is open.
    _following: Option<Following>,
    /// Ends with the document.
    _forwarding: JoinSet<()>,
}

/// What has happened beside the connection's task.
pub enum News {
    /// A document was looked for.
    Opened(Result<Opening, JoinError>),
    /// A document has ended, or the connection is too slow for it.
    Cut,
}

/// A document that was asked for.
pub struct Opening {
    request: u32,
    found: Result<Live, Failure>,
    kind: Option<FileKind>,
    following: Option<Following>,
}

/// What the answer says beside the document's own state.
struct Asked {
    request: u32,
    kind: Option<FileKind>,
    notebook: bool,
    following: Option<Following>,
}

enum Live {
    File(Arc<Document>),
    Layout(Arc<Layout>),
}

impl Documents {
    /// Nothing is open.
    pub fn new(
        workspace: Arc<Workspace>,
        language_servers: Arc<LanguageServers>,
        outbox: Outbox,
        is_guest: bool,
    ) -> Self {
        let ((cut, cuts), opening) = (mpsc::channel(1), JoinSet::new());
        Self { workspace, language_servers, outbox, is_guest, open: HashMap::new(), last: 0, opening, cut, cuts }
    }

    /// Starts to open a document; it is read from the disk beside this task.
    pub fn open(&mut self, request: u32, name: DocumentName) {
        let (workspace, is_guest) = (self.workspace.clone(), self.is_guest);
        // A guest starts no programs.
        let language_servers = (!is_guest).then(|| self.language_servers.clone());
        self.opening.spawn_blocking(move || {
            let found = load(&workspace, &name, is_guest);
            let kind = kind_of(&workspace, &name, is_guest && found.is_err());
            let following = match (&found, kind, language_servers) {
                (Ok(Live::File(document)), Some(kind), Some(servers)) if !document.is_notebook() => {
                    servers.follow(document, kind)
                }
                _ => None,
            };
            Opening { request, found, kind, following }
        });
    }

    /// Returns what has happened beside this task; waits for ever if nothing is under way.
    pub async fn news(&mut self) -> News {
        let Self { opening, cuts, .. } = self;
        tokio::select! {
            Some(opened) = opening.join_next() => News::Opened(opened),
            Some(Gone) = cuts.recv() => News::Cut,
            else => std::future::pending().await,
        }
    }

    /// Says that a document is open, or why it isn't. One that has ended, or whose reader fell too far
    /// behind, ends the connection: the client comes back and begins anew.
    pub fn take_in(&mut self, news: News) -> Result<(), Gone> {
        let News::Opened(Ok(Opening { request, found, kind, following })) = news else { return Err(Gone) };
        match found {
            Ok(_) if self.open.len() >= MOST_OPEN => {
                let failure = Failure::new(
                    "too_many",
                    format!("this connection already has {MOST_OPEN} open documents, the maximum"),
                );
                self.outbox.say(&ServerFrame::DocumentRefused { request, failure, kind })
            }
            Ok(Live::File(document)) => {
                let state = document.state();
                let (peer, frames) = document.connect();
                let asked = Asked { request, kind, notebook: document.is_notebook(), following };
                self.begin(asked, document.epoch(), peer, frames, Some(state))
            }
            Ok(Live::Layout(layout)) => {
                // Whoever writes the layout arranges the owner's next window.
                let (peer, frames) = if self.is_guest { layout.connect_reading() } else { layout.connect() };
                let asked = Asked { request, kind: None, notebook: false, following: None };
                self.begin(asked, layout.epoch(), peer, frames, None)
            }
            Err(failure) => self.outbox.say(&ServerFrame::DocumentRefused { request, failure, kind }),
        }
    }

    fn begin(
        &mut self,
        Asked { request, kind, notebook, following }: Asked,
        epoch: &EpochId,
        peer: Peer,
        frames: Frames,
        mut state: Option<watch::Receiver<aside_workspace::DocumentState>>,
    ) -> Result<(), Gone> {
        self.last += 1;
        let number = self.last;
        let now = state.as_mut().map_or_else(layout_state, |state| on_the_wire(&state.borrow_and_update()));
        let epoch = epoch.clone();
        self.outbox.say(&ServerFrame::DocumentOpened { request, number, epoch, state: now, kind, notebook })?;
        let mut forwarding = JoinSet::new();
        let (outbox, cut) = (self.outbox.clone(), self.cut.clone());
        forwarding.spawn(async move {
            let Gone = forward(number, frames, state, &outbox).await;
            // Full means that the connection knows already.
            let _ = cut.try_send(Gone);
        });
        self.open.insert(number, Open { peer, _following: following, _forwarding: forwarding });
        Ok(())
    }

    /// Closes a document on this connection.
    pub fn close(&mut self, number: u32) {
        self.open.remove(&number);
    }

    /// Takes in one binary frame.
    pub fn receive(&self, bytes: &[u8]) -> Result<(), Failure> {
        let (number, message) = frame::decode(bytes)
            .ok_or_else(|| Failure::new("bad_frame", "a binary frame does not begin with a document's number"))?;
        match self.open.get(&number) {
            Some(open) => open.peer.receive(message).map_err(|error| error.failure()),
            // It was closed while this was on its way.
            None if number <= self.last => Ok(()),
            None => Err(Failure::new("bad_frame", format!("no document {number} was opened on this connection"))),
        }
    }
}

fn load(workspace: &Workspace, name: &DocumentName, is_guest: bool) -> Result<Live, Failure> {
    let found = match name {
        DocumentName::File { path } if is_guest => {
            for_guests(workspace, path)?;
            workspace.document(path).map(Live::File)
        }
        DocumentName::File { path } => workspace.document(path).map(Live::File),
        DocumentName::Layout => workspace.layout().map(Live::Layout),
    };
    found.map_err(|error| error.failure())
}

/// Refuses a file that governs programs, under this name or where a link of that name leads.
pub fn for_guests(workspace: &Workspace, path: &WorkspacePath) -> Result<(), Failure> {
    let real = workspace.real_path(path).map_err(|error| error.failure())?;
    if [path, &real].into_iter().any(|path| path_protection(path.as_str()).is_some()) {
        return Err(Failure::new("protected", format!("guests can't open {path}: it sets what programs may do")));
    }
    Ok(())
}

/// What kind of file it is; of one that is not to be seen by its name alone.
fn kind_of(workspace: &Workspace, name: &DocumentName, unseen: bool) -> Option<FileKind> {
    match name {
        DocumentName::File { path } if unseen => FileKind::of_name(path.name()),
        DocumentName::File { path } => workspace.file_kind(path),
        DocumentName::Layout => None,
    }
}

/// Sends what happens to a document, in order, until the connection or the document ends.
async fn forward(
    number: u32,
    mut frames: Frames,
    mut state: Option<watch::Receiver<aside_workspace::DocumentState>>,
    outbox: &Outbox,
) -> Gone {
    loop {
        let sent = tokio::select! {
            biased;
            frame = frames.recv() => match frame {
                Some(DocumentFrame::Message(message)) => outbox.send(Message::Binary(frame::encode(number, &message))),
                Some(DocumentFrame::Edited { action, undoes }) => {
                    outbox.say(&ServerFrame::DocumentEdited { number, action, undoes })
                }
                None => Err(Gone),
            },
            state = changed(&mut state) => outbox.say(&ServerFrame::DocumentState { number, state }),
        };
        if let Err(gone) = sent {
            return gone;
        }
    }
}

/// Returns the next state; never for a document without one.
async fn changed(state: &mut Option<watch::Receiver<aside_workspace::DocumentState>>) -> DocumentState {
    if let Some(receiver) = state
        && receiver.changed().await.is_ok()
    {
        return on_the_wire(&receiver.borrow_and_update());
    }
    std::future::pending().await
}

fn on_the_wire(state: &aside_workspace::DocumentState) -> DocumentState {
    DocumentState {
        version: state.version.clone(),
        saved: state.saved,
        gone: state.gone,
        problem: state.problem.clone(),
        needs_word: state.needs_word,
        older_format: state.older_format.and_then(|format| u32::try_from(format).ok()),
    }
}

/// The layout is kept in the store, always.
fn layout_state() -> DocumentState {
    DocumentState {
        version: aside_core::Version::of(""),
        saved: true,
        gone: false,
        problem: None,
        needs_word: false,
        older_format: None,
    }
}
