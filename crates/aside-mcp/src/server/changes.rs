//! Telling clients that their list of tools is another one: what is left of a grant follows how far AI goes. What ends with
//! its grant is closed by whoever mounts the address.

use std::{convert::Infallible, time::Duration};

use aside_core::AssistantState;
use rmcp::{Peer, RoleServer};
use tokio::{sync::watch, time::sleep};

use super::{Caller, Server};

/// How often it is looked whether a client is still there.
const LOOK_EVERY: Duration = Duration::from_secs(30);

/// What one client is shown, watched.
pub(super) struct Shown {
    server: Server,
    caller: Caller,
    assistant: watch::Receiver<AssistantState>,
    names: Vec<String>,
}

impl Shown {
    /// What a client is shown from now on.
    pub(super) fn new(server: &Server, caller: Caller) -> Self {
        let (server, assistant) = (server.clone(), server.gate.assistant_changes());
        let names = names(&server, &caller);
        Self { server, caller, assistant, names }
    }

    /// Returns when that is something else; an error when nothing changes any more.
    pub(super) async fn changed(&mut self) -> Result<(), watch::error::RecvError> {
        loop {
            self.assistant.changed().await?;
            let now = names(&self.server, &self.caller);
            if std::mem::replace(&mut self.names, now) != self.names {
                return Ok(());
            }
        }
    }

    /// Tells a client in a session of its own, for as long as it is there.
    pub(super) async fn tell(mut self, client: Peer<RoleServer>) {
        // What goes wrong is its end.
        let Err(Gone) = self.tell_on(&client).await;
    }

    async fn tell_on(&mut self, client: &Peer<RoleServer>) -> Result<Infallible, Gone> {
        loop {
            tokio::select! {
                changed = self.changed() => {
                    changed.map_err(|_| Gone)?;
                    client.notify_tool_list_changed().await.map_err(|_| Gone)?;
                }
                () = sleep(LOOK_EVERY) => if client.is_transport_closed() { return Err(Gone) },
            }
        }
    }
}

/// The client, or the Gate.
struct Gone;

fn names(server: &Server, caller: &Caller) -> Vec<String> {
    server.tools(caller).shown().into_iter().map(|tool| tool.name.into_owned()).collect()
}
