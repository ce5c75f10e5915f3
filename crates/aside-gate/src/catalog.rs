//! All actions: found by name for the Gate, by words for people and models.

mod index;

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, OnceLock, PoisonError, RwLock, Weak},
};

use aside_core::{ActionName, Descriptor, Grant, Timestamp};
use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use self::index::Index;
pub use self::index::Query;
use crate::{ContentLabels, Handler};

/// Bytes of a compiled pattern of a schema.
const MOST_OF_A_PATTERN: usize = 1 << 20;
/// Times that the search for a pattern steps back in one text.
const MOST_STEPS_BACK: usize = 20_000;

/// A mistake in the declaration of an action.
#[derive(Debug, thiserror::Error)]
pub enum CatalogError {
    /// Two actions have one name.
    #[error("two actions are named {0}")]
    Duplicate(ActionName),
    /// Policy could not rule on it.
    #[error("{0} declares no risk; a read-only action declares `read`")]
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
    #[error("the example `{title}` of {name} does not match its schema: {problem}")]
    Example {
        /// The action.
        name: ActionName,
        /// The example.
        title: String,
        /// What is wrong.
        problem: String,
    },
}

/// An action that can be asked for.
#[derive(Clone)]
pub(crate) struct Entry {
    descriptor: Arc<Descriptor>,
    pub(crate) handler: Arc<dyn Handler>,
    /// Made by the first call: most actions are never asked for between one start and the next.
    validator: Arc<OnceLock<Result<Validator, String>>>,
}

impl Entry {
    /// Returns the judge of arguments, or why the schema is none.
    pub(crate) fn validator(&self) -> Result<&Validator, CatalogError> {
        let made = self.validator.get_or_init(|| validator(&self.descriptor.args_schema));
        let name = || self.descriptor.name.clone();
        made.as_ref().map_err(|problem| CatalogError::Schema { name: name(), problem: problem.clone() })
    }
}

/// What is in the catalog at one moment.
#[derive(Default)]
struct Contents {
    entries: BTreeMap<ActionName, Entry>,
    /// Made by the first search: a start replaces actions several times.
    index: OnceLock<Index>,
}

impl Contents {
    fn descriptors(&self) -> Vec<Arc<Descriptor>> {
        self.entries.values().map(|entry| entry.descriptor.clone()).collect()
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::new(self.descriptors()))
    }
}

type Shared = RwLock<Arc<Contents>>;

/// All actions with their handlers. Clones are one catalog: what one takes in, all have.
#[derive(Clone, Default)]
pub struct Catalog {
    contents: Arc<Shared>,
    labels: Arc<OnceLock<Arc<dyn ContentLabels>>>,
}

impl fmt::Debug for Catalog {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.now().entries.keys()).finish()
    }
}

impl Catalog {
    /// Builds the catalog from its handlers.
    pub fn new(handlers: impl IntoIterator<Item = Arc<dyn Handler>>) -> Result<Self, CatalogError> {
        let catalog = Self::default();
        catalog.replace(|_| false, handlers)?;
        Ok(catalog)
    }

    /// Builds a catalog some of whose actions look into the catalog itself.
    pub fn with_listing<I>(handlers: impl FnOnce(Listing) -> I) -> Result<Self, CatalogError>
    where
        I: IntoIterator<Item = Arc<dyn Handler>>,
    {
        let catalog = Self::default();
        catalog.replace(|_| false, handlers(catalog.listing()))?;
        Ok(catalog)
    }

    /// Puts some actions in the place of those that are leaving, at once or, if one of them is declared wrongly or
    /// has the name of one that stays, not at all. What is running goes on with the handler it has.
    pub fn replace(
        &self,
        leaving: impl Fn(&ActionName) -> bool,
        coming: impl IntoIterator<Item = Arc<dyn Handler>>,
    ) -> Result<(), CatalogError> {
        let coming: Vec<_> = coming.into_iter().map(|handler| entry(&handler)).collect::<Result<_, _>>()?;
        let mut contents = self.contents.write().unwrap_or_else(PoisonError::into_inner);
        let staying = contents.entries.iter().filter(|(name, _)| !leaving(name));
        let mut entries: BTreeMap<_, _> = staying.map(|(name, entry)| (name.clone(), entry.clone())).collect();
        for entry in coming {
            let name = entry.handler.descriptor().name.clone();
            if entries.insert(name.clone(), entry).is_some() {
                return Err(CatalogError::Duplicate(name));
            }
        }
        *contents = Arc::new(Contents { entries, index: OnceLock::new() });
        Ok(())
    }

    /// Says who keeps the labels of what these actions write. The first one stays.
    pub fn keep_labels(&self, labels: Arc<dyn ContentLabels>) {
        // A second word changes nothing.
        let _ = self.labels.set(labels);
    }

    pub(crate) fn labels(&self) -> Option<&dyn ContentLabels> {
        self.labels.get().map(AsRef::as_ref)
    }

    /// A way to look into this catalog that does not keep it.
    pub fn listing(&self) -> Listing {
        Listing { contents: Arc::downgrade(&self.contents) }
    }

    /// Returns what is known of an action.
    pub fn describe(&self, name: &ActionName) -> Option<Descriptor> {
        self.entry(name).map(|entry| Descriptor::clone(&entry.descriptor))
    }

    /// Returns every descriptor, by name.
    pub fn descriptors(&self) -> Vec<Arc<Descriptor>> {
        self.now().descriptors()
    }

