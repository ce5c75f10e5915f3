//! A rule made ready for use: where it comes from, when it is looked at, when it matches.

use std::borrow::Cow;

use aside_core::{
    ArgumentMatcher, CommandMatcher, Guard, InvalidTime, Origin, OriginKind, PathGlob, PathMatcher, PolicyLayer,
    PolicyRule, Protection, ReviewMode, Risk, Risks, RuleAction, Ruling, RunMode, Timestamp, folded_path,
};
use globset::{GlobBuilder, GlobMatcher};

use crate::policy::{commands::check_rule, facts::ComparedPath};

/// The longest pattern for an argument, in bytes.
const LONGEST_GLOB: usize = 500;

/// The order in which rules are looked at: a matching rule of an earlier tier beats all of the later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tier {
    /// What can't be allowed by any other rule, the built-in layer first.
    Deny(PolicyLayer),
    /// What asks whatever else allows it.
    Confirm,
    /// What runs although its risk alone would ask.
    Allow,
    /// What holds for a risk when nothing else is said.
    Default,
}

/// Whom a built-in rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AskedBy {
    /// A model: in a turn, or of another program.
    Model,
    /// A model, or a program with a token of its own.
    NoPerson,
    /// Anybody but a person at a page of ours: a model, another program, or the command line, which a script can use too.
    NoPage,
    /// A person, at the UI or the command line.
    Person,
}

impl AskedBy {
    pub(crate) fn covers(self, origin: &Origin) -> bool {
        match self {
            Self::Model => origin.is_model(),
            Self::NoPerson => !origin.is_person(),
            Self::NoPage => !matches!(origin, Origin::User { .. }),
            Self::Person => origin.is_person(),
        }
    }
}

/// What a rule of the default tier is the default of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DefaultOf {
    /// One risk.
    Risk(Risk),
    /// A line that a shell runs, whatever the risks.
    Shell,
}

/// How much of a request a rule has to match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Any part of it.
    #[default]
    Touches,
    /// All of it.
    Covers,
}

/// When a rule matches: every part that is set holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Condition {
    pub(crate) reach: Reach,
    pub(crate) action: Option<RuleAction>,
    pub(crate) risks: Option<Risks>,
    pub(crate) paths: Vec<Paths>,
    pub(crate) commands: Vec<CommandMatcher>,
    pub(crate) args: Vec<(String, Argument)>,
    pub(crate) origins: Vec<OriginKind>,
    pub(crate) review: Option<ReviewMode>,
    /// What the thread lets be run without a question; for built-in rules.
    pub(crate) runs: Option<RunMode>,
    pub(crate) expires: Option<Timestamp>,
    /// Who asks; for built-in rules, as all that follows.
    pub(crate) asked_by: Option<AskedBy>,
    pub(crate) default_of: Option<DefaultOf>,
    /// It changes something: it has a risk above `read`.
    pub(crate) changes: bool,
    /// The strongest protection among what it touches is one of these.
    pub(crate) protections: Option<&'static [Protection]>,
    /// A guard saw something in the preview.
    pub(crate) guarded: bool,
    /// This guard did.
    pub(crate) guard: Option<Guard>,
    /// It takes another action back.
    pub(crate) undo: bool,
    /// Commands can't reach its paths, whatever folder they run in.
    pub(crate) kept_from_commands: bool,
}

/// One rule.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) layer: PolicyLayer,
    pub(crate) tier: Tier,
    /// Its name, shown with every verdict: `builtin/agent-config`, `user/tests`.
    pub(crate) name: String,
    pub(crate) ruling: Ruling,
    pub(crate) when: Condition,
    /// One sentence for the person; `{path}` and `{warning}` stand for what was found, if it is built in.
    pub(crate) reason: Cow<'static, str>,
    /// As it was written, unless it is built in.
    pub(crate) written: Option<PolicyRule>,
    /// Why it does not hold here.
    pub(crate) inactive: Option<&'static str>,
}

/// A pattern for paths with what it begins with, so that most paths are told apart without looking at the pattern.
#[derive(Clone, Debug)]
pub(crate) struct Paths {
    glob: String,
    matcher: PathMatcher,
    /// How many bytes come before the first star.
    literal: usize,
}

impl Paths {
    fn new(glob: &PathGlob) -> Self {
        let literal = glob.as_str().find(['*', '?']).unwrap_or(glob.as_str().len());
        Self { glob: glob.as_str().to_owned(), matcher: glob.matcher(), literal }
    }

    /// A pattern to compare with folded paths. None for a folder whose name is no pattern.
    pub(crate) fn folded(glob: &str) -> Option<Self> {
        folded_path(glob).parse().ok().map(|glob| Self::new(&glob))
    }

    /// The pattern as it is compared.
    pub(crate) fn glob(&self) -> &str {
        &self.glob
    }

    pub(crate) fn cover(&self, path: &ComparedPath) -> bool {
        // `src/**` fits `src` itself.
        path.text.starts_with(self.beginning().trim_end_matches('/')) && self.matcher.covers(&path.names)
    }

    /// It fits everything in the workspace.
    pub(crate) fn cover_all(&self) -> bool {
        self.glob.split('/').all(|name| name == "**")
    }

    /// Tells whether what is meant lies in a folder, as far as its name says.
    pub(crate) fn begin_in(&self, folder: &str) -> bool {
        self.beginning().strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    }

    fn beginning(&self) -> &str {
        &self.glob[..self.literal]
    }
}

