//! The only door to side effects: catalog, validation, risk, policy, preview, decision, intent, run,
//! inverse, audit. Knows no particular action, no model and no HTTP.
//!
//! ```text
//! request -> intake (catalog, schema) -> grant -> known key? -> assess -> policy -> preview -> guards
//!    |                                                                                   |
//!    +--> refused                                     awaiting <---- confirm ------------+---- allow
//!                                                        | decide: still what was shown?       |
//!                                                        +--> intent (on disk) -> run -> inverse, outcome
//! ```

mod admits;
mod approval;
mod assistant;
mod audit;
mod call;
mod catalog;
mod chosen;
mod class;
mod commit;
mod content_labels;
mod decide;
mod dry_call;
mod error;
#[cfg(test)]
mod executor_faults;
mod explain;
mod gate;
mod granted;
mod grants;
mod handler;
mod idempotency;
mod in_flight;
mod intake;
mod label_rules;
mod lapsed;
mod lenient;
mod parts;
mod place;
mod plan;
mod policy;
mod progress;
mod record;
mod recover;
mod remember;
mod rows;
mod rule_edit;
mod run;
mod running;
mod set;
mod stale_rows;
mod submit;
#[cfg(test)]
mod testing;
mod undo;
mod waiting;

pub use admits::Admits;
pub use assistant::ai_restricted;
pub use audit::{AuditQuery, logs_data};
pub use catalog::{Catalog, CatalogError, Listing, Query, check_declaration, check_schema};
pub use content_labels::{ContentLabels, Marked, Written};
pub use dry_call::DryCall;
pub use error::GateError;
pub use gate::{Gate, Submission, Submitted};
pub use grants::{GRANTS_LOG, GrantError, Grants};
pub use handler::*;
pub use lenient::read_args;
pub use place::reached_from;
pub use plan::{Call, Confirmed};
pub use policy::{LivePolicy, Policy, PolicyFiles, PolicyProblem, Question, Unclear, commands, hosts_of_line};
pub use progress::{OutputPiece, Progress};
pub use running::ActionOutput;
pub use waiting::{briefly, waiting};
