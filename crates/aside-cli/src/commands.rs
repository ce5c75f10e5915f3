//! The commands, one file each.

mod actions;
mod ask;
mod ask_fast;
mod assistant;
mod audit;
mod decide;
mod demo;
mod do_action;
mod doctor;
mod estimate;
mod grants;
mod history;
mod kernels;
mod mcp;
mod models;
mod notebook;
mod notes;
mod open;
mod policy;
mod recipe;
mod remember;
mod report;
mod script;
mod servers;
mod stats;
mod statusline;
mod task;
mod trust;
mod undo;
mod versions;

use aside_core::Choice;
use aside_server::Ui;

use crate::{
    arguments::{Arguments, Command},
    ended::Ended,
    output::Output,
    workspace,
};

/// Does what needs neither a server nor the network, and so no runtime for them; none of what does.
pub fn at_once(arguments: &Arguments, output: &Output) -> Option<anyhow::Result<Ended>> {
    match &arguments.command {
        Some(Command::History { what }) => history::at_once(what, output),
        Some(Command::Report(what)) => Some(report::report(what, output)),
        Some(Command::Statusline(what)) => Some(statusline::statusline(what, output)),
        _ => None,
    }
}

/// Runs what was typed.
pub async fn run(arguments: Arguments, ui: Ui, output: &Output) -> anyhow::Result<Ended> {
    match arguments.command {
        None => open::open(arguments.open, ui, output).await,
        Some(Command::Demo { folder, serve }) => demo::demo(&folder, serve, ui, output).await,
        Some(Command::Ask { text, file, model, estimate: true, place, .. }) => {
            let file = file.map(|file| workspace::file(&place, &file)).transpose()?;
            estimate::estimate(text, file, model.flatten(), &place, output).await
        }
        Some(Command::Ask { text, file, model, yes, place, .. }) => {
            let file = file.map(|file| workspace::file(&place, &file)).transpose()?;
            let route = match model.is_none() && file.is_none() {
                true => ask::SentencePath::Fast,
                false => ask::SentencePath::Model,
            };
            let question = ask::Question { text, file, model: model.flatten(), yes, route };
            ask::ask(question, &place, output).await
        }
        Some(Command::Do { action, args, dry_run, yes, idempotency_key, place }) => {
            let request = do_action::request(action, args, idempotency_key, dry_run);
            do_action::do_action(&request, yes, &place, output).await
        }
        Some(Command::Decide { id, yes, no, remember, rule, place }) => {
            let choice = yes.then_some(Choice::Approve).or(no.then_some(Choice::Reject));
            decide::command(id, choice, remember.map(|reach| (reach, rule)), &place, output).await
        }
        Some(Command::Undo { id, yes, place }) => undo::undo(id, yes, &place, output).await,
        Some(Command::Actions { what, place }) => actions::actions(what, &place, output).await,
        Some(Command::Audit { what, place }) => audit::audit(what, &place, output).await,
        Some(Command::Stats { days, forget, place }) => stats::stats(days, forget, &place, output).await,
        Some(Command::Models { what, place }) => models::models(what, &place, output).await,
        Some(Command::Grants { what, place }) => grants::grants(what, &place, output).await,
        Some(Command::Notebook { what, place }) => notebook::notebook(what, &place, output).await,
        Some(Command::Notes { what, place }) => notes::notes(what, &place, output).await,
        Some(Command::Versions { file, place }) => versions::versions(&file, &place, output).await,
        Some(Command::Kernels { what, place }) => kernels::kernels(what, &place, output).await,
        Some(Command::Assistant { what, place }) => assistant::assistant(what, &place, output).await,
        Some(Command::Policy { what, place }) => policy::policy(what, &place, output).await,
        Some(Command::Task { what, place }) => task::task(what, &place, output).await,
        Some(Command::Script { what, place }) => script::script(what, &place, output).await,
        Some(Command::Recipe { what, place }) => recipe::recipe(what, &place, output).await,
        Some(Command::Mcp { what: Some(what), place, .. }) => servers::servers(what, &place, output).await,
        Some(Command::Mcp { conformance_fixtures: Some(port), .. }) => mcp::fixtures(port, output).await,
        Some(Command::Mcp { place, token, .. }) => mcp::mcp(&place, token).await,
        Some(Command::History { what }) => history::history(what, output).await,
        Some(Command::Report(_) | Command::Statusline(_)) => {
            unreachable!("these are done at once")
        }
        Some(Command::Trust { path }) => trust::trust(path, output),
        Some(Command::Doctor { place, ask }) => doctor::doctor(&place, ask, ui, output).await,
    }
}
