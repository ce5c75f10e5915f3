//! `people`: who may come in, who is here, and the links of guests.

use std::sync::Arc;

use aside_core::{Failure, Person, PersonId};
use aside_macros::boxed;
use aside_people::GUEST_PREFIX;
use aside_protocol::{InvitePerson, Invited, PersonHere};
use axum::{Json, extract::State};

use crate::{
    access::Secret,
    app::App,
    problem::{Body, Named, Problem},
};

/// Lists who may come in, the owner first.
#[boxed]
pub async fn list(State(app): State<Arc<App>>) -> Result<Json<Vec<PersonHere>>, Problem> {
    let people = app.access.people.list()?.into_iter();
    Ok(Json(people.map(|person| PersonHere { here: app.presence.is_here(&person.id), person }).collect()))
}

/// Lets a guest in.
#[boxed]
pub async fn invite(State(app): State<Arc<App>>, Body(body): Body<InvitePerson>) -> Result<Json<Invited>, Problem> {
    let random =
        Secret::random_token().map_err(|error| Failure::new("io", format!("cannot create a link: {error}")))?;
    let token = format!("{GUEST_PREFIX}{random}");
    let person = app.access.people.invite(&body.name, &token)?;
    Ok(Json(Invited { person, token }))
}

/// Sends a guest away, at once and for ever.
#[boxed]
pub async fn remove(State(app): State<Arc<App>>, Named(id): Named<PersonId>) -> Result<Json<Person>, Problem> {
    Ok(Json(app.access.people.remove(&id)?))
}
