//! AI cells, answered by a model that plays a script: what it is sent, byte by byte, what it may do, and how an answer ends.
//!
//! The path is the real one: the notebook's session, agent, Gate, actions, workspace, adapters, HTTP; and ipykernel where
//! there is one (`ASIDE_TEST_PYTHON`).
#![allow(clippy::disallowed_methods, reason = "the tests prepare the workspace as another program would")]

mod answers;
mod replay;
mod runs;
mod scene;
