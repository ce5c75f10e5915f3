//! How the files of a session were before and after it, by what can be told from their text alone.

mod branches;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::{Asking, Evidence, args::Arguments, sessions, told};
use crate::{HistoryError, Index, PlayedFile, playback::Playback};
use branches::{branches, language};

/// A smaller change is none.
const NEUTRAL: f64 = 0.2;
const METRIC: &str = "complexity";

#[derive(Serialize)]
struct Quality {
    session_id: String,
    findings: Vec<Finding>,
    summary: Summary,
    evidence: Vec<Evidence>,
}

#[derive(Serialize)]
struct Finding {
    file_path: String,
    language: Option<&'static str>,
    ts: Option<String>,
    metric: &'static str,
    pre_value: Option<usize>,
    post_value: Option<usize>,
    delta: Option<i64>,
    details: String,
}

#[derive(Serialize)]
struct Summary {
    files: usize,
    languages: BTreeMap<&'static str, usize>,
    metrics: BTreeMap<&'static str, Metric>,
    headline: String,
}

#[derive(Default, Serialize)]
struct Metric {
    files: usize,
    avg_delta: f64,
    improved: usize,
    regressed: usize,
    neutral: usize,
}

/// Measures each file that a session changed.
pub fn of_session(index: &Index, _asking: &Asking, arguments: &Arguments) -> Result<Value, HistoryError> {
    let session = sessions::by_id(index, arguments.required("session_id")?)?;
    let played = Playback::of(index, &session)?.at(None);
    let findings: Vec<Finding> = played.files.iter().filter(|file| file.changed).map(finding).collect();
    let summary = summary(&findings);
    let evidence = played.files.iter().filter(|file| file.changed).filter_map(|file| file.last.clone()).collect();
    told(&Quality { session_id: session.session_id, findings, summary, evidence })
}

fn finding(file: &PlayedFile) -> Finding {
    let language = language(&file.path);
    let measure = |text: &Option<String>| text.as_deref().filter(|_| language.is_some()).map(branches);
    let (pre_value, post_value) = (measure(&file.before), measure(&file.text));
    #[expect(clippy::cast_possible_wrap, reason = "branches of one file")]
    let delta = pre_value.zip(post_value).filter(|_| file.complete).map(|(pre, post)| post as i64 - pre as i64);
    let details = if language.is_none() {
        "branches are not counted for this language"
    } else if file.deleted {
        "deleted in this session"
    } else if file.before.is_none() && file.complete {
        "created in this session, or never read before it was written"
    } else if delta.is_none() {
        "its text is not fully known"
    } else {
        "number of branches, counted by keyword; lint, coverage and types were not checked"
    };
    Finding {
        file_path: file.path.clone(),
        language,
        ts: file.at.map(|at| at.to_string()),
        metric: METRIC,
        pre_value,
        post_value,
        delta,
        details: details.to_owned(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "branches of some files")]
fn summary(findings: &[Finding]) -> Summary {
    let mut languages = BTreeMap::new();
    let mut metric = Metric::default();
    let mut most: Option<(&Finding, i64)> = None;
    for finding in findings {
        finding.language.into_iter().for_each(|language| *languages.entry(language).or_default() += 1);
        let (Some(delta), Some(pre)) = (finding.delta, finding.pre_value) else { continue };
        metric.files += 1;
        metric.avg_delta += delta as f64;
        // From nothing to something is worse, whatever the share.
        let share = if pre == 0 { delta as f64 } else { delta as f64 / pre as f64 };
        if share.abs() < NEUTRAL {
            metric.neutral += 1;
        } else if delta < 0 {
            metric.improved += 1;
        } else {
            metric.regressed += 1;
        }
        if most.is_none_or(|(_, known)| delta.abs() > known.abs()) {
            most = Some((finding, delta));
        }
    }
    metric.avg_delta /= metric.files.max(1) as f64;
    let headline = match most {
        Some((_, 0)) => "no measured change".to_owned(),
        Some((finding, delta)) => format!("{METRIC} of {} by {delta:+}", finding.file_path),
        None => "nothing could be measured".to_owned(),
    };
    Summary { files: findings.len(), languages, metrics: BTreeMap::from([(METRIC, metric)]), headline }
}
