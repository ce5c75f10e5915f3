//! Where standing instructions are: the person's own, the workspace's, and those among its files.

use std::{path::PathBuf, sync::Arc};

use aside_agent::{Instruction, Instructions};
use aside_core::{InstructionsAt, WorkspacePath};
use aside_store::TextFile;
use aside_workspace::Workspace;

/// What both files are called.
const NAME: &str = "instructions.md";
/// Bytes of one of them that is read at all; far less goes along.
const LONGEST: u64 = 1 << 20;

/// Those of one workspace.
pub struct InstructionFolders {
    workspace: Arc<Workspace>,
    own: Option<TextFile>,
    shared: TextFile,
}

impl InstructionFolders {
    /// `own` is the person's folder, `shared` that of Aside in the workspace.
    pub fn new(workspace: Arc<Workspace>, own: Option<PathBuf>, shared: PathBuf) -> Arc<Self> {
        let file = |folder: PathBuf| TextFile::new(folder.join(NAME), LONGEST);
        Arc::new(Self { workspace, own: own.map(file), shared: file(shared) })
    }
}

impl Instructions for InstructionFolders {
    fn of(&self, document: Option<&WorkspacePath>) -> Vec<Instruction> {
        let kept = |at, file: &TextFile| match file.read() {
            Ok(None) => None,
            Ok(Some(text)) => Some(Instruction { at, text: Some(Ok(text)) }),
            Err(error) => Some(Instruction { at, text: Some(Err(error.to_string())) }),
        };
        let own = self.own.as_ref().and_then(|file| kept(InstructionsAt::Person, file));
        let shared = kept(InstructionsAt::Workspace, &self.shared);
        let files = self.workspace.instruction_files(document).into_iter();
        let among = files.map(|path| Instruction { at: InstructionsAt::File { path }, text: None });
        own.into_iter().chain(shared).chain(among).collect()
    }
}
