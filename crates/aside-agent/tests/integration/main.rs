//! Integration tests of `aside-agent`, one module a subject.

mod spending;
mod stop;
