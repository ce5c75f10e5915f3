//! The text of PDF files, page by page. A file is read by a process of its own, as a torn or hostile one can make its parser run for
//! ever, take all memory or end the process.

mod child;
mod reader;

pub use child::enter_if_reader;
pub use reader::{PdfError, PdfLimits, pages};
