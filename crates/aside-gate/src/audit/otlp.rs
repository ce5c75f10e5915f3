//! The audit as OpenTelemetry log records, in the protocol's own JSON spelling: camel case, integers of 64
//! bits as text, ids in hexadecimal. Each line is one `LogsData`, as files of it have (and as `POST /v1/logs` takes).

use aside_core::{AuditEnd, AuditKind, AuditRecord};
use aside_store::ChainEntry;
use serde::Serialize;
use serde_json::{Value, json};

/// Severity numbers of the log data model.
const INFO: u8 = 9;
const WARN: u8 = 13;
const ERROR: u8 = 17;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogRecord {
    time_unix_nano: String,
    observed_time_unix_nano: String,
    severity_number: u8,
    severity_text: &'static str,
    event_name: String,
    body: Value,
    attributes: Vec<Attribute>,
}

#[derive(Serialize)]
struct Attribute {
    key: &'static str,
    value: Value,
}

/// Returns some entries as one `LogsData`.
pub fn logs_data(entries: &[ChainEntry]) -> Value {
    let records: Vec<_> = entries.iter().map(log_record).collect();
    let version = env!("CARGO_PKG_VERSION");
    let resource = [text("service.name", "aside"), text("service.version", version)];
    let scope = json!({ "name": "aside.audit", "version": version });
    json!({ "resourceLogs": [{
        "resource": { "attributes": resource },
        "scopeLogs": [{ "scope": scope, "logRecords": records }],
    }] })
}

fn log_record(entry: &ChainEntry) -> LogRecord {
    let mut attributes = vec![
        Attribute { key: "aside.audit.seq", value: json!({ "intValue": entry.seq.to_string() }) },
        text("aside.audit.hash", entry.hash.as_str()),
    ];
    let record = serde_json::from_str::<AuditRecord>(&entry.body).ok();
    attributes.extend(record.iter().flat_map(known_attributes));
    let (severity_number, severity_text) = record.as_ref().map_or((WARN, "WARN"), severity);
    let time =
        record.as_ref().map_or("0".to_owned(), |record| (i128::from(record.at.0).max(0) * 1_000_000).to_string());
    LogRecord {
        observed_time_unix_nano: time.clone(),
        time_unix_nano: time,
        severity_number,
        severity_text,
        event_name: format!(
            "aside.audit.{}",
            record.as_ref().map_or("unreadable".to_owned(), |record| name(&record.kind))
        ),
        // The text as it was hashed, so that the chain can be checked where it arrives.
        body: json!({ "stringValue": &*entry.body }),
        attributes,
    }
}

fn known_attributes(record: &AuditRecord) -> Vec<Attribute> {
    let mut attributes = vec![
        text("aside.action.id", record.action.as_str()),
        text("aside.action.type", record.action_type.as_str()),
        text("aside.policy.rule", &record.rule),
        text("aside.policy.ruling", &name(&record.ruling)),
        text("enduser.id", record.origin.user()),
        list("aside.action.risks", record.risks.0.iter().map(ToString::to_string)),
        list("aside.action.targets", record.targets.iter().map(|target| format!("{}:{}", target.kind, target.id))),
    ];
    let optional = [
        ("aside.action.state", record.state.as_ref().map(name)),
        ("aside.action.decided_by", record.decided_by.clone()),
        ("aside.action.undoes", record.undoes.as_ref().map(ToString::to_string)),
        ("aside.action.parent", record.parent.as_ref().map(ToString::to_string)),
        ("aside.label", record.label.as_ref().map(name)),
        (
            "aside.grant",
            record.grant.as_ref().map(|grant| grant.id.as_ref().map_or(grant.name.clone(), ToString::to_string)),
        ),
    ];
    attributes.extend(optional.into_iter().filter_map(|(key, value)| Some(text(key, &value?))));
    attributes
}

fn severity(record: &AuditRecord) -> (u8, &'static str) {
    match (record.kind, record.outcome.as_ref().map(|outcome| outcome.kind)) {
        (AuditKind::Interrupted | AuditKind::Failed, _) | (_, Some(AuditEnd::Failed | AuditEnd::Interrupted)) => {
            (ERROR, "ERROR")
        }
        (AuditKind::Refused, _) | (_, Some(AuditEnd::Refused)) => (WARN, "WARN"),
        _ => (INFO, "INFO"),
    }
}

fn text(key: &'static str, value: &str) -> Attribute {
    Attribute { key, value: json!({ "stringValue": value }) }
}

fn list(key: &'static str, values: impl Iterator<Item = String>) -> Attribute {
    let values: Vec<_> = values.map(|value| json!({ "stringValue": value })).collect();
    Attribute { key, value: json!({ "arrayValue": { "values": values } }) }
}

/// The word that stands for a value on the wire.
fn name(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use aside_core::{Sha256, Timestamp};

    use super::*;
    use crate::{audit, testing::stored};

    fn entry(body: &str) -> ChainEntry {
        ChainEntry { seq: 7, body: body.into(), hash: Sha256::of("x") }
    }

    #[test]
    fn a_record_has_the_published_shape() {
        let record = audit::entry(AuditKind::Refused, Timestamp(1_700_000_000_123), &stored());
        let logs = logs_data(&[entry(&record.to_string())]);
        let log = &logs["resourceLogs"][0]["scopeLogs"][0]["logRecords"][0];
        assert_eq!(log["timeUnixNano"], "1700000000123000000");
        assert_eq!((&log["severityNumber"], &log["severityText"]), (&json!(13), &json!("WARN")));
        assert_eq!(log["eventName"], "aside.audit.refused");
        assert_eq!(log["body"]["stringValue"], record.to_string());
        assert_eq!(log["attributes"][0], json!({ "key": "aside.audit.seq", "value": { "intValue": "7" } }));
        let service = &logs["resourceLogs"][0]["resource"]["attributes"][0];
        assert_eq!(service, &json!({ "key": "service.name", "value": { "stringValue": "aside" } }));
    }

    #[test]
    fn what_cannot_be_read_is_exported_too() {
        let logs = logs_data(&[entry("\u{fffd}{")]);
        let log = &logs["resourceLogs"][0]["scopeLogs"][0]["logRecords"][0];
        assert_eq!((&log["severityText"], &log["eventName"]), (&json!("WARN"), &json!("aside.audit.unreadable")));
        assert_eq!(log["body"]["stringValue"], "\u{fffd}{");
    }
}
