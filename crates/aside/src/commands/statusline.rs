//! `aside statusline`: one line for Claude Code.

use std::{io::Read as _, path::Path};

use aside_core::Timestamp;
use aside_history::{ActiveBlock, Asked, Filter, History, Statusline, zone};

use crate::{
    arguments::{CostSource, StatuslineArguments},
    commands::{
        history::{environment, told},
        report::folder,
    },
    ended::Ended,
    output::{Colour, Output},
};

/// Bytes on standard input; Claude Code gives some hundred.
const LONGEST: u64 = 1 << 20;

/// Reads what Claude Code says on standard input and prints the line.
pub fn statusline(what: &StatuslineArguments, output: &Output) -> anyhow::Result<Ended> {
    let mut text = String::new();
    std::io::stdin().take(LONGEST).read_to_string(&mut text)?;
    let asked = Asked::read(&text).map_err(told)?;
    let zone = zone(what.timezone.as_deref()).map_err(told)?;
    let log = asked.transcript().map(Path::new);
    let history = match History::open_current(environment, log).map_err(told)? {
        Some(history) => history,
        None => {
            let mut history = History::open(environment).map_err(told)?;
            log.map_or(Ok(()), |log| history.update_session(log, environment)).map_err(told)?;
            history
        }
    };
    let workspace = what.workspace.as_deref().map(folder);
    let of = Filter { workspace, sources: what.source.clone(), ..Filter::default() };
    let line = aside_history::statusline(&history, &asked, &of, &zone, now()).map_err(told)?;
    output.result(&line, || words(&line, what.cost_source, output));
    Ok(Ended::Done)
}

/// The time.
pub fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

fn words(line: &Statusline, source: CostSource, output: &Output) -> String {
    let block = match &line.block {
        Some(block) => format!("${:.2} block ({} left)", block.cost, time(block.remaining_minutes)),
        None => "No active block".to_owned(),
    };
    let mut text = format!(
        "🤖 {} | 💰 {} session / ${:.2} today / {block}",
        aside_core::harmless(&line.model),
        session(line, source),
        line.today_cost
    );
    if let Some(ActiveBlock { burn: Some(burn), .. }) = &line.block {
        let colour = speed_colour(burn.tokens_per_minute_for_indicator);
        text += &format!(" | 🔥 {}", output.paint(colour, &format!("${:.2}/hr", burn.cost_per_hour)));
    }
    if let (Some(tokens), Some(percent)) = (line.context_tokens, line.context_percent) {
        let colour = if percent < 50 {
            Colour::Green
        } else if percent < 80 {
            Colour::Yellow
        } else {
            Colour::Red
        };
        let percent = output.paint(colour, &format!("{percent}%"));
        text += &format!(" | 🧠 {} ({percent})", super::report::table::grouped(tokens));
    }
    text
}

fn session(line: &Statusline, source: CostSource) -> String {
    let cost = |cost: Option<f64>| cost.map_or_else(|| "N/A".to_owned(), |cost| format!("${cost:.2}"));
    match source {
        CostSource::Auto => cost(line.session_cost.or(line.told_cost)),
        CostSource::Aside => cost(line.session_cost),
        CostSource::Cc => cost(line.told_cost),
        CostSource::Both => format!("({} cc / {} aside)", cost(line.told_cost), cost(line.session_cost)),
    }
}

/// Tokens a minute, without those of caches.
fn speed_colour(speed: f64) -> Colour {
    if speed < 2_000.0 {
        Colour::Green
    } else if speed < 5_000.0 {
        Colour::Yellow
    } else {
        Colour::Red
    }
}

fn time(minutes: i64) -> String {
    if minutes < 60 { format!("{minutes}m") } else { format!("{}h {}m", minutes / 60, minutes % 60) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_is_known() {
        let mut line = Statusline {
            model: "Opus".to_owned(),
            session_cost: Some(0.234),
            told_cost: Some(0.3),
            today_cost: 1.23,
            block: None,
            context_tokens: Some(25_000),
            context_percent: Some(12),
        };
        let output = Output { json: false, colour: false };
        assert_eq!(
            words(&line, CostSource::Auto, &output),
            "🤖 Opus | 💰 $0.23 session / $1.23 today / No active block | 🧠 25,000 (12%)"
        );
        let burn =
            aside_history::Burn { tokens_per_minute: 9.0, tokens_per_minute_for_indicator: 1.0, cost_per_hour: 0.12 };
        line.block = Some(ActiveBlock { cost: 0.45, remaining_minutes: 165, burn: Some(burn) });
        line.context_tokens = None;
        assert_eq!(
            words(&line, CostSource::Both, &output),
            "🤖 Opus | 💰 ($0.30 cc / $0.23 aside) session / $1.23 today / $0.45 block (2h 45m left) | 🔥 $0.12/hr"
        );
    }
}
