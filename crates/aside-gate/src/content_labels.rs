//! What an action that was led by content from outside may write is labelled before it runs, and what it did not write
//! is unlabelled after it. A crash in between leaves too many labels, never too few.

use aside_core::{
    ActionRecord, Assessment, Descriptor, Failure, Label, LabelSource, ObjectRef, ObjectVersion, Origin, Risk,
};
use futures_util::future::BoxFuture;

use crate::{Gate, Run, record::StoredAction};

/// Keeps the labels of objects for as long as there are such objects. One that it doesn't know has no label to keep.
pub trait ContentLabels: Send + Sync {
    /// Remembers that these may hold content from outside; returns those that were not known to.
    fn mark(&self, objects: Vec<ObjectRef>, source: LabelSource) -> BoxFuture<'_, Result<Vec<Marked>, Failure>>;

    /// Takes those marks back that were not needed after all.
    fn settle(&self, marked: Vec<Marked>, written: Written) -> BoxFuture<'_, Result<(), Failure>>;
}

/// An object that was marked, and what was known of it before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marked {
    /// The object.
    pub object: ObjectRef,
    /// What was said of it before.
    pub before: Option<LabelSource>,
}

/// What a run has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// These, and nothing else.
    Objects(Vec<ObjectRef>),
    /// Nothing, as far as an object has still the version that it had before; of the others nobody knows.
    Unless(Vec<ObjectVersion>),
}

impl Gate {
    /// Marks what a run may write before it does.
    pub(crate) async fn mark(&self, action: &StoredAction) -> Result<Vec<Marked>, Failure> {
        let record = &action.record;
        match (self.catalog.labels(), led_by(record)) {
            (Some(labels), Some(source)) => labels.mark(record.assessment.targets.clone(), source).await,
            _ => Ok(Vec::new()),
        }
    }

    /// Leaves the marks of what a run has written, and marks what nobody foresaw.
    pub(crate) async fn settle_marks(&self, action: &StoredAction, marked: Vec<Marked>, result: &Result<Run, Failure>) {
        let record = &action.record;
        let Some(labels) = self.catalog.labels().filter(|_| led_by(record).is_some()) else { return };
        let settled = match result {
            Ok(run) => {
                self.mark_changed(action, run).await;
                labels.settle(marked, Written::Objects(run.changed.clone())).await
            }
            // Nobody knows what a command has done before it broke off.
            Err(_) if record.assessment.command.is_some() => Ok(()),
            Err(_) => labels.settle(marked, Written::Unless(record.assessment.versions.clone())).await,
        };
        if let Err(error) = settled {
            tracing::warn!(action = %action.id(), %error, "could not settle the labels of content that an action wrote");
        }
    }

    /// Marks what a run has changed, or what it had changed until it was cut off: nobody may have foreseen it.
    pub(crate) async fn mark_changed(&self, action: &StoredAction, run: &Run) {
        let (Some(labels), Some(source)) = (self.catalog.labels(), led_by(&action.record)) else { return };
        if let Err(error) = labels.mark(run.changed.clone(), source).await {
            tracing::warn!(action = %action.id(), %error, "could not label content that an action wrote");
        }
    }
}

/// What from outside leads an action that writes: what its request was made from, or what it fetches.
fn led_by(record: &ActionRecord) -> Option<LabelSource> {
    let risks = &record.envelope.risk_level;
    if risks.is_read_only() {
        return None;
    }
    let name = &record.envelope.action_type;
    let fetched = || LabelSource::external(format!("content that {name} fetched"), "fetched over a network");
    let brings = || record.assessment.brings.clone().unwrap_or_else(fetched);
    let led = record.provenance.outside();
    let led = led.or_else(|| risks.0.contains(&Risk::Network).then(brings))?;
    Some(LabelSource { by_assistant: is_written_by_assistant(record), ..led.by(&record.envelope.id) })
}

/// Tells whether the user's assistant says all that is written: no command does, and nothing is fetched.
fn is_written_by_assistant(record: &ActionRecord) -> bool {
    matches!(record.origin, Origin::Turn { .. })
        && record.assessment.command.is_none()
        && !record.envelope.risk_level.0.contains(&Risk::Network)
}

