//! The opened folder, and what is open in it.

use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
    fs::File,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc},
    time::Duration,
};

use aside_core::{MadeBy, Sha256, Version, WorkspacePath};
use aside_doc::{LiveContent, TextShape, decode};
use aside_notebook::Notebook;
use aside_store::Store;
use tokio::sync::broadcast;

use crate::{
    ConfinedPath, Document, EntryKind, Layout, ListedEntry, Names, WorkspaceError, WorkspaceEvent,
    document::{FileSide, Opened},
    file_news::OnFileNews,
    keeper::{self, Errand, Timing},
    kind::{is_notebook, most_of},
    labels::ignored::Ignored,
    latex::Latex,
    listing,
    notes::WorkspaceNotes,
    problems::FoundNow,
    process::Processes,
    record::{self, DocumentRecord},
    root::Root,
    save::{Word, not_text},
    versions::{self, Lineage},
    watch::{DiskChange, Watcher},
};

/// Files above this are not opened as text.
pub const MOST_TEXT: u64 = 20 * 1024 * 1024;

/// How many events a slow listener may miss before it has to look for itself.
const EVENTS: usize = 1024;

/// The hashes of what commands put out.
const OUTPUT: &str = "command_output";
/// Records of uploads, by hash.
const UPLOAD: &str = "upload";

/// One opened folder. Calls that touch the disk block.
///
/// Locks are taken in this order: disk, documents, one document; never the other way round.
pub struct Workspace {
    pub(crate) root: Root,
    pub(crate) store: Arc<Store>,
    /// Held while files change, so that a document is not written while its file is being moved.
    disk: Mutex<()>,
    documents: Mutex<BTreeMap<WorkspacePath, Arc<Document>>>,
    layout: OnceLock<Arc<Layout>>,
    events: broadcast::Sender<WorkspaceEvent>,
    errands: mpsc::Sender<Errand>,
    pub(crate) watcher: Watcher,
    processes: Processes,
    on_move: OnceLock<OnMove>,
    pub(crate) own_outputs: OnceLock<OwnOutputs>,
    pub(crate) ignored: Ignored,
    /// Copies on this disk share their blocks with the files; unknown until somebody asks.
    pub(crate) shares_blocks: OnceLock<bool>,
    pub(crate) latex: Latex,
    pub(crate) found_now: FoundNow,
    pub(crate) on_file_news: OnceLock<OnFileNews>,
    /// Read when somebody asks first.
    pub(crate) notes: OnceLock<Arc<WorkspaceNotes>>,
}

/// Hears of every file or folder that was moved, from where and to where.
type OnMove = Box<dyn Fn(&WorkspacePath, &WorkspacePath) + Send + Sync>;

/// Tells of a notebook whether all outputs in it are what runs of it put out here.
type OwnOutputs = Box<dyn Fn(&WorkspacePath, &Notebook) -> bool + Send + Sync>;

impl Workspace {
    /// Opens a folder, with the store of its `.aside`.
    pub fn open(folder: &Path, store: Arc<Store>) -> Result<Arc<Self>, WorkspaceError> {
        Self::open_with(folder, store, Timing::default())
    }

    pub(crate) fn open_with(folder: &Path, store: Arc<Store>, timing: Timing) -> Result<Arc<Self>, WorkspaceError> {
        let root = Root::open(folder).map_err(|source| WorkspaceError::Io {
            attempt: "open the folder",
            path: folder.display().to_string(),
            source,
        })?;
        let (errands, inbox) = mpsc::channel();
        let processes = Processes::new(root.folder());
        let workspace = Arc::new(Self {
            root,
            processes,
            shares_blocks: OnceLock::new(),
            latex: Latex::default(),
            found_now: FoundNow::default(),
            on_file_news: OnceLock::new(),
            notes: OnceLock::new(),
            store,
            disk: Mutex::default(),
            documents: Mutex::default(),
            layout: OnceLock::new(),
            events: broadcast::Sender::new(EVENTS),
            watcher: Watcher::new(errands.clone()),
            errands,
            on_move: OnceLock::new(),
            own_outputs: OnceLock::new(),
            ignored: Ignored::default(),
        });
        keeper::start(Arc::downgrade(&workspace), inbox, timing);
        Ok(workspace)
    }

