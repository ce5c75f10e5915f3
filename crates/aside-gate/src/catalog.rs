//! All actions: found by name for the Gate, by words for people and models.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, PoisonError, RwLock},
};

use aside_core::{ActionName, Descriptor, Grant, Timestamp};
use jsonschema::Validator;

use crate::{Handler, search};

/// A mistake in the declaration of an action, found by the first test that builds the catalog.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// Two actions have one name.
    #[error("two actions are called {0}")]
    Duplicate(ActionName),
    /// Policy could not rule on it.
    #[error("{0} declares no risk; an action that only looks declares `read`")]
    NoRisk(ActionName),
    /// The schema of the arguments is not a schema.
    #[error("the schema of {name} is not valid: {problem}")]
    Schema {
        /// The action.
        name: ActionName,
        /// What is wrong.
        problem: String,
    },
    /// An example does not fit the schema.
    #[error("the example `{title}` of {name} does not fit its schema: {problem}")]
    Example {
        /// The action.
        name: ActionName,
        /// The example.
        title: String,
        /// What is wrong.
        problem: String,
    },
}

pub(crate) struct Entry {
    pub(crate) handler: Arc<dyn Handler>,
    pub(crate) validator: Validator,
}

/// All actions with their handlers, as they are at one moment. Cheap to clone; what is added or taken out makes another.
#[derive(Clone, Default)]
pub struct Catalog {
    entries: Arc<BTreeMap<ActionName, Arc<Entry>>>,
    listing: Listing,
}

impl fmt::Debug for Catalog {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.entries.keys()).finish()
    }
}

impl Catalog {
    /// Builds the catalog from its handlers.
    pub fn new(handlers: impl IntoIterator<Item = Arc<dyn Handler>>) -> Result<Self, CatalogError> {
        Self::default().with(handlers)
    }

    /// Returns a catalog with more actions.
    pub fn with(&self, handlers: impl IntoIterator<Item = Arc<dyn Handler>>) -> Result<Self, CatalogError> {
        let mut entries = (*self.entries).clone();
        for handler in handlers {
            let name = handler.descriptor().name.clone();
            let entry = Arc::new(entry(handler)?);
            if entries.insert(name.clone(), entry).is_some() {
                return Err(CatalogError::Duplicate(name));
            }
        }
        Ok(Self { entries: Arc::new(entries), listing: self.listing.clone() })
    }

    /// Returns a catalog with only the actions that stay.
    pub fn keeping(&self, stays: impl Fn(&ActionName) -> bool) -> Self {
        let kept = self.entries.iter().filter(|(name, _)| stays(name));
        let entries = kept.map(|(name, entry)| (name.clone(), Arc::clone(entry))).collect();
        Self { entries: Arc::new(entries), listing: self.listing.clone() }
    }

    /// Builds a catalog some of whose actions look into the catalog itself.
    pub fn with_listing<I>(handlers: impl FnOnce(Listing) -> I) -> Result<Self, CatalogError>
    where
        I: IntoIterator<Item = Arc<dyn Handler>>,
    {
        let listing = Listing::default();
        let catalog = Self { listing: listing.clone(), ..Self::default() }.with(handlers(listing))?;
        catalog.list();
        Ok(catalog)
    }

    /// Makes this the catalog that its own actions look into.
    pub(crate) fn list(&self) {
        let descriptors: Vec<_> = self.descriptors().cloned().collect();
        *self.listing.descriptors.write().unwrap_or_else(PoisonError::into_inner) = descriptors.into();
    }

    /// Returns what is known of an action.
    pub fn describe(&self, name: &ActionName) -> Option<&Descriptor> {
        self.entries.get(name).map(|entry| entry.handler.descriptor())
    }

    /// Returns every descriptor, by name.
    pub fn descriptors(&self) -> impl Iterator<Item = &Descriptor> {
        self.entries.values().map(|entry| entry.handler.descriptor())
    }

    /// Returns what a grant covers, by name: the tools a model is shown.
    pub fn granted(&self, grant: &Grant, now: Timestamp) -> impl Iterator<Item = &Descriptor> {
        self.descriptors().filter(move |descriptor| grant.covers(&descriptor.name, &descriptor.risks, now))
    }

