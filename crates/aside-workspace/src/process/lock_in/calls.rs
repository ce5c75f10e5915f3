//! System calls that no command needs and that lead out: refused as if they were not permitted.

use std::{collections::BTreeMap, io};

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter,
};

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Other people's keys and memory, the kernel itself, and a second way to make system calls.
const EVERYWHERE: &[c_long] = &[
    libc::SYS_add_key,
    libc::SYS_keyctl,
    libc::SYS_request_key,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_open_by_handle_at,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
];

/// Namespaces and mounts, in which what Landlock sees could look different.
const NAMESPACES: &[c_long] = &[
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_fsopen,
    libc::SYS_fsmount,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_mount_setattr,
];

/// In `x32` mode the same calls have this bit set.
#[cfg(target_arch = "x86_64")]
const TWINS: &[i64] = &[0, 0x4000_0000];
#[cfg(not(target_arch = "x86_64"))]
const TWINS: &[i64] = &[0];

/// For every level with a sandbox.
pub(super) fn deny_everywhere() -> io::Result<()> {
    let rules = EVERYWHERE.iter().flat_map(|call| each(*call, Vec::new())).collect();
    apply(rules, libc::EPERM)
}

/// For a level that has no namespaces of its own: no new ones, and sockets only of the families that are allowed.
pub(super) fn deny_without_namespaces(network: bool) -> io::Result<()> {
    let new_user = libc::CLONE_NEWUSER as u64;
    let with_namespace = condition(0, SeccompCmpOp::MaskedEq(new_user), new_user)?;
    let mut rules: Rules = NAMESPACES.iter().flat_map(|call| each(*call, Vec::new())).collect();
    rules.extend(each(libc::SYS_clone, vec![rule(vec![with_namespace])?]));
    rules.extend(each(libc::SYS_socket, other_families(network)?));
    apply(rules, libc::EPERM)?;
    // Its flags lie in memory, which no filter can read; programs fall back to `clone`.
    apply(each(libc::SYS_clone3, Vec::new()).collect(), libc::ENOSYS)
}

/// Matches every socket but those of the internet, if there is a network. A socket of this machine could lead to a
/// service that does what the command may not: the session bus, a container engine, an agent with keys.
fn other_families(network: bool) -> io::Result<Vec<SeccompRule>> {
    if !network {
        return Ok(Vec::new());
    }
    let families = [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
    let not = families.iter().map(|family| condition(0, SeccompCmpOp::Ne, *family as u64));
    Ok(vec![rule(not.collect::<io::Result<_>>()?)?])
}

fn each(call: c_long, rules: Vec<SeccompRule>) -> impl Iterator<Item = (i64, Vec<SeccompRule>)> {
    TWINS.iter().map(move |twin| (call | twin, rules.clone()))
}

fn condition(argument: u8, operator: SeccompCmpOp, value: u64) -> io::Result<SeccompCondition> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value).map_err(io::Error::other)
}

fn rule(conditions: Vec<SeccompCondition>) -> io::Result<SeccompRule> {
    SeccompRule::new(conditions).map_err(io::Error::other)
}

/// A program for another kind of processor, whose calls have other numbers, is ended.
fn apply(rules: Rules, errno: i32) -> io::Result<()> {
    let errno = SeccompAction::Errno(u32::try_from(errno).expect("error numbers are small and positive"));
    let arch = std::env::consts::ARCH.try_into().map_err(io::Error::other)?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, errno, arch).map_err(io::Error::other)?;
    let program: BpfProgram = filter.try_into().map_err(io::Error::other)?;
    apply_filter(&program).map_err(io::Error::other)
}
