//! `guest.remove`: the owner sends a guest away, at once and for good.

use aside_core::{
    Assessment, EffectScope, Failure, Observation, Person, Place, Preview, PreviewBody, Risk, UndoSupport,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_people::People;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{check_person, object, rows};

/// Arguments of `guest.remove`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RemoveGuest {
    /// The guest's id or name.
    guest: String,
}

/// `guest.remove`.
pub(crate) struct Remove {
    pub(super) people: People,
}

impl Action for Remove {
    type Args = RemoveGuest;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "guest.remove",
            summary: "Remove a guest",
            description: "Ends a guest’s link immediately and for good, and closes their windows. Their words in chats \
                stay. Only the user can request this.",
            preconditions: &["the user requests it", "the guest may come in"],
            effect: EffectScope::Account,
            risks: [Risk::Access].into(),
            place: Place::Workspace,
            undo: UndoSupport::None,
            examples: vec![("Send Ben away", json!({"guest": "Ben"}))],
            phrases: &[
                "remove the guest",
                "revoke the guest link",
                "send the guest away",
                "remove the guest {guest:word}",
                "revoke the guest link of {guest:word}",
            ],
            tags: &["guest", "remove", "revoke", "link", "people", "access"],
            safety: &["A removed guest can't come back by their old link; invite them again instead."],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &RemoveGuest) -> Result<Assessment, Failure> {
        check_person(&context.origin)?;
        Ok(Assessment { targets: vec![object(&self.meant(args)?)], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &RemoveGuest) -> Result<Preview, Failure> {
        let guest = self.meant(args)?;
        let summary = format!("Remove the guest {}", guest.name);
        Ok(Preview { body: PreviewBody::Changes { rows: rows(&guest.name, false) }, ..Preview::summary(summary) })
    }

    async fn run(&self, _context: &ActionContext, args: &RemoveGuest) -> Result<Run, Failure> {
        let guest = self.people.remove(&self.meant(args)?.id).map_err(|error| error.failure())?;
        let observation = Observation::with(format!("removed the guest {}", guest.name), json!({ "id": guest.id }));
        Ok(Run { observation, inverse: None, changed: vec![object(&guest)] })
    }
}

impl Remove {
    fn meant(&self, args: &RemoveGuest) -> Result<Person, Failure> {
        let wanted = args.guest.trim();
        let mut people = self.people.list().map_err(|error| error.failure())?.into_iter();
        let is_meant = |person: &Person| person.id.as_str() == wanted || person.name == wanted;
        match people.find(|person| is_meant(person)) {
            Some(person) if person.owner => {
                Err(Failure::new("invalid_args", "the owner of the workspace can't be removed"))
            }
            Some(person) => Ok(person),
            None => Err(Failure::new("not_found", format!("there is no guest “{wanted}”"))
                .hint("*People* lists the guests who may come in")),
        }
    }
}
