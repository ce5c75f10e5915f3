//! A view of the file tree for one command, by mounts of its own: the protected parts of the workspace can't be written,
//! and the hidden ones are empty. With it Landlock can grant the workspace as a whole, so that a command can make files
//! beside what is protected. It needs the right to mount, or user namespaces; without either, Landlock grants entry by entry.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use rustix::{
    fs::{StatVfsMountFlags, statvfs},
    mount::{MountFlags, MountPropagationFlags, mount_bind, mount_change, mount_remount},
    process::{getegid, geteuid},
    thread::UnshareFlags,
};

use super::plan::Reach;

/// Gives this process, which has one thread, a view of its own. After an error it may have parts of one, which take
/// rights away and add none.
pub(crate) fn separate(reach: &Reach) -> io::Result<()> {
    let mounts = Mount::all()?;
    if let Some(path) = reach.write.iter().find(|path| is_elsewhere_too(&mounts, path)) {
        return Err(io::Error::other(format!("{} can be reached by another mount, too", path.display())));
    }
    own_namespace()?;
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    // A mount can't be renamed or removed, so nothing protected is moved away with the folder around it.
    let is_inside = |path: &&PathBuf| reach.write.iter().any(|tree| tree != *path && path.starts_with(tree));
    for path in reach.write.iter().filter(is_inside) {
        mount_bind(path, path)?;
    }
    // A link can't be covered; it is looked after when the command has ended.
    for path in reach.read_only.iter().filter(|path| !path.is_symlink()) {
        cover(path, path)?;
    }
    // The rest of what is hidden is granted to nobody.
    let is_granted = |path: &&PathBuf| reach.write.iter().any(|tree| path.starts_with(tree));
    let empty = reach.temporary.join("empty");
    for path in reach.hidden.iter().filter(is_granted) {
        cover(if path.is_dir() { &empty } else { Path::new("/dev/null") }, path)?;
    }
    Ok(())
}

/// Enters a namespace of mounts: as the superuser, or else as the same user in a user namespace.
fn own_namespace() -> io::Result<()> {
    if unshare(UnshareFlags::NEWNS).is_ok() {
        return Ok(());
    }
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWNS)?;
    write("/proc/self/setgroups", "deny")?;
    write("/proc/self/uid_map", &format!("{user} {user} 1"))?;
    write("/proc/self/gid_map", &format!("{group} {group} 1"))
}

#[expect(
    deprecated,
    reason = "no table of file descriptors is unshared, which is what the other function is unsafe for"
)]
fn unshare(flags: UnshareFlags) -> io::Result<()> {
    Ok(rustix::thread::unshare(flags)?)
}

#[expect(clippy::disallowed_methods, reason = "the kernel’s files about this process")]
fn write(path: &str, text: &str) -> io::Result<()> {
    fs::write(path, text)
}

/// Lays something over a path that can only be read.
fn cover(source: &Path, path: &Path) -> io::Result<()> {
    mount_bind(source, path)?;
    // Flags of the file system are locked in a user namespace, and have to stay.
    let known = statvfs(path)?.f_flag;
    let kept = [
        (StatVfsMountFlags::NOSUID, MountFlags::NOSUID),
        (StatVfsMountFlags::NODEV, MountFlags::NODEV),
        (StatVfsMountFlags::NOEXEC, MountFlags::NOEXEC),
        (StatVfsMountFlags::NOATIME, MountFlags::NOATIME),
        (StatVfsMountFlags::NODIRATIME, MountFlags::NODIRATIME),
        (StatVfsMountFlags::RELATIME, MountFlags::RELATIME),
    ];
    let flags = kept.into_iter().filter(|(flag, _)| known.contains(*flag)).map(|(_, flag)| flag);
    // Without devices the empty one can't even be opened.
    let flags = flags.fold(MountFlags::BIND | MountFlags::RDONLY | MountFlags::NODEV, |all, flag| all | flag);
    Ok(mount_remount(path, flags, c"")?)
}

/// A line of `/proc/self/mountinfo`.
#[derive(Debug)]
struct Mount {
    id: String,
    device: String,
    /// The folder of the file system that is mounted.
    root: PathBuf,
    point: PathBuf,
}

impl Mount {
    #[expect(clippy::disallowed_methods, reason = "the kernel’s file about this process")]
    fn all() -> io::Result<Vec<Self>> {
        Ok(fs::read_to_string("/proc/self/mountinfo")?.lines().filter_map(Self::read).collect())
    }

    fn read(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let (id, _parent, device) = (words.next()?, words.next()?, words.next()?);
        let (root, point) = (unescaped(words.next()?), unescaped(words.next()?));
        Some(Self { id: id.to_owned(), device: device.to_owned(), root: root.into(), point: point.into() })
    }
}

/// Spaces and the like are octal numbers there.
fn unescaped(word: &str) -> String {
    [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")]
        .into_iter()
        .fold(word.to_owned(), |text, (escaped, letter)| text.replace(escaped, letter))
}

/// Tells whether the same folder can be reached by another mount, over which nothing is laid.
fn is_elsewhere_too(mounts: &[Mount], path: &Path) -> bool {
    // The last one at a place lies over the others.
    let around = mounts.iter().filter(|mount| path.starts_with(&mount.point));
    let Some(own) = around.max_by_key(|mount| mount.point.components().count()) else { return true };
    let Ok(below) = path.strip_prefix(&own.point) else { return true };
    let place = own.root.join(below);
    let others = mounts.iter().filter(|mount| mount.id != own.id && mount.device == own.device);
    others.into_iter().any(|mount| place.starts_with(&mount.root))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elsewhere(info: &str, path: &str) -> bool {
        let mounts: Vec<_> = info.lines().filter_map(Mount::read).collect();
        is_elsewhere_too(&mounts, Path::new(path))
    }

    #[test]
    fn folder_of_a_second_mount_is_found() {
        let plain = "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:5 / /proc rw - proc proc rw\n\
                     3 1 8:1 /etc/x /etc/hosts rw - ext4 /dev/sda1 rw";
        assert!(!elsewhere(plain, "/home/ada/my work"));
        let twice = format!("{plain}\n4 1 8:1 / /host rw - ext4 /dev/sda1 rw");
        assert!(elsewhere(&twice, "/home/ada/my work"));
        let bound = format!("{plain}\n4 1 8:1 /home/ada/my\\040work /mnt rw - ext4 /dev/sda1 rw");
        assert!(elsewhere(&bound, "/home/ada/my work"));
        assert!(!elsewhere(&bound, "/home/ada/other"));
    }
}
