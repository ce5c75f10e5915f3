//! `file.upload`: a file of the person's computer comes to a place in the workspace.

use std::sync::Arc;

use aside_core::{
    Assessment, EffectScope, Effects, Failure, Observation, Place, Preview, Risk, Sha256, UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_workspace::{Workspace, WorkspaceError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::{
    files::{blocking, bytes, foreseen},
    placing::{assess_new, created, creation},
};

/// Arguments of `file.upload`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UploadArgs {
    /// The new path, relative to the workspace. Missing folders are created.
    path: WorkspacePath,
    /// The hash that the server returned for the uploaded bytes.
    #[schemars(with = "String")]
    blob: Sha256,
}

/// `file.upload`.
pub(crate) struct FileUpload {
    pub workspace: Arc<Workspace>,
}

impl FileUpload {
    async fn upload(&self, args: &UploadArgs) -> Result<Vec<u8>, Failure> {
        let hash = args.blob.clone();
        blocking(&self.workspace, move |workspace| match workspace.kept_upload(&hash) {
            Err(WorkspaceError::NotKept(_)) => Ok(None),
            found => found.map(Some),
        })
        .await?
        .ok_or_else(|| {
            Failure::new("not_found", "these bytes were not uploaded").hint("upload the file again, in the explorer")
        })
    }
}

impl Action for FileUpload {
    type Args = UploadArgs;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "file.upload",
            summary: "Upload a file",
            description: "Puts a file that a person uploaded into the workspace, byte by byte. Fails if the path exists. The explorer uploads the bytes first.",
            preconditions: &["nothing exists at the path", "the bytes were uploaded"],
            effect: EffectScope::Workspace,
            risks: [Risk::Write].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![(
                "Put an uploaded picture into a folder",
                json!({"path": "figures/map.png", "blob": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}),
            )],
            phrases: &["upload a file", "import a file from my computer"],
            tags: &["file", "upload", "import"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &UploadArgs) -> Result<Assessment, Failure> {
        assess_new(&self.workspace, context, &args.path).await
    }

    async fn preview(&self, context: &ActionContext, args: &UploadArgs) -> Result<Preview, Failure> {
        self.effects(context, args).await?;
        let size = self.upload(args).await?.len();
        Ok(creation(&args.path, Vec::new(), &format!("uploaded file, {}", bytes(size as u64))))
    }

    async fn effects(&self, context: &ActionContext, args: &UploadArgs) -> Result<Effects, Failure> {
        let (path, bytes) = (args.path.clone(), self.upload(args).await?);
        foreseen(&self.workspace, context, move |view| view.create_file(&path, &bytes)).await
    }

    async fn run(&self, _context: &ActionContext, args: &UploadArgs) -> Result<Run, Failure> {
        let (path, bytes) = (args.path.clone(), self.upload(args).await?);
        let size = bytes.len();
        let placed = blocking(&self.workspace, move |workspace| workspace.create_file(&path, &bytes)).await?;
        let seen = json!({"path": args.path, "bytes": size});
        Ok(created(&args.path, &placed, Observation::with(format!("uploaded {}", args.path), seen)))
    }
}
