//! Whether a rule matches, and if not, which part of it does not.

use std::fmt;

use aside_core::{CommandMatcher, OriginKind, ReviewMode, Risk, RunMode};

use crate::policy::{
    Question,
    commands::{Words, is_same_program},
    facts::{ComparedPath, Facts},
    rule::{Condition, Paths, Reach},
};

/// The first part of a rule that does not hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unmet<'a> {
    /// It is about another action.
    Action,
    /// It is for others.
    Asker,
    /// It is for another way of reviewing.
    Review,
    /// The thread lets nothing be run without a question.
    Runs,
    /// It has ended.
    Ended,
    /// It does not cover this risk.
    Risk(Risk),
    /// It is about none of the risks.
    NoRisk,
    /// The request touches no file.
    NoFile,
    /// It does not cover this path.
    Path(&'a str),
    /// It would be about the whole workspace.
    Whole,
    /// It is about none of the paths.
    NoPath,
    /// It is about commands, and none would run.
    NoShell,
    /// It says nothing of commands, and one would run.
    Shell,
    /// Nobody can tell which commands would run.
    Unclear,
    /// It covers no command of the line.
    NoCommand,
    /// No rule that is there allows this command of the line.
    Command(&'a Words),
    /// An argument is not as it says.
    Argument(&'a str),
    /// The request changes nothing.
    Harmless,
    /// Nothing that is touched is protected in this way.
    Unprotected,
    /// No guard saw anything.
    Unguarded,
    /// It is no undo.
    NoUndo,
}

impl fmt::Display for Unmet<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Action => formatter.write_str("different action"),
            Self::Asker => formatter.write_str("different requester"),
            Self::Review => formatter.write_str("different review mode"),
            Self::Runs => formatter.write_str("the thread asks before each run"),
            Self::Ended => formatter.write_str("the rule has expired"),
            Self::Risk(risk) => write!(formatter, "it does not cover the risk `{risk}`"),
            Self::NoRisk => formatter.write_str("no matching risk"),
            Self::NoFile => formatter.write_str("no file is touched"),
            Self::Path(path) => write!(formatter, "its paths do not cover `{path}`"),
            Self::Whole => formatter.write_str("the action can touch any file in the workspace"),
            Self::NoPath => formatter.write_str("no matching path"),
            Self::NoShell => formatter.write_str("no command runs"),
            Self::Shell => formatter.write_str("a command runs, but the rule names none"),
            Self::Unclear => formatter.write_str("the commands that run are unknown"),
            Self::NoCommand => formatter.write_str("no matching command"),
            Self::Command(words) => write!(formatter, "no rule allows `{}`, which also runs", words.join(" ")),
            Self::Argument(name) => write!(formatter, "the argument `{name}` does not match"),
            Self::Harmless => formatter.write_str("nothing is changed"),
            Self::Unprotected => formatter.write_str("no protected file is touched"),
            Self::Unguarded => formatter.write_str("the preview has no warning"),
            Self::NoUndo => formatter.write_str("the action is not an undo"),
        }
    }
}

/// Returns the first part of a condition that does not hold. A condition that covers commands holds if it covers one
/// of the line; whether all are covered is for several rules together to say.
pub(crate) fn unmet<'a>(when: &'a Condition, facts: &'a Facts<'_>) -> Option<Unmet<'a>> {
    let question = facts.question;
    if when.action.as_ref().is_some_and(|action| !action.covers(question.action)) {
        return Some(Unmet::Action);
    }
    if when.asked_by.is_some_and(|wanted| !wanted.covers(question.origin)) || !among(&when.origins, facts) {
        return Some(Unmet::Asker);
    }
    let failing = [
        (when.review.is_some_and(|wanted| wanted != question.review.unwrap_or_default()), Unmet::Review),
        (when.runs.is_some_and(|wanted| !lets_run(wanted, question)), Unmet::Runs),
        (when.expires.is_some_and(|end| question.now >= end), Unmet::Ended),
        (when.changes && question.risks.is_read_only(), Unmet::Harmless),
        (when.guarded && !is_guarded(question), Unmet::Unguarded),
        (when.guard.is_some_and(|guard| question.warnings.iter().all(|seen| seen.guard != guard)), Unmet::Unguarded),
        (when.undo && !question.undo, Unmet::NoUndo),
        (is_unprotected(when, facts), Unmet::Unprotected),
    ];
    let first = failing.into_iter().find_map(|(fails, unmet)| fails.then_some(unmet));
    first
        .or_else(|| unmet_risk(when, facts))
        .or_else(|| unmet_path(when, facts))
        .or_else(|| unmet_command(when, facts))
        .or_else(|| unmet_argument(when, facts))
}

/// A guard saw something in the preview. A person's undo gives back what was there before.
fn is_guarded(question: &Question<'_>) -> bool {
    !(question.warnings.is_empty() || question.undo && question.origin.is_person())
}

/// The thread runs cells in this way. Edits that are made at once nobody has looked at.
pub(crate) fn lets_run(wanted: RunMode, question: &Question<'_>) -> bool {
    let reviewed = question.review.unwrap_or_default() != ReviewMode::AutoApply;
    question.runs == wanted && (wanted != RunMode::AfterReview || reviewed)
}

