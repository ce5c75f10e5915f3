//! Restricts the calling thread, and with it everything that it starts, for good: Landlock for files, seccomp for
//! system calls. See landlock(7) and seccomp(2).

mod calls;
mod files;

use std::io;

use aside_core::SandboxLevel;
use landlock::{
    ABI, Access as _, AccessFs, AccessNet, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _, RulesetCreated,
    RulesetCreatedAttr as _, RulesetStatus, Scope,
};
use rustix::thread::{CapabilitySet, remove_capability_from_bounding_set, set_no_new_privs};

use super::{
    helper::MountView,
    plan::{Plan, Reach},
};

/// What every kernel with Landlock has to control: without version 3 (Linux 6.2) any file could be cut to nothing.
const NEEDED: ABI = ABI::V3;
/// What is controlled where the kernel can.
const WANTED: ABI = ABI::V9;

/// Restricts this thread as a plan says.
pub(super) fn lock_in(plan: &Plan, shown: MountView) -> io::Result<()> {
    match plan.level {
        SandboxLevel::Bubblewrap => {
            // Bubblewrap mounts, so files are its own business; it leaves abstract sockets and keyrings open.
            set_no_new_privs(true)?;
            scope_only().map_err(io::Error::other)?;
            calls::deny_everywhere()
        }
        SandboxLevel::Landlock => {
            drop_powers();
            restrict(&plan.reach, shown, plan.network).map_err(io::Error::other)?;
            calls::deny_everywhere()?;
            calls::deny_without_namespaces(plan.network)
        }
        SandboxLevel::None => {
            set_no_new_privs(true)?;
            Ok(())
        }
    }
}

/// A superuser's program starts without powers over devices and mounts.
fn drop_powers() {
    for capability in CapabilitySet::all().iter() {
        // Only the superuser has any to drop.
        let _ = remove_capability_from_bounding_set(capability);
    }
}

/// Outside abstract sockets and processes are out of reach. Kernels before 6.12 can't.
fn scope_only() -> Result<(), landlock::RulesetError> {
    let ruleset = Ruleset::default().scope(Scope::AbstractUnixSocket)?.scope(Scope::Signal)?;
    ruleset.create()?.restrict_self().map(drop)
}

fn restrict(reach: &Reach, shown: MountView, network: bool) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(NEEDED))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(WANTED))?
        .scope(Scope::AbstractUnixSocket)?
        .scope(Scope::Signal)?;
    if !network {
        ruleset = ruleset.handle_access(AccessNet::from_all(WANTED))?;
    }
    let status = grant(ruleset.create()?, reach, shown)?.restrict_self()?;
    match status.ruleset {
        RulesetStatus::NotEnforced => Err("the kernel does not enforce Landlock".into()),
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
    }
}

fn grant(
    mut ruleset: RulesetCreated,
    reach: &Reach,
    shown: MountView,
) -> Result<RulesetCreated, landlock::RulesetError> {
    for rule in files::rules(reach, shown, WANTED) {
        ruleset = ruleset.add_rule(rule)?;
    }
    Ok(ruleset)
}
