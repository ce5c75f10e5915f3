//! `aside history ask`: a model of this machine answers from the history, looking things up as it needs them.

use anyhow::{Context as _, bail};
use aside_core::harmless;
use aside_protocol::{MetaAgentAsked, MetaAgentBounds, MetaAgentLine, MetaAgentMessage, ModelStatus, Models};

use super::{told, up_to_date};
use crate::{
    arguments::Where,
    client::Client,
    ended::Ended,
    output::{Colour, Output},
    workspace,
};

/// What is asked.
pub struct Question {
    /// In words.
    pub text: String,
    /// The model, as Ollama names it; the first that it has that can call tools if absent.
    pub model: Option<String>,
    /// The model may look at the history.
    pub looks: bool,
    /// Of which it may look at this part.
    pub bounds: MetaAgentBounds,
}

/// Reads what is new in the logs and asks. With `--json` each line of the answer is one of standard output.
pub async fn ask(question: Question, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    if question.looks {
        let (mut history, _) = up_to_date(output)?;
        history.read_texts().map_err(told)?;
    }
    let client = workspace::open(place).await?;
    let answered = follow(&client, question, output).await;
    client.finish().await;
    answered
}

async fn follow(client: &Client, question: Question, output: &Output) -> anyhow::Result<Ended> {
    let models: Models = client.get("models").await?;
    let model = match &question.model {
        Some(model) => model.strip_prefix("ollama/").unwrap_or(model).to_owned(),
        None => first_model(&models)?,
    };
    if question.looks && own_models(&models).any(|one| one.model.name == model && one.tools == Some(false)) {
        output.notice(&format!("{model} can't call tools, so its answer may not come from your history"));
    }
    let message = MetaAgentMessage { role: "user".to_owned(), content: question.text };
    let bounds = Some(question.bounds).filter(|bounds| *bounds != MetaAgentBounds::default());
    let asked =
        MetaAgentAsked { messages: vec![message], model, tools_enabled: question.looks, project_slug: None, bounds };
    let mut lines = client.ask_history(&asked).await?;
    let (mut ended, mut amid) = (None, false);
    while let Some(line) = lines.next::<MetaAgentLine>().await? {
        if output.json {
            output.line(&serde_json::to_string(&line)?);
        } else {
            amid = show(&line, amid, output);
        }
        match line {
            MetaAgentLine::Done { .. } => ended = Some(Ended::Done),
            MetaAgentLine::Error { .. } => ended = Some(Ended::Failed),
            _ => {}
        }
    }
    ended.context("the answer was interrupted")
}

/// Shows a line; returns whether the line on the screen goes on.
fn show(line: &MetaAgentLine, amid: bool, output: &Output) -> bool {
    if amid && !matches!(line, MetaAgentLine::Token { .. }) {
        output.piece("\n");
    }
    match line {
        MetaAgentLine::Token { delta, .. } => {
            output.piece(delta);
            return !delta.ends_with('\n') && (amid || !delta.is_empty());
        }
        MetaAgentLine::ToolCall { name, args, .. } => {
            output.line(&output.paint(Colour::Dim, &harmless(&format!("{name} {args}"))));
        }
        MetaAgentLine::ToolResult { ok: false, data, .. } => {
            let reason = data["error"].as_str().unwrap_or("no answer");
            output.line(&output.paint(Colour::Yellow, &harmless(&format!("  {reason}"))));
        }
        MetaAgentLine::Error { message, .. } => eprintln!("error: {}", harmless(message)),
        MetaAgentLine::ToolResult { .. } | MetaAgentLine::Done { .. } => {}
    }
    false
}

/// The models of this machine.
fn own_models(found: &Models) -> impl Iterator<Item = &ModelStatus> {
    let ollama = found.providers.iter().find(|provider| provider.id == "ollama");
    ollama.into_iter().flat_map(|ollama| &ollama.models).filter(|model| model.host.is_none())
}

/// The first of them that can look at the history, else one that may, else any.
fn first_model(found: &Models) -> anyhow::Result<String> {
    // The first of several that rank the same is taken.
    match own_models(found)
        .min_by_key(|model| [Some(true), None, Some(false)].iter().position(|tools| *tools == model.tools))
    {
        Some(model) => Ok(model.model.name.clone()),
        None => bail!(
            "no local model was found: start Ollama and run `ollama pull qwen2.5-coder`. Questions about the history \
             go only to local models"
        ),
    }
}
