//! `aside models …`: what can be asked, keys, consent, prices and what was spent.

use aside_core::ModelRef;
use clap::Subcommand;

/// Commands about models.
#[derive(Debug, Subcommand)]
pub enum Models {
    /// List the models found, with their abilities
    List {
        /// Ask this remote provider for its models; only its API key is sent
        #[arg(long, value_name = "SERVICE")]
        ask: Option<String>,
    },
    /// Test a model with one word and one tool call; a remote model may cost a few cents
    Test {
        /// The model, such as ollama/qwen2.5-coder:7b
        model: ModelRef,
    },
    /// Download a model with Ollama, showing progress
    Pull {
        /// The model, such as qwen3:4b, or ollama-2/qwen3:4b for another Ollama server
        name: String,
        /// Do not ask for approval
        #[arg(long)]
        yes: bool,
    },
    /// Store, delete and list API keys
    Key {
        #[command(subcommand)]
        what: Key,
    },
    /// Allow your messages, and the content that models read to answer, to be sent to a remote provider
    Allow {
        /// The provider, such as openai; `aside models list` names them
        service: String,
        /// The host, if the provider has several
        #[arg(long)]
        host: Option<String>,
    },
    /// Stop sending content to a remote provider
    Disallow {
        /// The provider, such as openai
        service: String,
    },
    /// Turn Local only on or off, or show it
    LocalOnly {
        #[arg(value_parser = ["on", "off"])]
        switch: Option<String>,
    },
    /// Show the price lists in use, or download a newer one
    Prices {
        #[command(subcommand)]
        what: Option<Prices>,
    },
    /// Show spending and spending limits in this workspace
    Spending {
        /// Group by this instead
        #[arg(long, value_enum)]
        by: Option<By>,
    },
}

/// Commands about prices.
#[derive(Debug, Subcommand)]
pub enum Prices {
    /// Download the newest price list of LiteLLM, or another list in that format
    Refresh {
        /// A file, or an https address
        #[arg(long)]
        from: Option<String>,
    },
}

/// The grouping of spending.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum By {
    /// By turn: one message and its answer
    Turn,
    /// By thread
    Thread,
    /// By task
    Task,
    /// By day, in UTC
    Day,
    /// By model
    Model,
}

/// Commands about API keys.
#[derive(Debug, Subcommand)]
pub enum Key {
    /// Store an API key; you are prompted for it without echo, or it is read from standard input
    Set {
        /// The provider, such as openai
        service: String,
    },
    /// Delete a stored API key
    Forget {
        /// The provider, such as openai
        service: String,
    },
    /// List where each service's API key comes from
    List,
}
