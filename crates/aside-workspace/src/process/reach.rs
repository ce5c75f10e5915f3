//! What a command may read and write: the system's programs, the workspace, a folder of its own. Nothing else is
//! named, so nothing else is reached.

use std::{
    collections::BTreeSet,
    env,
    path::{Path, PathBuf},
};

use super::{CommandLine, environment::rustup_home, plan::Reach, protect};

/// Programs, libraries and settings.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc",
    "/opt",
    "/nix/store",
    "/nix/var/nix/profiles",
    "/gnu/store",
    "/run/current-system",
    "/var/lib/texmf",
    "/var/cache/fontconfig",
    "/var/lib/flatpak/exports",
    "/sys/devices/system",
];

/// Where names of the network are looked up.
const NAMES: &[&str] = &["/run/systemd/resolve", "/run/NetworkManager/resolv.conf", "/run/resolvconf"];

/// Of the system's settings, what only the superuser may read: Aside may run as one.
const SYSTEM_SECRETS: &[&str] = &[
    "/etc/shadow",
    "/etc/shadow-",
    "/etc/gshadow",
    "/etc/gshadow-",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/ssh",
    "/etc/ssl/private",
    "/etc/NetworkManager/system-connections",
    "/etc/wpa_supplicant",
    "/etc/wireguard",
];

/// Below the person's home, folders that hold programs and nothing else.
const TOOLCHAINS: &[&str] = &[
    ".rustup",
    ".cargo/bin",
    ".cargo/registry",
    ".cache/Tectonic",
    ".local/bin",
    ".local/lib",
    ".local/pipx",
    ".local/share/pipx",
    ".local/share/uv",
    ".local/share/mise",
    ".pyenv",
    ".nvm",
    ".volta",
    ".asdf",
    ".bun/bin",
    ".deno/bin",
    ".juliaup",
    ".julia/juliaup",
    ".julia/packages",
    ".julia/artifacts",
    ".julia/compiled",
    ".ghcup",
    ".cabal/bin",
    ".sdkman/candidates",
    ".TinyTeX",
    "go/bin",
    "go/pkg/mod",
    "miniconda3",
    "anaconda3",
    "miniforge3",
    "mambaforge",
    "texmf",
];

/// Below the person's home, what holds keys, tokens and cookies, where a workspace is the home or around it.
const SECRETS: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".netrc",
    ".pgpass",
    ".my.cnf",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".password-store",
    ".vault-token",
    ".cargo/credentials.toml",
    ".config/gcloud",
    ".config/gh",
    ".config/hub",
    ".config/git",
    ".config/op",
    ".config/rclone",
    ".config/google-chrome",
    ".config/chromium",
    ".config/BraveSoftware",
    ".local/share/keyrings",
    ".local/share/kwalletd",
    ".mozilla",
    ".thunderbird",
    ".claude",
    ".claude.json",
    ".codex",
    ".gemini",
    ".bash_history",
    ".zsh_history",
    ".python_history",
    ".psql_history",
    "Library/Keychains",
];

/// Returns where Aside keeps what belongs to the person and to no workspace.
pub(crate) fn own_folders() -> Vec<PathBuf> {
    let named = env::var_os("ASIDE_DATA_DIR").map(PathBuf::from);
    let data = env::var_os("XDG_DATA_HOME").map(PathBuf::from);
    let home = env::home_dir().map(|home| home.join(".local/share"));
    named.into_iter().chain(data.into_iter().chain(home).map(|data| data.join("aside"))).collect()
}

/// Returns what a command in a workspace may reach.
pub(crate) fn reach(workspace: &Path, private: &[PathBuf], temporary: &Path, line: &CommandLine) -> Reach {
    let home = env::home_dir().filter(|home| home.is_absolute());
    let below_home = |names: &[&str]| -> Vec<PathBuf> {
        home.iter().flat_map(|home| names.iter().map(|name| home.join(name))).collect()
    };
    let mut read: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
    read.extend(below_home(TOOLCHAINS));
    read.extend(rustup_home().filter(|rustup| rustup.is_absolute()));
    read.extend(program_folders(home.as_deref()));
    // What is nobody's business stays so, whatever is named.
    read.extend(line.read.iter().filter(|folder| !private.iter().any(|own| folder.starts_with(own))).cloned());
    if line.network {
        read.extend(NAMES.iter().map(PathBuf::from));
    }
    let protected = protect::scan(workspace);
    let mut write = vec![workspace.to_owned(), temporary.to_owned()];
    write.extend(git_folders(&protected.read_only));
    let mut hidden = protected.hidden;
    let secrets = SYSTEM_SECRETS.iter().map(PathBuf::from).chain(below_home(SECRETS)).chain(private.iter().cloned());
    hidden.extend(secrets.filter(|secret| secret.exists() && is_reached(secret, &read, &write)));
    read.retain(|path| path.exists());
    Reach { read, write, temporary: temporary.to_owned(), read_only: protected.read_only, hidden }
}

/// Git's folders are named for themselves: as mounts of their own they can't be moved out from under what is protected.
fn git_folders(read_only: &[PathBuf]) -> BTreeSet<PathBuf> {
    let parents = read_only.iter().filter_map(|path| path.parent());
    parents.filter(|folder| folder.ends_with(".git")).map(Path::to_owned).collect()
}

fn is_reached(path: &Path, read: &[PathBuf], write: &[PathBuf]) -> bool {
    read.iter().chain(write).any(|granted| path.starts_with(granted))
}

/// Folders of the search path that are neither the system's nor in the home, such as `/home/linuxbrew/.linuxbrew/bin`.
fn program_folders(home: Option<&Path>) -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let known = |folder: &Path| {
        SYSTEM.iter().any(|system| folder.starts_with(system)) || home.is_some_and(|home| folder.starts_with(home))
    };
    let folders = env::split_paths(&path).filter(|folder| folder.is_absolute() && !known(folder));
    // The programs of `x/bin` want `x/lib`.
    let whole = |folder: PathBuf| match (folder.ends_with("bin"), folder.parent()) {
        (true, Some(parent)) if parent.components().count() > 2 => parent.to_owned(),
        _ => folder,
    };
    let shared = ["/tmp", "/var/tmp", "/dev/shm", "/root", "/home", "/"];
    folders.map(whole).filter(|folder| !shared.iter().any(|shared| Path::new(shared) == folder)).collect()
}
