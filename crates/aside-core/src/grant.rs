//! What an origin may do. Grants only narrow; they are checked in the tool list and at the Gate.

use crate::TS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ActionGroup, ActionName, ActionPattern, GrantId, ObjectRef, PathGlob, Risks, Timestamp, WorkspacePath};

/// The kind of an object that is a grant.
pub const GRANT_KIND: &str = "grant";

/// A subset of actions, risks and paths, with an end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Grant {
    /// Its id, if it is a stored one; a person's own and an agent's profile have none.
    #[serde(default)]
    pub id: Option<GrantId>,
    /// The stored grants that it was narrowed from; it ends with any of them.
    #[serde(default)]
    pub within: Vec<GrantId>,
    /// Who or what holds it, for messages: "Coding Agent", "hint mode".
    pub name: String,
    /// The actions; all if absent.
    #[ts(optional)]
    pub actions: Option<Vec<ActionPattern>>,
    /// Groups of actions that are turned off.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<ActionGroup>>", optional)]
    pub without: Vec<ActionGroup>,
    /// The classes of risk.
    pub risks: Risks,
    /// Where: every file that is touched has to be covered by some pattern of each list. No list: anywhere.
    #[serde(default)]
    pub paths: Vec<Vec<PathGlob>>,
    /// When it ends.
    #[ts(optional)]
    pub expires: Option<Timestamp>,
}

/// The limits of a grant. An absent field sets no limit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GrantLimits {
    /// Only these actions: `doc.edit`, or `doc.*` for all of a noun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub actions: Option<Vec<ActionPattern>>,
    /// Only these classes of risk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub risks: Option<Risks>,
    /// Only files under these patterns: `src/**`, `notes/*.md`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub paths: Option<Vec<PathGlob>>,
    /// The expiry; milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub expires: Option<Timestamp>,
}

/// Which grant something was done under, for records and the audit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct GrantRef {
    /// Its id, if it is a stored one.
    pub id: Option<GrantId>,
    /// Its name.
    pub name: String,
    /// The stored grants that it was narrowed from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<GrantId>>", optional)]
    pub within: Vec<GrantId>,
}

impl Grant {
    /// Everything, for a person's own requests.
    pub fn full(name: impl Into<String>) -> Self {
        Self::limited(name, GrantLimits::default())
    }

