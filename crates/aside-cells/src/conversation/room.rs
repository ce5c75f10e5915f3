//! How much of what a notebook has put out goes into a conversation: what is nearest to the question.

use aside_agent::history::Said;
use aside_llm::Message;
use aside_notebook::Cell;

/// Bytes of outputs, as the file has them, that are looked at: where they begin and end is found in a few milliseconds.
const MOST_LOOKED_AT: usize = 8 << 20;
/// Images, and bytes of them as base64: providers take so many, in a request of about that size.
const MOST_IMAGES: usize = 20;
const MOST_IMAGE_BYTES: usize = 20 << 20;

/// Returns the first of the cells from which on what they have put out is looked at; the last one is in any case.
pub(super) fn looked_at(cells: &[&Cell]) -> usize {
    let mut room = MOST_LOOKED_AT;
    let size = |cell: &Cell| cell.get("outputs").map_or(0, |outputs| outputs.as_str().len());
    let fits = |cell: &&&Cell| match room.checked_sub(size(cell)) {
        Some(left) => {
            room = left;
            true
        }
        None => false,
    };
    cells.len() - cells.iter().rev().take_while(fits).count().max(1).min(cells.len())
}

/// Leaves out the first ones of too many images, and says so.
pub(super) fn bound_images(said: &mut [Said]) {
    let (mut count, mut bytes) = (0, 0);
    for said in said.iter_mut().rev() {
        let Message::User { text, images } = &mut said.message else { continue };
        let fits = |image: &&aside_llm::Image| {
            (count, bytes) = (count + 1, bytes + image.base64.len());
            count <= MOST_IMAGES && bytes <= MOST_IMAGE_BYTES
        };
        let left_out = images.len() - images.iter().rev().take_while(fits).count();
        if left_out > 0 {
            images.drain(..left_out);
            let what =
                if left_out == 1 { "1 image of this is".to_owned() } else { format!("{left_out} images of this are") };
            text.push_str(&format!("\n[Aside] {what} not shown: the notebook has too many images."));
        }
    }
}
