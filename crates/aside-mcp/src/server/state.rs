//! What a client without a session hands back to us: sealed, with an end, and good for one call only.

use std::time::Duration;

use aside_core::{ActionId, GrantId, Sha256};
use rmcp::model::{JsonObject, RequestStateCodec, SealOptions};
use serde::{Deserialize, Serialize};

/// How long a question may stay open at the client.
const OPEN: Duration = Duration::from_secs(15 * 60);

/// Bytes of the key.
const KEY: usize = 32;

/// A question that a client was given to put to its person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Question {
    /// What waits.
    pub(crate) action: ActionId,
    /// What was shown: a yes is bound to it.
    pub(crate) shown: Sha256,
}

/// Seals and opens. The client may read what is inside; it can't change it, keep it for long or use it elsewhere.
pub(crate) struct Seal {
    codec: RequestStateCodec,
}

impl std::fmt::Debug for Seal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Seal")
    }
}

impl Seal {
    pub(crate) fn random() -> Result<Self, getrandom::Error> {
        let mut key = [0; KEY];
        getrandom::fill(&mut key)?;
        Ok(Self { codec: RequestStateCodec::try_new(key).expect("the key has the length that is asked for") })
    }

    pub(crate) fn seal(&self, question: &Question, call: &Call<'_>) -> String {
        let bound = call.digest();
        let options = SealOptions::new().associated_data(bound.as_str().as_bytes()).ttl(OPEN);
        self.codec.seal_json_with(question, &options).expect("a question serialises to JSON")
    }

    /// Returns the question, or nothing if it is not ours, too old, or was asked for another call.
    pub(crate) fn open(&self, sealed: &str, call: &Call<'_>) -> Option<Question> {
        let opened = self.codec.open_json_with(sealed, call.digest().as_str().as_bytes());
        opened.inspect_err(|error| tracing::debug!("a sealed question was not opened: {error}")).ok()
    }
}

/// The call that a question belongs to.
pub(crate) struct Call<'a> {
    pub(crate) user: &'a str,
    /// Tells clients of one name apart, if each has a token of its own.
    pub(crate) grant: Option<&'a GrantId>,
    pub(crate) client: &'a str,
    /// Tells clients of one name and one token apart.
    pub(crate) session: Option<&'a str>,
    pub(crate) tool: &'a str,
    pub(crate) arguments: Option<&'a JsonObject>,
}

impl Call<'_> {
    fn digest(&self) -> Sha256 {
        Sha256::of_json(&(self.user, self.grant, self.client, self.session, self.tool, self.arguments))
    }
}

#[cfg(test)]
mod tests {
    use aside_core::{Id as _, Timestamp};
    use serde_json::json;

    use super::*;

    #[test]
    fn opens_for_its_own_call_and_no_other() {
        let seal = Seal::random().unwrap();
        let question = Question { action: ActionId::from_parts(Timestamp(1), 1), shown: Sha256::of("preview") };
        let arguments = json!({ "path": "a" }).as_object().cloned();
        let arguments = arguments.as_ref();
        let call = Call { user: "ada", grant: None, client: "c", session: None, tool: "doc_edit", arguments };
        let sealed = seal.seal(&question, &call);
        assert_eq!(seal.open(&sealed, &call), Some(question));
        assert_eq!(seal.open(&sealed, &Call { user: "bob", ..call }), None);
        assert_eq!(seal.open(&sealed, &Call { arguments: None, ..call }), None);
        let grant = GrantId::from_parts(Timestamp(1), 1);
        assert_eq!(seal.open(&sealed, &Call { grant: Some(&grant), ..call }), None, "a namesake with another token");
        assert_eq!(seal.open(&sealed[1..], &call), None);
        assert_eq!(seal.open(&sealed, &Call { session: Some("2"), ..call }), None, "a namesake with the same token");
        let mut turned = sealed.clone().into_bytes();
        let last = turned.len() - 5;
        turned[last] ^= 1;
        assert_eq!(seal.open(&String::from_utf8_lossy(&turned), &call), None);
        assert_eq!(Seal::random().unwrap().open(&sealed, &call), None);
    }
}
