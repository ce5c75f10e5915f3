//! `file.read`: a file as it is on the disk.

use std::sync::Arc;

use aside_core::{
    Assessment, EffectScope, Failure, Observation, Place, Preview, Risk, Sha256, ShownImage, UndoSupport, WorkspacePath,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_notebook::Notebook;
use aside_workspace::{MOST_TEXT, Workspace, WorkspaceError};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::files::{blocking, bytes, is_notebook, not_as_json, touching};

/// Bytes of text a single answer holds.
const MOST_BYTES: usize = 100_000;

/// Bytes of an image that is shown to a model: more is refused by some of those who run one.
const MOST_IMAGE: usize = 3_700_000;

/// Arguments of `file.read`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The file, relative to the workspace.
    path: WorkspacePath,
}

/// `file.read`.
pub(crate) struct FileRead {
    pub workspace: Arc<Workspace>,
}

impl Action for FileRead {
    type Args = Args;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "file.read",
            summary: "Read a file as it is on disk",
            description: "Returns the text of a file, shows an image to a model that can see images, or gives the \
                size and hash of any other file. To edit a file, read it with `doc.read`, which gives line numbers, \
                the version and unsaved text.",
            preconditions: &["the file exists"],
            effect: EffectScope::Workspace,
            risks: [Risk::Read].into(),
            place: Place::Workspace,
            undo: UndoSupport::NotNeeded,
            examples: vec![("Read a file", json!({"path": "data/tides.csv"}))],
            phrases: &[
                "read the file from disk",
                "how large is this file",
                "how (large|big) is (this|current) file => path={file}",
                "how (large|big) is {path:one_file}",
            ],
            tags: &["file", "bytes", "binary", "raw"],
            safety: &[],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &Args) -> Result<Assessment, Failure> {
        Ok(touching(&self.workspace.view(&context.would_be), &[&args.path], []))
    }

    async fn preview(&self, _context: &ActionContext, args: &Args) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Read {}", args.path)))
    }

    async fn run(&self, context: &ActionContext, args: &Args) -> Result<Run, Failure> {
        let path = args.path.clone();
        let would_be = context.would_be.clone();
        let read = move |workspace: &Workspace| {
            let content = match would_be.is_empty() {
                true => workspace.read_file(&path, MOST_TEXT)?,
                false => workspace.view(&would_be).content(&path, MOST_TEXT)?,
            };
            let kind = image_kind(&content).filter(|_| content.len() <= MOST_IMAGE);
            let image =
                kind.map(|kind| Ok::<_, WorkspaceError>(shown(kind, &content, workspace.keep_image(&content)?)));
            Ok((content, image.transpose()?))
        };
        let (content, image) = blocking(&self.workspace, read).await?;
        if !context.origin.is_person() && is_notebook(&args.path) && Notebook::read(&content).is_ok() {
            return Err(not_as_json(&args.path));
        }
        let size = bytes(content.len() as u64);
        let facts = json!({"path": args.path, "size": content.len(), "sha256": Sha256::of(&content)});
        if let Some(image) = image {
            let words = format!("{}: an image ({}), {size}", args.path, image.kind);
            let more = json!({"binary": true, "image": image});
            return Ok(Run::observed(Observation::with(words, with(facts, more))));
        }
        let text = match String::from_utf8(content) {
            Ok(text) if !text.contains('\0') => text,
            _ => {
                let words = format!("{}: binary, {size}", args.path);
                return Ok(Run::observed(Observation::with(words, with(facts, json!({"binary": true})))));
            }
        };
        let end = (0..=text.len().min(MOST_BYTES)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
        let cut = if end < text.len() { ", the beginning of it" } else { "" };
        let words = format!("{}, {size}{cut}\n{}", args.path, &text[..end]);
        Ok(Run::observed(Observation::with(words, with(facts, json!({"text": &text[..end], "cut": end < text.len()})))))
    }
}

fn shown(kind: &str, content: &[u8], sha256: Sha256) -> ShownImage {
    ShownImage { kind: kind.to_owned(), sha256, bytes: content.len() as u64 }
}

/// What an image is by its first bytes, of the kinds that models take.
fn image_kind(content: &[u8]) -> Option<&'static str> {
    match content {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

fn with(mut facts: serde_json::Value, more: serde_json::Value) -> serde_json::Value {
    if let (Some(facts), serde_json::Value::Object(more)) = (facts.as_object_mut(), more) {
        facts.extend(more);
    }
    facts
}