/// A script's call matches by its starter, too: a rule about a model holds for the scripts of that model.
fn among(wanted: &[OriginKind], facts: &Facts<'_>) -> bool {
    let is_script = facts.question.origin.script().is_some();
    wanted.is_empty() || wanted.contains(&facts.origin) || is_script && wanted.contains(&OriginKind::Script)
}

fn is_unprotected(when: &Condition, facts: &Facts<'_>) -> bool {
    when.protections.is_some_and(|wanted| facts.protection.is_none_or(|(found, _)| !wanted.contains(&found)))
}

fn unmet_risk<'a>(when: &Condition, facts: &Facts<'_>) -> Option<Unmet<'a>> {
    match (when.reach, &when.risks) {
        (Reach::Covers, Some(covered)) => {
            facts.risks.0.iter().find(|risk| !covered.contains(**risk)).map(|risk| Unmet::Risk(*risk))
        }
        // Only a rule that names `access` covers it.
        (Reach::Covers, None) => facts.risks.contains(Risk::Access).then_some(Unmet::Risk(Risk::Access)),
        (Reach::Touches, Some(wanted)) => {
            facts.risks.0.iter().all(|risk| !wanted.contains(*risk)).then_some(Unmet::NoRisk)
        }
        (Reach::Touches, None) => None,
    }
}

fn unmet_path<'a>(when: &Condition, facts: &'a Facts<'_>) -> Option<Unmet<'a>> {
    if when.paths.is_empty() {
        return None;
    }
    if facts.touched.is_empty() && !facts.whole {
        return Some(Unmet::NoFile);
    }
    let covered = |path: &ComparedPath| when.paths.iter().any(|wanted| wanted.cover(path));
    match when.reach {
        Reach::Covers if facts.whole => Some(Unmet::Whole),
        Reach::Covers => facts.touched.iter().find(|file| !covered(&file.exact)).map(|file| Unmet::Path(file.path)),
        Reach::Touches => {
            let hit = touches_path(when, facts) || (facts.whole && !when.kept_from_commands && facts.may_change());
            (!hit).then_some(Unmet::NoPath)
        }
    }
}

/// It is about a path that is named, or about everything.
fn touches_path(when: &Condition, facts: &Facts<'_>) -> bool {
    let covered = |path: &ComparedPath| when.paths.iter().any(|wanted| wanted.cover(path));
    // What happens to a folder happens to what is in it; a file has nothing below it.
    let below = |folder: &str| when.paths.iter().any(|wanted| wanted.begin_in(folder));
    let named = facts.touched.iter().any(|file| covered(&file.folded) || below(&file.folded.text));
    named || (facts.whole && when.paths.iter().any(Paths::cover_all))
}

/// A rule that matches only because nobody can tell that its paths are left alone. It asks, also if it would forbid.
pub(crate) fn only_may_touch(when: &Condition, facts: &Facts<'_>) -> bool {
    when.reach == Reach::Touches && facts.whole && !when.paths.is_empty() && !touches_path(when, facts)
}

fn unmet_command<'a>(when: &Condition, facts: &Facts<'_>) -> Option<Unmet<'a>> {
    match (&facts.commands, when.commands.is_empty(), when.reach) {
        (None, true, _) | (Some(_), true, Reach::Touches) => None,
        (None, false, _) => Some(Unmet::NoShell),
        (Some(_), true, Reach::Covers) => Some(Unmet::Shell),
        (Some(Err(_)), false, _) => Some(Unmet::Unclear),
        (Some(Ok(line)), false, _) => {
            (!line.iter().any(|words| covers_command(when, words))).then_some(Unmet::NoCommand)
        }
    }
}

/// Tells whether a condition is about a command.
pub(crate) fn covers_command(when: &Condition, words: &Words) -> bool {
    when.commands.iter().any(|command| match command {
        CommandMatcher::Prefix(prefix) => {
            words.len() >= prefix.len() && same(when.reach, prefix, &words[..prefix.len()])
        }
        CommandMatcher::Exact(exact) => words.len() == exact.exact.len() && same(when.reach, &exact.exact, words),
    })
}

/// A rule that forbids `rm` forbids `/bin/RM` too; one that allows it does not.
fn same(reach: Reach, wanted: &[String], words: &[String]) -> bool {
    let mut pairs = wanted.iter().zip(words);
    let program_fits = pairs.next().is_none_or(|(wanted, word)| {
        let by_name = reach == Reach::Touches && !wanted.contains('/') && is_same_program(word, wanted);
        wanted == word || by_name
    });
    program_fits && pairs.all(|(wanted, word)| wanted == word)
}

fn unmet_argument<'a>(when: &'a Condition, facts: &Facts<'_>) -> Option<Unmet<'a>> {
    let args = facts.question.args;
    let mut wanted = when.args.iter();
    wanted
        .find(|(name, argument)| !args.get(name).is_some_and(|value| argument.matches(value)))
        .map(|(name, _)| Unmet::Argument(name))
}
