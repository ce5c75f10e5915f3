//! Integration tests of `aside-history`, one module a subject.

mod bad_input;
mod copies;
mod found_words;
mod generated;
mod hosts;
mod prices;
mod programs;
mod questions;
mod recount;
mod rollouts;
mod totals;
