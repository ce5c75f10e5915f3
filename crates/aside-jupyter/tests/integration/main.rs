//! Integration tests of `aside-jupyter`, one module a subject.

mod common;
mod real;
mod relay;
mod wrong;

/// The relay of a kernel is started by this program itself, as by `aside`.
#[ctor::ctor(unsafe)]
fn become_the_relay() {
    aside_jupyter::enter_if_relay();
}