    /// Only the named actions, any risk.
    ///
    /// # Panics
    /// If a name is neither `noun.verb` nor `noun.*`: they are written in the program.
    pub fn actions<'a>(name: impl Into<String>, actions: impl IntoIterator<Item = &'a str>) -> Self {
        let parse = |name: &str| name.parse().expect("actions of a grant in the program are `noun.verb` or `noun.*`");
        let actions = actions.into_iter().map(parse).collect();
        Self { actions: Some(actions), ..Self::full(name) }
    }

    /// As far as the limits say.
    pub fn limited(name: impl Into<String>, limits: GrantLimits) -> Self {
        Self {
            id: None,
            within: Vec::new(),
            name: name.into(),
            actions: limits.actions,
            without: Vec::new(),
            risks: limits.risks.unwrap_or_else(Risks::all),
            paths: limits.paths.into_iter().collect(),
            expires: limits.expires,
        }
    }

    /// Tells whether the grant covers an action of these risks at this time, wherever it is done.
    pub fn covers(&self, action: &ActionName, risks: &Risks, now: Timestamp) -> bool {
        let named = self.actions.as_ref().is_none_or(|patterns| patterns.iter().any(|pattern| pattern.covers(action)));
        named
            && self.turned_off(action).is_none()
            && risks.is_subset(&self.risks)
            && self.expires.is_none_or(|end| now < end)
    }

    /// Returns the group of an action, if it is turned off.
    pub fn turned_off(&self, action: &ActionName) -> Option<ActionGroup> {
        ActionGroup::of(action).filter(|group| self.without.contains(group))
    }

    /// Returns the same without some groups of actions.
    #[must_use]
    pub fn without(mut self, groups: &[ActionGroup]) -> Self {
        self.without.extend(groups);
        self.without.sort();
        self.without.dedup();
        self
    }

    /// Tells whether the grant is for these files only, and not for the whole workspace.
    pub fn has_paths(&self) -> bool {
        !self.paths.is_empty()
    }

    /// Returns the first target that is not a file under the grant's paths.
    pub fn first_outside<'a>(&self, targets: &'a [ObjectRef]) -> Option<&'a ObjectRef> {
        targets.iter().find(|target| !self.covers_target(target))
    }

    /// A grant is no place: those made under this one lie under its paths, as [`Grant::narrowed`] sees to.
    fn covers_target(&self, target: &ObjectRef) -> bool {
        if target.kind == GRANT_KIND {
            return true;
        }
        let path = (target.kind == "file").then(|| WorkspacePath::new(&target.id).ok()).flatten();
        self.paths.iter().all(|globs| path.as_ref().is_some_and(|path| globs.iter().any(|glob| glob.covers(path))))
    }

    /// Returns what both grants cover. It is named for both and ends with either.
    #[must_use]
    pub fn narrowed(&self, by: &Self) -> Self {
        let id = by.id.clone().or_else(|| self.id.clone());
        let mut within: Vec<GrantId> = self.stands_on().chain(by.stands_on()).cloned().collect();
        within.retain(|other| Some(other) != id.as_ref());
        within.sort();
        within.dedup();
        Self {
            id,
            within,
            name: if self.name == by.name { self.name.clone() } else { format!("{} under {}", self.name, by.name) },
            actions: both_actions(self.actions.as_deref(), by.actions.as_deref()),
            without: self.clone().without(&by.without).without,
            risks: self.risks.0.intersection(&by.risks.0).copied().collect(),
            paths: self
                .paths
                .iter()
                .chain(by.paths.iter().filter(|list| !self.paths.contains(list)))
                .cloned()
                .collect(),
            expires: self.expires.into_iter().chain(by.expires).min(),
        }
    }

    /// The stored grants with any of which this one ends.
    pub fn stands_on(&self) -> impl Iterator<Item = &GrantId> {
        self.id.iter().chain(&self.within)
    }

    /// Tells whether it can end by itself or with a stored grant; a person's own does not.
    pub fn can_end(&self) -> bool {
        self.expires.is_some() || self.stands_on().next().is_some()
    }

    /// Names it.
    pub fn reference(&self) -> GrantRef {
        GrantRef { id: self.id.clone(), name: self.name.clone(), within: self.within.clone() }
    }
}

