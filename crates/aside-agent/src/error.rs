//! Why something about a thread was not done.

use aside_core::{Failure, ThreadId, TurnId};
use aside_llm::ProviderError;
use aside_store::StoreError;

/// Why a request about a thread was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// There is no such thread. Code `not_found`.
    #[error("there is no thread {0}")]
    NotFound(ThreadId),
    /// A turn is running or waits for a decision. Code `busy`.
    #[error("the thread is still busy with the previous message")]
    Busy,
    /// No model can be used. Code `no_model`.
    #[error("no model is available")]
    NoModel,
    /// AI is off. Code `ai_off`.
    #[error("{}", .0.message)]
    Off(Failure),
    /// The message has no words, or too many. Code `invalid_message`.
    #[error("the message {0}")]
    Message(&'static str),
    /// The key under which a thread or a message may be sent again is too long. Code `invalid_message`.
    #[error("the idempotency key has more than 64 bytes")]
    Key,
    /// The key was used before, for another message. Code `key_reused`.
    #[error("the idempotency key was already used for another message, which started {0}")]
    KeyReused(TurnId),
    /// The chosen model can't be asked. Code of the provider's failure.
    #[error(transparent)]
    Provider(#[from] ProviderError),
    /// It could not be written down, so it was not begun. Code `store`.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AgentError {
    /// Returns the error as a value for people and programs, with a stable code.
    pub fn failure(&self) -> Failure {
        let failure = |code: &str| Failure::new(code, self.to_string());
        match self {
            Self::NotFound(_) => failure("not_found"),
            Self::Busy => failure("busy").hint("decide the waiting action, or press Stop"),
            Self::NoModel => failure("no_model").hint(
                "start Ollama and run `aside models pull qwen3:4b`, set the address of another model server (such \
                     as OPENAI_BASE_URL), or add an API key and choose a model; `aside doctor` shows what was found",
            ),
            Self::Off(off) => off.clone(),
            Self::Message(_) | Self::Key => failure("invalid_message"),
            Self::KeyReused(turn) => failure("key_reused").hint("use a new key").data(turn),
            Self::Provider(error) => Failure::from(error),
            Self::Store(error) => error.failure(),
        }
    }
}

impl From<AgentError> for Failure {
    fn from(error: AgentError) -> Self {
        error.failure()
    }
}
