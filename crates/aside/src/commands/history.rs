//! `aside history …`: brings the index of AI coding logs up to date, and asks it.

mod ask;
mod pull;

use std::io::{IsTerminal as _, Write as _};

use aside_core::Failure;
use aside_history::{Asking, Effort, History, Imported, Progress, TOOLS, answer, zone};
use aside_protocol::HistoryPull;
use serde_json::json;

use crate::{
    arguments::HistoryCommand,
    commands::{report, statusline},
    ended::Ended,
    output::Output,
};

/// Does what needs no server, if that was asked for.
pub fn at_once(what: &HistoryCommand, output: &Output) -> Option<anyhow::Result<Ended>> {
    let done = match what {
        HistoryCommand::Ask { .. } | HistoryCommand::Pull { .. } => return None,
        HistoryCommand::Import => import(output),
        HistoryCommand::Report(what) => report::report(what, output),
        HistoryCommand::Statusline(what) => statusline::statusline(what, output),
        HistoryCommand::Tool { name: Some(name), args } => tool(name, args, output),
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
        HistoryCommand::Ask { question, model, no_tools, place } => {
            ask::ask(ask::Question { text: question, model, looks: !no_tools }, &place, output).await
        }
        HistoryCommand::Pull { repo, host, allow, place } => {
            let asked = HistoryPull { repo: repo.unwrap_or_default(), host, clone: None, allow };
            pull::pull(asked, &place, output).await
        }
        _ => unreachable!("these are done at once"),
    }
}

fn import(output: &Output) -> anyhow::Result<Ended> {
    let (_, imported) = up_to_date(output)?;
    output.result(&imported, || words(&imported));
    Ok(Ended::Done)
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

/// Asks one question about this folder, or what its arguments name.
fn tool(name: &str, args: &serde_json::Value, output: &Output) -> anyhow::Result<Ended> {
    let (mut history, _) = up_to_date(output)?;
    history.read_texts().map_err(told)?;
    let workspace = std::env::current_dir().ok().map(|folder| folder.display().to_string());
    let asking = Asking {
        now: statusline::now(),
        zone: zone(None).map_err(told)?,
        workspace,
        plan: history.settings().map_err(told)?.plan,
    };
    let found = answer(history.index(), &asking, name, args);
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
    let mut history = History::open(environment).map_err(|error| error.failure())?;
    history.problem.iter().for_each(|problem| output.notice(problem));
    let shows = !output.json && std::io::stderr().is_terminal();
    let mut drawn = false;
    let imported = history.update(environment, Effort::All, &mut |progress| {
        if shows && progress.bytes < progress.of {
            drawn = true;
            draw(progress);
        }
    });
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
    if *files == 0 {
        return NOTHING.to_owned();
    }
    let mut text = format!("{files} logs, {read} of them with something new ({})", megabytes(*bytes));
    if *gone > 0 {
        text += &format!("\n{gone} logs are gone; what was in them stays known");
    }
    if *problems > 0 {
        text += &format!("\n{problems} lines could not be read; their neighbours were");
    }
    text
}

/// What somebody is told who has no logs.
pub const NOTHING: &str = "\
no logs of AI coding programs were found here
they are looked for where Claude Code, Codex, Cursor, Gemini CLI, opencode, Copilot CLI, Cline, Roo Code, Kilo Code, Qwen Code, pi, Amp, Goose,
Continue and Aider keep them, such as ~/.claude/projects and ~/.codex/sessions (CLAUDE_CONFIG_DIR, CODEX_HOME)";

/// An error of the history, as the command line tells errors.
pub fn told(error: aside_history::HistoryError) -> anyhow::Error {
    anyhow::Error::new(Failure::from(error))
}
