//! The rules as they are now: read again whenever a file of them is another than it was.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};

use aside_core::{
    AiReason, AiRestriction, AssistantState, ObjectRef, PolicyLayer, PolicyRule, RestrictedBy, Risks, RuleScope,
    Timestamp,
};
use aside_store::{DataFolder, Stamp, TextFile};
use serde::Serialize;

use crate::policy::{Policy, assistant, file::LONGEST};

/// Where rules come from beside those that are built in.
#[derive(Clone, Debug)]
pub struct PolicyFiles {
    /// The organisation's file.
    pub organisation: PathBuf,
    /// The person's folder, which holds their `policy.toml`; without one nothing can be remembered for always.
    pub data_folder: Option<DataFolder>,
    /// The folder that is open. Its `aside-policy.toml` may have come with files of others, so it only makes stricter.
    pub workspace: PathBuf,
    /// How far AI goes at most, as whoever started the server says.
    pub assistant: Option<AiRestriction>,
}

/// The file of rules in a workspace.
const IN_WORKSPACE: &str = "aside-policy.toml";
/// The longest of those, in bytes: a stranger's file shall not slow the Gate down.
const LONGEST_IN_WORKSPACE: u64 = 64 << 10;

/// Policy that follows its files. What changes in them holds for the next question.
#[derive(Debug)]
pub struct LivePolicy {
    files: Option<Files>,
    loaded: RwLock<Loaded>,
}

#[derive(Debug)]
struct Files {
    organisation: TextFile,
    user: Option<TextFile>,
    of_workspace: TextFile,
    workspace: PathBuf,
    /// The person's folder as a path in the workspace, if it lies there.
    own_folder: Option<String>,
    /// The restriction that the server was started with.
    assistant: Option<AiRestriction>,
}

#[derive(Debug)]
struct Loaded {
    stamps: [Stamp; 3],
    policy: Arc<Policy>,
}

/// Why a rule was not written down.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RuleError {
    /// There is nowhere to write it.
    #[error("there is no folder for your rules: set ASIDE_DATA_DIR")]
    Nowhere,
    /// The file can't be read or written.
    #[error("could not save the rule: {0}")]
    Io(#[from] io::Error),
    /// The file, or what would become of it, has a mistake.
    #[error("could not save the rule, because the file has a mistake: {0}")]
    Mistake(String),
}

impl From<Policy> for LivePolicy {
    /// These rules and no others, for ever.
    fn from(policy: Policy) -> Self {
        let loaded = Loaded { stamps: [Stamp::Absent; 3], policy: Arc::new(policy) };
        Self { files: None, loaded: RwLock::new(loaded) }
    }
}

impl LivePolicy {
    /// Reads the files. A mistake in one is no error here: [`Policy::problems`] has it, and every change asks.
    pub fn open(files: PolicyFiles) -> Self {
        let PolicyFiles { organisation, data_folder, workspace, assistant } = files;
        let workspace = workspace.canonicalize().unwrap_or(workspace);
        let longest = LONGEST as u64;
        let files = Files {
            organisation: TextFile::new(organisation, longest),
            own_folder: data_folder.as_ref().and_then(|folder| within(&workspace, folder.path())),
            user: data_folder.map(|folder| folder.file("policy.toml", longest)),
            of_workspace: TextFile::new(workspace.join(IN_WORKSPACE), LONGEST_IN_WORKSPACE),
            workspace,
            assistant,
        };
        let loaded = RwLock::new(files.load(&Policy::builtin()));
        Self { files: Some(files), loaded }
    }

    /// See [`Policy::with_own_access`]; which folder it is about does not change.
    pub(crate) fn with_own_access(&self, risks: Risks, targets: &[ObjectRef]) -> Risks {
        let loaded = self.loaded.read().unwrap_or_else(PoisonError::into_inner);
        loaded.policy.with_own_access(risks, targets)
    }

    /// Returns the rules as they are now.
    pub fn current(&self) -> Arc<Policy> {
        let loaded = self.loaded.read().unwrap_or_else(PoisonError::into_inner);
        let Some(files) = &self.files else { return loaded.policy.clone() };
        let stamps = files.stamps();
        // What can't be looked at may have changed.
        if loaded.stamps == stamps && !stamps.contains(&Stamp::Unknown) {
            return loaded.policy.clone();
        }
        drop(loaded);
        let mut loaded = self.loaded.write().unwrap_or_else(PoisonError::into_inner);
        let before = loaded.policy.clone();
        *loaded = files.load(&before);
        loaded.policy.clone()
    }

