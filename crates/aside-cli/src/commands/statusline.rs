//! `aside statusline`: one line for Claude Code.

use std::{
    io::Read as _,
    os::unix::process::CommandExt as _,
    path::Path,
    process::{Command, Stdio},
};

use aside_core::{Failure, Timestamp};
use aside_history::{ActiveBlock, Asked, Burn, Filter, History, Statusline, TimeZone, Until, zone};

use crate::{
    arguments::{CostSource, StatuslineArguments, VisualBurnRate},
    commands::{
        history::{environment, told},
        report::asked_folder,
    },
    ended::Ended,
    output::{Colour, Output},
};

/// Bytes on standard input; Claude Code gives some hundred.
const LONGEST: u64 = 1 << 20;

/// Reads what Claude Code says on standard input and prints the line.
pub fn statusline(what: &StatuslineArguments, output: &Output) -> anyhow::Result<Ended> {
    let (low, medium) = (what.context_low_threshold, what.context_medium_threshold);
    if low >= medium {
        let failure = Failure::new(
            "bad_request",
            format!("the green threshold, {low} %, must be below the yellow one, {medium} %"),
        );
        return Err(failure.hint("Set --context-low-threshold lower than --context-medium-threshold.").into());
    }
    let mut text = Vec::new();
    std::io::stdin().take(LONGEST).read_to_end(&mut text)?;
    // A folder's name may be no UTF-8; the rest is.
    let text = String::from_utf8_lossy(&text);
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
    let workspace = what.workspace.as_deref().map(asked_folder);
    let (since, until) = times(what.since.as_deref(), what.until.as_deref(), &zone)?;
    let of = Filter { since, until, workspace, sources: what.source.clone(), ..Filter::default() };
    let line = aside_history::statusline(&history, &asked, &of, &zone, now()).map_err(told)?;
    output.result(&line, || words(&line, what, output));
    // The line is there, whatever becomes of the next one.
    if history.is_behind(now()).unwrap_or(false) {
        import_later();
    }
    Ok(Ended::Done)
}

