//! Limits that the kernel keeps for the helper and everything that it starts.
//!
//! They hold for each process; the helper watches over all of them together.

use std::io;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::{plan::Limits, tree};

/// Open files of one process.
const FILES: u64 = 4096;

/// Processes of a person beside those of a command: the limit of the kernel counts them all.
const OTHERS: u64 = 2048;

/// Restricts this process and what it starts.
pub(crate) fn apply(limits: &Limits) -> io::Result<()> {
    let seconds = limits.time.as_secs().saturating_add(5);
    lower(Resource::Core, 0)?;
    lower(Resource::Cpu, seconds)?;
    // Of private memory that can be written; reserved address space is free, and some runtimes reserve a lot.
    lower(Resource::Data, limits.memory)?;
    lower(Resource::Fsize, limits.file)?;
    lower(Resource::Nofile, FILES)?;
    // It does not hold for the superuser, nor is it exact for others: the helper counts as well.
    lower(Resource::Nproc, tree::threads_of_user() + OTHERS + u64::from(limits.processes))
}

/// Never above what is allowed already.
fn lower(resource: Resource, to: u64) -> io::Result<()> {
    let to = getrlimit(resource).maximum.map_or(to, |most| most.min(to));
    Ok(setrlimit(resource, Rlimit { current: Some(to), maximum: Some(to) })?)
}
