//! Sentences to actions by rules, without a model: the fast path of *Ask Aside*.
//!
//! A [`Grammar`] is made of the phrases that actions declare, a [`Situation`] has the objects that words can mean, and
//! [`route`] brings both together. This crate does nothing: no I/O, no clock. What it returns is a proposal for the Gate.

mod effects;
mod grammar;
mod matching;
mod phrases;
mod polite;
mod reading;
mod route;
mod situation;
mod slot;
mod token;
mod words;

pub use grammar::{Grammar, InvalidGrammar};
pub use route::{Route, RoutedAction, route};
pub use situation::{Layout, OpenTab, SeenCell, SeenFile, SeenTodo, Situation};