fn both_actions(one: Option<&[ActionPattern]>, two: Option<&[ActionPattern]>) -> Option<Vec<ActionPattern>> {
    let (Some(one), Some(two)) = (one, two) else { return one.or(two).map(<[_]>::to_vec) };
    let mut both: Vec<_> = one.iter().flat_map(|first| two.iter().filter_map(|second| first.both(second))).collect();
    both.sort();
    both.dedup();
    Some(both)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Id as _, Risk};

    #[test]
    fn covers_only_what_it_names() {
        let grant = Grant::actions("test", ["doc.read", "file.*"]);
        let covers = |name: &str| grant.covers(&name.parse().unwrap(), &[Risk::Read].into(), Timestamp(5));
        assert!(covers("doc.read"));
        assert!(covers("file.list"));
        assert!(!covers("doc.edit"));
        assert!(!covers("filez.list"));
    }

    #[test]
    fn group_that_is_off_is_not_covered() {
        let read = |grant: &Grant, name: &str| grant.covers(&name.parse().unwrap(), &[Risk::Read].into(), Timestamp(0));
        let off = Grant::full("one").without(&[ActionGroup::Notes]);
        assert!(!read(&off, "note.read") && read(&off, "todo.list"));
        let both = Grant::full("two").narrowed(&off);
        assert!(!read(&both, "note.read"), "narrowing keeps it off");
    }

    #[test]
    fn ends_and_limits_risks() {
        let limits = GrantLimits { expires: Some(Timestamp(10)), ..GrantLimits::reading() };
        let grant = Grant::limited("hint mode", limits);
        let name = "doc.edit".parse().unwrap();
        assert!(grant.covers(&name, &[Risk::Read].into(), Timestamp(9)));
        assert!(!grant.covers(&name, &[Risk::Read].into(), Timestamp(10)));
        assert!(!grant.covers(&name, &[Risk::Read, Risk::Write].into(), Timestamp(9)));
    }

    fn object(kind: &str, id: &str) -> ObjectRef {
        ObjectRef { kind: kind.to_owned(), id: id.to_owned() }
    }

    #[test]
    fn every_target_has_to_be_a_file_under_its_paths() {
        let globs = ["src/**", "*.md"].map(|glob| glob.parse().unwrap()).to_vec();
        let grant = Grant::limited("docs", GrantLimits { paths: Some(globs), ..GrantLimits::default() });
        let outside = |targets: &[ObjectRef]| grant.first_outside(targets).cloned();
        assert_eq!(outside(&[object("file", "src/a.py"), object("file", "README.md")]), None);
        assert_eq!(outside(&[object("file", "src/a.py"), object("file", "etc/x")]), Some(object("file", "etc/x")));
        // What is no file can't be shown to lie under a path.
        assert_eq!(outside(&[object("thread", "src/a.py")]), Some(object("thread", "src/a.py")));
        assert_eq!(outside(&[object("file", "src/../etc")]), Some(object("file", "src/../etc")));
        assert_eq!(outside(&[object(GRANT_KIND, "sub-grant")]), None);
        assert_eq!(outside(&[object(GRANT_KIND, "sub-grant"), object("file", "etc/x")]), Some(object("file", "etc/x")));
        assert_eq!(Grant::full("all").first_outside(&[object("thread", "x"), object("file", "")]), None);
    }

    #[test]
    fn a_narrowed_grant_stands_on_both_and_says_so() {
        let id = |random| GrantId::from_parts(Timestamp(1), random);
        let one = Grant { id: Some(id(1)), ..Grant::full("Coding Agent") };
        let two = Grant { id: Some(id(2)), ..Grant::full("nightly") };
        let both = one.narrowed(&two);
        assert_eq!((both.name.as_str(), both.id.as_ref()), ("Coding Agent under nightly", Some(&id(2))));
        assert_eq!(both.stands_on().collect::<Vec<_>>(), [&id(2), &id(1)]);
        assert_eq!(both.narrowed(&two).stands_on().count(), 2);
    }

    #[test]
    fn limits_with_a_field_nobody_knows_are_refused() {
        assert!(serde_json::from_str::<GrantLimits>(r#"{"path": ["src/**"]}"#).is_err());
        assert!(serde_json::from_str::<GrantLimits>(r#"{"actions": ["doc"]}"#).is_err());
    }

    fn some_risks() -> impl Strategy<Value = Risks> {
        prop::collection::btree_set(prop::sample::select(Risk::ALL.to_vec()), 0..7).prop_map(Risks)
    }

    fn some_of<T: std::str::FromStr<Err: std::fmt::Debug> + Clone + std::fmt::Debug + 'static>(
        texts: &'static [&'static str],
    ) -> impl Strategy<Value = Option<Vec<T>>> {
        let one = prop::sample::select(texts).prop_map(|text| text.parse().unwrap());
        prop::option::of(prop::collection::vec(one, 0..4))
    }

    fn grants() -> impl Strategy<Value = Grant> {
        let actions = some_of(&["doc.*", "doc.edit", "doc.read", "ui.*", "ui.tabs.close"]);
        let paths = some_of(&["src", "src/**", "**/a", "*", "docs/*.md", "src/*/b"]);
        (actions, some_risks(), paths, prop::option::of(0_i64..10)).prop_map(|(actions, risks, paths, expires)| {
            let expires = expires.map(Timestamp);
            Grant::limited("some", GrantLimits { actions, risks: Some(risks), paths, expires })
        })
    }

    proptest! {
        /// Narrowing covers exactly what both cover, in any order and any number of times.
        #[test]
        fn narrowing_only_narrows(
            one in grants(),
            two in grants(),
            three in grants(),
            name in prop::sample::select(&["doc.edit", "doc.read", "ui.open", "ui.tabs.close", "file.list"]),
            risks in some_risks(),
            now in 0_i64..12,
            path in prop::sample::select(&["src", "src/a", "src/x/b", "docs/n.md", "a", "etc/passwd"]),
        ) {
            let all = one.narrowed(&two).narrowed(&three);
            let (name, now, target) = (name.parse().unwrap(), Timestamp(now), [object("file", path)]);
            let covers = |grant: &Grant| grant.covers(&name, &risks, now) && grant.first_outside(&target).is_none();
            prop_assert_eq!(covers(&all), [&one, &two, &three].into_iter().all(covers));
            prop_assert!(!all.has_paths() || [&one, &two, &three].iter().any(|grant| grant.has_paths()));
        }
    }
}
