//! `aside history …`: brings the index of AI coding logs up to date, and asks it.

mod ask;
mod pull;

use std::io::{IsTerminal as _, Write as _};

use aside_core::{Failure, harmless};
use aside_history::{
    Asking, Dashboard, Effort, Filter, History, Imported, Progress, Skipped, Source, TOOLS, Unread, Until, answer, zone,
};
use aside_protocol::{HistoryPull, MetaAgentBounds};
use serde_json::json;

use crate::{
    arguments::{HistoryCommand, Part},
    commands::{report, statusline},
    ended::Ended,
    output::{Output, on_one_line},
};

/// Does what needs no server, if that was asked for.
pub fn at_once(what: &HistoryCommand, output: &Output) -> Option<anyhow::Result<Ended>> {
    let done = match what {
        HistoryCommand::Ask { .. } | HistoryCommand::Pull { .. } => return None,
        HistoryCommand::Import { part, workspace } => import(part, workspace.as_deref(), output),
        HistoryCommand::Report(what) => report::report(what, output),
        HistoryCommand::Statusline(what) => statusline::statusline(what, output),
        HistoryCommand::Tool { name: Some(name), args, workspace, part } => {
            let folder = workspace.as_deref().map(report::asked_folder);
            bounds(part, folder).and_then(|bounds| tool(name, args, &bounds, output))
        }
        HistoryCommand::Tool { name: None, .. } => {
            list(output);
            Ok(Ended::Done)
        }
    };
    Some(done)
}

/// Does the rest.
pub async fn history(what: HistoryCommand, output: &Output) -> anyhow::Result<Ended> {
    match what {
        HistoryCommand::Ask { question, model, no_tools, part, place } => {
            let folder = place.workspace.as_ref().map(|folder| report::folder(&folder.display().to_string()));
            let bounds = bounds(&part, folder)?;
            ask::ask(ask::Question { text: question, model, looks: !no_tools, bounds }, &place, output).await
        }
        HistoryCommand::Pull { repo, host, allow, place } => {
            let asked = HistoryPull { repo: repo.unwrap_or_default(), host, allow };
            pull::pull(asked, &place, output).await
        }
        _ => unreachable!("these are done at once"),
    }
}

fn import(part: &Part, workspace: Option<&str>, output: &Output) -> anyhow::Result<Ended> {
    let zone = zone(part.timezone.as_deref()).map_err(told)?;
    let (since, until) = statusline::times(part.since.as_deref(), part.until.as_deref(), &zone)?;
    let workspace = workspace.map(report::asked_folder);
    let of = Filter { since, until, workspace, sources: part.source.clone(), ..Filter::default() };
    let is_part = of != Filter { sources: part.source.clone(), ..Filter::default() };
    let (mut history, imported) = up_to_date_of(&part.source, output)?;
    history.read_texts().map_err(told)?;
    let skipped = history.index().skipped().map_err(told)?;
    let sums = is_part.then(|| aside_history::dashboard(history.index(), &of, &zone)).transpose().map_err(told)?;
    let lines = unread(&history, if output.json { LISTED } else { SHOWN + 1 })?;
    let mut value = json!(imported);
    value["lines"] = json!(lines);
    value["skipped"] = json!(skipped);
    if let Some(Dashboard { sessions, totals, .. }) = &sums {
        value["part"] = json!(totals);
        value["part"]["sessions"] = json!(sessions);
    }
    let (logs, _) = history.index().counts().map_err(told)?;
    output.result(&value, || {
        if logs == 0 || imported.files == 0 {
            return nothing() + &told_skipped(&skipped);
        }
        let part = sums.as_ref().map_or_else(String::new, told_part);
        words(&imported) + &part + &told_lines(&lines, &history) + &told_skipped(&skipped)
    });
    Ok(Ended::Done)
}

/// What is known of the part that is asked about.
fn told_part(Dashboard { sessions, totals, .. }: &Dashboard) -> String {
    let cost = report::table::cost(totals);
    let mut text = format!("\nin that part: sessions {sessions}, answers {}, cost {cost}", totals.responses);
    if totals.unpriced > 0 {
        text += &format!("; without a known price, not in any sum: {}", totals.unpriced);
    }
    text
}

