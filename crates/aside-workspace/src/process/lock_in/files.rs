//! The parts of the file tree that are granted. Landlock only grants, and a grant holds for all that is below. Where mounts
//! shield the protected parts, a folder is granted as a whole. Otherwise a folder with something protected in it is granted
//! entry by entry, and nothing new can be put directly into it.

use std::{
    fs,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
};

use landlock::{ABI, Access as _, AccessFs, BitFlags, PathBeneath};
use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, openat};

use crate::process::{helper::MountView, plan::Reach};

/// Devices that are files in name only.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Returns a rule for each tree that is reached.
pub(super) fn rules(reach: &Reach, shown: MountView, abi: ABI) -> Vec<PathBeneath<OwnedFd>> {
    let read = AccessFs::from_read(abi);
    // No devices, which a superuser could make for any disk, and no sockets of others.
    let write = AccessFs::from_all(abi) & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev);
    let held_back: Vec<&PathBuf> = match shown {
        MountView::Shielded => Vec::new(),
        MountView::All => reach.hidden.iter().chain(&reach.read_only).collect(),
    };
    let mut granting = Granting { rules: Vec::new() };
    for path in reach.read.iter().chain(&reach.read_only) {
        granting.tree(path, &reach.hidden.iter().collect::<Vec<_>>(), read);
    }
    granting.tree(Path::new("/proc"), &[], read);
    for path in &reach.write {
        granting.tree(path, &held_back, write);
    }
    for device in DEVICES {
        granting.grant(Path::new(device), AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate);
    }
    granting.rules
}

struct Granting {
    rules: Vec<PathBeneath<OwnedFd>>,
}

impl Granting {
    /// Grants a tree without some paths in it.
    fn tree(&mut self, path: &Path, without: &[&PathBuf], access: BitFlags<AccessFs>) {
        if without.iter().any(|cut| path.starts_with(cut)) {
            return;
        }
        let inside: Vec<&PathBuf> = without.iter().copied().filter(|cut| cut.starts_with(path)).collect();
        if inside.is_empty() {
            return self.grant(path, access);
        }
        // Its names may be seen; this holds for what is cut out as well.
        self.grant(path, AccessFs::ReadDir.into());
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            self.tree(&entry.path(), &inside, access);
        }
    }

    /// Grants what is at a path, unless it is a link: what that leads to is granted for itself or not at all.
    fn grant(&mut self, path: &Path, access: BitFlags<AccessFs>) {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let Ok(descriptor) = openat(CWD, path, flags, Mode::empty()) else { return };
        let Ok(stat) = fstat(&descriptor) else { return };
        let access = match FileType::from_raw_mode(stat.st_mode) {
            FileType::Symlink => return,
            FileType::Directory => access,
            _ => access & AccessFs::from_file(ABI::V9),
        };
        if !access.is_empty() {
            self.rules.push(PathBeneath::new(descriptor, access));
        }
    }
}