    /// The folder's absolute path without links.
    pub fn folder(&self) -> &Path {
        self.root.folder()
    }

    /// Names the folder of Aside's own data for the person, which may be inside: it is no part of what a command changes.
    pub fn set_own_data(&self, folder: &Path) {
        self.root.set_own(folder);
    }

    /// What the workspace's commands run in.
    pub fn processes(&self) -> &Processes {
        &self.processes
    }

    /// Keeps what a command put out.
    pub fn keep_output(&self, bytes: &[u8]) -> Result<Sha256, WorkspaceError> {
        let hash = self.store.put_blob(bytes)?;
        self.store.put(OUTPUT, hash.as_str(), None, &true)?;
        Ok(hash)
    }

    /// Keeps the bytes of a file that a person uploads, until an action puts them in their place.
    pub fn keep_upload(&self, bytes: &[u8]) -> Result<Sha256, WorkspaceError> {
        let hash = self.store.put_blob(bytes)?;
        self.store.put(UPLOAD, hash.as_str(), None, &true)?;
        Ok(hash)
    }

    /// Returns the bytes of an upload: those and nothing else that is kept under a hash.
    pub fn kept_upload(&self, hash: &Sha256) -> Result<Vec<u8>, WorkspaceError> {
        let lost = || WorkspaceError::NotKept(hash.to_string());
        self.store.get::<bool>(UPLOAD, hash.as_str())?.ok_or_else(lost)?;
        self.store.get_blob(hash)?.ok_or_else(lost)
    }

    /// Keeps an image that a model may be shown.
    pub fn keep_image(&self, bytes: &[u8]) -> Result<Sha256, WorkspaceError> {
        Ok(self.store.put_blob(bytes)?)
    }

    /// Returns what a command put out: that and nothing else that is kept under a hash.
    pub fn kept_output(&self, hash: &Sha256) -> Result<Vec<u8>, WorkspaceError> {
        let lost = || WorkspaceError::NotKept(hash.to_string());
        self.store.get::<bool>(OUTPUT, hash.as_str())?.ok_or_else(lost)?;
        self.store.get_blob(hash)?.ok_or_else(lost)
    }