    /// The person's file, if there can be one.
    pub(crate) fn user_file(&self) -> Option<&Path> {
        self.files.as_ref()?.user.as_ref().map(TextFile::path)
    }

    /// Limits a rule to where it shall hold.
    pub(crate) fn scoped(&self, rule: &PolicyRule, scope: RuleScope) -> PolicyRule {
        let here = self.files.as_ref().map(|files| files.workspace.display().to_string());
        let workspaces = if scope == RuleScope::Workspace { here.into_iter().collect() } else { Vec::new() };
        PolicyRule { workspaces, ..rule.clone() }
    }

    /// How far AI goes at a time, as the files are now.
    pub fn assistant(&self, now: Timestamp) -> AssistantState {
        let started = self.files.as_ref().and_then(|files| files.assistant);
        let started = started.map(|restriction| AiReason { by: RestrictedBy::Server, restriction, mistake: None });
        AssistantState::at(started.into_iter().chain(self.current().restrictions()).collect(), now)
    }

    /// Writes how far AI goes into the person's file, or into the workspace's; with none, takes what is there away.
    pub(crate) fn restrict(&self, scope: RuleScope, restriction: Option<&AiRestriction>) -> Result<(), RuleError> {
        let files = self.files.as_ref().ok_or(RuleError::Nowhere)?;
        let change =
            |text: Option<&str>| assistant::replaced(text.unwrap_or_default(), restriction).map_err(RuleError::Mistake);
        match scope {
            RuleScope::Workspace => files.of_workspace.change_shared(change),
            RuleScope::Everywhere => files.user.as_ref().ok_or(RuleError::Nowhere)?.change(change),
        }
    }

    /// Writes a rule to the person's file, below what is there, under the first name that is free. Returns its name as
    /// verdicts have it.
    pub(crate) fn add(&self, rule: &PolicyRule, comment: &str) -> Result<String, RuleError> {
        let user = self.files.as_ref().and_then(|files| files.user.as_ref()).ok_or(RuleError::Nowhere)?;
        let mut stored = None;
        user.change(|text| {
            let (text, name) = with_rule(user.path(), text.unwrap_or_default(), rule, comment)?;
            stored = Some(format!("user/{name}"));
            Ok::<_, RuleError>(text)
        })?;
        Ok(stored.expect("the change gave it a name"))
    }
}

impl Files {
    fn stamps(&self) -> [Stamp; 3] {
        let user = self.user.as_ref().map_or(Stamp::Absent, TextFile::stamp);
        [self.organisation.stamp(), user, self.of_workspace.stamp()]
    }

    /// Reads all files anew, knowing what held before.
    fn load(&self, before: &Policy) -> Loaded {
        // Before the text, so that a change in between is seen the next time.
        let stamps = self.stamps();
        let mut policy = Policy::builtin();
        if let Some(folder) = &self.own_folder {
            policy = policy.with_own_folder(folder);
        }
        let layers = [
            (PolicyLayer::Organisation, Some(&self.organisation)),
            (PolicyLayer::User, self.user.as_ref()),
            (PolicyLayer::Workspace, Some(&self.of_workspace)),
        ];
        for (layer, file) in layers.into_iter().filter_map(|(layer, file)| Some((layer, file?))) {
            let text = file.read();
            let text = text.as_ref().map(Option::as_deref).map_err(|error| format!("it can't be read: {error}"));
            policy = policy.with_file(layer, file.path(), text, Some(&self.workspace));
        }
        let known = before.problems();
        for problem in policy.problems().iter().filter(|problem| !known.contains(problem)) {
            tracing::warn!("{}; `aside policy show` lists the active rules", problem.text);
        }
        Loaded { stamps, policy: Arc::new(policy.keeping(before)) }
    }
}

/// Returns a folder as a path in the workspace, if it lies there.
fn within(workspace: &Path, folder: &Path) -> Option<String> {
    // It is made when something is first written to it, so that only a folder above it may be there.
    let there = folder.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
    let folder = there.map_or_else(
        || folder.to_owned(),
        |(above, real)| match folder.strip_prefix(above) {
            Ok(rest) if !rest.as_os_str().is_empty() => real.join(rest),
            _ => real,
        },
    );
    Some(folder.strip_prefix(workspace).ok()?.to_str()?.to_owned())
}