    /// Returns what a grant covers, by name: the tools a model is shown.
    pub fn granted(&self, grant: &Grant, now: Timestamp) -> Vec<Arc<Descriptor>> {
        let mut descriptors = self.descriptors();
        descriptors.retain(|descriptor| grant.covers(&descriptor.name, &descriptor.risks, now));
        descriptors
    }

    /// Returns the actions that fit a query best, best first.
    pub fn search(&self, query: &Query<'_>) -> Vec<Arc<Descriptor>> {
        self.now().index().search(query)
    }

    pub(crate) fn entry(&self, name: &ActionName) -> Option<Entry> {
        self.now().entries.get(name).cloned()
    }

    fn now(&self) -> Arc<Contents> {
        self.contents.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The descriptors alone, for the actions that search and describe the catalog they are in.
/// Empty while the catalog is being built, and after its end.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    contents: Weak<Shared>,
}

impl Listing {
    /// Returns what is known of an action.
    pub fn describe(&self, name: &str) -> Option<Descriptor> {
        self.catalog().describe(&name.parse().ok()?)
    }

    /// See [`Catalog::search`].
    pub fn search(&self, query: &Query<'_>) -> Vec<Arc<Descriptor>> {
        self.catalog().search(query)
    }

    fn catalog(&self) -> Catalog {
        self.contents.upgrade().map(|contents| Catalog { contents, ..Catalog::default() }).unwrap_or_default()
    }
}

fn entry(handler: &Arc<dyn Handler>) -> Result<Entry, CatalogError> {
    let descriptor = handler.descriptor();
    if descriptor.risks.0.is_empty() {
        return Err(CatalogError::NoRisk(descriptor.name.clone()));
    }
    Ok(Entry { descriptor: Arc::new(descriptor.clone()), validator: Arc::default(), handler: handler.clone() })
}

fn validator(schema: &Value) -> Result<Validator, String> {
    // Some schemas are other programs': a pattern costs no more than this, when it is compiled and when it is tried.
    let patterns = PatternOptions::fancy_regex().size_limit(MOST_OF_A_PATTERN).backtrack_limit(MOST_STEPS_BACK);
    jsonschema::options().with_pattern_options(patterns).build(schema).map_err(|error| error.to_string())
}

/// Tells what is wrong with the schema of an action's arguments, if anything is.
pub fn check_schema(schema: &Value) -> Result<(), String> {
    validator(schema).map(drop)
}

/// Returns the first mistake in a schema and its examples. A start does not look for them, so that it takes no longer: tests do.
pub fn check_declaration(descriptor: &Descriptor) -> Result<(), CatalogError> {
    let name = || descriptor.name.clone();
    let validator =
        validator(&descriptor.args_schema).map_err(|problem| CatalogError::Schema { name: name(), problem })?;
    for example in &descriptor.examples {
        if let Err(error) = validator.validate(&example.args) {
            let (title, problem) = (example.title.clone(), format!("at `{}`: {error}", error.instance_path()));
            return Err(CatalogError::Example { name: name(), title, problem });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use aside_core::{Risk, Risks};
    use serde_json::json;

    use super::*;
    use crate::testing::{Declared, catalog};

    #[test]
    fn mistakes_in_declarations_are_found() {
        let build = |declared: Vec<Declared>| Catalog::new(declared.into_iter().map(crate::handler));
        let good = Declared::default;
        assert!(build(vec![good()]).is_ok());
        assert!(matches!(build(vec![good(), good()]), Err(CatalogError::Duplicate(_))));
        let no_risk = Declared { risks: Risks::default(), ..good() };
        assert!(matches!(build(vec![no_risk]), Err(CatalogError::NoRisk(_))));
        let example = Declared { example: json!({ "unknown": 1 }), ..good() };
        let checked = |declared: Declared| check_declaration(crate::handler(declared).descriptor());
        assert!(matches!(checked(example), Err(CatalogError::Example { .. })));
        assert!(checked(good()).is_ok());
    }

    #[test]
    fn a_grant_narrows_what_is_shown() {
        let grant = Grant { risks: [Risk::Read].into(), ..Grant::full("hint mode") };
        let catalog = catalog();
        let names: Vec<_> = catalog.granted(&grant, Timestamp(0)).iter().map(|shown| shown.name.to_string()).collect();
        assert_eq!(names, ["text.read"]);
    }

    #[test]
    fn an_action_can_list_the_catalog_it_is_in() {
        let seen = Mutex::new(Listing::default());
        let catalog = Catalog::with_listing(|listing| {
            *seen.lock().unwrap() = listing;
            vec![crate::handler(Declared::default())]
        });
        let name = catalog.as_ref().unwrap().descriptors()[0].name.to_string();
        assert!(seen.lock().unwrap().describe(&name).is_some());
    }

    #[test]
    fn actions_come_and_go_together_or_not_at_all() {
        let named = |name: &'static str| crate::handler(Declared { name, ..Declared::default() });
        let catalog = Catalog::new([named("text.a"), named("tool.one")]).unwrap();
        let names = || catalog.descriptors().iter().map(|found| found.name.to_string()).collect::<Vec<_>>();
        let tools = |name: &ActionName| name.noun() == "tool";
        catalog.replace(tools, [named("tool.two"), named("tool.three")]).unwrap();
        assert_eq!(names(), ["text.a", "tool.three", "tool.two"]);
        assert!(catalog.replace(tools, [named("tool.four"), named("text.a")]).is_err());
        assert_eq!(names(), ["text.a", "tool.three", "tool.two"]);
    }
}