/// Lines that could not be read, whenever that was.
fn unread(history: &History, most: usize) -> anyhow::Result<Vec<Unread>> {
    let all = history.index().unread(0, most.saturating_mul(2)).map_err(told)?;
    Ok(all.into_iter().filter(|one| one.offset.is_some()).take(most).collect())
}

/// The first of them, each with its place; then how many there are.
fn told_lines(lines: &[Unread], history: &History) -> String {
    let line = |one: &Unread| {
        format!("\n  {}:{}: {}", on_one_line(&one.path), one.offset.unwrap_or_default(), harmless(&one.reason))
    };
    let mut text: String = lines.iter().take(SHOWN).map(line).collect();
    if lines.len() > SHOWN {
        let all = history.index().counts().map_or(lines.len(), |(_, problems)| problems);
        text += &format!("\n  {all} in total; `aside history import --json` lists them");
    }
    if text.is_empty() { text } else { format!("\nunreadable lines:{text}") }
}

/// Kinds of files and records that are not read, each with one of them and what to try.
fn told_skipped(skipped: &[Skipped]) -> String {
    let line = |one: &Skipped| {
        let Skipped { program, kind, count, example, hint } = one;
        format!("\n  {program}, {kind}: {count}, such as {}\n    {hint}", on_one_line(example))
    };
    let text: String = skipped.iter().map(line).collect();
    if text.is_empty() { text } else { format!("\nnot read:{text}") }
}

/// The questions, with what each takes.
fn list(output: &Output) {
    let told: Vec<_> = TOOLS
        .iter()
        .map(|tool| json!({ "name": tool.name, "summary": tool.summary, "parameters": tool.schema() }))
        .collect();
    output.result(&told, || {
        let takes = |tool: &aside_history::Tool| {
            let named = |one: &aside_history::Parameter| format!("{}{}", one.name, if one.required { "!" } else { "" });
            tool.parameters.iter().map(named).collect::<Vec<_>>().join(", ")
        };
        TOOLS.iter().map(|tool| format!("{}  ({})\n    {}\n", tool.name, takes(tool), tool.summary)).collect()
    });
}

/// Which part of the history is meant, with days as times of their zone.
fn bounds(part: &Part, workspace: Option<String>) -> anyhow::Result<MetaAgentBounds> {
    let zone = zone(part.timezone.as_deref()).map_err(told)?;
    let moment = |text: &Option<String>, end| {
        let at = text.as_deref().map(|text| Filter::moment(text, end, &zone, statusline::now()));
        at.transpose().map(|at| at.map(|at| at.to_string())).map_err(told)
    };
    let words: Vec<&str> = part.source.iter().map(|source| source.word()).collect();
    Ok(MetaAgentBounds {
        since: moment(&part.since, Until::Start)?,
        until: moment(&part.until, Until::End)?,
        source: (!words.is_empty()).then(|| words.join(",")),
        workspace,
        timezone: part.timezone.clone(),
    })
}

/// Questions that are about a folder, and how it is named to them.
const ABOUT_FOLDER: &[(&str, &str)] =
    &[("get_project_summary", "slug"), ("recommend_skills", "project"), ("find_sessions_in_path", "path")];

/// The arguments of a question with what the options say; what is said in them counts before.
fn arguments(name: &str, args: &serde_json::Value, bounds: &MetaAgentBounds) -> serde_json::Value {
    let mut args = args.clone();
    let Some(known) = args.as_object_mut() else { return args };
    if let serde_json::Value::Object(bounds) = json!(bounds) {
        bounds.into_iter().for_each(|(bound, value)| _ = known.entry(bound).or_insert(value));
    }
    let parameter = ABOUT_FOLDER.iter().find(|(question, _)| *question == name);
    if let (Some((_, parameter)), Some(folder)) = (parameter, &bounds.workspace) {
        known.entry(*parameter).or_insert(folder.as_str().into());
    }
    args
}

