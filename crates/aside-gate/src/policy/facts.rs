//! What is known of a request, worked out once for all rules.

use aside_core::{ObjectRef, OriginKind, Protection, Risk, Risks, WorkspacePath, folded_path, protection};

use crate::policy::{
    Question,
    commands::{Unclear, Words, commands},
};

/// A file or folder that a request touches.
pub(crate) struct Touched<'a> {
    pub(crate) path: &'a str,
    pub(crate) exact: ComparedPath,
    /// As a forgiving file system compares it.
    pub(crate) folded: ComparedPath,
}

/// A path taken apart once, to be compared with the patterns of many rules.
pub(crate) struct ComparedPath {
    pub(crate) text: String,
    /// None if it is no path of the workspace: no pattern covers it then.
    pub(crate) names: Vec<String>,
}

impl ComparedPath {
    pub(crate) fn new(text: String) -> Self {
        let path: Option<WorkspacePath> = text.parse().ok();
        let names = path.iter().flat_map(|path| path.as_str().split('/')).map(str::to_owned).collect();
        Self { text, names }
    }
}

pub(crate) struct Facts<'a> {
    pub(crate) question: &'a Question<'a>,
    /// With `access` where a path is protected.
    pub(crate) risks: Risks,
    pub(crate) protection: Option<(Protection, &'a str)>,
    /// The kind of the asker; for a script, of its starter.
    pub(crate) origin: OriginKind,
    pub(crate) touched: Vec<Touched<'a>>,
    /// It touches the whole workspace, or nobody can tell where a command that it runs stays.
    pub(crate) whole: bool,
    /// The commands of the line that a shell would run.
    pub(crate) commands: Option<Result<Vec<Words>, Unclear>>,
}

impl<'a> Facts<'a> {
    pub(crate) fn new(question: &'a Question<'a>) -> Self {
        let touched: Vec<_> = question.targets.iter().filter_map(touched).collect();
        let names_whole = question.targets.iter().any(|target| is_path(target) && target.id.is_empty());
        Self {
            whole: names_whole || (question.command.is_some() && touched.is_empty()),
            question,
            risks: with_protection(question.risks.clone(), question.targets),
            protection: protection(question.targets),
            origin: question.origin.starter().into(),
            touched,
            commands: question.command.map(commands),
        }
    }

    /// It changes something, or runs a command, which can.
    pub(crate) fn may_change(&self) -> bool {
        self.question.command.is_some() || !self.risks.is_read_only()
    }
}

fn is_path(target: &ObjectRef) -> bool {
    matches!(target.kind.as_str(), "file" | "folder")
}

/// The path that a target is, unless that is the whole workspace.
pub(crate) fn touched(target: &ObjectRef) -> Option<Touched<'_>> {
    (is_path(target) && !target.id.is_empty()).then(|| Touched {
        path: &target.id,
        exact: ComparedPath::new(target.id.clone()),
        folded: ComparedPath::new(folded_path(&target.id)),
    })
}

/// Adds `access` to the risks of what touches a protected path.
pub(crate) fn with_protection(mut risks: Risks, targets: &[ObjectRef]) -> Risks {
    if let Some((found, _)) = protection(targets)
        && (!risks.is_read_only() || matches!(found, Protection::Own | Protection::Git))
    {
        risks.insert(Risk::Access);
    }
    risks
}