    /// The folder's own name.
    pub fn name(&self) -> String {
        self.folder().file_name().map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    /// Has what is kept beside files go along when one is moved, before the move is over. Said once, at the start; the
    /// listener must not move files itself.
    pub fn on_move(&self, listener: impl Fn(&WorkspacePath, &WorkspacePath) + Send + Sync + 'static) {
        assert!(self.on_move.set(Box::new(listener)).is_ok(), "one listener hears of moves");
    }

    /// Says who knows which outputs of notebooks are of runs here; without it none are. The first one stays.
    pub fn outputs_are_known_by(&self, knows: impl Fn(&WorkspacePath, &Notebook) -> bool + Send + Sync + 'static) {
        let _ = self.own_outputs.set(Box::new(knows));
    }

    pub(crate) fn moved(&self, from: &WorkspacePath, to: &WorkspacePath) {
        if let Some(listener) = self.on_move.get() {
            listener(from, to);
        }
    }

    /// What happens in the workspace, from now on.
    pub fn events(&self) -> broadcast::Receiver<WorkspaceEvent> {
        self.events.subscribe()
    }

    /// Returns the place a path means, links inside the workspace followed. For use at once.
    pub fn confine(&self, path: &WorkspacePath) -> Result<ConfinedPath, WorkspaceError> {
        self.root.resolve(path)
    }

    /// Returns where a path leads when links are followed.
    pub fn real_path(&self, path: &WorkspacePath) -> Result<WorkspacePath, WorkspaceError> {
        Ok(self.root.resolve(path)?.path().clone())
    }

    /// Returns what is in a folder (the top one if none is named), and watches it from now on.
    pub fn list(&self, folder: Option<&WorkspacePath>) -> Result<Vec<ListedEntry>, WorkspaceError> {
        let watched = match folder {
            Some(path) => self.root.place_of(&self.real_path(path)?),
            None => self.folder().to_owned(),
        };
        self.watcher.watch(&watched);
        listing::list(&self.root, folder)
    }

    /// Returns the paths of all files that git does not ignore.
    pub fn names(&self) -> Names {
        listing::names(&self.root)
    }

    /// Returns the absolute path, without links, of a folder in which a command can run: the top one if none is named.
    pub fn folder_of_command(&self, folder: Option<&WorkspacePath>) -> Result<PathBuf, WorkspaceError> {
        let Some(folder) = folder else { return Ok(self.folder().to_owned()) };
        let place = self.root.resolve(folder)?;
        match place.entry()?.map(|entry| entry.kind) {
            Some(EntryKind::Folder) => Ok(self.root.place_of(place.path())),
            Some(_) => Err(WorkspaceError::NotFolder(folder.clone())),
            None => Err(WorkspaceError::NotFound(folder.clone())),
        }
    }

    /// Returns a file's bytes as they are on the disk.
    pub fn read_file(&self, path: &WorkspacePath, limit: u64) -> Result<Vec<u8>, WorkspaceError> {
        self.root.resolve(path)?.read(limit)
    }

    /// Returns a file's bytes as they are on the disk, and tells from now on when it is written: somebody looks at it.
    pub fn read_followed(&self, path: &WorkspacePath, limit: u64) -> Result<Vec<u8>, WorkspaceError> {
        let real = self.real_path(path)?;
        self.watcher.follow(self.root.place_of(&real));
        self.watch_way_to(&real);
        self.read_file(&real, limit)
    }

    /// Opens a file for reading in parts; follows the file as [`Self::read_followed`] does.
    pub fn open_followed(&self, path: &WorkspacePath) -> Result<File, WorkspaceError> {
        let real = self.real_path(path)?;
        self.watcher.follow(self.folder().join(real.as_str()));
        self.watch_way_to(&real);
        Ok(self.root.resolve(&real)?.open_file()?.0)
    }

    /// Returns up to `most` bytes of a file after `from`, and how many it has; follows the file as [`Self::read_followed`] does.
    pub fn read_part(&self, path: &WorkspacePath, from: u64, most: usize) -> Result<(Vec<u8>, u64), WorkspaceError> {
        let real = self.real_path(path)?;
        self.watcher.follow(self.root.place_of(&real));
        self.watch_way_to(&real);
        self.root.resolve(&real)?.read_part(from, most)
    }

    /// Returns the live layout.
    pub fn layout(&self) -> Result<Arc<Layout>, WorkspaceError> {
        if let Some(layout) = self.layout.get() {
            return Ok(Arc::clone(layout));
        }
        let _disk = self.disk();
        if self.layout.get().is_none() {
            // Under the lock, so only one is made.
            let _ = self.layout.set(Layout::open(Arc::clone(&self.store))?);
        }
        Ok(Arc::clone(self.layout.get().expect("it was just set")))
    }

    /// Returns the live document of a text file, opening it if it is not open.
    pub fn document(&self, path: &WorkspacePath) -> Result<Arc<Document>, WorkspaceError> {
        if let Some(document) = self.document_at_hand(path) {
            return Ok(document);
        }
        let real = self.real_path(path)?;
        let _disk = self.disk();
        // Somebody may have been faster.
        if let Some(document) = self.open_document(&real) {
            self.look_at_held(&document);
            if !self.forget_abandoned(&document)? {
                return Ok(document);
            }
        }
        let document = self.load(&real)?;
        self.documents().insert(real.clone(), Arc::clone(&document));
        self.watch_way_to(&real);
        Ok(document)
    }

    /// Returns the live document of a text file if it is open and somebody would miss it, without a wait.
    pub fn document_at_hand(&self, path: &WorkspacePath) -> Option<Arc<Document>> {
        self.open_document(&self.real_path(path).ok()?).filter(|document| !document.is_abandoned())
    }

    /// Returns the live document of a file if it is open.
    pub fn open_document(&self, path: &WorkspacePath) -> Option<Arc<Document>> {
        self.documents().get(path).cloned()
    }

    /// Returns the live document of a path, also if its file is gone and the document is still open.
    pub fn document_or_gone(&self, path: &WorkspacePath) -> Result<Arc<Document>, WorkspaceError> {
        match self.open_document(path) {
            Some(document) => Ok(document),
            None => self.document(path),
        }
    }

    /// Returns the paths of all live documents.
    pub fn open_paths(&self) -> Vec<WorkspacePath> {
        self.open_documents().iter().map(|document| document.path()).collect()
    }

    pub(crate) fn open_documents(&self) -> Vec<Arc<Document>> {
        self.documents().values().cloned().collect()
    }

    pub(crate) fn disk(&self) -> MutexGuard<'_, ()> {
        self.disk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn tell(&self, event: WorkspaceEvent) {
        // Nobody may be listening.
        let _ = self.events.send(event);
    }

    /// Writes a document a little later.
    pub(crate) fn save_soon(&self, document: &Arc<Document>) {
        // The keeper ends with the workspace only.
        let _ = self.errands.send(Errand::Changed(Arc::downgrade(document)));
    }

    /// Looks at a file once more, a little later.
    pub(crate) fn look_again(&self, path: &WorkspacePath) {
        let change = DiskChange { path: self.root.place_of(path), structure: false, from: None };
        // The keeper ends with the workspace only.
        let _ = self.errands.send(Errand::Disk(vec![change]));
    }

    /// Says that we changed files ourselves: open documents look at once, listings a little later.
    pub(crate) fn disk_changed(&self, paths: &[&WorkspacePath]) {
        for document in self.open_documents() {
            if paths.iter().any(|path| document.path().is_within(path)) {
                self.look_at_held(&document);
                // Its record does no harm if it stays.
                let _ = self.forget_abandoned(&document);
            }
        }
        let place = |path: &WorkspacePath| self.root.place_of(path);
        let change = |path: &&WorkspacePath| DiskChange { path: place(path), structure: true, from: None };
        let _ = self.errands.send(Errand::Disk(paths.iter().map(change).collect()));
    }

    /// Writes the open documents of a file or folder before it is moved, copied or deleted.
    pub(crate) fn save_within(&self, path: &WorkspacePath) {
        let Ok(place) = self.root.resolve_entry(path) else { return };
        for document in self.open_documents().into_iter().filter(|open| open.path().is_within(place.path())) {
            // What can't be written stays in the document.
            let _ = self.save(&document, Word::NotGiven);
        }
    }

    /// Gives the documents of a moved file or folder their new paths. The disk must be held.
    pub(crate) fn carry_documents(&self, from: &WorkspacePath, to: &WorkspacePath) -> Result<(), WorkspaceError> {
        let moved = |path: &WorkspacePath| path.moved(from, to).expect("only what lies there is carried");
        for record in DocumentRecord::within(&self.store, from)? {
            let target = moved(&record.path);
            record.relocate(&self.store, target)?;
        }
        versions::carry(&self.store, from, moved)?;
        let mut documents = self.documents();
        let paths: Vec<_> = documents.keys().filter(|path| path.is_within(from)).cloned().collect();
        for path in paths {
            let Some(document) = documents.remove(&path) else { continue };
            let target = moved(&path);
            document.lock().path = target.clone();
            document.look_at_versions_again();
            if let Some(displaced) = documents.insert(target.clone(), document) {
                displaced.close();
            }
            self.tell(WorkspaceEvent::DocumentMoved { from: path, to: target });
        }
        drop(documents);
        self.watch_way_to(to);
        Ok(())
    }

    /// Drops documents that nobody uses; they are in their files and in the store.
    pub(crate) fn put_away_unused(&self, since: Duration) {
        let mut documents = self.documents();
        documents.retain(|_, document| Arc::strong_count(document) > 1 || !document.is_idle(since));
    }

    /// Drops a document whose file is gone and that nobody has open, unless there is something new in it.
    fn forget_abandoned(&self, document: &Arc<Document>) -> Result<bool, WorkspaceError> {
        if !document.is_abandoned() {
            return Ok(false);
        }
        let path = document.path();
        self.documents().remove(&path);
        if let Some(record) = DocumentRecord::get(&self.store, &path)? {
            record.delete(&self.store)?;
        }
        Ok(true)
    }

    fn documents(&self) -> MutexGuard<'_, BTreeMap<WorkspacePath, Arc<Document>>> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Watches the folders above a file, since any of them may be moved away.
    fn watch_way_to(&self, path: &WorkspacePath) {
        let file = self.root.place_of(path);
        for folder in file.ancestors().skip(1).take_while(|folder| folder.starts_with(self.folder())) {
            self.watcher.watch(folder);
        }
    }

    fn load(&self, path: &WorkspacePath) -> Result<Arc<Document>, WorkspaceError> {
        let file = self.read_text(path);
        if let Some(record) = DocumentRecord::get(&self.store, path)?
            && let Some(document) = self.restore_document(record, &file)?
        {
            return Ok(document);
        }
        let (text, shape) = file?;
        self.start(path, &text, shape)
    }

    fn read_text(&self, path: &WorkspacePath) -> Result<(String, TextShape), WorkspaceError> {
        let bytes = self.root.resolve(path)?.read(most_of(path))?;
        decode(&bytes).map_err(|problem| not_text(problem, path))
    }

    /// Starts a new history with what the file holds.
    fn start(&self, path: &WorkspacePath, text: &str, shape: TextShape) -> Result<Arc<Document>, WorkspaceError> {
        let epoch = self.store.new_id();
        let live = LiveContent::new(text, is_notebook(path));
        self.store.replace_bytes(&record::stream(&epoch), &live.replica().encode_state())?;
        let file = FileSide { base: live.text(), shape, saved: true, ..FileSide::default() };
        let (lineage, versions) = (Lineage::found(self.store.now()), VecDeque::new());
        let opened = Opened { epoch, path: path.clone(), content: live, file, lineage, versions, pieces: 1 };
        let document = Document::new(opened, Arc::clone(&self.store), self.errands.clone(), self.events.clone());
        document.remember_base(&document.lock())?;
        Ok(document)
    }

    /// Continues a stored history; none if there is nothing in it that the file does not have.
    fn restore_document(
        &self,
        record: DocumentRecord,
        file: &Result<(String, TextShape), WorkspaceError>,
    ) -> Result<Option<Arc<Document>>, WorkspaceError> {
        let updates = self.store.read_bytes(&record::stream(&record.epoch))?;
        let base = record.base_text(&self.store)?;
        let live = base.as_ref().map(|base| LiveContent::from_updates(&updates, base, record.notebook));
        let (Some(mut base), Some(Ok(live))) = (base, live) else {
            tracing::warn!(path = %record.path, "the stored history of a document can't be read; a new history starts");
            record.delete(&self.store)?;
            return Ok(None);
        };
        let could_be_notebook =
            !record.notebook && LiveContent::new(&base, is_notebook(&record.path)).as_notebook().is_some();
        if could_be_notebook && *live.text() == *base {
            // As a text nothing is in it that the file has not.
            record.delete(&self.store)?;
            return Ok(None);
        }
        let mut got_there = false;
        match file {
            // It got there before the record was brought up to date.
            Ok((text, _)) if record.writing.as_ref() == Some(&Version::of(text)) => {
                base.clone_from(text);
                got_there = true;
            }
            Ok(_) => {}
            // Nothing would be lost, so the file's answer is the answer.
            Err(_) if *live.text() == *base => {
                if let Err(WorkspaceError::NotFound(_)) = file {
                    record.delete(&self.store)?;
                }
                return Ok(None);
            }
            Err(_) => {}
        }
        let mut lineage = Lineage::of(record.made_by, record.changed);
        if *live.text() != *base {
            // What was typed is stored at once, who typed with the next write of the file.
            lineage.note(MadeBy::Typing, None, self.store.now());
        }
        let side = FileSide { base: base.into(), shape: record.shape, ..FileSide::default() };
        let pieces = updates.len();
        let opened = Opened {
            epoch: record.epoch,
            path: record.path,
            content: live,
            file: side,
            lineage,
            versions: record.versions,
            pieces,
        };
        let document = Document::new(opened, Arc::clone(&self.store), self.errands.clone(), self.events.clone());
        if got_there {
            // A record of a text that is not kept with it could not be read after the next kill.
            document.remember_base(&document.lock())?;
        }
        self.look_at_held(&document);
        Ok(Some(document))
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.errands.send(Errand::Stop);
    }
}

impl fmt::Debug for Workspace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Workspace({})", self.folder().display())
    }
}
