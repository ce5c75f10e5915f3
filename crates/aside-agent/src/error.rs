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
    #[error("the thread is still busy with the message before")]
    Busy,
    /// No model can be used. Code `no_model`.
    #[error("there is no model to ask")]
    NoModel,
    /// AI is off. Code `ai_off`.
    #[error("{}", .0.message)]
    Off(Failure),
    /// The message has no words, or too many. Code `invalid_message`.
    #[error("the message {0}")]
    Message(&'static str),
    /// The key under which a thread or a message may be sent again is too long. Code `invalid_message`.
    #[error("the key has more than 64 bytes")]
    Key,
    /// The key was used before, for another message. Code `key_reused`.
    #[error("the key was used for another message, which began {0}")]
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
            Self::Busy => failure("busy").hint("decide what is waiting, or press Stop"),
            Self::NoModel => failure("no_model")
                .hint(
                    "start Ollama on this machine and get a model with `aside models pull qwen3:4b`, start another server of models \
                     and set its address (such as OPENAI_BASE_URL), or give a key for a service and choose one of its models; \
                     `aside doctor` says what was found",
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