/// Has other logs read by a process of its own, for the lines after this one: the program that asks for it waits for no more than a line.
#[expect(clippy::disallowed_methods, reason = "starts this program once more")]
fn import_later() {
    let Ok(program) = std::env::current_exe() else { return };
    let mut import = Command::new(program);
    import.args(["history", "import"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // A Ctrl-C in the terminal is not meant for it. What does not start is tried again when the time has passed again.
    let _ = import.process_group(0).spawn();
}

/// From when on and up to when, as options say it.
pub fn times(
    since: Option<&str>,
    until: Option<&str>,
    zone: &TimeZone,
) -> anyhow::Result<(Option<Timestamp>, Option<Timestamp>)> {
    let moment = |text: Option<&str>, end| text.map(|text| Filter::moment(text, end, zone, now())).transpose();
    let (from, to) = (moment(since, Until::Start).map_err(told)?, moment(until, Until::End).map_err(told)?);
    let swapped = from.zip(to).is_some_and(|(from, to)| from >= to);
    match (since, until) {
        (Some(since), Some(until)) if swapped => {
            anyhow::bail!("`{since}` is not before `{until}`\nhint: swap --since and --until")
        }
        _ => Ok((from, to)),
    }
}

/// The time.
pub fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

fn words(line: &Statusline, what: &StatuslineArguments, output: &Output) -> String {
    let block = match &line.block {
        Some(block) => format!("${:.2} block ({} left)", block.cost, time(block.remaining_minutes)),
        None => "No active block".to_owned(),
    };
    let mut text = format!(
        "🤖 {} | 💰 {} session / ${:.2} today / {block}",
        one_line(&line.model),
        session(line, what.cost_source),
        line.today_cost
    );
    if let Some(ActiveBlock { burn: Some(burn), .. }) = &line.block {
        text += &format!(" | 🔥 {}", speed(burn, what.visual_burn_rate, output));
    }
    if let (Some(tokens), Some(percent)) = (line.context_tokens, line.context_percent) {
        let colour = match percent {
            _ if percent < what.context_low_threshold => Colour::Green,
            _ if percent < what.context_medium_threshold => Colour::Yellow,
            _ => Colour::Red,
        };
        let percent = output.paint(colour, &format!("{percent}%"));
        text += &format!(" | 🧠 {} ({percent})", super::report::table::grouped(tokens));
    }
    text
}

/// How fast money goes, in the colour of how fast tokens do.
fn speed(burn: &Burn, shown: VisualBurnRate, output: &Output) -> String {
    let (colour, sign, word) = match burn.tokens_per_minute_for_indicator {
        speed if speed < 2_000.0 => (Colour::Green, "🟢", "Normal"),
        speed if speed < 5_000.0 => (Colour::Yellow, "⚠️", "Moderate"),
        _ => (Colour::Red, "🚨", "High"),
    };
    let cost = output.paint(colour, &format!("${:.2}/hr", burn.cost_per_hour));
    let word = output.paint(colour, &format!("({word})"));
    match shown {
        VisualBurnRate::Off => cost,
        VisualBurnRate::Emoji => format!("{cost} {sign}"),
        VisualBurnRate::Text => format!("{cost} {word}"),
        VisualBurnRate::EmojiText => format!("{cost} {sign} {word}"),
    }
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

fn time(minutes: i64) -> String {
    if minutes < 60 { format!("{minutes}m") } else { format!("{}h {}m", minutes / 60, minutes % 60) }
}

/// A name as part of a line.
fn one_line(name: &str) -> String {
    aside_core::harmless(name).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::arguments::{self, Arguments};

    fn shown(line: &Statusline, args: &[&str]) -> String {
        let Some(arguments::Command::Statusline(what)) =
            Arguments::parse_from([&["aside", "statusline"], args].concat()).command
        else {
            unreachable!("a status line is asked for")
        };
        words(line, &what, &Output { json: false, colour: false })
    }

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
        assert_eq!(shown(&line, &[]), "🤖 Opus | 💰 $0.23 session / $1.23 today / No active block | 🧠 25,000 (12%)");
        let burn =
            aside_history::Burn { tokens_per_minute: 9.0, tokens_per_minute_for_indicator: 1.0, cost_per_hour: 0.12 };
        line.block = Some(ActiveBlock { cost: 0.45, remaining_minutes: 165, burn: Some(burn) });
        line.context_tokens = None;
        assert_eq!(
            shown(&line, &["--cost-source", "both"]),
            "🤖 Opus | 💰 ($0.30 cc / $0.23 aside) session / $1.23 today / $0.45 block (2h 45m left) | 🔥 $0.12/hr"
        );
    }

    #[test]
    fn how_fast_tokens_go_is_said_as_asked() {
        let block = |tokens_per_minute_for_indicator| {
            let burn = Burn { tokens_per_minute: 0.0, tokens_per_minute_for_indicator, cost_per_hour: 0.12 };
            Some(ActiveBlock { cost: 0.45, remaining_minutes: 165, burn: Some(burn) })
        };
        let mut line = Statusline {
            model: "Opus".to_owned(),
            session_cost: None,
            told_cost: None,
            today_cost: 0.0,
            block: block(1999.0),
            context_tokens: None,
            context_percent: None,
        };
        let end = |line: &Statusline, how: &str| shown(line, &["-B", how]).rsplit_once("🔥 ").unwrap().1.to_owned();
        assert_eq!(
            ["off", "emoji", "text"].map(|how| end(&line, how)),
            ["$0.12/hr", "$0.12/hr 🟢", "$0.12/hr (Normal)"]
        );
        line.block = block(2000.0);
        assert_eq!(end(&line, "emoji-text"), "$0.12/hr ⚠️ (Moderate)");
        line.block = block(5000.0);
        assert_eq!(end(&line, "emoji-text"), "$0.12/hr 🚨 (High)");
    }
}
