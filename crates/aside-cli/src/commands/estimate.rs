//! `aside ask --estimate`: what a message would cost. Nothing is sent.

use aside_core::{Focus, ModelRef, WorkspacePath, dollars};
use aside_protocol::{EstimateTurn, Span, TurnEstimate};

use crate::{arguments::Where, ended::Ended, output::Output, workspace};

/// Says what a message to a new thread would cost.
pub async fn estimate(
    text: String,
    file: Option<WorkspacePath>,
    model: Option<ModelRef>,
    place: &Where,
    output: &Output,
) -> anyhow::Result<Ended> {
    let focus = file.map(Focus::file);
    let client = workspace::open(place).await?;
    let asked = EstimateTurn { thread: None, model, text, focus, attached: Vec::new() };
    let found = client.post("models/estimate", &asked).await;
    client.finish().await;
    let found: TurnEstimate = found?;
    output.result(&found, || words(&found));
    Ok(Ended::Done)
}

fn words(found: &TurnEstimate) -> String {
    let TurnEstimate { model, input_tokens, steps, input, output, .. } = found;
    let cost = match (&found.cost, found.local) {
        (Some(cost), _) => range(cost, dollars),
        (None, true) => "free: it runs on this computer".to_owned(),
        (None, false) => "unknown: no list has its price".to_owned(),
    };
    let plain = |number: u64| number.to_string();
    let mut text = format!("{model}: {cost}\n{} calls, ", range(steps, plain));
    text += &format!("{} tokens in ({input_tokens} at first), {} out\n", range(input, plain), range(output, plain));
    if let Some(time) = &found.milliseconds {
        text += &format!("{} s at its recent speed\n", range(time, |ms| ms.div_ceil(1000).to_string()));
    }
    text.extend(found.price_source.iter().map(|source| format!("prices: {source}\n")));
    text.extend(found.warning.iter().map(|warning| format!("{warning}\n")));
    text
}

fn range(span: &Span, words: impl Fn(u64) -> String) -> String {
    let (low, high) = (words(span.low), words(span.high));
    if low == high { low } else { format!("{low} to {high}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_knows_is_not_called_free() {
        let span = |low, high| Span { low, high };
        let mut found = TurnEstimate {
            model: "openai/x".parse().unwrap(),
            local: false,
            input_tokens: 1000,
            cached_tokens: 0,
            steps: span(1, 1),
            input: span(1000, 9000),
            output: span(200, 2000),
            cost: None,
            milliseconds: None,
            price_source: None,
            warning: None,
        };
        let unknown = "openai/x: unknown: no list has its price\n1 calls, 1000 to 9000 tokens in (1000 at first), 200 to 2000 out\n";
        assert_eq!(words(&found), unknown);
        found.cost = Some(span(10_000_000_000, 1_500_000_000_000));
        assert!(words(&found).starts_with("openai/x: $0.0100 to $1.50\n"), "{}", words(&found));
    }
}
