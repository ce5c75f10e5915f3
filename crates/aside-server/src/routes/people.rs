//! `people`: who may come in, who is here, and the links of guests. Guests are invited by the action `guest.invite`, and
//! come in by the link that is made here once.

use std::sync::Arc;

use aside_core::{Failure, Person, PersonId};
use aside_macros::boxed;
use aside_people::GUEST_PREFIX;
use aside_protocol::{GuestLink, PersonHere, RenamePerson};
use axum::{Extension, Json, extract::State};
use serde_json::json;

use super::grants::ordered;
use crate::{
    access::{Secret, Shown},
    app::{App, blocking},
    problem::{Body, Named, Problem},
};

/// Lists who may come in, the owner first.
#[boxed]
pub async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<PersonHere>>, Problem> {
    let people = app.access.people.list()?.into_iter();
    Ok(Json(people.map(|person| PersonHere { here: app.presence.is_here(&person.id), person }).collect()))
}

/// Makes the link of a guest who was invited, once.
#[boxed]
pub async fn link(State(app): State<Arc<App>>, Named(id): Named<PersonId>) -> Result<Json<GuestLink>, Problem> {
    let random =
        Secret::random_token().map_err(|error| Failure::new("io", format!("cannot create a link: {error}")))?;
    let token = format!("{GUEST_PREFIX}{random}");
    let person = app.access.people.hand_out(&id, &token)?;
    Ok(Json(GuestLink { person, token }))
}

/// Sends a guest away, at once and for ever. The page has asked already.
#[boxed]
pub async fn remove(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Named(id): Named<PersonId>,
) -> Result<Json<Person>, Problem> {
    let person = app.access.people.get(&id)?;
    ordered(&app, shown, "guest.remove", json!({ "guest": id })).await?;
    Ok(Json(person))
}

/// Changes one's own name, as everybody reads it.
#[boxed]
pub async fn rename(
    State(app): State<Arc<App>>,
    Extension(shown): Extension<Shown>,
    Body(body): Body<RenamePerson>,
) -> Result<Json<Person>, Problem> {
    let person = app.access.people.rename(&app.person(&shown).id, &body.name)?;
    if person.owner {
        let (app, name) = (app.clone(), person.name.clone());
        blocking(move || app.profile.keep_name(&name)).await??;
    }
    Ok(Json(person))
}
