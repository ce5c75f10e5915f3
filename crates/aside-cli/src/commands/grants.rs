//! `aside grants create|list|revoke`: what other programs may do here.

use aside_core::{GrantLimits, GrantRecord};
use aside_protocol::{GrantMade, NewGrant};
use serde_json::json;

use crate::{
    arguments::{Grants, Where},
    client::Client,
    ended::Ended,
    output::Output,
    workspace,
};

/// Makes, lists or ends grants.
pub async fn grants(what: Grants, place: &Where, output: &Output) -> anyhow::Result<Ended> {
    let client = workspace::open(place).await?;
    let result = carry_out(&client, what, output).await;
    client.finish().await;
    result.map(|()| Ended::Done)
}

async fn carry_out(client: &Client, what: Grants, output: &Output) -> anyhow::Result<()> {
    match what {
        Grants::Create { name, risks, actions, paths, expires } => {
            let some = |list: Vec<_>| (!list.is_empty()).then_some(list);
            let paths = (!paths.is_empty()).then_some(paths);
            let limits =
                GrantLimits { risks: Some(risks.into_iter().collect()), actions: some(actions), paths, expires };
            let made: GrantMade = client.post("grants", &NewGrant { name, limits }).await?;
            output.result(&made, || format!("{}\ntoken, shown only once:\n{}\n", line(&made.record), made.token));
        }
        Grants::List => {
            let all: Vec<GrantRecord> = client.get("grants").await?;
            output.result(&all, || match all.is_empty() {
                true => "no grants; create one for another program with `aside grants create`".to_owned(),
                false => all.iter().map(|record| line(record) + "\n").collect(),
            });
        }
        Grants::Revoke { id } => {
            let ended: GrantRecord = client.post(&format!("grants/{id}/revoke"), &json!({})).await?;
            output.result(&ended, || line(&ended) + "\n");
        }
    }
    Ok(())
}

/// One grant in a line.
fn line(record: &GrantRecord) -> String {
    let grant = &record.grant;
    let mut parts = vec![grant.name.clone(), grant.risks.to_string()];
    parts.extend(grant.id.as_ref().map(ToString::to_string));
    if let Some(actions) = &grant.actions {
        parts.push(actions.iter().map(|pattern| pattern.as_str()).collect::<Vec<_>>().join(", "));
    }
    for globs in &grant.paths {
        parts.push(globs.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or "));
    }
    parts.extend(grant.expires.map(|end| format!("until {end}")));
    parts.extend(record.revoked.map(|at| format!("revoked {at}")));
    parts.join(" · ")
}
