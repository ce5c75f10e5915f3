//! The connection file: where a kernel is spoken to, and the key. Whoever can read it can run code in the kernel.

use std::{
    fs,
    io::{self, Write as _},
    net::TcpListener,
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::KernelError;

/// What a path of a socket may be long at most; the system's limit is 107 bytes.
const LONGEST_SOCKET: usize = 100;

/// How bytes travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Transport {
    /// TCP on this machine. Others who have an account on it see the ports, not the key.
    Tcp,
    /// Sockets in a folder that is the person's.
    Ipc,
}

/// A kernel's channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Channel {
    Shell,
    Output,
    Input,
    Control,
    Heartbeat,
}

/// The connection file, in the names that Jupyter has for it. With ipc, `ip` is the start of the sockets' paths and each
/// port their end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Connection {
    shell_port: u32,
    iopub_port: u32,
    stdin_port: u32,
    control_port: u32,
    hb_port: u32,
    ip: String,
    pub key: String,
    transport: Transport,
    signature_scheme: String,
    kernel_name: String,
}

impl Connection {
    /// Makes one: over ipc beside `file` if that is wanted and its path is short enough, else over TCP.
    pub fn new(file: &Path, transport: Transport, key: String, kernel_name: &str) -> io::Result<Self> {
        let ip = file.with_extension("").display().to_string();
        let ipc = transport == Transport::Ipc && ip.len() <= LONGEST_SOCKET;
        let [shell_port, iopub_port, stdin_port, control_port, hb_port] =
            if ipc { [1, 2, 3, 4, 5] } else { free_ports()? };
        Ok(Self {
            shell_port,
            iopub_port,
            stdin_port,
            control_port,
            hb_port,
            ip: if ipc { ip } else { "127.0.0.1".to_owned() },
            key,
            transport: if ipc { Transport::Ipc } else { Transport::Tcp },
            signature_scheme: "hmac-sha256".to_owned(),
            kernel_name: kernel_name.to_owned(),
        })
    }

    /// Writes it, for its owner alone.
    pub fn write(&self, file: &Path) -> Result<(), KernelError> {
        let folder = file.parent().unwrap_or(Path::new("/"));
        let text = serde_json::to_string_pretty(self).expect("it serialises to JSON");
        let written = private_folder(folder).and_then(|()| {
            let mut open = fs::OpenOptions::new();
            open.write(true).create_new(true).mode(0o600).open(file)?.write_all(text.as_bytes())
        });
        written.map_err(|error| KernelError::io("write", file, &error))
    }

    /// Reads one.
    #[expect(clippy::disallowed_methods, reason = "a kernel's connection file is this crate's")]
    pub fn read(file: &Path) -> Result<Self, KernelError> {
        let bytes = fs::read(file).map_err(|_| KernelError::Gone)?;
        serde_json::from_slice(&bytes).map_err(|error| KernelError::io("read", file, &error))
    }

    /// Where a channel is.
    pub fn endpoint(&self, channel: Channel) -> String {
        let port = self.port(channel);
        match self.transport {
            Transport::Tcp => format!("tcp://{}:{port}", self.ip),
            Transport::Ipc => format!("ipc://{}-{port}", self.ip),
        }
    }

    /// The socket of a channel, if it is a file.
    pub fn socket(&self, channel: Channel) -> Option<PathBuf> {
        (self.transport == Transport::Ipc).then(|| format!("{}-{}", self.ip, self.port(channel)).into())
    }

    fn port(&self, channel: Channel) -> u32 {
        match channel {
            Channel::Shell => self.shell_port,
            Channel::Output => self.iopub_port,
            Channel::Input => self.stdin_port,
            Channel::Control => self.control_port,
            Channel::Heartbeat => self.hb_port,
        }
    }
}

/// Makes a folder for its owner alone; one that is there stays as it is.
fn private_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Five ports that nobody listens on. Held together while they are looked for, so that they differ.
fn free_ports() -> io::Result<[u32; 5]> {
    let listeners = (0..5).map(|_| TcpListener::bind("127.0.0.1:0")).collect::<io::Result<Vec<_>>>()?;
    let mut ports = [0; 5];
    for (port, listener) in ports.iter_mut().zip(&listeners) {
        *port = u32::from(listener.local_addr()?.port());
    }
    Ok(ports)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn the_file_is_jupyters_and_nobody_elses() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("runtime/kernel-1.json");
        let connection = Connection::new(&file, Transport::Ipc, "k".into(), "python3").unwrap();
        connection.write(&file).unwrap();
        assert_eq!(Connection::read(&file).unwrap(), connection);
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
        let prefix = file.with_extension("");
        assert_eq!(connection.endpoint(Channel::Shell), format!("ipc://{}-1", prefix.display()));
        assert!(connection.write(&file).is_err(), "one that is there is another's");
    }

    #[test]
    fn a_path_that_is_too_long_for_a_socket_gives_way_to_tcp() {
        let file = PathBuf::from(format!("/{}/kernel-1.json", "x".repeat(100)));
        let connection = Connection::new(&file, Transport::Ipc, "k".into(), "x").unwrap();
        assert!(connection.endpoint(Channel::Control).starts_with("tcp://127.0.0.1:"));
        assert_eq!(connection.socket(Channel::Control), None);
    }
}