    /// Returns the best actions for some words, best first; all by name if there are no words.
    pub fn search(&self, query: &str, limit: usize) -> Vec<&Descriptor> {
        search::search(self.descriptors(), query, limit)
    }

    pub(crate) fn entry(&self, name: &ActionName) -> Option<&Entry> {
        self.entries.get(name).map(|entry| &**entry)
    }
}

/// The descriptors alone, for the actions that search and describe the catalog they are in.
/// Empty until the catalog is built.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    descriptors: Arc<RwLock<Arc<[Descriptor]>>>,
}

impl Listing {
    /// Returns every descriptor, by name, as they are now.
    pub fn descriptors(&self) -> Arc<[Descriptor]> {
        Arc::clone(&self.descriptors.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns what is known of an action.
    pub fn describe(&self, name: &str) -> Option<Descriptor> {
        self.descriptors().iter().find(|descriptor| descriptor.name.as_str() == name).cloned()
    }

    /// See [`Catalog::search`].
    pub fn search(&self, query: &str, limit: usize) -> Vec<Descriptor> {
        search::search(self.descriptors().iter(), query, limit).into_iter().cloned().collect()
    }
}

fn entry(handler: Arc<dyn Handler>) -> Result<Entry, CatalogError> {
    let descriptor = handler.descriptor();
    let name = || descriptor.name.clone();
    if descriptor.risks.0.is_empty() {
        return Err(CatalogError::NoRisk(name()));
    }
    let validator = jsonschema::validator_for(&descriptor.args_schema)
        .map_err(|error| CatalogError::Schema { name: name(), problem: error.to_string() })?;
    for example in &descriptor.examples {
        if let Err(error) = validator.validate(&example.args) {
            let (title, problem) = (example.title.clone(), format!("at `{}`: {error}", error.instance_path()));
            return Err(CatalogError::Example { name: name(), title, problem });
        }
    }
    Ok(Entry { validator, handler })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use aside_core::{Risk, Risks};
    use serde_json::json;

    use super::*;
    use crate::testing::{Declared, catalog};

    #[test]
    fn mistakes_in_declarations_are_found_when_it_is_built() {
        let build = |declared: Vec<Declared>| Catalog::new(declared.into_iter().map(crate::handler));
        let good = Declared::default;
        assert!(build(vec![good()]).is_ok());
        assert!(matches!(build(vec![good(), good()]), Err(CatalogError::Duplicate(_))));
        let no_risk = Declared { risks: Risks::default(), ..good() };
        assert!(matches!(build(vec![no_risk]), Err(CatalogError::NoRisk(_))));
        let example = Declared { example: json!({ "unknown": 1 }), ..good() };
        assert!(matches!(build(vec![example]), Err(CatalogError::Example { .. })));
    }

    #[test]
    fn a_grant_narrows_what_is_shown() {
        let grant = Grant { risks: [Risk::Read].into(), ..Grant::full("hint mode") };
        let catalog = catalog();
        let names: Vec<_> = catalog.granted(&grant, Timestamp(0)).map(|shown| shown.name.to_string()).collect();
        assert_eq!(names, ["text.read"]);
    }

    #[test]
    fn actions_come_and_go_and_a_catalog_in_use_stays_as_it_was() {
        let one = catalog();
        let more = one.with([crate::handler(Declared::default())]).unwrap();
        assert_eq!(more.descriptors().count(), one.descriptors().count() + 1);
        assert!(matches!(more.with([crate::handler(Declared::default())]), Err(CatalogError::Duplicate(_))));
        let less = more.keeping(|name| name.noun() != "text");
        assert!(less.descriptors().all(|left| left.name.noun() != "text"));
        assert!(more.descriptors().any(|left| left.name.noun() == "text"));
    }

    #[test]
    fn an_action_can_list_the_catalog_it_is_in() {
        let seen = Mutex::new(Listing::default());
        let catalog = Catalog::with_listing(|listing| {
            *seen.lock().unwrap() = listing;
            vec![crate::handler(Declared::default())]
        });
        let name = catalog.unwrap().descriptors().next().unwrap().name.to_string();
        assert!(seen.lock().unwrap().describe(&name).is_some());
    }
}
