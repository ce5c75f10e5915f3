//! Spoken words to text: by a service that is set up for it, under the consent and the spending limits of any model.

use std::{sync::Arc, time::Instant};

use aside_core::{Cost, Failure, ModelRef};
use aside_llm::{Models, Recording};
use aside_macros::boxed;

use crate::spending::{Planned, Spending, Spent};

/// The most tokens of a minute of speech, as it is heard and as it is written.
const HEARD: u64 = 2_000;
const WRITTEN: u32 = 1_000;

/// The words of a recording, and what they cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Spoken {
    /// The words.
    pub text: String,
    /// The model that wrote them down.
    pub model: ModelRef,
    /// The cost.
    pub cost: Cost,
}

/// Writes down the words of a recording. Counts as spent what it costs, and keeps to the limits of the day and the workspace.
#[boxed]
pub async fn transcribe(models: &Models, spending: &Arc<Spending>, recording: Recording) -> Result<Spoken, Failure> {
    let (model, provider) = models.transcriber().ok_or_else(no_service)?;
    let call = spending.nobody();
    let local = provider.info().local;
    let planned = Planned { call: &call, model: &model, local, input: HEARD, output: WRITTEN, spent: Spent::default() };
    let promise = spending.promise(planned)?;
    let started = Instant::now();
    let answer = match provider.transcribe(recording) {
        Some(answer) => answer.await.map_err(|error| Failure::from(&error)),
        None => Err(no_service()),
    };
    let took = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let usage = answer.as_ref().map(|transcript| transcript.usage.clone()).unwrap_or_default();
    let cost = spending.cost(&promise, &usage, answer.as_ref().err(), answer.is_err(), took);
    spending.record_alone(&promise, &usage, cost).map_err(|error| error.failure())?;
    answer.map(|transcript| Spoken { text: transcript.text, model, cost })
}

fn no_service() -> Failure {
    Failure::new("no_transcription", "no service that writes down speech is set up").hint(
        "Set a key for OpenAI, Groq or Mistral, or add a server of your own with `transcription` to services.toml.",
    )
}
