//! A person's answer to an action that waits: at the prompt, by flag, or not at all.

use std::{
    io::{BufRead as _, IsTerminal as _, Write as _},
    path::PathBuf,
};

use anyhow::Context as _;
use aside_core::{ActionId, ActionRecord, ActionState, Choice, Decision, Failure, Preview};
use aside_protocol::Submitted;

use crate::{
    arguments::{Reach, Where},
    client::Client,
    commands::{remember::Remember, script::until_taken_in},
    ended::Ended,
    follow::follow,
    output::Output,
    preview::{render, render_part},
    task_text::because,
    workspace,
};

/// Where an answer comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Consent {
    /// The person has said so beforehand, and how far a yes is remembered.
    Given(Choice, Option<Remember>),
    /// The person is asked.
    Asked,
    /// Nobody is there to ask.
    Nobody,
}

impl Consent {
    /// `--yes`, else the person if there is one at a terminal.
    pub fn new(yes: bool, output: &Output) -> Self {
        match yes {
            true => Self::Given(Choice::Approve, None),
            false if !output.json && std::io::stdin().is_terminal() => Self::Asked,
            false => Self::Nobody,
        }
    }
}

/// `aside decide [ID] [--yes [--remember REACH [--rule FILE]]|--no]`.
pub async fn command(
    id: Option<ActionId>,
    choice: Option<Choice>,
    remember: Option<(Reach, Option<PathBuf>)>,
    place: &Where,
    output: &Output,
) -> anyhow::Result<Ended> {
    let client = workspace::open(place).await?;
    let result = async {
        let id = match id {
            Some(id) => id,
            None => only_waiting(&client).await?,
        };
        let waiting: Submitted = client.get(&format!("actions/{id}")).await?;
        if waiting.record.state != ActionState::AwaitingConfirmation {
            return Err(Failure::new("not_waiting", format!("action {id} is not waiting for a decision")).into());
        }
        let remember = match remember {
            Some((reach, rule)) => Some(Remember::read(reach, rule, &client, &id).await?),
            None => None,
        };
        let consent = choice.map_or_else(|| Consent::new(false, output), |choice| Consent::Given(choice, remember));
        let settled = settle(&client, waiting, consent, output).await?;
        if let Some(task) = settled.record.origin.script().filter(|_| client.is_own()) {
            until_taken_in(&client, task, &id).await?;
        }
        Ok(settled)
    };
    let result: anyhow::Result<Submitted> = result.await;
    client.finish().await;
    let submitted = result?;
    output.result(&submitted, || words(&submitted.record));
    Ok(match (choice, Ended::of(&submitted)) {
        // Saying no was what was asked for.
        (Some(Choice::Reject), Ended::Refused) => Ended::Done,
        (_, ended) => ended,
    })
}

async fn only_waiting(client: &Client) -> anyhow::Result<ActionId> {
    let waiting: Vec<ActionRecord> = client.get("actions?state=awaiting_confirmation").await?;
    match &waiting[..] {
        [one] => Ok(one.envelope.id.clone()),
        [] => Err(Failure::new("not_found", "no action is waiting for a decision").into()),
        several => {
            let ids: Vec<&str> = several.iter().map(|record| record.envelope.id.as_str()).collect();
            Err(Failure::new("ambiguous", format!("{} actions are waiting for a decision", several.len()))
                .hint(format!("pass one of these ids: {}", ids.join(", ")))
                .into())
        }
    }
}

/// Gets an action that waits to its end, as far as there is somebody to decide. If the document moves on
/// meanwhile, what would happen now is shown and asked again.
pub async fn settle(
    client: &Client,
    mut waiting: Submitted,
    consent: Consent,
    output: &Output,
) -> anyhow::Result<Submitted> {
    while waiting.record.state == ActionState::AwaitingConfirmation {
        let decisions = match &consent {
            Consent::Nobody => return Ok(waiting),
            Consent::Given(choice, remember) => {
                let decision = decision(&waiting.record, *choice, None);
                vec![match remember.clone() {
                    Some(remember) => remember.of(decision),
                    None => decision,
                }]
            }
            Consent::Asked => match ask(&waiting.record, output).await? {
                Some(decisions) => decisions,
                None => return Ok(waiting),
            },
        };
        let is_other;
        (waiting, is_other) = decide(client, waiting, decisions, output).await?;
        // A yes that was said before this could be seen is not for this.
        if is_other && matches!(consent, Consent::Given(Choice::Approve, _)) {
            waiting.record.preview.iter().for_each(|preview| output.line(&render(preview, output)));
            return Ok(waiting);
        }
    }
    Ok(waiting)
}

