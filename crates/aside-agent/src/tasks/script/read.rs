//! The text of a script in the workspace: read by the Gate like any file, in the name and under the grant of the starter.

use std::sync::Arc;

use aside_core::{ActionRequest, Failure, Outcome, WorkspacePath};
use aside_gate::Submission;
use serde_json::json;

use super::super::Tasks;

impl Tasks {
    /// Returns the text of a script, and takes its label over into what the run is made from.
    pub(super) async fn read_script(
        self: &Arc<Self>,
        path: &WorkspacePath,
        submission: &mut Submission,
    ) -> Result<String, Failure> {
        let read = "file.read".parse().expect("it is `noun.verb`");
        let request = ActionRequest::new(read, json!({ "path": path }));
        let record = self.gate.submit(request, submission.clone()).await.map_err(|error| error.failure())?.record;
        submission.provenance.join(&record.told_from());
        let problem = match record.outcome {
            Some(Outcome::Done { observation }) => match (&observation.data["text"], &observation.data["cut"]) {
                (serde_json::Value::String(text), cut) if cut != true => return Ok(text.clone()),
                _ => Failure::new("too_large", format!("`{path}` is no script: it is too large or no text")),
            },
            Some(Outcome::Refused { failure, .. } | Outcome::Failed { failure }) => failure,
            _ => Failure::new("denied", format!("reading `{path}` needs a decision first")),
        };
        Err(Failure { message: format!("cannot read the script `{path}`: {}", problem.message), ..problem })
    }
}
