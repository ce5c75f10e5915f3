//! Integration tests of `aside-llm`, one module a subject.

mod conformance;
mod mock;
mod pull;
