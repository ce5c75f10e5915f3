//! Scripts run over a host that answers from memory.

#[path = "scripts/host.rs"]
mod host;

#[path = "scripts/golden.rs"]
mod golden;
#[path = "scripts/hostile.rs"]
mod hostile;
#[path = "scripts/limits.rs"]
mod limits;
#[path = "scripts/replay.rs"]
mod replay;
