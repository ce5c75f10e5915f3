//! Images on their way to a model that sees: kept as blobs of the workspace, sent as every wire carries them.

use aside_core::{ShownImage, WorkspacePath};
use aside_llm::Image;
use aside_store::Store;
use base64::{Engine as _, prelude::BASE64_STANDARD};

/// Returns what is sent of an image that was shown; nothing if the model is not to see it.
pub type Eyes<'a> = &'a dyn Fn(&ShownImage) -> Option<Image>;

/// Tells whether a file is an image by its name; what it is shows when it is read.
pub fn is_image(path: &WorkspacePath) -> bool {
    let ending = path.name().rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ["png", "jpg", "jpeg", "gif", "webp"].contains(&ending.as_str()))
}

/// Loads an image that was shown. One that is lost can't be seen again, which is no reason to end a turn.
pub fn load(store: &Store, image: &ShownImage) -> Option<Image> {
    let bytes = store.get_blob(&image.sha256).ok().flatten()?;
    Some(Image { kind: image.kind.clone(), base64: BASE64_STANDARD.encode(bytes) })
}