/// Adds that what comes back is said by a program, or by a tool that other people have written.
pub(crate) fn with_speaker(mut assessment: Assessment, descriptor: &Descriptor) -> Assessment {
    if let Some(command) = &assessment.command {
        let what = format!("the output of {command}");
        assessment.provenance.add(LabelSource::external(what, "output of programs"));
    }
    if descriptor.label == Label::External {
        let what = format!("output of {}", descriptor.name);
        assessment.provenance.add(LabelSource::external(what, "a tool of another program"));
    }
    assessment
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use aside_core::{ActionState, Provenance, ReviewMode, WorkspacePath};
    use futures_util::FutureExt as _;
    use serde_json::json;

    use super::*;
    use crate::{
        Submission,
        testing::{Bench, replace, request},
    };

    /// Writes down what it is asked.
    #[derive(Default)]
    struct Heard(Mutex<Vec<String>>);

    impl ContentLabels for Heard {
        fn mark(&self, objects: Vec<ObjectRef>, source: LabelSource) -> BoxFuture<'_, Result<Vec<Marked>, Failure>> {
            let ids: Vec<_> = objects.iter().map(|object| object.id.as_str()).collect();
            self.0.lock().unwrap().push(format!("mark {} for {}", ids.join(" "), source.what));
            let marked = objects.into_iter().map(|object| Marked { object, before: None }).collect();
            async { Ok(marked) }.boxed()
        }

        fn settle(&self, marked: Vec<Marked>, written: Written) -> BoxFuture<'_, Result<(), Failure>> {
            let how = match written {
                Written::Objects(objects) => format!("{} written", objects.len()),
                Written::Unless(versions) => format!("unless {}", versions.len()),
            };
            self.0.lock().unwrap().push(format!("settle {}: {how}", marked.len()));
            async { Ok(()) }.boxed()
        }
    }

    fn led(bench: &Bench) -> Submission {
        let provenance = Provenance::of(LabelSource::external("main.log", "a log"));
        Submission { provenance, ..bench.turn(ReviewMode::AutoApply) }
    }

    fn bench() -> (Bench, Arc<Heard>) {
        let (bench, heard) = (Bench::new("one"), Arc::new(Heard::default()));
        bench.gate.catalog().keep_labels(heard.clone());
        (bench, heard)
    }

    fn heard(heard: &Heard) -> Vec<String> {
        heard.0.lock().unwrap().clone()
    }

    #[tokio::test]
    async fn what_may_be_written_is_marked_before_and_settled_after() {
        let (bench, labels) = bench();
        let mut running = Box::pin(bench.submit(replace("one", "<wait>"), led(&bench)));
        assert!((&mut running).now_or_never().is_none());
        bench.world.begun.acquire().await.unwrap().forget();
        assert_eq!(heard(&labels), ["mark text.txt for main.log"]);
        bench.world.go.add_permits(1);
        assert_eq!(running.await.record.state, ActionState::Done);
        let after = ["mark text.txt for main.log", "mark text.txt for main.log", "settle 1: 1 written"];
        assert_eq!(heard(&labels), after);
    }

    #[test]
    fn what_was_cut_off_is_marked_at_the_next_start() {
        let bench = crate::recover::tests::killed(Bench::new("one"), "one", led);
        let labels = Arc::new(Heard::default());
        bench.gate.catalog().keep_labels(labels.clone());
        tokio::runtime::Runtime::new().unwrap().block_on(bench.gate.recover()).unwrap();
        assert_eq!(heard(&labels), ["mark text.txt for main.log"]);
    }

    #[tokio::test]
    async fn a_failure_is_settled_by_versions() {
        let (bench, labels) = bench();
        bench.submit(replace("one", "<fail>"), led(&bench)).await;
        assert_eq!(heard(&labels), ["mark text.txt for main.log", "settle 1: unless 1"]);
    }

    #[tokio::test]
    async fn what_only_looks_or_was_led_by_nothing_from_outside_marks_nothing() {
        let (bench, labels) = bench();
        bench.submit(request("text.read", json!({})), led(&bench)).await;
        bench.auto(replace("one", "1")).await;
        assert_eq!(heard(&labels), [""; 0]);
    }

    #[test]
    fn what_comes_over_a_network_or_from_a_program_is_from_outside() {
        let mut record = crate::testing::record();
        record.envelope.risk_level = [Risk::Write, Risk::Network].into();
        assert_eq!(led_by(&record).unwrap().what, "content that text.read fetched");
        let file = ObjectRef::file(&WorkspacePath::new("a").unwrap());
        let ran = Assessment { command: Some("make all".to_owned()), targets: vec![file], ..Assessment::default() };
        let descriptor = crate::testing::catalog().describe(&record.envelope.action_type).unwrap();
        record.assessment = with_speaker(ran, &descriptor);
        assert_eq!(record.told_from().words(), "`the output of make all` (output of programs)");
        let theirs = with_speaker(Assessment::default(), &Descriptor { label: Label::External, ..descriptor });
        assert!(theirs.provenance.is_external());
    }
}
