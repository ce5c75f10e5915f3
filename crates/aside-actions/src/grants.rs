//! What the actions on grants share: how a grant is shown to a person.

use aside_core::{ChangeRow, GRANT_KIND, Grant, ObjectRef, Preview, PreviewBody, Risks};

/// Which way a grant goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// It begins to hold.
    Made,
    /// It does not hold any more.
    Ended,
}

/// Shows all that a grant covers, a row for each kind of limit.
pub(crate) fn preview(grant: &Grant, change: Change) -> Preview {
    let row = |object: &str, words: String| {
        let (before, after) = match change {
            Change::Made => (None, Some(words)),
            Change::Ended => (Some(words), None),
        };
        ChangeRow { object: format!("{object} of “{}”", grant.name), before, after }
    };
    let rows = vec![
        row("risks", risks(&grant.risks)),
        row("actions", actions(grant)),
        row("paths", paths(grant)),
        row("expiry", grant.expires.map_or_else(|| "when revoked".to_owned(), |end| end.to_string())),
    ];
    let summary = match change {
        Change::Made => format!("Create the grant “{}”", grant.name),
        Change::Ended => format!("Revoke the grant “{}”", grant.name),
    };
    Preview { body: PreviewBody::Changes { rows }, ..Preview::summary(summary) }
}

/// Names a grant in what is asked and in the audit: by its id, or by its name before it has one.
pub(crate) fn object(grant: &Grant) -> ObjectRef {
    let id = grant.id.as_ref().map_or_else(|| grant.name.clone(), ToString::to_string);
    ObjectRef { kind: GRANT_KIND.to_owned(), id }
}

fn risks(risks: &Risks) -> String {
    if *risks == Risks::all() { "all risks".to_owned() } else { risks.to_string() }
}

fn actions(grant: &Grant) -> String {
    let Some(patterns) = &grant.actions else { return "all".to_owned() };
    patterns.iter().map(|pattern| pattern.as_str()).collect::<Vec<_>>().join(", ")
}

/// Every list has to cover a file.
fn paths(grant: &Grant) -> String {
    let list = |globs: &Vec<_>| globs.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
    if grant.has_paths() {
        grant.paths.iter().map(list).collect::<Vec<_>>().join(", and ")
    } else {
        "anywhere".to_owned()
    }
}