/// Sends the decisions. Tells whether something else would happen by now than what they were about; then it still waits.
async fn decide(
    client: &Client,
    mut waiting: Submitted,
    decisions: Vec<Decision>,
    output: &Output,
) -> anyhow::Result<(Submitted, bool)> {
    let path = format!("actions/{}", waiting.id);
    for mut decision in decisions {
        // Each decision of a part may bring a new preview; what the person saw of this part is unchanged.
        decision.hash.clone_from(&waiting.record.approval_hash);
        match follow(client, &format!("{path}/decision"), &decision, output).await {
            Ok(submitted) => waiting = submitted,
            Err(error) if is_stale(&error) => {
                eprintln!("the preview was out of date; here is the new one");
                return Ok((client.get(&path).await?, true));
            }
            Err(error) => return Err(error),
        }
    }
    Ok((waiting, false))
}

fn is_stale(error: &anyhow::Error) -> bool {
    error.downcast_ref::<Failure>().is_some_and(|failure| failure.code == "stale")
}

fn decision(record: &ActionRecord, choice: Choice, part: Option<u32>) -> Decision {
    let hash = record.approval_hash.clone();
    let parts = part.map(|part| vec![part]);
    match choice {
        Choice::Approve => Decision { parts, ..Decision::approve(hash) },
        Choice::Reject => Decision { parts, hash, ..Decision::reject(None) },
    }
}

/// Shows the preview and asks; none at the end of input.
async fn ask(record: &ActionRecord, output: &Output) -> anyhow::Result<Option<Vec<Decision>>> {
    let Some(preview) = &record.preview else { return Ok(None) };
    output.line(&render(preview, output));
    output.line(&because(&record.verdict));
    let parts = record.open_parts();
    let question = if parts.len() > 1 { "Do it? [y]es, [n]o, [h]unk by hunk: " } else { "Do it? [y]es, [n]o: " };
    loop {
        match prompt(question).await?.as_deref() {
            None => return Ok(None),
            Some("y" | "yes") => return Ok(Some(vec![decision(record, Choice::Approve, None)])),
            Some("n" | "no") => return Ok(Some(vec![decision(record, Choice::Reject, None)])),
            Some("h") if parts.len() > 1 => return ask_parts(record, &parts, output).await,
            Some(_) => {}
        }
    }
}

async fn ask_parts(record: &ActionRecord, parts: &[u32], output: &Output) -> anyhow::Result<Option<Vec<Decision>>> {
    let Some(preview) = &record.preview else { return Ok(None) };
    let mut decisions = Vec::new();
    for part in parts {
        output.line(&render_part(preview, *part, output).unwrap_or_default());
        let choice = loop {
            match prompt("Accept this hunk? [y]es, [n]o: ").await?.as_deref() {
                None => return Ok(None),
                Some("y" | "yes") => break Choice::Approve,
                Some("n" | "no") => break Choice::Reject,
                Some(_) => {}
            }
        };
        decisions.push((choice, *part));
    }
    Ok(Some(answers(record, &decisions)))
}

/// One answer a hunk; a table with checkboxes gets one answer for all rows.
fn answers(record: &ActionRecord, choices: &[(Choice, u32)]) -> Vec<Decision> {
    if !record.preview.as_ref().is_some_and(Preview::is_submitted_once) {
        return choices.iter().map(|(choice, part)| decision(record, *choice, Some(*part))).collect();
    }
    let checked = choices.iter().filter(|(choice, _)| *choice == Choice::Approve);
    let parts: Vec<u32> = checked.map(|(_, part)| *part).collect();
    match parts.is_empty() {
        true => vec![decision(record, Choice::Reject, None)],
        false => vec![Decision { parts: Some(parts), ..decision(record, Choice::Approve, None) }],
    }
}

/// Asks at the terminal; none at the end of input.
pub async fn prompt(question: &str) -> anyhow::Result<Option<String>> {
    let question = question.to_owned();
    let read = tokio::task::spawn_blocking(move || {
        eprint!("{question}");
        std::io::stderr().flush()?;
        let mut line = String::new();
        let length = std::io::stdin().lock().read_line(&mut line)?;
        Ok::<_, std::io::Error>((length > 0).then(|| line.trim().to_lowercase()))
    });
    read.await.context("the prompt ended")?.context("cannot read the answer")
}

/// What became of an action, in a line or two.
pub fn words(record: &ActionRecord) -> String {
    use aside_core::Outcome;
    use aside_core::harmless;
    let id = &record.envelope.id;
    let refused = |failure: &Failure| match &failure.hint {
        Some(hint) => format!("{}\nhint: {}", harmless(&failure.message), harmless(hint)),
        None => harmless(&failure.message).into_owned(),
    };
    match &record.outcome {
        Some(Outcome::Done { observation }) => match &record.remembered {
            Some(remembered) => format!("{}\nremembered as {}", harmless(&observation.text), remembered.rule),
            None => harmless(&observation.text).into_owned(),
        },
        Some(Outcome::Refused { failure, .. }) => format!("refused: {}", refused(failure)),
        Some(Outcome::Failed { failure }) => format!("failed: {}", refused(failure)),
        Some(Outcome::Interrupted { reason }) => format!("interrupted: {}", harmless(reason)),
        None if record.state == ActionState::AwaitingConfirmation => {
            format!("{}\nwaiting for a decision: aside decide {id}", because(&record.verdict))
        }
        None => format!("action {id} is running"),
    }
}