/// What one argument has to be.
#[derive(Clone, Debug)]
pub(crate) enum Argument {
    Equals(serde_json::Value),
    Prefix(String),
    Glob(Box<GlobMatcher>),
}

impl Argument {
    pub(crate) fn matches(&self, value: &serde_json::Value) -> bool {
        match (self, value.as_str()) {
            (Self::Equals(wanted), _) => wanted == value,
            (Self::Prefix(prefix), Some(text)) => text.starts_with(prefix),
            (Self::Glob(glob), Some(text)) => glob.is_match(text),
            (Self::Prefix(_) | Self::Glob(_), None) => false,
        }
    }
}

impl Rule {
    /// Makes a written rule ready; the error says what is wrong with it.
    pub(crate) fn compile(written: &PolicyRule, layer: PolicyLayer) -> Result<Self, String> {
        check_name(&written.name)?;
        let reach = if written.ruling == Ruling::Allow { Reach::Covers } else { Reach::Touches };
        if reach == Reach::Covers {
            check_narrow(written)?;
        }
        let tier = match written.ruling {
            Ruling::Deny => Tier::Deny(layer),
            Ruling::Confirm => Tier::Confirm,
            Ruling::Allow => Tier::Allow,
        };
        let name = format!("{}/{}", layer_word(layer), written.name);
        let foreign = layer == PolicyLayer::Workspace;
        // What a stranger wrote is shown with the rule itself, and never as the reason of a verdict, which models read.
        let reason = written.reason.clone().filter(|_| !foreign);
        Ok(Self {
            layer,
            tier,
            ruling: written.ruling,
            when: condition(written, reach)?,
            reason: reason.map_or_else(|| usual_reason(written.ruling, &name), Cow::Owned),
            name,
            written: Some(written.clone()),
            inactive: (foreign && written.ruling == Ruling::Allow).then_some(NO_ALLOWING),
        })
    }
}

/// What comes with a folder says nothing about what its owner wants.
const NO_ALLOWING: &str = "a policy file in the folder can deny or ask, but not allow; add the rule to your own file";

/// The word before the slash of a rule's name.
pub(crate) fn layer_word(layer: PolicyLayer) -> &'static str {
    match layer {
        PolicyLayer::Builtin => "builtin",
        PolicyLayer::Organisation => "organisation",
        PolicyLayer::User => "user",
        PolicyLayer::Workspace => "workspace",
        PolicyLayer::Turn => "turn",
    }
}

fn usual_reason(ruling: Ruling, name: &str) -> Cow<'static, str> {
    Cow::Owned(match ruling {
        Ruling::Allow => format!("The rule `{name}` allows it."),
        Ruling::Confirm => format!("The rule `{name}` requires approval."),
        Ruling::Deny => format!("The rule `{name}` denies it."),
    })
}

fn check_name(name: &str) -> Result<(), String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if !name.is_empty() && name.len() <= 80 && name.bytes().all(plain) {
        return Ok(());
    }
    Err("a name has 1 to 80 letters, digits, `-`, `_` and `.`".to_owned())
}

fn check_narrow(written: &PolicyRule) -> Result<(), String> {
    let PolicyRule { action, risks, paths, commands, args, .. } = written;
    if *action == RuleAction::Any && risks.is_none() && paths.is_empty() && commands.is_empty() && args.is_empty() {
        return Err("it would allow everything: name its actions, risks, paths or commands".to_owned());
    }
    commands.iter().try_for_each(check_rule)
}

fn condition(written: &PolicyRule, reach: Reach) -> Result<Condition, String> {
    let paths = written.paths.iter().map(|glob| path(glob, reach)).collect::<Result<_, _>>()?;
    let args = written.args.iter().map(|(name, matcher)| Ok((name.clone(), argument(matcher)?)));
    Ok(Condition {
        reach,
        action: Some(written.action.clone()),
        risks: written.risks.clone(),
        paths,
        commands: written.commands.clone(),
        args: args.collect::<Result<_, String>>()?,
        origins: written.origins.clone(),
        review: written.review,
        expires: written.expires.as_deref().map(end).transpose()?,
        ..Condition::default()
    })
}

/// When a rule ends; a day alone is its first moment, in UTC.
fn end(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|error: InvalidTime| error.to_string())
}

/// A rule that forbids is compared as a forgiving file system would, one that allows as it is written.
fn path(glob: &PathGlob, reach: Reach) -> Result<Paths, String> {
    match reach {
        Reach::Covers => Ok(Paths::new(glob)),
        Reach::Touches => Paths::folded(glob.as_str()).ok_or_else(|| format!("the path `{glob}` can't be compared")),
    }
}

fn argument(matcher: &ArgumentMatcher) -> Result<Argument, String> {
    Ok(match matcher {
        ArgumentMatcher::Equals(value) => Argument::Equals(value.clone()),
        ArgumentMatcher::Prefix(prefix) => Argument::Prefix(prefix.clone()),
        ArgumentMatcher::Glob(glob) if glob.len() > LONGEST_GLOB => {
            return Err(format!("a pattern has at most {LONGEST_GLOB} bytes"));
        }
        ArgumentMatcher::Glob(glob) => {
            let built = GlobBuilder::new(glob).literal_separator(true).build();
            let built = built.map_err(|error| format!("`{glob}` is not a pattern: {}", error.kind()))?;
            Argument::Glob(Box::new(built.compile_matcher()))
        }
    })
}