fn with_rule(file: &Path, text: &str, rule: &PolicyRule, comment: &str) -> Result<(String, String), RuleError> {
    let read = |text: &str| Policy::builtin().with_file(PolicyLayer::User, file, Ok(Some(text)), None);
    let sound = |policy: Policy| match policy.problems().into_iter().next() {
        Some(problem) => Err(RuleError::Mistake(problem.text)),
        None => Ok(policy),
    };
    let before = sound(read(text))?;
    if let Some(name) = before.same_rule(rule) {
        return Ok((text.to_owned(), name));
    }
    let name = before.free_name(&rule.name);
    let rule = PolicyRule { name: name.clone(), ..rule.clone() };
    let block = block(&rule).map_err(RuleError::Mistake)?;
    let comment: String =
        comment.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    let space = if text.trim().is_empty() { "" } else { "\n\n" };
    let text = format!("{}{space}# {comment}\n{block}", text.trim_end());
    sound(read(&text))?;
    Ok((text, name))
}

/// A rule as it stands in a file.
pub(crate) fn block(rule: &PolicyRule) -> Result<String, String> {
    #[derive(Serialize)]
    struct Block<'a> {
        rule: [&'a PolicyRule; 1],
    }
    toml::to_string(&Block { rule: [rule] }).map_err(|error| error.to_string())
}

impl Policy {
    /// The name of a rule of the person's that says the same, whatever it is called.
    fn same_rule(&self, rule: &PolicyRule) -> Option<String> {
        let written = self.rules.iter().filter_map(|known| known.written.as_ref());
        written
            .filter(|known| PolicyRule { name: rule.name.clone(), ..(*known).clone() } == *rule)
            .map(|known| known.name.clone())
            .next()
    }

    fn free_name(&self, wanted: &str) -> String {
        let taken =
            |name: &String| self.rules.iter().filter_map(|rule| rule.written.as_ref()).any(|rule| rule.name == *name);
        let mut names = (1_u32..).map(|number| format!("{wanted}-{number}"));
        names.find(|name| !taken(name)).expect("there are more numbers than rules")
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "plays the person who edits the file")]
mod tests {
    use std::fs;

    use aside_core::{AiLevel, PathGlob, Ruling};

    use super::*;

    struct Place {
        folder: tempfile::TempDir,
    }

    impl Place {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            fs::create_dir_all(folder.path().join("work")).unwrap();
            Self { folder }
        }

        fn open(&self) -> LivePolicy {
            let path = self.folder.path();
            LivePolicy::open(PolicyFiles {
                assistant: None,
                organisation: path.join("etc/policy.toml"),
                data_folder: Some(DataFolder::at(path.join("data"))),
                workspace: path.join("work"),
            })
        }

        fn write(&self, name: &str, text: &str) {
            let path = self.folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        fn user(&self) -> String {
            fs::read_to_string(self.folder.path().join("data/policy.toml")).unwrap()
        }
    }

    #[test]
    fn ai_goes_as_far_as_the_narrowest_of_all_who_have_a_say() {
        let place = Place::new();
        let policy = LivePolicy::open(PolicyFiles {
            assistant: Some("partial 50/90".parse().unwrap()),
            organisation: place.folder.path().join("etc/policy.toml"),
            data_folder: Some(DataFolder::at(place.folder.path().join("data"))),
            workspace: place.folder.path().join("work"),
        });
        let now = |time| policy.assistant(Timestamp(time));
        assert_eq!((now(0).level, now(0).until), (AiLevel::Full, Some(Timestamp(50))));
        assert_eq!((now(50).level, now(50).because[0].by), (AiLevel::Partial, RestrictedBy::Server));
        place.write("etc/policy.toml", "[[assistant]]\nlevel = 'off'\nfrom = '60'\nuntil = '70'\n");
        assert_eq!((now(60).level, now(60).because[0].by), (AiLevel::Off, RestrictedBy::Organisation));
        // Who may say less can't say more.
        for scope in [RuleScope::Workspace, RuleScope::Everywhere] {
            policy.restrict(scope, Some(&AiRestriction::always(AiLevel::Full))).unwrap();
            assert_eq!(now(60).level, AiLevel::Off);
        }
        policy.restrict(RuleScope::Workspace, Some(&AiRestriction::always(AiLevel::Partial))).unwrap();
        assert_eq!((now(0).level, now(0).because[0].by), (AiLevel::Partial, RestrictedBy::Workspace));
        policy.restrict(RuleScope::Workspace, None).unwrap();
        assert_eq!(now(0).level, AiLevel::Full);
        place.write("work/aside-policy.toml", "[[rule");
        assert_eq!(now(0).level, AiLevel::Full, "as before the mistake");
        assert_eq!(place.open().assistant(Timestamp(0)).level, AiLevel::Off, "and after a start nobody can tell");
    }

