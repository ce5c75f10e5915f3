//! The images that cells have put out, for models that see.

use aside_core::ShownImage;
use aside_notebook::{Raw, joined};
use aside_workspace::Workspace;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

/// Bytes of an image that a model is shown, and how many of them.
const MOST_BYTES: usize = 4 << 20;
const MOST: usize = 4;
/// The kinds that every model which sees can be shown.
const KINDS: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// Says in the data of an observation which images a model is shown: of many the last ones, because what a run ends with is what
/// was wanted. `outputs` are the forms of what was put out, the last ones first.
pub(crate) fn show_images(workspace: &Workspace, data: &mut Value, outputs: impl Iterator<Item = Raw>) {
    let mut images: Vec<_> = outputs.filter_map(|forms| image(workspace, &forms)).take(MOST).collect();
    images.reverse();
    if let Some(last) = images.last() {
        data["image"] = json!(last);
        data["images"] = json!(images);
    }
}

fn image(workspace: &Workspace, forms: &Raw) -> Option<ShownImage> {
    let image = |kind: &str| {
        let base64: String = joined(&forms.get(kind)?)?.split_whitespace().collect();
        let bytes = BASE64_STANDARD.decode(base64).ok().filter(|bytes| bytes.len() <= MOST_BYTES)?;
        let sha256 = workspace.keep_image(&bytes).ok()?;
        Some(ShownImage { kind: kind.to_owned(), sha256, bytes: bytes.len() as u64 })
    };
    KINDS.into_iter().find_map(image)
}
