//! One suite over all adapters, against a server that speaks their wires: what a person sees must not depend on which
//! provider answered, on how its bytes were cut, or on the habits of the server.

mod answers;
mod bench;
mod cuts;
mod embeddings;
mod failures;
mod found;
mod known;
mod own;
mod quirks;
mod raw;
mod requests;
mod signed;