    fn rule(path: &str) -> PolicyRule {
        let paths = vec![path.parse::<PathGlob>().unwrap()];
        PolicyRule { paths, ..PolicyRule::new("doc.edit", Ruling::Allow, "doc.edit".parse().unwrap()) }
    }

    fn names(policy: &Policy) -> Vec<String> {
        policy.rules.iter().filter(|rule| rule.written.is_some()).map(|rule| rule.name.clone()).collect()
    }

    #[test]
    fn a_change_of_a_file_holds_at_once() {
        let place = Place::new();
        let live = place.open();
        assert!(names(&live.current()).is_empty());
        place.write("etc/policy.toml", "[[rule]]\nname = 'a'\nruling = 'deny'\naction = 'shell.*'\n");
        place.write("data/policy.toml", "[[rule]]\nname = 'b'\nruling = 'confirm'\naction = '*'\n");
        assert_eq!(names(&live.current()), ["organisation/a", "user/b"]);
        fs::remove_file(place.folder.path().join("data/policy.toml")).unwrap();
        assert_eq!(names(&live.current()), ["organisation/a"]);
        place.write("etc/policy.toml", "nonsense");
        assert_eq!(live.current().problems().len(), 1);
    }

    #[test]
    fn a_rule_is_added_below_what_the_person_wrote() {
        let place = Place::new();
        let written =
            "# My rules\n\n[[rule]] # one\nname = \"b\"\nruling = \"confirm\"\naction = \"*\"\n\n\n# the end\n";
        place.write("data/policy.toml", written);
        let live = place.open();
        let stored = live.add(&live.scoped(&rule("a.md"), RuleScope::Everywhere), "Remembered by a\nda").unwrap();
        assert_eq!(stored, "user/doc.edit-1");
        assert!(place.user().starts_with(written.trim_end()), "{}", place.user());
        assert!(place.user().contains("# Remembered by a da\n[[rule]]\nname = \"doc.edit-1\"\n"), "{}", place.user());
        let second = live.add(&live.scoped(&rule("b.md"), RuleScope::Workspace), "").unwrap();
        assert_eq!(second, "user/doc.edit-2");
        assert!(
            place.user().contains(&format!("workspaces = [{:?}]", live.files.as_ref().unwrap().workspace)),
            "{}",
            place.user()
        );
        assert_eq!(names(&live.current()), ["user/b", "user/doc.edit-1", "user/doc.edit-2"]);
        assert_eq!(names(&place.open().current()).len(), 3, "another Gate reads the same");
    }

    #[test]
    fn the_same_rule_is_written_once() {
        let place = Place::new();
        let live = place.open();
        let (first, again) = (live.add(&rule("a.md"), "").unwrap(), live.add(&rule("a.md"), "").unwrap());
        assert_eq!(first, again);
        assert_eq!(names(&live.current()), ["user/doc.edit-1"]);
    }

    #[test]
    fn nothing_is_added_to_a_file_with_a_mistake() {
        let place = Place::new();
        place.write("data/policy.toml", "rule = 1");
        assert!(matches!(place.open().add(&rule("a.md"), ""), Err(RuleError::Mistake(_))));
        assert_eq!(place.user(), "rule = 1");
    }

    #[test]
    fn a_rule_of_another_workspace_does_not_hold_here() {
        let place = Place::new();
        let work = place.folder.path().join("work").canonicalize().unwrap();
        for (folder, holds) in [
            (work.clone(), true),
            (work.parent().unwrap().to_owned(), true),
            (work.join("sub"), false),
            (PathBuf::from(format!("{}-evil", work.display())), false),
        ] {
            let scoped = PolicyRule { workspaces: vec![folder.display().to_string()], ..rule("a.md") };
            place.write("data/policy.toml", &block(&scoped).unwrap());
            let policy = place.open().current();
            let found = policy.rules.iter().find(|rule| rule.written.is_some()).unwrap();
            assert_eq!(found.inactive.is_none(), holds, "{folder:?}");
        }
    }
}
