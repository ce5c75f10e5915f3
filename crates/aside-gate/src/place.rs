//! The place of a script against the places of an action.
//!
//! ```text
//! script \ action   browser        workspace     host          hub
//! browser           yes            yes           yes           wrong_place
//! workspace         by the window  yes           yes           wrong_place
//! host              wrong_place    yes           yes           wrong_place
//! hub               wrong_place    wrong_place   wrong_place   yes
//! ```

use aside_core::{Descriptor, Failure, Origin, Place};

use crate::intake::Refusal;

/// Refuses a script's call of an action that can't be reached from the script's place.
pub(crate) fn check_place(origin: &Origin, descriptor: &Descriptor) -> Result<(), Box<Refusal>> {
    let Origin::Script { place, .. } = origin else { return Ok(()) };
    reached_from(*place, descriptor).map_err(|failure| Refusal::request("request/place", failure))
}

/// Tells why a script in a place can't reach an action.
pub fn reached_from(script: Place, descriptor: &Descriptor) -> Result<(), Failure> {
    if descriptor.places.iter().any(|of_action| reaches(script, *of_action)) {
        return Ok(());
    }
    let places: Vec<_> = descriptor.places.iter().map(|place| word(*place)).collect();
    let (name, places) = (&descriptor.name, places.join(" or "));
    let message = format!("`{name}` runs in the {places}, and a script in the {} can't reach it", word(script));
    Err(Failure::new("wrong_place", message).hint("Run the script in the workspace."))
}

fn reaches(script: Place, action: Place) -> bool {
    match (script, action) {
        (Place::Hub, Place::Hub) => true,
        (Place::Hub, _) | (_, Place::Hub) | (Place::Host, Place::Browser) => false,
        (Place::Browser | Place::Workspace | Place::Host, Place::Browser | Place::Workspace | Place::Host) => true,
    }
}

fn word(place: Place) -> &'static str {
    match place {
        Place::Browser => "browser",
        Place::Workspace => "workspace",
        Place::Host => "host",
        Place::Hub => "hub",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hub_and_host_reach_no_window() {
        for script in [Place::Browser, Place::Workspace] {
            assert!(reaches(script, Place::Browser) && reaches(script, Place::Workspace));
        }
        assert!(!reaches(Place::Host, Place::Browser) && reaches(Place::Host, Place::Workspace));
        for action in [Place::Browser, Place::Workspace, Place::Host] {
            assert!(!reaches(Place::Hub, action) && !reaches(action, Place::Hub));
        }
    }
}
