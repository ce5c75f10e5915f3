//! One live document: its text, who edits it, what its file holds.
//!
//! What is typed is in the store before anybody else hears of it, so nothing is lost when the server
//! is killed. Reading and writing the file is `save.rs`; planned edits are `document/edit.rs`.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc},
    time::{Duration, Instant},
};

use aside_core::{EpochId, Failure, KeptVersion, MadeBy, Timestamp, Version, WorkspacePath};
use aside_doc::{Access, Change, LiveContent, LiveNotebook, PeerId, SyncError, TextShape, encode};
use aside_store::Store;
use tokio::sync::{broadcast, watch};

use crate::{
    WorkspaceError, WorkspaceEvent,
    keeper::Errand,
    record::{self, DocumentRecord, MOST_VERSIONS},
    room::{Frames, Live, Peer, Room},
    versions::{self, Lineage},
};

mod back;
mod cells;
mod edit;
mod ran;

pub use back::{BroughtBack, PlannedBack};
pub use cells::{CellsRefused, ChangedCells};
pub use edit::{Applied, EditRefused, PlannedEdit};
pub(crate) use edit::{planned, without_anchors};

/// Pieces in the log of changes after which it is written anew as one.
const MOST_PIECES: usize = 1_000;

/// Bytes of a text that is shown at once and kept a moment later.
const LARGE: usize = 64 * 1024;

/// How a document stands with its file.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentState {
    /// The version of the text when it was last written, read or changed by an action; typing does not move it.
    pub version: Version,
    /// Tells whether the file holds this text.
    pub saved: bool,
    /// The file is gone; the document is kept.
    pub gone: bool,
    /// Why the document can't be written now; it is kept and tried again.
    pub problem: Option<Failure>,
    /// Tells whether a person has to say that the file may become empty or much shorter, or be upgraded.
    pub needs_word: bool,
    /// The older format of a notebook's file, which stays as it is until a person has it upgraded.
    pub older_format: Option<u64>,
}

/// One live document.
pub struct Document {
    epoch: EpochId,
    store: Arc<Store>,
    errands: mpsc::Sender<Errand>,
    events: broadcast::Sender<WorkspaceEvent>,
    state: watch::Sender<DocumentState>,
    inner: Mutex<Inner>,
    /// Its kept versions, oldest first, once they were looked at. Taken before `inner`.
    kept: Mutex<Option<Vec<KeptVersion>>>,
}

pub(crate) struct Inner {
    pub path: WorkspacePath,
    pub content: LiveContent,
    pub file: FileSide,
    pub lineage: Lineage,
    /// Versions somebody was shown, the newest last; their texts are kept as blobs.
    versions: VecDeque<Version>,
    /// Large ones that somebody was shown and that are not kept yet.
    unkept: VecDeque<(Version, Arc<str>)>,
    room: Room,
    pieces: usize,
    /// The store did not take a change, so its log has a hole.
    log_is_behind: bool,
    /// How often somebody has changed it, since it was opened: people and actions, not its file.
    edits: u64,
    used: Instant,
}

impl Inner {
    /// Tells whether a version was shown; it is forgotten last then.
    fn knows(&mut self, version: &Version) -> bool {
        if let Some(at) = self.versions.iter().position(|known| known == version) {
            self.versions.remove(at);
            self.versions.push_back(version.clone());
            return true;
        }
        self.unkept.iter().any(|(unkept, _)| unkept == version)
    }

    fn learn(&mut self, version: Version) {
        self.versions.push_back(version);
        if self.versions.len() > MOST_VERSIONS {
            self.versions.pop_front();
        }
    }

    /// The file is gone, and the document is what it was.
    fn holds_nothing_new(&self) -> bool {
        self.file.gone && self.content.text() == self.file.base
    }
}

/// What is known of the document's file.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileSide {
    /// The text it had when it was last read or written.
    pub base: Arc<str>,
    pub shape: TextShape,
    pub saved: bool,
    pub gone: bool,
    pub problem: Option<Failure>,
    pub needs_word: bool,
    /// The text a person let an action make shorter; what comes next is measured against it.
    pub approved: Option<Arc<str>>,
    /// The text that is about to be written.
    pub writing: Option<Version>,
    /// It was seen empty once; programs that write in place empty a file before they fill it.
    pub seen_empty: bool,
}

/// What a document starts from.
pub(crate) struct Opened {
    pub epoch: EpochId,
    pub path: WorkspacePath,
    pub content: LiveContent,
    pub file: FileSide,
    pub lineage: Lineage,
    pub versions: VecDeque<Version>,
    pub pieces: usize,
}

