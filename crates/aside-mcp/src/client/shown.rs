//! How a person is shown what is started or reached.

use std::path::Path;

use aside_core::{ChangeRow, McpLaunch, PreviewBody, SandboxLevel, harmless};

use super::launch;

/// What a launch does, whole. `own` is the folder it runs in if it names none.
pub(crate) fn body(launch: McpLaunch, own: &Path, workspace: &Path) -> PreviewBody {
    let notes = launch::notes(&launch, workspace);
    match launch {
        McpLaunch::Program { argv, cwd, environment, inherit } => {
            let open = environment.iter().map(|(name, value)| format!("{name}={}", harmless(value)));
            PreviewBody::Command {
                argv: argv.iter().map(|word| harmless(word).into_owned()).collect(),
                cwd: cwd.unwrap_or_else(|| own.display().to_string()),
                network: true,
                sandbox: SandboxLevel::None,
                environment: open.chain(inherit).collect(),
                notes,
            }
        }
        McpLaunch::Http { url, headers } => {
            let row = |object: String, after: String| ChangeRow { object, before: None, after: Some(after) };
            let address = row("address".to_owned(), harmless(&url).into_owned());
            let headers = headers.into_iter().map(|(header, variable)| row(header, format!("the value of {variable}")));
            let notes = notes.into_iter().map(|note| row("note".to_owned(), note));
            PreviewBody::Changes { rows: [address].into_iter().chain(headers).chain(notes).collect() }
        }
    }
}
