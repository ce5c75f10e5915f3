//! `aside models …`: what can be asked, keys, consent, prices and what was spent.

use aside_core::ModelRef;
use clap::Subcommand;

/// What to do with models.
#[derive(Debug, Subcommand)]
pub enum Models {
    /// Lists those that were found, with what they can
    List {
        /// Asks this service, which is not on this machine, for its models; nothing is sent but its key
        #[arg(long, value_name = "SERVICE")]
        ask: Option<String>,
    },
    /// Asks one for a word and a call, and says how it went; a model that is not on this machine may cost some cents
    Test {
        /// Such as ollama/qwen2.5-coder:7b
        model: ModelRef,
    },
    /// Gets one for Ollama, and shows how far it is
    Pull {
        /// Such as qwen3:4b, or ollama-2/qwen3:4b for an Ollama of your own
        name: String,
        /// Doesn't ask
        #[arg(long)]
        yes: bool,
    },
    /// Keeps, forgets and lists the keys of services
    Key {
        #[command(subcommand)]
        what: Key,
    },
    /// Lets what you write, and what a model reads to answer, go to a service that is not on this machine
    Allow {
        /// Such as openai; `aside models list` names them
        service: String,
        /// Where it is, if it has several places
        #[arg(long)]
        host: Option<String>,
    },
    /// Takes that back
    Disallow {
        /// Such as openai
        service: String,
    },
    /// Says whether any other machine is reached, or shows it
    LocalOnly {
        #[arg(value_parser = ["on", "off"])]
        switch: Option<String>,
    },
    /// Shows which lists of prices hold, or gets a newer one
    Prices {
        #[command(subcommand)]
        what: Option<Prices>,
    },
    /// Shows what they have cost here, and what may be spent
    Spending {
        /// Adds it up by this instead
        #[arg(long, value_enum)]
        by: Option<By>,
    },
}

/// What to do with prices.
#[derive(Debug, Subcommand)]
pub enum Prices {
    /// Gets the newest list, which LiteLLM publishes, or another in its form
    Refresh {
        /// A file, or an https address
        #[arg(long)]
        from: Option<String>,
    },
}

/// What spending is added up by.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum By {
    /// Each message and what followed
    Turn,
    /// Each conversation
    Thread,
    /// Each task
    Task,
    /// Each day, in UTC
    Day,
    /// Each model
    Model,
}

/// What to do with keys.
#[derive(Debug, Subcommand)]
pub enum Key {
    /// Keeps the key of a service; it is asked for without being shown, or read from standard input
    Set {
        /// Such as openai
        service: String,
    },
    /// Forgets the kept key of a service
    Forget {
        /// Such as openai
        service: String,
    },
    /// Says where the key of each service is from
    List,
}