/// Asks one question about the part of the history that its options name.
fn tool(name: &str, args: &serde_json::Value, bounds: &MetaAgentBounds, output: &Output) -> anyhow::Result<Ended> {
    let args = arguments(name, args, bounds);
    let zone = zone(bounds.timezone.as_deref()).map_err(told)?;
    let (mut history, _) = up_to_date(output)?;
    history.read_texts().map_err(told)?;
    // Paths are told from the folder that is named, or else from this one.
    let folder = bounds.workspace.clone().filter(|folder| std::path::Path::new(folder).is_absolute());
    let here = || std::env::current_dir().ok().map(|folder| folder.display().to_string());
    let plan = history.settings().map_err(told)?.plan;
    let asking = Asking { now: statusline::now(), zone, workspace: folder.or_else(here), plan };
    let found = answer(history.index(), &asking, name, &args);
    let failed = found.get("error").is_some();
    output.line(&if output.json { found.to_string() } else { format!("{found:#}") });
    Ok(if failed { Ended::Failed } else { Ended::Done })
}

/// The environment of this process.
pub fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Opens the history and reads what is new; says how far it is where that takes a while and somebody looks.
pub fn up_to_date(output: &Output) -> anyhow::Result<(History, Imported)> {
    up_to_date_of(&[], output)
}

/// The same of some programs only, if any are named.
fn up_to_date_of(sources: &[Source], output: &Output) -> anyhow::Result<(History, Imported)> {
    let mut history = History::open(environment).map_err(|error| error.failure())?;
    history.problem.iter().for_each(|problem| output.notice(problem));
    let shows = !output.json && std::io::stderr().is_terminal();
    let mut drawn = false;
    let progress = &mut |progress: Progress| {
        if shows && progress.bytes < progress.of {
            drawn = true;
            draw(progress);
        }
    };
    let imported = match sources {
        [] => history.update(environment, Effort::All, progress),
        some => history.update_of(some, environment, Effort::All, progress),
    };
    if drawn {
        eprint!("\r\x1b[K");
    }
    let imported = imported.map_err(|error| error.failure())?;
    for (path, reason) in imported.unreadable.iter().take(SHOWN) {
        output.notice(&format!("{} can't be read: {reason}", path.display()));
    }
    if imported.unreadable.len() > SHOWN {
        output.notice(&format!("and {} more files or folders", imported.unreadable.len() - SHOWN));
    }
    Ok((history, imported))
}

/// Of many files that can't be read, this many are named.
const SHOWN: usize = 5;
/// Programs are told of this many lines that can't be read.
const LISTED: usize = 1_000;

fn draw(Progress { bytes, of }: Progress) {
    let percent = bytes.saturating_mul(100) / of.max(1);
    eprint!("\r\x1b[Kreading logs: {percent} % of {}", megabytes(of));
    let _ = std::io::stderr().flush();
}

fn megabytes(bytes: u64) -> String {
    format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10)
}

fn words(imported: &Imported) -> String {
    let Imported { files, read, bytes, gone, problems, .. } = imported;
    let few = |count: usize, one: &'static str, several: &'static str| if count == 1 { one } else { several };
    let logs = few(*files, "log", "logs");
    let mut text = format!("{files} {logs}, {read} with new entries ({})", megabytes(*bytes));
    if *gone > 0 {
        let are = few(*gone, "log was deleted; its entries", "logs were deleted; their entries");
        text += &format!("\n{gone} {are} are kept");
    }
    if *problems > 0 {
        let lines = few(
            *problems,
            "line could not be read; the lines around it",
            "lines could not be read; the lines around them",
        );
        text += &format!("\n{problems} {lines} were");
    }
    text
}

/// What somebody is told who has no logs.
pub fn nothing() -> String {
    let programs: Vec<&str> = Source::all().filter(|source| *source != Source::Aside).map(Source::name).collect();
    format!(
        "no logs of AI coding programs were found on this computer
Aside looks in the default folders of {}, such as ~/.claude/projects and ~/.codex/sessions (CLAUDE_CONFIG_DIR, CODEX_HOME)",
        programs.join(", ")
    )
}

/// An error of the history, as the command line tells errors.
pub fn told(error: aside_history::HistoryError) -> anyhow::Error {
    anyhow::Error::new(Failure::from(error))
}
