//! Provider trait and adapters.
