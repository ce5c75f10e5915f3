//! A call whose action runs: its client hears how far that is, is answered before it gives up, and can stop it.

use std::time::Duration;

use aside_core::{ActionId, ActionRecord, ActionRequest, ActionState, Failure, Outcome, ShownImage, harmless};
use aside_gate::Submission;
use rmcp::{
    RoleServer,
    model::{CallToolResult, ProgressNotificationParam},
    service::RequestContext,
};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, sleep};

use super::{Server, calls::Taken, result};

/// Bytes of the line that says how far it is.
const MOST_LINE: usize = 200;

/// The moments at which a waiting call says what it waits for, counted from 1.
pub(super) struct Beats {
    interval: Interval,
    count: u32,
}

impl Beats {
    pub(super) fn new(every: Duration) -> Self {
        let mut interval = interval_at(Instant::now() + every, every);
        interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { interval, count: 0 }
    }

    pub(super) async fn next(&mut self) -> u32 {
        self.interval.tick().await;
        self.count += 1;
        self.count
    }
}

impl Server {
    /// Asks the Gate, and waits for what comes of it as long as clients do: it goes on after that. What its client takes back
    /// is stopped.
    pub(super) async fn carry_out(
        &self,
        request: ActionRequest,
        submission: Submission,
        client: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<Taken, Failure> {
        let id = self.gate.new_id();
        let submitted = self.gate.submit_as(id.clone(), request, submission);
        let patience = sleep(self.limits.patience);
        tokio::pin!(submitted, patience);
        let (mut beats, mut is_late) = (Beats::new(self.limits.heartbeat), false);
        loop {
            tokio::select! {
                submitted = &mut submitted => {
                    return submitted.map(|submitted| Taken::asking(submitted.record)).map_err(|error| error.failure());
                }
                () = context.ct.cancelled() => {
                    return self.gate.stop(&id, client).await.map(Taken::asking).map_err(|error| error.failure());
                }
                () = &mut patience, if !is_late => is_late = true,
                count = beats.next() => self.tell_how_far(&id, count, context).await,
            }
            // One that is still looked at has no record to go on from.
            let record = is_late.then(|| self.gate.record(&id).ok()).flatten();
            if let Some(record) = record.filter(|record| record.state == ActionState::Running) {
                return Ok(Taken { record, ask: false, is_late: true });
            }
        }
    }

    /// Tells a client that wants to hear it what its call waits for.
    pub(super) async fn tell_how_far(&self, id: &ActionId, count: u32, context: &RequestContext<RoleServer>) {
        let Some(token) = context.meta.get_progress_token() else { return };
        let progress = ProgressNotificationParam::new(token, f64::from(count)).with_message(self.how_far(id));
        if let Err(error) = context.peer.notify_progress(progress).await {
            tracing::debug!("cannot tell a client that its call is waiting: {error}");
        }
    }

    fn how_far(&self, id: &ActionId) -> String {
        let said = self.gate.output_so_far(id).map(|output| output.text);
        match self.gate.record(id).map(|record| record.state) {
            Ok(ActionState::AwaitingConfirmation) => "waiting for the user's decision in Aside".to_owned(),
            Ok(ActionState::Running) => last_line(&said.unwrap_or_default()).unwrap_or("running".to_owned()),
            _ => "checking".to_owned(),
        }
    }

    /// What came of an action, with the images that it shows. One that is lost is left out.
    pub(super) fn told(&self, record: &ActionRecord) -> CallToolResult {
        let mut told = result::of(record);
        if let Some(Outcome::Done { observation }) = &record.outcome {
            let image = |image: ShownImage| {
                let bytes = self.store.get_blob(&image.sha256).ok().flatten()?;
                Some(result::image(&image.kind, &bytes))
            };
            told.content.extend(ShownImage::all_in(&observation.data).into_iter().filter_map(image));
        }
        told
    }
}

fn last_line(said: &str) -> Option<String> {
    let line = said.lines().rev().map(str::trim).find(|line| !line.is_empty())?;
    Some(harmless(&line[..line.floor_char_boundary(MOST_LINE)]).into_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use aside_core::{Assessment, EffectScope, Grant, Observation, Place, Preview, Risk, UndoSupport};
    use aside_gate::{Action, ActionContext, Catalog, Declaration, Gate, Policy, Run, handler};
    use aside_store::{Store, StoreOptions};
    use axum::{Extension, Router};
    use serde_json::{Value, json};
    use tokio::sync::Notify;

    use super::*;
    use crate::{Caller, Limits, Server, server::testing::Args};

    /// Runs until it is told to end, and shows an image then.
    struct Slow {
        end: Arc<Notify>,
        image: ShownImage,
    }

    impl Action for Slow {
        type Args = Args;

        fn declare(&self) -> Declaration {
            Declaration {
                name: "doc.read",
                summary: "Look",
                description: "It looks for long.",
                preconditions: &[],
                effect: EffectScope::Workspace,
                risks: [Risk::Read].into(),
                place: Place::Workspace,
                undo: UndoSupport::NotNeeded,
                examples: vec![("Look", json!({}))],
                phrases: &[],
                tags: &[],
                safety: &[],
            }
        }

        async fn assess(&self, _context: &ActionContext, _args: &Args) -> Result<Assessment, Failure> {
            Ok(Assessment::default())
        }

        async fn preview(&self, _context: &ActionContext, _args: &Args) -> Result<Preview, Failure> {
            Ok(Preview::summary("Look"))
        }

        async fn run(&self, context: &ActionContext, _args: &Args) -> Result<Run, Failure> {
            context.progress.line("half of it");
            tokio::select! {
                by = context.progress.stopped() => Err(Failure::new("stopped", format!("{by} stopped it"))),
                () = self.end.notified() => {
                    Ok(Run::observed(Observation::with("seen", json!({ "image": self.image }))))
                }
            }
        }
    }

    /// A client in a session.
    struct Bench {
        _folder: tempfile::TempDir,
        gate: Arc<Gate>,
        end: Arc<Notify>,
        url: String,
        session: String,
    }

    impl Bench {
        async fn new(patience: Duration) -> Self {
            let folder = tempfile::tempdir().unwrap();
            let store = Store::open(folder.path(), StoreOptions::for_tests()).unwrap();
            let image = ShownImage { kind: "image/png".into(), sha256: store.put_blob(b"dots").unwrap(), bytes: 4 };
            let end = Arc::new(Notify::new());
            let catalog = Catalog::new([handler(Slow { end: end.clone(), image })]).unwrap();
            let gate = Gate::new(store.clone(), catalog, Policy::builtin());
            let limits = Limits { patience, heartbeat: Duration::from_millis(20) };
            let server = Server::new(gate.clone(), store, limits).unwrap();
            let service = crate::http_service(server, std::future::pending());
            let caller = Caller { user: "ada".into(), grant: Grant::full("ada") };
            let router = Router::new().nest_service("/mcp", service).layer(Extension(caller));
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let url = format!("http://{}/mcp", listener.local_addr().unwrap());
            tokio::spawn(async move { axum::serve(listener, router).await });
            let mut bench = Self { _folder: folder, gate, end, url, session: String::new() };
            let params = json!({
                "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "helper", "version": "1" }
            });
            let answer =
                bench.post(json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })).await;
            answer.headers()["mcp-session-id"].to_str().unwrap().clone_into(&mut bench.session);
            bench.post(json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
            bench
        }

        #[expect(clippy::disallowed_methods, reason = "asks the test's own server")]
        async fn post(&self, message: Value) -> reqwest::Response {
            let mut request = reqwest::Client::new()
                .post(&self.url)
                .header("content-type", "application/json")
                .header("accept", "application/json, text/event-stream")
                .body(message.to_string());
            if !self.session.is_empty() {
                request = request.header("mcp-session-id", &self.session);
            }
            request.send().await.unwrap()
        }

        /// All that the client hears of a call.
        async fn call(&self, tool: &str, arguments: Value) -> Vec<Value> {
            let params = json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": "t" } });
            let answer =
                self.post(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params })).await;
            let heard = answer.text().await.unwrap();
            heard.lines().filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok()).collect()
        }
    }

    #[tokio::test]
    async fn a_long_run_says_how_far_it_is_goes_on_without_its_client_and_its_images_come_along() {
        let bench = Bench::new(Duration::from_millis(200)).await;
        let heard = bench.call("doc_read", json!({})).await;
        assert!(heard.iter().any(|told| told["params"]["message"] == "half of it"), "{heard:?}");
        let result = &heard.last().unwrap()["result"];
        assert_eq!(result["_meta"]["aside/state"], "running");
        let said = result["content"][0]["text"].as_str().unwrap();
        assert!(said.starts_with("Still running; call action_wait with {"), "{said}");
        bench.end.notify_one();
        let id = result["_meta"]["aside/action"].clone();
        let heard = bench.call("action_wait", json!({ "id": id })).await;
        let result = &heard.last().unwrap()["result"];
        assert_eq!(result["content"][0]["text"], "seen", "{result}");
        assert_eq!(result["content"][1], json!({ "type": "image", "data": "ZG90cw==", "mimeType": "image/png" }));
    }

    #[tokio::test]
    async fn a_call_that_its_client_takes_back_is_stopped() {
        let bench = Bench::new(Duration::from_secs(60)).await;
        let mut output = bench.gate.output();
        let taken_back = async {
            let id = output.recv().await.unwrap().action.clone();
            bench
                .post(json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }))
                .await;
            bench.gate.settled(&id).await.unwrap()
        };
        let (record, heard) = tokio::join!(taken_back, bench.call("doc_read", json!({})));
        assert!(heard.iter().all(|told| told["method"] == "notifications/progress"), "{heard:?}");
        let Some(Outcome::Failed { failure }) = record.outcome else { panic!("{:?}", record.outcome) };
        assert_eq!(failure.message, "helper stopped it");
    }
}
