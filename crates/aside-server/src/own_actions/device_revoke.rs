//! `device.revoke`: signs a browser out.

use std::sync::Arc;

use aside_core::{Assessment, DeviceId, EffectScope, Failure, Observation, Place, Preview, Risk, UndoSupport};
use aside_gate::{Action, ActionContext, Declaration, Run};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{check_person, object};
use crate::{access::Access, app::blocking};

/// Arguments of `device.revoke`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RevokeArgs {
    /// The browser's id, as the page *Access tokens* lists it.
    device: String,
}

/// `device.revoke`.
pub(crate) struct DeviceRevoke {
    pub(super) access: Arc<Access>,
}

impl Action for DeviceRevoke {
    type Args = RevokeArgs;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "device.revoke",
            summary: "Sign a browser out",
            description: "Ends the session of a signed-in browser at once, in every workspace. It needs a new link to \
                sign in again. Only the user can request this.",
            preconditions: &["the user requests it", "the browser is signed in"],
            effect: EffectScope::Account,
            risks: [Risk::Access].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("Sign a browser out", json!({"device": "dev_01kahz8v9k0000000000000000"}))],
            phrases: &["sign out a browser", "sign that device out"],
            tags: &["device", "browser", "session", "sign out", "revoke", "access"],
            safety: &["Signing out the browser at hand closes this session."],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &RevokeArgs) -> Result<Assessment, Failure> {
        check_person(&context.origin)?;
        let device = args.device()?;
        self.name(&device, context).await?;
        Ok(Assessment { targets: vec![object("device", device)], ..Assessment::default() })
    }

    async fn preview(&self, context: &ActionContext, args: &RevokeArgs) -> Result<Preview, Failure> {
        Ok(Preview::summary(format!("Sign out {}", self.name(&args.device()?, context).await?)))
    }

    async fn run(&self, context: &ActionContext, args: &RevokeArgs) -> Result<Run, Failure> {
        let device = args.device()?;
        let name = self.name(&device, context).await?;
        let (access, gone) = (self.access.clone(), device.clone());
        if !blocking(move || access.devices.revoke(&gone)).await?? {
            return Err(unknown(&device));
        }
        Ok(Run {
            observation: Observation::text(format!("signed out {name}")),
            inverse: None,
            changed: vec![object("device", device)],
        })
    }
}

impl DeviceRevoke {
    /// Returns the name of a browser that is signed in.
    async fn name(&self, device: &DeviceId, context: &ActionContext) -> Result<String, Failure> {
        let (access, now) = (self.access.clone(), context.now);
        let devices = blocking(move || access.devices.list(now)).await?;
        let found = devices.into_iter().find(|one| one.id == *device);
        found.map(|device| device.name).ok_or_else(|| unknown(device))
    }
}

impl RevokeArgs {
    fn device(&self) -> Result<DeviceId, Failure> {
        self.device.parse().map_err(|error| Failure::new("invalid_args", format!("{error}")))
    }
}

fn unknown(device: &DeviceId) -> Failure {
    Failure::new("not_found", format!("there is no signed-in browser {device}"))
}
