//! `aside policy show|check`: the rules that hold, and why an action would be ruled on as it would be.

use aside_core::{Explanation, LayerView, PolicyLayer, PolicyView, RuleCheck, RuleView, Ruling, harmless};
use aside_protocol::CheckPolicy;

use crate::{
    arguments::{Policy, Where},
    client::Client,
    ended::Ended,
    output::{Colour, Output},
    workspace,
};

/// Shows the rules, or what they say of an action.
pub async fn policy(what: Policy, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let client = workspace::open(place).await?;
    let result = match what {
        Policy::Show => show(&client, output).await,
        Policy::Check { action, args, asked_as, review, label } => {
            check(&client, &CheckPolicy { action_type: action, args, asked_as, review, label }, output).await
        }
    };
    client.finish().await;
    result
}

async fn show(client: &Client, output: &Output) -> anyhow::Result<Ended> {
    let view: PolicyView = client.get("policy").await?;
    let ai = super::assistant::text(&client.get("assistant").await?);
    let layers = || view.layers.iter().map(|layer| layer_text(layer, output)).collect::<Vec<_>>().join("\n");
    output.result(&view, || format!("{}\n{ai}", layers()));
    let sound = view.layers.iter().all(|layer| layer.problem.is_none());
    Ok(if sound { Ended::Done } else { Ended::Failed })
}

async fn check(client: &Client, question: &CheckPolicy, output: &Output) -> anyhow::Result<Ended> {
    let found: Explanation = client.post("policy/check", question).await?;
    output.result(&found, || explanation(question, &found, output));
    Ok(match found.verdict.ruling {
        Ruling::Allow => Ended::Done,
        Ruling::Confirm => Ended::NeedsDecision,
        Ruling::Deny => Ended::Refused,
    })
}

fn layer_text(layer: &LayerView, output: &Output) -> String {
    let mut text = output.paint(Colour::Bold, layer_name(layer.layer));
    text += &layer.file.as_ref().map(|file| format!("  {}", harmless(file))).unwrap_or_default();
    text.push('\n');
    for problem in layer.problem.iter().flat_map(|problem| problem.lines()) {
        text += &output.paint(Colour::Red, &format!("  mistake: {}\n", harmless(problem)));
    }
    if layer.rules.is_empty() {
        text += "  no rules\n";
    }
    layer.rules.iter().for_each(|rule| text += &rule_text(rule, output));
    text
}

fn layer_name(layer: PolicyLayer) -> &'static str {
    match layer {
        PolicyLayer::Builtin => "Built in",
        PolicyLayer::Organisation => "Your organisation",
        PolicyLayer::User => "You",
        PolicyLayer::Workspace => "This folder (its rules can ask and deny, but not allow)",
        PolicyLayer::Turn => "One turn",
    }
}

fn rule_text(rule: &RuleView, output: &Output) -> String {
    let default = if rule.default { " by default" } else { "" };
    let mut text = format!("  {}{default}  {}: {}\n", ruling(rule.ruling, output), rule.name, harmless(&rule.when));
    if let Some(inactive) = &rule.inactive {
        text += &output.paint(Colour::Yellow, &format!("          inactive: {inactive}\n"));
    }
    text
}

fn explanation(question: &CheckPolicy, found: &Explanation, output: &Output) -> String {
    let verdict = &found.verdict;
    let mut text =
        format!("{}  {}: {}\n", ruling(verdict.ruling, output), question.action_type, harmless(&verdict.rule));
    text += &format!("       {}\n", harmless(&verdict.reason));
    if found.rules.is_empty() {
        return text + "\nThe request was refused before any rule was checked.\n";
    }
    text += "\nThe rules, in order of evaluation:\n";
    // Labels speak last, over a verdict that is there.
    let decided = found.rules.iter().any(|rule| rule.decided && rule.rule == verdict.rule);
    found.rules.iter().for_each(|rule| text += &check_text(rule, decided, output));
    if !decided {
        text +=
            &format!("* {}  {}: overrides the rules above\n", ruling(verdict.ruling, output), harmless(&verdict.rule));
    }
    if let Some(rule) = &verdict.could_add {
        text += &format!("\nAn approval can be remembered as the rule `{}`.\n", harmless(&rule.name));
    }
    text
}

fn check_text(rule: &RuleCheck, decided: bool, output: &Output) -> String {
    let mark = if rule.decided && decided { "*" } else { " " };
    let why = match (&rule.unmet, rule.decided) {
        (Some(unmet), _) => output.paint(Colour::Dim, &harmless(unmet)),
        (None, true) => "decides".to_owned(),
        (None, false) => "also matches".to_owned(),
    };
    format!("{mark} {}  {}: {why}\n", ruling(rule.ruling, output), harmless(&rule.rule))
}

fn ruling(ruling: Ruling, output: &Output) -> String {
    let (colour, word) = match ruling {
        Ruling::Allow => (Colour::Green, "allow"),
        Ruling::Confirm => (Colour::Yellow, "ask  "),
        Ruling::Deny => (Colour::Red, "deny "),
    };
    output.paint(colour, word)
}