impl Document {
    pub(crate) fn new(
        opened: Opened,
        store: Arc<Store>,
        errands: mpsc::Sender<Errand>,
        events: broadcast::Sender<WorkspaceEvent>,
    ) -> Arc<Self> {
        let Opened { epoch, path, content, file, lineage, versions, pieces } = opened;
        let state = watch::Sender::new(state_of(&file, &content));
        let (room, used) = (Room::default(), Instant::now());
        let unkept = VecDeque::new();
        let (log_is_behind, edits) = (false, 0);
        let inner = Inner { path, content, file, lineage, versions, unkept, room, pieces, log_is_behind, edits, used };
        Arc::new(Self { epoch, store, errands, events, state, inner: Mutex::new(inner), kept: Mutex::default() })
    }

    /// Names this history of the document: a copy of another epoch can't be merged with it.
    pub fn epoch(&self) -> &EpochId {
        &self.epoch
    }

    /// Where its file is, links resolved.
    pub fn path(&self) -> WorkspacePath {
        self.lock().path.clone()
    }

    /// The text as it is now: LF endings, no BOM. Of a notebook it is what its file would hold.
    pub fn text(&self) -> Arc<str> {
        self.lock().content.text()
    }

    /// The version of the text as it is now.
    pub fn version(&self) -> Version {
        self.lock().content.version()
    }

    /// Tells whether it is live as a notebook.
    pub fn is_notebook(&self) -> bool {
        self.lock().content.as_notebook().is_some()
    }

    /// How often somebody has changed it since it was opened; what is taken in from its file does not count.
    pub(crate) fn edits(&self) -> u64 {
        self.lock().edits
    }

    /// How it stands with its file, now and from now on.
    pub fn state(&self) -> watch::Receiver<DocumentState> {
        self.state.subscribe()
    }

    /// Connects an editor. Its first frames greet it; from then on every change follows.
    pub fn connect(self: &Arc<Self>) -> (Peer, Frames) {
        let mut inner = self.lock();
        inner.used = Instant::now();
        let greeting = inner.content.replica().greet();
        let (id, frames) = inner.room.join(greeting);
        (Peer::new(Arc::new(Arc::clone(self)), id), frames)
    }

    /// Returns the text and its version for showing, and keeps it, so that edits may refer to it later. A kill within a
    /// moment can lose a large one: then edits that refer to it are refused, and it has to be shown again.
    pub fn show(self: &Arc<Self>) -> Result<(Version, Arc<str>), WorkspaceError> {
        let mut inner = self.lock();
        let (version, text) = (inner.content.version(), inner.content.text());
        self.keep_version_soon(&mut inner, &version, &text)?;
        Ok((version, text))
    }

    /// Keeps a version, a large one without waiting for the disk under the lock.
    fn keep_version_soon(
        self: &Arc<Self>,
        inner: &mut Inner,
        version: &Version,
        text: &Arc<str>,
    ) -> Result<(), WorkspaceError> {
        if text.len() <= LARGE {
            return self.keep_version(inner, version, text);
        }
        if !inner.knows(version) {
            inner.unkept.push_back((version.clone(), Arc::clone(text)));
            // As in `spread`: without a keeper there is no workspace either.
            let _ = self.errands.send(Errand::Shown(Arc::clone(self)));
        }
        Ok(())
    }

    /// Returns the text as it is now, and how its file spells it.
    pub(crate) fn text_and_shape(&self) -> (Arc<str>, TextShape) {
        let inner = self.lock();
        (inner.content.text(), inner.file.shape.clone())
    }

    /// Returns the bytes its file gets with the next write; none if the file has them, or is gone.
    pub(crate) fn unwritten(&self) -> Option<Vec<u8>> {
        let inner = self.lock();
        (!inner.file.saved && !inner.file.gone).then(|| encode(&inner.content.text(), &inner.file.shape))
    }

    /// Returns a text that was shown before, by its version or the first digits of it.
    pub fn text_at(&self, version: &str) -> Result<Option<(Version, Arc<str>)>, WorkspaceError> {
        self.text_at_locked(&self.lock(), version)
    }

    /// Tells whether nobody uses it, nothing waits to be written, and it was not used for so long.
    pub(crate) fn is_idle(&self, since: Duration) -> bool {
        let inner = self.lock();
        let kept_elsewhere = inner.file.saved || inner.holds_nothing_new();
        inner.room.is_empty() && kept_elsewhere && inner.used.elapsed() >= since
    }

