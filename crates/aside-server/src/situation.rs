//! The situation of a sentence for the Navigator, in lines: the part that its window knows, and the part that the server knows.

mod notebook;

use std::{collections::BTreeMap, fmt::Write as _, sync::Arc};

use aside_core::{Focus, Grant, ObjectRef, Problem as Finding, ProblemSeverity, TabKind, WorkspacePath};
use aside_protocol::{SentenceTab, WindowSituation};
use aside_route::OpenTab;
use serde_json::json;

use crate::{
    access::Shown,
    app::{App, blocking},
    ask::tabs,
    problem::Problem,
};

/// The most tabs, and the most files with problems, that are told one by one.
const MOST_TABS: usize = 40;
const MOST_FILES: usize = 12;
/// Characters of the time that a window tells, and of a name of a tab.
const TIME: usize = 40;
const NAME: usize = 120;

/// Returns the situation: that of the window that asks, else of the window that was used last. Files outside of the grant
/// are left out.
pub async fn situation(
    app: &Arc<App>,
    shown: Shown,
    window: Option<WindowSituation>,
    focus: Option<Focus>,
    limits: Option<Grant>,
) -> Result<String, Problem> {
    let (open, time) = match window {
        Some(WindowSituation { tabs, time, .. }) => (tabs.into_iter().map(shown_tab).collect(), time),
        None => (tabs(app, shown).await?, None),
    };
    let time = time.unwrap_or_else(|| app.gate.now().to_string());
    let kernels = app.kernels.running();
    let waiting = app.gate.pending()?.len();
    let app = app.clone();
    let told = blocking(move || {
        let may_name = |path: &str| may_name(limits.as_ref(), path);
        let mut lines = format!("time: {}\n", cut(&time, TIME));
        tell_tabs(&mut lines, open.iter().filter(|tab| may_name(&tab.path)));
        let looked_at = focus.filter(|focus| may_name(focus.path.as_str()));
        if let Some(focus) = &looked_at {
            lines += &place(focus);
        }
        let notebook = open.iter().find(|tab| tab.active && tab.kind == "notebook" && may_name(&tab.path));
        if let Some(tab) = notebook {
            lines += &notebook::cells(&app, &tab.path, looked_at.as_ref().and_then(|focus| focus.cell.as_deref()));
        }
        for kernel in kernels.iter().filter(|kernel| may_name(kernel.path.as_str())) {
            let state = json!(kernel.state);
            let _ = writeln!(lines, "kernel of {}: {}", kernel.path, state.as_str().unwrap_or_default());
        }
        let findings = app.workspace.problems(None).unwrap_or_default();
        tell_problems(&mut lines, &findings, may_name);
        if waiting > 0 {
            let _ = writeln!(lines, "actions that wait for the user: {waiting}");
        }
        lines
    });
    Ok(told.await?)
}

/// The kind follows from the name: a window puts no words of its own into the list.
fn shown_tab(SentenceTab { path, is_file, active }: SentenceTab) -> OpenTab {
    let kind = match path.parse::<WorkspacePath>() {
        Ok(file) if is_file => TabKind::of_file(&file),
        _ if path.starts_with("task/") => TabKind::Task,
        _ => TabKind::Page,
    };
    OpenTab { path, kind: kind.word().to_owned(), title: None, active }
}

/// A page of Aside is no file, and may be named by everybody.
fn may_name(limits: Option<&Grant>, path: &str) -> bool {
    let is_covered = |grant: &Grant, path: &WorkspacePath| grant.first_outside(&[ObjectRef::file(path)]).is_none();
    match (limits, WorkspacePath::new(path)) {
        (Some(grant), Ok(path)) => is_covered(grant, &path),
        (Some(grant), Err(_)) => !grant.has_paths(),
        (None, _) => true,
    }
}

fn tell_tabs<'a>(lines: &mut String, tabs: impl Iterator<Item = &'a OpenTab>) {
    let tabs: Vec<&OpenTab> = tabs.collect();
    if tabs.is_empty() {
        lines.push_str("tabs: none\n");
        return;
    }
    lines.push_str("tabs, in order:\n");
    for (number, tab) in (1..).zip(&tabs).take(MOST_TABS) {
        let active = if tab.active { " (active)" } else { "" };
        let _ = writeln!(lines, "{number}. {} {}{active}", tab.kind, cut(&tab.path, NAME));
    }
    if tabs.len() > MOST_TABS {
        let _ = writeln!(lines, "and {} more", tabs.len() - MOST_TABS);
    }
}

fn place(focus: &Focus) -> String {
    let path = cut(focus.path.as_str(), NAME);
    match (focus.selection, focus.cursor) {
        (Some(lines), _) => format!("selection: lines {}-{} of {path}\n", lines.start, lines.end),
        (None, Some(line)) => format!("cursor: line {line} of {path}\n"),
        (None, None) => String::new(),
    }
}

/// Counts and places only: the words of a problem are those of a program.
fn tell_problems(lines: &mut String, findings: &[Finding], may_name: impl Fn(&str) -> bool) {
    let mut files: BTreeMap<&str, (Vec<u32>, usize)> = BTreeMap::new();
    for finding in findings {
        let Some(path) = finding.path.as_ref().filter(|path| may_name(path.as_str())) else { continue };
        let (errors, warnings) = files.entry(path.as_str()).or_default();
        match finding.severity {
            ProblemSeverity::Error => errors.push(finding.line.unwrap_or_default()),
            _ => *warnings += 1,
        }
    }
    for (path, (errors, warnings)) in files.iter().take(MOST_FILES) {
        let at: Vec<_> = errors.iter().take(5).map(u32::to_string).collect();
        let at = if at.is_empty() { String::new() } else { format!(" (lines {})", at.join(", ")) };
        let _ = writeln!(lines, "problems of {path}: {} errors{at}, {warnings} others", errors.len());
    }
    if files.len() > MOST_FILES {
        let _ = writeln!(lines, "and {} more files with problems", files.len() - MOST_FILES);
    }
}

/// The beginning of a name, on one line.
fn cut(text: &str, most: usize) -> String {
    text.chars().map(|one| if one.is_control() { ' ' } else { one }).take(most).collect()
}

#[cfg(test)]
mod tests {
    use aside_core::GrantLimits;

    use super::*;

    fn tab(path: &str, active: bool) -> OpenTab {
        OpenTab { path: path.to_owned(), kind: "text".to_owned(), title: None, active }
    }

    #[test]
    fn tabs_are_told_in_order_and_bounded() {
        let mut lines = String::new();
        tell_tabs(&mut lines, [tab("a.md", false), tab("b\n2. text c.md", true)].iter());
        assert_eq!(lines, "tabs, in order:\n1. text a.md\n2. text b 2. text c.md (active)\n");
        let many: Vec<_> = (0..100).map(|n| tab(&format!("{n}.md"), false)).collect();
        let mut lines = String::new();
        tell_tabs(&mut lines, many.iter());
        assert!(lines.ends_with("40. text 39.md\nand 60 more\n"), "{lines}");
    }

    #[test]
    fn files_outside_of_the_grant_are_left_out() {
        let paths = Some(vec!["docs/**".parse().unwrap()]);
        let grant = Grant::limited("docs", GrantLimits { paths, ..GrantLimits::default() });
        let may = |path: &str| may_name(Some(&grant), path);
        assert!(may("docs/a.md") && !may("secret.md"));
        assert!(may_name(None, "secret.md"));
    }
}
