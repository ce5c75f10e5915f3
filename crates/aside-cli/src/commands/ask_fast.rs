//! The fast path of `aside ask`: the actions that rules read in a sentence, done through the Gate.

use std::io::IsTerminal as _;

use aside_core::{ActionState, Outcome, harmless};
use aside_protocol::{CountSentence, RouteKind, RouteSentence, RoutedSentence, RoutedStep, SentenceWay, Submitted};

use super::{
    decide::prompt,
    do_action::{self, request},
};
use crate::{client::Client, ended::Ended, output::Output};

/// Does what a sentence says; none if a model has to read it.
pub async fn ask(client: &Client, text: &str, yes: bool, output: &Output) -> anyhow::Result<Option<Ended>> {
    let sentence = RouteSentence { text: text.to_owned(), context: None, window: None };
    let routed: RoutedSentence = client.post("ask/route", &sentence).await?;
    match routed.kind {
        RouteKind::Model => {
            count(client, SentenceWay::Model, &[]).await?;
            Ok(None)
        }
        RouteKind::Action | RouteKind::Actions => run_all(client, &routed.actions, yes, output).await.map(Some),
        RouteKind::Choose => match choose(&routed, output).await? {
            Some(step) => run_all(client, &[step], yes, output).await.map(Some),
            None => Ok(Some(Ended::NeedsDecision)),
        },
    }
}

/// Counts the sentence, without its words.
async fn count(client: &Client, way: SentenceWay, steps: &[RoutedStep]) -> anyhow::Result<()> {
    let actions = steps.iter().map(|step| step.action_type.clone()).collect();
    client.post("statistics/sentences", &CountSentence { way, actions }).await
}

/// Runs actions in order, up to the first that is not done.
async fn run_all(client: &Client, steps: &[RoutedStep], yes: bool, output: &Output) -> anyhow::Result<Ended> {
    count(client, SentenceWay::Rules, steps).await?;
    for step in steps {
        let ended = run(client, step, yes, output).await?;
        if ended != Ended::Done {
            return Ok(ended);
        }
    }
    Ok(Ended::Done)
}

/// Runs one action. An action with an effect shows its preview first and asks, whatever the rules of the Gate allow.
async fn run(client: &Client, step: &RoutedStep, yes: bool, output: &Output) -> anyhow::Result<Ended> {
    let with = |dry_run| request(step.action_type.clone(), step.args.clone(), None, dry_run);
    if step.is_gentle || yes {
        return do_action::with(client, &with(false), yes, output).await;
    }
    let foreseen: Submitted = client.post("actions", &with(true)).await?;
    let record = &foreseen.record;
    if matches!(record.outcome, Some(Outcome::Failed { .. } | Outcome::Refused { .. }))
        || record.state == ActionState::AwaitingConfirmation
    {
        // It fails or asks by itself.
        return do_action::with(client, &with(false), yes, output).await;
    }
    output.result(&foreseen, || do_action::show(&foreseen, true, output));
    if output.json || !is_approved().await? {
        return Ok(Ended::NeedsDecision);
    }
    do_action::with(client, &with(false), true, output).await
}

/// Asks the person, if one is there.
async fn is_approved() -> anyhow::Result<bool> {
    let is_there = std::io::stdin().is_terminal();
    Ok(is_there && matches!(prompt("Do it? [y]es, [n]o: ").await?.as_deref(), Some("y" | "yes")))
}

/// Asks which of several actions is meant; none if nobody says.
async fn choose(routed: &RoutedSentence, output: &Output) -> anyhow::Result<Option<RoutedStep>> {
    output.result(routed, || listed(&routed.candidates));
    if output.json || !std::io::stdin().is_terminal() {
        return Ok(None);
    }
    let answer = prompt("Which one? Number: ").await?;
    let number = answer.and_then(|answer| answer.trim().parse::<usize>().ok());
    Ok(number.and_then(|number| routed.candidates.get(number.checked_sub(1)?)).cloned())
}

fn listed(candidates: &[RoutedStep]) -> String {
    let line = |(number, step): (usize, &RoutedStep)| format!("{number}  {}: {}", step.title, harmless(&step.detail));
    let lines: Vec<_> = (1..).zip(candidates).map(line).collect();
    format!("Several objects fit:\n{}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use aside_core::{Risk, UndoSupport};
    use serde_json::json;

    use super::*;

    #[test]
    fn candidates_have_numbers_and_objects() {
        let step = |detail: &str| RoutedStep {
            action_type: "file.delete".parse().unwrap(),
            args: json!({ "path": detail }),
            title: "Delete a file or folder".to_owned(),
            detail: detail.to_owned(),
            risks: [Risk::Destructive].into(),
            undo: UndoSupport::Inverse,
            is_gentle: false,
        };
        let text = listed(&[step("raw/data.csv"), step("old/data.csv")]);
        assert_eq!(
            text,
            "Several objects fit:\n1  Delete a file or folder: raw/data.csv\n2  Delete a file or folder: old/data.csv"
        );
    }
}
