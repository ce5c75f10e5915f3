//! The kernels of a workspace's notebooks: which cells are run, in what order, and what comes of it.
//!
//! Nothing that a kernel says is lost here: it is kept as it comes, shown in bounds, and brought into the notebook's
//! document. All of it goes on after a restart of the server, and in any number of windows. Knows no action and no HTTP.
//!
//! ```text
//! Sessions -> Session (a notebook) -> run(cells) -> queue -> Kernel -> log in the store -> Outputs -> the document
//!                                                                                            +-> NotebookWatch
//! ```

mod bounded;
mod choose;
mod error;
mod file;
mod outputs;
mod record;
mod said;
mod session;
mod sessions;
mod sql;
mod trust;
mod variables;
mod watch;
mod widgets;

pub use bounded::shown;
pub use choose::{Chosen, choose};
pub use error::SessionError;
pub use file::{changed, learned};
pub use outputs::{Output, Outputs};
pub use said::{OutputEvent, Shown};
pub use session::{
    CellToRun, Completions, Ended, KeptOutputs, MOST_OUTPUT, Session, WidgetSaid, cells_to_run, output_limit,
};
pub use sessions::{Answers, SessionOptions, Sessions};
pub use sql::{SqlCell, why_not};
pub use trust::Trust;
pub use variables::{AskedVariables, Variable, Variables};
pub use watch::{NotebookNews, NotebookWatch};
pub use widgets::Widgets;
