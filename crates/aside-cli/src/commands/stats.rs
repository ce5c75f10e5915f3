//! `aside stats`: how well Aside serves in a workspace, counted on this machine.

use aside_protocol::{ClassCounts, FindStatistics, Statistics};

use crate::{arguments::Where, client::Client, ended::Ended, output::Output, workspace};

/// Shows the counts, or deletes those of sentences.
pub async fn stats(days: u32, forget: bool, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let client = workspace::open(place).await?;
    let result = if forget { forget_sentences(&client, output).await } else { show(&client, days, output).await };
    client.finish().await;
    result
}

async fn forget_sentences(client: &Client, output: &Output) -> anyhow::Result<Ended> {
    client.delete::<()>("statistics/sentences").await?;
    output.result(&(), || "deleted the counts of sentences; the activity log and the tasks stay".to_owned());
    Ok(Ended::Done)
}

async fn show(client: &Client, days: u32, output: &Output) -> anyhow::Result<Ended> {
    let found: Statistics = client.find("statistics", &FindStatistics { days: Some(days) }).await?;
    output.result(&found, || words(&found));
    Ok(Ended::Done)
}

fn words(found: &Statistics) -> String {
    let Statistics { days, first_success, sentences, classes, tasks, confirmations, refusals, undos, .. } = found;
    let asked = sentences.rules + sentences.model;
    let mut lines = vec![
        format!("the last {days} days, counted on this machine and not sent anywhere"),
        match first_success {
            Some(time) => format!("first success after {}", duration(*time)),
            None => "nothing that was asked for in words has succeeded yet".to_owned(),
        },
        match asked {
            0 => "no sentences".to_owned(),
            _ => format!("{asked} sentences: {} understood without a model", percent(sentences.rules, asked)),
        },
    ];
    lines.extend(sentences.actions.iter().take(5).map(|of| format!("  {:>5}  {}", of.count, of.action)));
    lines.extend(classes.iter().map(class));
    lines.push(format!(
        "tasks: {} completed, {} failed, {} cancelled, {} handed on to a thread",
        tasks.completed, tasks.failed, tasks.cancelled, sentences.handed_on
    ));
    let wait = confirmations.median_wait.map_or_else(String::new, |wait| format!(", half within {}", duration(wait)));
    lines.push(format!(
        "confirmations: {} asked, {} approved, {} rejected{wait}",
        confirmations.asked, confirmations.approved, confirmations.rejected
    ));
    lines.push(format!(
        "refusals: {} by you, {} by permissions, {} by a grant, {} as wrong requests",
        refusals.person, refusals.policy, refusals.grant, refusals.request
    ));
    lines.push(format!("undone: {} within a minute, {} later", undos.within_minute, undos.later));
    lines.join("\n")
}

fn class(counts: &ClassCounts) -> String {
    let ClassCounts { risk, done, failed, refused, interrupted } = counts;
    let name = risk.map_or_else(|| "window".to_owned(), |risk| risk.to_string());
    let all = done + failed + refused + interrupted;
    format!("{name:11}  {all:>6} actions: {} done, {failed} failed, {refused} refused", percent(*done, all))
}

fn percent(part: u32, all: u32) -> String {
    format!("{} %", (u64::from(part) * 200 / u64::from(all.max(1))).div_ceil(2))
}

fn duration(milliseconds: i64) -> String {
    match milliseconds / 1000 {
        seconds if seconds < 120 => format!("{seconds} s"),
        seconds if seconds < 120 * 60 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3600),
    }
}

#[cfg(test)]
mod tests {
    use aside_core::Risk;
    use aside_protocol::SentenceCounts;

    use super::*;

    #[test]
    fn counts_are_told_in_lines() {
        let sentences = SentenceCounts { rules: 2, model: 1, ..SentenceCounts::default() };
        let write = ClassCounts { risk: Some(Risk::Write), done: 3, failed: 1, ..ClassCounts::default() };
        let window = ClassCounts { done: 2, ..ClassCounts::default() };
        let found = Statistics {
            days: 7,
            first_success: Some(95_000),
            sentences,
            classes: vec![window, write],
            ..Statistics::default()
        };
        let text = words(&found);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "first success after 95 s");
        assert_eq!(lines[2], "3 sentences: 67 % understood without a model");
        assert_eq!(lines[3], "window            2 actions: 100 % done, 0 failed, 0 refused");
        assert_eq!(lines[4], "write             4 actions: 75 % done, 1 failed, 0 refused");
    }

    #[test]
    fn empty_workspace_says_so() {
        let text = words(&Statistics { days: 30, ..Statistics::default() });
        assert!(text.contains("no sentences") && text.contains("has succeeded yet"), "{text}");
    }
}
