//! Everything the adapters share on their way to a server: where it is, how it is asked, how its answer is read.
//!
//! The adapters only translate: a request to JSON, a [`Frame`](decode::Frame) to events.

pub(crate) mod answer;
pub(crate) mod ask;
mod client;
pub(crate) mod decode;
pub(crate) mod endpoint;
mod frames;
mod lines;
pub(crate) mod reading;
mod refusal;
pub(crate) mod rest;
pub(crate) mod values;

pub(crate) use refusal::not_understood;
