//! `guest.invite`: the owner lets a guest in.

use aside_core::{
    ActionRequest, Assessment, EffectScope, Failure, ObjectRef, Observation, Place, Preview, PreviewBody, Risk,
    UndoSupport,
};
use aside_gate::{Action, ActionContext, Declaration, Run};
use aside_people::People;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{check_person, object, rows};

/// Arguments of `guest.invite`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct InviteGuest {
    /// The guest's name, as everybody reads it. The guest can change it.
    name: String,
}

/// `guest.invite`.
pub(crate) struct Invite {
    pub(super) people: People,
}

impl Action for Invite {
    type Args = InviteGuest;

    fn declare(&self) -> Declaration {
        Declaration {
            name: "guest.invite",
            summary: "Invite a guest",
            description: "Lets somebody edit this folder’s documents and chat about them, by a personal link. The link \
                is made after this action, once, and shown only to the user. Only the user can request this.",
            preconditions: &["the user requests it", "no other person has this name"],
            effect: EffectScope::Account,
            risks: [Risk::Access].into(),
            place: Place::Workspace,
            undo: UndoSupport::Inverse,
            examples: vec![("Let Ben in", json!({"name": "Ben"}))],
            phrases: &[
                "invite a guest",
                "make a guest link",
                "add a collaborator to this workspace",
                "let somebody edit with me",
                "invite {name:word} as [a|an] (guest|collaborator)",
                "add {name:word} as [a|an] (guest|collaborator)",
                "make a guest link for {name:word}",
            ],
            tags: &["guest", "invite", "link", "people", "access", "share"],
            safety: &["A guest reads and edits every file that is not private until you remove them."],
        }
    }

    async fn assess(&self, context: &ActionContext, args: &InviteGuest) -> Result<Assessment, Failure> {
        check_person(&context.origin)?;
        let name = self.people.check_invitation(&args.name).map_err(|error| error.failure())?;
        let guest = ObjectRef { kind: "person".to_owned(), id: name };
        Ok(Assessment { targets: vec![guest], ..Assessment::default() })
    }

    async fn preview(&self, _context: &ActionContext, args: &InviteGuest) -> Result<Preview, Failure> {
        let name = self.people.check_invitation(&args.name).map_err(|error| error.failure())?;
        let summary = format!("Let {name} in as a guest");
        Ok(Preview { body: PreviewBody::Changes { rows: rows(&name, true) }, ..Preview::summary(summary) })
    }

    async fn run(&self, _context: &ActionContext, args: &InviteGuest) -> Result<Run, Failure> {
        let guest = self.people.invite(&args.name).map_err(|error| error.failure())?;
        let words = format!("{} can come in as a guest", guest.name);
        let remove = "guest.remove".parse().expect("our action names are well formed");
        let inverse = Some(ActionRequest::new(remove, json!({ "guest": guest.id })));
        let observation = Observation::with(words, json!({ "id": guest.id }));
        Ok(Run { observation, inverse, changed: vec![object(&guest)] })
    }
}
