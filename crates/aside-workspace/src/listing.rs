//! What is in a folder, and the names of all files that git does not ignore.

use std::{cmp::Ordering, ffi::OsStr, os::unix::ffi::OsStrExt as _, path::Path};

use aside_core::WorkspacePath;
use ignore::{IncrementalIgnore, WalkBuilder};
use rustix::fs::{AtFlags, Dir, statat};

use crate::{
    EntryKind, WorkspaceError,
    confined::{entry, is_hidden},
    root::Root,
};

/// The most names the quick-open list gets.
pub const MOST_NAMES: usize = 50_000;

/// One file or folder of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedEntry {
    /// Its path.
    pub path: WorkspacePath,
    /// Tells whether it is a folder, or a link to one inside the workspace.
    pub folder: bool,
    /// Bytes; 0 for a folder.
    pub size: u64,
    /// Git ignores it.
    pub ignored: bool,
    /// It is a symbolic link.
    pub link: bool,
}

/// The names of the workspace's files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The paths, sorted.
    pub paths: Vec<WorkspacePath>,
    /// Set when there were more than [`MOST_NAMES`].
    pub truncated: bool,
}

/// Returns what is in a folder (the top one if none is named): folders first, then by name.
pub(crate) fn list(root: &Root, folder: Option<&WorkspacePath>) -> Result<Vec<ListedEntry>, WorkspaceError> {
    let (directory, real) = match folder {
        Some(path) => {
            let place = root.resolve(path)?;
            let real = place.path().clone();
            (place.open_folder()?, Some(real))
        }
        None => (root.descriptor().try_clone_to_owned().map_err(top_error)?, None),
    };
    let mut rules = ignore_rules(root);
    let mut entries = Vec::new();
    let read_error = |errno: rustix::io::Errno| match folder {
        Some(path) => WorkspaceError::io("list", path, errno),
        None => top_error(errno.into()),
    };
    for item in Dir::read_from(&directory).map_err(read_error)? {
        let item = item.map_err(read_error)?;
        let name = OsStr::from_bytes(item.file_name().to_bytes());
        if name == "." || name == ".." {
            continue;
        }
        let Some(path) = child(folder, name).filter(|_| !is_hidden(name)) else { continue };
        // Gone again since it was read.
        let Ok(stat) = statat(&directory, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
        let stat = entry(&stat);
        let link = stat.kind == EntryKind::Link;
        let target = if link { link_target(root, &path) } else { Some((stat.kind, stat.size)) };
        let is_folder = matches!(target, Some((EntryKind::Folder, _)));
        let real = child(real.as_ref(), name).map(|real| real.on_disk()).unwrap_or_default();
        let ignored = name == ".git" || rules.matched(&real, is_folder && !link).is_ignore();
        entries.push(ListedEntry { path, folder: is_folder, size: target.map_or(0, |(_, size)| size), ignored, link });
    }
    entries.sort_by(by_folder_and_name);
    Ok(entries)
}

/// Orders folders first, then by name.
pub(crate) fn by_folder_and_name(one: &ListedEntry, two: &ListedEntry) -> Ordering {
    two.folder.cmp(&one.folder).then_with(|| natural_order(one.path.name(), two.path.name()))
}

/// Returns the paths of all files that git does not ignore.
pub(crate) fn names(root: &Root) -> Names {
    let mut names = Names::default();
    let walk = rules_of(root.folder())
        .filter_entry(|entry| entry.file_name() != ".git" && !is_hidden(entry.file_name()))
        .build();
    // What can't be read is left out: the list is a convenience.
    for entry in walk.flatten() {
        if entry.file_type().is_none_or(|kind| kind.is_dir()) {
            continue;
        }
        let relative = entry.path().strip_prefix(root.folder()).ok();
        let Some(path) = relative.and_then(|path| WorkspacePath::of_disk(path).ok()) else { continue };
        if names.paths.len() == MOST_NAMES {
            names.truncated = true;
            break;
        }
        names.paths.push(path);
    }
    names.paths.sort();
    names
}

/// Tells whether git ignores a place, where links lead. It need not be there.
pub(crate) fn is_ignored(root: &Root, real: &WorkspacePath, folder: bool) -> bool {
    ignore_rules(root).matched(real.on_disk(), folder).is_ignore()
}

/// Walks over what is below a folder and is not ignored by git, without names that begin with a dot.
pub(crate) fn visible(folder: &Path) -> ignore::Walk {
    let is_dotted = |entry: &ignore::DirEntry| entry.file_name().as_bytes().starts_with(b".");
    rules_of(folder).filter_entry(move |entry| entry.depth() == 0 || !is_dotted(entry)).build()
}

/// Walks a folder by git's rules.
pub(crate) fn rules_of(folder: &Path) -> WalkBuilder {
    let mut builder = WalkBuilder::new(folder);
    builder.hidden(false).require_git(false).follow_links(false);
    builder
}

pub(crate) fn ignore_rules(root: &Root) -> IncrementalIgnore {
    rules_of(root.folder()).build_matchers().pop().expect("one path was given")
}

pub(crate) fn child(folder: Option<&WorkspacePath>, name: &OsStr) -> Option<WorkspacePath> {
    folder.map_or_else(|| WorkspacePath::of_disk(name), |folder| folder.child(name)).ok()
}

fn link_target(root: &Root, path: &WorkspacePath) -> Option<(EntryKind, u64)> {
    let target = root.resolve(path).ok()?.entry().ok()??;
    Some((target.kind, target.size))
}

fn top_error(source: std::io::Error) -> WorkspaceError {
    WorkspaceError::Io { attempt: "list", path: "the workspace's folder".to_owned(), source }
}

/// Orders names as people do: case does not matter first, and `a2` comes before `a10`.
pub fn natural_order(one: &str, two: &str) -> Ordering {
    let (mut left, mut right) = (one, two);
    loop {
        let (left_number, right_number) = (digits(left), digits(right));
        if left_number > 0 && right_number > 0 {
            let order = compare_numbers(&left[..left_number], &right[..right_number]);
            if order != Ordering::Equal {
                return order;
            }
            (left, right) = (&left[left_number..], &right[right_number..]);
            continue;
        }
        match (left.chars().next(), right.chars().next()) {
            (Some(first), Some(second)) => {
                let order = first.to_lowercase().cmp(second.to_lowercase());
                if order != Ordering::Equal {
                    return order;
                }
                (left, right) = (&left[first.len_utf8()..], &right[second.len_utf8()..]);
            }
            (None, None) => return one.cmp(two),
            (None, _) => return Ordering::Less,
            (_, None) => return Ordering::Greater,
        }
    }
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Of any length, so not by parsing.
fn compare_numbers(one: &str, two: &str) -> Ordering {
    let (one, two) = (one.trim_start_matches('0'), two.trim_start_matches('0'));
    one.len().cmp(&two.len()).then_with(|| one.cmp(two))
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "sets the scene")]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use super::*;

    fn workspace(files: &[(&str, &str)]) -> (tempfile::TempDir, Root) {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let root = Root::open(folder.path()).unwrap();
        (folder, root)
    }

    fn shown(entries: &[ListedEntry]) -> Vec<String> {
        let mark = |entry: &ListedEntry| {
            let marks = [(entry.folder, "/"), (entry.link, "@"), (entry.ignored, " (ignored)")];
            marks.iter().filter(|(set, _)| *set).map(|(_, mark)| *mark).collect::<String>()
        };
        entries.iter().map(|entry| format!("{}{}", entry.path, mark(entry))).collect()
    }

    #[test]
    fn folders_come_first_and_numbers_count() {
        let (_folder, root) =
            workspace(&[("b10.txt", ""), ("b9.txt", "x"), ("B1.txt", ""), ("z/x", ""), (".aside/aside.db", "")]);
        let entries = list(&root, None).unwrap();
        assert_eq!(shown(&entries), ["z/", "B1.txt", "b9.txt", "b10.txt"]);
        assert_eq!(entries[2].size, 1);
    }

    #[test]
    fn tells_what_git_ignores_also_deep_inside() {
        let rules = "target/\n*.log\n!keep.log\n";
        let (_folder, root) = workspace(&[
            (".gitignore", rules),
            ("a.log", ""),
            ("keep.log", ""),
            ("target/debug/a.rs", ""),
            ("src/a.rs", ""),
            ("src/.gitignore", "local.*"),
            ("src/local.rs", ""),
        ]);
        let top = shown(&list(&root, None).unwrap());
        assert_eq!(top, ["src/", "target/ (ignored)", ".gitignore", "a.log (ignored)", "keep.log"]);
        let path = |text| WorkspacePath::new(text).unwrap();
        assert_eq!(shown(&list(&root, Some(&path("target/debug"))).unwrap()), ["target/debug/a.rs (ignored)"]);
        let src = shown(&list(&root, Some(&path("src"))).unwrap());
        assert_eq!(src, ["src/.gitignore", "src/a.rs", "src/local.rs (ignored)"]);
        let names: Vec<_> = names(&root).paths.iter().map(ToString::to_string).collect();
        assert_eq!(names, [".gitignore", "keep.log", "src/.gitignore", "src/a.rs"]);
    }

    #[test]
    fn control_characters_in_names_are_listed_escaped() {
        let (_folder, root) = workspace(&[("a\nb.txt", "four"), ("new\nfolder/\u{1b}[1mred", ""), ("\tc", "")]);
        assert_eq!(shown(&list(&root, None).unwrap()), ["new\\nfolder/", "\\tc", "a\\nb.txt"]);
        let inner = list(&root, Some(&WorkspacePath::new("new\\nfolder").unwrap())).unwrap();
        assert_eq!(shown(&inner), ["new\\nfolder/\\u{1b}[1mred"]);
        for path in names(&root).paths {
            assert!(!path.to_string().contains(char::is_control), "{path:?}");
            assert!(root.resolve(&path).unwrap().entry().unwrap().is_some(), "{path} is found again");
        }
        assert_eq!(names(&root).paths.len(), 3);
    }

    #[test]
    fn names_that_are_not_utf8_are_listed() {
        let (folder, root) = workspace(&[("\\n", "literal"), ("\n", "control")]);
        fs::create_dir(folder.path().join(OsStr::from_bytes(b"\xff"))).unwrap();
        fs::write(folder.path().join(OsStr::from_bytes(b"\xff/caf\xe9")), "four").unwrap();
        assert_eq!(shown(&list(&root, None).unwrap()), ["\\xff/", "\\n", "\\u{5c}n"]);
        let inner = list(&root, Some(&WorkspacePath::new("\\xff").unwrap())).unwrap();
        assert_eq!((shown(&inner), inner[0].size), (vec!["\\xff/caf\\xe9".to_owned()], 4));
        let all: Vec<_> = names(&root).paths.iter().map(ToString::to_string).collect();
        assert_eq!(all, ["\\n", "\\u{5c}n", "\\xff/caf\\xe9"]);
    }

    #[test]
    fn links_are_shown_and_only_followed_inside() {
        let (folder, root) = workspace(&[("sub/a.txt", "four")]);
        symlink("sub", folder.path().join("inner")).unwrap();
        symlink("/etc", folder.path().join("outer")).unwrap();
        symlink("nowhere", folder.path().join("dangling")).unwrap();
        assert_eq!(shown(&list(&root, None).unwrap()), ["inner/@", "sub/", "dangling@", "outer@"]);
        let inner = list(&root, Some(&WorkspacePath::new("inner").unwrap())).unwrap();
        assert_eq!(shown(&inner), ["inner/a.txt"]);
        assert_eq!(list(&root, Some(&WorkspacePath::new("outer").unwrap())).unwrap_err().code(), "outside");
    }

    #[test]
    fn twenty_thousand_files_are_listed_in_natural_order() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..20_000 {
            fs::write(folder.path().join(format!("file{number}.txt")), "").unwrap();
        }
        fs::write(folder.path().join(".gitignore"), "*5.txt\n").unwrap();
        let root = Root::open(folder.path()).unwrap();
        let entries = list(&root, None).unwrap();
        assert_eq!(entries.len(), 20_001);
        assert_eq!(entries.iter().filter(|entry| entry.ignored).count(), 2_000);
        assert_eq!(entries[3].path.as_str(), "file2.txt");
    }
}