    /// Tells whether its file is gone and nobody would miss the document either.
    pub(crate) fn is_abandoned(&self) -> bool {
        let inner = self.lock();
        inner.room.is_empty() && inner.holds_nothing_new()
    }

    /// Tells whether a write that failed may work later without anybody doing anything.
    pub(crate) fn waits_for_disk(&self) -> bool {
        self.lock().file.problem.is_some()
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a changed text where it belongs: into the store, to all others, and soon into the file.
    pub(crate) fn spread(self: &Arc<Self>, inner: &mut Inner, change: &Change, from: Option<PeerId>) {
        self.log(inner, &change.update);
        inner.room.send_others(from, change.frame());
        self.has_changed(inner);
    }

    /// Notes that its file has to be written.
    fn has_changed(self: &Arc<Self>, inner: &mut Inner) {
        inner.used = Instant::now();
        self.note_saved(inner, false);
        self.state.send_if_modified(|state| std::mem::take(&mut state.saved));
        // The keeper is gone only when the workspace is, and then nobody writes files any more.
        let _ = self.errands.send(Errand::Changed(Arc::downgrade(self)));
    }

    /// Notes whether its file holds this text, also for a start after a kill: that has to write what was left.
    pub(crate) fn note_saved(&self, inner: &mut Inner, saved: bool) {
        if std::mem::replace(&mut inner.file.saved, saved) == saved {
            return;
        }
        // Without the note it is written when somebody opens the document.
        if let Err(error) = record::note_unwritten(&self.store, &self.epoch, !saved) {
            inner.file.problem = Some(WorkspaceError::from(error).failure());
        }
    }

    /// Tells everybody what became of the file.
    pub(crate) fn announce(&self, inner: &Inner) {
        let state = state_of(&inner.file, &inner.content);
        self.state.send_if_modified(|known| {
            let changed = *known != state;
            *known = state;
            changed
        });
    }

    /// Writes down what is needed to find the document again.
    pub(crate) fn remember(&self, inner: &Inner) -> Result<(), WorkspaceError> {
        self.record(inner).put(&self.store)
    }

    /// The same, when the file has another text now.
    pub(crate) fn remember_base(&self, inner: &Inner) -> Result<(), WorkspaceError> {
        self.record(inner).put_with_base(&self.store, &inner.file.base)
    }

    fn record(&self, inner: &Inner) -> DocumentRecord {
        // Hashing a large text takes longer than anything else that is done under the lock.
        let is_written = Arc::ptr_eq(&inner.file.base, &inner.content.text());
        let base = if is_written { inner.content.version() } else { Version::of(inner.file.base.as_bytes()) };
        DocumentRecord {
            path: inner.path.clone(),
            epoch: self.epoch.clone(),
            base,
            writing: inner.file.writing.clone(),
            shape: inner.file.shape.clone(),
            notebook: inner.content.as_notebook().is_some(),
            versions: inner.versions.clone(),
            made_by: inner.lineage.made_by.clone(),
            changed: inner.lineage.changed,
        }
    }

    /// Cuts everybody off; another document takes this one's path.
    pub(crate) fn close(&self) {
        self.lock().room.close();
    }

    /// Makes the log of changes one piece, if it is long.
    pub(crate) fn compact(&self, inner: &mut Inner) -> Result<(), WorkspaceError> {
        if inner.pieces > MOST_PIECES {
            self.store.replace_bytes(&self.stream(), &inner.content.replica().encode_state())?;
            inner.pieces = 1;
        }
        Ok(())
    }

    fn log(&self, inner: &mut Inner, update: &[u8]) {
        let logged = if inner.log_is_behind {
            inner.pieces = 0;
            self.store.replace_bytes(&self.stream(), &inner.content.replica().encode_state())
        } else {
            self.store.append_bytes(&self.stream(), update)
        };
        inner.pieces += 1;
        inner.log_is_behind = logged.is_err();
        if let Err(error) = logged {
            // The document goes on in memory; the next change tries again with all of it.
            inner.file.problem = Some(error.failure());
            self.announce(inner);
        }
    }

    /// Takes out what an unusable update has left in the copy; all others have what is stored.
    fn restore(&self, inner: &mut Inner) {
        if inner.log_is_behind {
            return;
        }
        let restored = match self.store.read_bytes(&self.stream()) {
            Ok(updates) => inner.content.restore(updates).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(error) = restored {
            tracing::warn!(path = %inner.path, "cannot restore the stored text: {error}");
        }
    }

    fn text_at_locked(&self, inner: &Inner, version: &str) -> Result<Option<(Version, Arc<str>)>, WorkspaceError> {
        let current = inner.content.version();
        if current.matches(version) {
            return Ok(Some((current, inner.content.text())));
        }
        // A whole version names its text for ever; short ones only among the latest.
        if let Some((known, text)) = inner.unkept.iter().rev().find(|(unkept, _)| unkept.matches(version)) {
            return Ok(Some((known.clone(), Arc::clone(text))));
        }
        let known = inner.versions.iter().rev().find(|known| known.matches(version)).cloned();
        let Some(known) = known.or_else(|| Version::parse(version)) else { return Ok(None) };
        let bytes = self.store.get_blob(&known)?;
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        Ok(text.map(|text| (known, text.into())))
    }

    /// Writes down the large texts that were shown.
    pub(crate) fn keep_shown(&self) -> Result<(), WorkspaceError> {
        loop {
            // The disk is waited for without keeping anybody from typing.
            let Some((version, text)) = self.lock().unkept.front().cloned() else { return Ok(()) };
            let kept = self.store.put_blob(text.as_bytes());
            let mut inner = self.lock();
            inner.unkept.retain(|(unkept, _)| *unkept != version);
            kept?;
            inner.learn(version);
            self.remember(&inner)?;
        }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.store.now()
    }

    /// Notes what changes the text; `before` is the text that it had, if that is known.
    pub(crate) fn note_change(self: &Arc<Self>, inner: &mut Inner, by: MadeBy, before: Option<Arc<str>>) {
        if inner.lineage.note(by, before, self.store.now()) {
            self.keep_replaced_soon();
        }
    }

    /// Has the keeper write down the texts that something else took the place of.
    pub(crate) fn keep_replaced_soon(self: &Arc<Self>) {
        // As in `spread`: without a keeper there is no workspace either.
        let _ = self.errands.send(Errand::Replaced(Arc::clone(self)));
    }

    /// Writes down the texts that something else took the place of; returns all that are kept, oldest first.
    pub(crate) fn keep_replaced(&self) -> Result<Vec<KeptVersion>, WorkspaceError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let path = self.path();
        let mut list = match kept.take() {
            Some(list) => list,
            None => versions::of(&self.store, &path)?,
        };
        loop {
            // The disk is waited for without keeping anybody from typing.
            let Some(replaced) = self.lock().lineage.replaced.pop_front() else { break };
            versions::keep(&self.store, &path, &mut list, replaced)?;
            self.remember(&self.lock())?;
        }
        Ok(kept.insert(list).clone())
    }

    /// Another path may have brought versions along.
    pub(crate) fn look_at_versions_again(&self) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn keep_version(&self, inner: &mut Inner, version: &Version, text: &str) -> Result<(), WorkspaceError> {
        if inner.versions.contains(version) {
            inner.knows(version);
            return Ok(());
        }
        self.store.put_blob_soon(text.as_bytes())?;
        inner.learn(version.clone());
        self.remember(inner)
    }

    fn stream(&self) -> String {
        record::stream(&self.epoch)
    }
}

fn state_of(file: &FileSide, content: &LiveContent) -> DocumentState {
    DocumentState {
        version: content.version(),
        older_format: content.as_notebook().and_then(LiveNotebook::older_format),
        saved: file.saved,
        gone: file.gone,
        problem: file.problem.clone(),
        needs_word: file.needs_word,
    }
}

/// A document is shared as `Arc<Document>`; this is its side that speaks with connections.
impl Live for Arc<Document> {
    fn receive(&self, peer: PeerId, message: &[u8]) -> Result<(), WorkspaceError> {
        let mut inner = self.lock();
        // What is not in the file yet follows upon a change that is noted.
        let before = inner.file.saved.then(|| Arc::clone(&inner.file.base));
        let received = inner.content.replica_mut().receive(peer, Access::Write, message).map_err(|error| {
            if let SyncError::Unusable(_) = error {
                self.restore(&mut inner);
            }
            WorkspaceError::Sync { path: inner.path.to_string(), reason: error.to_string() }
        })?;
        inner.room.send_to(peer, received.replies);
        if let Some(change) = received.change {
            inner.edits += 1;
            self.note_change(&mut inner, MadeBy::Typing, before);
            self.spread(&mut inner, &change, Some(peer));
        }
        if let Some(presence) = received.presence {
            inner.room.send_others(Some(peer), presence);
        }
        Ok(())
    }

    fn leave(&self, peer: PeerId) {
        let mut inner = self.lock();
        inner.room.leave(peer);
        inner.used = Instant::now();
        if let Some(gone) = inner.content.replica_mut().leave(peer) {
            inner.room.send_others(None, gone);
        }
    }
}
