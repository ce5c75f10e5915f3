//! How to serve.

use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv4Addr},
    path::PathBuf,
};

use aside_core::{AiLevel, AiRestriction, ModelRef, Secrets};
use aside_kernels::{MOST_OUTPUT, output_limit};
use aside_llm::Environment;
use aside_store::DataFolder;
use aside_workspace::Keyring;

use crate::{
    access::AllowedHost,
    base_path::BasePath,
    known_secrets::known_secrets,
    ui::{Ui, no_ui},
};

/// What a server is told when it starts.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The folder to open.
    pub workspace: PathBuf,
    /// The address to listen on; another than loopback needs `token`.
    pub host: IpAddr,
    /// Names of tunnels and proxies that lead here.
    pub allow_hosts: Vec<AllowedHost>,
    /// The port; 0 for any, absent for the one that the workspace had last, else the usual one.
    pub port: Option<u16>,
    /// The secret; made by chance if absent.
    pub token: Option<String>,
    /// The path below which everything is served.
    pub base_path: BasePath,
    /// The model that threads use unless they name one.
    pub model: Option<ModelRef>,
    /// Where to look for models.
    pub environment: Environment,
    /// Who the person is, for logs and audit.
    pub user: String,
    /// The person's own folder, with their policy; without one nothing is remembered beyond a workspace.
    pub data_folder: Option<DataFolder>,
    /// The organisation's policy.
    pub organisation_policy: PathBuf,
    /// How far AI goes at most, whatever files say.
    pub assistant: Option<AiRestriction>,
    /// No other machine is reached, whatever the person's settings say.
    pub local_only: bool,
    /// Bytes of outputs above which a run of a cell waits for the person.
    pub cell_output: usize,
    /// Where keys are kept; in a file if there is none.
    pub keyring: Option<Keyring>,
    /// What never gets into the audit.
    pub secrets: Secrets,
    /// The files of the user interface; none where nobody opens a page.
    pub ui: Ui,
    /// The environment by which the logs of other AI programs are found; none: they are not looked for.
    pub logs: Option<BTreeMap<String, String>>,
}

impl ServeOptions {
    /// Serves a folder on loopback, with what the process's environment says.
    pub fn new(workspace: impl Into<PathBuf>) -> Self {
        let read = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self {
            workspace: workspace.into(),
            host: Ipv4Addr::LOCALHOST.into(),
            allow_hosts: Vec::new(),
            port: None,
            token: read("ASIDE_TOKEN"),
            base_path: BasePath::default(),
            model: None,
            environment: Environment::from_process(),
            data_folder: DataFolder::from_environment(read),
            organisation_policy: "/etc/aside/policy.toml".into(),
            assistant: read("ASIDE_AI").map(|text| {
                text.parse().unwrap_or_else(|error| {
                    tracing::error!("ASIDE_AI: {error}; AI is off until this is fixed");
                    AiRestriction::always(AiLevel::Off)
                })
            }),
            local_only: read("ASIDE_LOCAL_ONLY").is_some_and(|value| value != "0"),
            cell_output: read("ASIDE_CELL_OUTPUT").map_or(MOST_OUTPUT, |text| {
                output_limit(&text).unwrap_or_else(|error| {
                    tracing::error!("ASIDE_CELL_OUTPUT: {error}; {} apply until this is fixed", MOST_OUTPUT >> 20);
                    MOST_OUTPUT
                })
            }),
            keyring: Keyring::find(),
            secrets: known_secrets(),
            ui: no_ui,
            logs: Some(
                std::env::vars_os()
                    .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
                    .collect(),
            ),
            user: read("USER").or_else(|| read("LOGNAME")).or_else(account).unwrap_or_else(|| "you".to_owned()),
        }
    }
}

/// Returns the name of this account where no variable has it, as in containers and services.
#[expect(clippy::disallowed_methods, reason = "the system's list of accounts, read once at the start")]
fn account() -> Option<String> {
    name_of(rustix::process::getuid().as_raw(), &std::fs::read_to_string("/etc/passwd").ok()?)
}

fn name_of(user: u32, accounts: &str) -> Option<String> {
    let mut names = accounts.lines().filter_map(|line| {
        let mut fields = line.split(':');
        let (name, id) = (fields.next()?, fields.nth(1)?);
        (id.parse() == Ok(user)).then(|| name.to_owned())
    });
    names.find(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn account_has_a_name_without_variables() {
        let accounts = "root:x:0:0:root:/root:/bin/bash\nbroken\nada:x:1000:1000:Ada:/home/ada:/bin/sh\n";
        assert_eq!(name_of(1000, accounts).as_deref(), Some("ada"));
        assert_eq!(name_of(7, accounts), None);
    }
}
